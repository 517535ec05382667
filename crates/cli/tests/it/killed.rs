//! Searches that are killed by force: no process goes on without them, and the next start clears their folders away.

use std::process::{Child, Stdio};

use crate::support::{Folder, andor, left};
use rustix::process::{Pid, Signal, kill_process};

/// A search over a tactic that takes years, whose processes can be told by the folder that they have for temporary files.
struct Search {
    program: Child,
    temporary: String,
}

impl Search {
    /// Starts a search, and waits until its prover is at work.
    fn start(folder: &Folder, command: &str, options: &[&str]) -> Self {
        let temporary = folder.path("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let theorem = "Fixpoint slow (n : nat) : nat := match n with 0 => 0 | S m => slow m + slow m end.\n\
                       Theorem t : slow 60 = 0.\nProof. Admitted.\n";
        let file = folder.write("slow.v", theorem);
        let rules = r#"{"rules": [{"tactics": [{"tactic": "vm_compute; reflexivity", "log_prior": 0.0}]}]}"#;
        let provider = format!("scripted={}", folder.write("rules.json", rules));
        let fixed = [command, &file, "--provider", &provider, "--tactic-timeout", "600s", "--time", "none"];
        let mut command = andor(&[&fixed[..], options].concat());
        command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
        let mut search = Self { program: command.spawn().unwrap(), temporary };
        // Half a second of processor time is more than reading the file takes.
        while !search.processes().into_iter().any(|pid| is_prover(pid) && ticks(pid) > 50) {
            assert!(search.program.try_wait().unwrap().is_none(), "the program ended too early");
            std::thread::yield_now();
        }
        search
    }

    /// The processes, ourselves not counted, that have its folder in their environment. Those that ended have none.
    fn processes(&self) -> Vec<u32> {
        let pids = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let marked = |pid: &u32| {
            std::fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|text| String::from_utf8_lossy(&text).contains(&self.temporary))
        };
        pids.filter(marked).collect()
    }
}

fn is_prover(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with("coqidetop"))
}

/// The processor time that a process used, in ticks.
fn ticks(pid: u32) -> u64 {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return 0 };
    let fields = text.rsplit_once(')').unwrap().1.split_whitespace();
    fields.skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum()
}

fn entries(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_search_that_is_killed_leaves_no_process_and_its_folder_only_until_the_next_start() {
    let ways = [
        ("prove", &[][..]),
        ("prove", &["--no-sandbox"]),
        ("prove", &["--workers", "2"]),
        ("run", &["--pass-k", "2", "--jobs", "2"]),
    ];
    for (command, options) in ways {
        let folder = Folder::new();
        let out = folder.path("RUN");
        let options = if command == "run" { &[options, &["--out", &out]].concat()[..] } else { options };
        let mut search = Search::start(&folder, command, options);
        let processes = search.processes();
        assert!(processes.len() > 1, "{options:?}: {processes:?}");
        search.program.kill().unwrap();
        search.program.wait().unwrap();
        // Nobody waits for these but the kernel: their end is near, though not yet here.
        while !search.processes().is_empty() {
            std::thread::yield_now();
        }
        assert_ne!(entries(&search.temporary), Vec::<String>::new(), "{options:?}");
        let mut next = andor(&["runs", &folder.path(".")]);
        let (_, _, err) = left(next.env("TMPDIR", &search.temporary).output().unwrap());
        assert_eq!(entries(&search.temporary), Vec::<String>::new(), "{options:?}: {err}");
    }
}

#[test]
fn a_search_that_goes_on_keeps_its_folder_when_another_starts_and_clears_it_away_itself() {
    let folder = Folder::new();
    let search = Search::start(&folder, "prove", &[]);
    let before = entries(&search.temporary);
    let (code, _, err) = left(andor(&["doctor"]).env("TMPDIR", &search.temporary).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert_eq!(entries(&search.temporary), before);
    let Search { mut program, temporary } = search;
    kill_process(Pid::from_raw(program.id().try_into().unwrap()).unwrap(), Signal::INT).unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(130));
    assert_eq!(entries(&temporary), Vec::<String>::new());
}
