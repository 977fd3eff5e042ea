//! Video instructions on two halves or four bytes (PTX ISA 9.7.18): without selectors, which CUDA C++ never prints.

use super::context::Cx;
use crate::code::{Op, Src, Video, VideoKind};
use crate::parse::{Class, Result, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

/// `v{op}{2,4}.dtype.atype.btype{.sat}{.mask} d, a, b, c` and `….add d, a, b, c`.
pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let (name, parts) = cx.inst.root.split_at(cx.inst.root.len() - 1);
    let count = if parts == "2" { 2 } else { 4 };
    let kind = match name {
        "vadd" => VideoKind::Add,
        "vsub" => VideoKind::Subtract,
        "vavrg" => VideoKind::Average,
        "vabsdiff" => VideoKind::Difference,
        "vmin" => VideoKind::Minimum,
        _ => VideoKind::Maximum,
    };
    let types = [cx.ty()?, cx.ty()?, cx.ty()?];
    if types.iter().any(|ty| ty.width() != 32 || !matches!(ty.class, Class::Unsigned | Class::Signed)) {
        return Err(cx.error("u32 or s32 is expected for d, a and b"));
    }
    let saturates = cx.mods.take("sat");
    let sums = cx.mods.take("add");
    let selected = cx.mods.take_map(|name| mask(name, count));
    if sums && (saturates || selected.is_some()) {
        return Err(cx.error("`.add` goes with neither `.sat` nor a mask"));
    }
    let (d, a, b) = (cx.dst(U32)?, cx.src(U32)?, cx.src(U32)?);
    let c = if sums || selected.is_some() || cx.remaining() > 0 { cx.src(U32)? } else { Src::Imm(0) };
    let mask = selected.unwrap_or(u32::MAX);
    let signed = types.map(Type::is_signed);
    Ok(Op::Video(Box::new(Video { kind, bits: 32 / count, signed, saturates, sums, mask, d, a, b, c })))
}

/// `.b3210` or `.h10`, of any subset of the parts, the highest first.
fn mask(name: &str, count: u32) -> Option<u32> {
    let parts = name.strip_prefix(if count == 2 { 'h' } else { 'b' })?;
    let part = |digit: char| digit.to_digit(10).filter(|&part| part < count);
    let parts: Vec<u32> = parts.chars().map(part).collect::<Option<_>>()?;
    let falls = parts.windows(2).all(|pair| pair[0] > pair[1]);
    (falls && !parts.is_empty()).then(|| parts.iter().fold(0, |mask, part| mask | 1 << part))
}
