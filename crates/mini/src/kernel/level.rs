//! Universe levels.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::budget;

/// A universe level.
#[derive(Clone, Debug)]
pub enum Level {
    /// A level by its number; 0 is `Prop`'s.
    Num(u8),
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
    /// Its value under an assignment of parameters; `None` if a parameter is not assigned.
    pub fn eval(&self, params: &[u8]) -> Option<u8> {
        budget::visits(1);
        Some(match self {
            Self::Num(n) => *n,
            Self::Param(i) => *params.get(usize::from(*i))?,
            Self::Meta(_) => return None,
            Self::Succ(l) => l.eval(params)?.saturating_add(1),
            Self::Max(a, b) => a.eval(params)?.max(b.eval(params)?),
            Self::IMax(a, b) => match b.eval(params)? {
                0 => 0,
                b => a.eval(params)?.max(b),
            },
        })
    }

    /// Whether it contains a level metavariable.
    pub fn has_meta(&self) -> bool {
        budget::visits(1);
        match self {
            Self::Num(_) | Self::Param(_) => false,
            Self::Meta(_) => true,
            Self::Succ(l) => l.has_meta(),
            Self::Max(a, b) | Self::IMax(a, b) => a.has_meta() || b.has_meta(),
        }
    }

    /// The level with its leaves replaced, where `f` gives something for them; a number when nothing unknown is
    /// left.
    pub fn replaced(&self, f: &mut impl FnMut(&Self) -> Option<Self>) -> Self {
        budget::visits(1);
        let level = match self {
            Self::Num(_) => return self.clone(),
            Self::Param(_) | Self::Meta(_) => return f(self).unwrap_or_else(|| self.clone()),
            Self::Succ(l) => Self::Succ(l.replaced(f).into()),
            Self::Max(a, b) => Self::Max(a.replaced(f).into(), b.replaced(f).into()),
            Self::IMax(a, b) => Self::IMax(a.replaced(f).into(), b.replaced(f).into()),
        };
        level.eval(&[]).map_or(level, Self::Num)
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Arc<Self>, b: &Arc<Self>| Arc::ptr_eq(a, b) || a == b;
        budget::visits(1);
        match (self, other) {
            (Self::Num(a), Self::Num(b)) | (Self::Param(a), Self::Param(b)) => a == b,
            (Self::Meta(a), Self::Meta(b)) => a == b,
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
            Self::Num(n) | Self::Param(n) => n.hash(state),
            Self::Meta(id) => id.hash(state),
            Self::Succ(l) => l.hash(state),
            Self::Max(a, b) | Self::IMax(a, b) => (a, b).hash(state),
        }
    }
}
