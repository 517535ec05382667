//! Running other programs.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

/// A program that is about to be run.
#[expect(clippy::disallowed_methods, reason = "tools of development run in the foreground, unsupervised")]
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    Command::new(name)
}

/// The cargo that runs us. It compiles what is missing once, so the files of incremental compilation would only take disk.
pub(crate) fn cargo() -> Command {
    let mut command = program(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.env("CARGO_INCREMENTAL", "0");
    command
}

/// Runs a program with our terminal, and returns its exit code.
pub(crate) fn status(command: &mut Command) -> anyhow::Result<u8> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start `{name}`"))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Runs a program with our terminal but for its standard output, which is given back with its exit code.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<(u8, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{name}`"))?;
    let text = String::from_utf8(output.stdout).with_context(|| format!("the output of `{name}`"))?;
    Ok((output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1), text))
}

/// Runs a program, and returns what it prints. Where it fails, the error has what it said about that.
pub(crate) fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{name}`"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("`{name}` failed ({}): {}", output.status, why.trim_ascii());
    }
    String::from_utf8(output.stdout).with_context(|| format!("the output of `{name}`"))
}

/// Runs a step that says nothing when it succeeds, and everything when it fails.
pub(crate) fn quietly(what: &str, command: &mut Command) -> anyhow::Result<()> {
    let began = Instant::now();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{what}: cannot start"))?;
    if !output.status.success() {
        say(&String::from_utf8_lossy(&output.stdout));
        say(&String::from_utf8_lossy(&output.stderr));
        bail!("{what} failed ({})", output.status);
    }
    say(&format!("{what}: ok ({:.0} s)", began.elapsed().as_secs_f64()));
    Ok(())
}

/// Whether a program runs and succeeds.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[expect(clippy::print_stderr, reason = "progress goes to standard error")]
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}
