//! Products of tiles in registers.

use tile_isa::convert::NumberFormat;
use tile_isa::fragment::MatrixInstruction;
use tile_isa::mma::{Factor, MmaShape, ROW_GROUPS, ROW_LANES, shapes};
use tile_isa::{Scope, Space, WARP};

use crate::choose::Rule;
use crate::distribution::RegisterDistribution;
use crate::mma::nearest::with_fragments;
use crate::mma::plan::{MmaPlan, RegisterInstruction, RegisterProduct};
use crate::mma::problem::{MmaOperand, MmaProblem};
use crate::mma::tiling::{LaneShares, RegisterOperands, RegisterTiling};
use crate::problem::refusal::Refusal;
use crate::sides::require::all_active;
use crate::target::Target;
use crate::target::engine::Engine;

/// `mma.sync`, for operands whose layouts are those of the instruction, for each warp.
pub(super) struct MmaSync;

impl Rule<MmaProblem> for MmaSync {
    fn name(&self) -> &'static str {
        "mma_sync"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn plan(&self, problem: &MmaProblem, target: &Target) -> Result<MmaPlan, Refusal> {
        problem.require_spaces([&[Space::Local]; 3])?;
        let (factors, shapes) = instructions(problem)?;
        let [a, b, c] = distributions(problem)?;
        whole_warps(problem)?;
        let operands = RegisterOperands { a: &a, b: &b, c: &c, depth: problem.a.shape[1] as usize };
        let mut refused = None;
        for &shape in shapes {
            let planned =
                engine(factors, shape).check(target, "mma.sync needs").and_then(|()| tiling(&operands, shape));
            match planned {
                Ok(tiling) => {
                    let instruction = RegisterInstruction::MmaSync { shape, factors };
                    return Ok(MmaPlan::Registers(RegisterProduct { instruction, tiling }));
                }
                // The largest instruction says best what is missing.
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let refused = refused.unwrap_or_else(|| problem.unsupported(multiplies));
        Err(with_fragments(refused, problem, shapes.iter().copied().map(MatrixInstruction::Mma)))
    }
}

fn tiling(operands: &RegisterOperands<'_>, shape: MmaShape) -> Result<RegisterTiling, Refusal> {
    let shares = LaneShares {
        groups: ROW_GROUPS as usize,
        members: ROW_LANES as usize,
        rows: shape.rows_per_lane() as usize,
        columns: shape.columns_per_lane() as usize,
        depth: shape.depth_per_lane() as usize,
    };
    RegisterTiling::new(operands, shares)
        .map_err(|refusal| Refusal { reason: format!("{shape}: {}", refusal.reason), ..refusal })
}

/// Whether an instruction has such factors and sums.
fn multiplies(factor: Factor, sum: NumberFormat) -> bool {
    !shapes(factor, factor, sum).is_empty()
}

/// The elements as an instruction reads them, and the shapes that have them.
fn instructions(problem: &MmaProblem) -> Result<([Factor; 2], &'static [MmaShape]), Refusal> {
    let factor = |operand: &MmaOperand| {
        Factor::of(operand.number, operand.clause).ok_or_else(|| problem.unsupported(multiplies))
    };
    let factors @ [a, b] = [factor(&problem.a)?, factor(&problem.b)?];
    match shapes(a, b, problem.c.number) {
        [] => Err(problem.unsupported(multiplies)),
        shapes => Ok((factors, shapes)),
    }
}

/// The chips that have an instruction.
fn engine(factors: [Factor; 2], shape: MmaShape) -> Engine {
    let (chips, number, ptx) = match (factors[0], shape.m, shape.k) {
        (Factor::F16, _, 8) => ("sm_75 or later", 75, 65),
        (Factor::F64, 16, _) => ("sm_90 or later, with PTX 7.8 or later", 90, 78),
        (Factor::E4m3 | Factor::E5m2, ..) => ("sm_89 or later, with PTX 8.4 or later", 89, 84),
        _ => ("sm_80 or later", 80, 70),
    };
    Engine::since("chip-lacks-mma", chips, number, ptx)
}

/// Requires all lanes of each warp that multiplies: the instruction is one of the whole warp.
fn whole_warps(problem: &MmaProblem) -> Result<(), Refusal> {
    if problem.threads.scope == Scope::Thread {
        let reason = "scope thread; needed a warp or more, whose lanes multiply together";
        return Err(Refusal::new("scope-not-whole-warps", reason));
    }
    all_active(&problem.threads)?;
    match problem.threads.count() {
        Some(count) if count % WARP != 0 => {
            let reason = format!("a block of {count} threads; needed a multiple of {WARP}, whole warps");
            Err(Refusal::new("scope-not-whole-warps", reason))
        }
        _ => Ok(()),
    }
}

fn distributions(problem: &MmaProblem) -> Result<[RegisterDistribution; 3], Refusal> {
    let held =
        |operand: &MmaOperand, name| RegisterDistribution::new(&operand.layout, &operand.shape, name, &problem.threads);
    Ok([held(&problem.a, "a")?, held(&problem.b, "b")?, held(&problem.c, "c")?])
}

/// Multiplications and additions in each thread, of operands that the thread holds all of.
pub(super) struct Fma;

impl Rule<MmaProblem> for Fma {
    fn name(&self) -> &'static str {
        "fma"
    }

    fn priority(&self) -> u32 {
        0
    }

    fn plan(&self, problem: &MmaProblem, _target: &Target) -> Result<MmaPlan, Refusal> {
        problem.require_spaces([&[Space::Local]; 3])?;
        if let Some(tf32) = [&problem.a, &problem.b]
            .into_iter()
            .find(|operand| Factor::of(operand.number, operand.clause) == Some(Factor::Tf32))
        {
            let reason = format!("{} as tf32; needed elements that are multiplied as they are", tf32.number.name());
            return Err(Refusal::new("types-not-multiplied", reason));
        }
        if problem.a.number.is_fp8()
            || problem.b.number.is_fp8()
            || problem.c.number == NumberFormat::Bf16 && problem.a.number != NumberFormat::Bf16
        {
            let reason = format!("{}; needed f16, bf16, f32, f64 or integers", problem.types());
            return Err(Refusal::new("types-not-multiplied", reason));
        }
        let [a, b, c] = distributions(problem)?;
        let operands = RegisterOperands { a: &a, b: &b, c: &c, depth: problem.a.shape[1] as usize };
        let tiling = RegisterTiling::new(&operands, LaneShares::THREAD)?;
        Ok(MmaPlan::Registers(RegisterProduct { instruction: RegisterInstruction::Fma, tiling }))
    }
}
