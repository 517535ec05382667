//! A compiled module: its header, its imports and its table of declarations.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::OleanError;
use super::constant::Constant;
use super::image::{Identity, Image};
use super::name::{Name, Names};
use super::region::{Address, Node, Part, Region, word};
use crate::olean::Version;

/// The first release whose files can be read.
pub(super) const OLDEST: Version = Version { minor: 35, patch: 0 };
/// The last branch of which files were seen. Later ones are read like those of it: the reader refuses whatever differs.
const NEWEST: u32 = 35;

/// How every file begins.
const MAGIC: &[u8] = b"olean";
/// The version of the header.
const HEADER_VERSION: u8 = 2;
/// Set if large numbers are in GMP's form.
const GMP: u8 = 1;
/// Where the header has Lean's version, padded with zeros.
const LEAN: std::ops::Range<usize> = 7..40;
/// Where it has the revision of Lean's sources, likewise.
const REVISION: std::ops::Range<usize> = 40..80;
/// Where it has the address of the file's first byte.
const BASE: usize = 80;
/// Where the address of the root is.
const ROOT: usize = 88;
/// Where the objects begin.
const OBJECTS: usize = 96;

/// Whether files of a release are read.
pub fn reads(version: Version) -> bool {
    version >= OLDEST
}

/// Whether files of a release are read like those of an older one.
pub fn is_newer(version: Version) -> bool {
    version.minor > NEWEST
}

/// A compiled module.
pub struct Module {
    region: Region,
    root: u64,
    /// The files that are read in pieces.
    files: Vec<Identity>,
}

impl Module {
    /// Reads a compiled file that is no part of Lean's module system. Whatever lies beside it is ignored.
    pub fn read(path: &Path) -> Result<Self, OleanError> {
        Self::new(vec![Image::whole(path)?])
    }

    /// Opens an installed module, of which only those parts are read that are needed.
    pub fn installed(files: &[PathBuf]) -> Result<Self, OleanError> {
        Self::new(files.iter().map(|file| Image::in_pieces(file)).collect::<Result<_, _>>()?)
    }

    fn new(images: Vec<Image>) -> Result<Self, OleanError> {
        let files = images.iter().filter_map(Image::identity).collect();
        let parts: Vec<Part> = images.into_iter().map(checked).collect::<Result<_, _>>()?;
        // The last file has what the others leave out.
        let last = parts.last().ok_or(OleanError::Header)?;
        let root = last.image.get(ROOT, 8)?.and_then(|bytes| word(&bytes, 0)).ok_or(OleanError::Header)?;
        Ok(Self { region: Region::new(parts), root, files })
    }

    /// The files of an installed module, when they were opened.
    pub fn files(&self) -> &[Identity] {
        &self.files
    }

    /// Verifies that nobody has changed a file since it was opened.
    pub fn verify(&self) -> Result<(), OleanError> {
        self.region.parts().try_for_each(|part| part.image.verify())
    }

    /// A module from the bytes of its file.
    #[cfg(test)]
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, OleanError> {
        Self::new(vec![Image::Whole(bytes)])
    }

    /// The modules that it imports directly. One that is imported for several purposes is listed once.
    pub fn imports(&self, names: &mut Names) -> Result<Vec<Name>, OleanError> {
        let mut imports = Vec::new();
        for node in self.data(0)?.array("a list of imports")? {
            let module = names.read(node.constructor("an import", 1, 1)?.field(0)?)?;
            if !imports.contains(&module) {
                imports.push(module);
            }
        }
        Ok(imports)
    }

