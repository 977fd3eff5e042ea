//! Drafts: ops that are about to be made.

use std::marker::PhantomData;

use melior::ir::{Attribute, OperationRef, Region, Type, TypeLike, Value, ValueLike};
use mlir_sys::{MlirType, MlirValue};
use smallvec::SmallVec;
use tile_dialect::Ctx;

use crate::builder::Builder;
use crate::op::Op;
use crate::raw;

/// An op of kind `T` that is about to be made: complete, except for optional parts that may still be set.
#[must_use = "the op is not made yet"]
pub struct Draft<'c, 'a, T> {
    /// The parts of the op.
    #[doc(hidden)]
    pub parts: Parts<'c, 'a>,
    _kind: PhantomData<T>,
}

/// A kind of op with one result.
pub trait OneResult {}

impl<'c: 'a, 'a, T: Op<'c, 'a>> Draft<'c, 'a, T> {
    /// A draft without any parts.
    #[inline]
    pub(crate) fn new(builder: Builder<'c, 'a>) -> Self {
        Draft { parts: Parts::new(builder, T::OP_NAME), _kind: PhantomData }
    }

    /// Makes the op.
    ///
    /// # Panics
    /// When MLIR cannot make it; a pass reports that at the op that is lowered.
    #[inline]
    pub fn build(mut self) -> T {
        T::made(self.parts.build())
    }

    /// Sets an attribute that is not one of the op's own: one of a dialect, as [`crate::llvm::attribute`] names them.
    #[inline]
    pub fn with(mut self, name: &'static str, value: Attribute<'c>) -> Self {
        self.parts.attribute(name, |_| value);
        self
    }

    /// Makes the op and returns its only result.
    ///
    /// # Panics
    /// As [`Draft::build`].
    #[inline]
    pub fn value(mut self) -> Value<'c, 'a>
    where
        T: OneResult,
    {
        crate::read::result(self.parts.build(), 0)
    }
}

/// The parts of an op that is about to be made.
#[doc(hidden)]
pub struct Parts<'c, 'a> {
    builder: Builder<'c, 'a>,
    name: &'static str,
    operands: SmallVec<[MlirValue; 8]>,
    /// The size of each group of operands.
    sizes: SmallVec<[i32; 14]>,
    results: SmallVec<[MlirType; 2]>,
    attributes: SmallVec<[(&'static str, Attribute<'c>); 6]>,
    regions: SmallVec<[Region<'c>; 2]>,
    has_segments: bool,
    infers_result: bool,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    #[inline]
    fn new(builder: Builder<'c, 'a>, name: &'static str) -> Self {
        let (operands, sizes, results, attributes, regions) = Default::default();
        let (has_segments, infers_result) = (false, false);
        Parts { builder, name, operands, sizes, results, attributes, regions, has_segments, infers_result }
    }

    #[inline]
    pub(crate) fn operand(&mut self, value: Value<'c, 'a>) -> &mut Self {
        self.operands.push(value.to_raw());
        self.sizes.push(1);
        self
    }

    #[inline]
    pub(crate) fn operands(&mut self, values: &[Value<'c, 'a>]) -> &mut Self {
        self.operands.extend(values.iter().map(|value| value.to_raw()));
        self.sizes.push(values.len() as i32);
        self
    }

    #[inline]
    pub(crate) fn no_operand(&mut self) -> &mut Self {
        self.sizes.push(0);
        self
    }

    pub(crate) fn set_operand(&mut self, group: usize, value: Option<Value<'c, 'a>>) {
        let start: i32 = self.sizes[..group].iter().sum();
        if self.sizes[group] == 1 {
            self.operands.remove(start as usize);
        }
        if let Some(value) = value {
            self.operands.insert(start as usize, value.to_raw());
        }
        self.sizes[group] = i32::from(value.is_some());
    }

    #[inline]
    pub(crate) fn attribute(&mut self, name: &'static str, make: impl FnOnce(Ctx<'c>) -> Attribute<'c>) -> &mut Self {
        self.attributes.push((name, make(self.builder.context)));
        self
    }

    #[inline]
    pub(crate) fn result(&mut self, r#type: Type<'c>) -> &mut Self {
        self.results.push(r#type.to_raw());
        self
    }

    #[inline]
    pub(crate) fn results(&mut self, types: &[Type<'c>]) -> &mut Self {
        self.results.extend(types.iter().map(|r#type| r#type.to_raw()));
        self
    }

    #[inline]
    pub(crate) fn infer_result(&mut self) -> &mut Self {
        self.infers_result = true;
        self
    }

    #[inline]
    pub(crate) fn region(&mut self, region: Region<'c>) -> &mut Self {
        self.regions.push(region);
        self
    }

    #[inline]
    pub(crate) fn segments(&mut self) -> &mut Self {
        self.has_segments = true;
        self
    }

    fn build(&mut self) -> OperationRef<'c, 'a> {
        if self.has_segments {
            let sizes = std::mem::take(&mut self.sizes);
            self.attribute("operandSegmentSizes", |context| context.i32_array(&sizes));
        }
        let state = raw::State {
            operands: &self.operands,
            results: &self.results,
            attributes: &self.attributes,
            regions: self.regions.drain(..).collect(),
            infers_result: self.infers_result,
        };
        let op = raw::create(self.name, self.builder.location, state);
        self.builder.rewriter.insert(op.unwrap_or_else(|| panic!("{} is well formed", self.name)))
    }
}
