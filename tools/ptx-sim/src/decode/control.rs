//! Branches, calls and exits (PTX ISA 9.7.12).

use super::context::Cx;
use super::state::{Binding, VariableLocation};
use super::table::{Signature, Table};
use crate::code::{AssertFail, Op, Target};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    match cx.inst.root.as_str() {
        "bra" => {
            cx.mods.take("uni");
            let operand = cx.operand()?;
            Ok(Op::Jump(label(cx, operand)?))
        }
        "brx" => table_jump(cx),
        "ret" => {
            cx.mods.take("uni");
            Ok(Op::Return)
        }
        "exit" => Ok(Op::Exit),
        _ => Ok(Op::Trap),
    }
}

fn label(cx: &Cx<'_>, operand: &Operand) -> Result<Target> {
    match operand {
        Operand::Name(name, 0) => find_label(cx, name),
        _ => Err(cx.error("a label is expected")),
    }
}

fn find_label(cx: &Cx<'_>, name: &str) -> Result<Target> {
    match cx.scopes.find(name) {
        Some(Binding::Label(label)) => Ok(*label),
        _ => Err(cx.error(format!("`{name}` is not a label"))),
    }
}

/// `brx.idx index, list`.
fn table_jump(cx: &mut Cx<'_>) -> Result<Op> {
    if !cx.mods.take("idx") {
        return Err(cx.unknown_modifier());
    }
    cx.mods.take("uni");
    let index = cx.src(U32)?;
    let Operand::Name(name, 0) = cx.operand()? else {
        return Err(cx.error("a `.branchtargets` label is expected"));
    };
    let Some(Binding::Targets(targets)) = cx.scopes.find(name) else {
        return Err(cx.error(format!("`{name}` is not a `.branchtargets` label")));
    };
    let targets = targets.iter().map(|t| find_label(cx, t)).collect::<Result<Box<[_]>>>()?;
    Ok(Op::JumpTable { index, targets })
}

/// `call (ret), f, (args)`: copies arguments into the callee's parameters, and results back.
pub(crate) fn call(cx: &mut Cx<'_>, table: &Table) -> Result<Vec<Op>> {
    cx.mods.take("uni");
    let returns = match cx.peek() {
        Some(Operand::List(list)) => {
            cx.operand()?;
            list.as_slice()
        }
        _ => &[],
    };
    let Operand::Name(name, 0) = cx.operand()? else {
        return Err(cx.error("a function name is expected"));
    };
    let args = match cx.peek() {
        Some(Operand::List(list)) => {
            cx.operand()?;
            list.as_slice()
        }
        _ => &[],
    };
    if name == ASSERT_FAIL && !table.functions.contains_key(name) {
        return assertion(cx, args);
    }
    let signature = callee(cx, table, name)?;
    let mut ops = copies(cx, args, &signature.params, true)?;
    ops.push(Op::Call(signature.entry));
    ops.extend(copies(cx, returns, &signature.returns, false)?);
    Ok(ops)
}

/// The function that a failing `assert` calls (CUDA Programming Guide, assertion); every driver provides it.
const ASSERT_FAIL: &str = "__assertfail";

/// `call __assertfail, (message, file, line, function, bytes of a character)`.
fn assertion(cx: &Cx<'_>, args: &[Operand]) -> Result<Vec<Op>> {
    let places = args.iter().map(|arg| argument(cx, arg)).collect::<Result<Vec<_>>>()?;
    let [message, file, line, function, unit] = places[..] else {
        return Err(cx.error(format!("got {} arguments, expected the 5 of `{ASSERT_FAIL}`", places.len())));
    };
    if [message, file, line, function, unit].map(|(_, bytes)| bytes) != [8, 8, 4, 8, 8] {
        return Err(cx.error(format!("`{ASSERT_FAIL}` takes arguments of 8, 8, 4, 8 and 8 bytes")));
    }
    Ok(vec![Op::AssertFail(AssertFail { message: message.0, file: file.0, line: line.0 })])
}

/// The offset in the call parameters, and the size in bytes, of a `.param` variable.
fn argument(cx: &Cx<'_>, operand: &Operand) -> Result<(u64, u64)> {
    let Operand::Name(name, 0) = operand else {
        return Err(cx.error("an argument must be a `.param` variable"));
    };
    match cx.scopes.find(name) {
        Some(&Binding::Variable { place: VariableLocation::CallParam(offset), size }) => Ok((offset, size)),
        _ => Err(cx.error(format!("`{name}` is not a `.param` variable"))),
    }
}

fn callee(cx: &mut Cx<'_>, table: &Table, name: &str) -> Result<Signature> {
    if cx.scopes.find(name).is_some() {
        return Err(cx.error("indirect calls are not supported"));
    }
    match table.functions.get(name) {
        Some((index, Some(signature))) => {
            cx.state.calls.insert(*index);
            Ok(signature.clone())
        }
        Some((_, None)) => Err(cx.error(format!("`{name}` cannot be called from here"))),
        None => Err(cx.error(format!("`{name}` is not defined in this module"))),
    }
}

/// Copies between the caller's parameter variables and the callee's parameters.
fn copies(cx: &Cx<'_>, names: &[Operand], places: &[(u64, u64)], into: bool) -> Result<Vec<Op>> {
    if names.len() != places.len() {
        return Err(cx.error(format!("got {} arguments or results, expected {}", names.len(), places.len())));
    }
    let mut ops = Vec::new();
    for (operand, &(theirs, bytes)) in names.iter().zip(places) {
        let (ours, size) = argument(cx, operand)?;
        if size != bytes {
            return Err(cx.error(format!("got an argument or result of {size} bytes, the callee expects {bytes}")));
        }
        let (dst, src) = if into { (theirs, ours) } else { (ours, theirs) };
        ops.push(Op::CopyParam { dst, src, bytes });
    }
    Ok(ops)
}
