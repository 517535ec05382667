//! What a submission trusts: nothing is looked for yet.
use super::compiled::Library;
use crate::trust::Feature;
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct BugId(u32);
impl BugId {
    pub(super) fn title(&self) -> &'static str {
        "x"
    }
}
impl std::fmt::Display for BugId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rocq#{}", self.0)
    }
}
pub(super) struct Met {
    pub(super) bug: BugId,
    pub(super) at: String,
}
pub(super) struct Examined {
    pub(super) features: Vec<Feature>,
    pub(super) named: Vec<BugId>,
    pub(super) met: Vec<Met>,
}
pub(super) fn examine(_l: &Library, _t: &[String], _v: u64) -> Examined {
    Examined { features: vec![], named: vec![], met: vec![] }
}
