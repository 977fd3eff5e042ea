//! Calls (PTX ISA 9.7.12.5): of functions of the module, through addresses, and of the functions that every driver provides
//! (CUDA C++ Programming Guide: assertions, formatted output, dynamic allocation).

use super::context::Cx;
use super::operands::function_address;
use super::state::{Binding, VariableLocation};
use super::step::Step;
use super::table::{Signature, Table};
use crate::code::{AssertFail, Compare, Op, ParamOffset, PredSrc, Print, SetPred, Src, compare};
use crate::parse::ast::Operand;
use crate::parse::{Result, Type};

/// The operands of `call (results), function, (arguments), prototype`.
struct Called<'a> {
    results: &'a [Operand],
    function: &'a str,
    arguments: &'a [Operand],
}

fn list<'a>(cx: &mut Cx<'a>) -> Result<&'a [Operand]> {
    match cx.peek() {
        Some(Operand::List(list)) => cx.operand().map(|_| list.as_slice()),
        _ => Ok(&[]),
    }
}

/// `call (ret), f, (args)`: copies arguments into the callee's parameters, and results back.
pub(crate) fn decode(cx: &mut Cx<'_>, table: &Table) -> Result<Vec<Step>> {
    cx.mods.take("uni");
    let results = list(cx)?;
    let operand = cx.operand()?;
    let Operand::Name(function, 0) = operand else {
        return Err(cx.error("a function name is expected"));
    };
    let called = Called { results, function, arguments: list(cx)? };
    match cx.scopes.find(function) {
        Some(Binding::Register { .. }) => {
            let target = cx.src_of(operand, Type::B64, false)?;
            through_address(cx, table, target, &called)
        }
        Some(Binding::Function(_)) => {
            let signature = callee(cx, table, function)?;
            into_function(cx, &called, &signature)
        }
        _ => match provided(cx, &called)? {
            Some(op) => Ok(vec![op.into()]),
            None => Err(cx.error(format!("`{function}` is not defined in this module"))),
        },
    }
}

/// The steps of a call of one function.
fn into_function(cx: &Cx<'_>, called: &Called<'_>, signature: &Signature) -> Result<Vec<Step>> {
    let again = match (cx.state.frame, signature.frame) {
        (Some(caller), Some(callee)) if caller.first == callee.first => Some((caller, callee)),
        _ => None,
    };
    let theirs = |offset: u64| match again {
        Some((_, callee)) => ParamOffset::Next(offset - callee.start),
        None => ParamOffset::Fixed(offset),
    };
    let into = |ours, offset, bytes| Op::CopyParam { dst: theirs(offset), src: ours, bytes };
    let back = |ours, offset, bytes| Op::CopyParam { dst: ours, src: theirs(offset), bytes };
    let mut ops = copies(cx, called.arguments, &signature.params, into)?;
    ops.push(match again {
        Some((caller, callee)) => Op::Recurse { caller: caller.index, callee: callee.index },
        None => Op::Call(signature.entry),
    });
    ops.extend(copies(cx, called.results, &signature.returns, back)?);
    Ok(ops.into_iter().map(Step::from).collect())
}

/// A call of the function at an address: each function that it may be is compared with the address, and called by the
/// lanes whose it is.
fn through_address(cx: &mut Cx<'_>, table: &Table, target: Src, called: &Called<'_>) -> Result<Vec<Step>> {
    let prototype = match cx.operand()? {
        Operand::Name(name, 0) => matches!(cx.scopes.find(name), Some(Binding::Prototype | Binding::Targets(_))),
        _ => false,
    };
    if !prototype {
        return Err(cx.error("a `.callprototype` or `.calltargets` label is expected"));
    }
    let sizes = |places: &[(u64, u64)]| places.iter().map(|place| place.1).collect::<Vec<_>>();
    let given = |names: &[Operand]| names.iter().map(|name| Ok(argument(cx, name)?.1)).collect::<Result<Vec<_>>>();
    let (arguments, results) = (given(called.arguments)?, given(called.results)?);
    let mut steps = Vec::new();
    let mut left = cx.guard;
    for (index, signature) in table.addressed() {
        if sizes(&signature.params) != arguments || sizes(&signature.returns) != results {
            continue;
        }
        cx.state.calls.insert(index);
        let (here, rest) = (cx.fresh_predicate(), cx.fresh_predicate());
        const EQUAL: Compare = compare!(|a, b| a == b);
        let comparison = SetPred {
            compare: EQUAL,
            a: target,
            b: Src::Imm(function_address(index)),
            combine: Some((|holds, left| holds & left, left)),
            d: here,
            q: Some(rest),
            packed: false,
        };
        let everywhere = Some(PredSrc::Const(true));
        steps.push(Step { op: Op::SetPred(Box::new(comparison)), guard: everywhere });
        let guard = Some(PredSrc::Reg { index: here, negate: false });
        steps.extend(into_function(cx, called, &signature)?.into_iter().map(|step| Step { guard, ..step }));
        left = PredSrc::Reg { index: rest, negate: false };
    }
    steps.push(Step { op: Op::NoFunction { target }, guard: Some(left) });
    Ok(steps)
}

