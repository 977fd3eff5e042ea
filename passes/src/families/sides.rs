//! The parts that all stage ops share: two sides, a scope, and guards.

use melior::ir::{Attribute, Value};
use tile_dialect::LayoutAttr;
use tile_dialect::ops::{self, CopyOp, Scope, Term};
use tile_ops::Builder;
use tile_plan::{DynamicTerm, Guard, MatchedCopy, Side, VectorCopy, Which};

use crate::read::divisibility;
use crate::read::problem::{Reader, values};
use crate::read::root::root;
use crate::read::run_time::{self, RunTime};

/// One side of a stage op that is being built.
pub(super) struct End<'c, 'a> {
    /// The buffer.
    pub value: Value<'c, 'a>,
    /// Run-time offsets, then run-time strides.
    pub offsets: Vec<Value<'c, 'a>>,
    /// The numbers that describe each of them, as [`ops::term_numbers`] encodes them.
    pub terms: Vec<i64>,
    /// The layout of the region, in the iteration order of the copy.
    pub layout: Attribute<'c>,
}

impl<'c: 'a, 'a> End<'c, 'a> {
    /// A side of a plan, whose run-time terms and strides are indices into `values`.
    fn new(builder: Builder<'c, 'a>, value: Value<'c, 'a>, side: &Side, values: &[RunTime<'c, 'a>]) -> Option<Self> {
        let offsets: Vec<_> = in_turn(side, values)?.into_iter().map(|number| number.value(builder)).collect();
        let terms: Vec<_> = side.dynamic.iter().map(|term| (term.div, term.stride, term.axis)).collect();
        let terms = ops::term_numbers(&terms, side.strides.len());
        let layout = LayoutAttr::new(builder.location, &side.layout)?.as_attribute();
        Some(End { value, offsets, terms, layout })
    }
}

/// The values to which a side's terms and strides refer by index, in the order of the terms and strides.
fn in_turn<'v, 'c, 'a>(side: &Side, values: &'v [RunTime<'c, 'a>]) -> Option<Vec<&'v RunTime<'c, 'a>>> {
    let numbered = side.dynamic.iter().map(|term| term.value).chain(side.strides.iter().map(|stride| stride.value));
    numbered.map(|number| values.get(number)).collect()
}

/// The parts that all stage ops share: two sides and a scope.
pub(super) struct Sides<'c, 'a> {
    /// The source.
    pub src: End<'c, 'a>,
    /// The destination.
    pub dst: End<'c, 'a>,
    /// The scope whose threads copy.
    pub scope: Scope,
}

impl<'c: 'a, 'a> Sides<'c, 'a> {
    /// The sides of a copy, with the plan's layouts `src` and `dst`.
    pub fn of_copy(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, src: &Side, dst: &Side) -> Option<Self> {
        let (from, src_values) = numbered(&copy.src()?, Which::Src, src)?;
        let (to, dst_values) = numbered(&copy.dst()?, Which::Dst, dst)?;
        Some(Sides {
            src: End::new(builder, from, src, &src_values)?,
            dst: End::new(builder, to, dst, &dst_values)?,
            scope: copy.scope(),
        })
    }

    /// The sides of a copy, with the layouts of `plan`, whose run-time values are numbered in the order in which `part`
    /// uses those of the copy.
    pub fn of_part(
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        part: &MatchedCopy,
        plan: &VectorCopy,
    ) -> Option<Self> {
        let (from, src_values) = values(&copy.src()?, Which::Src).ok()?;
        let (to, dst_values) = values(&copy.dst()?, Which::Dst).ok()?;
        let taken = |side, values| Some(in_turn(side, values)?.into_iter().cloned().collect::<Vec<_>>());
        Some(Sides {
            src: End::new(builder, from, &plan.src, &taken(&part.src, &src_values)?)?,
            dst: End::new(builder, to, &plan.dst, &taken(&part.dst, &dst_values)?)?,
            scope: copy.scope(),
        })
    }

    /// The sides of another stage op, with the layouts of a plan.
    pub fn of_stage(builder: Builder<'c, 'a>, op: ops::StageOp<'c, 'a>, src: &Side, dst: &Side) -> Option<Self> {
        let (from, to) = (op.src()?, op.dst()?);
        let values = |side: &ops::Side<'c, 'a>| side.values().map(RunTime::Value).collect::<Vec<_>>();
        Some(Sides {
            src: End::new(builder, from.value, src, &values(&from))?,
            dst: End::new(builder, to.value, dst, &values(&to))?,
            scope: ops::scope(op.0),
        })
    }
}

/// Makes a stage op: `stage!(tile::matrix_copy, builder, sides; "ldstmatrix", shape, row_stride)`. A mandatory operand
/// besides the two sides is named: `limits = …`.
macro_rules! stage {
    ($make:path, $builder:expr, $sides:expr $(, limits = $operand:expr)?; $variant:expr $(, $attribute:expr)*) => {{
        let $crate::families::sides::Sides { src, dst, scope } = $sides;
        $make(
            $builder, src.value, &src.offsets, dst.value, &dst.offsets, $($operand,)? $variant, &src.terms, src.layout,
            &dst.terms, dst.layout, scope $(, $attribute)*
        )
    }};
}
pub(super) use stage;

/// The root of an operand's buffer, and the run-time values to which its side of a plan refers by index.
fn numbered<'c: 'a, 'a>(
    operand: &ops::Operand<'c, 'a>,
    which: Which,
    side: &Side,
) -> Option<(Value<'c, 'a>, Vec<RunTime<'c, 'a>>)> {
    if side.dynamic.is_empty() && side.strides.is_empty() {
        return Some((root(operand.value), Vec::new()));
    }
    // Reading the copy has already succeeded once.
    values(operand, which).ok()
}

/// A side in the planner's form.
pub(super) fn read_side(side: &ops::Side<'_, '_>, reader: &Reader<'_>) -> Side {
    let term = |(value, &Term { value: of, div, stride, axis }): (usize, &Term<'_, '_>)| {
        let (divisor, residue) = divisibility::of(of).floor_div(div).modulo();
        DynamicTerm { value, div, stride, axis, divisor, residue }
    };
    let strides = side.strides.iter().zip(side.terms.len()..);
    Side {
        space: side.buffer.space(),
        layout: side.layout.clone(),
        dynamic: side.terms.iter().enumerate().map(term).collect(),
        strides: strides.map(|(&stride, value)| run_time::stride(value, divisibility::of(stride))).collect(),
        align_bytes: reader.alignment(side.value),
    }
}

/// The divisor and extent of each guard; `None` where there are no guards.
pub(super) fn guards(guards: &[Guard]) -> Option<Vec<i64>> {
    let numbers: Vec<i64> = guards.iter().flat_map(|guard| [guard.div, guard.extent]).collect();
    (!numbers.is_empty()).then_some(numbers)
}

/// The guards that [`guards`] has encoded.
pub(super) fn read_guards(numbers: &[i64]) -> Vec<Guard> {
    numbers.chunks_exact(2).map(|pair| Guard { div: pair[0], extent: pair[1] }).collect()
}
