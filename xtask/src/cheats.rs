//! The table of docs/reference/cheats.md: what becomes of every cheat of the corpus.

use crate::page::write_table;
use crate::step::{output, say};
use crate::{program, root, setup};

pub(crate) fn run() -> anyhow::Result<u8> {
    setup::rocq()?;
    setup::bubblewrap()?;
    let lean = setup::lean()?;
    let corpus = root().join("corpus/cheats").display().to_string();
    let args = ["cheats", "--corpus", &corpus, "--markdown"].map(str::to_owned);
    let (code, table) = output(program("release", "andor-lab", "bench", &args)?.env("LEAN_SYSROOT", lean))?;
    if code != 0 {
        say("the table stays as it was, because something is not as it should be");
        return Ok(code);
    }
    write_table(&root().join("docs/reference/cheats.md"), "cheats", &table)?;
    Ok(0)
}
