//! The intrinsics of LLVM that remain of elementary functions: `--tile-lower-math` computes all others from these.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_ops::intrinsic::{Elementary, Intrinsic};
use tile_ops::llvm;
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::kernel::{Expression, Function};
use tile_portable::{Binary, Scalar};

use super::reader::PortableReader;
use super::values::Id;

impl PortableReader {
    /// Reads a call of an intrinsic; `false` for other ops.
    pub(super) fn math(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        let Some(call) = llvm::CallIntrinsicOp::cast(op) else { return Ok(false) };
        let full = call.intrin().unwrap_or_default();
        let scalar = self.computed(op, 0)?;
        let make = function(&full, scalar).ok_or_else(|| kernels::operation(&full, &self.target))?;
        let mut operands = Vec::new();
        for index in 0..op.operand_count() {
            operands.push(self.operand(op, index)?);
        }
        let lanes = (0..operands[0].len()).map(|lane| operands.iter().map(|all| all[lane]).collect::<Vec<Id>>());
        let lanes = lanes.map(|values| self.push(make(scalar, &values))).collect();
        self.give(op, lanes);
        Ok(true)
    }
}

type Make = Box<dyn Fn(Scalar, &[Id]) -> Expression>;

/// The expression of an intrinsic on lanes of a type; `None` where there is none.
fn function(name: &str, scalar: Scalar) -> Option<Make> {
    let is_wide = scalar == Scalar::F64;
    let function = match (Elementary::from_name(name), approximation(name)) {
        (Some(Elementary::CopySign), _) => {
            return Some(Box::new(|scalar, values| Expression::Signed(scalar, [values[0], values[1]])));
        }
        (Some(Elementary::Maximum), _) => return Some(binary(Binary::Max)),
        (Some(Elementary::Minimum), _) => return Some(binary(Binary::Min)),
        (Some(Elementary::MaxNum), _) => return Some(binary(Binary::MaxNum)),
        (Some(Elementary::MinNum), _) => return Some(binary(Binary::MinNum)),
        (Some(Elementary::Fma), _) if is_wide => return None,
        (Some(Elementary::Fma), _) => {
            return Some(Box::new(|scalar, values| Expression::Fused(scalar, [values[0], values[1], values[2]])));
        }
        (Some(Elementary::Abs), _) => Function::Absolute,
        (Some(Elementary::Ceil), _) => Function::Ceil,
        (Some(Elementary::Floor), _) => Function::Floor,
        (Some(Elementary::Round), _) => Function::Round,
        (Some(Elementary::RoundEven), _) => Function::RoundEven,
        (Some(Elementary::Sqrt), _) => Function::Sqrt,
        (Some(Elementary::Trunc), _) => Function::Trunc,
        (None, Some(function)) => function,
        (None, None) => return None,
    };
    let is_there = !is_wide || function == Function::Absolute;
    is_there.then(|| -> Make { Box::new(move |scalar, values| Expression::Function(function, scalar, values[0])) })
}

fn binary(binary: Binary) -> Make {
    Box::new(move |scalar, values| Expression::Binary(binary, scalar, [values[0], values[1]]))
}

/// NVIDIA's approximations of f32, which become those of the device.
fn approximation(name: &str) -> Option<Function> {
    Some(match Intrinsic::APPROXIMATE.into_iter().find(|known| known.name() == name)? {
        Intrinsic::Ex2Approx | Intrinsic::Ex2ApproxFtz => Function::Exp2,
        Intrinsic::Lg2Approx | Intrinsic::Lg2ApproxFtz => Function::Log2,
        Intrinsic::SinApprox => Function::Sin,
        Intrinsic::CosApprox => Function::Cos,
        Intrinsic::RsqrtApprox | Intrinsic::RsqrtApproxFtz => Function::InverseSqrt,
        Intrinsic::SqrtApprox | Intrinsic::SqrtApproxFtz => Function::Sqrt,
        Intrinsic::TowardsZero => return None,
    })
}
