//! Copies and matrix accesses of the NVVM dialect, by the addresses that their threads pass.
//!
//! | | touches | completes |
//! | --- | --- | --- |
//! | `cp.async.shared.global` | the thread's bytes | with the thread's group |
//! | `cp.async.bulk.shared.cluster.global` | all bytes, through the async proxy | with a phase of its mbarrier, which counts them |
//! | `cp.async.bulk.global.shared.cta` | the same | with the thread's bulk group |
//! | `ldmatrix`, `stmatrix` of 8x8 | the rows of 16 bytes that the warp's first lanes name | immediately |
//! | `mma.sync`, `wmma.mma` | registers | |

use std::rc::Rc;

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::Ctx;
use tile_isa::WARP;
use tile_ops::{constant, llvm_type, nvvm};
use tile_plan::Space;
use tile_plan::sync::{Access, Act, Completion, Footprint, Item, Op, Queue};

use super::KernelReader;
use crate::read::alias::Root;
use crate::read::{divisibility, name};
use crate::sync::kernel::access::{access, each};
use crate::sync::kernel::addresses::Address;
use crate::sync::kernel::completions::Arrival;

/// Bytes of a row of a matrix.
const ROW: i64 = 16;

/// Rows of a matrix, each named by a lane.
const ROWS: i64 = 8;

/// Instructions that compute from registers.
const COMPUTES: [&str; 5] = [
    nvvm::MmaOp::NAME,
    nvvm::MmaSpOp::NAME,
    nvvm::MmaBlockScaleOp::NAME,
    nvvm::MmaSpBlockScaleOp::NAME,
    nvvm::WMMAMmaOp::NAME,
];

