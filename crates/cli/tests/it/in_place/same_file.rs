//! One file under several names.

use std::os::unix::fs::symlink;

use super::{prove, read};
use crate::support::Folder;

const TEXT: &str = "theorem a : 1 = 1 := sorry\ntheorem b : 2 = 2 := by\n  sorry\n";

#[test]
fn a_file_that_is_named_twice_is_written_once() {
    let folder = Folder::new();
    let file = folder.write("t.lean", TEXT);
    let (link, hard, above) = (folder.path("link.lean"), folder.path("hard.lean"), folder.path("./t.lean"));
    symlink(&file, &link).unwrap();
    fs_err::hard_link(&file, &hard).unwrap();
    let (line, name, whole) = (format!("{link}:1"), format!("{hard}#b"), folder.path(""));
    for names in [
        [&file, &file],
        [&file, &above],
        [&link, &file],
        [&file, &hard],
        [&line, &file],
        [&file, &name],
        [&line, &name],
        [&whole, &hard],
    ] {
        fs_err::write(&file, TEXT).unwrap();
        let (code, diff, err) = prove(&[names[0], names[1], "--diff"]);
        assert_eq!((code, diff.matches("--- a/").count()), (0, 1), "{names:?}\n{diff}{err}");
        let (code, out, err) = prove(&[names[0], names[1], "--write"]);
        assert_eq!((code, out.as_str()), (0, ""), "{names:?}\n{err}");
        let expected = TEXT.replace(":= sorry", ":= by rfl").replace("  sorry", "  rfl");
        assert_eq!(read(&file), expected, "{names:?}\n{err}");
        assert_eq!(err.matches("the proof of a is written").count(), 1, "{names:?}\n{err}");
    }
    // Rows are taken once, too.
    let rows = folder
        .write("rows.jsonl", "{\"id\": \"a\", \"system\": \"mini\", \"statement\": \"theorem a : 1 = 1\"}\n");
    let (code, out, err) = prove(&[&rows, &rows]);
    assert!(code == 0 && out.matches("theorem a").count() == 1, "{out}{err}");
}
