//! Corpora made from what is installed, with the real Rocq.

use andor_config::Config;
use andor_dataset as dataset;
use andor_lab::corpus::{
    Category, Checked, CorpusEntry, CorpusError, CorpusRequest, CorpusSummary, rocq_stdlib,
};

fn request(folders: &[&str], sample: usize) -> CorpusRequest {
    let folders = folders.iter().map(|f| (*f).to_owned()).collect();
    CorpusRequest { folders, sample: Some(sample), seed: 5, jobs: 2 }
}

fn corpus(request: &CorpusRequest) -> Result<(Vec<CorpusEntry>, CorpusSummary), CorpusError> {
    let runtime = tokio::runtime::Runtime::new().expect("there is a runtime to be had");
    runtime.block_on(rocq_stdlib(request, &Config::default(), |_: &Checked, _| {}))
}

#[test]
fn rows_are_theorems_with_their_own_proofs_which_no_theorem_holds() {
    let (rows, summary) = corpus(&request(&["Bool", "Relations"], 6)).unwrap();
    assert_eq!((rows.len(), summary.rows()), (6, 6));
    assert!(summary.found > 100, "{summary:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let lines: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    let problems = dataset::read(&path, None, None).unwrap().problems;
    assert_eq!(problems.len(), rows.len());
    for (problem, row) in problems.iter().zip(&rows) {
        let theorem = &problem.theorem;
        assert_eq!(theorem.id, row.id);
        assert!(row.reference_proof.starts_with("Proof") || row.reference_proof.ends_with('.'), "{row:?}");
        assert!(!theorem.statement.contains("Proof") && !theorem.footer.contains("Proof"), "{theorem:?}");
        let after = format!("{}\n{}", theorem.statement, row.reference_proof);
        assert!(!theorem.header.contains(&after), "{theorem:?}");
        assert!(row.category != Category::Imports || theorem.footer.is_empty(), "{row:?}");
    }
}

#[test]
fn equal_requests_give_equal_rows() {
    let rows = || {
        let (rows, _) = corpus(&request(&["Bool"], 3)).unwrap();
        rows.into_iter().map(|row| (row.id, row.category)).collect::<Vec<_>>()
    };
    assert_eq!(rows(), rows());
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error = corpus(&request(&["Boole"], 1)).unwrap_err();
    assert!(error.to_string().contains("Boole: no such folder in the library"), "{error}");
}
