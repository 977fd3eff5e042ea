//! The arguments of a kernel: memories, and numbers in a uniform block.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, TypeLike, Value, ValueLike};
use tile_dialect::ir::{Arguments, Parts};
use tile_dialect::memref::{DYNAMIC, extents, has_no_layout, space, strides_and_offset};
use tile_dialect::{NOALIAS, Space};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::Scalar;
use tile_portable::kernel::{Expression, KernelMemory};

use super::reader::PortableReader;
use super::values::{self, INDEX, Id, KnownValue, Term, View};
use crate::diagnostics::location;
use crate::options::LoweringOptions;
use crate::shim;

impl PortableReader {
    /// Reads the arguments of a kernel, and the memory attributions after them; returns the types of the declared
    /// arguments.
    pub(super) fn arguments(&mut self, kernel: OperationRef<'_, '_>) -> Result<Vec<String>, Refusal> {
        kernels::overlap(kernel.attribute(NOALIAS).is_ok_and(|stated| stated.to_string() == "false"), &self.target)?;
        let Some(body) = kernel.region_at(0).and_then(|region| region.first_block()) else { return Ok(Vec::new()) };
        let options = LoweringOptions::default();
        let block = crate::read::problem::Reader::new(&options);
        let first = body.first_operation().unwrap_or(kernel);
        let size = block.block(first).unwrap_or(None);
        self.block = kernels::block(size, &self.target)?;
        let inputs = shim::inputs(kernel);
        let mut declared = Vec::new();
        for index in 0..body.argument_count() {
            let Some(argument) = body.argument_at(index) else { continue };
            let value: Value<'_, '_> = argument.into();
            if index < inputs {
                let place =
                    location(argument.location()).map_or_else(|| "an unknown place".to_owned(), |at| at.to_string());
                declared.push(format!("{place}: {}", value.r#type()).replace(['\n', '\r', '\0'], " "));
            }
            match MemRefType::try_from(value.r#type()) {
                Ok(memref) => self.memory(value, memref, index < inputs)?,
                Err(_) => self.number(value)?,
            }
        }
        Ok(declared)
    }

    /// Reads a number argument, which occupies separate words of the uniform block.
    pub(in crate::portable) fn number(&mut self, value: Value<'_, '_>) -> Result<(), Refusal> {
        let (scalar, lanes) = values::scalar_type(value, &self.target)?;
        if lanes != 1 {
            return Err(kernels::r#type(&value.r#type().to_string(), &self.target));
        }
        let id = self.word(scalar);
        self.know(value, KnownValue::Lanes(vec![id]));
        Ok(())
    }

    fn word(&mut self, scalar: Scalar) -> Id {
        let word = self.numbers;
        self.numbers += if scalar.bits() == 64 { 2 } else { 1 };
        self.push(Expression::Number(scalar, word))
    }

    fn memory(&mut self, value: Value<'_, '_>, memref: MemRefType<'_>, is_input: bool) -> Result<(), Refusal> {
        let refused = |reader: &Self| kernels::r#type(&memref.to_string(), &reader.target);
        let memory = match (is_input, space(memref)) {
            (true, Some(Space::Global)) => KernelMemory::Argument,
            (false, Some(Space::Shared)) => KernelMemory::Shared(self.bytes(memref)?),
            (false, Some(Space::Local)) => KernelMemory::Private(self.bytes(memref)?),
            _ => return Err(refused(self)),
        };
        let view = self.whole(memory, memref)?;
        self.know(value, KnownValue::Memory(view));
        Ok(())
    }

    /// The number of bytes of a memref with static extents.
    pub(super) fn bytes(&self, memref: MemRefType<'_>) -> Result<u32, Refusal> {
        let refused = || kernels::r#type(&memref.to_string(), &self.target);
        let bits = i64::from(self.element(memref)?.bits());
        let all = extents(memref).into_iter().filter(|extent| *extent != DYNAMIC);
        let elements = all.clone().try_fold(1i64, |product, extent| product.checked_mul(extent));
        let is_dense = strides_and_offset(memref).is_some() && has_no_layout(memref) && all.count() == memref.rank();
        let bytes = elements.and_then(|count| count.checked_mul(bits)).map(|bits| bits / 8);
        bytes.and_then(|bytes| u32::try_from(bytes).ok()).filter(|_| is_dense).ok_or_else(refused)
    }

    /// The element of a memref: a scalar of 8 bits or more.
    pub(super) fn element(&self, memref: MemRefType<'_>) -> Result<Scalar, Refusal> {
        match values::lanes(memref.element(), &self.target)? {
            (scalar, 1) if scalar != Scalar::Bool && !memref.element().is_index() => Ok(scalar),
            _ => Err(kernels::r#type(&memref.to_string(), &self.target)),
        }
    }

    /// A view of a whole new memory. The dynamic numbers of its type are passed by the launch, in the order of
    /// [`crate::launches::open_numbers`].
    pub(super) fn whole(&mut self, memory: KernelMemory, memref: MemRefType<'_>) -> Result<View, Refusal> {
        let bits = self.element(memref)?.bits();
        let refused = || kernels::r#type(&memref.to_string(), &self.target);
        let (strides, offset) = strides_and_offset(memref).ok_or_else(refused)?;
        let offset = self.open(offset);
        let sizes: Vec<Term> = extents(memref).into_iter().map(|extent| self.open(extent)).collect();
        let strides = match has_no_layout(memref) {
            true => self.dense(&sizes)?,
            false => strides.into_iter().map(|stride| self.open(stride)).collect(),
        };
        self.memories.push(memory);
        Ok(View { memory: self.memories.len() - 1, bits, base: Term::Known(0), offset, extents: sizes, strides })
    }

    fn open(&mut self, number: i64) -> Term {
        if number == DYNAMIC { Term::Value(self.word(INDEX)) } else { Term::Known(number) }
    }

    /// The strides of a dense row-major memref.
    fn dense(&mut self, extents: &[Term]) -> Result<Vec<Term>, Refusal> {
        let mut strides = vec![Term::Known(1); extents.len()];
        for dimension in (1..extents.len()).rev() {
            strides[dimension - 1] = self.times(extents[dimension], strides[dimension])?;
        }
        Ok(strides)
    }
}
