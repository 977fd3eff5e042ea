//! The plan of a copy between the passes.

use melior::ir::OperationRef;
use tile_isa::{Space, Transfer};
use tile_passes::inspect;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::problem::role::Role;

/// The plans in the IR that one copy became.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are one plan")]
pub enum LoweredPlan {
    /// One plan for all of it.
    One(CopyPlan),
    /// Rounds of vectors for each part of the region.
    Parts(Vec<VectorCopy>),
    /// One after the other, each of what the one before has written: through shared memory, registers, or both.
    Chain(Vec<LoweredPlan>),
}

impl LoweredPlan {
    /// The variant that accepted the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            LoweredPlan::One(plan) => plan.variant(),
            LoweredPlan::Parts(parts) => parts.first().map_or("gmem_smem", |copy| copy.variant),
            LoweredPlan::Chain(_) => "scratch",
        }
    }

    /// Whether `cp.async` performs the copy.
    pub fn is_cp_async(&self) -> bool {
        let by = |copy: &VectorCopy| copy.transfer == Transfer::CpAsync;
        match self {
            LoweredPlan::One(CopyPlan::Vectors(copy)) => by(copy),
            LoweredPlan::Parts(parts) => parts.iter().any(by),
            _ => false,
        }
    }
}

/// Reads the planned ops of one copy; several ops are its parts.
pub(super) fn read_all(ops: &[OperationRef<'_, '_>]) -> Result<LoweredPlan, String> {
    let parts = |op: &OperationRef<'_, '_>| match read(*op)? {
        CopyPlan::Vectors(copy) => Ok(copy),
        other => Err(format!("left {} parts, one of them by {}", ops.len(), other.variant())),
    };
    match ops {
        [] => Err("left no op in place of the copy".to_owned()),
        [op] => read(*op).map(LoweredPlan::One),
        _ => {
            let plans = ops.iter().map(|op| read(*op)).collect::<Result<Vec<_>, _>>()?;
            match is_chain(&plans) {
                true => Ok(LoweredPlan::Chain(plans.into_iter().map(LoweredPlan::One).collect())),
                false => ops.iter().map(parts).collect::<Result<_, _>>().map(LoweredPlan::Parts),
            }
        }
    }
}

/// The plan of an op, which has to be one that this crate evaluates.
fn read(op: OperationRef<'_, '_>) -> Result<CopyPlan, String> {
    match inspect::plan(op).ok_or("left an op without a plan")? {
        CopyPlan::TensorMap(_) => Err("left a copy through tensor maps".to_owned()),
        CopyPlan::Partition(_) | CopyPlan::Composite(_) => Err("left a plan that is not complete".to_owned()),
        plan => Ok(plan.clone()),
    }
}

/// Whether each of several plans copies what the one before has written. Parts of a copy all start in the same memory, and end in the same
/// memory.
fn is_chain(plans: &[CopyPlan]) -> bool {
    let Some(spaces) = plans.iter().map(spaces).collect::<Option<Vec<_>>>() else { return false };
    let continues = spaces.windows(2).all(|pair| pair[0][1] == pair[1][0]);
    continues && spaces.iter().any(|other| *other != spaces[0])
}

/// The memories from which and to which a plan copies.
fn spaces(plan: &CopyPlan) -> Option<[Space; 2]> {
    match plan {
        CopyPlan::Vectors(copy) => Some([copy.side(Role::Src).space, copy.dst.space]),
        CopyPlan::Scalar(copy) => Some([copy.side(Role::Src).space, copy.dst.space]),
        CopyPlan::Matrix(copy) if copy.load => Some([Space::Shared, Space::Local]),
        CopyPlan::Matrix(_) => Some([Space::Local, Space::Shared]),
        _ => None,
    }
}
