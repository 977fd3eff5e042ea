//! The instructions of a product into tensor memory.
//!
//! For each part of the sums there is one for each step along the depth. One [thread](crate::issuer) issues them all.

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::ops::MmaOp;
use tile_isa::tcgen05_mma::MmaKind;
use tile_ops::llvm_type::{self, pointer_to};
use tile_ops::nvvm::{self, CTAGroupKind, MMABlockScaleKind, Tcgen05MMAKind};
use tile_ops::{Builder, arith, constant, tile};
use tile_plan::mma::shared_operand::SharedOperand;
use tile_plan::mma::tensor::{ColumnTerm, ScalePlace, TensorChain};
use tile_plan::mma::{MmaProblem, TensorPlan};

use super::descriptor::Descriptor;
use super::error::MmaError;
use super::zeroed::FirstProduct;
use crate::effects::inherent;
use crate::emit::Kit;
use crate::emit::error::EmitError;
use crate::issuer::Issuer;
use crate::read::{name, root};

/// Writes the product at the builder's insertion point.
///
/// # Errors
/// Operands that are no tiles, or a function that is not a kernel.
pub fn product<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: MmaOp<'c, 'a>,
    first: Option<FirstProduct>,
    (problem, plan): (&MmaProblem, &TensorPlan),
) -> Result<(), MmaError> {
    let [a, b, c] = op.operands().ok_or(MmaError::Tiles)?;
    let sums = address(c).ok_or(MmaError::PartOfSums)?;
    let issuer = Issuer::of(builder, op.0, plan.warp)?;
    let base = |tile, operand: SharedOperand| {
        let bits = operand.descriptor.tcgen05().ok_or(EmitError::DescriptorFields)?;
        Ok::<_, MmaError>(Descriptor::of(builder, tile, bits))
    };
    let left = match plan.a {
        Some(operand) => TensorLeftOperand::Shared(base(a, operand)?),
        None => TensorLeftOperand::Tensor(address(a).ok_or(MmaError::PartOfLeft)?),
    };
    let right = base(b, plan.b)?;
    let adds = first.map(|first| first.adds(Kit::new(builder), op.0).ok_or(MmaError::NoLoop)).transpose()?;
    let scales = match op.scales() {
        Some([of_a, of_b]) => {
            let [origin_a, origin_b] = &plan.scale_origins;
            Some([scales(builder, of_a, origin_a)?, scales(builder, of_b, origin_b)?])
        }
        None => None,
    };
    issuer.issue(builder, (op.0, op.scope(), problem.threads.block), |kit| {
        let issue = TensorIssue { kit, plan, left, right, scales, sums, adds };
        plan.parts.iter().for_each(|part| issue.chain(part));
    });
    Ok(())
}

/// The address from which on the plan counts the columns of scales: that of the whole tile, and a run-time offset.
fn scales<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    tile: Value<'c, 'a>,
    origin: &[ColumnTerm],
) -> Result<Value<'c, 'a>, MmaError> {
    let (kit, values) = (Kit::new(builder), root::settled(tile)?.values);
    let whole = address(root::root(tile)).ok_or(MmaError::UnknownScales)?;
    origin.iter().try_fold(whole, |address, term| {
        let value = values.get(term.value).ok_or(MmaError::UnknownScales)?.value(builder);
        let steps = arith::divsi(builder, value, constant::index(builder, term.div)).value();
        let columns = arith::muli(builder, steps, constant::index(builder, term.columns)).value();
        let columns = arith::index_cast(builder, columns, kit.int_type(32)).value();
        Ok(arith::addi(builder, address, columns).value())
    })
}

/// The address of a tile in tensor memory; `None` for a part of one.
fn address<'c: 'a, 'a>(tile: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let mut op = defining_op(tile);
    while let Some(cast) = op.filter(|&op| name(op) == tile::CastOp::NAME) {
        op = cast.operand_at(0).and_then(defining_op);
    }
    op.filter(|&op| name(op) == tile::TmemOp::NAME)?.operand_at(0)
}

