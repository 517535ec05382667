//! A theorem in its file after somebody else has changed that.

use andor_dataset::{Problem, SourcePlace, of_source};
use andor_env::in_place::byte_of;
use andor_env::in_place::{Fill, WrittenProof};
use andor_env::outline::{Gap, Place};

/// A theorem and its proof, where they are in the file now. `None` unless exactly one unfinished theorem there has the same
/// statement and the same unfinished proof.
pub(super) fn followed(
    read: &str,
    now: &str,
    problem: &Problem,
    proof: &WrittenProof,
    prelude: &str,
) -> Option<(Problem, WrittenProof)> {
    let place = problem.place.as_ref()?;
    let own = |text: &str, place: &SourcePlace| {
        let stated = text.get(place.at.statement.clone())?.trim_end().to_owned();
        Some((stated, text.get(place.at.proof.clone())?.trim_end().to_owned()))
    };
    let wanted = own(read, place)?;
    let found = of_source(&place.file, now, problem.theorem.system).ok()?;
    let is_it = |found: &&Problem| {
        let is_named = wanted.0.starts_with("example") || found.theorem.name == problem.theorem.name;
        is_named && found.place.as_ref().and_then(|place| own(now, place)).as_ref() == Some(&wanted)
    };
    let mut same = found.iter().filter(is_it);
    let (Some(same), None) = (same.next(), same.next()) else { return None };
    let mut moved = same.clone();
    moved.theorem.id.clone_from(&problem.theorem.id);
    moved.theorem.header.insert_str(0, prelude);
    let start = moved.place.as_ref()?.at.proof.start;
    let fill = |Fill { gap, script }: &Fill| {
        let gap = match gap {
            Some(Gap { place: at, is_inside }) => {
                let byte = start + byte_of(read, *at)?.checked_sub(place.at.proof.start)?;
                Some(Gap { place: Place::of(now, byte), is_inside: *is_inside })
            }
            None => None,
        };
        Some(Fill { gap, script: script.clone() })
    };
    let fills = match &proof.fills {
        Some(fills) => Some(fills.iter().map(fill).collect::<Option<Vec<Fill>>>()?),
        None => None,
    };
    Some((moved, WrittenProof { fills, ..proof.clone() }))
}
