//! What a server may do wrong, once, at a given request.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::exit;

/// A fault: `--fault=KIND@REQUEST`, requests being counted from 1, and `--once=FILE`, which is made when it happens, so that it does
/// not happen again after a restart.
#[derive(Clone, Debug)]
pub struct Fault {
    kind: Kind,
    at: u64,
    once: Option<PathBuf>,
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Ends without a reply.
    Die,
    /// Ends in the middle of the reply.
    DieInReply,
    /// Writes the reply without its end, and waits.
    NoEnd,
    /// Writes a line before the reply.
    Noise,
    /// Writes something after the reply.
    Echo,
    /// Writes a reply of more than a megabyte.
    Long,
    /// Floods its standard error.
    Stderr,
    /// Says the number of an earlier state.
    OldNumber,
    /// Writes a reply that is never long enough to end, up to any limit.
    Flood,
}

impl Fault {
    /// Reads the arguments about faults.
    pub fn from_args() -> Option<Self> {
        let value = |key: &str| std::env::args().find_map(|arg| arg.strip_prefix(key).map(str::to_owned));
        let fault = value("--fault=")?;
        let (kind, at) = fault.split_once('@').expect("a fault is KIND@REQUEST");
        let kind = match kind {
            "die" => Kind::Die,
            "die-in-reply" => Kind::DieInReply,
            "no-end" => Kind::NoEnd,
            "noise" => Kind::Noise,
            "echo" => Kind::Echo,
            "long" => Kind::Long,
            "stderr" => Kind::Stderr,
            "old-number" => Kind::OldNumber,
            "flood" => Kind::Flood,
            other => panic!("unknown fault `{other}`"),
        };
        let at = at.parse().expect("requests are counted");
        Some(Self { kind, at, once: value("--once=").map(PathBuf::from) })
    }

    /// Whether it happens at this request; then it has happened.
    fn strikes(&self, request: u64) -> bool {
        let done = self.once.as_ref().is_some_and(|file| file.exists());
        if request != self.at || done {
            return false;
        }
        if let Some(file) = &self.once {
            std::fs::write(file, "").expect("the file can be made");
        }
        true
    }
}

/// Writes a reply and its end, or what a fault makes of it.
pub fn write_reply(fault: Option<&Fault>, request: u64, reply: &str, end: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let kind = fault.filter(|fault| fault.strikes(request)).map(|fault| fault.kind);
    let half = || (0..=reply.len() / 2).rev().find(|at| reply.is_char_boundary(*at)).unwrap_or(0);
    match kind {
        None => write!(out, "{reply}{end}")?,
        Some(Kind::Die) => exit(1),
        Some(Kind::DieInReply) => {
            out.write_all(&reply.as_bytes()[..half()])?;
            out.flush()?;
            exit(1);
        }
        Some(Kind::NoEnd) => {
            write!(out, "{reply}")?;
            out.flush()?;
            loop {
                std::thread::park();
            }
        }
        Some(Kind::Noise) => write!(out, "a tactic printed this\n{reply}{end}")?,
        Some(Kind::Echo) => write!(out, "{reply}{end}{reply}{end}")?,
        Some(Kind::Long) => {
            let long = "x".repeat(1 << 20);
            let rest = reply.strip_prefix('{').expect("replies are objects");
            write!(out, "{{\"unknown\": \"{long}\", {}{end}", rest.trim_start())?;
        }
        Some(Kind::Stderr) => {
            let line = "x".repeat(1023);
            for _ in 0..1024 {
                writeln!(io::stderr(), "{line}")?;
            }
            write!(out, "{reply}{end}")?;
        }
        Some(Kind::OldNumber) => write!(out, "{}{end}", with_old_number(reply))?,
        Some(Kind::Flood) => loop {
            out.write_all(&[b'x'; 1 << 16])?;
        },
    }
    out.flush()
}

/// The reply with the number 0 for its proof state.
fn with_old_number(reply: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(reply).expect("replies are JSON");
    for key in ["proofState", "nextStateId"] {
        if let Some(number) = value.get_mut(key) {
            *number = 0.into();
        }
    }
    value.to_string()
}
