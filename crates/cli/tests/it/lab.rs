//! Commands that are calls of the program `andor-lab`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use andor_testkit::program::program;

use crate::support::{Folder, andor, left};

/// The program in a folder of its own.
fn alone(folder: &Folder) -> String {
    fs_err::create_dir(folder.path("bin")).unwrap();
    let path = folder.path("bin/andor");
    fs_err::copy(env!("CARGO_BIN_EXE_andor"), &path).unwrap();
    path
}

/// An `andor-lab` in a folder, which says how it was called.
fn pretended(folder: &Folder, ends: &str) -> String {
    let path = folder.path("andor-lab");
    fs_err::write(&path, format!("#!/bin/sh\nfor arg; do echo \"<$arg>\"; done\ncat\n{ends}\n")).unwrap();
    fs_err::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    folder.path("")
}

#[test]
fn the_program_beside_this_one_is_called() {
    let folder = Folder::new();
    let out = folder.path("out");
    let args = ["-q", "simulate", "--preset", "easy", "--seeds", "1..2", "--agents", "1", "--out", &out];
    let (code, stdout, stderr) = left(andor(&args).output().unwrap());
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(Path::new(&out).join("cells.csv").exists() && stdout.contains("solved"), "{stdout}");
    let (code, help, _) = left(andor(&["study", "--help"]).output().unwrap());
    assert!(code == 0 && help.contains("STUDY.toml") && help.contains("Usage: andor-lab study"), "{help}");
    let (code, _, stderr) = left(andor(&["simulate", "--agents", "many"]).output().unwrap());
    assert!(code == 2 && stderr.contains("many"), "{stderr}");
}

#[test]
fn the_program_on_the_path_gets_everything_and_its_end_is_ours() {
    let (folder, place) = (Folder::new(), Folder::new());
    let andor = alone(&folder);
    let given = ["-q", "study", "a b.toml", "--help", "-v", "--", "--x"];
    let run = |ends: &str| {
        let path = format!("{}:/usr/bin:/bin", pretended(&place, ends));
        let input = std::fs::File::open(place.path("andor-lab")).unwrap();
        program(&andor, &given).env("PATH", path).stdin(input).output().unwrap()
    };
    let (code, stdout, _) = left(run("exit 7"));
    let called: String = given.iter().map(|arg| format!("<{arg}>\n")).collect();
    assert_eq!(code, 7, "{stdout}");
    assert!(stdout.starts_with(&(called + "#!/bin/sh\n")), "{stdout}");
    let killed = std::os::unix::process::ExitStatusExt::signal(&run("kill -TERM $$").status);
    assert_eq!(killed, Some(15));
}

#[test]
fn without_it_a_line_says_how_to_install_it() {
    let folder = Folder::new();
    let andor = alone(&folder);
    for command in ["simulate", "study", "bench", "corpus"] {
        let asked = program(&andor, &["-v", command, "--out", "x"]).env("PATH", folder.path("")).output();
        let (code, stdout, stderr) = left(asked.unwrap());
        assert_eq!((code, stdout.as_str(), stderr.lines().count()), (2, "", 1), "{stderr}");
        assert!(
            stderr.contains(&format!("`andor {command}` needs the program `andor-lab`"))
                && stderr.contains("cargo install --path crates/lab"),
            "{stderr}"
        );
    }
}
