//! The dimensions of a map, made fewer and wider: what turns pieces into a map that the engine takes.
//!
//! ```text
//!   64 x 8 x 4 x 4 halfwords, dense on both sides
//!     64 x 8 has more than 256 elements as halfwords, not as words     256 words x 4 x 4
//!     4 x 4 continue each other                                       256 words x 16
//! ```

use tile_layout::{Axis, counted};

use super::element::MapElement;
use super::frame::Frame;
use super::map::{Extent, MAX_BOX, MapDim, Stride, TensorMap};
use super::pieces::Piece;
use super::plan::{BoxLoop, Coordinate, Part};
use super::swizzle::{ATOM_BYTES, BOX_ALIGN};
use crate::problem::refusal::Refusal;
use crate::problem::tensor_map::{OutOfBounds, Promotion};

/// Coordinates are 32-bit integers: a dimension that becomes longer is not made.
const MAX_MERGED: i64 = 1 << 31;

/// The bytes of a row that leave the other half of the widest L2 fetch to the next box.
const HALF_FETCH: i64 = 128;

/// A dimension of a map in the making. All numbers are in elements of the tensor, or in steps of the dimension.
#[derive(Clone, Debug)]
pub(super) struct DimDraft {
    pub size: Option<i64>,
    /// The size where only the host knows it, …
    pub extent: Extent,
    /// … and what that is a multiple of.
    pub multiple: i64,
    pub stride: i64,
    pub axis: Axis,
    pub boxed: i64,
    pub at: Coordinate,
    /// Whether no box leaves the tensor here, unless it is wider than its piece.
    pub inside: bool,
    /// The steps of each loop.
    pub steps: Vec<i64>,
}

impl DimDraft {
    /// Whether no row of a box leaves the tensor, or only where 16 bytes of it end.
    fn ends_with_chunk(&self, frame: &Frame) -> bool {
        self.inside || self.size.is_none() && self.multiple.saturating_mul(frame.bytes) % ATOM_BYTES == 0
    }
}

/// The dimensions, and how many elements of the tensor the map has as one.
#[derive(Debug)]
pub(super) struct MapShape {
    drafts: Vec<DimDraft>,
    wide: i64,
}

impl MapShape {
    /// The fewest dimensions.
    pub(super) fn new(frame: &Frame, drafts: Vec<DimDraft>) -> Self {
        let mut shape = MapShape { drafts, wide: 1 };
        if !frame.apart {
            shape.merge(frame);
        }
        while shape.drafts.first().is_some_and(|first| first.boxed / shape.wide > MAX_BOX)
            && shape.widens(frame, shape.wide * 2)
        {
            shape.wide *= 2;
        }
        shape
    }

    /// Leaves out dimensions of one element, and makes one of those that continue each other.
    fn merge(&mut self, frame: &Frame) {
        let nothing = |draft: &DimDraft| {
            draft.size == Some(1)
                && draft.boxed == 1
                && draft.at.multiple() == 0
                && draft.steps.iter().all(|&step| step == 0)
        };
        self.drafts.retain(|draft| !nothing(draft));
        let mut inner = 0;
        while inner + 1 < self.drafts.len() {
            match self.merged(frame, inner) {
                Some((draft, wide)) => {
                    self.wide = wide;
                    self.drafts.splice(inner..inner + 2, [draft]);
                    inner = 0;
                }
                None => inner += 1,
            }
        }
    }

