//! Memrefs: the addresses of elements.

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, results_of};
use tile_dialect::memref::DYNAMIC;
use tile_ops::memref;
use tile_plan::problem::refusal::Refusal;
use tile_portable::Binary;
use tile_portable::kernel::{Expression, KernelMemory};

use super::reader::PortableReader;
use super::values::{INDEX, Id, KnownValue, Term, View};

impl PortableReader {
    /// Reads an op that makes a memref or queries one; `false` for other ops.
    pub(super) fn view_op(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        let Some(result) = results_of(op).first().copied() else { return Ok(false) };
        let view = if let Some(cast) = memref::ReinterpretCastOp::cast(op) {
            self.reinterpreted(cast)?
        } else if let Some(metadata) = memref::ExtractStridedMetadataOp::cast(op) {
            return self.metadata(metadata).map(|()| true);
        } else if let Some(dim) = memref::DimOp::cast(op) {
            return self.dim(dim).map(|()| true);
        } else if memref::AllocaOp::cast(op).is_some() {
            let memref = MemRefType::try_from(result.r#type()).map_err(|_| self.unknown(op))?;
            let bytes = self.bytes(memref)?;
            self.whole(KernelMemory::Private(bytes), memref)?
        } else if let Some(view) = memref::ViewOp::cast(op) {
            self.viewed(view)?
        } else if memref::CastOp::cast(op).is_some()
            || memref::AssumeAlignmentOp::cast(op).is_some()
            || memref::MemorySpaceCastOp::cast(op).is_some()
        {
            let source = op.operand_at(0).ok_or_else(|| self.unknown(op))?;
            self.view(source)?
        } else {
            return Ok(false);
        };
        self.know(result, KnownValue::Memory(view));
        Ok(true)
    }

    fn reinterpreted<'c: 'a, 'a>(&mut self, op: memref::ReinterpretCastOp<'c, 'a>) -> Result<View, Refusal> {
        let view = self.view(op.source())?;
        let offset = self.terms(&op.static_offsets(), op.offsets())?;
        let extents = self.terms(&op.static_sizes(), op.sizes())?;
        let strides = self.terms(&op.static_strides(), op.strides())?;
        Ok(View { offset: offset.first().copied().unwrap_or(Term::Known(0)), extents, strides, ..view })
    }

    /// Static indices, with `values` for the dynamic ones.
    fn terms<'c: 'a, 'a>(
        &mut self,
        known: &[i64],
        values: impl Iterator<Item = Value<'c, 'a>>,
    ) -> Result<Vec<Term>, Refusal> {
        let mut values = values;
        let mut terms = Vec::new();
        for &number in known {
            terms.push(match values.next().filter(|_| number == DYNAMIC) {
                Some(value) => self.term(value)?,
                None => Term::Known(number),
            });
        }
        Ok(terms)
    }

    /// The state of an index.
    pub(super) fn term(&mut self, value: Value<'_, '_>) -> Result<Term, Refusal> {
        match self.index(value) {
            Some(index) => Ok(Term::Known(index)),
            None => self.id(value).map(Term::Value),
        }
    }

    fn metadata<'c: 'a, 'a>(&mut self, op: memref::ExtractStridedMetadataOp<'c, 'a>) -> Result<(), Refusal> {
        let view = self.view(op.source())?;
        let numbers: Vec<Term> =
            [view.offset].into_iter().chain(view.extents.clone()).chain(view.strides.clone()).collect();
        let (extents, strides) = (Vec::new(), Vec::new());
        let results = results_of(op.operation());
        self.know(results[0], KnownValue::Memory(View { offset: Term::Known(0), extents, strides, ..view }));
        for (result, number) in results[1..].iter().zip(numbers) {
            self.know_term(*result, number);
        }
        Ok(())
    }

    fn know_term(&mut self, value: Value<'_, '_>, term: Term) {
        let known = match term {
            Term::Known(index) => KnownValue::Index(index),
            Term::Value(id) => KnownValue::Lanes(vec![id]),
        };
        self.know(value, known);
    }

    fn dim<'c: 'a, 'a>(&mut self, op: memref::DimOp<'c, 'a>) -> Result<(), Refusal> {
        let view = self.view(op.source())?;
        let dimension = self.index(op.index()).and_then(|index| usize::try_from(index).ok());
        let extent = dimension.and_then(|dimension| view.extents.get(dimension)).copied();
        let extent = extent.ok_or_else(|| self.unknown(op.operation()))?;
        self.know_term(op.result(), extent);
        Ok(())
    }

    /// A view of shared memory's bytes as elements, which must start at a constant byte.
    fn viewed<'c: 'a, 'a>(&mut self, op: memref::ViewOp<'c, 'a>) -> Result<View, Refusal> {
        let view = self.view(op.source())?;
        let refused = self.unknown(op.operation());
        let memref = MemRefType::try_from(op.result().r#type()).map_err(|_| refused.clone())?;
        let bits = i64::from(self.element(memref)?.bits());
        let (shift, Term::Known(before)) = (self.index(op.byte_shift()), view.base) else { return Err(refused) };
        let first =
            shift.and_then(|shift| shift.checked_mul(8)?.checked_add(before.checked_mul(i64::from(view.bits))?));
        let first = first.filter(|first| first % bits == 0 && view.offset == Term::Known(0)).ok_or(refused)?;
        let made = self.whole(KernelMemory::Private(0), memref)?;
        self.memories.pop();
        Ok(View { memory: view.memory, base: Term::Known(first / bits), ..made })
    }

    /// The number of an element in its memory.
    pub(super) fn element_number(&mut self, view: &View, indices: &[Term]) -> Result<Id, Refusal> {
        let mut place = self.plus(view.base, view.offset)?;
        for (index, stride) in indices.iter().zip(&view.strides) {
            let step = self.times(*index, *stride)?;
            place = self.plus(place, step)?;
        }
        self.materialized(place)
    }

    fn materialized(&mut self, term: Term) -> Result<Id, Refusal> {
        match term {
            Term::Value(id) => Ok(id),
            Term::Known(index) => {
                let bits = tile_plan::target::kernels::index(index, &self.target)?;
                Ok(self.constant(INDEX, bits))
            }
        }
    }

    pub(super) fn times(&mut self, a: Term, b: Term) -> Result<Term, Refusal> {
        match (a, b) {
            (Term::Known(0), _) | (_, Term::Known(0)) => Ok(Term::Known(0)),
            (Term::Known(1), other) | (other, Term::Known(1)) => Ok(other),
            _ => self.both(Binary::Mul, i64::checked_mul, a, b),
        }
    }

    fn plus(&mut self, a: Term, b: Term) -> Result<Term, Refusal> {
        match (a, b) {
            (Term::Known(0), other) | (other, Term::Known(0)) => Ok(other),
            _ => self.both(Binary::Add, i64::checked_add, a, b),
        }
    }

    fn both(
        &mut self,
        how: Binary,
        known: impl Fn(i64, i64) -> Option<i64>,
        a: Term,
        b: Term,
    ) -> Result<Term, Refusal> {
        if let (Term::Known(a), Term::Known(b)) = (a, b)
            && let Some(index) = known(a, b)
        {
            return Ok(Term::Known(index));
        }
        let operands = [self.materialized(a)?, self.materialized(b)?];
        Ok(Term::Value(self.push(Expression::Binary(how, INDEX, operands))))
    }
}
