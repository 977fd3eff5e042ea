//! What the accesses of a plan cost the memories, exactly: sectors and lines of global memory, wavefronts of shared memory.
//!
//! Each family describes the [requests](request::WarpRequest) of its plans, by its own address formulas; they are counted here,
//! by the rules of [`request`].
//!
//! ```text
//!   a warp, 32 x 32 f32, a column of a row-major tile to each lane's register
//!     32 loads of 4 bytes, lane l at byte 128 l        32 requests of 32 wavefronts each; 1 would do
//! ```
//!
//! Run-time begins have the least value that is known to be possible, run-time strides are far apart, and all of a masked region is
//! inside, unless constants say otherwise. All warps of a block that reach the copy are counted.

pub mod request;

use std::fmt;
use std::ops::AddAssign;

use thiserror::Error;
use tile_isa::Space;
use tile_layout::counted;

use crate::families::copy_plan::CopyPlan;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::{SharedBanks, Target};
use crate::touch::enumeration::MEMORIES;
use request::WarpRequest;

/// Bytes of a sector, the unit of access to global memory.
pub const SECTOR_BYTES: i64 = 32;
/// Bytes of a line of a cache.
pub const LINE_BYTES: i64 = 128;

/// The most accesses of threads that are counted.
const MAX_ACCESSES: i64 = 1 << 20;

/// What requests of warps cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests: an instruction of a warp that accesses one of the two memories; one that accesses both counts twice.
    pub requests: i64,
    /// Sectors of 32 bytes of global memory, counted for each request.
    pub sectors: i64,
    /// The fewest sectors that could hold the bytes of each request.
    pub ideal_sectors: i64,
    /// Lines of 128 bytes of global memory, counted for each request.
    pub lines: i64,
    /// Passes over the banks of shared memory.
    pub wavefronts: i64,
    /// Passes without bank conflicts.
    pub ideal_wavefronts: i64,
}

/// Why the traffic of a plan is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotCounted {
    /// An engine accesses memory, in units of its own, after a thread has started it.
    #[error("an engine accesses memory by itself")]
    Engine,
    /// More accesses than are enumerated.
    #[error("got {0} accesses, expected at most {MAX_ACCESSES}")]
    TooMany(i64),
    /// An access without an address, or a plan without vectors.
    #[error(transparent)]
    Plan(#[from] Refusal),
}

impl Traffic {
    /// The traffic of a plan of `problem`, for all warps of a block.
    ///
    /// # Errors
    /// Why it is not counted.
    ///
    /// ```
    /// use tile_isa::{Scope, Space};
    /// use tile_plan::families::select;
    /// use tile_plan::problem::operands::Operand;
    /// use tile_plan::problem::threads::Threads;
    /// use tile_plan::problem::{Element, Problem};
    /// use tile_plan::target::Target;
    /// use tile_plan::traffic::Traffic;
    ///
    /// let tile = |space, layout: &str| Operand::whole(space, layout.parse().unwrap(), &[32, 32], 128);
    /// let (rows, columns) = (tile(Space::Global, "(32, 32) : (32, 1)"), tile(Space::Shared, "(32, 32) : (1, 32)"));
    /// let warp = Threads::all(Scope::Warp, Some(32));
    /// let problem = Problem::new(rows, columns, Element::new(32, "f32"), warp);
    /// let target = Target::parse("sm_90a").unwrap();
    /// let (plan, _) = select(&problem, &target).unwrap();
    /// let traffic = Traffic::new(&plan, &problem, &target).unwrap();
    /// // 32 stores of a row of 32 elements, all to one bank.
    /// assert_eq!((traffic.wavefronts, traffic.ideal_wavefronts, traffic.sectors), (1024, 32, 128));
    /// ```
    pub fn new(plan: &CopyPlan, problem: &Problem, target: &Target) -> Result<Self, NotCounted> {
        let (mut sum, banks) = (Traffic::default(), target.shared_banks());
        plan.requests((problem, target), &MEMORIES, &mut |request| sum += Traffic::of_request(request, banks))?;
        Ok(sum)
    }

    fn of_request(request: &WarpRequest, banks: SharedBanks) -> Self {
        let requests = i64::from(!request.lanes.is_empty());
        if request.space == Space::Shared {
            let (wavefronts, ideal_wavefronts) = request.wavefronts(banks);
            return Traffic { requests, wavefronts, ideal_wavefronts, ..Traffic::default() };
        }
        let [sectors, lines] = [SECTOR_BYTES, LINE_BYTES].map(|size| request.units(size));
        let ideal_sectors = (request.distinct_bytes() + SECTOR_BYTES - 1) / SECTOR_BYTES;
        Traffic { requests, sectors, ideal_sectors, lines, ..Traffic::default() }
    }

    /// Passes over the banks that conflicts add.
    pub fn conflicts(&self) -> i64 {
        self.wavefronts - self.ideal_wavefronts
    }

    /// Sectors and passes that other layouts or begins would save.
    pub fn excess(&self) -> i64 {
        self.conflicts() + self.sectors - self.ideal_sectors
    }
}

impl fmt::Display for Traffic {
    /// `128 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least`: of the memories that are accessed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if self.wavefronts != 0 {
            write!(f, "{}, {} without conflicts", counted(self.wavefronts, "wavefront"), self.ideal_wavefronts)?;
            separator = "; ";
        }
        if self.sectors != 0 {
            let (sectors, lines) = (counted(self.sectors, "sector"), counted(self.lines, "line"));
            write!(f, "{separator}{sectors} in {lines}, {} at least", self.ideal_sectors)?;
            separator = "; ";
        }
        f.write_str(if separator.is_empty() { "no accesses of memory" } else { "" })
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.ideal_sectors += other.ideal_sectors;
        self.lines += other.lines;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
    }
}

/// Refuses to enumerate too many accesses.
pub(crate) fn check_count(accesses: i64) -> Result<(), NotCounted> {
    if accesses > MAX_ACCESSES { Err(NotCounted::TooMany(accesses)) } else { Ok(()) }
}