/// Whether an operation is read here.
pub(super) fn is_raw(name: &str) -> bool {
    let moves = [
        nvvm::CpAsyncOp::NAME,
        nvvm::CpAsyncBulkGlobalToSharedClusterOp::NAME,
        nvvm::CpAsyncBulkSharedCTAToGlobalOp::NAME,
        nvvm::LdMatrixOp::NAME,
        nvvm::StMatrixOp::NAME,
    ];
    moves.contains(&name) || COMPUTES.contains(&name)
}

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// Reads such an operation.
    pub(super) fn raw(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        if COMPUTES.contains(&name(op)) || does.active.is_empty() {
            return Vec::new();
        }
        let read = match name(op) {
            nvvm::CpAsyncOp::NAME => self.by_threads(op, &mut does),
            nvvm::CpAsyncBulkGlobalToSharedClusterOp::NAME => self.bulk_in(op, &mut does),
            nvvm::CpAsyncBulkSharedCTAToGlobalOp::NAME => self.bulk_out(op, &mut does),
            _ => self.matrices(op, &mut does),
        };
        if let Err(why) = read {
            self.failures.refuse(op, format!("is not followed: {why}"));
        }
        vec![self.push(op, does)]
    }

    /// `cp.async`.
    fn by_threads(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::CpAsyncOp::cast(op).ok_or("its operands are not known")?;
        let bytes = of.size().ok_or("how many bytes it copies is not known")?;
        let completion = Completion::Group(Queue::CpAsync);
        for (pointer, write) in [(of.src(), false), (of.dst(), true)] {
            let found = self.bytes(op, pointer, bytes, write, does)?;
            does.accesses.extend(found.into_iter().map(|it| Access { completion, ..it }));
        }
        Ok(())
    }

    /// A bulk copy to shared memory: its mbarrier counts the bytes that it brings.
    fn bulk_in(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::CpAsyncBulkGlobalToSharedClusterOp::cast(op).ok_or("its operands are not known")?;
        if of.multicast_mask().is_some() {
            return Err("it copies to several blocks of a cluster".to_owned());
        }
        let bytes = divisibility::of(of.size()).constant().ok_or("how many bytes it copies is not a constant")?;
        let src = self.bytes(op, of.src_mem(), bytes, false, does)?;
        let dst = self.bytes(op, of.dst_mem(), bytes, true, does)?;
        let brought = bytes.saturating_mul(does.active.len());
        let completion = match self.arrives(op, of.mbar(), does, Arrival { arrivals: 0, bytes: -brought }) {
            Some(phase) => Completion::Phase(phase),
            None => Completion::Never,
        };
        let both = src.into_iter().chain(dst);
        does.accesses.extend(both.map(|it| Access { completion, through_async_proxy: true, ..it }));
        let by = does.active;
        does.accesses.extend(self.mbarrier(op, (of.mbar(), None), false, by));
        self.acts(op, does, (of.mbar(), None), Act::Arrive { by, count: 0, bytes: -bytes, releases: false });
        Ok(())
    }

    /// A bulk copy from shared memory.
    fn bulk_out(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::CpAsyncBulkSharedCTAToGlobalOp::cast(op).ok_or("its operands are not known")?;
        let bytes = divisibility::of(of.size()).constant().ok_or("how many bytes it copies is not a constant")?;
        let completion = Completion::Group(Queue::Bulk);
        for (pointer, write) in [(of.src_mem(), false), (of.dst_mem(), true)] {
            let found = self.bytes(op, pointer, bytes, write, does)?;
            does.accesses.extend(found.into_iter().map(|it| Access { completion, through_async_proxy: true, ..it }));
        }
        Ok(())
    }

    /// `ldmatrix` and `stmatrix`: a warp touches all rows that its lanes name.
    fn matrices(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let (pointer, count, shape, write) = match (nvvm::LdMatrixOp::cast(op), nvvm::StMatrixOp::cast(op)) {
            (Some(of), _) => (of.ptr(), of.num(), of.shape(), false),
            (_, Some(of)) => (of.ptr(), Some(of.sources().count() as i64), of.shape(), true),
            _ => return Err("its operands are not known".to_owned()),
        };
        let known = constant::ld_st_matrix_shape(Ctx::of(op), ROWS, ROWS);
        let count = count.filter(|_| shape == Some(known)).ok_or("expected matrices of 8x8")?;
        let block = self.threads.block();
        let whole = does.active.iter().all(|thread| {
            let warp = usize::try_from(thread / WARP).unwrap_or(0);
            does.active.lanes(warp) == block.lanes(warp) && block.lanes(warp) == u32::MAX
        });
        if !does.exact || !whole {
            return Err("expected whole warps to reach it".to_owned());
        }
        let address = self.addresses.pointer(pointer);
        let object = self.addresses.object(self.own(pointer, &address)?);
        let place = address.byte.map(|form| {
            let rows = does.active.iter().filter(|thread| thread % WARP < ROWS * count);
            let each = rows.flat_map(|thread| {
                let (row, warp) = (form.of_thread(thread), thread / WARP * WARP);
                (warp..warp + WARP).map(move |lane| (lane, row, row.saturating_add(ROW)))
            });
            (Rc::new(Footprint::of(each)), form.shift.clone())
        });
        let found = Access { by_warps: true, ..access(object, Space::Shared, write, place) };
        does.accesses.extend(self.at(op, None, found));
        Ok(())
    }

    /// The access to the given number of bytes at each thread's pointer.
    fn bytes(
        &mut self,
        op: OperationRef<'c, 'a>,
        pointer: Value<'c, 'a>,
        bytes: i64,
        write: bool,
        does: &Op,
    ) -> Result<Vec<Access>, String> {
        let address = self.addresses.pointer(pointer);
        let space = match llvm_type::Space::of(pointer.r#type()) {
            Some(llvm_type::Space::Shared | llvm_type::Space::Cluster) => Space::Shared,
            _ => Space::Global,
        };
        let object = self.addresses.object(self.own(pointer, &address)?);
        let place = address.byte.map(|form| each(&form, &does.active, bytes));
        Ok(self.at(op, None, access(object, space, write, place)))
    }

    /// The root of a pointer to memory of this block, or to global memory.
    fn own(&self, pointer: Value<'c, 'a>, address: &Address<'c, 'a>) -> Result<Root, String> {
        let cluster = llvm_type::Space::of(pointer.r#type()) == Some(llvm_type::Space::Cluster);
        match &address.root {
            _ if address.rank.is_some() => Err("it accesses another block's shared memory".to_owned()),
            root if cluster && root.is_unknown() => Err("it may access another block's shared memory".to_owned()),
            root => Ok(root.clone()),
        }
    }
}
