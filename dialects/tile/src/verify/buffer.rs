//! `#tile.layout` and `!tile.buffer`.

use tile_layout::{Axis, Iter, Layout, LayoutError, OPEN, by_x, by_x_where_known, counted};

use super::view::strided;
use crate::Space;
use crate::error::{VerifyError, malformed, mismatch};

/// Checks a layout by itself; an open extent may be any number.
pub(crate) fn layout(layout: Result<Layout, VerifyError>) -> Result<(), VerifyError> {
    let layout = layout?;
    closed(layout.clone())?.validate().map_err(|error| match (&error, with_run_time_strides(&layout)) {
        (LayoutError::NegativeAddress { axis: Axis::Memory, .. }, Some(given)) => {
            VerifyError::NegativeStrides { error, given: Box::new(given) }
        }
        _ => error.into(),
    })
}

/// A layout of memory alone whose strides below 0 are those of run time.
fn with_run_time_strides(layout: &Layout) -> Option<Layout> {
    let iters = &layout.shard;
    let [extents, strides] =
        [|iter: &Iter| iter.extent, |iter: &Iter| iter.stride].map(|field| iters.iter().map(field).collect::<Vec<_>>());
    let is_plain = *layout == Layout::new(iters.clone()) && iters.iter().all(|iter| iter.axis == Axis::Memory);
    strided(&extents, &strides).filter(|_| is_plain)
}

/// The layout with its open extents set to 1.
fn closed(layout: Layout) -> Result<Layout, VerifyError> {
    let open = layout.shard.iter().filter(|iter| iter.extent == OPEN).count();
    Ok(layout.closed(&vec![1; open])?)
}

/// Checks a layout for a tile of a shape in a space.
pub(crate) fn buffer(shape: &[i64], space: i32, layout: Result<Layout, VerifyError>) -> Result<(), VerifyError> {
    let layout = layout?;
    let space = Space::from_code(i64::from(space))
        .ok_or_else(|| mismatch!("space {space}"; expected "global, shared, local or tmem"))?;
    let elements = element_count(shape)?;
    if layout.is_open() || shape.contains(&OPEN) {
        return open(shape, space, layout);
    }
    if layout.size() != elements {
        return Err(mismatch!("a layout of {}", counted(layout.size(), "element");
            expected "{elements} for shape {}", by_x(shape)));
    }
    axes(space, &layout)
}

/// Checks a tile with extents that are known only at run time.
fn open(shape: &[i64], space: Space, layout: Layout) -> Result<(), VerifyError> {
    if space != Space::Global {
        return Err(mismatch!("'?' in a {} tile", space.name(); expected "it in a global one only"));
    }
    let shape_text = by_x_where_known(shape.iter().map(|&extent| (extent != OPEN).then_some(extent)));
    layout.open_iters(shape).map_err(|error| VerifyError::Shape { shape: shape_text.to_string(), error })?;
    if let Some(iter) = layout.shard.iter().find(|iter| iter.extent == OPEN && iter.stride < 0) {
        return Err(mismatch!("stride {} for an extent '?'", iter.stride; expected "at least 0"));
    }
    axes(space, &closed(layout)?)
}

/// The dense row-major layout of a shape.
pub(crate) fn row_major(shape: &[i64]) -> Result<Layout, VerifyError> {
    element_count(shape)?;
    Ok(Layout::open_row_major(shape)?)
}

fn element_count(shape: &[i64]) -> Result<i64, VerifyError> {
    for (dimension, &extent) in shape.iter().enumerate() {
        if extent < 1 && extent != OPEN {
            return Err(mismatch!("extent {extent} in dimension {dimension}"; expected "at least 1"));
        }
    }
    let known: Vec<i64> = shape.iter().copied().filter(|&extent| extent != OPEN).collect();
    Ok(tile_layout::check::shape_size(&known)?)
}

fn axes(space: Space, layout: &Layout) -> Result<(), VerifyError> {
    let allowed = |axis: Axis| match space {
        Space::Global => axis.is_address(),
        Space::Shared => axis == Axis::Memory,
        Space::Local => axis == Axis::Memory || axis.is_thread(),
        Space::Tmem => matches!(axis, Axis::TLane | Axis::TCol),
    };
    let shard = layout.shard.iter().filter(|iter| iter.extent != 1);
    let used = shard.chain(&layout.replica).map(|iter| iter.axis).chain(layout.offset.keys().copied());
    if let Some(axis) = used.into_iter().find(|&axis| !allowed(axis)) {
        let expected = match space {
            Space::Global => "memory and run-time strides only",
            Space::Shared => "memory only",
            Space::Local => "registers and threads only",
            Space::Tmem => "TLane and TCol only",
        };
        return Err(mismatch!("axis '{axis}' in a {} tile's layout", space.name(); expected "{expected}"));
    }
    let mut named = layout.axes().filter(|axis| axis.stride_index().is_some()).zip(Axis::STRIDES);
    if let Some((axis, before)) = named.find(|(axis, expected)| axis != expected) {
        return Err(mismatch!("axis '{axis}' without '{before}'"; expected "the run-time strides from s0 on"));
    }
    for axis in layout.axes() {
        let (span, most) = (layout.span(axis), positions(axis));
        if span > most {
            return Err(malformed!("the layout reaches position {} on axis '{axis}'", span - 1;
                expected "below {most}"));
        }
    }
    if layout.replica.iter().any(|iter| iter.axis.is_address() && iter.extent > 1) {
        return Err(VerifyError::ReplicaInMemory);
    }
    if layout.swizzle.is_some() && !matches!(space, Space::Global | Space::Shared) {
        return Err(VerifyError::Swizzle(space.name()));
    }
    Ok(())
}

/// The number of positions that an axis has on every GPU.
fn positions(axis: Axis) -> i64 {
    match axis {
        Axis::LaneId => 32,
        Axis::WidInWg => 4,
        Axis::TidInWg | Axis::TLane => 128,
        Axis::Tx => 1024,
        Axis::WarpId => 32,
        Axis::WgId => 8,
        _ => i64::MAX,
    }
}
