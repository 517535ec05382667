//! Where the files of a run's attempts lie.

use std::path::{Path, PathBuf};

/// The folder of a theorem inside that of the run.
pub fn theorem_folder(run: &Path, theorem: &str) -> PathBuf {
    run.join("theorems").join(folder_name(theorem))
}

/// The folder of an attempt inside that of the run.
pub fn attempt_folder(run: &Path, theorem: &str, attempt: u32) -> PathBuf {
    theorem_folder(run, theorem).join(format!("attempt-{attempt}"))
}

/// Maximum length of a folder's name before its digest, in bytes. File systems allow 255.
const LONGEST_NAME: usize = 200;

/// The folder name of a theorem: its id, with characters unsuitable for file names encoded as `%` and two hexadecimal
/// digits per byte, so that different ids have different folders. A name that would be too long is cut and completed
/// by a digest of the whole id.
pub fn folder_name(id: &str) -> String {
    let mut name = String::new();
    for (at, c) in id.char_indices() {
        let safe = c.is_alphanumeric() || matches!(c, '_' | '-' | '#' | '\'') || (c == '.' && at > 0);
        if safe {
            name.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    if name.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|&at| name.is_char_boundary(at));
        name.truncate(end.expect("the beginning is a boundary"));
        // Unambiguous: elsewhere `%` is followed by hexadecimal digits.
        name.push_str(&format!("%-{}", &blake3::hash(id.as_bytes()).to_hex()[..16]));
    }
    name
}
