//! The memory image in a compiled file: Lean objects at the addresses where Lean would map them.
//!
//! Lean writes an object after everything that it refers to. Each access checks that, so objects cannot be cyclic, and
//! checks its bounds, so that a damaged or forged file leads to an error only.

use std::borrow::Cow;
use std::fmt;

use super::OleanError;
use super::image::Image;

/// The size of an object's header, in bytes: reference count (4), size (2), number of fields (1), kind (1).
const HEADER: u64 = 8;

/// The kinds of objects. Smaller numbers are constructors.
const ARRAY: u8 = 246;
const TEXT: u8 = 249;
const NATURAL: u8 = 250;

/// The greatest number of a constructor.
const LAST_CONSTRUCTOR: u8 = 244;

/// The address of an object, or a small number if it is odd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address(u64);

/// The image: one part per file of the module, in the order of their addresses.
pub(super) struct Region {
    parts: Vec<Part>,
}

/// The image in one file.
pub(super) struct Part {
    /// The address of the file's first byte.
    pub(super) base: u64,
    /// Offset of the first object.
    pub(super) first: usize,
    /// The whole file.
    pub(super) image: Image,
}

/// An object of a region.
#[derive(Clone, Copy)]
pub struct Node<'r> {
    region: &'r Region,
    address: Address,
}

/// A constructor applied to its fields.
pub struct Constructor<'r> {
    /// Which constructor of its type, from 0.
    pub tag: u8,
    of: Node<'r>,
    /// The number of fields that are objects.
    fields: usize,
    /// The fields, and the bytes after them: numbers and truth values, larger ones first.
    bytes: Cow<'r, [u8]>,
}

/// A natural number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Natural<'r> {
    /// One that fits here.
    Small(u64),
    /// Its digits in base 2^64, each in eight bytes, the lowest first.
    Large(Cow<'r, [u8]>),
}

impl Region {
    pub(super) fn new(mut parts: Vec<Part>) -> Self {
        parts.sort_by_key(|part| part.base);
        Self { parts }
    }

    pub(super) fn node(&self, address: u64) -> Node<'_> {
        Node { region: self, address: Address(address) }
    }

    /// The object at an address that was found before, possibly when the same files were read earlier.
    pub(super) fn at(&self, address: Address) -> Node<'_> {
        Node { region: self, address }
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter()
    }

    /// Bytes from an address on.
    fn bytes(&self, address: u64, length: usize) -> Result<Cow<'_, [u8]>, OleanError> {
        let outside = OleanError::Outside { address };
        let part = self.parts.iter().rev().find(|part| part.base <= address);
        let Some(part) = part.filter(|_| address.is_multiple_of(HEADER)) else { return Err(outside) };
        match usize::try_from(address - part.base) {
            Ok(offset) if offset >= part.first => part.image.get(offset, length)?.ok_or(outside),
            _ => Err(outside),
        }
    }
}

impl<'r> Node<'r> {
    /// Its address, which identifies it within its region.
    pub fn address(self) -> Address {
        self.address
    }

    /// The number of a constructor without fields, or a small number.
    pub fn small(self) -> Option<u64> {
        (self.address.0 & 1 == 1).then_some(self.address.0 >> 1)
    }

