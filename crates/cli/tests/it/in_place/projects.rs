//! What people come with: a project of Rocq, a project of Lean, rows of a benchmark. Every final file is compared.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use andor_testkit::lean;

use super::prove;
use crate::support::{Folder, andor, left};

/// The test data of a name.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The files below a folder, with paths relative to it, sorted.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    let read = |path: PathBuf| {
        let text = fs_err::read_to_string(&path).unwrap();
        (path.strip_prefix(folder).unwrap().to_owned(), text)
    };
    found.into_iter().map(read).collect()
}

/// A copy of the files before proofs are written into them.
fn before(project: &str) -> Folder {
    let folder = Folder::new();
    for (path, text) in files(&data(project).join("before")) {
        let path = folder.0.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    folder
}

/// Compares every file with what it should be.
fn assert_after(folder: &Folder, project: &str, err: &str) {
    for (path, expected) in files(&data(project).join("after")) {
        let now = fs_err::read_to_string(folder.0.path().join(&path)).unwrap();
        assert_eq!(now, expected, "{}\n{err}", path.display());
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a build runs the compiler, too")]
fn a_rocq_project() {
    let folder = before("rocq_project");
    let modules = ["Base", "Trees", "Monoids", "Logic", "Integers", "Main"];
    let compile = || {
        for module in modules {
            let mut coqc = Command::new("coqc");
            coqc.args(["-q", "-Q", "theories", "Shop", &format!("theories/{module}.v")]);
            let done = coqc.current_dir(folder.path("")).output().unwrap();
            assert!(done.status.success(), "{module}: {done:?}");
        }
    };
    compile();
    let sources = modules.map(|module| folder.path(&format!("theories/{module}.v")));
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let limits = ["--write", "--time", "none", "--max-candidates", "60", "--verify", "compiled"];
    let (code, out, err) = prove(&[&sources[..], &limits].concat());
    // One lemma is false.
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("theories/Base.vo is older than its source now"), "{err}");
    assert_after(&folder, "rocq_project", &err);
    compile();
}

#[test]
fn a_lean_project() {
    let folder = before("lean_project");
    // A stand-in for `lake`, which says where compiled modules are.
    let lake = folder.write("lake", "#!/bin/sh\n[ \"$1\" = env ] && echo \"$PWD/.lake/build/lib/lean\"\n");
    fs_err::set_permissions(&lake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let built = folder.0.path().join(".lake/build/lib/lean");
    let compile = |modules: &[&str]| {
        for module in modules {
            let path = folder.path(&format!("{}.lean", module.replace('.', "/")));
            let text = fs_err::read_to_string(path).unwrap();
            lean::compile(&built, module, text.trim_start_matches('\u{feff}'));
        }
    };
    // The others have errors before they have proofs.
    compile(&["Trees.Basic", "Trees.Points"]);
    let mut command = andor(&["prove", ".", "--write", "--time", "none", "--max-candidates", "60"]);
    let path = format!("{}:{}", folder.path(""), std::env::var("PATH").unwrap());
    command.env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH").env("PATH", path);
    let (code, out, err) = left(command.current_dir(folder.path("")).output().unwrap());
    // One theorem cannot be proved.
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert_after(&folder, "lean_project", &err);
    compile(&["Trees.Basic", "Trees.Points", "Trees.Logic", "Trees.Use", "Trees"]);
}

#[test]
fn rows_of_minif2f() {
    let folder = Folder::new();
    let rows = data("minif2f/rows.jsonl");
    let out = folder.path("RUN");
    let run = ["run", rows.to_str().unwrap(), "--out", &out, "--time", "none", "--max-candidates", "60"];
    let (code, table, err) = left(andor(&run).output().unwrap());
    assert!(code == 0 && table.contains("6 of 6 proved"), "{table}{err}");
    for (proof, expected) in files(&data("minif2f/proofs")) {
        let found = Path::new(&out).join("theorems").join(proof.with_extension("")).join("attempt-1/proof.v");
        assert_eq!(fs_err::read_to_string(found).unwrap(), expected, "{}", proof.display());
    }
}
