//! Tensor memory that a kernel allocates, and copies to and from it that are complete when they are over.
//!
//! ```text
//!   %t = tile.alloc : … tmem …          start    one warp: tcgen05.alloc of all columns, the address to shared memory; barrier
//!   %u = tile.alloc : … tmem …          here     %t = tile.tmem %address     %u = tile.tmem %address + columns of %t
//!   last use of %t and %u               then     barrier; one warp: tcgen05.dealloc
//!
//!   tile.copy %r to %t                  tile.copy_async %r to %t; tcgen05.wait <store>
//!   tile.copy %s to %t                  one thread: tile.copy_async %s to %t, tcgen05.commit, a wait; a barrier between fences
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts, Rewriter, results_of, uses};
use tile_dialect::ops::CopyOp;
use tile_dialect::{BufferType, INHERENT, LayoutAttr, Space};
use tile_isa::{TENSOR_COLUMNS, WARP};
use tile_layout::{Iter, Layout};
use tile_ops::llvm_type::{self, pointer_to};
use tile_ops::nvvm::{self, Tcgen05WaitKind};
use tile_ops::{Builder, gpu, llvm, tile};
use tile_plan::sides::issuer::issuing_warp;
use tile_plan::variants::all_async;

use crate::copies;
use crate::effects::synchronizes;
use crate::emit::{Cmp, Function, Kit};
use crate::issuer::Issuer;
use crate::options::LoweringOptions;
use crate::read::kernel;
use crate::read::problem::Reader;
use crate::read::storage::tensor_columns;
use crate::walk;

/// The fewest columns that are allocated; more are powers of two (PTX ISA, tcgen05.alloc).
const MIN_COLUMNS: i64 = 32;

/// Columns of a tile are a multiple of these: then tiles are aligned like the memory.
const TILE_COLUMNS: i64 = 32;

/// Makes tensor memory of `tile.alloc` below the root, and copies that wait; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let is_tensor = |op: &OperationRef<'_, '_>| buffer_of(*op).is_some_and(|buffer| buffer.space() == Space::Tmem);
    let mut left: Vec<_> = walk::named(root, tile::AllocOp::NAME).into_iter().filter(is_tensor).collect();
    let reader = Reader::new(options);
    let mut complete = wait_for_copies(root, rewriter, &reader);
    while let Some(&first) = left.first() {
        let around = kernel::function(first);
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|&op| kernel::function(op) == around);
        left = others;
        let made = AllocatingKernel::of(first, root, &reader)
            .and_then(|kernel| kernel.allocate(&own, Builder::before(rewriter, first)));
        complete &= made.map_err(|reason| Diagnostic::error(reason).emit(first)).is_ok();
    }
    complete
}

fn buffer_of<'c>(op: OperationRef<'c, '_>) -> Option<BufferType<'c>> {
    BufferType::from_type(op.result_at(0)?.r#type())
}

/// Copies to and from tensor memory are asynchronous; one that is not waits. `false`, after errors, if one cannot.
fn wait_for_copies<'c: 'a, 'a>(root: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>, reader: &Reader<'_>) -> bool {
    let mut complete = true;
    for op in walk::named(root, tile::CopyOp::NAME) {
        let spaces = [CopyOp(op).src(), CopyOp(op).dst()].map(|side| side.map(|side| side.buffer.space()));
        let builder = Builder::before(rewriter, op);
        match spaces {
            [Some(Space::Tmem), Some(Space::Local)] => wait_by_warps(op, builder, Tcgen05WaitKind::Load),
            [Some(Space::Local), Some(Space::Tmem)] => wait_by_warps(op, builder, Tcgen05WaitKind::Store),
            // One that names a variant of synchronous copies is refused by that.
            [Some(Space::Shared), Some(Space::Tmem)] if is_asynchronous(CopyOp(op).variant()) => {
                let waits = wait_by_one(op, builder, reader);
                complete &= waits.map_err(|reason| Diagnostic::error(reason).emit(op)).is_ok();
            }
            _ => {}
        }
    }
    complete
}

