//! Writes values as text.

use std::fmt::{Display, Write};

use serde::ser::{self, Impossible, Serialize};

use super::mistake::Mistake;

/// The name under which a type serializes itself in a notation of its own.
pub(super) const LAYOUT: &str = "Layout";

/// The text so far.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    /// Structs that are open.
    depth: usize,
    /// Whether the next string is written without quotes.
    plain: bool,
}

type Outcome = Result<(), Mistake>;

fn unknown<T>(what: &str) -> Result<T, Mistake> {
    Err(ser::Error::custom(format!("got {what}, which the text of a plan does not have")))
}

impl Writer {
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn put(&mut self, value: impl Display) -> Outcome {
        write!(self.text, "{value}").map_err(|error| ser::Error::custom(error.to_string()))
    }

    fn open(&mut self) -> Fields<'_> {
        let braces = self.depth > 0;
        self.depth += 1;
        if braces {
            self.text.push('{');
        }
        Fields { writer: self, first: true, braces }
    }

    fn list(&mut self, open: char, close: char) -> Result<Items<'_>, Mistake> {
        self.text.push(open);
        Ok(Items { writer: self, first: true, close })
    }
}

/// The fields of a struct.
pub(super) struct Fields<'w> {
    writer: &'w mut Writer,
    first: bool,
    braces: bool,
}

impl Fields<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Outcome {
        if !std::mem::take(&mut self.first) {
            self.writer.text.push_str(", ");
        }
        self.writer.text.push_str(key);
        let before = self.writer.text.len();
        self.writer.text.push_str(" = ");
        value.serialize(&mut *self.writer)?;
        if self.writer.text[before..] == *" = true" {
            self.writer.text.truncate(before);
        }
        Ok(())
    }

    fn close(self) -> Outcome {
        self.writer.depth -= 1;
        if self.braces {
            self.writer.text.push('}');
        }
        Ok(())
    }
}

/// The items of a list or a tuple.
pub(super) struct Items<'w> {
    writer: &'w mut Writer,
    first: bool,
    close: char,
}

impl Items<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        if !std::mem::take(&mut self.first) {
            self.writer.text.push_str(", ");
        }
        value.serialize(&mut *self.writer)
    }

    fn close(self) -> Outcome {
        self.writer.text.push(self.close);
        Ok(())
    }
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Mistake;
    type SerializeSeq = Items<'w>;
    type SerializeTuple = Items<'w>;
    type SerializeTupleStruct = Impossible<(), Mistake>;
    type SerializeTupleVariant = Impossible<(), Mistake>;
    type SerializeMap = Impossible<(), Mistake>;
    type SerializeStruct = Fields<'w>;
    type SerializeStructVariant = Fields<'w>;

    fn serialize_bool(self, value: bool) -> Outcome {
        self.put(value)
    }

    fn serialize_i8(self, value: i8) -> Outcome {
        self.put(value)
    }

    fn serialize_i16(self, value: i16) -> Outcome {
        self.put(value)
    }

    fn serialize_i32(self, value: i32) -> Outcome {
        self.put(value)
    }

    fn serialize_i64(self, value: i64) -> Outcome {
        self.put(value)
    }

    fn serialize_u8(self, value: u8) -> Outcome {
        self.put(value)
    }

    fn serialize_u16(self, value: u16) -> Outcome {
        self.put(value)
    }

    fn serialize_u32(self, value: u32) -> Outcome {
        self.put(value)
    }

    fn serialize_u64(self, value: u64) -> Outcome {
        self.put(value)
    }

    fn serialize_f32(self, _value: f32) -> Outcome {
        unknown("a float")
    }

    fn serialize_f64(self, _value: f64) -> Outcome {
        unknown("a float")
    }

    fn serialize_char(self, _value: char) -> Outcome {
        unknown("a character")
    }

    fn serialize_str(self, value: &str) -> Outcome {
        if std::mem::take(&mut self.plain) { self.put(value) } else { self.put(format_args!("\"{value}\"")) }
    }

    fn serialize_bytes(self, _value: &[u8]) -> Outcome {
        unknown("bytes")
    }

    fn serialize_none(self) -> Outcome {
        self.put("none")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Outcome {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Outcome {
        unknown("a unit")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Outcome {
        unknown("a unit")
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, word: &'static str) -> Outcome {
        self.put(word)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Outcome {
        self.plain = name == LAYOUT;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
        value: &T,
    ) -> Outcome {
        self.text.push_str(word);
        let before = self.text.len();
        self.text.push('(');
        value.serialize(&mut *self)?;
        if self.text[before..].starts_with("({") {
            self.text.remove(before);
        } else {
            self.text.push(')');
        }
        Ok(())
    }

    fn serialize_seq(self, _count: Option<usize>) -> Result<Items<'w>, Mistake> {
        self.list('[', ']')
    }

    fn serialize_tuple(self, _count: usize) -> Result<Items<'w>, Mistake> {
        self.list('(', ')')
    }

    fn serialize_tuple_struct(self, _name: &'static str, _count: usize) -> Result<Self::SerializeTupleStruct, Mistake> {
        unknown("a struct without keys")
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _word: &'static str,
        _count: usize,
    ) -> Result<Self::SerializeTupleVariant, Mistake> {
        unknown("a case of several values without keys")
    }

    fn serialize_map(self, _count: Option<usize>) -> Result<Self::SerializeMap, Mistake> {
        unknown("a map")
    }

    fn serialize_struct(self, _name: &'static str, _count: usize) -> Result<Fields<'w>, Mistake> {
        Ok(self.open())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
        _count: usize,
    ) -> Result<Fields<'w>, Mistake> {
        self.text.push_str(word);
        Ok(self.open())
    }
}

impl ser::SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Mistake;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        self.item(value)
    }

    fn end(self) -> Outcome {
        self.close()
    }
}

impl ser::SerializeTuple for Items<'_> {
    type Ok = ();
    type Error = Mistake;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        self.item(value)
    }

    fn end(self) -> Outcome {
        self.close()
    }
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Mistake;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Outcome {
        self.field(key, value)
    }

    fn end(self) -> Outcome {
        self.close()
    }
}

impl ser::SerializeStructVariant for Fields<'_> {
    type Ok = ();
    type Error = Mistake;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Outcome {
        self.field(key, value)
    }

    fn end(self) -> Outcome {
        self.close()
    }
}
