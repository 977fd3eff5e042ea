//! Reads values from text.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Unexpected, Visitor};
use tile_layout::Layout;

use super::lexer::PlanLexer;
use super::mistake::Mistake;
use super::write::LAYOUT;

/// A text that is being read.
pub(super) struct TextReader<'t> {
    lexer: PlanLexer<'t>,
    /// Structs that are open.
    depth: usize,
    /// The field whose key stands alone: it is true.
    flag: bool,
}

impl<'t> TextReader<'t> {
    pub(super) fn new(text: &'t str, start: usize) -> Self {
        TextReader { lexer: PlanLexer::new(text, start), depth: 0, flag: false }
    }

    /// Requires the text to be read to its end.
    pub(super) fn end(&mut self) -> Result<(), Mistake> {
        if self.lexer.peek().is_none() { Ok(()) } else { Err(self.lexer.expected("',' or the end")) }
    }

    /// Passes what stands at `at` to a visitor; its mistakes are there.
    fn visit<T>(at: usize, outcome: Result<T, Mistake>) -> Result<T, Mistake> {
        outcome.map_err(|mistake| mistake.or_at(at))
    }

    /// A value that is a key alone, where another value is expected.
    fn value(&mut self, what: &str) -> Result<usize, Mistake> {
        if std::mem::take(&mut self.flag) {
            Err(self.lexer.expected(&format!("'=' and {what}")))
        } else {
            Ok(self.lexer.at())
        }
    }

    fn integer(&mut self) -> Result<(usize, i64), Mistake> {
        let at = self.value("a number")?;
        if !self.lexer.peek().is_some_and(|sign| sign == '-' || sign.is_ascii_digit()) {
            return Err(self.lexer.expected("a number"));
        }
        let word = self.lexer.word();
        let number = word.parse().map_err(|_| Mistake::new(at, format!("got {word}, expected an integer of 64 bits")));
        Ok((at, number?))
    }

    fn fields<'v, V: Visitor<'v>>(&mut self, visitor: V) -> Result<V::Value, Mistake> {
        let at = self.value("'{'")?;
        let braces = self.depth > 0;
        if braces {
            self.lexer.take('{')?;
        }
        self.depth += 1;
        let value = Self::visit(at, visitor.visit_map(FieldReader { reader: self, seen: Vec::new(), braces }))?;
        self.depth -= 1;
        if braces {
            self.lexer.take('}')?;
        }
        Ok(value)
    }

    fn items<'v, V: Visitor<'v>>(&mut self, visitor: V, (open, close): (char, char)) -> Result<V::Value, Mistake> {
        let at = self.value(&format!("'{open}'"))?;
        self.lexer.take(open)?;
        let value = Self::visit(at, visitor.visit_seq(ItemReader { reader: self, first: true, close }))?;
        self.lexer.take(close)?;
        Ok(value)
    }
}

/// A method for a kind of values that the format does not have.
macro_rules! unknown {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'v>>(self, _visitor: V) -> Result<V::Value, Mistake> {
            Err(self.lexer.expected("a value that the text of a plan has"))
        })*
    };
}

macro_rules! integers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
            let (at, number) = self.integer()?;
            TextReader::visit(at, visitor.visit_i64(number))
        })*
    };
}

