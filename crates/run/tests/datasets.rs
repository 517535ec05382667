//! Problem sets are read as they are, chosen from, and their theorems proved.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::result::Outcome;
use andor_run::config::Config;
use andor_run::dataset::{self, Filter, Problem};
use andor_run::event::Event;
use andor_run::orchestrate::{Plan, run};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn chosen(filters: &[&str]) -> Vec<Problem> {
    let filters: Vec<Filter> = filters.iter().map(|f| f.parse().unwrap()).collect();
    let mut problems = dataset::read(&data("rows.jsonl")).unwrap();
    problems.retain(|p| filters.iter().all(|f| f.admits(p)));
    problems
}

fn ids(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|p| p.theorem.id.as_str()).collect()
}

#[test]
fn rows_keep_their_order_and_ids_become_unique() {
    let all = chosen(&[]);
    assert_eq!(ids(&all), ["square_of_sum", "twice_is_even", "limit_of_a_constant", "square_of_sum#2"]);
    let names: Vec<&str> = all.iter().map(|p| p.theorem.name.as_str()).collect();
    assert_eq!(names, ["square_of_sum", "twice_is_even", "limit_of_a_constant", "again"]);
    assert_eq!(all[1].theorem.header, "Require Import Arith.\n");
}

#[test]
fn rows_are_chosen_by_id_and_by_field() {
    assert_eq!(ids(&chosen(&["square"])), ["square_of_sum", "square_of_sum#2"]);
    assert_eq!(ids(&chosen(&["split=test"])), ["twice_is_even"]);
    assert_eq!(ids(&chosen(&["requires=[]", "coq_8_16_ok=true"])), ["square_of_sum", "twice_is_even"]);
    assert_eq!(ids(&chosen(&["requires=[\"coquelicot\"]"])), ["limit_of_a_constant"]);
    assert!(chosen(&["no_such_field=1"]).is_empty());
}

#[test]
fn rows_are_proved() {
    let plan = Plan {
        problems: chosen(&["requires=[]"]),
        config: Config::default(),
        jobs: 2,
        out: None,
        resume: false,
        record_latencies: None,
    };
    let results =
        block_on(run(&plan, &CancellationToken::new(), Arc::new(Mutex::new(|_: &str, _: &Event| {}))))
            .unwrap();
    for result in &results {
        assert_eq!(result.outcome, Outcome::Accepted, "{}", result.theorem);
    }
    assert_eq!(results.len(), 3);
}

#[test]
fn theorems_of_a_file_keep_their_surroundings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.v");
    let text = "Module Type T.\nLemma hidden : True.\nAdmitted.\nEnd T.\n\
                Module F (X : T).\nLemma hidden : True.\nAdmitted.\nEnd F.\n\
                Module M.\nSection S.\nVariable A : Type.\n(* Lemma no : False. Admitted. *)\n\
                Lemma one (l : list A) : l = l.\nProof. Abort.\nLemma two : True.\nProof. exact I. Qed.\n\
                End S.\nEnd M.\n";
    fs_err::write(&path, text).unwrap();
    let problems = dataset::read(&path).unwrap();
    assert_eq!(ids(&problems), ["M.one"], "as it is called at the end of the file");
    let theorem = &problems[0].theorem;
    assert!(theorem.header.ends_with("Admitted. *)\n"), "{}", theorem.header);
    assert_eq!(theorem.statement.trim(), "Lemma one (l : list A) : l = l.");
    assert!(theorem.footer.contains("End S.") && theorem.footer.contains("End M."), "{}", theorem.footer);
}