/// Whether the variant that a copy names, if any, is one of asynchronous copies.
fn is_asynchronous(variant: Option<String>) -> bool {
    variant.is_none_or(|name| all_async().iter().any(|known| known.about().name == name))
}

/// A copy from registers, or to them, and the wait of each warp.
fn wait_by_warps<'c: 'a, 'a>(op: OperationRef<'c, 'a>, builder: Builder<'c, 'a>, kind: Tcgen05WaitKind) {
    if let Some(copy) = copies::asynchronous(op, builder) {
        builder.rewriter.set_insertion_point_after(copy);
        let wait = nvvm::tcgen05_wait(builder, kind).build().operation();
        builder.rewriter.set_attribute(wait, INHERENT, builder.context.unit());
    }
}

/// A copy from shared memory: one thread issues it, and waits.
fn wait_by_one<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: Builder<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), String> {
    let scope = CopyOp(op).scope();
    let threads = reader.threads(op, scope)?;
    let warp = issuing_warp(&threads, "issue the copy").map_err(|refusal| refusal.reason)?;
    let issuer = Issuer::of(builder, op, warp)?;
    issuer.issue(builder, (op, scope, threads.block), |kit| {
        if let Some(copy) = copies::of_thread(op, kit.builder) {
            builder.rewriter.set_attribute(copy, INHERENT, builder.context.unit());
        }
    });
    Ok(())
}

