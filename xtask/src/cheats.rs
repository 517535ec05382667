//! The table of docs/reference/cheats.md: what becomes of every cheat of the corpus.

use anyhow::{Context, bail};

use crate::step::{output, say};
use crate::{program, root, setup};

/// Between these lines of the page stands what the program prints.
const BEGIN: &str = "<!-- begin: cargo xtask cheats -->\n";
const END: &str = "<!-- end: cargo xtask cheats -->\n";

pub(crate) fn run() -> anyhow::Result<u8> {
    setup::rocq()?;
    setup::bubblewrap()?;
    let lean = setup::lean()?;
    let corpus = root().join("corpus/cheats").display().to_string();
    let args = ["cheats", "--corpus", &corpus, "--markdown"].map(str::to_owned);
    let (code, table) = output(program("release", "bench", &args)?.env("LEAN_SYSROOT", lean))?;
    if code != 0 {
        say("the table stays as it was, because something is not as it should be");
        return Ok(code);
    }
    let page = root().join("docs/reference/cheats.md");
    let text = fs_err::read_to_string(&page)?;
    fs_err::write(&page, between(&text, &table).with_context(|| page.display().to_string())?)?;
    Ok(0)
}

/// The page with another table.
fn between(page: &str, table: &str) -> anyhow::Result<String> {
    let (Some((before, rest)), 1, 1) =
        (page.split_once(BEGIN), page.matches(BEGIN).count(), page.matches(END).count())
    else {
        bail!("the lines between which the table stands are not there once each");
    };
    let Some((_, after)) = rest.split_once(END) else { bail!("the table ends before it begins") };
    Ok(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_put_between_its_lines() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(between(&page, "new\n").unwrap(), format!("a\n{BEGIN}\nnew\n{END}b\n"));
        for bad in ["", BEGIN, &format!("{END}{BEGIN}"), &format!("{page}{page}")] {
            assert!(between(bad, "new\n").is_err());
        }
    }
}
