//! All checks, the test runner's summary last.

use crate::step::{cargo, quietly, status};
use crate::{licences, setup};

pub(crate) fn run() -> anyhow::Result<u8> {
    setup::all()?;
    quietly("format", cargo().args(["fmt", "--all", "--check"]))?;
    licences::run()?;
    quietly(
        "lints",
        cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    )?;
    let doc = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    quietly("documentation", cargo().args(doc).env("RUSTDOCFLAGS", "-D warnings"))?;
    quietly("documentation tests", cargo().args(["test", "--quiet", "--workspace", "--doc"]))?;
    let nextest = ["nextest", "run", "--workspace", "--cargo-quiet", "--status-level", "fail"];
    status(cargo().args(nextest).args(["--final-status-level", "slow"]))
}
