//! A warp: 32 lanes that may have diverged into paths.

use std::collections::BTreeSet;

use crate::check::{Groups, Spin};
use crate::code::{BarrierReduce, LANES, Reg, Row, SINK, Unwritten};
use crate::memory::ThreadMemory;

use super::engine::LaneCopies;
use super::frame::{FramePointer, Return, SpillStack};
use super::poison::{Cause, GARBAGE, NEVER, Poison, any};
use super::warpgroup::Products;

/// The state of a path: ready, or what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WarpState {
    Ready,
    /// Waits until these lanes of the warp are at the same instruction.
    Converge {
        need: u32,
    },
    /// Waits at a barrier of the block; `pc` is already after it.
    Barrier {
        id: usize,
        reduce: Option<BarrierReduce>,
    },
    /// Waits until the cluster's barrier has completed this generation.
    Cluster {
        generation: u64,
    },
    /// Repeats itself until memory changes from this version.
    Spin {
        version: u64,
    },
    /// Has failed because of a value that it read too early (see `suspect`), and does not continue.
    Stopped,
    /// Waits for tensor memory; tries again when something has changed.
    Columns {
        version: u64,
    },
    /// Waits for registers of its block; tries again when something has changed.
    Registers {
        version: u64,
    },
}

/// Lanes at the same instruction.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    /// The open calls.
    pub(crate) stack: Vec<Return>,
    /// The frame of the function that runs.
    pub(crate) frame: FramePointer,
    pub(crate) state: WarpState,
    pub(crate) spin: Spin,
    /// When it ran last, in steps of the machine.
    pub(crate) ran: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Warp {
    pub(crate) index: u32,
    /// Lanes that have a thread which has not ended.
    pub(crate) live: u32,
    pub(crate) paths: Vec<Path>,
    pub(crate) regs: Vec<Row>,
    pub(crate) preds: Vec<u32>,
    /// The carry flag of each lane.
    pub(crate) carry: u32,
    /// The registers of each thread since the last `setmaxnreg`.
    pub(crate) thread_registers: Option<u32>,
    pub(crate) tid: [Row; 3],
    pub(crate) local: ThreadMemory,
    pub(crate) call_params: ThreadMemory,
    /// The lanes' common time; it advances when one of them releases.
    pub(crate) time: u32,
    pub(crate) know: Groups,
    /// The knowledge that release fences have prepared for later relaxed writes, by the fence's scope.
    pub(crate) released: [Groups; 4],
    /// The releases that relaxed reads have observed, for a later acquire fence: from this block, its cluster, and
    /// beyond.
    pub(crate) observed: [Groups; 3],
    pub(crate) copies: Vec<LaneCopies>,
    /// Lanes that have arrived at the cluster's barrier and not waited for it yet.
    pub(crate) cluster_arrived: u32,
    /// Lanes that have passed a barrier of the cluster, and so know that all its blocks have started.
    pub(crate) cluster_passed: u32,
    /// The generation in which they arrived.
    pub(crate) cluster_generation: [u64; LANES],
    /// Registers that a `tcgen05.ld` of these lanes will write.
    pub(crate) pending: Vec<(u32, Reg)>,
    /// Registers that any `tcgen05.ld` has written, if the run is recorded.
    pub(crate) loaded: BTreeSet<Reg>,
    /// Products of `wgmma`, and the registers that they use.
    pub(crate) products: Products,
    /// The time of `tcgen05.st` operations since the last wait for them.
    pub(crate) stores: u32,
    /// A read was of a kind that is meant for waiting.
    pub(crate) yields: bool,
    /// What recursive calls have spilled.
    pub(crate) spilled: SpillStack,
    /// The undefined values; none if all values are ordinary.
    pub(crate) poison: Option<Box<Poison>>,
}

impl Warp {
    /// A warp of `threads` threads from `first` on in a block of this shape.
    pub(crate) fn new(index: u32, threads: u32, block: [u32; 3], sizes: Sizes, entry: u32) -> Self {
        let first = index * LANES as u32;
        let count = (threads - first).min(LANES as u32);
        let live = u32::MAX >> (LANES as u32 - count);
        let coordinates: [[u32; 3]; LANES] = std::array::from_fn(|lane| {
            let t = first + lane as u32;
            [t % block[0], t / block[0] % block[1], t / (block[0] * block[1])]
        });
        let tid = std::array::from_fn(|axis| std::array::from_fn(|lane| u64::from(coordinates[lane][axis])));
        let frame = FramePointer::of_kernel(sizes.local.max(sizes.call_params));
        let (stack, state, spin) = (Vec::new(), WarpState::Ready, Spin::default());
        let path = Path { pc: entry, mask: live, stack, frame, state, spin, ran: 0 };
        Self {
            index,
            live,
            paths: vec![path],
            regs: vec![[0; LANES]; sizes.registers],
            preds: vec![0; sizes.predicates],
            tid,
            local: ThreadMemory::new(sizes.local),
            call_params: ThreadMemory::new(sizes.call_params),
            time: 1,
            copies: (0..LANES).map(|_| LaneCopies::default()).collect(),
            stores: 1,
            ..Self::default()
        }
    }

    /// Makes paths that wait for lanes ready, once all of these have arrived or ended.
    pub(crate) fn settle(&mut self) {
        let live = self.live;
        for path in &mut self.paths {
            if let WarpState::Converge { need } = &mut path.state {
                *need &= live;
                if path.mask & *need == *need {
                    path.state = WarpState::Ready;
                }
            }
        }
    }

    /// Ends threads.
    pub(crate) fn end(&mut self, mask: u32) {
        self.live &= !mask;
        self.settle();
    }
}

impl Warp {
    /// The state of undefined values, which is allocated if needed.
    pub(crate) fn poison(&mut self) -> &mut Poison {
        let (regs, preds) = (self.regs.len(), self.preds.len());
        self.poison.get_or_insert_with(|| Box::new(Poison::new(regs, preds)))
    }

    /// Marks some bits of a register as undefined.
    pub(crate) fn taint(&mut self, d: Reg, active: u32, bits: &Row, cause: Cause) {
        let lanes = any(bits) & active;
        if lanes == 0 || d == SINK {
            return;
        }
        self.poison().set(d, lanes, bits, cause);
        for lane in (0..32).filter(|l| lanes >> l & 1 == 1) {
            let value = &mut self.regs[d as usize][lane];
            *value = *value & !bits[lane] | GARBAGE & bits[lane];
        }
    }

    /// Enters a function in some lanes: registers that it reads before it writes them have no value.
    pub(crate) fn enter(&mut self, unwritten: &Unwritten, active: u32) {
        for &(r, bits) in &unwritten.regs {
            // Bits that another value has left above the register's own bits are cleared.
            for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
                self.regs[r as usize][lane] = 0;
            }
            self.taint(r, active, &[bits; LANES], NEVER);
        }
        for &p in &unwritten.preds {
            self.poison().set_predicate(p, active, active, NEVER);
        }
    }
}

/// The resources that a kernel needs for each warp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) registers: usize,
    pub(crate) predicates: usize,
    /// Bytes of each thread.
    pub(crate) local: usize,
    pub(crate) call_params: usize,
}
