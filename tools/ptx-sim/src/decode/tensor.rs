//! `tcgen05` (PTX ISA 9.7.16.7 to 9.7.16.12).

use super::context::Cx;
use crate::code::{
    CopyShape, Described, Form, Group, Op, Shape, Src, TensorLeft, TensorMmaKind, TensorMultiply, TensorOp,
    TensorScales,
};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

const B32: Type = Type { class: Class::Bits, bits: 32, packed: 1 };
const U16: Type = Type { class: Class::Unsigned, bits: 16, packed: 1 };

/// The columns of tensor memory.
const MAX_COLUMNS: u64 = 512;

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let name = cx.mods.lead().ok_or_else(|| cx.unknown_modifier())?;
    let op = match name {
        "alloc" => alloc(cx)?,
        "dealloc" => dealloc(cx)?,
        "relinquish_alloc_permit" => {
            let group = group(cx)?;
            sync_aligned(cx)?;
            TensorOp::Relinquish { group }
        }
        "ld" => load(cx)?,
        "st" => store(cx)?,
        "wait::ld" | "wait::st" => {
            sync_aligned(cx)?;
            if name == "wait::ld" { TensorOp::WaitLoad } else { TensorOp::WaitStore }
        }
        "cp" => copy(cx)?,
        "mma" => TensorOp::Multiply(multiply(cx)?),
        "commit" => commit(cx)?,
        "fence::before_thread_sync" | "fence::after_thread_sync" => TensorOp::Fence,
        other => return Err(cx.error(format!("unknown operation `.{other}`"))),
    };
    Ok(Op::Tensor(Box::new(op)))
}

fn group(cx: &mut Cx<'_>) -> Result<Group> {
    match cx.mods.take_one(&["cta_group::1", "cta_group::2"]) {
        Some(0) => Ok(Group::One),
        Some(_) => Ok(Group::Pair),
        None => Err(cx.unknown_modifier()),
    }
}

fn take_all(cx: &mut Cx<'_>, wanted: &[&str]) -> Result<()> {
    for name in wanted {
        if !cx.mods.take(name) {
            return Err(cx.unknown_modifier());
        }
    }
    Ok(())
}

fn sync_aligned(cx: &mut Cx<'_>) -> Result<()> {
    take_all(cx, &["sync", "aligned"])
}

fn alloc(cx: &mut Cx<'_>) -> Result<TensorOp> {
    let group = group(cx)?;
    sync_aligned(cx)?;
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    take_all(cx, &["b32"])?;
    Ok(TensorOp::Alloc { group, space, dst: cx.addr()?, columns: cx.src(B32)? })
}

fn dealloc(cx: &mut Cx<'_>) -> Result<TensorOp> {
    let group = group(cx)?;
    sync_aligned(cx)?;
    take_all(cx, &["b32"])?;
    Ok(TensorOp::Dealloc { group, addr: cx.src(B32)?, columns: cx.src(B32)? })
}

/// `.shape.xN.b32` of a load or store; also returns the number of registers.
fn shape(cx: &mut Cx<'_>) -> Result<(Shape, u32, usize)> {
    let (shape, registers, most) = match cx.mods.take_one(&["32x32b", "16x64b", "16x32bx2", "16x128b", "16x256b"]) {
        Some(0) => (Shape::S32x32, 1, 128),
        Some(1) => (Shape::S16x64, 1, 128),
        Some(2) => (Shape::S16x32Twice(0), 1, 128),
        Some(3) => (Shape::S16x128, 2, 64),
        Some(_) => (Shape::S16x256, 4, 32),
        None => return Err(cx.unknown_modifier()),
    };
    let repeat = cx.mods.take_map(|name| name.strip_prefix('x')?.parse::<u32>().ok());
    let repeat = repeat.ok_or_else(|| cx.unknown_modifier())?;
    if !repeat.is_power_of_two() || repeat > most {
        return Err(cx.error(format!("`.x{repeat}` is not a repeat count of this shape")));
    }
    take_all(cx, &["b32"])?;
    Ok((shape, repeat, (repeat * registers) as usize))
}

fn check_count(cx: &Cx<'_>, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(cx.error(format!("got {got} registers, expected {expected}"))) }
}

