//! The folder of a release, from its packages.
//!
//! The programs need a glibc that the machine may not have, so that each is started by the loader of its own. andor's sandbox
//! shows only the folder of the programs, and the one that holds the library and the plugins. So `usr/bin` has small scripts,
//! and `usr/bin/real` the programs, the loader and the shared libraries.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::bail;

/// What is kept of the programs, as far as a release has them.
const PROGRAMS: &[&str] = &[
    "coqc",
    "coqchk",
    "coqtop",
    "coqidetop",
    "coqidetop.opt",
    "coqworker.opt",
    "rocq",
    "rocqchk",
    "coqdep",
    "coq_makefile",
    "csdpcert",
];

/// The program of Rocq 9 that the others start. It lies among the plugins.
const WORKER: &str = "rocq-runtime/rocqworker";

const LOADER: &str = "ld-linux-x86-64.so.2";

/// The shared libraries that programs and plugins are linked with.
const LIBRARIES: &[&str] = &[LOADER, "libc.so.6", "libm.so.6", "libgmp.so.10"];

/// Endings of the files that running Rocq needs, and of its library's sources.
const ENDINGS: &[&str] = &["v", "vo", "vos", "cmxs", "in", "py"];

/// Makes `usr` in the folder of a release from unpacked packages, which are used up.
pub(crate) fn arrange(unpacked: &Path, root: &Path) -> anyhow::Result<()> {
    let (from, to) = (unpacked.join("usr"), root.join("usr"));
    let shared = Path::new("lib/x86_64-linux-gnu");
    let real = to.join("bin/real");
    fs_err::create_dir_all(&real)?;
    for library in LIBRARIES {
        fs_err::copy(from.join(shared).join(library), real.join(library))?;
    }
    let ocaml = ocaml_folder(&from.join(shared).join("ocaml"))?;
    let plugins = to.join(ocaml.strip_prefix(&from).expect("it was found there"));
    // Each program as it was packaged, and where its script belongs.
    let mut programs = vec![(ocaml.join(WORKER), plugins.join(WORKER))];
    programs.extend(PROGRAMS.iter().map(|name| (from.join("bin").join(name), to.join("bin").join(name))));
    programs.retain(|(packaged, _)| packaged.is_file());
    for (packaged, script) in &programs {
        fs_err::rename(packaged, real.join(script.file_name().expect("a program has a name")))?;
    }
    prune(&ocaml)?;
    fs_err::create_dir_all(plugins.parent().expect("it lies in `usr`"))?;
    fs_err::rename(&ocaml, &plugins)?;
    fs_err::write(real.join("findlib.conf"), format!("path={plugins:?}\ndestdir={plugins:?}\n"))?;
    for (_, script) in &programs {
        fs_err::write(script, starter(script, &real, &plugins))?;
        fs_err::set_permissions(script, PermissionsExt::from_mode(0o755))?;
    }
    Ok(())
}

/// The script that starts the program of its name.
fn starter(script: &Path, real: &Path, plugins: &Path) -> String {
    let library = quoted(&plugins.join("coq"));
    // Rocq 8 looks for its plugins beside the program. Rocq 9 takes the variable for its own folder, which has another name.
    let core = plugins.join("coq-core");
    let core =
        if core.join("plugins").is_dir() { format!(" COQCORELIB={}", quoted(&core)) } else { String::new() };
    format!(
        "#!/bin/sh\n\
         export OCAMLFIND_CONF={conf} OCAMLPATH={path} COQLIB={library} ROCQLIB={library}{core}\n\
         exec {loader} --argv0 \"$0\" --library-path {libraries} {program} \"$@\"\n",
        conf = quoted(&real.join("findlib.conf")),
        path = quoted(plugins),
        loader = quoted(&real.join(LOADER)),
        libraries = quoted(real),
        program = quoted(&real.join(script.file_name().expect("a program has a name"))),
    )
}

/// The one folder that is named after OCaml's version and has a library of Rocq.
fn ocaml_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.join("coq/theories").is_dir() {
            return Ok(path);
        }
    }
    bail!("the packages have no library of Rocq where it is looked for, in {}", folder.display())
}

/// Removes the files that nothing needs to run, and folders without a file.
fn prune(folder: &Path) -> anyhow::Result<()> {
    for entry in fs_err::read_dir(folder)? {
        let (path, is_folder) = {
            let entry = entry?;
            (entry.path(), entry.file_type()?.is_dir())
        };
        if is_folder {
            prune(&path)?;
            if fs_err::read_dir(&path)?.next().is_none() {
                fs_err::remove_dir(&path)?;
            }
        } else {
            let is_needed = |ending: &OsStr| ENDINGS.iter().any(|needed| *needed == ending);
            if !path.ends_with("META") && !path.extension().is_some_and(is_needed) {
                fs_err::remove_file(&path)?;
            }
        }
    }
    Ok(())
}

/// A path as a word of the shell's.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_started_by_the_loader_of_its_own() {
        let text = starter(Path::new("/a b/bin/coqc"), Path::new("/a b/bin/real"), Path::new("/it's"));
        let expected = "#!/bin/sh\n\
            export OCAMLFIND_CONF='/a b/bin/real/findlib.conf' OCAMLPATH='/it'\\''s' COQLIB='/it'\\''s/coq' \
            ROCQLIB='/it'\\''s/coq'\n\
            exec '/a b/bin/real/ld-linux-x86-64.so.2' --argv0 \"$0\" --library-path '/a b/bin/real' \
            '/a b/bin/real/coqc' \"$@\"\n";
        assert_eq!(text, expected);
    }
}
