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
    /// From registers to shared memory, and from there to registers.
    Scratch([Box<LoweredPlan>; 2]),
}

impl LoweredPlan {
    /// The variant that accepted the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            LoweredPlan::One(plan) => plan.variant(),
            LoweredPlan::Parts(parts) => parts.first().map_or("gmem_smem", |copy| copy.variant),
            LoweredPlan::Scratch(_) => "scratch",
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
    let one = |op: &OperationRef<'_, '_>| read(*op).map(LoweredPlan::One);
    match ops {
        [] => Err("left no op in place of the copy".to_owned()),
        [op] => one(op),
        [first, second] if is_scratch(&read(*first)?) => {
            Ok(LoweredPlan::Scratch([Box::new(one(first)?), Box::new(one(second)?)]))
        }
        _ => ops.iter().map(parts).collect::<Result<_, _>>().map(LoweredPlan::Parts),
    }
}

/// The plan of an op, which has to be one that this crate evaluates.
fn read(op: OperationRef<'_, '_>) -> Result<CopyPlan, String> {
    match inspect::plan(op).ok_or("left an op without a plan")? {
        CopyPlan::TensorMap(_) => Err("left a copy through tensor maps".to_owned()),
        CopyPlan::Partition(_) | CopyPlan::Composite(_) => Err("left a plan that is not complete".to_owned()),
        CopyPlan::Prefetch(_) => Err("left a plan that copies nothing".to_owned()),
        plan => Ok(plan.clone()),
    }
}

/// Whether the first of several plans is the first half of a copy through shared memory. All parts of a copy start in
/// the same memory and end in the same memory; only a copy between registers leaves two plans of which the first starts
/// in registers.
fn is_scratch(first: &CopyPlan) -> bool {
    match first {
        CopyPlan::Vectors(copy) => copy.side(Role::Src).space == Space::Local && copy.dst.space == Space::Shared,
        CopyPlan::Matrix(copy) => !copy.load,
        CopyPlan::Scalar(copy) => copy.side(Role::Src).space == Space::Local && copy.dst.space == Space::Shared,
        _ => false,
    }
}
