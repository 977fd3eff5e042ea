//! The clauses and options of `tile.copy_async`.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Type, TypeLike, ValueLike};
use tile_isa::tmem_copy::check_cta_group;
use tile_isa::words::one_of;
use tile_isa::{Operator, TmemForm};
use tile_layout::counted;
use tile_plan::families::tensor_map::TMA;

use super::im2col::im2col;
use crate::Space;
use crate::error::{VerifyError, mismatch};
use crate::memref::{bit_width, space};
use crate::ops::{CopyOp, Offset, Operand, integer, string};

pub(super) const OPTIONS: [&str; 9] =
    ["variant", "prefetch_size", "l2_evict", "reduce", "fill", "direct", "shape", "multicast", "cta_group"];

pub(super) fn requests(copy: CopyOp<'_, '_>) -> Result<(), VerifyError> {
    if let Some(barrier) = copy.barrier() {
        is_barrier(barrier.r#type())?;
    }
    let given: Vec<&str> = copy.completions().filter_map(|completion| completion.clause()).collect();
    if given.len() > 1 {
        return Err(mismatch!("both {}", given.join(" and "); expected "one of them to complete the copy"));
    }
    if let Some(reduce) = string(copy.0, "reduce") {
        Operator::check_word(&reduce)?;
    }
    if let Some(fill) = string(copy.0, "fill") {
        one_of("fill", &fill, ["zero"])?;
        if copy.predicate().is_none() {
            return Err(VerifyError::NoPredicate("fill = \"zero\""));
        }
    }
    if copy.masked() {
        masked(copy)?;
    }
    rows(copy)?;
    if copy.until().is_some() {
        until(copy)?;
    }
    im2col(copy)?;
    let (shape, multicast) = (string(copy.0, "shape"), string(copy.0, "multicast"));
    TmemForm::matching(shape.as_deref(), multicast.as_deref())?;
    Ok(integer(copy.0, "cta_group").map_or(Ok(()), check_cta_group)?)
}

/// Checks that the rows are those of a region of a matrix in global memory.
pub(super) fn rows(copy: CopyOp<'_, '_>) -> Result<(), VerifyError> {
    let got = copy.rows().len();
    if got == 0 {
        return Ok(());
    }
    let region = matrix(copy, "rows")?.region;
    if !matches!(region.offsets[0], Offset::Constant(0)) {
        return Err(mismatch!("rows and a region that starts at another row"; expected "0"));
    }
    if region.sizes[0] != got as i64 {
        let size = counted(region.sizes[0], "row");
        return Err(mismatch!("{} for a region of {size}", counted(got, "row number"); expected "one for each"));
    }
    Ok(())
}

/// Checks that another end is that of a matrix, and of a copy that may leave it.
fn until(copy: CopyOp<'_, '_>) -> Result<(), VerifyError> {
    matrix(copy, "until")?;
    if !copy.masked() {
        return Err(mismatch!("until of a copy that is not masked"; expected "masked until(…)"));
    }
    if !copy.rows().is_empty() {
        return Err(mismatch!("both rows and until"; expected "one of them"));
    }
    Ok(())
}

/// The matrix in global memory that a clause is about.
fn matrix<'c, 'a>(copy: CopyOp<'c, 'a>, clause: &str) -> Result<Operand<'c, 'a>, VerifyError> {
    let sides = [copy.src(), copy.dst()].into_iter().flatten();
    let mut matrices: Vec<_> = sides.filter(|side| side.buffer.space() == Space::Global).collect();
    let count = counted(matrices.len(), "tile");
    let (Some(matrix), true) = (matrices.pop(), matrices.is_empty()) else {
        return Err(mismatch!("{clause} of {count} in global memory"; expected "one"));
    };
    match matrix.buffer.shape().len() {
        2 => Ok(matrix),
        rank => Err(mismatch!("{clause} of a tile of rank {rank}"; expected "a matrix")),
    }
}

/// Rejects clauses that masked copies do not have.
fn masked(copy: CopyOp<'_, '_>) -> Result<(), VerifyError> {
    // A tensor map leaves out what is outside of it by itself; one may still be made for the copy.
    let by_threads = copy.maps().is_empty()
        && copy.rows().is_empty()
        && copy.until().is_none()
        && copy.im2col().is_none()
        && copy.variant().as_deref() != Some(TMA);
    let completion = copy.completion();
    let others = [
        (by_threads && !completion.is_of_threads(), completion.clause().unwrap_or_default()),
        (copy.remote_cta().is_some(), "remote_cta"),
        (string(copy.0, "fill").is_some(), "fill = \"zero\""),
        (string(copy.0, "reduce").is_some() && by_threads, "reduce"),
    ];
    let other = others.into_iter().find_map(|(given, name)| given.then_some(name));
    other.map_or(Ok(()), |name| {
        Err(mismatch!("a masked copy with {name}"; expected "one without; masked copies fill with fill(%value : type)"))
    })
}

/// Checks for 64 bits of shared memory: a pointer to them, or a memref whose first element they are.
pub(super) fn is_barrier(r#type: Type<'_>) -> Result<(), VerifyError> {
    let other =
        || mismatch!("an mbarrier of type {type}"; expected "!llvm.ptr<3> or a memref of i64 in workgroup memory");
    if r#type.to_string() == "!llvm.ptr<3>" {
        return Ok(());
    }
    let memref = MemRefType::try_from(r#type).map_err(|_| other())?;
    let fits = space(memref) == Some(Space::Shared)
        && memref.element().is_integer()
        && bit_width(memref.element()) == Some(64);
    if fits { Ok(()) } else { Err(other()) }
}
