//! Products of tensor cores. For `wgmma`: what they read, and the registers of their sums. For `tcgen05.mma`: operands in shared
//! memory, by their descriptors, and A and the sum in tensor memory.

use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_ops::nvvm::{self, CTAGroupKind, MMALayout, Tcgen05MMAKind, WGMMATypes};
use tile_ops::{llvm_type, scf};
use tile_plan::sync::{Access, Completion, Effect, Footprint, Item, Op, Pipe, Queue, TensorProduct};
use tile_plan::{Space, ThreadSet};

use super::KernelReader;
use crate::read::alias::Root;
use crate::read::values::key;
use crate::read::{divisibility, name};
use crate::sync::kernel::access::{access, registers};
use crate::sync::kernel::addresses::Described;

/// Rows of A of a product by `wgmma`.
const ROWS: i64 = 64;

/// The kind whose operands' bytes are known even where the rows of A, or the columns of B, are contiguous: elements of 16 bits.
const HALVES: Tcgen05MMAKind = Tcgen05MMAKind::F16;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// An operation of `wgmma`; `None` for any other.
    pub(super) fn wgmma(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> Option<Vec<Item>> {
        let mut does = does.clone();
        match name(op) {
            // It orders registers, which SSA values stand for here.
            nvvm::WgmmaFenceAlignedOp::NAME => return Some(Vec::new()),
            nvvm::WgmmaGroupSyncAlignedOp::NAME => does.effects.push(Effect::Commit(Queue::Product)),
            nvvm::WgmmaWaitGroupSyncOp::NAME => {
                let pending = nvvm::WgmmaWaitGroupSyncOp::cast(op).and_then(|it| it.group()).unwrap_or(i64::MAX);
                does.effects.push(Effect::Wait { queue: Queue::Product, pending, reads: false });
            }
            nvvm::WgmmaMmaAsyncOp::NAME => {
                if let Err(why) = self.multiplies(op, &mut does) {
                    self.failures.refuse(op, format!("is not followed: {why}"));
                }
            }
            _ => return None,
        }
        if !does.exact || !does.active.is_of_warpgroups() {
            self.failures.refuse(op, "may be reached by only some threads of a warpgroup, expected whole warpgroups");
        }
        Some(vec![self.push(op, does)])
    }

    /// Adds the accesses of a product.
    fn multiplies(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::WgmmaMmaAsyncOp::cast(op).ok_or("its operands are not known")?;
        let registers = llvm_type::struct_fields(of.results().r#type()).ok_or("its result is not a struct")?;
        let columns = if of.type_d() == Some(WGMMATypes::F16) { 4 * registers } else { 2 * registers };
        let halves = matches!(of.type_a(), Some(WGMMATypes::F16 | WGMMATypes::Bf16));
        for (which, value, rows, turned) in
            [("A", of.descriptor_a(), ROWS, MMALayout::Col), ("B", of.descriptor_b(), columns, MMALayout::Row)]
        {
            let layout = if which == "A" { of.layout_a() } else { of.layout_b() };
            let described = Described { rows, transposed: halves && layout == Some(turned), is_of_tensor: false };
            let found = self.addresses.described(value, described, &does.active);
            let found = found.map_err(|why| format!("the descriptor of {which} {why}"))?;
            let completion = Completion::Group(Queue::Product);
            does.accesses.extend(self.at(op, None, Access { completion, by_warps: true, ..found }));
        }
        if let Some(sum) = sum(of.results()) {
            let written = self.sums(sum, true, does);
            does.accesses.push(Access { completion: Completion::Group(Queue::Product), ..written });
        }
        Ok(())
    }

    /// The access to the registers of a sum, each thread to its own.
    fn sums(&mut self, sum: usize, write: bool, does: &Op) -> Access {
        let object = self.addresses.object(Root::Made(sum, Some(tile_dialect::Space::Local)));
        registers(object, write, &does.active)
    }

    /// The read of sums by an operation that is neither a product nor a loop.
    pub(super) fn reads_of_sums(&mut self, op: OperationRef<'c, 'a>) -> Option<Item> {
        let hands_on = name(op) == scf::YieldOp::NAME
            && op.parent_operation().is_some_and(|parent| name(parent) == scf::ForOp::NAME);
        if hands_on || [nvvm::WgmmaMmaAsyncOp::NAME, scf::ForOp::NAME].contains(&name(op)) {
            return None;
        }
        let mut found: Vec<usize> = op.operands().filter_map(sum).collect();
        found.dedup();
        if found.is_empty() {
            return None;
        }
        let mut does = self.threads.reaching(op);
        for sum in found {
            let access = self.sums(sum, false, &does);
            does.accesses.push(access);
        }
        Some(self.push(op, does))
    }

    /// A product, which the next `tcgen05.commit` of its thread completes.
    ///
    /// # Errors
    /// Something about it is not known.
    pub(super) fn tensor_product(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::Tcgen05MMAOp::cast(op).ok_or("its operands are not known")?;
        if of.cta_group() != Some(CTAGroupKind::Cta1) {
            return Err("it is one of two blocks, expected cta_group<cta_1>".to_owned());
        }
        if does.active.len() != 1 {
            return Err(format!("{} threads issue it, expected one", does.active.len()));
        }
        let kind = of.kind().ok_or("its kind is not known")?;
        let instruction = divisibility::of(of.idesc()).constant();
        let product = TensorProduct::new(instruction.ok_or("its instruction descriptor is not a constant")?)?;
        let by = does.active;
        let mut found = Vec::new();
        for (which, value, rows) in [("A", of.matrix_a(), product.rows), ("B", of.matrix_b(), product.columns)] {
            if llvm_type::is_pointer(value.r#type()) {
                let left = self.in_tensor_memory(value, product.left(by), by);
                found.push(Access { pipe: Some(Pipe::Operand), ..left });
                continue;
            }
            let transposed = product.transposed[usize::from(which == "B")];
            let described = Described { rows, transposed, is_of_tensor: true };
            let read = self.addresses.described(value, described, &does.active);
            let read = read.map_err(|why| format!("the descriptor of {which} {why}"))?;
            // Where the bytes that are read are not known, they may be any of the tile.
            let known = !transposed || kind == HALVES;
            found.push(if known { read } else { Access { bytes: None, ..read } });
        }
        let sum = self.in_tensor_memory(of.matrix_d(), product.sum(by), by);
        found.push(Access { write: true, pipe: Some(Pipe::Sum(product.pipe(kind as u64))), ..sum });
        for access in found {
            let access = Access { completion: Completion::Commit, through_async_proxy: true, ..access };
            does.accesses.extend(self.at(op, None, access));
        }
        Ok(())
    }

    /// An access to tensor memory at the location that an address points to.
    fn in_tensor_memory(&mut self, address: Value<'c, 'a>, bytes: Footprint, by: ThreadSet) -> Access {
        let (root, first) = self.addresses.tensor(address);
        let object = self.addresses.object(root);
        let thread = by.iter().next().unwrap_or(0);
        let place = first.map(|form| (Rc::new(bytes.shifted(form.of_thread(thread))), form.shift));
        access(object, Space::Tmem, false, place)
    }
}

/// The registers that hold a value, if it is a sum of products: named by the first product in the chain that adds to it, or by
/// the value that a loop around them carries.
fn sum(value: Value<'_, '_>) -> Option<usize> {
    let Some(op) = defining_op(value) else {
        let (block, place) = argument_of(value)?;
        let of = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0)?;
        return handed(of, place - 1);
    };
    match name(op) {
        nvvm::WgmmaMmaAsyncOp::NAME => Some(sum(op.operand_at(0)?).unwrap_or_else(|| key(value))),
        scf::ForOp::NAME => {
            let same = |place: &usize| op.result_at(*place).is_some_and(|it| key(it.into()) == key(value));
            handed(op, (0..op.result_count()).find(same)?)
        }
        _ => None,
    }
}

/// A value that a loop carries, if it is a sum.
fn handed(of: OperationRef<'_, '_>, place: usize) -> Option<usize> {
    if !is_handed(of, place) {
        return None;
    }
    let first = of.operand_at(place + 3)?;
    let block = of.region_at(0)?.first_block()?;
    Some(sum(first).unwrap_or(key(block.argument(place + 1).ok()?.into())))
}

/// Whether an iteration passes a sum to the next.
fn is_handed(of: OperationRef<'_, '_>, place: usize) -> bool {
    let last = || {
        let end = of.region_at(0)?.first_block()?.terminator()?;
        let value = end.operand_at(place)?;
        let made = defining_op(value)?;
        let inner =
            (0..made.result_count()).find(|at| made.result_at(*at).is_some_and(|it| key(it.into()) == key(value)));
        match name(made) {
            nvvm::WgmmaMmaAsyncOp::NAME => Some(true),
            scf::ForOp::NAME => Some(is_handed(made, inner?)),
            _ => None,
        }
    };
    last().unwrap_or(false)
}
