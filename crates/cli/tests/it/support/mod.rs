//! What the tests of the program share: the program, what it leaves, and a folder for its files.

pub(crate) mod killing;
pub(crate) mod terminal;

use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The program, with nothing on standard input.
#[expect(clippy::disallowed_methods, reason = "the program under test is run as its users run it")]
pub(crate) fn andor(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_andor"));
    command.args(args).stdin(Stdio::null());
    for variable in ["RUST_LOG", "LOG_RATE", "LOG_RATE_FREQUENT_EVENT"] {
        command.env_remove(variable);
    }
    // A proof that another test found must not be remembered.
    command.env("XDG_CACHE_HOME", &*CACHE);
    command
}

/// The folder of caches of this test, which need not exist.
static CACHE: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    format!("{}/cache-{}-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id(), now.as_nanos())
});

/// Exit code, standard output, standard error.
pub(crate) fn left(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A folder that goes with the test.
pub(crate) struct Folder(pub(crate) tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        fs_err::write(self.path(name), text).unwrap();
        self.path(name)
    }
}
