//! Writes the schemas into `docs/formats`: `cargo xtask schemas`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    for (name, schema) in andor_report::schema::all() {
        fs_err::write(folder.join(name), andor_artifact::schema::text(&schema))?;
    }
    Ok(())
}
