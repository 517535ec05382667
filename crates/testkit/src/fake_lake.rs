//! A fake of Lean's build tool: `lake env PROGRAM …` runs a program with the paths of a project that needs none, `lake build` has
//! nothing to do.

use std::io::{self, Write};
use std::process::exit;

#[expect(clippy::disallowed_methods, reason = "this process is replaced, none is spawned")]
fn main() {
    use std::os::unix::process::CommandExt;
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match &words[..] {
        ["env", program, rest @ ..] => {
            let here = std::env::current_dir().expect("there is a working directory");
            let modules = here.join(".lake/build/lib/lean");
            let error = std::process::Command::new(program)
                .args(rest)
                .env("LEAN_PATH", modules)
                .env("LEAN_SYSROOT", &here)
                .exec();
            writeln!(io::stderr(), "error: cannot run `{program}`: {error}").expect("stderr is open");
            exit(1);
        }
        ["--version"] => {
            writeln!(io::stdout(), "Lake version 5.0.0 (Lean version 4.33.0)").expect("stdout is open")
        }
        ["build" | "exe" | "update", ..] => {}
        _ => {
            writeln!(io::stderr(), "error: unknown command `{}`", words.join(" ")).expect("stderr is open");
            exit(1);
        }
    }
}