impl<'v> de::Deserializer<'v> for &mut TextReader<'_> {
    type Error = Mistake;

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    unknown! {
        deserialize_any deserialize_f32 deserialize_f64 deserialize_char deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_map deserialize_ignored_any
    }

    fn deserialize_bool<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        if std::mem::take(&mut self.flag) {
            return visitor.visit_bool(true);
        }
        let at = self.lexer.at();
        match self.lexer.word() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            word => Err(Mistake::new(at, format!("got '{word}', expected true or false"))),
        }
    }

    fn deserialize_str<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let at = self.value("a string")?;
        let text = self.lexer.string()?;
        TextReader::visit(at, visitor.visit_str(text))
    }

    fn deserialize_string<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        if self.lexer.takes_word("none") { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit_struct<V: Visitor<'v>>(self, _name: &'static str, _visitor: V) -> Result<V::Value, Mistake> {
        Err(self.lexer.expected("a value that the text of a plan has"))
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(self, name: &'static str, visitor: V) -> Result<V::Value, Mistake> {
        if name != LAYOUT {
            return visitor.visit_newtype_struct(self);
        }
        let at = self.value("a layout")?;
        let text = self.lexer.layout();
        if let Err(error) = Layout::parse(text) {
            let (inside, reason) = error.in_text().unwrap_or_else(|| (0, error.to_string()));
            return Err(Mistake::new(at + inside, reason));
        }
        TextReader::visit(at, visitor.visit_str(text))
    }

    fn deserialize_seq<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        self.items(visitor, ('[', ']'))
    }

    fn deserialize_tuple<V: Visitor<'v>>(self, _count: usize, visitor: V) -> Result<V::Value, Mistake> {
        self.items(visitor, ('(', ')'))
    }

    fn deserialize_tuple_struct<V: Visitor<'v>>(
        self,
        _name: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        self.deserialize_tuple(count, visitor)
    }

    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        self.fields(visitor)
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        _name: &'static str,
        _cases: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let at = self.value("a word")?;
        TextReader::visit(at, visitor.visit_enum(CaseReader { reader: self }))
    }

    fn deserialize_identifier<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let at = self.lexer.at();
        let word = self.lexer.word();
        if word.is_empty() {
            return Err(self.lexer.expected("a word"));
        }
        TextReader::visit(at, visitor.visit_str(word))
    }
}

/// The fields of a struct that is being read.
struct FieldReader<'r, 't> {
    reader: &'r mut TextReader<'t>,
    /// The keys so far.
    seen: Vec<&'t str>,
    braces: bool,
}

impl<'v> de::MapAccess<'v> for FieldReader<'_, '_> {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'v>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let lexer = &mut self.reader.lexer;
        let next = lexer.peek();
        if next.is_none() || (self.braces && next == Some('}')) {
            return Ok(None);
        }
        if !self.seen.is_empty() {
            let close = if self.braces { "'}'" } else { "the end" };
            if !lexer.takes(',') {
                return Err(lexer.expected(&format!("',' or {close}")));
            }
        }
        let at = lexer.at();
        let key = lexer.word();
        if key.is_empty() {
            return Err(lexer.expected("a key"));
        }
        if self.seen.contains(&key) {
            return Err(Mistake::new(at, format!("got key '{key}' twice")));
        }
        self.seen.push(key);
        self.reader.flag = !lexer.takes('=');
        let key: Result<K::Value, Mistake> = seed.deserialize(key.into_deserializer());
        TextReader::visit(at, key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'v>>(&mut self, seed: V) -> Result<V::Value, Mistake> {
        seed.deserialize(&mut *self.reader)
    }
}

/// The items of a list or tuple that is being read.
struct ItemReader<'r, 't> {
    reader: &'r mut TextReader<'t>,
    first: bool,
    close: char,
}

impl<'v> de::SeqAccess<'v> for ItemReader<'_, '_> {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'v>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        let lexer = &mut self.reader.lexer;
        if lexer.peek().is_none_or(|next| next == self.close) {
            return Ok(None);
        }
        if !std::mem::take(&mut self.first) && !lexer.takes(',') {
            return Err(lexer.expected(&format!("',' or '{}'", self.close)));
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// A case of an enum that is being read.
struct CaseReader<'r, 't> {
    reader: &'r mut TextReader<'t>,
}

impl<'v> de::EnumAccess<'v> for CaseReader<'_, '_> {
    type Error = Mistake;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'v>>(self, seed: T) -> Result<(T::Value, Self), Mistake> {
        let word = seed.deserialize(&mut *self.reader)?;
        Ok((word, self))
    }
}

impl<'v> de::VariantAccess<'v> for CaseReader<'_, '_> {
    type Error = Mistake;

    fn unit_variant(self) -> Result<(), Mistake> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'v>>(self, seed: T) -> Result<T::Value, Mistake> {
        if self.reader.lexer.peek() == Some('{') {
            return seed.deserialize(&mut *self.reader);
        }
        self.reader.lexer.take('(')?;
        let value = seed.deserialize(&mut *self.reader)?;
        self.reader.lexer.take(')')?;
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'v>>(self, _count: usize, _visitor: V) -> Result<V::Value, Mistake> {
        Err(de::Error::invalid_type(Unexpected::TupleVariant, &"a case of one value"))
    }

    fn struct_variant<V: Visitor<'v>>(self, _fields: &'static [&'static str], visitor: V) -> Result<V::Value, Mistake> {
        self.reader.fields(visitor)
    }
}
