//! Reads marshalled OCaml values (`Marshal.to_channel`; OCaml's `runtime/caml/intext.h`) into a heap.
//!
//! The input is not trusted: every length is checked against the remaining input, and memory is bounded by the
//! length of the input. Values may be shared, and, in forged files, cyclic.

use super::DecodeError::{self, Beyond, Corrupt};

/// A value: a number, or a reference into the heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    Int(i64),
    Object(u32),
    /// A block without fields.
    Empty(u8),
}

/// The target of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    /// Fields are `slots[first..first + size]`.
    Block {
        tag: u8,
        first: usize,
        size: usize,
    },
    /// The text is `bytes[start..end]`.
    Text {
        start: usize,
        end: usize,
    },
    /// The bits of a floating-point number, or of several.
    Double(u64),
    Doubles,
    /// An integer of its own kind: `int32`, `int64`, `nativeint`.
    Boxed(i64),
}

/// All objects of a value.
#[derive(Debug)]
pub(super) struct Heap<'a> {
    bytes: &'a [u8],
    objects: Vec<Object>,
    slots: Vec<Value>,
    root: Value,
}

const SMALL_MAGIC: u32 = 0x8495_A6BE;
const BIG_MAGIC: u32 = 0x8495_A6BF;

impl<'a> Heap<'a> {
    /// Reads one value, which must use all of the bytes.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader { bytes, at: 0 };
        let length = match reader.number(4)? {
            magic if magic == u64::from(SMALL_MAGIC) => {
                let length = reader.number(4)?;
                reader.skip(12)?;
                length
            }
            magic if magic == u64::from(BIG_MAGIC) => {
                reader.skip(4)?;
                let length = reader.number(8)?;
                reader.skip(16)?;
                length
            }
            _ => return Err(Corrupt("a value has an invalid header")),
        };
        if usize::try_from(length).ok() != bytes.len().checked_sub(reader.at) {
            return Err(Corrupt("the length of a value differs from its header"));
        }
        let mut heap = Self { bytes, objects: Vec::new(), slots: Vec::new(), root: Value::Int(0) };
        heap.root = heap.value(&mut reader)?;
        // Fields that remain to be read, the next ones last: values are stored in depth-first order.
        let mut open: Vec<(usize, usize)> = Vec::new();
        heap.enter(heap.root, 0, &mut open);
        while let Some((next, end)) = open.last_mut() {
            if next == end {
                open.pop();
                continue;
            }
            let slot = *next;
            *next += 1;
            let before = heap.objects.len();
            let value = heap.value(&mut reader)?;
            heap.slots[slot] = value;
            heap.enter(value, before, &mut open);
        }
        if reader.at != bytes.len() {
            return Err(Corrupt("there are extra bytes after a value"));
        }
        Ok(heap)
    }

    pub(super) fn root(&self) -> Value {
        self.root
    }

    /// Queues the fields of a block that was just created, whose number is at least `before`.
    fn enter(&self, value: Value, before: usize, open: &mut Vec<(usize, usize)>) {
        if let Value::Object(id) = value
            && id as usize >= before
            && let Object::Block { first, size, .. } = self.objects[id as usize]
        {
            open.push((first, first + size));
        }
    }

    /// Reads a value without its fields.
    fn value(&mut self, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let code = reader.byte()?;
        Ok(match code {
            0x80..=0xFF => self.block(code & 0xF, usize::from((code >> 4) & 7), reader)?,
            0x40..=0x7F => Value::Int(i64::from(code & 0x3F)),
            0x20..=0x3F => self.text(usize::from(code & 0x1F), reader)?,
            0x00 => Value::Int(reader.signed(1)?),
            0x01 => Value::Int(reader.signed(2)?),
            0x02 => Value::Int(reader.signed(4)?),
            0x03 => Value::Int(reader.signed(8)?),
            0x04 => self.shared(1, reader)?,
            0x05 => self.shared(2, reader)?,
            0x06 => self.shared(4, reader)?,
            0x14 => self.shared(8, reader)?,
            0x08 => {
                let header = reader.number(4)?;
                self.block((header & 0xFF) as u8, reader.length(header >> 10)?, reader)?
            }
            0x13 => {
                let header = reader.number(8)?;
                self.block((header & 0xFF) as u8, reader.length(header >> 10)?, reader)?
            }
            0x09 => self.text_of(1, reader)?,
            0x0A => self.text_of(4, reader)?,
            0x15 => self.text_of(8, reader)?,
            0x0B => {
                let bits = reader.number(8)?;
                self.object(Object::Double(bits))?
            }
            0x0C => {
                let bits = reader.number(8)?.swap_bytes();
                self.object(Object::Double(bits))?
            }
            0x0D | 0x0E => self.doubles(1, reader)?,
            0x0F | 0x07 => self.doubles(4, reader)?,
            0x16 | 0x17 => self.doubles(8, reader)?,
            0x12 | 0x18 | 0x19 => self.custom(code, reader)?,
            _ => return Err(Corrupt("a value has an unsupported kind")),
        })
    }

    fn object(&mut self, object: Object) -> Result<Value, DecodeError> {
        let id =
            u32::try_from(self.objects.len()).map_err(|_| Beyond("it has more than 4,294,967,295 values"))?;
        self.objects.push(object);
        Ok(Value::Object(id))
    }

    fn block(&mut self, tag: u8, size: usize, reader: &Reader<'a>) -> Result<Value, DecodeError> {
        if size == 0 {
            return Ok(Value::Empty(tag));
        }
        // Each field takes at least one byte.
        if size > reader.left() {
            return Err(Corrupt("a block is longer than the file"));
        }
        let first = self.slots.len();
        self.slots.resize(first + size, Value::Int(0));
        self.object(Object::Block { tag, first, size })
    }

    fn text_of(&mut self, width: usize, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let length = reader.number(width)?;
        let length = reader.length(length)?;
        self.text(length, reader)
    }

    fn text(&mut self, length: usize, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let start = reader.at;
        reader.skip(length)?;
        self.object(Object::Text { start, end: reader.at })
    }

    fn shared(&mut self, width: usize, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let back = usize::try_from(reader.number(width)?).ok();
        let id = back.filter(|&b| b > 0).and_then(|back| self.objects.len().checked_sub(back));
        let id = id.ok_or(Corrupt("a value refers to a missing value"))?;
        Ok(Value::Object(u32::try_from(id).expect("there are no more objects than that")))
    }

    fn doubles(&mut self, width: usize, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let count = reader.number(width)?;
        let bytes = count.checked_mul(8).ok_or(Corrupt("a block is longer than the file"))?;
        reader.skip(reader.length(bytes)?)?;
        self.object(Object::Doubles)
    }

    /// A custom value of an OCaml library: its name, for two of the three codes its size, and its bytes.
    fn custom(&mut self, code: u8, reader: &mut Reader<'a>) -> Result<Value, DecodeError> {
        let start = reader.at;
        while reader.byte()? != 0 {}
        let name = &self.bytes[start..reader.at - 1];
        if code == 0x18 {
            reader.skip(4 + 8)?;
        }
        let number = match name {
            b"_i" => reader.signed(4)?,
            b"_j" => reader.signed(8)?,
            b"_n" => {
                let width = if reader.byte()? == 1 { 4 } else { 8 };
                reader.signed(width)?
            }
            _ => return Err(Corrupt("a value has an unsupported kind")),
        };
        self.object(Object::Boxed(number))
    }

    /// A tag and fields.
    pub(super) fn fields(&self, value: Value) -> Result<(u8, &[Value]), DecodeError> {
        match value {
            Value::Object(id) => match self.objects[id as usize] {
                Object::Block { tag, first, size } => Ok((tag, &self.slots[first..first + size])),
                _ => Err(Corrupt("expected a block")),
            },
            Value::Empty(tag) => Ok((tag, &[])),
            Value::Int(_) => Err(Corrupt("expected a block, found a number")),
        }
    }

    /// The fields of a record or tuple.
    pub(super) fn record<const N: usize>(&self, value: Value) -> Result<[Value; N], DecodeError> {
        let (tag, fields) = self.fields(value)?;
        let fields = <[Value; N]>::try_from(fields).ok().filter(|_| tag == 0);
        fields.ok_or(Corrupt("a record has unexpected fields"))
    }

    pub(super) fn int(&self, value: Value) -> Result<i64, DecodeError> {
        match value {
            Value::Int(number) => Ok(number),
            Value::Object(id) => match self.objects[id as usize] {
                Object::Boxed(number) => Ok(number),
                _ => Err(Corrupt("expected a number")),
            },
            Value::Empty(_) => Err(Corrupt("expected a number, found a block")),
        }
    }

    /// A count or an index.
    pub(super) fn count(&self, value: Value) -> Result<u32, DecodeError> {
        u32::try_from(self.int(value)?).map_err(|_| Corrupt("a count is negative or too large"))
    }

    /// The bits of a floating-point number.
    pub(super) fn double(&self, value: Value) -> Result<u64, DecodeError> {
        match value {
            Value::Object(id) => match self.objects[id as usize] {
                Object::Double(bits) => Ok(bits),
                _ => Err(Corrupt("expected a floating-point number")),
            },
            _ => Err(Corrupt("expected a floating-point number")),
        }
    }

    pub(super) fn bytes_at(&self, value: Value) -> Result<&'a [u8], DecodeError> {
        let unexpected = Corrupt("expected a string");
        let Value::Object(id) = value else { return Err(unexpected) };
        let Object::Text { start, end } = self.objects[id as usize] else { return Err(unexpected) };
        Ok(&self.bytes[start..end])
    }

    pub(super) fn text_at(&self, value: Value) -> Result<&'a str, DecodeError> {
        std::str::from_utf8(self.bytes_at(value)?).map_err(|_| Corrupt("a name is not UTF-8"))
    }

    /// `None` or `Some`.
    pub(super) fn option(&self, value: Value) -> Result<Option<Value>, DecodeError> {
        match value {
            Value::Int(0) => Ok(None),
            _ => self.record::<1>(value).map(|[inner]| Some(inner)),
        }
    }

    /// The elements of a list.
    pub(super) fn list(&self, mut value: Value) -> Result<Vec<Value>, DecodeError> {
        let mut elements = Vec::new();
        while value != Value::Int(0) {
            let [element, rest] = self.record(value)?;
            elements.push(element);
            // Only a cyclic list is longer than the whole heap.
            if elements.len() > self.slots.len() {
                return Err(Corrupt("a list has no end"));
            }
            value = rest;
        }
        Ok(elements)
    }

    /// The elements of an array.
    pub(super) fn array(&self, value: Value) -> Result<&[Value], DecodeError> {
        match self.fields(value)? {
            (0, elements) => Ok(elements),
            _ => Err(Corrupt("expected an array")),
        }
    }

    /// The number of elements of an array.
    pub(super) fn length(&self, value: Value) -> Result<u32, DecodeError> {
        let elements = self.array(value)?.len();
        Ok(u32::try_from(elements).expect("there are no more values than that"))
    }

    /// The nodes of a balanced tree (`Set`, `Map`) whose nodes have `N` fields, in order.
    pub(super) fn tree<const N: usize>(&self, value: Value) -> Result<Vec<[Value; N]>, DecodeError> {
        // The left branch is the first field, the right one the last before the height.
        let (mut found, mut path, mut at) = (Vec::new(), Vec::new(), value);
        loop {
            while at != Value::Int(0) {
                let node = self.record::<N>(at)?;
                path.push(node);
                at = node[0];
                if path.len() + found.len() > self.slots.len() {
                    return Err(Corrupt("a set has no end"));
                }
            }
            let Some(node) = path.pop() else { return Ok(found) };
            found.push(node);
            at = node[N - 2];
        }
    }
}

/// Bytes, most significant first.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(Corrupt("the file ends too early"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn skip(&mut self, count: usize) -> Result<(), DecodeError> {
        self.take(count).map(drop)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    /// A number of some bytes, at most eight.
    pub(super) fn number(&mut self, width: usize) -> Result<u64, DecodeError> {
        Ok(self.take(width)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn signed(&mut self, width: usize) -> Result<i64, DecodeError> {
        let unused = 64 - 8 * u32::try_from(width).expect("it is at most eight");
        Ok((self.number(width)? << unused).cast_signed() >> unused)
    }

    /// A length that is checked against the remaining bytes.
    pub(super) fn length(&self, number: u64) -> Result<usize, DecodeError> {
        let length = usize::try_from(number).ok().filter(|&length| length <= self.left());
        length.ok_or(Corrupt("something is longer than the file"))
    }
}
