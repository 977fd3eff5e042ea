//! `#tile.layout` and `!tile.buffer`.

use tile_layout::{Axis, Layout, counted};

use crate::Space;
use crate::memref::DYNAMIC;

/// A layout by itself.
pub(crate) fn layout(layout: Result<Layout, String>) -> Result<(), String> {
    layout?.validate().map_err(|error| error.to_string())
}

/// A layout for a tile of a shape in a space.
pub(crate) fn buffer(shape: &[i64], space: i32, layout: Result<Layout, String>) -> Result<(), String> {
    let layout = layout?;
    let space = Space::from_code(i64::from(space)).ok_or("got an unknown space")?;
    let elements = element_count(shape)?;
    if layout.size() != elements {
        return Err(format!(
            "got a layout of {}, expected {elements} for shape {}",
            counted(layout.size(), "element"),
            shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x"),
        ));
    }
    axes(space, &layout)
}

/// The dense row-major layout of a shape.
pub(crate) fn row_major(shape: &[i64]) -> Result<Layout, String> {
    element_count(shape)?;
    Ok(Layout::row_major(shape))
}

fn element_count(shape: &[i64]) -> Result<i64, String> {
    for (dimension, &extent) in shape.iter().enumerate() {
        if extent == DYNAMIC {
            return Err(format!("got a dynamic extent in dimension {dimension}; a tile's shape is static"));
        }
        if extent < 1 {
            return Err(format!("got extent {extent} in dimension {dimension}, expected at least 1"));
        }
    }
    tile_layout::check::shape_size(shape).map_err(|error| error.to_string())
}

fn axes(space: Space, layout: &Layout) -> Result<(), String> {
    let allowed = |axis: Axis| match space {
        Space::Global | Space::Shared => axis == Axis::Memory,
        Space::Local => axis == Axis::Memory || axis.is_thread(),
        Space::Tmem => matches!(axis, Axis::TLane | Axis::TCol),
    };
    let shard = layout.shard.iter().filter(|iter| iter.extent != 1);
    let used = shard.chain(&layout.replica).map(|iter| iter.axis).chain(layout.offset.keys().copied());
    if let Some(axis) = used.into_iter().find(|&axis| !allowed(axis)) {
        let expected = match space {
            Space::Global | Space::Shared => "memory only",
            Space::Local => "registers and threads only",
            Space::Tmem => "TLane and TCol only",
        };
        return Err(format!("got axis '{axis}' in a {} tile's layout, expected {expected}", space.name()));
    }
    for axis in layout.axes() {
        let (span, most) = (layout.span(axis), positions(axis));
        if span > most {
            return Err(format!("the layout reaches position {} on axis '{axis}', expected below {most}", span - 1));
        }
    }
    if layout.replica.iter().any(|iter| iter.axis == Axis::Memory && iter.extent > 1) {
        return Err("got a replica in memory; replicas are on thread axes or in tensor memory".to_owned());
    }
    if layout.swizzle.is_some() && !matches!(space, Space::Global | Space::Shared) {
        return Err(format!("got a swizzle in a {} tile's layout; swizzles are for addressed memory", space.name()));
    }
    Ok(())
}

/// Positions that an axis has on every GPU.
fn positions(axis: Axis) -> i64 {
    match axis {
        Axis::LaneId => 32,
        Axis::WidInWg => 4,
        Axis::TidInWg | Axis::TLane => 128,
        Axis::Tx => 1024,
        Axis::WarpId => 32,
        Axis::WgId => 8,
        Axis::Memory | Axis::Bx | Axis::By | Axis::Bz | Axis::Cbx | Axis::Cby | Axis::Cbz | Axis::TCol => i64::MAX,
    }
}
