//! The instructions of a product of warpgroups.
//!
//! ```text
//!   fence       orders the registers of the sums, and of a left factor that is in registers
//!   mma_async   for each part of the sums, one for each step along the depth
//!   commit, wait   with `group` only the former
//! ```

use melior::ir::{Value, ValueLike};
use tile_dialect::ops::{MmaOp, Scope};
use tile_isa::mma::Factor;
use tile_isa::wgmma::{LEFT_REGISTERS, ROWS};
use tile_ops::llvm_type;
use tile_ops::nvvm::{MMAIntOverflow, MMALayout, WGMMAScaleIn, WGMMAScaleOut, WGMMATypes};
use tile_ops::{Builder, arith, constant, llvm, nvvm, tile};
use tile_plan::mma::WgmmaPlan;
use tile_plan::mma::wgmma::{DescribedFactor, LeftStep, WarpgroupOffset, WgmmaChain};

use super::descriptor::Descriptor;
use super::error::MmaError;
use crate::emit::error::EmitError;
use crate::emit::{Kit, RegisterTile, scope_number};

/// Writes the product at the builder's insertion point.
///
/// # Errors
/// Operands that are no tiles, or a descriptor that there is not.
pub fn product<'c: 'a, 'a>(builder: Builder<'c, 'a>, op: MmaOp<'c, 'a>, plan: &WgmmaPlan) -> Result<(), MmaError> {
    let [a, b, c] = op.operands().ok_or(MmaError::Tiles)?;
    let sums = RegisterTile::of(builder, c).ok_or(EmitError::NotInRegisters)?;
    let [type_a, type_b] = plan.factors.map(factor_type);
    let types = type_a.zip(type_b).map(|(a, b)| [a, b]).ok_or(MmaError::Operands)?;
    let left = match &plan.a {
        Some(factor) => LeftSource::Shared(base(builder, op, a, factor)?),
        None => LeftSource::Registers(RegisterTile::of(builder, a).ok_or(EmitError::NotInRegisters)?),
    };
    let right = base(builder, op, b, &plan.b)?;
    let before: Vec<_> = plan.parts.iter().map(|part| packed(builder, &sums, part)).collect();
    let operands = |part: &WgmmaChain| part.steps.iter().map(|step| left.operand(&step.a)).collect::<Option<Vec<_>>>();
    let factors: Option<Vec<_>> = plan.parts.iter().map(operands).collect();
    let factors = factors.ok_or(MmaError::LeftElsewhere)?;
    nvvm::wgmma_fence_aligned(builder).build();
    let chain = Chain { builder, plan, types, right };
    let after: Vec<_> =
        plan.parts.iter().zip(factors).zip(before).map(|((part, left), sums)| chain.write(part, left, sums)).collect();
    nvvm::wgmma_commit_group_sync_aligned(builder).build();
    let kit = Kit::new(builder);
    for (part, value) in plan.parts.iter().zip(after) {
        for (at, &register) in (0..).zip(&part.registers) {
            sums.store(kit.part(value, at, sums.element), register);
        }
    }
    // The tile has its registers before the wait, which then holds them.
    if !op.group() {
        nvvm::wgmma_wait_group_sync_aligned(builder, 0).build();
    }
    Ok(())
}

/// The left factor.
enum LeftSource<'c, 'a> {
    /// The descriptor of the first instruction's.
    Shared(Descriptor<'c, 'a>),
    Registers(RegisterTile<'c, 'a>),
}

/// The left factor of one instruction.
enum LeftOperand<'c, 'a> {
    Descriptor(Descriptor<'c, 'a>, i64),
    Words(Vec<Value<'c, 'a>>),
}

impl<'c: 'a, 'a> LeftSource<'c, 'a> {
    /// What an instruction takes of it; `None` for the step of a plan whose left factor is elsewhere.
    fn operand(&self, step: &LeftStep) -> Option<LeftOperand<'c, 'a>> {
        match (self, step) {
            (LeftSource::Registers(tile), LeftStep::Registers(elements)) => {
                let words = elements.chunks(elements.len() / LEFT_REGISTERS);
                Some(LeftOperand::Words(words.map(|elements| tile.word(elements)).collect()))
            }
            (LeftSource::Shared(base), LeftStep::Start(units)) => Some(LeftOperand::Descriptor(*base, *units)),
            (LeftSource::Registers(_), LeftStep::Start(_)) | (LeftSource::Shared(_), LeftStep::Registers(_)) => None,
        }
    }
}

