//! Problem sets are read as they are, chosen from, and their theorems proved.

use andor_system_rocq::ROCQ;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::result::Outcome;
use andor_config::Config;
use andor_dataset::{self as dataset, Choice, Problem};
use andor_engine::event::Event;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn chosen(filters: &[&str]) -> Result<Vec<Problem>, String> {
    let choice =
        Choice { filters: filters.iter().map(|f| f.parse().unwrap()).collect(), ..Choice::default() };
    choice.of(dataset::read(&data("rows.jsonl"), None, None).unwrap().problems).map_err(|e| e.to_string())
}

fn ids(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|p| p.theorem.id.as_str()).collect()
}

#[test]
fn rows_keep_their_order_and_ids_become_unique() {
    let all = chosen(&[]).unwrap();
    assert_eq!(ids(&all), ["square_of_sum", "twice_is_even", "limit_of_a_constant", "square_of_sum#2"]);
    let names: Vec<&str> = all.iter().map(|p| p.theorem.name.as_str()).collect();
    assert_eq!(names, ["square_of_sum", "twice_is_even", "limit_of_a_constant", "again"]);
    assert_eq!(all[1].theorem.header, "Require Import Arith.\n");
    assert_eq!(all[3].fields["name"], "square_of_sum", "what the row is called stays known");
}

#[test]
fn rows_are_chosen_by_id_and_by_field() {
    let some =
        |filters: &[&str]| chosen(filters).unwrap().into_iter().map(|p| p.theorem.id).collect::<Vec<_>>();
    assert_eq!(some(&["square"]), ["square_of_sum", "square_of_sum#2"]);
    assert_eq!(some(&["split=test"]), ["twice_is_even"]);
    assert_eq!(some(&["system=rocq", "id=twice_is_even"]), ["twice_is_even"]);
    assert_eq!(some(&["requires=[]", "coq_8_16_ok=true"]), ["square_of_sum", "twice_is_even"]);
    assert_eq!(some(&["requires=[\"coquelicot\"]"]), ["limit_of_a_constant"]);
    let unknown = chosen(&["no_such_field=1"]).unwrap_err();
    assert!(
        unknown.contains("`no_such_field`; available: coq_8_16_ok, id, informal, name, requires"),
        "{unknown}"
    );
    assert_eq!(chosen(&["split=train"]).unwrap_err(), "none of the 4 theorems passes --filter and --limit");
}

#[test]
fn splits_are_chosen_by_name() {
    let of = |split: &str| {
        let choice = Choice { split: split.parse().unwrap(), limit: Some(2), ..Choice::default() };
        choice.of(dataset::read(&data("rows.jsonl"), None, None).unwrap().problems)
    };
    assert_eq!(ids(&of("val").unwrap()), ["square_of_sum", "limit_of_a_constant"]);
    assert_eq!(ids(&of("test").unwrap()), ["twice_is_even"]);
    assert_eq!(of("generic").unwrap().len(), 2);
    let absent = of("train").unwrap_err().to_string();
    assert_eq!(absent, "--split: no theorem is in `train`; available: test, valid");
    assert!("dev".parse::<dataset::Split>().is_err());
}

#[test]
fn rows_are_proved() {
    let request =
        RunRequest { jobs: 2, ..RunRequest::new(chosen(&["requires=[]"]).unwrap(), Config::default()) };
    let results =
        block_on(run(&request, &CancellationToken::new(), Arc::new(Mutex::new(|_: &str, _: &Event| {}))))
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
    let dataset = dataset::read(&path, Some(ROCQ), None).unwrap();
    assert_eq!(ids(&dataset.problems), ["M.one"], "as it is called at the end of the file");
    let theorem = &dataset.problems[0].theorem;
    assert!(theorem.header.ends_with("Admitted. *)\n"), "{}", theorem.header);
    assert_eq!(theorem.statement.trim(), "Lemma one (l : list A) : l = l.");
    assert!(theorem.footer.contains("End S.") && theorem.footer.contains("End M."), "{}", theorem.footer);
}
