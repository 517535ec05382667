//! The options that say what has to be proved, and to whom, as rows of the table.

use super::notation::Notation::OneOf;
use super::row::*;
use super::{ConfigOption, Section, Setting};
use crate::{SecondJudgeConfig, Universes};

pub(super) const UNIVERSES: ConfigOption = option!(
    "--universes",
    verify.universes,
    Soundness,
    OneOf(Universes::names),
    "RULE",
    "For which universes a polymorphic theorem of Rocq that does not name them has to be proved: `as-rocq`, those that \
     Rocq finds in statement and proof together, which universes of installed libraries may bound; `as-stated`, all that \
     the statement allows, the default of `check --statement-from` and `--comparator`"
);

pub(super) const SECOND_JUDGE: ConfigOption = option!(
    "--second-judge",
    verify.second_judge,
    Soundness,
    OneOf(SecondJudgeConfig::names),
    "WHETHER",
    "Whether further kernels must accept a proof, too: Lean's for `mini`, those beside `lean` for Lean 4, at level 3. Otherwise \
     any that is installed is asked, rejects what it refuses, and is named where it is silent"
);
