//! `!tile.tensor_map`, whose parameters are a map of the planner.

use melior::ir::{Type, TypeLike};
use tile_plan::families::tensor_map::TensorMap;

use crate::context::Ctx;
use crate::guard;
use crate::layout_text::{Mistake, printable};
use crate::shim::{self, bytes, string_ref};

/// A `!tile.tensor_map` type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMapType<'c>(Type<'c>);

impl<'c> TensorMapType<'c> {
    /// The type of a map; `None` for one that has no text.
    pub fn new(context: Ctx<'c>, map: &TensorMap) -> Option<Self> {
        let fields = map.to_text().ok()?;
        // SAFETY: C++ copies the string; the type is one of the context.
        Some(TensorMapType(unsafe {
            Type::from_raw(shim::tileTensorMapTypeGet(context.to_raw(), string_ref(&fields)))
        }))
    }

    /// The type as a tensor map, if it is one.
    pub fn from_type(r#type: Type<'c>) -> Option<Self> {
        TensorMapType(r#type).fields().map(|_| TensorMapType(r#type))
    }

    /// The map.
    pub fn map(self) -> Option<TensorMap> {
        TensorMap::from_text(self.fields()?).ok()
    }

    /// The map as it is written between `<` and `>`; `None` for another type.
    fn fields(self) -> Option<&'c str> {
        // SAFETY: the type is alive; its parameters live as long as its context.
        let fields = unsafe { shim::tileTensorMapTypeFields(self.0.to_raw()) };
        if fields.data.is_null() {
            return None;
        }
        // SAFETY: likewise.
        str::from_utf8(unsafe { bytes(fields) }).ok()
    }

    /// As a plain type.
    pub fn as_type(self) -> Type<'c> {
        self.0
    }
}

/// The fields of a map, as the planner writes them.
///
/// # Errors
/// The first mistake, or a map that the encoder would reject.
pub(crate) fn read(text: &[u8]) -> Result<String, Mistake> {
    let as_mistake = |mistake: tile_plan::text::Mistake| Mistake { at: mistake.at(), text: mistake.text };
    let read = || {
        let map = TensorMap::from_text(&printable(text)).map_err(as_mistake)?;
        map.check().map_err(|refusal| Mistake { at: 0, text: refusal.reason })?;
        map.to_text().map_err(as_mistake)
    };
    guard::quiet(read).unwrap_or_else(|panicked| Err(Mistake { at: 0, text: panicked.into() }))
}
