//! What tiles have beyond the memory that they are loaded from, and what reductions find there.
//!
//! ```text
//!   rows of 1000 in tiles of 1024         tile.copy … masked fill(1.0)
//!   terms of a sum                        tile.map: select(j < 1000, term, 0.0)
//! ```

use melior::ir::{Type, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{self as memrefs, DYNAMIC};
use tile_dialect::ops::{CombineKind, ScanElement};
use tile_ops::constant::ConstantNumber;
use tile_ops::tile::ReduceKind;
use tile_ops::{Builder, arith, constant, memref};
use tile_plan::linalg::LinalgRefusal;

use super::read::StructuredReading;
use super::tiles::{self, memref_type};
use crate::emit::{Kit, identity};

/// What a tile has where the memory that it is loaded from ends.
#[derive(Clone, Copy)]
pub enum Padding {
    /// Zeros, which products do not add.
    Zero,
    /// Ones, of which every function has a value.
    One,
    /// What an operator does not change anything by.
    Neutral(ReduceKind),
}

impl Padding {
    /// An element beyond an edge.
    ///
    /// # Errors
    /// There is none of that type.
    pub fn filler<'c: 'a, 'a>(
        self,
        builder: Builder<'c, 'a>,
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, LinalgRefusal> {
        let other = || LinalgRefusal::Elements { got: element.to_string() };
        let kind = match self {
            Padding::Zero => CombineKind::Add,
            Padding::One => CombineKind::Mul,
            // Of an element and NaN, arith.maxnumf and minnumf take the element.
            Padding::Neutral(ReduceKind::Custom) => {
                return Ok(constant::typed(builder, constant::number(element, ConstantNumber::Float(f64::NAN))));
            }
            Padding::Neutral(kind) => CombineKind::from_code(kind as i64).ok_or_else(other)?,
        };
        let scalar = ScanElement::new(element).ok_or_else(other)?;
        identity(Kit::new(builder), kind, scalar).ok_or_else(other)
    }
}

/// What a function has beyond the ends of loops.
pub struct FunctionEdge<'c, 'a> {
    /// The loops, each with its end.
    pub ends: Vec<(usize, Value<'c, 'a>)>,
    /// The value there.
    pub value: Value<'c, 'a>,
}

impl<'c: 'a, 'a> FunctionEdge<'c, 'a> {
    /// What a reduction along loops that may end before their tiles finds beyond; `None` where none does.
    ///
    /// # Errors
    /// The operator has no neutral element, or nothing says where a loop ends.
    pub fn of_reduction(
        builder: Builder<'c, 'a>,
        reading: &StructuredReading<'c, 'a>,
        along: &[usize],
        (kind, element): (ReduceKind, Type<'c>),
    ) -> Result<Option<Self>, LinalgRefusal> {
        let is_open = |number: &&usize| reading.structured.is_open[**number];
        let end = |&number: &usize| {
            end(builder, reading, number).map(|end| (number, end)).ok_or(LinalgRefusal::Unbounded { number })
        };
        let ends: Vec<_> = along.iter().filter(is_open).map(end).collect::<Result<_, _>>()?;
        if ends.is_empty() {
            return Ok(None);
        }
        Ok(Some(FunctionEdge { ends, value: Padding::Neutral(kind).filler(builder, element)? }))
    }

    /// A value, or that of the edge where a coordinate is beyond an end.
    pub fn select(
        &self,
        builder: Builder<'c, 'a>,
        value: Value<'c, 'a>,
        coordinate: impl Fn(usize) -> Option<Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        self.ends.iter().fold(value, |value, (number, end)| {
            let Some(coordinate) = coordinate(*number) else { return value };
            let is_inside = arith::cmpi(builder, coordinate, *end, arith::CmpIPredicate::Slt).value();
            arith::select(builder, is_inside, value, self.value).value()
        })
    }
}

/// The number of iterations of a loop, as one of the operands has it.
fn end<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    number: usize,
) -> Option<Value<'c, 'a>> {
    let operands = reading.operands.iter().zip(&reading.structured.maps);
    operands.into_iter().find_map(|(value, map)| {
        let dimension = map.as_ref()?.iter().position(|one| *one == number)?;
        let extents = memrefs::extents(memref_type(*value)?);
        if extents[dimension] != DYNAMIC {
            return Some(constant::index(builder, extents[dimension]));
        }
        if tiles::tile(*value).is_none() {
            let dimension = constant::index(builder, i64::try_from(dimension).ok()?);
            return Some(memref::dim(builder, *value, dimension).value());
        }
        // What presents a tile names these extents after it.
        let place = extents[..dimension].iter().filter(|extent| **extent == DYNAMIC).count();
        defining_op(*value)?.operand_at(1 + place)
    })
}