/// A kernel that allocates tensor memory.
struct AllocatingKernel<'c, 'a> {
    op: OperationRef<'c, 'a>,
    function: Function<'c, 'a>,
    /// What ends it.
    exit: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> AllocatingKernel<'c, 'a> {
    /// The kernel around an op.
    fn of(op: OperationRef<'c, 'a>, root: OperationRef<'c, 'a>, reader: &Reader<'_>) -> Result<Self, String> {
        let kernel = kernel::function(op).ok_or("is not inside a function")?;
        if !kernel::is_entry(kernel) && !kernel::is_launch(kernel) {
            return Err(
                "allocates tensor memory in a function that is called, expected it in a kernel: inline the function \
                        (--tile-inline)"
                    .to_owned(),
            );
        }
        let block = reader.block(op)?;
        if let Some(threads) = block.map(|size| size.iter().product::<i64>()).filter(|threads| *threads < WARP) {
            return Err(format!("allocates tensor memory in a block of {threads} threads, expected a warp of {WARP}"));
        }
        let function = Function::new(kernel, root, block).ok_or("is in a function without a body")?;
        let first = kernel.region_at(0).and_then(|region| region.first_block());
        let blocks = std::iter::successors(first, |block| block.next_in_region());
        let ends = blocks.filter_map(|block| block.terminator());
        match ends.filter(|end| end.successor_count() == 0).collect::<Vec<_>>()[..] {
            [exit] => Ok(AllocatingKernel { op: kernel, function, exit }),
            ref exits => Err(format!("allocates tensor memory in a kernel with {} returns, expected one", exits.len())),
        }
    }

    /// Replaces `tile.alloc`s of the kernel by tiles at the columns of one allocation.
    fn allocate(&self, allocs: &[OperationRef<'c, 'a>], builder: Builder<'c, 'a>) -> Result<(), String> {
        let mut begins = vec![0];
        for &alloc in allocs {
            let columns = buffer_of(alloc).map(columns).ok_or("expected a tile")?;
            begins.push(begins[begins.len() - 1] + columns);
        }
        let needed = begins.pop().unwrap_or_default();
        if needed > TENSOR_COLUMNS {
            return Err(format!(
                "needs {needed} columns of tensor memory with the others of its kernel, expected at most {TENSOR_COLUMNS}"
            ));
        }
        let columns = MIN_COLUMNS.max(needed.cast_unsigned().next_power_of_two().cast_signed());
        let address = self.memory(builder, columns, self.last_use(allocs))?;
        for (&alloc, begin) in allocs.iter().zip(begins) {
            let here = Builder::before(builder.rewriter, alloc);
            let begin = if begin == 0 { address } else { Kit::new(here).plus(address, begin) };
            let tile = buffer_of(alloc).map(|buffer| tile::tmem(here, begin, buffer.as_type()).value());
            builder.rewriter.replace(alloc, &[tile.ok_or("expected a tile")?]);
        }
        Ok(())
    }

    /// The last operation of the kernel's last block that uses one of the tiles, or waits for what does: another block of threads
    /// that waits for columns has them from then on. `None` where other blocks of operations use one, too.
    fn last_use(&self, allocs: &[OperationRef<'c, 'a>]) -> Option<OperationRef<'c, 'a>> {
        let last = self.exit.block()?;
        let is_last =
            |op: OperationRef<'c, 'a>| op.block().is_some_and(|block| block.to_raw().ptr == last.to_raw().ptr);
        let mut values: Vec<_> = allocs.iter().flat_map(|&alloc| results_of(alloc)).collect();
        let mut users = HashSet::new();
        while let Some(value) = values.pop() {
            for (user, _) in uses(value) {
                let around: Vec<_> = std::iter::once(user).chain(kernel::ancestors(user)).collect();
                let outermost = around.iter().position(|&op| is_last(op))?;
                // What it yields may be a result of each op around it.
                let ops = around[..=outermost].iter().filter(|op| users.insert(op.to_raw().ptr));
                values.extend(ops.flat_map(|&op| results_of(op)));
            }
        }
        let ops = std::iter::successors(last.first_operation(), |op| op.next_in_block());
        let concerns = |op: &OperationRef<'c, 'a>| {
            users.contains(&op.to_raw().ptr) || walk::matching(*op, |_| true).into_iter().any(synchronizes)
        };
        ops.filter(concerns).last()
    }

    /// Allocates columns at the start of the kernel, and frees them after `last` or at the end; their address.
    fn memory(
        &self,
        builder: Builder<'c, 'a>,
        columns: i64,
        last: Option<OperationRef<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, String> {
        let location = builder.location;
        let layout = LayoutAttr::new(location, &Layout::new([Iter::memory(1, 1)]));
        let word = Kit::new(builder).int_type(32);
        let slot = layout.and_then(|layout| BufferType::new(location, &[1], word, Space::Shared, layout));
        let slot = slot.ok_or("needs a word of shared memory, which no tile is")?;
        let (thread, warp) = (self.function.linear_thread(builder), self.function.constant(builder, WARP));
        let others = !walk::named(self.op, nvvm::Tcgen05AllocOp::NAME).is_empty();
        let mut allocates = None;
        let address = self.function.at_start(builder, |builder| {
            let kit = Kit::new(builder);
            let is_first = kit.cmp(Cmp::Ult, thread, warp);
            let slot = tile::alloc(builder, slot.as_type()).value();
            let slot = tile::parts(builder, slot, kit.pointer(llvm_type::Space::Shared), &[]).build().pointer();
            kit.when(is_first, |kit| {
                nvvm::tcgen05_alloc(kit.builder, slot, kit.i32(columns)).build();
                if !others {
                    nvvm::tcgen05_relinquish_alloc_permit(kit.builder).build();
                }
            });
            inherent_barrier(builder);
            allocates = Some(is_first);
            llvm::load(builder, slot, word).value()
        });
        let is_first = allocates.ok_or("makes no allocation")?;
        let kit = Kit::new(Builder::before(builder.rewriter, self.exit));
        if let Some(last) = last {
            builder.rewriter.set_insertion_point_after(last);
        }
        inherent_barrier(kit.builder);
        kit.when(is_first, |kit| {
            let pointer = pointer_to(kit.builder, address, llvm_type::Space::Tensor);
            nvvm::tcgen05_dealloc(kit.builder, pointer, kit.i32(columns)).build();
        });
        Ok(address)
    }
}

/// A barrier of the block, which the allocation contains.
fn inherent_barrier<'c: 'a, 'a>(builder: Builder<'c, 'a>) {
    let barrier = gpu::barrier(builder).build().operation();
    builder.rewriter.set_attribute(barrier, INHERENT, builder.context.unit());
}

/// Columns of 32 bits that a tile takes of an allocation.
pub fn columns(buffer: BufferType<'_>) -> i64 {
    (tensor_columns(buffer) + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS
}
