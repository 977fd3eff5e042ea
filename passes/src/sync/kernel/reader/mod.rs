//! Reads the operations of a kernel, in the order of the text.

mod barriers;
mod branches;
mod copies;
mod loops;
mod mbarriers;
mod operations;
mod tensor_maps;

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::Parts;
use tile_dialect::ops::{CopyOp, UpdateMapOp};
use tile_ops::{cf, func, gpu, memref, scf};
use tile_plan::sync::{Access, Cluster, Item, Member, Op, SyncProgram};

use super::active::ActiveThreads;
use super::addresses::{Addresses, Peer};
use super::barriers::NamedBarriers;
use super::completions::{Commits, Phases};
use super::failures::Failures;
use super::objects::{Object, Relations};
use super::program::{ProgramBuilder, Sites};
use super::rank::Rank;
use super::values::Loops;
use crate::read::name;

/// What was read for one block.
pub struct BlockReading<'r, 'c, 'a> {
    /// Its operations, accesses and order.
    pub program: SyncProgram,
    /// The operations of the IR that these come from.
    pub sites: Sites<'c, 'a>,
    /// The memory of each object.
    pub objects: Vec<Object>,
    /// What was not read, and errors that do not depend on the order of accesses.
    pub failures: Failures<'c, 'a>,
    /// The threads that reach operations.
    pub threads: ActiveThreads<'r>,
    /// The numbers of the program's loops.
    pub loops: Loops,
    /// The barriers.
    pub barriers: NamedBarriers<'c, 'a>,
    /// What the block has of its cluster, where blocks access each other's shared memory.
    pub cluster: Option<Cluster>,
}

/// Reads a kernel for one block.
pub struct KernelReader<'r, 'c, 'a> {
    threads: ActiveThreads<'r>,
    addresses: Addresses<'r, 'c, 'a>,
    program: ProgramBuilder<'c, 'a>,
    phases: Phases,
    commits: Commits,
    barriers: NamedBarriers<'c, 'a>,
    failures: Failures<'c, 'a>,
    /// The block of a cluster that is read.
    rank: Option<Rank>,
}

impl<'r, 'c: 'a, 'a> KernelReader<'r, 'c, 'a> {
    /// A reader that has read nothing yet.
    pub fn new(threads: ActiveThreads<'r>, addresses: Addresses<'r, 'c, 'a>, rank: Option<Rank>) -> Self {
        let mut program = ProgramBuilder::default();
        // Phases of mbarriers that other blocks use are followed by executing all blocks.
        if rank.is_some() {
            program.begin_uncertain();
        }
        let (phases, commits, barriers, failures) = Default::default();
        KernelReader { threads, addresses, program, phases, commits, barriers, failures, rank }
    }

    /// Reads a function, or a `gpu.launch`; `noalias`: whether its caller promises that its arguments are not the same memory.
    pub fn read(mut self, function: OperationRef<'c, 'a>, noalias: bool) -> BlockReading<'r, 'c, 'a> {
        let body = self.region(function, 0);
        let ringed = self.failures.needs_execution();
        match ringed {
            true => self.program.complete_by_execution(self.commits.all()),
            false => self.program.complete_in_text_order(),
        }
        let counted = match ringed {
            true => self.addresses.values().counted(self.program.fixed_values()),
            false => BTreeMap::new(),
        };
        let (values, objects) = self.addresses.finish();
        let (mut loops, differs) = values.finish();
        let Relations { may_alias, exchanged } = objects.relations(noalias);
        let (objects, peers) = objects.finish();
        let (program, sites) = self.program.finish(self.threads.block(), body);
        let cluster = Cluster { members: vec![Member { ops: BTreeMap::new(), peers }], differs };
        let (entries, totals) = (loops.take_entries(), loops.take_totals());
        let loops_of_all = loops.take_all();
        let program =
            SyncProgram { loops: loops_of_all, entries, totals, counted, ringed, may_alias, exchanged, ..program };
        let KernelReader { threads, barriers, failures, rank, .. } = self;
        let cluster = rank.map(|_| cluster);
        BlockReading { program, sites, objects, failures, threads, loops, barriers, cluster }
    }

    /// Adds an operation to the program; its item.
    fn push(&mut self, op: OperationRef<'c, 'a>, does: Op) -> Item {
        self.program.push(op, if self.threads.are_none() { Op { exact: true, ..Op::default() } } else { does })
    }

    /// An access as accesses to the memory of a peer, or of this block where none is given.
    fn at(&mut self, op: OperationRef<'c, 'a>, peer: Option<Peer<'c, 'a>>, access: Access) -> Vec<Access> {
        self.addresses.in_blocks((op, &mut self.failures), peer, access)
    }

    /// The items of a region of one basic block. There are none where no thread reaches it.
    fn region(&mut self, op: OperationRef<'c, 'a>, region: usize) -> Vec<Item> {
        let mut items = Vec::new();
        if self.threads.is_dead(op, region) {
            return items;
        }
        let block = op.region_at(region).and_then(|region| region.first_block());
        if block.is_some_and(|block| block.next_in_region().is_some()) {
            self.failures.refuse(op, "has control flow that is not structured, expected scf.if, scf.for and scf.while");
        }
        let mut next = block.and_then(|block| block.first_operation());
        while let Some(op) = next {
            items.extend(self.reads_of_accumulators(op));
            items.extend(self.item(op));
            next = op.next_in_block();
        }
        items
    }

    fn item(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        match name(op) {
            scf::IfOp::NAME => vec![self.branch(op)],
            scf::IndexSwitchOp::NAME => vec![self.switch(op)],
            scf::ForOp::NAME => vec![self.counted(op)],
            scf::WhileOp::NAME => self.repeated(op),
            scf::ExecuteRegionOp::NAME | memref::AllocaScopeOp::NAME => self.region(op, 0),
            gpu::ReturnOp::NAME | func::ReturnOp::NAME | gpu::TerminatorOp::NAME => {
                let does = self.threads.reaching(op);
                self.program.ends();
                vec![self.push(op, does)]
            }
            scf::YieldOp::NAME | scf::ConditionOp::NAME | memref::AllocaScopeReturnOp::NAME | cf::AssertOp::NAME => {
                Vec::new()
            }
            copy if CopyOp::is_name(copy) => self.copy(op),
            UpdateMapOp::NAME => self.update_map(op),
            _ => self.operation(op),
        }
    }
}
