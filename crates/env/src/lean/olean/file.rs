//! A compiled module: its header, its imports and its table of declarations.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::OleanError;
use super::constant::Constant;
use super::name::{Name, Names};
use super::region::{Node, Part, Region, word};

/// The releases whose format is known.
pub(super) const KNOWN: &[&str] = &["4.35"];

/// The most bytes that a file may have.
const MAXIMUM: u64 = 1 << 30;

/// How every file begins.
const MAGIC: &[u8] = b"olean";
/// The version of the header.
const HEADER_VERSION: u8 = 2;
/// Set if large numbers are in GMP's form.
const GMP: u8 = 1;
/// Where the header has Lean's version, padded with zeros.
const LEAN: std::ops::Range<usize> = 7..40;
/// Where it has the address of the file's first byte.
const BASE: usize = 80;
/// Where the address of the root is.
const ROOT: usize = 88;
/// Where the objects begin.
const OBJECTS: usize = 96;

/// Whether this reader knows the format of a release, such as `4.35.0`.
pub(in crate::lean) fn reads(version: &str) -> bool {
    KNOWN
        .iter()
        .any(|known| version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// A compiled module.
pub(in crate::lean) struct Module {
    region: Region,
    root: u64,
}

impl Module {
    /// Reads a compiled file that is no part of Lean's module system. Whatever lies beside it is ignored.
    pub(in crate::lean) fn read(path: &Path) -> Result<Self, OleanError> {
        let part = part(path)?;
        let root = root(&part)?;
        Ok(Self { region: Region::new(vec![part]), root })
    }

    /// Reads an installed file and, if it belongs to the module system, the files beside it that have what the first
    /// one leaves out (proofs).
    pub(in crate::lean) fn read_installed(path: &Path) -> Result<Self, OleanError> {
        let mut parts = vec![part(path)?];
        let mut root = root(&parts[0])?;
        for ending in ["server", "private"] {
            let mut beside = path.as_os_str().to_owned();
            beside.push(".");
            beside.push(ending);
            let beside = PathBuf::from(beside);
            if beside.exists() {
                let part = part(&beside)?;
                root = self::root(&part)?;
                parts.push(part);
            }
        }
        Ok(Self { region: Region::new(parts), root })
    }

    /// A module from the bytes of its file.
    #[cfg(test)]
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, OleanError> {
        let part = checked(bytes)?;
        let root = root(&part)?;
        Ok(Self { region: Region::new(vec![part]), root })
    }

    /// The modules that it imports directly. One that is imported for several purposes is listed once.
    pub(in crate::lean) fn imports(&self, names: &mut Names) -> Result<Vec<Name>, OleanError> {
        let mut imports = Vec::new();
        for node in self.data(0)?.array("a list of imports")? {
            let module = names.read(node?.constructor("an import", 1, 1)?.field(0)?)?;
            if !imports.contains(&module) {
                imports.push(module);
            }
        }
        Ok(imports)
    }

    /// Its declarations, by name.
    pub(in crate::lean) fn constants(
        &self,
        names: &mut Names,
    ) -> Result<HashMap<Name, Node<'_>>, OleanError> {
        let nodes = self.data(2)?.array("a list of declarations")?;
        let mut constants = HashMap::with_capacity(nodes.len().min(1 << 20));
        for node in nodes {
            let node = node?;
            // Lean finds a declaration by the name in it.
            let name = names.read(Constant::name(node)?)?;
            if constants.insert(name, node).is_some() {
                return Err(node.unlike("the only declaration of its name"));
            }
        }
        Ok(constants)
    }

    /// A field of the root: imports, names, declarations, further names, entries of extensions.
    fn data(&self, index: usize) -> Result<Node<'_>, OleanError> {
        self.region.node(self.root).constructor("the data of a module", 5, 1)?.field(index)
    }
}

fn part(path: &Path) -> Result<Part, OleanError> {
    let failed = |source| OleanError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let too_large = |size| OleanError::Large { path: path.to_owned(), size, maximum: MAXIMUM };
    if size > MAXIMUM {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).map_err(|_| too_large(size))?);
    file.take(MAXIMUM).read_to_end(&mut bytes).map_err(failed)?;
    checked(bytes)
}

/// Checks the header.
fn checked(bytes: Vec<u8>) -> Result<Part, OleanError> {
    let header = bytes.get(..OBJECTS).ok_or(OleanError::Header)?;
    if !header.starts_with(MAGIC) {
        return Err(OleanError::Header);
    }
    let written = &header[LEAN];
    let end = written.iter().position(|&byte| byte == 0).unwrap_or(written.len());
    let version = String::from_utf8_lossy(&written[..end]).into_owned();
    let known =
        header[MAGIC.len()] == HEADER_VERSION && header[MAGIC.len() + 1] & GMP == GMP && reads(&version);
    if !known {
        return Err(OleanError::Version(version.escape_debug().to_string()));
    }
    let base = word(header, BASE).ok_or(OleanError::Header)?;
    // Lean places a file at the beginning of a page.
    let end = base.checked_add(bytes.len() as u64).ok_or(OleanError::Header)?;
    if base % 4096 != 0 || end > 1 << 48 {
        return Err(OleanError::Header);
    }
    Ok(Part { base, first: OBJECTS, bytes })
}

fn root(part: &Part) -> Result<u64, OleanError> {
    word(&part.bytes, ROOT).ok_or(OleanError::Header)
}