    /// A dimension and the next one as one, and the elements that the map then has as one: where the box takes all of the
    /// inner one, and the outer one continues it.
    fn merged(&self, frame: &Frame, inner: usize) -> Option<(DimDraft, i64)> {
        let (a, b) = (&self.drafts[inner], &self.drafts[inner + 1]);
        let size = a.size.filter(|&size| size == a.boxed && a.at.multiple() == 0)?;
        let loops = a.steps.iter().chain(&b.steps).any(|&step| step != 0);
        let continues =
            a.axis == Axis::Memory && b.axis == Axis::Memory && a.stride.checked_mul(size) == Some(b.stride);
        let whole = b.size.and_then(|outer| outer.checked_mul(size)).filter(|&whole| whole <= MAX_MERGED)?;
        let boxed = a.boxed * b.boxed;
        let in_span = inner > 0 || frame.swizzle.span().is_none_or(|span| boxed * frame.bytes <= span);
        if loops || !continues || !in_span {
            return None;
        }
        let draft = DimDraft {
            size: Some(whole),
            boxed,
            at: b.at.times(size),
            stride: a.stride,
            inside: a.inside && b.inside,
            ..b.clone()
        };
        let wide = if inner == 0 { self.wide } else { 1 };
        if boxed / wide <= MAX_BOX {
            return Some((draft, self.wide));
        }
        let third = inner == 0 && self.drafts.len() > 2;
        let wider = MapShape { drafts: vec![draft.clone()], wide };
        (third && boxed / wide / 2 <= MAX_BOX && wider.widens(frame, wide * 2)).then_some((draft, wide * 2))
    }

    /// Whether the map may have `wide` elements of the tensor as one.
    fn widens(&self, frame: &Frame, wide: i64) -> bool {
        let Some(first) = self.drafts.first() else { return false };
        let divides = |number: i64| number % wide == 0;
        frame.widens
            && wide * frame.bytes <= 8
            && first.size.is_some_and(divides)
            && divides(first.boxed)
            && divides(first.at.multiple())
            && first.steps.iter().all(|&step| divides(step))
    }

    /// The map with its boxes, all rules checked.
    pub(super) fn part(self, frame: &Frame, looped: &[Piece], offset: i64, base: i64) -> Result<Part, Refusal> {
        let map = self.map(frame, base)?;
        map.check().map_err(|refusal| Refusal { operand: Some(frame.form.global()), ..refusal })?;
        let wide = |dim: usize| if dim == 0 { self.wide } else { 1 };
        let at: Vec<_> = self.drafts.iter().enumerate().map(|(dim, draft)| draft.at.over(wide(dim))).collect();
        let turn = |(number, piece): (usize, &Piece)| {
            let steps = self.drafts.iter().enumerate().map(|(dim, draft)| draft.steps[number] / wide(dim)).collect();
            BoxLoop { count: piece.extent, offset: piece.shared, steps }
        };
        let mut loops: Vec<BoxLoop> = looped.iter().enumerate().map(turn).collect();
        loops.reverse();
        let part = Part { map, at, offset, loops };
        frame.check_part(&part, self.drafts.first().is_none_or(|first| first.ends_with_chunk(frame)))?;
        Ok(part)
    }

    fn map(&self, frame: &Frame, base: i64) -> Result<TensorMap, Refusal> {
        let element = if self.wide == 1 { Some(frame.element) } else { MapElement::of_bytes(self.wide * frame.bytes) };
        let element = element.unwrap_or(frame.element);
        let dims = self.drafts.iter().enumerate().map(|(number, draft)| {
            let wide = if number == 0 { self.wide } else { 1 };
            let bytes = draft.stride.saturating_mul(wide).saturating_mul(frame.bytes);
            let stride = match draft.axis.stride_index() {
                Some(stride) => Stride::Times { stride, bytes },
                None => Stride::Bytes(bytes),
            };
            let extent = draft.size.map_or(draft.extent, |size| Extent::Const(size / wide));
            MapDim::new(extent, stride, draft.boxed / wide)
        });
        let dims: Vec<MapDim> = dims.collect();
        frame.map(element, dims, base)
    }
}

impl Frame {
    /// The map of these dimensions, `base` elements into the tensor.
    pub(super) fn map(&self, element: MapElement, dims: Vec<MapDim>, base: i64) -> Result<TensorMap, Refusal> {
        let row = dims.first().map_or(0, |dim| dim.boxed * element.bytes());
        let promotion = self.promotion.unwrap_or(if row == HALF_FETCH { Promotion::B256 } else { Promotion::None });
        let base =
            base.checked_mul(self.bytes).ok_or_else(|| Refusal::new("map-base", "the map begins beyond 64 bits"))?;
        let fill = if self.form.is_store() { OutOfBounds::Zero } else { self.fill };
        Ok(TensorMap { element, base, dims, pixels: 0, swizzle: self.swizzle, promotion, fill })
    }