fn load(cx: &mut Cx<'_>) -> Result<TensorOp> {
    sync_aligned(cx)?;
    let (shape, repeat, count) = shape(cx)?;
    let elements = cx.vector()?;
    check_count(cx, elements.len(), count)?;
    let dst = elements.iter().map(|e| cx.dst_of(e, 32, false)).collect::<Result<_>>()?;
    let addr = cx.addr()?;
    Ok(TensorOp::Load { shape: split(cx, shape)?, repeat, dst, addr })
}

/// The distance between the two parts of a shape, which is an operand after the address.
fn split(cx: &mut Cx<'_>, shape: Shape) -> Result<Shape> {
    match shape {
        Shape::S16x32Twice(_) => match cx.constant()? {
            columns @ 0..MAX_COLUMNS => Ok(Shape::S16x32Twice(columns)),
            other => Err(cx
                .error(format!("got a second part {other} columns behind the first, tensor memory has {MAX_COLUMNS}"))),
        },
        whole => Ok(whole),
    }
}

fn store(cx: &mut Cx<'_>) -> Result<TensorOp> {
    sync_aligned(cx)?;
    let (shape, repeat, count) = shape(cx)?;
    let addr = cx.addr()?;
    let shape = split(cx, shape)?;
    let elements = cx.vector()?;
    check_count(cx, elements.len(), count)?;
    let src = elements.iter().map(|e| cx.src_of(e, B32, false)).collect::<Result<_>>()?;
    Ok(TensorOp::Store { shape, repeat, src, addr })
}

fn copy(cx: &mut Cx<'_>) -> Result<TensorOp> {
    let group = group(cx)?;
    let shape = match cx.mods.take_one(&["128x256b", "4x256b", "128x128b", "64x128b", "32x128b"]) {
        Some(0) => CopyShape::S128x256,
        Some(1) => CopyShape::S4x256,
        Some(2) => CopyShape::S128x128,
        Some(3) => match cx.mods.take_one(&["warpx2::02_13", "warpx2::01_23"]) {
            Some(0) => CopyShape::S64x128Pairs0213,
            Some(_) => CopyShape::S64x128Pairs0123,
            None => return Err(cx.unknown_modifier()),
        },
        Some(_) => {
            take_all(cx, &["warpx4"])?;
            CopyShape::S32x128
        }
        None => return Err(cx.unknown_modifier()),
    };
    Ok(TensorOp::Copy { group, shape, addr: cx.addr()?, descriptor: cx.src(Type::B64)? })
}

fn commit(cx: &mut Cx<'_>) -> Result<TensorOp> {
    let group = group(cx)?;
    take_all(cx, &["mbarrier::arrive::one"])?;
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    let multicast = cx.mods.take("multicast::cluster");
    take_all(cx, &["b64"])?;
    let addr = cx.addr()?;
    let multicast = if multicast { Some(cx.src(U16)?) } else { None };
    Ok(TensorOp::Commit { group, space, addr, multicast })
}

/// A dense `tcgen05.mma`.
fn multiply(cx: &mut Cx<'_>) -> Result<TensorMultiply> {
    let not = |cx: &Cx<'_>, what: &str| cx.error(format!("{what} is not supported"));
    let stationary = cx.mods.lead_if("ws");
    if cx.mods.lead_if("sp") {
        return Err(not(cx, "`.sp`"));
    }
    let form = match (group(cx)?, stationary) {
        (Group::One, false) => Form::Block,
        (Group::Pair, false) => Form::Pair,
        (Group::One, true) => Form::Stationary,
        (Group::Pair, true) => return Err(cx.error("`.ws` is for one block only: `.cta_group::1`")),
    };
    let kind = kind(cx)?;
    let scaled = kind.is_scaled();
    let per_line = if scaled { scales_of_line(cx, kind)? } else { 0 };
    if scaled && form != Form::Block {
        return Err(not(cx, "a product with scales of a pair of blocks, or with `.ws`,"));
    }
    // The collector buffer is only a cache of A or B, which are always read from memory here.
    cx.mods.take_map(|modifier| collected(modifier, form).then_some(()));
    if let Some(other) = cx.mods.peek() {
        return Err(not(cx, &format!("`.{other}`")));
    }
    let d = cx.addr()?;
    let a = match cx.peek() {
        Some(Operand::Address(..)) => TensorLeft::Tensor(cx.addr()?),
        _ => TensorLeft::Shared(described(cx)?),
    };
    let (b, instruction) = (described(cx)?, cx.src(B32)?);
    let scales = if scaled { Some(TensorScales { places: [cx.addr()?, cx.addr()?], per_line }) } else { None };
    let kept = if scaled || stationary { Box::default() } else { kept(cx, form)? };
    let adds = cx.pred_src()?;
    if stationary && cx.remaining() > 0 {
        return Err(not(cx, "a mask of columns that are zero"));
    }
    let shift = shift(cx, kind)?;
    Ok(TensorMultiply { form, kind, d, a, b, scales, instruction, kept, adds, shift })
}

