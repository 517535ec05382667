//! Pages: a list of blocks, written as Markdown or as one HTML file.

use andor_report::markup::escaped;

/// A part of a page.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Block {
    /// A heading of this level, from 1.
    Heading(usize, String),
    /// Paragraphs, separated by empty lines.
    Text(String),
    /// Lines of a program or of a file.
    Code(String),
    /// A table: the names of its columns, and rows.
    Table(Vec<String>, Vec<Vec<String>>),
    /// A plot: its file, relative to the page, what it shows, and its SVG.
    Plot {
        /// The file.
        file: String,
        /// What it shows.
        title: String,
        /// The drawing.
        svg: String,
    },
}

/// The page as Markdown. Plots are links to their files.
pub(super) fn markdown(blocks: &[Block]) -> String {
    let blocks = blocks.iter().map(|block| match block {
        Block::Heading(level, text) => format!("{} {text}", "#".repeat(*level)),
        Block::Text(text) => text.trim().to_owned(),
        Block::Code(text) => {
            let fence = "`".repeat(longest_run(text).max(2) + 1);
            format!("{fence}\n{}\n{fence}", text.trim_end())
        }
        Block::Table(columns, rows) => {
            let line = |cells: &[String]| {
                let cells = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
                format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
            };
            let under = format!("|{}", " --- |".repeat(columns.len()));
            std::iter::once(line(columns))
                .chain([under])
                .chain(rows.iter().map(|row| line(row)))
                .collect::<Vec<_>>()
                .join("\n")
        }
        Block::Plot { file, title, .. } => format!("![{title}]({file})"),
    });
    blocks.collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The longest run of backquotes in a text.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// The page as one HTML file that needs no other.
pub(super) fn html(title: &str, blocks: &[Block]) -> String {
    let body = blocks.iter().map(|block| match block {
        Block::Heading(level, text) => format!("<h{level}>{}</h{level}>", escaped(text)),
        Block::Text(text) => {
            let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            paragraphs.map(|text| format!("<p>{}</p>", with_code(text))).collect::<Vec<_>>().join("\n")
        }
        Block::Code(text) => format!("<pre>{}</pre>", escaped(text.trim_end())),
        Block::Table(columns, rows) => {
            let line = |cell: &str, cells: &[String]| {
                let cells = cells.iter().map(|text| format!("<{cell}>{}</{cell}>", escaped(text)));
                format!("<tr>{}</tr>", cells.collect::<String>())
            };
            let rows = rows.iter().map(|row| line("td", row)).collect::<Vec<_>>().join("\n");
            format!("<table>\n{}\n{rows}\n</table>", line("th", columns))
        }
        Block::Plot { title, svg, .. } => {
            format!("<figure role=\"img\" aria-label=\"{}\">{}</figure>", escaped(title), svg.trim())
        }
    });
    let body = body.collect::<Vec<_>>().join("\n");
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}

/// A paragraph, in which backquotes enclose code.
fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
    table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}\
    pre{background:#f4f4f4;padding:.8rem;overflow-x:auto}figure{margin:1rem 0}svg{max-width:100%}";

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> Vec<Block> {
        vec![
            Block::Heading(1, "A <b>".to_owned()),
            Block::Text("one `x<y`\n\ntwo `\n".to_owned()),
            Block::Code("x = ```\n".to_owned()),
            Block::Table(vec!["a|b".to_owned()], vec![vec!["1\n2".to_owned()]]),
            Block::Plot { file: "p.svg".to_owned(), title: "P".to_owned(), svg: "<svg></svg>\n".to_owned() },
        ]
    }

    #[test]
    fn a_page_in_markdown() {
        let expected = "# A <b>\n\none `x<y`\n\ntwo `\n\n````\nx = ```\n````\n\n| a\\|b |\n| --- |\n| 1 2 |\n\n![P](p.svg)\n";
        assert_eq!(markdown(&blocks()), expected);
    }

    #[test]
    fn a_page_in_html_is_one_file() {
        let page = html("t & u", &blocks());
        for part in [
            "<title>t &amp; u</title>",
            "<h1>A &lt;b&gt;</h1>",
            "<p>one <code>x&lt;y</code></p>",
            "<p>two `</p>",
            "<td>1\n2</td>",
            "<svg></svg>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("p.svg"));
    }
}
