//! Conflicts of a copy with other accesses: with its own other side, and with writes to memory that it reads through the
//! read-only cache.

use melior::ir::operation::OperationLike;
use melior::ir::{Location, OperationRef, Value, ValueLike};
use mlir_sys::MlirLocation;
use tile_dialect::Space;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, Operand, PlannedOp};
use tile_ops::{llvm, memref, nvgpu, nvvm, tile};
use tile_plan::problem::overlap::{Placed, overlap};
use tile_plan::problem::role::Role;

use super::alias::{self, Root};
use super::place::{self, Anchor, ElementAddress};
use super::root::{self, Rooted};
use super::values;
use super::{Unreadable, distance, effects, name};
use crate::walk;

/// Checks that the two regions of a copy are disjoint, as far as that is known.
///
/// # Errors
/// An element that is in both.
pub fn sides<'c>(copy: CopyOp<'c, '_>) -> Result<(), Unreadable<'c>> {
    let (Some(src), Some(dst)) = (copy.src(), copy.dst()) else { return Ok(()) };
    let (src, dst) = (&src, &dst);
    let space = src.buffer.space();
    // What a mask leaves of the regions is known only at run time.
    if copy.masked() {
        return Ok(());
    }
    // The destination is the same buffer in another CTA.
    if space != dst.buffer.space() || space == Space::Tmem || copy.remote_cta().is_some() {
        return Ok(());
    }
    let (Some(from), Some(to)) = (of_buffer(src.value), of_buffer(dst.value)) else { return Ok(()) };
    let [bits, other] = [src, dst].map(|side| bit_width(side.buffer.element()));
    // Elements of different widths are possible only in views of bytes, whose distance is hardly ever known.
    let Some(bits) = bits.filter(|_| from.root == to.root && bits == other) else { return Ok(()) };
    let (Ok(read), Ok(written)) = (root::find(src, Role::Src, |_| false), root::find(dst, Role::Dst, |_| false)) else {
        return Ok(());
    };
    // The distance in bytes is known only if both count from the same anchor. Two views may have different run-time strides,
    // though their types agree.
    let stepping = |side: &Rooted<'c, '_>| side.operand.layout.stride_count() > 0;
    let alike = read.root == written.root || !stepping(&read) && !stepping(&written);
    let known = from.anchor == to.anchor && alike;
    let (from, to) = (placed(&read, known.then_some(from.bytes)), placed(&written, known.then_some(to.bytes)));
    let begins = read.begins.iter().zip(&written.begins);
    let apart: Vec<_> = begins.map(|(from, to)| distance::between(from, to)).collect();
    let Some(overlapping) = overlap(&from, &to, &apart, i64::from(bits.div_ceil(8))) else { return Ok(()) };
    Err(Unreadable {
        reason: format!(
            "got regions that overlap: element {:?} of the source region and element {:?} of the destination region are \
             at one address; expected disjoint regions",
            overlapping.src, overlapping.dst
        ),
        notes: vec![(location(read.root), "the memory of both is named here".to_owned())],
    })
}

/// A side of a copy; `bytes` is its distance from a known address.
fn placed<'r>(side: &'r Rooted<'_, '_>, bytes: Option<i64>) -> Placed<'r> {
    Placed {
        layout: &side.operand.layout,
        shape: &side.operand.shape,
        begin: side.begins.iter().map(|begin| begin.residue.constant()).collect(),
        extent: &side.operand.extent,
        bytes: bytes.filter(|_| side.operand.origin.is_empty()),
    }
}

fn of_buffer<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Option<ElementAddress<'c, 'a>> {
    let buffer = root::root(buffer);
    let op = defining_op(buffer)?;
    match name(op) {
        tile::ViewOp::NAME => Some(place::place(op.operand_at(0)?)),
        tile::AllocOp::NAME => {
            Some(ElementAddress { root: Root::of_allocation(buffer), anchor: Anchor::Start, bytes: 0 })
        }
        _ => None,
    }
}

/// An op that writes memory, or may.
pub struct Write {
    root: Root,
    name: String,
    location: MlirLocation,
}

/// The possible writes to global memory of a function's ops.
pub fn writes(function: OperationRef<'_, '_>) -> Vec<Write> {
    let mut effects = Vec::new();
    for op in walk::matching(function, |_| true) {
        let (name, location) = (name(op), op.location().to_raw());
        for value in written(op, name) {
            effects.push(Write { root: alias::root(value), name: name.to_owned(), location });
        }
    }
    effects
}

/// The memrefs, tiles and pointers of global memory through which an op may write.
fn written<'c, 'a>(op: OperationRef<'c, 'a>, name: &str) -> Vec<Value<'c, 'a>>
where
    'c: 'a,
{
    // These say nothing of themselves, or that what they read is read in an order with others.
    const READS: [&str; 4] = [
        llvm::LoadOp::NAME,
        nvgpu::DeviceAsyncCopyOp::NAME,
        nvvm::CpAsyncOp::NAME,
        nvvm::CpAsyncBulkGlobalToSharedClusterOp::NAME,
    ];
    let is_tile = name.starts_with(tile::PREFIX);
    let operands = match name {
        _ if CopyOp::is_name(name) => CopyOp(op).dst().map(|dst| dst.value).into_iter().collect(),
        PlannedOp::NAME => PlannedOp(op).buffer(Role::Dst).into_iter().collect(),
        memref::CopyOp::NAME => values::operands(op).into_iter().skip(1).collect(),
        _ if is_tile || READS.contains(&name) || effects::only_computes_or_reads(op) => Vec::new(),
        _ => values::operands(op),
    };
    operands.into_iter().filter(|value| is_global(*value)).collect()
}

/// Whether the value is a memref, a tile or a pointer that may be to global memory.
fn is_global(value: Value<'_, '_>) -> bool {
    alias::is_address(value) && alias::space(value).is_none_or(|space| space == Space::Global)
}

/// Checks that the source of a copy through the read-only cache is only read, as far as the function shows.
///
/// # Errors
/// An op that writes it, or may.
pub fn read_only<'c>(src: &Operand<'c, '_>, writes: &[Write], noalias: bool) -> Result<(), Unreadable<'c>> {
    let Some(source) = of_buffer(src.value) else { return Ok(()) };
    let Some(write) = writes.iter().find(|write| write.root.may_alias(&source.root, noalias)) else { return Ok(()) };
    // SAFETY: locations live as long as the context, which is that of the copy.
    let location = unsafe { Location::from_raw(write.location) };
    let sure = write.root == source.root && !write.name.ends_with("call");
    let (written, how) = if sure { ("writes", "written") } else { ("may write", "perhaps written") };
    Err(Unreadable {
        reason: format!(
            "got cache = \"nc\" for memory that the kernel {written}, which the read-only cache need not notice; expected \
             memory that is only read while the kernel runs"
        ),
        notes: vec![(location, format!("{how} by '{}' here", write.name))],
    })
}

fn location<'c>(value: Value<'c, '_>) -> Location<'c> {
    // SAFETY: the value is alive; its location lives as long as its context.
    unsafe { Location::from_raw(mlir_sys::mlirValueGetLocation(value.to_raw())) }
}
