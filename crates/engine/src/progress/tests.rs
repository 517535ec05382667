use std::collections::{BTreeMap, BTreeSet};

use andor_artifact::progress::FoundBy;
use andor_core::rng::Rng;
use rand::{RngExt, SeedableRng};

use super::*;

const THEOREM: &str = "0123";

fn proof(signature: u32, size: u64, script: &str) -> ProvedSubgoal {
    ProvedSubgoal {
        theorem: "t".to_owned(),
        statement_digest: THEOREM.to_owned(),
        signature: format!("{signature:016x}"),
        key: String::new(),
        goal: "⊢ p".to_owned(),
        names: Vec::new(),
        way: Vec::new(),
        script: script.to_owned(),
        size,
        steps: Vec::new(),
        preference_pairs: Vec::new(),
        found: FoundBy { run: None, attempt: 1, seed: 0 },
    }
}

/// The best proof of each subgoal.
fn best(progress: &Progress) -> BTreeMap<u32, ProvedSubgoal> {
    let of = |signature: u32| progress.best(THEOREM, &format!("{signature:016x}"));
    (0..4).filter_map(|signature| Some((signature, (*of(signature)?).clone()))).collect()
}

/// What a file holds, with everything in it replayed.
fn reopened(path: &Path) -> Progress {
    let progress = Progress::open(path, None).unwrap();
    assert!(best(&progress).is_empty(), "a file is not believed");
    for proof in progress.unconfirmed(THEOREM).into_iter().flatten() {
        progress.confirmed(&proof, true);
    }
    progress
}

fn random_proof(rng: &mut Rng) -> ProvedSubgoal {
    let script = ["a", "b", "ab", "ba"][rng.random_range(0..4)];
    proof(rng.random_range(0..4), rng.random_range(1..4), script)
}

#[test]
fn additions_in_any_order_leave_the_best_proofs_and_none_gives_way_to_a_worse_one() {
    for seed in 0..100 {
        let mut rng = Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.jsonl");
        let proofs: Vec<ProvedSubgoal> =
            (0..rng.random_range(1..12)).map(|_| random_proof(&mut rng)).collect();
        let mut expected: BTreeMap<u32, ProvedSubgoal> = BTreeMap::new();
        for proof in &proofs {
            let signature = u32::from_str_radix(&proof.signature, 16).unwrap();
            let best = expected.entry(signature).or_insert_with(|| proof.clone());
            if rank(proof) < rank(best) {
                *best = proof.clone();
            }
        }
        // Several attempts add all of them, each in an order of its own, and with repetitions.
        let orders: Vec<Vec<usize>> = (0..3)
            .map(|_| {
                (0..2 * proofs.len())
                    .map(|_| rng.random_range(0..proofs.len()))
                    .chain(0..proofs.len())
                    .collect()
            })
            .collect();
        let progress = Progress::open(&path, None).unwrap();
        let mut waiting: Vec<_> = orders.iter().map(|order| order.iter()).collect();
        while !waiting.is_empty() {
            let who = rng.random_range(0..waiting.len());
            let Some(&next) = waiting[who].next() else {
                drop(waiting.remove(who));
                continue;
            };
            let before = best(&progress);
            let added = progress.add(proofs[next].clone()).unwrap();
            let after = best(&progress);
            assert_eq!(added == Added::Best, before != after, "seed {seed}");
            assert_eq!(progress.add(proofs[next].clone()).unwrap(), Added::Known, "seed {seed}: again");
            assert_eq!(best(&progress), after, "seed {seed}: again");
            for (signature, proof) in before {
                assert!(rank(&after[&signature]) <= rank(&proof), "seed {seed}: a worse one");
            }
        }
        assert_eq!(best(&progress), expected, "seed {seed}");
        drop(progress);
        assert_eq!(best(&reopened(&path)), expected, "seed {seed}: read back");
    }
}

#[test]
fn threads_that_race_leave_the_best_proofs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.jsonl");
    let progress = Progress::open(&path, None).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..8 {
            let progress = &progress;
            scope.spawn(move || {
                let mut rng = Rng::seed_from_u64(seed);
                for _ in 0..50 {
                    progress.add(random_proof(&mut rng)).unwrap();
                }
            });
        }
    });
    let expected: BTreeSet<(u64, &str)> = [(1, "a")].into();
    let found = best(&progress);
    assert_eq!(found.values().map(|p| (p.size, p.script.as_str())).collect::<BTreeSet<_>>(), expected);
    drop(progress);
    assert_eq!(best(&reopened(&path)), found);
}

#[test]
fn what_is_taken_back_stays_so() {
    for seed in 0..100 {
        let mut rng = Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.jsonl");
        let progress = Progress::open(&path, None).unwrap();
        let mut withdrawn: BTreeSet<(String, String)> = BTreeSet::new();
        for _ in 0..20 {
            let proof = random_proof(&mut rng);
            if rng.random_bool(0.3) {
                progress.withdraw(proof.withdrawn()).unwrap();
                assert!(!progress.withdraw(proof.withdrawn()).unwrap(), "seed {seed}: again");
                withdrawn.insert((proof.signature, proof.script));
            } else {
                progress.add(proof).unwrap();
            }
            let is_withdrawn =
                |proof: &ProvedSubgoal| withdrawn.contains(&(proof.signature.clone(), proof.script.clone()));
            assert!(!best(&progress).values().any(is_withdrawn), "seed {seed}");
        }
        let expected = best(&progress);
        drop(progress);
        assert_eq!(best(&reopened(&path)), expected, "seed {seed}");
    }
}

#[test]
fn a_torn_line_is_passed_over_and_what_was_accepted_before_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.jsonl");
    let progress = Progress::open(&path, None).unwrap();
    let mut kept = vec![(std::fs::metadata(&path).unwrap().len(), best(&progress))];
    for signature in 0..3 {
        progress.add(proof(signature, 1, "∀")).unwrap();
        kept.push((std::fs::metadata(&path).unwrap().len(), best(&progress)));
    }
    drop(progress);
    let whole = std::fs::read(&path).unwrap();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (_, expected) = kept.iter().rev().find(|(end, _)| *end <= length as u64).unwrap_or(&kept[0]);
        let progress = reopened(&path);
        assert_eq!(best(&progress), *expected, "{length} bytes");
        // Files can be joined: the same lines again change nothing.
        progress.add(proof(3, 1, "x")).unwrap();
        drop(progress);
        let mut expected = expected.clone();
        expected.insert(3, proof(3, 1, "x"));
        assert_eq!(best(&reopened(&path)), expected, "{length} bytes");
    }
    let twice = [&whole[..], &whole[kept[0].0 as usize..]].concat();
    std::fs::write(&path, twice).unwrap();
    assert_eq!(best(&reopened(&path)), kept[3].1, "each line twice");
}
