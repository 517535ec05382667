//! Writes a model for the tests of the Python package: `bigram FILE`. It proves a conjunction of hypotheses.

use andor_testkit::bigram;

/// After the `:` that a prompt ends in, these tactics have these probabilities.
const TACTICS: &[(&str, f64)] =
    &[("constructor", 0.4), ("exact hp", 0.3), ("exact hq", 0.2), ("nonsense", 0.1)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("bigram FILE")?;
    Ok(bigram::write(file.as_ref(), &[(b':', TACTICS)])?)
}
