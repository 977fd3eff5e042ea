//! Layouts that an instruction would take, by name, for products whose layouts it does not.

use tile_isa::fragment::{Fragment, MatrixInstruction, MatrixOperand};

use super::problem::{MmaOperand, MmaProblem};
use crate::problem::refusal::Refusal;

/// Refusals of layouts, for which others are suggested.
const OF_LAYOUTS: [&str; 3] = ["fragment-mismatch", "fragment-too-small", "depth-not-held"];

/// The refusal, with the names of layouts that the first of the instructions takes which fits the tiles, if it is one of layouts:
/// of all its operands that have names, over the warps that share the product, as square as possible.
pub(super) fn with_fragments(
    refusal: Refusal,
    problem: &MmaProblem,
    instructions: impl IntoIterator<Item = MatrixInstruction>,
) -> Refusal {
    if !OF_LAYOUTS.contains(&refusal.cause) {
        return refusal;
    }
    let Some(threads) = problem.threads.count() else { return refusal };
    let named = instructions.into_iter().find_map(|instruction| {
        let scopes = (threads / instruction.scope().threads(None).unwrap_or(threads)).max(1);
        let names = arrangements(scopes).into_iter().find_map(|scopes| fragments(problem, instruction, scopes))?;
        Some(format!("{instruction} takes {names}"))
    });
    match named {
        Some(names) => Refusal { reason: format!("{}; {names}", refusal.reason), ..refusal },
        None => refusal,
    }
}

/// Rows and columns of that many scopes, those that differ least first.
fn arrangements(scopes: i64) -> Vec<[i64; 2]> {
    let mut all: Vec<_> = (1..=scopes).filter(|rows| scopes % rows == 0).map(|rows| [rows, scopes / rows]).collect();
    all.sort_by_key(|[rows, columns]| (rows - columns).abs());
    all
}

/// The names of all operands in registers, or in tensor memory: `a in #tile.fragment<mma.m16n8k16.a over (2, 2) warps>, b in …`.
fn fragments(problem: &MmaProblem, instruction: MatrixInstruction, scopes: [i64; 2]) -> Option<String> {
    let operands: [(MatrixOperand, &MmaOperand); 3] =
        [(MatrixOperand::A, &problem.a), (MatrixOperand::B, &problem.b), (MatrixOperand::C, &problem.c)];
    let scales =
        problem.scales.iter().flat_map(|[a, b]| [(MatrixOperand::ScalesA, &a.tile), (MatrixOperand::ScalesB, &b.tile)]);
    let named = operands.into_iter().chain(scales).filter(|(_, tile)| tile.space == instruction.space());
    let name = |(operand, tile): (MatrixOperand, &MmaOperand)| {
        let fragment = Fragment::new(instruction, operand).ok()?.over(scopes).ok()?;
        fragment.layout(&tile.shape, tile.number.bits()).ok()?;
        Some(format!("{operand} in #tile.fragment<{fragment}>"))
    };
    Some(named.map(name).collect::<Option<Vec<_>>>()?.join(", "))
}
