//! The bounds of a masked copy: the dimensions that its regions may leave.

use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::{Attribute, Value};
use tile_dialect::Space;
use tile_dialect::ops::{CopyOp, Filler, Offset, Operand, defining_op};
use tile_layout::OPEN;
use tile_ops::arith;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;

use super::divisibility;
use super::run_time::{self, RunTime};
use tile_plan::integer::Residue;

/// A dimension of an operand that its region may leave.
pub struct Bound<'c, 'a> {
    /// The operand.
    pub role: Role,
    /// The dimension of its buffer.
    pub dimension: usize,
    /// The same dimension, counted without dimensions of extent 1; `None` if it has extent 1.
    walked: Option<usize>,
    /// The start of the region.
    pub begin: RunTime<'c, 'a>,
    /// The size of the region.
    pub size: i64,
    /// The end of the buffer.
    pub extent: RunTime<'c, 'a>,
}

/// The dimensions that the regions of a masked copy may leave, the source's first; none where the copy is not masked.
pub fn bounds<'c: 'a, 'a>(copy: CopyOp<'c, 'a>) -> Vec<Bound<'c, 'a>> {
    if !copy.masked() {
        return Vec::new();
    }
    let is_tensor = |side: &Operand<'c, 'a>| side.buffer.space() == Space::Global;
    let side_bounds = |(role, side): (Role, Operand<'c, 'a>)| {
        of_side(role, &side, &copy.rows_of(role), copy.until().filter(|_| is_tensor(&side)))
    };
    copy.sides().into_iter().flatten().flat_map(side_bounds).collect()
}

/// The dimensions of one side; of rows that are named by their numbers, each is a bound of the first dimension, which may have
/// another end.
fn of_side<'c: 'a, 'a>(
    role: Role,
    side: &Operand<'c, 'a>,
    rows: &[Value<'c, 'a>],
    until: Option<Value<'c, 'a>>,
) -> Vec<Bound<'c, 'a>> {
    let open = run_time::extents(side.value);
    let mut walked = 0;
    let mut bounds = Vec::new();
    for (dimension, (&offset, &size)) in side.region.offsets.iter().zip(&side.region.sizes).enumerate() {
        let number = (size != 1).then_some(walked);
        walked += usize::from(size != 1);
        let known = |value| divisibility::infer(value).constant().map_or(RunTime::Value(value), RunTime::Constant);
        let begin = match offset {
            Offset::Constant(begin) => RunTime::Constant(begin),
            Offset::Value(value) => known(value),
        };
        let extent = match side.buffer.shape()[dimension] {
            OPEN => open.iter().find(|open| open.0 == dimension).map(|(_, extent)| extent.clone()),
            extent => Some(RunTime::Constant(extent)),
        };
        let extent = until.filter(|_| dimension == 0).map(known).or(extent);
        let Some(extent) = extent else { continue };
        let bound = |begin, size, walked| Bound { role, dimension, walked, begin, size, extent: extent.clone() };
        let added = match rows {
            [_, ..] if dimension == 0 => rows.iter().map(|&row| bound(known(row), 1, None)).collect(),
            _ => vec![bound(begin, size, number)],
        };
        bounds.extend(added.into_iter().filter(|bound| bound.inside() != Some(true)));
    }
    bounds
}

impl Bound<'_, '_> {
    /// Whether the region is inside, where that is known.
    pub fn inside(&self) -> Option<bool> {
        let (begin, extent) = (self.begin.known().constant(), self.extent.known().constant());
        let fits = |begin: i64| extent.map(|extent| begin.checked_add(self.size).is_some_and(|end| end <= extent));
        match begin {
            Some(begin) if begin < 0 => Some(false),
            Some(begin) => fits(begin),
            // At any start.
            None => fits(0).filter(|fits| !fits),
        }
    }
}

/// The mask of a copy with those bounds, whose regions have `extents`; begin and extent of each bound are numbered in turn.
pub fn mask(copy: CopyOp<'_, '_>, bounds: &[Bound<'_, '_>], extents: &[i64]) -> Option<Mask> {
    if bounds.is_empty() {
        return None;
    }
    let limit = |(index, bound): (usize, &Bound<'_, '_>)| MaskLimit {
        role: bound.role,
        dimension: bound.walked,
        offset: 0,
        scale: 1,
        begin: number(bound.begin.known(), 2 * index),
        extent: number(bound.extent.known(), 2 * index + 1),
    };
    let limits = bounds.iter().enumerate().map(limit).collect();
    Some(Mask::of(extents, limits, copy.filler().filter(|_| !copy.fills()).map(fill)))
}

/// Begin and extent of each bound.
pub fn values<'c: 'a, 'a>(bounds: &[Bound<'c, 'a>]) -> Vec<RunTime<'c, 'a>> {
    bounds.iter().flat_map(|bound| [bound.begin.clone(), bound.extent.clone()]).collect()
}

/// The number that fills, where it is known.
pub fn constant<'c>(filler: Filler<'c, '_>) -> Option<Attribute<'c>> {
    match filler {
        Filler::Constant(number) => Some(number),
        Filler::Value(value) => defining_op(value).and_then(arith::ConstantOp::cast)?.value_attribute(),
    }
}

/// What fills.
pub fn fill(filler: Filler<'_, '_>) -> Fill {
    let zero = constant(filler).is_some_and(|attribute| {
        let float = FloatAttribute::try_from(attribute).map(|float| float.value().to_bits() == 0);
        float.or_else(|_| IntegerAttribute::try_from(attribute).map(|integer| integer.value() == 0)).unwrap_or(false)
    });
    if zero { Fill::Zero } else { Fill::Value }
}

fn number(known: Residue, value: usize) -> Begin {
    if let Some(constant) = known.constant() {
        return Begin::Const(constant);
    }
    let (divisor, residue) = known.parts();
    Begin::Dynamic { value, divisor, residue }
}
