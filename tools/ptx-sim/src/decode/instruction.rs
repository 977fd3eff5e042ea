//! Dispatch of opcodes to the modules that decode them, and how bits without a value spread through each instruction.
//!
//! | opcodes | PTX ISA | decoded in | executed in |
//! | --- | --- | --- | --- |
//! | integer `add` `sub` `mul` `mad` `mul24` `mad24` `div` `rem` `abs` `neg` `min` `max` `sad` `dp4a` `dp2a` | 9.7.1 | `arithmetic`, `multiply` | `exec::compute` |
//! | `popc` `clz` `bfind` `fns` `brev` `bfe` `bfi` `bmsk` `szext` | 9.7.1 | `bits` | `exec::compute` |
//! | `add.cc` `addc` `sub.cc` `subc` `mad.cc` `madc` | 9.7.2 | `arithmetic`, `multiply` | `exec::compute` |
//! | `testp` `copysign` and f32, f64 arithmetic, `rcp` to `tanh` | 9.7.3 | `float`, `setp` | `exec::float` |
//! | f16, bf16 arithmetic, also packed | 9.7.4 | `float` | `exec::float` |
//! | `setp` `set` `selp` `slct` | 9.7.6, 9.7.7 | `setp` | `exec::compute` |
//! | `and` `or` `xor` `not` `cnot` `lop3` `shf` `shl` `shr` | 9.7.8 | `logic` | `exec::compute` |
//! | `mov` `prmt` `cvta` `isspacep` `mapa` `getctarank` `prefetch` `applypriority` `createpolicy` | 9.7.9 | `moves`, `bits`, `misc` | `exec::compute`, `exec::address`, `exec::prefetch` |
//! | `shfl` | 9.7.9 | `warp` | `exec::collective` |
//! | `ld` `ldu` `st` `st.bulk` | 9.7.9 | `loadstore` | `exec::loadstore` |
//! | `cvt` | 9.7.9 | `convert` | `exec::convert` |
//! | `cp.async` `cp.async.bulk` `cp.reduce.async.bulk` | 9.7.9 | `copies` | `exec::copies`, `exec::bulk`, `exec::prefetch` |
//! | `cp.async.bulk.tensor` `cp.reduce.async.bulk.tensor` | 9.7.9 | `boxes` | `exec::box_copy`, `exec::boxes` |
//! | `tensormap` `fence.proxy.tensormap` | 9.7.9, 9.7.13 | `tensor_map` | `exec::tensor_map` |
//! | `bra` `brx` `call` `ret` `exit` | 9.7.12 | `control`, `call` | `exec::paths`, `exec::system` |
//! | `bar` `barrier` `barrier.cluster` `fence` `membar` | 9.7.13 | `sync` | `exec::barrier`, `exec::order` |
//! | `atom` `red` | 9.7.13 | `atomic` | `exec::atomic` |
//! | `vote` `match` `activemask` `redux` `elect` `griddepcontrol` | 9.7.13 | `warp`, `misc` | `exec::collective` |
//! | `mbarrier` | 9.7.13 | `mbarrier` | `exec::mbarrier` |
//! | `ldmatrix` `stmatrix` | 9.7.14 | `matrix` | `exec::matrix` |
//! | `mma.sync` | 9.7.14 | `warp_product` | `exec::warp_product` |
//! | `wmma` | 9.7.14 | `wmma` | `exec::wmma` |
//! | `wgmma` | 9.7.15 | `matrix` | `exec::wgmma` |
//! | `tcgen05` | 9.7.16 | `tensor` | `exec::tensor`, `exec::tmem_access`, `exec::tmem_copy`, `exec::tensor_product` |
//! | `vadd2` `vsub4` `vavrg4` `vabsdiff4` `vmin2` `vmax4` … | 9.7.18 | `video` | `exec::video` |
//! | `nanosleep` `trap` `brkpt` `setmaxnreg` | 9.7.19 | `misc`, `control` | `exec::core` |

use super::context::Cx;
use super::step::Step;
use super::table::Table;
use super::{
    arithmetic, atomic, bits, call, control, convert, copies, float, loadstore, logic, matrix, mbarrier, misc, moves,
    multiply, setp, sync, tensor, tensor_map, video, warp, warp_product, wmma,
};
use crate::code::{Op, Spread};
use crate::parse::ast::Instruction;
use crate::parse::{Class, Result, Type};

/// Decodes one instruction to the operations that execute it, nearly always one.
pub(crate) fn decode(cx: &mut Cx<'_>, table: &Table) -> Result<Vec<Step>> {
    if cx.inst.root == "call" {
        return call::decode(cx, table);
    }
    single(cx).map(|op| vec![op.into()])
}

/// Whether the last type is a floating one.
fn is_float(cx: &Cx<'_>) -> bool {
    let ty = cx.inst.modifiers.iter().rev().find_map(|m| Type::parse(m));
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
        "setp" => setp::setp(cx),
        "set" => setp::set(cx),
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
            Some("bulk") => copies::bulk(cx),
            _ if cx.inst.modifiers.first().is_some_and(|word| word == "reduce") => copies::reduce(cx),
            _ => copies::simple(cx),
        },
        "ldmatrix" | "stmatrix" => matrix::fragments(cx),
        "tcgen05" => tensor::decode(cx),
        "tensormap" => tensor_map::decode(cx),
        "wgmma" => matrix::wgmma(cx),
        "mma" => warp_product::decode(cx),
        "wmma" => wmma::decode(cx),
        "bra" | "brx" | "ret" | "exit" | "trap" | "brkpt" => control::decode(cx),
        "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vadd4" | "vsub4" | "vavrg4" | "vabsdiff4"
        | "vmin4" | "vmax4" => video::decode(cx),
        _ => misc::decode(cx),
    }
}

/// How bits without a value spread from an instruction's sources to its result, as determined by its opcode and types.
pub(crate) fn spread(inst: &Instruction) -> Spread {
    if inst.root == "set" {
        return Spread::Whole;
    }
    let types: Vec<Type> = inst.modifiers.iter().filter_map(|m| Type::parse(m)).collect();
    let has = |name: &str| inst.modifiers.iter().any(|m| m == name);
    if let Some(ty) = types.iter().find(|t| t.packed > 1) {
        return Spread::Parts(ty.bits);
    }
    let float = |t: &Type| matches!(t.class, Class::Float | Class::Brain);
    match inst.root.as_str() {
        "mov" | "cvta" | "not" | "brev" | "and" | "or" | "xor" | "lop3" => Spread::Bits(0b111),
        "shl" | "shr" | "bfe" => Spread::Bits(0b001),
        "shf" | "prmt" | "bfi" => Spread::Bits(0b011),
        "cvt" if !types.iter().any(float) && !has("sat") => Spread::Bits(0b001),
        // It reads only the low bits of a wider register that its type has.
        "cvt" => types.last().map_or(Spread::Whole, |from| Spread::Low(from.bits)),
        "add" | "sub" | "neg" | "mul" | "mad" if !types.iter().any(float) && !has("hi") && !has("sat") => Spread::Up,
        _ => Spread::Whole,
    }
}
