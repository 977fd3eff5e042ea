//! `tile.mma`: the sizes of the tiles agree, and their elements can be multiplied and added.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};

use super::outcome;
use tile_isa::mma::Factor;
use tile_isa::tcgen05_mma::SCALED_DEPTH;
use tile_isa::wgmma;
use tile_layout::{by_x, counted};

use crate::BufferType;
use crate::error::{VerifyError, mismatch};
use crate::ops::{MmaOp, string};

/// The type of scales: powers of two.
const SCALES: &str = "f8E8M0FNU";

pub(crate) fn mma(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(MmaOp(op)))
}

fn check(op: MmaOp<'_, '_>) -> Result<(), VerifyError> {
    let operands = op.operands().ok_or(VerifyError::Incomplete)?;
    let mut buffers = Vec::new();
    for (name, value) in ["a", "b", "c"].into_iter().zip(operands) {
        let buffer = BufferType::from_type(value.r#type()).ok_or(VerifyError::NotABuffer)?;
        let rank = buffer.shape().len();
        if rank != 2 {
            return Err(mismatch!("{rank} dimensions of {name}"; expected "2: rows and columns"));
        }
        buffers.push(buffer);
    }
    let [a, b, c] = buffers[..] else { return Err(VerifyError::Incomplete) };
    let ([m, k], [depth, n], [rows, columns]) = (sizes(a), sizes(b), sizes(c));
    if k != depth {
        return Err(mismatch!("{depth} rows of b"; expected "{k}, the columns of a"));
    }
    if [rows, columns] != [m, n] {
        return Err(mismatch!("c of {rows}x{columns} elements"; expected "{m}x{n}, the rows of a by the columns of b"));
    }
    if operands[2] == operands[0] || operands[2] == operands[1] {
        let which = if operands[2] == operands[0] { "a" } else { "b" };
        return Err(mismatch!("{which} as c"; expected "another tile: it is overwritten while it is read"));
    }
    elements(op, [a, b, c].map(|buffer| buffer.element().to_string()))?;
    scales(op, [a, b])
}

/// Checks the sizes and elements of scales, of which there are two or none.
fn scales(op: MmaOp<'_, '_>, [a, b]: [BufferType<'_>; 2]) -> Result<(), VerifyError> {
    let got = op.0.operand_count().saturating_sub(3);
    let Some(tiles) = op.scales().filter(|_| got == 2) else {
        let message = || mismatch!("scales of {}", counted(got as i64, "tile"); expected "2: of a and of b");
        return if got == 0 { Ok(()) } else { Err(message()) };
    };
    let ([m, k], [_, n]) = (sizes(a), sizes(b));
    if let Some(factor) = [a, b].map(|factor| factor.element().to_string()).into_iter().find(|name| !is_fp8(name)) {
        return Err(mismatch!("scales of factors of type {factor}"; expected "f8E4M3FN or f8E5M2"));
    }
    if k % SCALED_DEPTH != 0 {
        return Err(mismatch!("scales with {k} columns of a"; expected "a multiple of {SCALED_DEPTH}"));
    }
    let steps = k / SCALED_DEPTH;
    for ((name, tile), expected) in [("a", tiles[0]), ("b", tiles[1])].into_iter().zip([[m, steps], [steps, n]]) {
        let buffer = BufferType::from_type(tile.r#type()).ok_or(VerifyError::NotABuffer)?;
        let element = buffer.element().to_string();
        if element != SCALES {
            return Err(mismatch!("scales of {name} of type {element}"; expected "{}", SCALES));
        }
        if *buffer.shape() != expected {
            return Err(mismatch!("{} scales of {name}", by_x(buffer.shape());
                expected "{}: one for {SCALED_DEPTH} of the {k} terms", by_x(expected)));
        }
    }
    Ok(())
}

fn is_fp8(name: &str) -> bool {
    matches!(name, "f8E4M3FN" | "f8E5M2")
}

pub(crate) fn warpgroup_mma(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_instruction(op))
}

fn check_instruction(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    // Sums, and the descriptor of B.
    let got = op.operand_count().saturating_sub(2);
    if got != wgmma::LEFT_REGISTERS {
        return Err(mismatch!("{got} registers of a"; expected "{}", wgmma::LEFT_REGISTERS));
    }
    for name in ["element_a", "element_b"].into_iter().filter_map(|name| string(op, name)) {
        let known = Factor::ALL.into_iter().filter(|factor| wgmma::multiplies(*factor)).map(Factor::ptx);
        let known: Vec<_> = known.collect();
        if !known.contains(&name.as_str()) {
            return Err(mismatch!("elements {name}"; expected "one of {}", known.join(", ")));
        }
    }
    Ok(())
}

fn sizes(buffer: BufferType<'_>) -> [i64; 2] {
    [buffer.shape()[0], buffer.shape()[1]]
}

/// Checks the types of elements, and the clauses.
fn elements(op: MmaOp<'_, '_>, [a, b, c]: [String; 3]) -> Result<(), VerifyError> {
    if a != b && !(is_fp8(&a) && is_fp8(&b)) {
        return Err(mismatch!("elements {a} of a and {b} of b"; expected "the same type, or two of 8-bit floats"));
    }
    let (sums, clauses): (&[&str], &[Option<&str>]) = match a.as_str() {
        "f16" => (&["f16", "f32"], &[None]),
        "bf16" => (&["bf16", "f32"], &[None]),
        "f32" => (&["f32"], &[None, Some("tf32")]),
        "f64" => (&["f64"], &[None]),
        "f8E4M3FN" | "f8E5M2" => (&["f32"], &[None]),
        "i8" | "i16" => (&["i32"], &[Some("signed"), Some("unsigned")]),
        "i32" => (&["i32"], &[None]),
        other => {
            let known = "f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i8, i16, i32";
            let is_narrow = other.starts_with("f4") || other.starts_with("f6");
            let why = if is_narrow { ": tiles of less than 8 bits an element cannot be copied" } else { "" };
            return Err(mismatch!("factors of type {other}"; expected "one of {known}{why}"));
        }
    };
    if !sums.contains(&c.as_str()) {
        return Err(mismatch!("sums of type {c} of factors of type {a}"; expected "{}", sums.join(" or ")));
    }
    for (name, clause) in [("convert", op.clause_of_a()), ("convert_b", op.clause_of_b())] {
        if clauses.contains(&clause.as_deref()) {
            continue;
        }
        let spelled = |clause: &Option<&str>| clause.map_or("none".to_owned(), |word| format!("{name}({word})"));
        let allowed: Vec<String> = clauses.iter().map(spelled).collect();
        let got = spelled(&clause.as_deref());
        return Err(mismatch!("{got} for factors of type {a}"; expected "{}", allowed.join(" or ")));
    }
    Ok(())
}