/// A function that every driver provides; none if there is none of this name.
fn provided(cx: &Cx<'_>, called: &Called<'_>) -> Result<Option<Op>> {
    if !["__assertfail", "vprintf", "malloc", "free"].contains(&called.function) {
        return Ok(None);
    }
    let place = |operands: &[Operand]| operands.iter().map(|operand| argument(cx, operand)).collect::<Result<Vec<_>>>();
    let (arguments, results) = (place(called.arguments)?, place(called.results)?);
    let check = |taken: &[u64], given: &[u64]| {
        let bytes = |places: &[(ParamOffset, u64)]| places.iter().map(|place| place.1).collect::<Vec<_>>();
        let fits = bytes(&arguments) == taken && (results.is_empty() || bytes(&results) == given);
        let expected = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let message = format!("`{}` takes arguments of {} bytes", called.function, expected(taken));
        if fits { Ok(()) } else { Err(cx.error(message)) }
    };
    let result = results.first().map(|place| place.0);
    Ok(Some(match called.function {
        "__assertfail" => {
            check(&[8, 8, 4, 8, 8], &[])?;
            let [message, file, line] = [0, 1, 2].map(|at| arguments[at].0);
            Op::AssertFail(AssertFail { message, file, line })
        }
        "vprintf" => {
            check(&[8, 8], &[4])?;
            Op::Print(Print { format: arguments[0].0, arguments: arguments[1].0, result })
        }
        "malloc" => {
            check(&[8], &[8])?;
            Op::Allocate { bytes: arguments[0].0, result }
        }
        _ => {
            check(&[8], &[])?;
            Op::Free { address: arguments[0].0 }
        }
    }))
}

/// The offset in the call parameters, and the size in bytes, of a `.param` variable.
fn argument(cx: &Cx<'_>, operand: &Operand) -> Result<(ParamOffset, u64)> {
    let Operand::Name(name, 0) = operand else {
        return Err(cx.error("an argument must be a `.param` variable"));
    };
    match cx.scopes.find(name) {
        Some(&Binding::Variable { place: VariableLocation::CallParam(offset), size }) => match cx.state.frame {
            Some(_) => Ok((ParamOffset::Own(offset), size)),
            None => Ok((ParamOffset::Fixed(offset), size)),
        },
        _ => Err(cx.error(format!("`{name}` is not a `.param` variable"))),
    }
}

fn callee(cx: &mut Cx<'_>, table: &Table, name: &str) -> Result<Signature> {
    match table.functions.get(name) {
        Some((index, Some(signature))) => {
            cx.state.calls.insert(*index);
            Ok(signature.clone())
        }
        _ => Err(cx.error(format!("`{name}` cannot be called from here"))),
    }
}

/// Copies between the caller's parameter variables and the callee's parameters.
fn copies(
    cx: &Cx<'_>,
    names: &[Operand],
    places: &[(u64, u64)],
    copy: impl Fn(ParamOffset, u64, u64) -> Op,
) -> Result<Vec<Op>> {
    if names.len() != places.len() {
        return Err(cx.error(format!("got {} arguments or results, expected {}", names.len(), places.len())));
    }
    let mut ops = Vec::new();
    for (operand, &(theirs, bytes)) in names.iter().zip(places) {
        let (ours, size) = argument(cx, operand)?;
        if size != bytes {
            return Err(cx.error(format!("got an argument or result of {size} bytes, the callee expects {bytes}")));
        }
        ops.push(copy(ours, theirs, bytes));
    }
    Ok(ops)
}