/// The descriptor of the first instruction's factor.
fn base<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: MmaOp<'c, 'a>,
    tile: Value<'c, 'a>,
    factor: &DescribedFactor,
) -> Result<Descriptor<'c, 'a>, MmaError> {
    let kit = Kit::new(builder);
    let bits = factor.operand.descriptor.wgmma().ok_or(EmitError::DescriptorFields)?;
    let descriptor = Descriptor::of(builder, tile, bits);
    Ok(match factor.spread {
        WarpgroupOffset { step: 0, .. } => descriptor,
        spread => {
            let warpgroup = scope_number(builder, op.0, Scope::Warpgroup).ok_or(EmitError::BlockSize)?;
            descriptor.plus(builder, own_units(kit, warpgroup, spread))
        }
    })
}

/// What a warpgroup adds to a descriptor.
fn own_units<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    warpgroup: Value<'c, 'a>,
    WarpgroupOffset { div, count, step }: WarpgroupOffset,
) -> Value<'c, 'a> {
    let (builder, number) = (kit.builder, |value| constant::index(kit.builder, value));
    let part = if div == 1 { warpgroup } else { arith::divui(builder, warpgroup, number(div)).value() };
    let part = arith::remui(builder, part, number(count)).value();
    let units = arith::muli(builder, part, number(step)).value();
    arith::index_cast(builder, units, kit.int_type(32)).value()
}

/// The registers of a part of the sums, as instructions take them.
fn packed<'c: 'a, 'a>(builder: Builder<'c, 'a>, sums: &RegisterTile<'c, 'a>, part: &WgmmaChain) -> Value<'c, 'a> {
    let all = llvm_type::several(builder.context, sums.element, part.registers.len());
    let empty = llvm::mlir_poison(builder, all).value();
    (0..)
        .zip(&part.registers)
        .fold(empty, |all, (at, &register)| llvm::insertvalue(builder, all, sums.load(register), &[at]).value())
}

/// The instructions along the depth.
struct Chain<'p, 'c, 'a> {
    builder: Builder<'c, 'a>,
    plan: &'p WgmmaPlan,
    types: [WGMMATypes; 2],
    /// The descriptor of the first instruction's right factor.
    right: Descriptor<'c, 'a>,
}

impl<'c: 'a, 'a> Chain<'_, 'c, 'a> {
    /// Those of a part; its sums.
    fn write(&self, part: &WgmmaChain, left: Vec<LeftOperand<'c, 'a>>, sums: Value<'c, 'a>) -> Value<'c, 'a> {
        part.steps.iter().zip(left).fold(sums, |sums, (step, left)| {
            let b = self.right.at(self.builder, step.b);
            match left {
                LeftOperand::Descriptor(base, units) => self.shared(base.at(self.builder, units), b, sums),
                LeftOperand::Words(words) => self.registers(&words, b, sums),
            }
        })
    }

    fn shared(&self, a: Value<'c, 'a>, b: Value<'c, 'a>, sums: Value<'c, 'a>) -> Value<'c, 'a> {
        let Chain { builder, plan, types: [type_a, type_b], .. } = *self;
        let [columns, depth] = plan.size;
        let shape = constant::mma_shape(builder.context, [ROWS, columns, depth]);
        let is_integer = type_a == WGMMATypes::S8 || type_a == WGMMATypes::U8;
        let type_d = if is_integer { WGMMATypes::S32 } else { WGMMATypes::F32 };
        let is_turned = plan.a.is_some_and(|factor| factor.operand.is_transposed);
        let layout_a = if is_turned { MMALayout::Col } else { MMALayout::Row };
        let layout_b = if plan.b.operand.is_transposed { MMALayout::Row } else { MMALayout::Col };
        let (one, add, all) = (WGMMAScaleIn::One, WGMMAScaleOut::One, sums.r#type());
        nvvm::wgmma_mma_async(
            builder, sums, a, b, shape, type_a, type_b, type_d, add, one, one, layout_a, layout_b, all,
        )
        .satfinite(is_integer.then_some(MMAIntOverflow::Wrapped))
        .value()
    }

    fn registers(&self, a: &[Value<'c, 'a>], b: Value<'c, 'a>, sums: Value<'c, 'a>) -> Value<'c, 'a> {
        let [element_a, element_b] = self.plan.factors.map(Factor::ptx);
        tile::warpgroup_mma(self.builder, sums, a, b, element_a, element_b)
            .transposed(self.plan.b.operand.is_transposed)
            .value()
    }
}

/// The type by which NVVM calls elements; it has none for `f64`.
fn factor_type(factor: Factor) -> Option<WGMMATypes> {
    Some(match factor {
        Factor::F16 => WGMMATypes::F16,
        Factor::Bf16 => WGMMATypes::Bf16,
        Factor::Tf32 => WGMMATypes::Tf32,
        Factor::E4m3 => WGMMATypes::E4m3,
        Factor::E5m2 => WGMMATypes::E5m2,
        Factor::S8 => WGMMATypes::S8,
        Factor::U8 => WGMMATypes::U8,
        Factor::F64 => return None,
    })
}
