//! Plans as ops, and back.
//!
//! | module | subject |
//! | --- | --- |
//! | [`build`] | an op from a plan |
//! | [`read`] | a plan from an op |
//! | [`tensor`] | both, for tensor memory and bulk copies |
//! | [`complete`] | what completes an asynchronous copy |

mod build;
mod complete;
mod read;
mod tensor;

pub use build::{build_aligned, build_vector};
pub use complete::complete;
pub use read::{check_variant, elected, read_aligned, read_matrix, read_scalar, read_vector};
pub use tensor::{read_bulk, read_tensor_access, read_tensor_copy};

use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef, Value};
use tile_dialect::LayoutAttr;
use tile_dialect::ops::CopyOp;
use tile_plan::Side;

use crate::build::Builder;
use crate::read::problem::values;

/// A list of named attributes.
type Named<'c> = Vec<(&'static str, Attribute<'c>)>;

/// One side of a stage op that is being made: the buffer, the plan's side, and the run-time terms.
type BuiltSide<'c, 'a, 's> = (Value<'c, 'a>, &'s Side, Vec<(Value<'c, 'a>, i64, i64)>);

/// What all stage ops have: two sides and a scope.
struct Sides<'c, 'a> {
    operands: Vec<Value<'c, 'a>>,
    segments: Vec<usize>,
    attributes: Named<'c>,
}

impl<'c, 'a> Sides<'c, 'a> {
    /// The sides of a copy in the order of `src`, `dst`.
    fn of_copy(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, src: &Side, dst: &Side) -> Option<Self> {
        let (from, to) = (copy.src()?, copy.dst()?);
        let (src_terms, dst_terms) = (terms(src, &values(&from)), terms(dst, &values(&to)));
        Self::new(builder, copy.0, (from.value, src, src_terms), (to.value, dst, dst_terms))
    }

    /// Two sides, and the scope of `op`.
    fn new(
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
    fn operand(mut self, value: Option<Value<'c, 'a>>) -> Self {
        self.segments.push(value.iter().len());
        self.operands.extend(value);
        self
    }

    /// The op.
    fn build(self, builder: Builder<'c, 'a>, name: &str, attributes: Named<'c>) -> OperationRef<'c, 'a> {
        let mut all = self.attributes;
        all.push(builder.segments(&self.segments));
        all.extend(attributes);
        builder.op(name, &self.operands, &[], &all)
    }
}

/// The run-time values of a side with divisor and stride of each.
fn terms<'c, 'a>(side: &Side, values: &[Value<'c, 'a>]) -> Vec<(Value<'c, 'a>, i64, i64)> {
    side.dynamic.iter().filter_map(|term| Some((*values.get(term.value)?, term.div, term.stride))).collect()
}