    /// Checks the coordinates and the places of boxes; `fits` says that no row of a box leaves the tensor inside of 16 bytes.
    pub(super) fn check_part(&self, part: &Part, fits: bool) -> Result<(), Refusal> {
        check_coordinates(self, part)?;
        check_row_end(self, part, fits)?;
        check_places(self, part)
    }
}

/// Checks the coordinates: 32 bits; the first at a multiple of 16 bytes, or the engine traps; those of stores not negative.
fn check_coordinates(frame: &Frame, part: &Part) -> Result<(), Refusal> {
    let global = frame.form.global();
    let size = part.map.element.bytes();
    let inner = part.at.first().map_or(0, |at| at.multiple());
    let inner =
        part.loops.iter().fold(inner, |inner, turn| tile_layout::gcd(inner, turn.steps.first().copied().unwrap_or(0)));
    if inner * size % ATOM_BYTES != 0 {
        let bytes = counted(inner * size, "byte");
        let reason =
            format!("the first coordinate is known to be a multiple of {bytes}; needed 16, or the engine traps");
        return Err(Refusal::of(global, "coordinate-not-16-bytes", reason));
    }
    for (dim, at) in part.at.iter().enumerate() {
        let longest = part.map.dims.get(dim).map_or(Extent::Const(0), |dim| dim.extent);
        let moves = at.moving.is_some() && matches!(longest, Extent::Const(extent) if extent > MAX_MERGED);
        let last = part
            .loops
            .iter()
            .fold(at.constant, |last, turn| last.saturating_add((turn.count - 1).saturating_mul(turn.steps[dim])));
        if moves || i32::try_from(at.constant).is_err() || i32::try_from(last).is_err() {
            let got = if moves { "any of a longer dimension".to_owned() } else { last.to_string() };
            let reason = format!("coordinate {dim} is {got}; needed an integer of 32 bits");
            return Err(Refusal::of(global, "coordinate-beyond-32-bits", reason));
        }
        if at.constant < 0 && frame.form.is_store() && at.moving.is_none() {
            let reason = format!("coordinate {dim} of a store is {}; needed 0 or more", at.constant);
            return Err(Refusal::of(global, "negative-corner", reason));
        }
    }
    Ok(())
}

/// Checks that a store writes nothing behind a row: the engine leaves out what is outside of the tensor, but writes all of the
/// 16 bytes that contain a row's last element.
fn check_row_end(frame: &Frame, part: &Part, known_to_fit: bool) -> Result<(), Refusal> {
    let Some((dim, at)) = part.map.dims.first().zip(part.at.first()).filter(|_| frame.form.is_store()) else {
        return Ok(());
    };
    let steps = part.loops.iter().map(|turn| (turn.count - 1).saturating_mul(turn.steps[0].max(0)));
    let end = steps.fold(at.constant.saturating_add(dim.boxed), i64::saturating_add);
    let size = part.map.element.bytes();
    let (fits, row) = match dim.extent {
        Extent::Const(extent) if extent * size % ATOM_BYTES == 0 => return Ok(()),
        Extent::Const(extent) if at.moving.is_none() => (end <= extent, counted(extent * size, "byte").to_string()),
        Extent::Const(extent) => (known_to_fit, counted(extent * size, "byte").to_string()),
        Extent::Of(_) | Extent::Blocks { .. } => (known_to_fit, "a number of bytes known at run time".to_owned()),
    };
    if fits {
        return Ok(());
    }
    let reason = format!(
        "the boxes of a store may pass the end of rows of {row}; needed a multiple of 16, up to which the engine writes"
    );
    Err(Refusal::of(frame.form.global(), "map-row-end", reason))
}

/// Checks where boxes are in shared memory.
fn check_places(frame: &Frame, part: &Part) -> Result<(), Refusal> {
    let places = part.loops.iter().map(|turn| turn.offset).chain([part.offset]);
    match places.map(|place| place.saturating_mul(frame.bytes)).find(|bytes| bytes % BOX_ALIGN != 0) {
        Some(bytes) => {
            let reason = format!("a box is {bytes} bytes further in shared memory; needed a multiple of {BOX_ALIGN}");
            Err(Refusal::of(frame.form.global().other(), "box-not-128-bytes", reason))
        }
        None => Ok(()),
    }
}
