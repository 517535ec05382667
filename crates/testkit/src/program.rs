//! The programs as their users run them: started, what they leave, and a folder for their files.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

/// A program that cargo built, with nothing on standard input.
#[expect(clippy::disallowed_methods, reason = "the program under test is run as its users run it")]
pub fn program(path: impl AsRef<Path>, args: &[&str]) -> Command {
    let path = path.as_ref();
    let mut command = Command::new(path);
    command.args(args).stdin(Stdio::null());
    for variable in ["RUST_LOG", "LOG_RATE", "LOG_RATE_FREQUENT_EVENT"] {
        command.env_remove(variable);
    }
    // A proof that another test found must not be remembered.
    command.env("XDG_CACHE_HOME", path.with_file_name("../tmp").join(&*CACHE));
    command
}

/// The folder of caches of this test, which need not exist.
static CACHE: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
    format!("cache-{}-{}", std::process::id(), now.as_nanos())
});

/// Exit code, standard output, standard error.
pub fn left(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Starts a program without a terminal, and kills it once something holds. Returns whether it had not ended by itself.
pub fn kill_when(mut program: Command, holds: impl Fn() -> bool) -> bool {
    let program = program.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = program.spawn().expect("the program starts");
    let mut has_ended = || child.try_wait().expect("the program can be waited for").is_some();
    let mut ended = has_ended();
    while !ended && !holds() {
        std::thread::yield_now();
        ended = has_ended();
    }
    child.kill().expect("the program can be killed");
    child.wait().expect("the program can be waited for");
    !ended
}

/// A folder that goes with the test.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    /// An empty folder.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("paths of folders of tests are text").to_owned()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs_err::write(self.path(name), text).expect("a file can be written");
        self.path(name)
    }
}