/// The left factor of the first instruction.
#[derive(Clone, Copy)]
enum TensorLeftOperand<'c, 'a> {
    /// A descriptor.
    Shared(Descriptor<'c, 'a>),
    /// An address in tensor memory.
    Tensor(Value<'c, 'a>),
}

/// What instructions of a product share.
struct TensorIssue<'p, 'c, 'a> {
    kit: Kit<'c, 'a>,
    plan: &'p TensorPlan,
    left: TensorLeftOperand<'c, 'a>,
    /// The descriptor of the first instruction's right factor.
    right: Descriptor<'c, 'a>,
    /// The addresses of the tiles of scales of both factors, if they have any.
    scales: Option<[Value<'c, 'a>; 2]>,
    /// The address of the first sum.
    sums: Value<'c, 'a>,
    /// Whether the first instruction of each chain adds to the sums, where it may not.
    adds: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> TensorIssue<'_, 'c, 'a> {
    /// The instructions along the depth.
    fn chain(&self, part: &TensorChain) {
        let builder = self.kit.builder;
        let to = self.pointer(self.sums, part.sums);
        let always = self.kit.int(1, 1);
        let adds = std::iter::once(self.adds.unwrap_or(always)).chain(std::iter::repeat(always));
        for (step, adds) in part.steps.iter().zip(adds) {
            let [a, b] = step.starts;
            let a = match self.left {
                TensorLeftOperand::Shared(base) => base.at(builder, a),
                TensorLeftOperand::Tensor(base) => self.pointer(base, a),
            };
            let operands = [to, a, self.right.at(builder, b)];
            let product = match self.scales.zip(step.scales) {
                Some((tiles, places)) => self.scaled(operands, adds, tiles, places),
                None => self.plain(operands, adds),
            };
            inherent::mark_product(builder.rewriter, product);
        }
    }

    fn plain(&self, [to, a, b]: [Value<'c, 'a>; 3], adds: Value<'c, 'a>) -> OperationRef<'c, 'a> {
        let (builder, kind) = (self.kit.builder, kind(self.plan.kind));
        let instruction = self.kit.i32(self.plan.instruction.bits().into());
        nvvm::tcgen05_mma(builder, to, a, b, instruction, adds, kind, CTAGroupKind::Cta1).build().operation()
    }

    fn scaled(
        &self,
        [to, a, b]: [Value<'c, 'a>; 3],
        adds: Value<'c, 'a>,
        [of_a, of_b]: [Value<'c, 'a>; 2],
        places: [ScalePlace; 2],
    ) -> OperationRef<'c, 'a> {
        let (builder, kind) = (self.kit.builder, MMABlockScaleKind::Mxf8f6f4);
        let bits = self.plan.instruction.bits_with_scales(places.map(|place| place.byte));
        let instruction = self.kit.i32(bits.into());
        let [of_a, of_b] = [self.pointer(of_a, places[0].column), self.pointer(of_b, places[1].column)];
        let group = CTAGroupKind::Cta1;
        nvvm::tcgen05_mma_block_scale(builder, to, a, b, instruction, adds, of_a, of_b, kind, group).build().operation()
    }

    /// A pointer to a place in tensor memory, from an address on.
    fn pointer(&self, base: Value<'c, 'a>, offset: i64) -> Value<'c, 'a> {
        let builder = self.kit.builder;
        let address = match offset {
            0 => base,
            offset => arith::addi(builder, base, self.kit.i32(offset)).value(),
        };
        pointer_to(builder, address, llvm_type::Space::Tensor)
    }
}

/// The kind by which NVVM calls types, without scales.
fn kind(kind: MmaKind) -> Tcgen05MMAKind {
    match kind {
        MmaKind::F16 => Tcgen05MMAKind::F16,
        MmaKind::Tf32 => Tcgen05MMAKind::Tf32,
        MmaKind::F8f6f4 | MmaKind::Mxf8f6f4 => Tcgen05MMAKind::F8f6f4,
        MmaKind::I8 => Tcgen05MMAKind::I8,
    }
}
