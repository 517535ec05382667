//! A run as one file that needs no server and no network.

use std::io::Write;
use std::path::Path;

use andor_artifact::files::{FileError, ensure_replaceable, write_bytes};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::page;
use crate::tree::Sizes;
use crate::window::Window;

/// What was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exported {
    /// Rows of the table.
    pub rows: usize,
    /// Searches.
    pub searches: usize,
    /// The size of the file.
    pub bytes: usize,
}

impl Window {
    /// Writes the page with all its data into a file. With `theorems`, only the searches of those are in it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn export(&self, path: &Path, theorems: &[String]) -> Result<Exported, FileError> {
        ensure_replaceable(path)?;
        let (before, after) = page::in_one_file();
        let mut page = before.into_bytes();
        block(&mut page, "runs", &self.table(0));
        block(&mut page, "plots", self.plots().to_string().as_bytes());
        let mut searches = 0;
        for (row, theorem) in self.searches() {
            if !theorems.is_empty() && !theorems.contains(&theorem) {
                continue;
            }
            searches += 1;
            if let Some(search) = self.search(row, None, Sizes::default()) {
                block(&mut page, &format!("search-{row}"), &search);
            }
            for chunk in 0..self.n_chunks(row) {
                if let Some(details) = self.details(row, chunk) {
                    block(&mut page, &format!("details-{row}-{chunk}"), details.to_string().as_bytes());
                }
            }
        }
        let rows = self.n_rows();
        for row in 0..rows {
            if let Some(result) = self.result(row) {
                block(&mut page, &format!("result-{row}"), result.to_string().as_bytes());
            }
        }
        page.extend_from_slice(b"<script>");
        page.extend_from_slice(page::SCRIPT.as_bytes());
        page.extend_from_slice(b"</script>");
        page.extend_from_slice(after.as_bytes());
        write_bytes(path, &page)?;
        Ok(Exported { rows, searches, bytes: page.len() })
    }
}

/// Adds a block of data: compressed, and in letters and digits, so that nothing in it can be taken for markup.
fn block(page: &mut Vec<u8>, name: &str, data: &[u8]) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).and_then(|()| encoder.try_finish()).expect("memory can be written to");
    let packed = encoder.finish().expect("memory can be written to");
    page.extend_from_slice(format!("<script type=\"text/plain\" id=\"data-{name}\">").as_bytes());
    page.extend_from_slice(STANDARD.encode(packed).as_bytes());
    page.extend_from_slice(b"</script>\n");
}
