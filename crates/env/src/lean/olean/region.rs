//! The memory image in a compiled file: Lean objects at the addresses where Lean would map them.
//!
//! Lean writes an object after everything that it refers to. Each access checks that, so objects cannot be cyclic, and
//! checks its bounds, so that a damaged or forged file leads to an error only.

use std::fmt;

use super::OleanError;

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
pub(in crate::lean) struct Address(u64);

/// The image: one part per file of the module, in the order of their addresses.
pub(in crate::lean) struct Region {
    parts: Vec<Part>,
}

/// The image in one file.
pub(super) struct Part {
    /// The address of the file's first byte.
    pub(super) base: u64,
    /// Offset of the first object.
    pub(super) first: usize,
    /// The whole file.
    pub(super) bytes: Vec<u8>,
}

/// An object of a region.
#[derive(Clone, Copy)]
pub(in crate::lean) struct Node<'r> {
    region: &'r Region,
    address: Address,
}

/// A constructor applied to its fields.
#[derive(Clone, Copy)]
pub(in crate::lean) struct Constructor<'r> {
    /// Which constructor of its type, from 0.
    pub(in crate::lean) tag: u8,
    fields: Fields<'r>,
    /// The bytes after the fields: numbers and truth values, larger ones first.
    scalars: &'r [u8],
}

/// The objects that an object refers to.
#[derive(Clone, Copy)]
struct Fields<'r> {
    region: &'r Region,
    of: u64,
    bytes: &'r [u8],
}

/// A natural number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lean) enum Natural<'r> {
    Small(u64),
    /// Its digits in base 2^64, each in eight bytes, the lowest first.
    Large(&'r [u8]),
}

impl Region {
    pub(super) fn new(mut parts: Vec<Part>) -> Self {
        parts.sort_by_key(|part| part.base);
        Self { parts }
    }

    pub(super) fn node(&self, address: u64) -> Node<'_> {
        Node { region: self, address: Address(address) }
    }

    /// The bytes from an address to the end of its file.
    fn from(&self, address: u64) -> Result<&[u8], OleanError> {
        let found = self.parts.iter().rev().find(|part| part.base <= address);
        let bytes = found.and_then(|part| {
            let offset = usize::try_from(address - part.base).ok()?;
            (offset >= part.first).then(|| part.bytes.get(offset..))?
        });
        bytes.filter(|_| address.is_multiple_of(HEADER)).ok_or(OleanError::Outside { address })
    }
}

impl<'r> Node<'r> {
    /// Its address, which identifies it within its region.
    pub(in crate::lean) fn address(self) -> Address {
        self.address
    }

    /// The number of a constructor without fields, or a small number.
    pub(in crate::lean) fn small(self) -> Option<u64> {
        (self.address.0 & 1 == 1).then_some(self.address.0 >> 1)
    }

