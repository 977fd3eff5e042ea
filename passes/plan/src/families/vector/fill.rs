//! Fills a tile with a value: stores only, nothing is read.

use tile_isa::{Space, Transfer};
use tile_layout::Layout;

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::partition::{in_parts, partition};
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::reg::by_registers;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;

/// Memory is filled in rounds of vectors, consecutive threads at consecutive addresses; registers by the threads that
/// hold them.
///
/// The plan is that of a copy of the tile onto itself, of which nothing is read:
///
/// ```text
///   warp, 32x32 f32      (1024) : (1)                         8 rounds of 128 bits
///   lane i owns row i    (32, 8) : (1@laneid, 1)              8 registers of each lane
/// ```
pub(crate) struct VectorFill;

const ABOUT: About = About::new(
    "fill",
    10,
    PlanKind::Partition,
    "a value to global or shared memory, by a partition that it makes, or to registers",
);

impl Variant for VectorFill {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::LoadStore)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        check_copy(problem)?;
        let dst = problem.operand(Role::Dst)?;
        let onto_itself = problem.clone().with_operand(Role::Src, dst.clone());
        match dst.space {
            Space::Global | Space::Shared => in_parts(&onto_itself, target, |part| {
                let copy = partition(part, ABOUT.name, Role::Dst)?;
                Ok(MatchedCopy { src: None, ..copy })
            }),
            Space::Local => registers(onto_itself, dst).map(CopyPlan::Partition),
            Space::Tmem => {
                let reason = "stores do not reach tensor memory; needed a fill of registers, and a copy of them";
                Err(Refusal::of(Role::Dst, "tensor-memory", reason))
            }
        }
    }
}

/// Plans a copy to the registers from a memory buffer of the tile's shape, then drops the buffer.
fn registers(problem: Problem, dst: &Operand) -> Result<MatchedCopy, Refusal> {
    let memory = Operand {
        space: Space::Global,
        layout: Layout::row_major(&dst.shape),
        origin: Vec::new(),
        strides: Vec::new(),
        align_bytes: problem.element.bytes(),
        ..dst.clone()
    };
    let copy = by_registers(&problem.with_operand(Role::Src, memory), ABOUT.name, Role::Dst)?;
    Ok(MatchedCopy { src: None, ..copy })
}
