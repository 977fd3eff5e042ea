//! One promise of a `tile.version`: how it is tested, and how it is stated where it holds.

use std::fmt;

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::{defining_op, operand_name, results_of};
use tile_dialect::memref::{DYNAMIC, RowNumber, bit_width, has_no_layout, row_numbers, strides_and_offset};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::{Builder, constant, llvm, memref, tile};
use tile_plan::integer::Residue;

use crate::read::alignment;
use crate::read::divisibility;
use crate::read::run_time::RunTime;

/// A promise about a value.
#[derive(Clone, Copy)]
pub struct VersionClause<'c, 'a> {
    /// The value.
    pub value: Value<'c, 'a>,
    /// The promise.
    pub promise: PromiseKind,
}

/// What is promised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PromiseKind {
    /// An integer, or the rows of a memref, are multiples.
    DivisibleBy(i64),
    /// A memref's first element, or a pointer, is at a multiple of this many bytes.
    Aligned(i64),
}

impl fmt::Display for PromiseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PromiseKind::DivisibleBy(divisor) => write!(f, "divisible_by {divisor}"),
            PromiseKind::Aligned(bytes) => write!(f, "aligned {bytes}"),
        }
    }
}

impl fmt::Display for VersionClause<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", operand_name(self.value), self.promise)
    }
}

impl<'c: 'a, 'a> VersionClause<'c, 'a> {
    /// The promises of a version.
    pub fn of(op: OperationRef<'c, 'a>) -> Vec<Self> {
        let Some(version) = tile::VersionOp::cast(op) else { return Vec::new() };
        let multiple = |(value, divisor)| VersionClause { value, promise: PromiseKind::DivisibleBy(divisor) };
        let aligned = |(value, bytes)| VersionClause { value, promise: PromiseKind::Aligned(bytes) };
        let multiples = version.values().zip(version.divisors()).map(multiple);
        multiples.chain(version.addresses().zip(version.alignments()).map(aligned)).collect()
    }

    /// The same about a memref, where the value is the extent of its fastest dimension and each stride is a multiple of that:
    /// what is promised then reaches tiles that view the memref.
    ///
    /// ```mlir
    /// %n = memref.dim %X, %c1 : memref<?x?xf32>       // %n divisible_by 4: so are the rows of %X
    /// ```
    pub fn of_memref(&self) -> Option<Self> {
        let dim = defining_op(self.value).and_then(memref::DimOp::cast)?;
        let dimension = usize::try_from(divisibility::infer(dim.index()).constant()?).ok()?;
        let memref = MemRefType::try_from(dim.source().r#type()).ok()?;
        let is_row = has_no_layout(memref) && memref.rank() == dimension + 1;
        (is_row && matches!(self.promise, PromiseKind::DivisibleBy(_)))
            .then(|| VersionClause { value: dim.source(), ..*self })
    }

    /// Whether it is known to hold.
    pub fn is_known(&self) -> bool {
        match self.promise {
            PromiseKind::Aligned(bytes) => alignment::bytes(self.value) >= bytes,
            PromiseKind::DivisibleBy(divisor) => match MemRefType::try_from(self.value.r#type()) {
                Err(_) => is_multiple(divisibility::infer(self.value), divisor),
                Ok(memref) => self.numbers(memref).iter().all(|number| is_multiple(number.known(), divisor)),
            },
        }
    }

    /// The numbers of a memref that decide whether its rows are multiples. In a memref without layout, each stride is a multiple
    /// of the extent of the fastest dimension.
    fn numbers(&self, memref: MemRefType<'c>) -> Vec<RunTime<'c, 'a>> {
        let numbers = row_numbers(memref).unwrap_or_default().into_iter().filter(|(_, stated)| *stated == DYNAMIC);
        let decides = |(number, _)| match number {
            RowNumber::Extent(dimension) => Some(RunTime::Extent(self.value, dimension)),
            RowNumber::Stride(_) if has_no_layout(memref) => None,
            RowNumber::Stride(dimension) => Some(RunTime::Stride(self.value, dimension)),
        };
        numbers.filter_map(decides).collect()
    }

    /// The bits that are all 1 where it holds.
    pub fn tests(&self, builder: Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (numbers, divisor) = match (self.promise, MemRefType::try_from(self.value.r#type())) {
            (PromiseKind::Aligned(bytes), _) => (vec![self.address(builder)], bytes),
            (PromiseKind::DivisibleBy(divisor), Err(_)) => (vec![self.value], divisor),
            (PromiseKind::DivisibleBy(divisor), Ok(memref)) => {
                (self.numbers(memref).iter().map(|number| number.value(builder)).collect(), divisor)
            }
        };
        numbers.into_iter().flat_map(|number| remainders(builder, number, divisor)).collect()
    }

    /// The address that a pointer holds, or that of the first element of a memref.
    fn address(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a> {
        let Ok(memref) = MemRefType::try_from(self.value.r#type()) else {
            return llvm::ptrtoint(builder, self.value, builder.context.integer(64)).value();
        };
        let address = memref::extract_aligned_pointer_as_index(builder, self.value).value();
        let offset = match strides_and_offset(memref).map_or(0, |(_, offset)| offset) {
            0 => return address,
            DYNAMIC => {
                let metadata = memref::extract_strided_metadata(builder, self.value).build().operation();
                results_of(metadata)[1]
            }
            offset => constant::index(builder, offset),
        };
        let bytes = constant::index(builder, i64::from(bit_width(memref.element()).unwrap_or(8).div_ceil(8)));
        arith::addi(builder, address, arith::muli(builder, offset, bytes).value()).value()
    }

    /// States it for `value`, another name of the clause's.
    pub fn assume(&self, builder: Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        match self.promise {
            PromiseKind::DivisibleBy(divisor) => tile::assume(builder, value).divisor(divisor).value(),
            PromiseKind::Aligned(bytes) => tile::assume(builder, value).alignment(bytes).value(),
        }
    }
}

/// The line that begins a version with these promises: `tile.version %arg0 divisible_by 8 : index {`.
pub fn line(clauses: &[VersionClause<'_, '_>]) -> String {
    let list = |texts: Vec<String>| texts.join(", ");
    let promises = list(clauses.iter().map(ToString::to_string).collect());
    format!(
        "tile.version {promises} : {} {{",
        list(clauses.iter().map(|clause| clause.value.r#type().to_string()).collect())
    )
}

fn is_multiple(known: Residue, divisor: i64) -> bool {
    known.factor() % divisor == 0
}

/// Whether the remainders of a number are 0. Where the divisor is no power of two, they differ between signed and unsigned
/// numbers; the promise is about both.
fn remainders<'c: 'a, 'a>(builder: Builder<'c, 'a>, number: Value<'c, 'a>, divisor: i64) -> Vec<Value<'c, 'a>> {
    let of_type = |value| {
        let attribute = constant::number(number.r#type(), constant::ConstantNumber::Integer(value));
        arith::constant(builder, attribute, number.r#type()).value()
    };
    let (by, zero) = (of_type(divisor), of_type(0));
    let unsigned = arith::remui(builder, number, by).value();
    let signed = (divisor & (divisor - 1) != 0).then(|| arith::remsi(builder, number, by).value());
    let is_zero = |rest| arith::cmpi(builder, rest, zero, CmpIPredicate::Eq).value();
    std::iter::once(unsigned).chain(signed).map(is_zero).collect()
}
