//! The differences between the layouts of compiled files, from `checker/values.ml` of Rocq and the types that it
//! describes, tags V8.16.0 to V9.2.0.
//!
//! A layout is data: each is defined by its changes from the one before, and the modules of `decode` consult it.

/// The layout of the compiled files of a release branch.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) library: LibraryForm,
    pub(super) implementations: Implementations,
    pub(super) flags: FlagsForm,
    /// Sorts have qualities, and declarations may take them as parameters. Instances, contexts of parameters,
    /// matches and projections have a part for them.
    pub(super) qualities: bool,
    pub(super) elimination: EliminationForm,
    pub(super) trees: TreeForm,
    /// There are symbols with rewrite rules, and primitive strings.
    pub(super) rules: bool,
    pub(super) template: TemplateForm,
    pub(super) types: TypeForm,
    pub(super) paths: Paths,
    /// Contexts of parameters contain elimination constraints between qualities.
    pub(super) eliminations: bool,
}

/// The parts of a library.
#[derive(Clone, Copy, Debug)]
pub(super) enum LibraryForm {
    /// Name, module, universes and dependencies; objects stored separately.
    Plain,
    /// The same, and objects in two parts.
    Staged,
    /// Flags at the end.
    Flagged,
    /// Qualities, paired with the universes.
    WithQualities,
    /// Qualities and their eliminations, after the universes.
    WithEliminations,
}

/// The fields after the signature of a module.
#[derive(Clone, Copy, Debug)]
pub(super) enum Implementations {
    /// Signatures and expressions that repeat the parameters of the module.
    Repeated,
    /// Fields and expressions under the parameters of the module.
    Bare,
    /// The same, in a box.
    Boxed,
    /// The same in a box, and fields with a resolver.
    Resolved,
}

/// The number of checking flags of a declaration. The first three are the same in all releases.
#[derive(Clone, Copy, Debug)]
pub(super) enum FlagsForm {
    Twelve,
    Eleven,
}

/// The encoding of the sorts that an inductive type may be eliminated into.
#[derive(Clone, Copy, Debug)]
pub(super) enum EliminationForm {
    /// The largest family of sorts.
    Family,
    /// The restriction.
    Squash,
}

/// The encoding of the trees of recursive arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum TreeForm {
    /// With nodes for constructors, and marks for nested types.
    Nodes,
    /// Constructors are arrays.
    Arrays,
    /// The same, without marks for nesting.
    Unmarked,
}

/// The encoding of template polymorphism.
#[derive(Clone, Copy, Debug)]
pub(super) enum TemplateForm {
    /// For each parameter the universe, if it is one of them.
    Levels,
    /// For each parameter, whether it has one.
    Flags,
    /// For each parameter the sort, in a separate context.
    Sorts,
}

/// The encoding of an inductive type.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypeForm {
    /// With an arity of one of two forms.
    Tagged,
    /// With sort and type.
    Sorted,
    /// The same, with its record data.
    WithRecord,
}

/// The position of a module's path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Paths {
    InModules,
    InResolvers,
}

const V8_16: Layout = Layout {
    library: LibraryForm::Plain,
    implementations: Implementations::Repeated,
    flags: FlagsForm::Twelve,
    qualities: false,
    elimination: EliminationForm::Family,
    trees: TreeForm::Nodes,
    rules: false,
    template: TemplateForm::Levels,
    types: TypeForm::Tagged,
    paths: Paths::InModules,
    eliminations: false,
};
const V8_18: Layout = Layout {
    library: LibraryForm::Staged,
    implementations: Implementations::Bare,
    flags: FlagsForm::Eleven,
    ..V8_16
};
const V8_19: Layout =
    Layout { qualities: true, elimination: EliminationForm::Squash, trees: TreeForm::Arrays, ..V8_18 };
const V8_20: Layout =
    Layout { library: LibraryForm::Flagged, trees: TreeForm::Unmarked, rules: true, ..V8_19 };
const V9_0: Layout =
    Layout { implementations: Implementations::Boxed, template: TemplateForm::Flags, ..V8_20 };
const V9_1: Layout = Layout {
    library: LibraryForm::WithQualities,
    template: TemplateForm::Sorts,
    types: TypeForm::Sorted,
    paths: Paths::InResolvers,
    ..V9_0
};
const V9_2: Layout = Layout {
    library: LibraryForm::WithEliminations,
    implementations: Implementations::Resolved,
    types: TypeForm::WithRecord,
    eliminations: true,
    ..V9_1
};

/// The layout of each release branch.
static LAYOUTS: [((u64, u64), Layout); 8] = [
    ((8, 16), V8_16),
    ((8, 17), V8_16),
    ((8, 18), V8_18),
    ((8, 19), V8_19),
    ((8, 20), V8_20),
    ((9, 0), V9_0),
    ((9, 1), V9_1),
    ((9, 2), V9_2),
];

/// Numbers with this ending are development versions and release candidates, whose layouts may change.
const DEVELOPMENT: u64 = 99;
/// Releases with such a number: 8.19.0 to 8.19.2, and 9.2.0.
const RELEASED: [u64; 2] = [81_999, 90_299];

fn branch(number: u64) -> (u64, u64) {
    (number / 10_000, number / 100 % 100)
}

/// The newest branch whose layout is known. Newer ones are read in the same way: where the layout has changed, reading fails.
fn newest() -> ((u64, u64), &'static Layout) {
    let (branch, layout) = &LAYOUTS[LAYOUTS.len() - 1];
    (*branch, layout)
}

impl Layout {
    /// The layout of files with a format number; `None` if it is unknown.
    pub(super) fn of(number: u64) -> Option<&'static Self> {
        let (newest, layout) = newest();
        if branch(number) > newest {
            return Some(layout);
        }
        // 81999 and 90299 belong to their own branch, other such numbers to the next one.
        if number % 100 == DEVELOPMENT && !RELEASED.contains(&number) {
            return None;
        }
        LAYOUTS.iter().find(|(of, _)| *of == branch(number)).map(|(_, layout)| layout)
    }
}

/// What is known of the compiled files of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// They can be read.
    Yes,
    /// The release is newer than all that are known.
    Newer,
    /// They cannot be read: the release is too old, or a candidate.
    No,
}

impl Known {
    /// What is known of a release, such as `8.16.1`.
    pub fn of(version: &str) -> Self {
        let parts: Result<Vec<u64>, _> = version.split('.').map(str::parse).collect();
        match parts.as_deref() {
            Ok(&[major, minor] | &[major, minor, _]) => match (major, minor) {
                branch if branch > newest().0 => Self::Newer,
                branch if LAYOUTS.iter().any(|(of, _)| *of == branch) => Self::Yes,
                _ => Self::No,
            },
            _ => Self::No,
        }
    }

    /// What to say of a newer release.
    pub fn newer(version: &str) -> String {
        let (major, minor) = newest().0;
        format!(
            "Rocq {version} is newer than {major}.{minor}, the newest that andor knows, and is treated like it"
        )
    }
}

/// The release of a format number: 81601 is 8.16.1.
pub(super) fn written(number: u64) -> String {
    let (major, minor) = branch(number);
    match number % 100 {
        DEVELOPMENT => format!("{major}.{minor} or a development version of the next"),
        patch => format!("{major}.{minor}.{patch}"),
    }
}
