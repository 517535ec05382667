//! What is named as an input and is no regular file: the program says so, and neither waits for it nor reads it to no end.

use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::support::{Folder, andor, left};
use rustix::fs::{CWD, Mode, mkfifoat};

/// A pipe that nobody writes to; a program that opens it waits for good.
fn pipe(path: &str) {
    mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
}

/// Exit code 2, and what standard error says.
fn refused(args: &[&str]) -> String {
    let (code, out, err) = left(andor(args).output().unwrap());
    assert_eq!(code, 2, "{args:?}: {out}{err}");
    err
}

#[test]
fn whatever_is_no_file_is_refused_wherever_a_file_is_read() {
    let folder = Folder::new();
    let proof = folder.write("proof.v", "Theorem t : 1 = 1.\nProof. reflexivity. Qed.\n");
    let task = folder.write("task.v", "Theorem t : 1 = 1.\nProof. Admitted.\n");
    let out = folder.path("out");
    let statement = ["--statement", "1 = 1", "--system", "rocq"];
    let statement_with = |more: &[&str]| [&["prove"], &statement[..], more].concat().join("\u{1f}");
    let named = |name: &str, what: &str| {
        let file = folder.path(name);
        let options = [
            ["prove", &file].join("\u{1f}"),
            ["run", &file, "--out", &out].join("\u{1f}"),
            ["repl", &file].join("\u{1f}"),
            ["check", &file].join("\u{1f}"),
            ["check", &proof, "--statement-from", &file].join("\u{1f}"),
            statement_with(&["--config", &file]),
            statement_with(&["--provider", &format!("scripted={file}")]),
            statement_with(&["--clock", "virtual", "--tactic-latency", &format!("recorded:{file}")]),
        ];
        for args in &options {
            let err = refused(&args.split('\u{1f}').collect::<Vec<_>>());
            assert!(err.contains(&format!("{name}: this is {what}")), "{args}: {err}");
        }
    };
    pipe(&folder.path("pipe.v"));
    named("pipe.v", "a pipe, not a file; save its content to a file first");
    let _listens = UnixListener::bind(folder.path("socket.v")).unwrap();
    named("socket.v", "a socket, not a file");
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.v")).unwrap();
    named("zero.v", "a device, not a file");
    // A folder is a corpus of several files, but no file.
    fs_err::create_dir(folder.path("folder.v")).unwrap();
    for args in [
        &["check", &folder.path("folder.v")][..],
        &["check", &task, "--statement-from", &folder.path("folder.v")],
    ] {
        assert!(refused(args).contains("folder.v: this is a folder; name a file in it"), "{args:?}");
    }
    // What substitutes a process is a pipe, too.
    let err = refused(&["prove", "--statement", "1 = 1", "--config", "/dev/fd/0"]);
    assert!(err.contains("/dev/fd/0: this is a device"), "{err}");
}

#[test]
fn so_it_is_in_the_folder_of_a_run_and_in_a_project() {
    let folder = Folder::new();
    let task = folder.write("task.v", "Theorem t : 1 = 1.\nProof. Admitted.\n");
    let out = folder.path("out");
    let (code, _, err) = left(andor(&["prove", &task, "--out", &out]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    let commands = [
        ("run.json", &["results", &out][..]),
        ("run.json", &["compare", &out, &out]),
        ("run.json", &["export", &out, "--format", "sft"]),
        ("run.json", &["prove", &task, "--out", &out, "--resume"]),
        ("run.db", &["prove", &task, "--out", &out, "--resume"]),
        ("run.db", &["results", &out]),
        ("theorems/t/attempt-1/graph.json", &["show", &out]),
        ("theorems/t/attempt-1/trace.jsonl", &["verify", &out]),
        ("theorems/t/attempt-1/trace.jsonl", &["trace", "stats", &out]),
    ];
    for (name, args) in commands {
        let (file, kept) = (Path::new(&out).join(name), folder.path("kept"));
        fs_err::rename(&file, &kept).unwrap();
        pipe(file.to_str().unwrap());
        let err = refused(args);
        assert!(
            err.contains("this is a pipe") || err.contains("no run") || err.contains("has a"),
            "{args:?}: {err}"
        );
        fs_err::rename(&kept, &file).unwrap();
    }
    // What looks like a project file is not passed over.
    pipe(&folder.path("_CoqProject"));
    let err = refused(&["prove", &task]);
    assert!(err.contains("_CoqProject: this is a pipe"), "{err}");
}

#[test]
fn an_input_without_end_does_not_fill_the_memory() {
    let zero = std::fs::File::open("/dev/zero").unwrap();
    let (code, _, err) =
        left(andor(&["repl", "--statement", "theorem t : 1 = 1"]).stdin(zero).output().unwrap());
    assert!(code == 2 && err.contains("a line of more than 1 MiB"), "{code}: {err}");
}
