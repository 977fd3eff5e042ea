//! Contractions and reductions of vectors that all threads of a block have become ops of linalg on memory of the kernel's own
//! (`cpp/LinalgVectors.cpp`).

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::Parts;
use tile_dialect::ops::Scope;
use tile_ops::vector;
use tile_plan::linalg::{LinalgRefusal, LinalgSchedule};

use super::convert::Converter;
use super::refuse::Reports;
use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::problem::Reader;
use crate::{shim, walk};

/// The ops whose vectors become memory, with all that these come from and go to.
pub const ANCHORS: [&str; 2] = [vector::ContractionOp::NAME, vector::MultiDimReductionOp::NAME];

/// Makes ops of linalg of the contractions and reductions at or below the root, or says why they stay.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &LoweringOptions, reports: &Reports<'c, 'a>) {
    let mut kept: Vec<usize> = Vec::new();
    loop {
        let anchors = walk::matching(root, |name| ANCHORS.contains(&name));
        let Some(anchor) = anchors.into_iter().find(|anchor| !kept.contains(&walk::key(*anchor))) else { return };
        let reader = Reader::new(options);
        let rewriter = reports.rewriter;
        let converter = Converter::new(&reader, options, LinalgSchedule::default(), rewriter);
        let (group, other) = shim::vector_group(anchor);
        match kernel_of(&converter, &group, other) {
            Ok(kernel) => shim::write_vector_group(anchor, kernel),
            Err(refusal) => {
                reports.stays(anchor, &refusal);
                kept.extend(group.into_iter().map(|op| walk::key(op)));
            }
        }
    }
}

/// The kernel of a group of ops that all threads of a block do with the same values.
fn kernel_of<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    group: &[OperationRef<'c, 'a>],
    other: Option<OperationRef<'c, 'a>>,
) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
    let first = group.first().ok_or(LinalgRefusal::NotAKernel)?;
    let kernel = converter.reached_by_all(*first, Scope::Cta)?;
    if let Some(other) = other {
        return Err(LinalgRefusal::Vector { op: name(other).to_owned() });
    }
    for &op in group {
        converter.reached_by_all(op, Scope::Cta)?;
        let operands = (0..op.operand_count()).filter_map(|index| op.operand_at(index));
        let mut others = operands.filter(|value| !shim::is_vector(*value));
        if others.any(|value| converter.differs(kernel, value, Scope::Cta)) {
            return Err(LinalgRefusal::Differs { what: format!("an operand of {}", name(op)), scope: Scope::Cta });
        }
    }
    kernel.region_at(0).and_then(|region| region.first_block()).map(|_| kernel).ok_or(LinalgRefusal::NotAKernel)
}
