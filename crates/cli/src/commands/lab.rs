//! Commands of `andor-lab`.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;

const LAB: &str = "andor-lab";

/// Becomes `andor-lab` with the same arguments, which it reads by itself. Returns only if that cannot be.
pub(crate) fn run() -> anyhow::Error {
    let mut args = env::args_os().skip(1);
    let Some(program) = found() else {
        let is_command =
            |arg: &OsString| ["simulate", "study", "bench", "corpus"].iter().any(|name| arg == name);
        let command = args.find(is_command).unwrap_or_default();
        return anyhow!(
            "`andor {}` needs the program `{LAB}`, which is neither beside this one nor on PATH: install it with \
             `cargo install --path crates/lab`",
            command.display()
        );
    };
    let args: Vec<OsString> = args.collect();
    let error = andor_process::replace_with(&program, &args);
    anyhow!(error).context(format!("cannot start {}", program.display()))
}

/// The program beside this one, or the first on `PATH`.
fn found() -> Option<PathBuf> {
    let beside = env::current_exe().ok().map(|program| program.with_file_name(LAB));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join(LAB)).collect::<Vec<_>>();
    beside.into_iter().chain(on_path).find(|program| program.is_file())
}
