//! What all ops between the passes have: two sides, a scope, and guards.

use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef, Value};
use tile_dialect::LayoutAttr;
use tile_dialect::ops::{self, CopyOp, integers};
use tile_plan::{DynamicTerm, Guard, Side};

use crate::build::Builder;
use crate::read::divisibility;
use crate::read::problem::{Reader, values};
use crate::read::words::space;

/// A list of named attributes.
pub(super) type Named<'c> = Vec<(&'static str, Attribute<'c>)>;

/// One side of a stage op that is being made: the buffer, the plan's side, and the run-time terms.
pub(super) type BuiltSide<'c, 'a, 's> = (Value<'c, 'a>, &'s Side, Vec<(Value<'c, 'a>, i64, i64)>);

/// What all stage ops have: two sides and a scope.
pub(super) struct Sides<'c, 'a> {
    operands: Vec<Value<'c, 'a>>,
    segments: Vec<usize>,
    attributes: Named<'c>,
}

impl<'c, 'a> Sides<'c, 'a> {
    /// The sides of a copy in the order of `src`, `dst`.
    pub fn of_copy(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, src: &Side, dst: &Side) -> Option<Self> {
        let (from, to) = (copy.src()?, copy.dst()?);
        let (src_terms, dst_terms) = (terms(src, &values(&from)), terms(dst, &values(&to)));
        Self::new(builder, copy.0, (from.value, src, src_terms), (to.value, dst, dst_terms))
    }

    /// Two sides, and the scope of `op`.
    pub fn new(
        builder: Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        src: BuiltSide<'c, 'a, '_>,
        dst: BuiltSide<'c, 'a, '_>,
    ) -> Option<Self> {
        let (mut operands, mut segments) = (Vec::new(), Vec::new());
        let mut attributes = vec![("scope", op.attribute("scope").ok()?)];
        for ((value, side, terms), (terms_name, layout_name)) in
            [src, dst].into_iter().zip([("srcTerms", "srcLayout"), ("dstTerms", "dstLayout")])
        {
            operands.push(value);
            operands.extend(terms.iter().map(|&(value, ..)| value));
            segments.extend([1, terms.len()]);
            let numbers: Vec<i64> = terms.iter().flat_map(|&(_, divisor, stride)| [divisor, stride]).collect();
            attributes.push((terms_name, builder.list(&numbers)));
            attributes.push((layout_name, LayoutAttr::new(builder.location, &side.layout)?.as_attribute()));
        }
        Some(Sides { operands, segments, attributes })
    }

    /// One more operand group, of at most one operand.
    pub fn operand(mut self, value: Option<Value<'c, 'a>>) -> Self {
        self.segments.push(value.iter().len());
        self.operands.extend(value);
        self
    }

    /// The op.
    pub fn build(self, builder: Builder<'c, 'a>, name: &str, attributes: Named<'c>) -> OperationRef<'c, 'a> {
        let mut all = self.attributes;
        all.push(builder.segments(&self.segments));
        all.extend(attributes);
        builder.op(name, &self.operands, &[], &all)
    }
}

/// The run-time values of a side with divisor and stride of each.
pub(super) fn terms<'c, 'a>(side: &Side, values: &[Value<'c, 'a>]) -> Vec<(Value<'c, 'a>, i64, i64)> {
    side.dynamic.iter().filter_map(|term| Some((*values.get(term.value)?, term.div, term.stride))).collect()
}

/// A side as the planner has it.
pub(super) fn read_side(side: &ops::Side<'_, '_>, reader: &Reader<'_>) -> Side {
    let term = |(value, &(of, div, stride)): (usize, &(Value<'_, '_>, i64, i64))| {
        let (divisor, residue) = divisibility::of(of).floor_div(div).parts();
        DynamicTerm { value, div, stride, divisor, residue }
    };
    Side {
        space: space(side.buffer.space()),
        layout: side.layout.clone(),
        dynamic: side.terms.iter().enumerate().map(term).collect(),
        align_bytes: reader.alignment(side.value),
    }
}

pub(super) fn guards<'c>(builder: Builder<'c, '_>, guards: &[Guard]) -> Option<(&'static str, Attribute<'c>)> {
    let numbers: Vec<i64> = guards.iter().flat_map(|guard| [guard.div, guard.extent]).collect();
    (!numbers.is_empty()).then(|| ("guards", builder.list(&numbers)))
}

pub(super) fn read_guards(op: OperationRef<'_, '_>) -> Vec<Guard> {
    integers(op, "guards").chunks_exact(2).map(|pair| Guard { div: pair[0], extent: pair[1] }).collect()
}
