//! Making ops and attributes.

use melior::ir::attribute::TypeAttribute;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Attribute, Location, OperationRef, Type, Value};
use tile_dialect::Ctx;
use tile_dialect::ir::Parts;
use tile_dialect::ir::Rewriter;

/// Makes ops at the rewriter's insertion point, all with one location.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    /// Where ops go.
    pub rewriter: Rewriter<'c, 'a>,
    /// Of every op that is made.
    pub location: Location<'c>,
    /// Of every op that is made.
    pub context: Ctx<'c>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// A builder for ops that stand for `op`, before it.
    pub fn before(rewriter: Rewriter<'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
        rewriter.set_insertion_point_before(op);
        Builder { rewriter, location: op.location(), context: Ctx::of(op) }
    }

    /// Makes an op. Inherent attributes go by their names.
    ///
    /// # Panics
    /// When MLIR cannot make the op; the pass reports it at the op that is lowered.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let builder = OperationBuilder::new(name, self.location).add_operands(operands).add_results(results);
        self.insert(builder, attributes)
    }

    /// Makes the op that `builder` describes.
    ///
    /// # Panics
    /// As [`Builder::op`].
    pub fn insert(&self, builder: OperationBuilder<'c>, attributes: &[(&str, Attribute<'c>)]) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (self.context.identifier(name), *value)).collect();
        let op = builder.add_attributes(&attributes).build().expect("the op is well formed");
        self.rewriter.insert(op)
    }

    /// Makes an op with one result and returns that.
    ///
    /// # Panics
    /// As [`Builder::op`].
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Value<'c, 'a> {
        result_of(self.op(name, operands, &[result], attributes), 0)
    }

    /// Makes ops at the place that `go` sets, then comes back.
    pub fn elsewhere<R>(&self, go: impl FnOnce(Rewriter<'c, 'a>), make: impl FnOnce(Self) -> R) -> R {
        let place = self.rewriter.place();
        go(self.rewriter);
        let result = make(*self);
        self.rewriter.set_place(place);
        result
    }

    /// A 64-bit integer attribute.
    pub fn i64(&self, value: i64) -> Attribute<'c> {
        self.context.integer_attribute(64, value)
    }

    /// A list of 64-bit integers.
    pub fn list(&self, values: &[i64]) -> Attribute<'c> {
        self.context.i64_array(values)
    }

    /// Sizes of operand groups.
    pub fn segments(&self, sizes: &[usize]) -> (&'static str, Attribute<'c>) {
        let sizes: Vec<i32> = sizes.iter().map(|&size| size as i32).collect();
        ("operandSegmentSizes", self.context.i32_array(&sizes))
    }

    /// A string attribute.
    pub fn string(&self, text: &str) -> Attribute<'c> {
        self.context.string(text)
    }

    /// A type attribute.
    pub fn type_attribute(&self, r#type: Type<'c>) -> Attribute<'c> {
        TypeAttribute::new(r#type).into()
    }

    /// Any attribute, from its text.
    ///
    /// # Panics
    /// When the text is no attribute.
    pub fn parse(&self, text: &str) -> Attribute<'c> {
        self.context.parse_attribute(text).unwrap_or_else(|| panic!("'{text}' is an attribute"))
    }
}

/// Result `index` of an op.
///
/// # Panics
/// When the op has fewer results.
pub fn result_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    op.result_at(index).expect("the op has that result").into()
}
