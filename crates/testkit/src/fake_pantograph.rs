//! A fake of Pantograph: `fake-pantograph [--fake-version=0.3.4] [--play=FILE#SESSION] [--fault=KIND@REQUEST] [--once=FILE] [MODULE …]`, or
//! with `--version`.

use std::io::{self, BufRead, Write};
use std::process::exit;

use andor_testkit::lean_fakes::faults::{Fault, write_reply};
use andor_testkit::lean_fakes::pantograph::Pantograph;
use andor_testkit::lean_fakes::prover::{MODULES, unknown_module};
use andor_testkit::lean_fakes::recorded::Player;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |key: &str| args.iter().find_map(|arg| arg.strip_prefix(key));
    let version = value("--fake-version=").unwrap_or("0.3.15");
    let mut out = io::stdout();
    if args.iter().any(|arg| arg == "--version") {
        writeln!(out, "{version}").expect("stdout is open");
        return;
    }
    if let Some(unknown) = args.iter().find(|arg| !arg.starts_with("--") && !MODULES.contains(&&***arg)) {
        writeln!(io::stderr(), "uncaught exception: {}", unknown_module(unknown)).expect("stderr is open");
        exit(1);
    }
    let fault = Fault::from_args();
    let mut player = value("--play=").map(Player::new);
    let mut pantograph = player.is_none().then(|| Pantograph::new(version != "0.3.4"));
    writeln!(out, "ready.").and_then(|()| out.flush()).expect("stdout is open");
    for (line, request) in io::stdin().lock().lines().zip(1..) {
        let line = line.expect("requests are UTF-8");
        if line.trim().is_empty() {
            return;
        }
        let answer = match (&mut player, &mut pantograph) {
            (Some(player), _) => player.answer(&line),
            (None, Some(pantograph)) => Ok(pantograph.answer(&line)),
            (None, None) => unreachable!("one of them answers"),
        };
        let answer = answer.unwrap_or_else(|unexpected| {
            writeln!(io::stderr(), "{unexpected}").expect("stderr is open");
            exit(1);
        });
        write_reply(fault.as_ref(), request, &answer.to_string(), "\n").expect("stdout is open");
    }
}
