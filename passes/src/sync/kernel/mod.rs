//! A kernel read as a program of accesses and of what orders them.
//!
//! | module | has |
//! | --- | --- |
//! | [`reader`] | the walk through the operations |
//! | [`active`] | the threads that reach an operation |
//! | [`values`] | SSA values, for each thread and iteration; loops |
//! | [`objects`] | the memory that accesses are of, and what may be the same |
//! | [`addresses`] | the memory behind memrefs, buffers, pointers and descriptors |
//! | [`completions`] | what completes asynchronous operations outside of loops |
//! | [`program`] | the operations of the program, and where in the IR they come from |
//! | [`failures`] | what was not read, and errors that do not depend on order |

mod access;
mod active;
mod addresses;
mod barriers;
mod cluster;
mod completions;
mod failures;
mod leader;
mod objects;
mod plans;
mod program;
mod rank;
mod reader;
mod values;

use std::rc::Rc;

use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::Parts;
use tile_plan::sync::{Cluster, Rounds, SyncProgram};

use crate::options::LoweringOptions;
use crate::read::alias::{self, Root};
use crate::read::divisibility;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use active::ActiveThreads;
use addresses::Addresses;
use barriers::NamedBarriers;
use program::Sites;
use rank::Rank;
use reader::{BlockReading, KernelReader};
use values::{Block, KernelValues, Loops};

pub use failures::{Failures, KernelError};
pub use leader::{Leader, elects};
pub use objects::Object;

/// A kernel, as it was read.
pub struct SyncKernel<'r, 'c, 'a> {
    program: SyncProgram,
    sites: Sites<'c, 'a>,
    objects: Vec<Object>,
    failures: Failures<'c, 'a>,
    threads: ActiveThreads<'r>,
    loops: Loops,
    barriers: NamedBarriers<'c, 'a>,
}

impl<'r, 'c: 'a, 'a> SyncKernel<'r, 'c, 'a> {
    /// Reads a function, or a `gpu.launch`.
    ///
    /// # Errors
    /// Something about the function itself is not known.
    pub fn read(
        function: OperationRef<'c, 'a>,
        options: &'r LoweringOptions,
        ranges: &'r Ranges<'r>,
    ) -> Result<Self, String> {
        let mut kernel = SyncKernel::with_rings(function, options, ranges, Leader::LAST)?;
        kernel.failures.without_execution();
        kernel.program.ringed = false;
        if let Some(&op) = kernel.ops().first().filter(|_| kernel.program.cluster.is_some()) {
            kernel.failures.refuse(op, "is not followed: its blocks reach shared memory of each other");
        }
        Ok(kernel)
    }

    /// Reads the program of one block, in a cluster where one is given; and what the block has of its cluster.
    ///
    /// # Errors
    /// As [`SyncKernel::read`].
    fn of_block(
        function: OperationRef<'c, 'a>,
        options: &'r LoweringOptions,
        ranges: &'r Ranges<'r>,
        (rank, leader): (Option<Rank>, Leader),
    ) -> Result<(Self, Option<Cluster>), String> {
        let region = function.region_at(0).ok_or("has no body")?;
        let first = region.first_block().ok_or("has no body")?;
        let inside = first.first_operation().ok_or("has no body")?;
        let size = divisibility::block::size(function)?
            .ok_or("is not checked: the size of its blocks is not known; give it known_block_size = array<i32: …>")?;
        if first.next_in_region().is_some() {
            return Err(
                "is not checked: its control flow is not structured, expected scf.if, scf.for and scf.while".to_owned()
            );
        }
        let block = Block { size, leader, rank };
        let reader = Rc::new(Reader::new(options).with_leader(leader.lane()));
        let noalias = alias::noalias(function, options.noalias)?;
        let values = KernelValues::new((function, inside), block, Rc::clone(&reader), ranges);
        let addresses = Addresses::new(function, values, rank);
        let threads = ActiveThreads::new(reader, block.threads());
        let reading = KernelReader::new(threads, addresses, rank).read(function, noalias);
        let BlockReading { program, sites, objects, failures, threads, loops, barriers, cluster } = reading;
        Ok((SyncKernel { program, sites, objects, failures, threads, loops, barriers }, cluster))
    }

    /// Its operations, accesses and order.
    pub fn program(&self) -> &SyncProgram {
        &self.program
    }

    /// The operation of the IR that each operation of the program comes from; those in the condition of an
    /// `scf.while` are there twice.
    pub fn ops(&self) -> &[OperationRef<'c, 'a>] {
        self.sites.ops()
    }

    /// The branches and loops around an operation of the program, outer to inner. An operation that is executed both before a
    /// loop and in it is not in the loop the first time.
    pub fn levels(&self, op: usize) -> &[OperationRef<'c, 'a>] {
        self.sites.levels(op)
    }

    /// The memory of each object.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// What was not read, and errors that do not depend on the order of accesses.
    pub fn failures(&self) -> &Failures<'c, 'a> {
        &self.failures
    }

    /// Reads copies.
    pub fn reader(&self) -> &Reader<'r> {
        self.threads.reader()
    }

    /// The numbers of barriers that the kernel leaves, from the highest down.
    pub fn free_barriers(&self) -> impl Iterator<Item = i64> {
        self.barriers.free()
    }

    /// The number of the loop with the given induction variable.
    pub fn number_of(&self, variable: Value<'c, 'a>) -> Option<usize> {
        self.loops.of_variable(variable)
    }

    /// Which threads go round a loop together; `None` for other operations.
    pub fn rounds_of(&self, op: OperationRef<'c, 'a>) -> Option<Rounds> {
        Some(self.program.loops.get(self.loops.number(op)?)?.rounds)
    }

    /// Whether no thread reaches a region.
    pub fn is_dead(&self, op: OperationRef<'c, 'a>, region: usize) -> bool {
        self.threads.is_dead(op, region)
    }

    /// The object of a `tile.alloc`, if something touches it.
    pub fn object_of(&self, alloc: OperationRef<'c, 'a>) -> Option<usize> {
        let memory = Root::of_allocation(alloc.result_at(0)?.into()).into();
        self.objects.iter().position(|object| *object == memory)
    }
}
