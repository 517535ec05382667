//! Universe levels, as terms.

mod parts;

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use self::parts::Parts;
use super::term::{deeper, drop_deeper};
use crate::budget;

/// Maximum number of level parameters of a constant.
pub const MAX_PARAMS: usize = 64;

/// A universe level. Comparing with `==` compares the terms; [`Level::equals`] compares what they mean.
#[derive(Clone, Debug)]
pub enum Level {
    /// A level by its number; 0 is `Prop`'s.
    Num(u32),
    /// A parameter of the declaration.
    Param(u8),
    /// A level metavariable. The kernel refuses it.
    Meta(u32),
    /// The next level.
    Succ(Arc<Level>),
    /// The higher of two.
    Max(Arc<Level>, Arc<Level>),
    /// 0 when the second is 0, else the higher of both: the level of a function type.
    IMax(Arc<Level>, Arc<Level>),
}

impl Level {
    /// The level parameters of a constant with `n` of them.
    pub fn params(n: usize) -> Vec<Self> {
        (0..=u8::MAX).take(n).map(Self::Param).collect()
    }

    /// The next level; a number if that is known.
    pub fn succ(self) -> Self {
        match self {
            Self::Num(n) if n < u32::MAX => Self::Num(n + 1),
            level => Self::Succ(level.into()),
        }
    }

    /// The higher of two levels; a number if that is known.
    pub fn max(self, other: Self) -> Self {
        match (self, other) {
            (Self::Num(a), Self::Num(b)) => Self::Num(a.max(b)),
            (a, b) => Self::Max(a.into(), b.into()),
        }
    }

    /// The level of a function type; a number if that is known.
    pub fn imax(self, other: Self) -> Self {
        match (self, other) {
            (_, Self::Num(0)) => Self::Num(0),
            (Self::Num(a), Self::Num(b)) => Self::Num(a.max(b)),
            (a, b) => Self::IMax(a.into(), b.into()),
        }
    }

    /// Whether it is at most another, whatever the parameters are. Of levels with metavariables, only equal terms are
    /// known to be.
    pub fn at_most(&self, other: &Self) -> bool {
        if let (Self::Num(a), Self::Num(b)) = (self, other) {
            return a <= b;
        }
        self == other || self.compared(other, |a, b| a.at_most(&b))
    }

    /// Whether it equals another, whatever the parameters are. Of levels with metavariables, only equal terms are known
    /// to.
    pub fn equals(&self, other: &Self) -> bool {
        if let (Self::Num(_) | Self::Param(_), Self::Num(_) | Self::Param(_)) = (self, other) {
            return self == other;
        }
        self == other || self.compared(other, |a, b| a.at_most(&b) && b.at_most(&a))
    }

    /// Whether it is 0, whatever the parameters are.
    pub fn is_zero(&self) -> bool {
        self.equals(&Self::Num(0))
    }

    /// Whether it is never 0, whatever the parameters are.
    pub fn is_never_zero(&self) -> bool {
        Self::Num(1).at_most(self)
    }

    fn compared(&self, other: &Self, compare: impl FnOnce(Parts, Parts) -> bool) -> bool {
        match (Parts::of(self), Parts::of(other)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => false,
        }
    }

    /// Whether it contains a level metavariable.
    pub fn has_meta(&self) -> bool {
        self.any_leaf(&mut |leaf| matches!(leaf, Self::Meta(_)))
    }

    /// Whether it contains a parameter or a metavariable.
    pub fn is_variable(&self) -> bool {
        self.any_leaf(&mut |leaf| !matches!(leaf, Self::Num(_)))
    }

    /// Whether `f` holds for a number, parameter or metavariable in it.
    pub fn any_leaf(&self, f: &mut impl FnMut(&Self) -> bool) -> bool {
        budget::visits(1);
        match self {
            Self::Num(_) | Self::Param(_) | Self::Meta(_) => f(self),
            Self::Succ(l) => deeper(|| l.any_leaf(f)),
            Self::Max(a, b) | Self::IMax(a, b) => deeper(|| a.any_leaf(f) || b.any_leaf(f)),
        }
    }

    /// The level with its leaves replaced, where `f` gives something for them; a number when nothing unknown is
    /// left.
    pub fn replaced(&self, f: &mut impl FnMut(&Self) -> Option<Self>) -> Self {
        budget::visits(1);
        match self {
            Self::Num(_) => self.clone(),
            Self::Param(_) | Self::Meta(_) => f(self).unwrap_or_else(|| self.clone()),
            Self::Succ(l) => deeper(|| l.replaced(f)).succ(),
            Self::Max(a, b) => deeper(|| a.replaced(f).max(b.replaced(f))),
            Self::IMax(a, b) => deeper(|| a.replaced(f).imax(b.replaced(f))),
        }
    }

    /// The level with its parameters replaced by these levels. Repeated replacement would double a `max` each time,
    /// so the result is written as shortly as is easily found.
    pub fn instantiated(&self, levels: &[Self]) -> Self {
        let level = self.replaced(&mut |leaf| match leaf {
            Self::Param(i) => levels.get(usize::from(*i)).cloned(),
            _ => None,
        });
        match self {
            Self::Num(_) | Self::Param(_) | Self::Meta(_) => level,
            Self::Succ(_) | Self::Max(..) | Self::IMax(..) => level.simplified(),
        }
    }

    /// An equal level: a maximum of parameters, each with a number added, and a number, if it is that.
    pub fn simplified(self) -> Self {
        let mut base = &self;
        while let Self::Succ(before) = base {
            base = before;
        }
        if !matches!(base, Self::Max(..) | Self::IMax(..)) {
            return self;
        }
        match Parts::of(&self).and_then(|parts| parts.as_maximum()) {
            Some(level) => level,
            None => self,
        }
    }
}

impl Drop for Level {
    /// A level may be deeper than the stack.
    fn drop(&mut self) {
        static ZERO: LazyLock<Arc<Level>> = LazyLock::new(|| Level::Num(0).into());
        let take = |child: &mut Arc<Self>| {
            if matches!(**child, Self::Succ(_) | Self::Max(..) | Self::IMax(..))
                && Arc::strong_count(child) == 1
            {
                drop_deeper(std::mem::replace(child, Arc::clone(&ZERO)));
            }
        };
        match self {
            Self::Num(_) | Self::Param(_) | Self::Meta(_) => {}
            Self::Succ(l) => take(l),
            Self::Max(a, b) | Self::IMax(a, b) => [a, b].into_iter().for_each(take),
        }
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Arc<Self>, b: &Arc<Self>| Arc::ptr_eq(a, b) || deeper(|| a == b);
        budget::visits(1);
        match (self, other) {
            (Self::Num(a), Self::Num(b)) | (Self::Meta(a), Self::Meta(b)) => a == b,
            (Self::Param(a), Self::Param(b)) => a == b,
            (Self::Succ(a), Self::Succ(b)) => same(a, b),
            (Self::Max(a, b), Self::Max(c, d)) | (Self::IMax(a, b), Self::IMax(c, d)) => {
                same(a, c) && same(b, d)
            }
            _ => false,
        }
    }
}

impl Eq for Level {}

impl Hash for Level {
    fn hash<H: Hasher>(&self, state: &mut H) {
        budget::visits(1);
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Num(n) | Self::Meta(n) => n.hash(state),
            Self::Param(i) => i.hash(state),
            Self::Succ(l) => deeper(|| l.hash(state)),
            Self::Max(a, b) | Self::IMax(a, b) => deeper(|| (a, b).hash(state)),
        }
    }
}