    /// The object as a constructor with `fields` fields and at least `scalars` bytes after them.
    pub fn constructor(
        self,
        what: &'static str,
        fields: usize,
        scalars: usize,
    ) -> Result<Constructor<'r>, OleanError> {
        let constructor = self.any_constructor(what)?;
        if constructor.fields != fields || constructor.bytes.len() < 8 * fields + scalars {
            return Err(self.unlike(what));
        }
        Ok(constructor)
    }

    /// The object as a constructor.
    pub fn any_constructor(self, what: &'static str) -> Result<Constructor<'r>, OleanError> {
        let [.., size_low, size_high, count, tag] = self.header(what)?;
        let size = usize::from(u16::from_le_bytes([size_low, size_high]));
        let fields = usize::from(count);
        let after = size.checked_sub(HEADER as usize).filter(|after| *after >= 8 * fields);
        let after = after.filter(|_| tag <= LAST_CONSTRUCTOR).ok_or_else(|| self.unlike(what))?;
        Ok(Constructor { tag, of: self, fields, bytes: self.bytes(HEADER, after)? })
    }

    /// The elements of an array.
    pub fn array(self, what: &'static str) -> Result<Vec<Self>, OleanError> {
        let length = self.size(what, ARRAY)?.checked_mul(8).ok_or_else(|| self.unlike(what))?;
        let bytes = self.bytes(24, length)?;
        (0..bytes.len() / 8).map(|index| self.field(&bytes, index)).collect()
    }

    /// A string.
    pub fn text(self, what: &'static str) -> Result<Cow<'r, str>, OleanError> {
        // The size includes a zero at the end.
        let length = self.size(what, TEXT)?.checked_sub(1).ok_or_else(|| self.unlike(what))?;
        match self.bytes(32, length)? {
            Cow::Borrowed(bytes) => {
                std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| self.unlike(what))
            }
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| self.unlike(what)),
        }
    }

    /// A natural number.
    pub fn natural(self, what: &'static str) -> Result<Natural<'r>, OleanError> {
        if let Some(small) = self.small() {
            return Ok(Natural::Small(small));
        }
        // GMP's form: allocated digits (4 bytes), digits in use (4), their address (8), and the digits right after it.
        let is_one = self.header(what)?[7] == NATURAL;
        let head = self.bytes(8, 16)?;
        let in_use = head.get(4..8).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)));
        let in_use = in_use.filter(|_| is_one && word(&head, 8) == Some(self.address.0 + 24));
        let length = in_use.and_then(|digits| usize::try_from(digits).ok()?.checked_mul(8));
        Ok(Natural::Large(self.bytes(24, length.ok_or_else(|| self.unlike(what))?)?))
    }

    /// The elements of a list.
    pub fn list(self, what: &'static str) -> Result<Vec<Self>, OleanError> {
        let mut elements = Vec::new();
        let mut rest = self;
        // `List.nil` is 0, `List.cons` has the number 1.
        while rest.small() != Some(0) {
            let cell = rest.constructor(what, 2, 0)?;
            elements.push(cell.field(0)?);
            rest = cell.field(1)?;
        }
        Ok(elements)
    }

    /// The error for an object of another shape.
    pub fn unlike(self, what: &'static str) -> OleanError {
        OleanError::Shape { what, address: self.address.0 }
    }

    fn header(self, what: &'static str) -> Result<[u8; 8], OleanError> {
        if self.small().is_some() {
            return Err(self.unlike(what));
        }
        let header = self.bytes(0, HEADER as usize)?;
        Ok(header.as_ref().try_into().expect("it has the length that was asked for"))
    }

    /// The number of elements, or bytes, of an array or text.
    fn size(self, what: &'static str, kind: u8) -> Result<usize, OleanError> {
        let is_one = self.header(what)?[7] == kind;
        let size = word(&self.bytes(8, 8)?, 0).and_then(|size| usize::try_from(size).ok());
        size.filter(|_| is_one).ok_or_else(|| self.unlike(what))
    }

    /// Bytes of the object, from an offset on.
    fn bytes(self, offset: u64, length: usize) -> Result<Cow<'r, [u8]>, OleanError> {
        let at = self.address.0.checked_add(offset);
        self.region.bytes(at.ok_or(OleanError::Outside { address: self.address.0 })?, length)
    }

    /// An object to which this one refers, by its place in a list of addresses.
    fn field(self, addresses: &[u8], index: usize) -> Result<Self, OleanError> {
        let outside = OleanError::Outside { address: self.address.0 };
        let address = index.checked_mul(8).and_then(|offset| word(addresses, offset)).ok_or(outside)?;
        if address & 1 == 0 && address >= self.address.0 {
            return Err(OleanError::Order { address: self.address.0 });
        }
        Ok(self.region.node(address))
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

impl<'r> Constructor<'r> {
    /// A field, by its position among those that are objects.
    pub fn field(&self, index: usize) -> Result<Node<'r>, OleanError> {
        self.of.field(&self.bytes[..8 * self.fields], index)
    }

    /// A byte after the fields.
    pub fn byte(&self, offset: usize) -> Result<u8, OleanError> {
        let byte = self.bytes.get(8 * self.fields + offset).copied();
        byte.ok_or(OleanError::Outside { address: self.of.address.0 })
    }

    /// The number of fields that are objects.
    pub fn len(&self) -> usize {
        self.fields
    }
}

/// Eight bytes as a number.
pub(super) fn word(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..)?.get(..8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