    /// Its declarations, by name.
    pub fn constants(&self, names: &mut Names) -> Result<HashMap<Name, Node<'_>>, OleanError> {
        let listed = self.data(1)?.array("a list of names")?;
        let nodes = self.data(2)?.array("a list of declarations")?;
        if listed.len() != nodes.len() {
            return Err(self.data(2)?.unlike("a list of as many declarations as names"));
        }
        let mut constants = HashMap::with_capacity(nodes.len().min(1 << 20));
        for (listed, node) in listed.into_iter().zip(nodes) {
            // Lean finds a declaration by the name in it, a program that checks it again by the name in the list.
            let name = names.read(Constant::name(node)?)?;
            if names.read(listed)? != name {
                return Err(node.unlike("the declaration of its name"));
            }
            if constants.insert(name.clone(), node).is_some() {
                return Err(OleanError::Twice { name: name.to_string() });
            }
        }
        Ok(constants)
    }

    /// The names of its declarations, and where each is. Much less is read for them than for the declarations.
    pub fn index(&self, names: &mut Names) -> Result<Vec<(Name, Address)>, OleanError> {
        let listed = self.data(1)?.array("a list of names")?;
        let nodes = self.data(2)?;
        let declared = nodes.array("a list of declarations")?;
        if listed.len() != declared.len() {
            return Err(nodes.unlike("a list of as many declarations as names"));
        }
        let named = listed.into_iter().map(|name| names.read(name));
        named.zip(declared).map(|(name, node)| Ok((name?, node.address()))).collect()
    }

    /// A declaration that was found in the index, if it has the name that it is listed under.
    pub fn constant(&self, name: &str, at: Address, names: &mut Names) -> Result<Constant<'_>, OleanError> {
        let node = self.region.at(at);
        match names.read(Constant::name(node)?)?.as_str() == name {
            true => Constant::read(node),
            false => Err(node.unlike("the declaration of its name")),
        }
    }

    /// An object that was met before.
    pub fn node(&self, at: Address) -> Node<'_> {
        self.region.at(at)
    }

    /// The version of the Lean that wrote it, and the revision of that Lean's sources.
    pub fn written_by(&self) -> Result<(String, String), OleanError> {
        let first = self.region.parts().next().ok_or(OleanError::Header)?;
        let header = first.image.get(0, OBJECTS)?.ok_or(OleanError::Header)?;
        Ok((padded(&header[LEAN]), padded(&header[REVISION])))
    }

    /// What an extension of Lean wrote to the file.
    pub fn entries(&self, extension: &str, names: &mut Names) -> Result<Vec<Node<'_>>, OleanError> {
        let mut entries = Vec::new();
        for node in self.data(4)?.array("a list of extensions")? {
            let of = node.constructor("an extension with its entries", 2, 0)?;
            if names.read(of.field(0)?)?.as_str() == extension {
                entries.extend(of.field(1)?.array("a list of entries")?);
            }
        }
        Ok(entries)
    }

    /// A field of the root: imports, names, declarations, further names, entries of extensions.
    fn data(&self, index: usize) -> Result<Node<'_>, OleanError> {
        self.region.node(self.root).constructor("the data of a module", 5, 1)?.field(index)
    }
}

/// Checks the header.
fn checked(image: Image) -> Result<Part, OleanError> {
    let header = image.get(0, OBJECTS)?.ok_or(OleanError::Header)?;
    if !header.starts_with(MAGIC) {
        return Err(OleanError::Header);
    }
    let version = padded(&header[LEAN]);
    let is_read = version.parse().is_ok_and(reads);
    let known = header[MAGIC.len()] == HEADER_VERSION && header[MAGIC.len() + 1] & GMP == GMP && is_read;
    if !known {
        return Err(OleanError::Version(version.escape_debug().to_string()));
    }
    let base = word(&header, BASE).ok_or(OleanError::Header)?;
    // Lean places a file at the beginning of a page.
    let end = base.checked_add(image.len() as u64).ok_or(OleanError::Header)?;
    if base % 4096 != 0 || end > 1 << 48 {
        return Err(OleanError::Header);
    }
    drop(header);
    Ok(Part { base, first: OBJECTS, image })
}

/// A text that is padded with zeros.
fn padded(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The files of an installed module: its compiled file and, if it belongs to the module system, those beside it, which
/// have what the first one leaves out (proofs).
pub fn files(path: &Path) -> Vec<PathBuf> {
    let beside = ["server", "private"].map(|ending| {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".");
        beside.push(ending);
        PathBuf::from(beside)
    });
    std::iter::once(path.to_owned()).chain(beside.into_iter().filter(|beside| beside.exists())).collect()
}
