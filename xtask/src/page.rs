//! Pages of the documentation with a table that a task writes.

use std::path::Path;

use anyhow::{Context, bail};

/// Puts a table into a page, between the two lines that name the task.
pub(crate) fn write_table(page: &Path, task: &str, table: &str) -> anyhow::Result<()> {
    let text = fs_err::read_to_string(page)?;
    fs_err::write(page, with_table(&text, task, table).with_context(|| page.display().to_string())?)?;
    Ok(())
}

/// The page with another table.
fn with_table(page: &str, task: &str, table: &str) -> anyhow::Result<String> {
    let begin = format!("<!-- begin: cargo xtask {task} -->\n");
    let end = format!("<!-- end: cargo xtask {task} -->\n");
    let (Some((before, rest)), 1, 1) =
        (page.split_once(&begin), page.matches(&begin).count(), page.matches(&end).count())
    else {
        bail!("the lines between which the table stands are not there once each");
    };
    let Some((_, after)) = rest.split_once(&end) else { bail!("the table ends before it begins") };
    Ok(format!("{before}{begin}\n{table}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_put_between_its_lines() {
        let (begin, end) = ("<!-- begin: cargo xtask t -->\n", "<!-- end: cargo xtask t -->\n");
        let page = format!("a\n{begin}old\n{end}b\n");
        assert_eq!(with_table(&page, "t", "new\n").unwrap(), format!("a\n{begin}\nnew\n{end}b\n"));
        for bad in ["", begin, &format!("{end}{begin}"), &format!("{page}{page}")] {
            assert!(with_table(bad, "t", "new\n").is_err());
        }
    }
}
