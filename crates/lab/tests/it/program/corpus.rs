//! `andor-lab corpus`.

use andor_testkit::program::left;

use super::andor_lab;

#[test]
fn a_file_is_kept_unless_overwriting_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("corpus.jsonl");
    fs_err::write(&kept, "mine").unwrap();
    let out = kept.display().to_string();
    let command = ["corpus", "rocq-stdlib", "--out", &out, "--sample", "0", "--folders", "Logic"];
    let (code, stdout, stderr) = left(andor_lab(&command).output().unwrap());
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(
        stderr.contains("corpus.jsonl exists; choose another file") && stderr.contains("--force"),
        "{stderr}"
    );
    assert_eq!(fs_err::read_to_string(&kept).unwrap(), "mine");
    let (code, _, stderr) = left(andor_lab(&[&command[..], &["--force"]].concat()).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(fs_err::read_to_string(&kept).unwrap(), "");
}
