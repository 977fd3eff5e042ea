//! The intrinsics of LLVM that remain of elementary functions: `--tile-lower-math` computes all others from these.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_ops::llvm;
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::kernel::{Expression, Function};
use tile_portable::{Binary, Scalar};

use super::reader::Reader;
use super::values::Id;

/// Functions of one float, by their names without the type: those with one rounding.
const EXACT: [(&str, Function); 7] = [
    ("llvm.fabs", Function::Absolute),
    ("llvm.ceil", Function::Ceil),
    ("llvm.floor", Function::Floor),
    ("llvm.round", Function::Round),
    ("llvm.roundeven", Function::RoundEven),
    ("llvm.sqrt", Function::Sqrt),
    ("llvm.trunc", Function::Trunc),
];

/// NVIDIA's approximations of f32, which become those of the device.
const APPROXIMATE: [(&str, Function); 6] = [
    ("llvm.nvvm.ex2.approx", Function::Exp2),
    ("llvm.nvvm.lg2.approx", Function::Log2),
    ("llvm.nvvm.sin.approx", Function::Sin),
    ("llvm.nvvm.cos.approx", Function::Cos),
    ("llvm.nvvm.rsqrt.approx", Function::InverseSqrt),
    ("llvm.nvvm.sqrt.approx", Function::Sqrt),
];

impl Reader {
    /// Reads a call of an intrinsic; `false` for other ops.
    pub(super) fn math(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        let Some(call) = llvm::CallIntrinsicOp::cast(op) else { return Ok(false) };
        let full = call.intrin().unwrap_or_default();
        let name = full.rsplit_once('.').map_or(full.as_str(), |(name, _)| name);
        let scalar = self.computed(op, 0)?;
        let make = function(name, scalar).ok_or_else(|| kernels::operation(&full, &self.target))?;
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
    Some(match name {
        "llvm.copysign" => Box::new(|scalar, values| Expression::Signed(scalar, [values[0], values[1]])),
        "llvm.maxnum" => Box::new(|scalar, values| Expression::Binary(Binary::MaxNum, scalar, [values[0], values[1]])),
        "llvm.minnum" => Box::new(|scalar, values| Expression::Binary(Binary::MinNum, scalar, [values[0], values[1]])),
        "llvm.fma" if !is_wide => {
            Box::new(|scalar, values| Expression::Fused(scalar, [values[0], values[1], values[2]]))
        }
        _ => {
            let known = EXACT.into_iter().chain(APPROXIMATE).find(|(known, _)| *known == name);
            let (_, function) = known.filter(|(_, function)| !is_wide || *function == Function::Absolute)?;
            Box::new(move |scalar, values| Expression::Function(function, scalar, values[0]))
        }
    })
}
