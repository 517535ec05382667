use super::*;

fn of(source: &Path) -> Result<Option<Project>, ProjectError> {
    super::of(source, &|path| fs_err::read_to_string(path))
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    folder
}

/// What the project of a source binds: the option, the folder below the root, the name.
fn bound(root: &Path, project: &Project) -> Vec<(&'static str, String, String)> {
    let root = root.canonicalize().unwrap();
    let bound = project.load_path.iter().map(|b| {
        let folder = b.folder.strip_prefix(&root).unwrap().display().to_string();
        (b.binding.option(), folder, b.name.clone())
    });
    bound.collect()
}

fn project_of(root: &Path, source: &str) -> Project {
    of(&root.join(source)).unwrap().unwrap()
}

#[test]
fn the_nearest_project_file_above_a_source_counts() {
    let root = folder(&[
        ("_CoqProject", "-R . Outer\n"),
        ("inner/_CoqProject", "-R . Old\n"),
        (
            "inner/_RocqProject",
            "-R theories In -Q ../lib Lib -Q nowhere No\n-arg -w -arg all -arg \"-set 'Printing Width=60'\"\n-I src\n",
        ),
        ("inner/theories/deep/A.v", ""),
        ("inner/theories/B.v", ""),
        ("inner/theories/B.vo", ""),
        ("lib/C.v", ""),
        ("lib/C.vo", ""),
    ]);
    let project = project_of(root.path(), "inner/theories/deep/A.v");
    assert!(project.notes[0].contains("inner/_RocqProject: -R "), "{:?}", project.notes);
    let expected = [("-R", "inner/theories", "In"), ("-Q", "lib", "Lib")];
    assert_eq!(bound(root.path(), &project), expected.map(|(o, f, n)| (o, f.to_owned(), n.to_owned())));
    let notes = project.notes.join("\n");
    assert!(notes.contains("are not applied: -I src;"), "{notes}");
    assert_eq!(project.prelude, "Set Printing Width 60. ");
    assert!(notes.contains("inner/nowhere does not exist, so nothing is bound to `No`"), "{notes}");
    assert!(notes.contains("1 of the 3 sources of the project are not compiled ("), "{notes}");
    assert!(
        notes.contains("deep/A.v); to open files that require them, build the project first: `make`"),
        "{notes}"
    );
    assert_eq!(project_of(root.path(), "lib").load_path[0].name, "Outer");
}

#[test]
fn modules_older_than_their_sources_are_named() {
    let root = folder(&[("_RocqProject", "-Q . P\n"), ("A.v", ""), ("A.vo", ""), ("B.v", ""), ("B.vo", "")]);
    // Behind the one that says which project it is.
    let notes = || project_of(root.path(), "B.v").notes[1..].join("\n");
    let age = |name: &str, seconds: u64| {
        let file = std::fs::File::options().write(true).open(root.path().join(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    };
    // What is asked about may be in work.
    [("A.v", 10), ("A.vo", 20), ("B.v", 30), ("B.vo", 20)]
        .iter()
        .for_each(|(name, seconds)| age(name, *seconds));
    assert_eq!(notes(), "");
    age("A.v", 21);
    assert!(
        notes().contains("1 of the 2 sources of the project are newer than their compiled modules ("),
        "{}",
        notes()
    );
    assert!(notes().contains("A.v); ") && notes().contains("build the project first: `make`"), "{}", notes());
}

#[test]
fn theories_of_dune_are_bound_where_they_are_built() {
    let root = folder(&[
        ("dune-project", "(lang dune 3.0)"),
        ("part/dune-project", "(lang dune 3.0)"),
        (
            "part/theories/dune",
            "(include_subdirs qualified)\n(coq.theory (name Part.Main) (theories Base) (flags (:standard -w -all)))",
        ),
        ("part/theories/sub/A.v", ""),
        ("base/dune", "; of others\n(rocq.theory\n (name Base))\n(rule (targets x))"),
        ("base/B.v", ""),
        ("_build/default/base/B.vo", ""),
        ("_build/default/base/dune", "(coq.theory (name Copied))"),
        ("_build/default/part/theories/sub/A.vo", ""),
        ("odd/dune", "(* -*- tuareg -*- *) let () = ("),
    ]);
    let project = project_of(root.path(), "part/theories/sub/A.v");
    let expected =
        [("-Q", "_build/default/base", "Base"), ("-R", "_build/default/part/theories", "Part.Main")];
    assert_eq!(bound(root.path(), &project), expected.map(|(o, f, n)| (o, f.to_owned(), n.to_owned())));
    let told = format!("using the project file {}: -Q ", root.path().canonicalize().unwrap().display());
    assert!(project.notes.len() == 1 && project.notes[0].starts_with(&told), "{:?}", project.notes);
    // One that dune generates stands there alone.
    fs_err::write(root.path().join("_build/default/part/theories/Made.v"), "").unwrap();
    assert_eq!(project_of(root.path(), "_build/default/part/theories/Made.v").load_path, project.load_path);
    fs_err::remove_dir_all(root.path().join("_build")).unwrap();
    let project = project_of(root.path(), "part");
    assert_eq!(project.load_path, []);
    assert!(project.notes.last().unwrap().contains("`dune build`"), "{:?}", project.notes);
}

#[test]
fn a_project_of_both_kinds_is_taken_as_it_is_built() {
    let root = folder(&[
        ("_CoqProject", "-Q lib Lib\n"),
        ("dune-project", "(lang dune 3.0)"),
        ("lib/dune", "(coq.theory (name Lib))"),
        ("lib/A.v", ""),
    ]);
    let bound_in = || bound(root.path(), &project_of(root.path(), "lib/A.v"));
    let in_place = [("-Q", "lib".to_owned(), "Lib".to_owned())];
    assert_eq!(bound_in(), in_place);
    fs_err::create_dir_all(root.path().join("_build/default/lib")).unwrap();
    assert_eq!(bound_in(), [("-R", "_build/default/lib".to_owned(), "Lib".to_owned())]);
    fs_err::write(root.path().join("lib/A.vo"), "").unwrap();
    assert_eq!(bound_in(), in_place);
}

#[test]
fn a_project_under_another_theory_is_refused_by_the_option() {
    for option in options::OTHER_THEORY {
        let root = folder(&[("_CoqProject", &format!("-R . P\n-arg {option}\n")), ("A.v", "")]);
        let error = of(&root.path().join("A.v")).unwrap_err().to_string();
        assert!(error.contains(&format!("/_CoqProject: the project is compiled with `{option}`")), "{error}");
    }
    let root = folder(&[("_CoqProject", "-R . \"P\n"), ("A.v", "")]);
    let error = of(&root.path().join("A.v")).unwrap_err().to_string();
    assert!(error.contains("/_CoqProject, line 1: a quoted word is not closed"), "{error}");
}
