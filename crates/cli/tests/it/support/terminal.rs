//! A terminal with a screen that can be read.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// A terminal.
pub(crate) struct Terminal {
    master: File,
    /// Kept open until the program has its own.
    slave: Option<File>,
    screen: vt100::Parser,
}

impl Terminal {
    pub(crate) fn new(rows: u16, columns: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).unwrap();
        Self { master: master.into(), slave: Some(slave), screen: vt100::Parser::new(rows, columns, 0) }
    }

    /// Starts the program. The command goes, since it holds the terminal too.
    pub(crate) fn start(&self, mut command: Command) -> Child {
        let stderr = Stdio::from(self.slave.as_ref().unwrap().try_clone().unwrap());
        command.stdout(Stdio::null()).stderr(stderr).env("TERM", "xterm");
        if command.get_envs().all(|(name, _)| name != "CI") {
            command.env_remove("CI");
        }
        command.spawn().unwrap()
    }

    /// Starts the program with all its input and output at the terminal.
    pub(crate) fn start_inside(&self, mut command: Command) -> Child {
        let end = || Stdio::from(self.slave.as_ref().unwrap().try_clone().unwrap());
        command.stdin(end()).stdout(end()).stderr(end()).env("TERM", "xterm").spawn().unwrap()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Whether lines are edited and echoed, as for a shell.
    pub(crate) fn is_cooked(&self) -> bool {
        let modes = tcgetattr(self.slave.as_ref().unwrap()).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Whether a program has taken the whole screen, or hidden the cursor.
    pub(crate) fn is_taken(&self) -> bool {
        self.screen.screen().alternate_screen() || self.screen.screen().hide_cursor()
    }

    /// Shows what comes next.
    pub(crate) fn read(&mut self) {
        let mut bytes = [0; 4096];
        let n = self.master.read(&mut bytes).unwrap();
        self.screen.process(&bytes[..n]);
    }

    /// The rows of the screen on which something stands.
    pub(crate) fn lines(&self) -> Vec<String> {
        let screen = self.screen.screen();
        let rows = screen.rows(0, screen.size().1).map(|row| row.trim_end().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    /// Waits until a line on the screen is so.
    pub(crate) fn until(&mut self, is_so: impl Fn(&str) -> bool) {
        while !self.lines().iter().any(|line| is_so(line)) {
            self.read();
        }
    }

    /// Shows all that is written until every program has ended.
    pub(crate) fn drain(&mut self) {
        // When nobody has the terminal any more, reading ends with an error.
        drop(self.slave.take());
        let mut bytes = Vec::new();
        let _ = self.master.read_to_end(&mut bytes);
        self.screen.process(&bytes);
    }

    /// Shows all that the program writes until it ends.
    pub(crate) fn finish(mut self, mut program: Child) -> (Option<i32>, Vec<String>) {
        self.drain();
        (program.wait().unwrap().code(), self.lines())
    }
}
