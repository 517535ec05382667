//! A fake of the community's REPL: `fake-repl [--play=FILE#SESSION] [--fault=KIND@REQUEST] [--once=FILE]`.

use std::io::{self, Write};
use std::process::exit;

use andor_testkit::lean_fakes::faults::{Fault, write_reply};
use andor_testkit::lean_fakes::recorded::Player;
use andor_testkit::lean_fakes::repl::{Repl, read_request};

fn main() {
    let fault = Fault::from_args();
    let mut player = std::env::args().find_map(|arg| arg.strip_prefix("--play=").map(Player::new));
    let mut repl = Repl::default();
    let mut input = io::stdin().lock();
    let mut requests = 0;
    while let Some(request) = read_request(&mut input).expect("requests are UTF-8") {
        requests += 1;
        let answer = match &mut player {
            Some(player) => player.answer(&request).map(Some),
            None => repl.answer(&request).map_err(|fatal| fatal.to_string()),
        };
        match answer {
            Ok(None) => {}
            Ok(Some(answer)) => {
                let pretty = serde_json::to_string_pretty(&answer).expect("values can be written");
                write_reply(fault.as_ref(), requests, &pretty, "\n\n").expect("stdout is open");
            }
            Err(fatal) => {
                writeln!(io::stderr(), "{fatal}").expect("stderr is open");
                exit(1);
            }
        }
    }
}
