//! Loops with `tile.producer`: a warp behind the threads of the kernel makes the copies, and these, the consumers, wait for no other.
//!
//! ```text
//!   block of 256                          block of 384
//!                                         mbarriers, initialized by one thread; a barrier of all
//!   before the loop                       threads 0 to 255, a role          warp 8
//!   for k:  copy k ──▶ tile                 before the loop                   for k:  wait for empty[k mod n]
//!           read tile                       for k:  wait for full[k mod n]            copy k ──▶ stage, arrives on full[k mod n]
//!   behind the loop                                 read stage
//!                                                   each warp arrives on empty
//!                                           behind the loop
//! ```
//!
//! Tiles that are first read at one place and [released](StageRelease) at one place have their mbarriers in common; others are copied in the
//! order in which they are read. Nothing but the order of their own accesses holds consumers together, so that one computes while the
//! products of another are in flight.
//!
//! A stage that a product in flight reads is released an iteration later. The consumers then release in the first iteration, too, the
//! stage before the first one, n - 1, and the producer waits for that before it fills this stage: so no condition is needed.
//!
//! What the producer computes from comes before the roles, as it is; all else of the kernel is in the arm of the consumers. The order is
//! not trusted: the kernel that results is checked like any other.

mod check;
mod split;
mod write;

pub use check::check;
pub use write::write;

use melior::ir::OperationRef;
use tile_isa::{WARPGROUP, mbarrier};
use tile_plan::pipeline::{Publication, RoleRegisters, StageRelease, role_registers};

/// How a loop is divided into roles.
pub struct Division<'c, 'a> {
    /// What is awaited and released together, in the order in which it is read.
    pub uses: Vec<RoleStage<'c, 'a>>,
    /// What they hand each other before the loop.
    pub published: Option<Publication>,
    /// The threads of the consumers.
    pub consumers: i64,
    /// Whether registers are given to the consumers.
    pub gives_registers: bool,
}

/// Tiles of one stage that are awaited and released together.
pub struct RoleStage<'c, 'a> {
    /// The copies to them, by their places among those of the loop.
    pub copies: Vec<usize>,
    /// The operation in the body of the loop before which consumers wait for them.
    pub first: OperationRef<'c, 'a>,
    /// When all reads of the stage are complete.
    pub release: StageRelease,
    /// The operation in the body of the loop behind which they are released; `None` at its end.
    pub behind: Option<OperationRef<'c, 'a>>,
}

impl Division<'_, '_> {
    /// The registers of each role, where the producer gives some of its own.
    pub fn registers(&self) -> Option<RoleRegisters> {
        role_registers(self.consumers / WARPGROUP).filter(|_| self.gives_registers)
    }

    /// Bytes of shared memory of the mbarriers: for each stage a full and an empty one.
    pub fn bytes(&self, stages: i64) -> i64 {
        2 * mbarrier::BYTES * stages * self.uses.len() as i64
    }
}

impl RoleStage<'_, '_> {
    /// By how many iterations a stage is released later than it is read.
    fn kept(&self) -> i64 {
        i64::from(!matches!(self.release, StageRelease::Behind(_)))
    }
}
