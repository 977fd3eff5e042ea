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
use crate::memref::{bit_width, space};
use crate::ops::{CopyOp, Offset, Operand, integer, string};

pub(super) const OPTIONS: [&str; 9] =
    ["variant", "prefetch_size", "l2_evict", "reduce", "fill", "direct", "shape", "multicast", "cta_group"];

pub(super) fn requests(copy: CopyOp<'_, '_>) -> Result<(), String> {
    if let Some(barrier) = copy.barrier() {
        is_barrier(barrier.r#type())?;
    }
    let given: Vec<&str> = copy.completions().filter_map(|completion| completion.clause()).collect();
    if given.len() > 1 {
        return Err(format!("got both {}, expected one of them to complete the copy", given.join(" and ")));
    }
    if let Some(reduce) = string(copy.0, "reduce") {
        Operator::check_word(&reduce)?;
    }
    if let Some(fill) = string(copy.0, "fill") {
        one_of("fill", &fill, ["zero"])?;
        if copy.predicate().is_none() {
            return Err("got fill = \"zero\" without a predicate that says where to fill".to_owned());
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
pub(super) fn rows(copy: CopyOp<'_, '_>) -> Result<(), String> {
    let got = copy.rows().len();
    if got == 0 {
        return Ok(());
    }
    let region = matrix(copy, "rows")?.region;
    if !matches!(region.offsets[0], Offset::Constant(0)) {
        return Err("got rows and a region that starts at another row, expected 0".to_owned());
    }
    if region.sizes[0] != got as i64 {
        let size = counted(region.sizes[0], "row");
        return Err(format!("got {} for a region of {size}, expected one for each", counted(got, "row number")));
    }
    Ok(())
}

/// Checks that another end is that of a matrix, and of a copy that may leave it.
fn until(copy: CopyOp<'_, '_>) -> Result<(), String> {
    matrix(copy, "until")?;
    if !copy.masked() {
        return Err("got until of a copy that is not masked, expected masked until(…)".to_owned());
    }
    if !copy.rows().is_empty() {
        return Err("got both rows and until, expected one of them".to_owned());
    }
    Ok(())
}

/// The matrix in global memory that a clause is about.
fn matrix<'c, 'a>(copy: CopyOp<'c, 'a>, clause: &str) -> Result<Operand<'c, 'a>, String> {
    let sides = [copy.src(), copy.dst()].into_iter().flatten();
    let mut matrices: Vec<_> = sides.filter(|side| side.buffer.space() == Space::Global).collect();
    let count = counted(matrices.len(), "tile");
    let (Some(matrix), true) = (matrices.pop(), matrices.is_empty()) else {
        return Err(format!("got {clause} of {count} in global memory, expected one"));
    };
    match matrix.buffer.shape().len() {
        2 => Ok(matrix),
        rank => Err(format!("got {clause} of a tile of rank {rank}, expected a matrix")),
    }
}

/// Rejects clauses that masked copies do not have.
fn masked(copy: CopyOp<'_, '_>) -> Result<(), String> {
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
        Err(format!("got a masked copy with {name}, expected one without; masked copies fill with fill(%value : type)"))
    })
}

/// Checks for 64 bits of shared memory: a pointer to them, or a memref whose first element they are.
pub(super) fn is_barrier(r#type: Type<'_>) -> Result<(), String> {
    let expected = "expected !llvm.ptr<3> or a memref of i64 in workgroup memory";
    if r#type.to_string() == "!llvm.ptr<3>" {
        return Ok(());
    }
    let memref = MemRefType::try_from(r#type).map_err(|_| format!("got an mbarrier of type {}, {expected}", r#type))?;
    let fits = space(memref) == Some(Space::Shared)
        && memref.element().is_integer()
        && bit_width(memref.element()) == Some(64);
    if fits { Ok(()) } else { Err(format!("got an mbarrier of type {}, {expected}", r#type)) }
}
