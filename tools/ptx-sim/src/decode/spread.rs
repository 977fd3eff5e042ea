//! How far bits without a value spread from an instruction's sources to its result.

use crate::code::Spread;
use crate::parse::Type;
use crate::parse::ast::Instruction;

/// What an opcode with its types does to them.
pub(crate) fn of(inst: &Instruction) -> Spread {
    let types: Vec<Type> = inst.modifiers.iter().filter_map(|m| Type::parse(m)).collect();
    let has = |name: &str| inst.modifiers.iter().any(|m| m == name);
    if let Some(ty) = types.iter().find(|t| t.packed > 1) {
        return Spread::Parts(ty.bits);
    }
    let float = |t: &Type| matches!(t.class, crate::parse::Class::Float | crate::parse::Class::Brain);
    match inst.root.as_str() {
        "mov" | "cvta" | "not" | "brev" | "and" | "or" | "xor" | "lop3" => Spread::Bits(0b111),
        "shl" | "shr" | "bfe" => Spread::Bits(0b001),
        "shf" | "prmt" | "bfi" => Spread::Bits(0b011),
        "cvt" if !types.iter().any(float) && !has("sat") => Spread::Bits(0b001),
        // Of a wider register it looks at the bits of its type.
        "cvt" => types.last().map_or(Spread::Whole, |from| Spread::Low(from.bits)),
        "add" | "sub" | "neg" | "mul" | "mad" if !types.iter().any(float) && !has("hi") && !has("sat") => Spread::Up,
        _ => Spread::Whole,
    }
}
