//! `#tile.fragment`, which names a layout: [`tile_isa::fragment`] reads the names, and knows the layouts.

use melior::ir::{Attribute, AttributeLike, Location};
use tile_isa::fragment::FragmentMistake;
use tile_isa::{Fragment, Space};
use tile_layout::Layout;

use crate::error::{VerifyError, mismatch};
use crate::guard;
use crate::layout_text::{Mistake, printable};
use crate::shim::{self, bytes, string_ref};

/// A `#tile.fragment` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FragmentAttr<'c>(Attribute<'c>);

impl<'c> FragmentAttr<'c> {
    /// The attribute of a name, as it is printed: `mma.m16n8k16.a over (2, 4) warps`; `None`, after an error at `location`, where
    /// it is none.
    pub fn new(location: Location<'c>, name: &str) -> Option<Self> {
        // SAFETY: C++ copies the string; the result is null or an attribute of the location's context.
        let raw = unsafe { shim::tileFragmentAttrGet(location.to_raw(), string_ref(name)) };
        // SAFETY: as above.
        unsafe { Attribute::from_option_raw(raw) }.map(FragmentAttr)
    }

    /// The attribute as a fragment, if it is one.
    pub fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        // SAFETY: the attribute is not null and its context is alive.
        let is_one = unsafe { !shim::tileFragmentAttrGetName(attribute.to_raw()).data.is_null() };
        is_one.then_some(FragmentAttr(attribute))
    }

    /// The layout of a tile in that fragment, of elements of `bits`.
    ///
    /// # Errors
    /// The tile has no such layout: got and expected.
    pub fn layout(self, shape: &[i64], bits: u32, space: Space) -> Result<Layout, VerifyError> {
        // SAFETY: the attribute is a fragment, and its name lives as long as the context.
        layout(unsafe { bytes(shim::tileFragmentAttrGetName(self.0.to_raw())) }, shape, bits, space)
    }

    /// As a plain attribute.
    pub fn as_attribute(self) -> Attribute<'c> {
        self.0
    }
}

/// The name of a fragment, as it is printed.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(text: &[u8]) -> Result<String, Mistake> {
    let fragment = guard::quiet(|| parse(text));
    match fragment {
        Ok(Ok(fragment)) => Ok(fragment.to_string()),
        Ok(Err(FragmentMistake { at, error })) => Err(Mistake { at, text: error.to_string() }),
        Err(panicked) => Err(Mistake { at: 0, text: panicked.into() }),
    }
}

fn parse(text: &[u8]) -> Result<Fragment, FragmentMistake> {
    printable(text).parse()
}

/// Checks that a name is one of a fragment, as it is printed.
///
/// # Errors
/// Got and expected.
pub(crate) fn check_name(name: &[u8]) -> Result<(), VerifyError> {
    let printed = parse(name).map_err(|mistake| mistake.error)?.to_string();
    if printed.as_bytes() == name {
        return Ok(());
    }
    Err(mismatch!("fragment '{}'", printable(name); expected "it as '{printed}'"))
}

/// The layout of a tile in that fragment.
///
/// # Errors
/// The tile has no such layout: got and expected.
pub(crate) fn layout(name: &[u8], shape: &[i64], bits: u32, space: Space) -> Result<Layout, VerifyError> {
    let fragment = parse(name).map_err(|mistake| mistake.error)?;
    fragment.check_space(space)?;
    Ok(fragment.layout(shape, bits)?)
}
