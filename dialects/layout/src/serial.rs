//! Layouts and axes in the data formats of serde: as their text.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::{Axis, Layout};

/// A layout is a newtype of this name, so that a format can write its notation without quotes.
const NAME: &str = "Layout";

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NAME, &self.to_string())
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, Notation)
    }
}

struct Notation;

impl<'de> Visitor<'de> for Notation {
    type Value = Layout;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a layout")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Layout, E> {
        Layout::parse(text).map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Layout, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl From<Axis> for &'static str {
    fn from(axis: Axis) -> Self {
        axis.name()
    }
}

impl TryFrom<String> for Axis {
    type Error = crate::LayoutError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_text() {
        let layout: Layout = "(8, 64) : (64, 1) + 4, swizzle<base = 3, bits = 3, shift = 3>".parse().expect("a layout");
        let text = serde_json::to_string(&layout).expect("text");
        assert_eq!(text, "\"(8, 64) : (64, 1) + 4, swizzle<base = 3, bits = 3, shift = 3>\"");
        assert_eq!(serde_json::from_str::<Layout>(&text).expect("a layout"), layout);
        assert!(serde_json::from_str::<Layout>("\"(8\"").is_err());
        assert_eq!(serde_json::to_string(&Axis::TCol).expect("text"), "\"TCol\"");
        assert!(serde_json::from_str::<Axis>("\"nowhere\"").is_err());
    }
}
