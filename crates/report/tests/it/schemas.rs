//! The schemas that are checked in are those of the code.

use std::path::Path;

use andor_artifact::schema::text;
use andor_report::schema;

#[test]
fn schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    for (name, schema) in schema::all() {
        let path = folder.join(name);
        let checked_in = fs_err::read_to_string(&path).unwrap_or_default();
        assert!(
            checked_in == text(&schema),
            "{name} is not what the code writes; run `cargo xtask schemas`, and note the change in docs/formats"
        );
    }
}
