//! `#tile.fragment`, which names a layout: [`tile_isa::fragment`] reads the names, and knows the layouts.

use tile_isa::Fragment;
use tile_isa::fragment::FragmentMistake;
use tile_layout::Layout;

use crate::buffer::Space;
use crate::guard;
use crate::layout_text::{Mistake, printable};

/// The name of a fragment, as it is printed.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(text: &[u8]) -> Result<String, Mistake> {
    let fragment = guard::quiet(|| parse(text));
    match fragment {
        Ok(Ok(fragment)) => Ok(fragment.to_string()),
        Ok(Err(FragmentMistake { at, error })) => Err(Mistake { at, text: error.to_string() }),
        Err(panic) => Err(Mistake { at: 0, text: format!("made the compiler fail: {panic}") }),
    }
}

fn parse(text: &[u8]) -> Result<Fragment, FragmentMistake> {
    printable(text).parse()
}

/// Checks that a name is one of a fragment, as it is printed.
///
/// # Errors
/// Got and expected.
pub(crate) fn check_name(name: &[u8]) -> Result<(), String> {
    let printed = parse(name).map_err(|mistake| mistake.error.to_string())?.to_string();
    if printed.as_bytes() == name {
        return Ok(());
    }
    Err(format!("got fragment '{}', expected it as '{printed}'", printable(name)))
}

/// The layout of a tile in that fragment.
///
/// # Errors
/// The tile has no such layout: got and expected.
pub(crate) fn layout(name: &[u8], shape: &[i64], bits: u32, space: i32) -> Result<Layout, String> {
    let fragment = parse(name).map_err(|mistake| mistake.error.to_string())?;
    let space = Space::from_code(i64::from(space)).ok_or("got an unknown space")?;
    fragment.check_space(space)?;
    Ok(fragment.layout(shape, bits)?)
}