    /// The object as a constructor with `fields` fields and at least `scalars` bytes after them.
    pub(in crate::lean) fn constructor(
        self,
        what: &'static str,
        fields: usize,
        scalars: usize,
    ) -> Result<Constructor<'r>, OleanError> {
        let constructor = self.any_constructor(what)?;
        let has = constructor.fields.bytes.len() / 8;
        if has != fields || constructor.scalars.len() < scalars {
            return Err(self.unlike(what));
        }
        Ok(constructor)
    }

    /// The object as a constructor.
    pub(in crate::lean) fn any_constructor(self, what: &'static str) -> Result<Constructor<'r>, OleanError> {
        let (header, bytes) = self.header(what)?;
        let [.., size_low, size_high, count, tag] = header;
        let size = usize::from(u16::from_le_bytes([size_low, size_high]));
        let end_of_fields = HEADER as usize + 8 * usize::from(count);
        if tag > LAST_CONSTRUCTOR || size < end_of_fields {
            return Err(self.unlike(what));
        }
        let bytes = bytes.get(..size).ok_or_else(|| self.unlike(what))?;
        let (fields, scalars) = bytes.split_at(end_of_fields);
        let fields = self.fields(&fields[HEADER as usize..]);
        Ok(Constructor { tag, fields, scalars })
    }

    /// The elements of an array.
    pub(in crate::lean) fn array(
        self,
        what: &'static str,
    ) -> Result<impl ExactSizeIterator<Item = Result<Self, OleanError>>, OleanError> {
        let (header, bytes) = self.header(what)?;
        let size = word(bytes, 8).filter(|_| header[7] == ARRAY);
        let length = size.and_then(|size| usize::try_from(size).ok()?.checked_mul(8));
        let elements = length.and_then(|length| bytes.get(24..)?.get(..length));
        let fields = self.fields(elements.ok_or_else(|| self.unlike(what))?);
        Ok((0..fields.bytes.len() / 8).map(move |index| fields.get(index)))
    }

    /// A string.
    pub(in crate::lean) fn text(self, what: &'static str) -> Result<&'r str, OleanError> {
        let (header, bytes) = self.header(what)?;
        // The size includes a zero at the end.
        let size = word(bytes, 8).filter(|&size| header[7] == TEXT && size > 0);
        let length = size.and_then(|size| usize::try_from(size - 1).ok());
        let text = length.and_then(|length| bytes.get(32..)?.get(..length));
        let text = text.and_then(|text| std::str::from_utf8(text).ok());
        text.ok_or_else(|| self.unlike(what))
    }

    /// A natural number.
    pub(in crate::lean) fn natural(self, what: &'static str) -> Result<Natural<'r>, OleanError> {
        if let Some(small) = self.small() {
            return Ok(Natural::Small(small));
        }
        let (header, bytes) = self.header(what)?;
        // GMP's form: allocated digits (4 bytes), digits in use (4), their address (8), and the digits right after it.
        let in_use = bytes.get(12..16).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)));
        let in_use = in_use.filter(|_| header[7] == NATURAL && word(bytes, 16) == Some(self.address.0 + 24));
        let length = in_use.and_then(|digits| usize::try_from(digits).ok()?.checked_mul(8));
        let digits = length.and_then(|length| bytes.get(24..)?.get(..length));
        digits.map(Natural::Large).ok_or_else(|| self.unlike(what))
    }

    /// The elements of a list.
    pub(in crate::lean) fn list(self, what: &'static str) -> Result<Vec<Self>, OleanError> {
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
    pub(in crate::lean) fn unlike(self, what: &'static str) -> OleanError {
        OleanError::Shape { what, address: self.address.0 }
    }

    fn header(self, what: &'static str) -> Result<([u8; 8], &'r [u8]), OleanError> {
        if self.small().is_some() {
            return Err(self.unlike(what));
        }
        let bytes = self.region.from(self.address.0)?;
        let header = bytes.get(..8).and_then(|header| header.try_into().ok());
        Ok((header.ok_or(OleanError::Outside { address: self.address.0 })?, bytes))
    }

    fn fields(self, bytes: &'r [u8]) -> Fields<'r> {
        Fields { region: self.region, of: self.address.0, bytes }
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

impl<'r> Constructor<'r> {
    /// A field, by its position among those that are objects.
    pub(in crate::lean) fn field(&self, index: usize) -> Result<Node<'r>, OleanError> {
        self.fields.get(index)
    }

    /// A byte after the fields.
    pub(in crate::lean) fn byte(&self, offset: usize) -> Result<u8, OleanError> {
        self.scalars.get(offset).copied().ok_or(OleanError::Outside { address: self.fields.of })
    }

    /// The number of fields that are objects.
    pub(in crate::lean) fn len(&self) -> usize {
        self.fields.bytes.len() / 8
    }
}

impl<'r> Fields<'r> {
    fn get(&self, index: usize) -> Result<Node<'r>, OleanError> {
        let outside = OleanError::Outside { address: self.of };
        let address = index.checked_mul(8).and_then(|offset| word(self.bytes, offset)).ok_or(outside)?;
        if address & 1 == 0 && address >= self.of {
            return Err(OleanError::Order { address: self.of });
        }
        Ok(self.region.node(address))
    }
}

/// Eight bytes as a number.
pub(super) fn word(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..)?.get(..8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
