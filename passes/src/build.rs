//! Making ops and attributes.

use melior::RewriterBase;
use melior::ir::attribute::TypeAttribute;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Attribute, BlockRef, Location, OperationRef, Type, Value, ValueLike};
use tile_dialect::Ctx;

/// Makes ops at the rewriter's insertion point, all with one location.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    /// Where ops go.
    pub rewriter: RewriterBase<'c, 'a>,
    /// Of every op that is made.
    pub location: Location<'c>,
    /// Of every op that is made.
    pub context: Ctx<'c>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// A builder for ops that stand for `op`, before it.
    pub fn before(rewriter: RewriterBase<'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
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
        let raw = self.rewriter.insert(op).to_raw();
        // SAFETY: the op is in the IR now and lives as long as that does.
        unsafe { OperationRef::from_raw(raw) }
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
    pub fn elsewhere<R>(&self, go: impl FnOnce(RewriterBase<'c, 'a>), make: impl FnOnce(Self) -> R) -> R {
        let block = self.rewriter.insertion_block().to_raw();
        let next = self.rewriter.operation_after_insertion().map(|op| op.to_raw());
        go(self.rewriter);
        let result = make(*self);
        // SAFETY: makers add ops; the block and the op after the insertion point are still there.
        unsafe {
            match next {
                Some(next) => self.rewriter.set_insertion_point_before(OperationRef::from_raw(next)),
                None => self.rewriter.set_insertion_point_to_end(BlockRef::from_raw(block)),
            }
        }
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
    let raw = op.result(index).expect("the op has that result");
    // SAFETY: the result lives as long as its op.
    unsafe { Value::from_raw(raw.to_raw()) }
}
