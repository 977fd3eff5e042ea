//! Which family decodes an opcode.

use super::context::Cx;
use super::table::Table;
use super::{
    arithmetic, atomic, bits, bulk, control, convert, copies, float, loadstore, logic, matrix, mbarrier, misc, moves,
    multiply, setp, sync, tensor, warp,
};
use crate::code::Op;
use crate::parse::{Class, Result, Type};

/// Decodes one instruction to the operations that carry it out, nearly always one.
pub(crate) fn decode(cx: &mut Cx<'_>, table: &Table) -> Result<Vec<Op>> {
    if cx.inst.root == "call" {
        return control::call(cx, table);
    }
    single(cx).map(|op| vec![op])
}

/// Whether the last modifier is a floating type.
fn is_float(cx: &Cx<'_>) -> bool {
    let ty = cx.inst.modifiers.last().and_then(|m| Type::parse(m));
    ty.is_some_and(|t| matches!(t.class, Class::Float | Class::Brain))
}

fn single(cx: &mut Cx<'_>) -> Result<Op> {
    let float = is_float(cx);
    match cx.inst.root.as_str() {
        "add" | "sub" | "mul" | "mad" | "div" | "min" | "max" | "abs" | "neg" if float => float::decode(cx),
        "fma" | "sqrt" | "rcp" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" => float::decode(cx),
        "testp" => setp::testp(cx),
        "add" | "sub" | "addc" | "subc" => arithmetic::add(cx),
        "div" | "rem" | "min" | "max" | "sad" => arithmetic::binary(cx),
        "abs" | "neg" => arithmetic::unary(cx),
        "mul" | "mad" | "madc" | "mul24" | "mad24" => multiply::decode(cx),
        "dp4a" | "dp2a" => multiply::dot(cx),
        "and" | "or" | "xor" | "not" | "cnot" | "lop3" => logic::decode(cx),
        "shl" | "shr" | "shf" => logic::shift(cx),
        "bfe" | "bfi" | "bfind" | "brev" | "clz" | "popc" | "fns" | "prmt" | "bmsk" | "szext" => bits::decode(cx),
        "setp" | "set" => setp::setp(cx),
        "selp" | "slct" => setp::select(cx),
        "mov" => moves::decode(cx),
        "cvt" => convert::decode(cx),
        "cvta" => moves::cvta(cx),
        "ld" | "ldu" => loadstore::load(cx),
        "st" => loadstore::store(cx),
        "atom" | "red" => atomic::decode(cx),
        "fence" | "membar" => sync::fence(cx),
        "bar" | "barrier" => sync::barrier(cx),
        "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => warp::decode(cx),
        "mbarrier" => mbarrier::decode(cx),
        "cp" => match cx.inst.modifiers.get(1).map(String::as_str) {
            Some("bulk") => bulk::decode(cx),
            _ => copies::decode(cx),
        },
        "ldmatrix" | "stmatrix" => matrix::decode(cx),
        "tcgen05" => tensor::decode(cx),
        "bra" | "brx" | "ret" | "exit" | "trap" => control::decode(cx),
        _ => misc::decode(cx),
    }
}