fn kind(cx: &mut Cx<'_>) -> Result<TensorMmaKind> {
    const KINDS: [(&str, TensorMmaKind); 7] = [
        ("kind::f16", TensorMmaKind::F16),
        ("kind::tf32", TensorMmaKind::Tf32),
        ("kind::f8f6f4", TensorMmaKind::F8f6f4),
        ("kind::i8", TensorMmaKind::I8),
        ("kind::mxf8f6f4", TensorMmaKind::Mxf8f6f4),
        ("kind::mxf4", TensorMmaKind::Mxf4),
        ("kind::mxf4nvf4", TensorMmaKind::Mxf4nvf4),
    ];
    let names = KINDS.map(|(name, _)| name);
    match cx.mods.take_one(&names) {
        Some(at) => Ok(KINDS[at].1),
        None => match cx.mods.peek() {
            Some(kind) => Err(cx.error(format!("got `.{kind}`, supported are `.{}`", names.join("`, `.")))),
            None => Err(cx.unknown_modifier()),
        },
    }
}

/// `.block_scale`, and how many scales a row of A has. Only where there is a choice must it be said.
fn scales_of_line(cx: &mut Cx<'_>, kind: TensorMmaKind) -> Result<u64> {
    take_all(cx, &["block_scale"])?;
    let (names, counts): (&[&str], &[u64]) = match kind {
        TensorMmaKind::Mxf4nvf4 => (&["scale_vec::2X", "block32", "scale_vec::4X", "block16"], &[2, 2, 4, 4]),
        TensorMmaKind::Mxf4 => (&["scale_vec::2X", "block32"], &[2, 2]),
        _ => (&["scale_vec::1X", "block32"], &[1, 1]),
    };
    match cx.mods.take_one(names) {
        Some(at) => Ok(counts[at]),
        None if kind == TensorMmaKind::Mxf4nvf4 => Err(cx.error(format!("expected one of `.{}`", names.join("`, `.")))),
        None => Ok(counts[0]),
    }
}

/// The masks of the lanes of D that are not written, if there are any.
fn kept(cx: &mut Cx<'_>, form: Form) -> Result<Box<[Src]>> {
    let Some(Operand::Vector(_)) = cx.peek() else { return Ok(Box::default()) };
    let masks = cx.vector()?;
    check_count(cx, masks.len(), if form == Form::Pair { 8 } else { 4 })?;
    masks.iter().map(|mask| cx.src_of(mask, B32, false)).collect()
}

/// The scale of D, if there is one: the exponent of a power of two by which it is divided.
fn shift(cx: &mut Cx<'_>, kind: TensorMmaKind) -> Result<u32> {
    if cx.remaining() == 0 {
        return Ok(0);
    }
    if !matches!(kind, TensorMmaKind::F16 | TensorMmaKind::Tf32) {
        return Err(cx.error("D is scaled with `.kind::f16` and `.kind::tf32` only"));
    }
    match cx.constant()? {
        shift @ 0..16 => Ok(shift as u32),
        other => Err(cx.error(format!("got {other} as scale of D, expected at most 15"))),
    }
}

/// Whether the modifier fills a collector buffer that the form has, or leaves it empty.
fn collected(modifier: &str, form: Form) -> bool {
    let Some((buffer, "discard" | "fill")) = modifier.strip_prefix("collector::").and_then(|end| end.split_once("::"))
    else {
        return false;
    };
    if form == Form::Stationary { ["b0", "b1", "b2", "b3"].contains(&buffer) } else { buffer == "a" }
}

/// A descriptor, such as `%rd1` or `%rd1+2`.
fn described(cx: &mut Cx<'_>) -> Result<Described> {
    let (operand, addend) = match cx.operand()? {
        Operand::Name(name, addend) => (Operand::Name(name.clone(), 0), *addend),
        other => (other.clone(), 0),
    };
    Ok(Described { src: cx.src_of(&operand, Type::B64, false)?, addend })
}
