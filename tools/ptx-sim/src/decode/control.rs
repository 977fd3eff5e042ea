//! Branches and exits (PTX ISA 9.7.12).

use super::context::Cx;
use super::state::Binding;
use crate::code::{Op, Target};
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
        // Without a debugger, a breakpoint ends the kernel as a trap does.
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
