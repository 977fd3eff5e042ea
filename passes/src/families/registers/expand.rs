//! Expansion of copies between registers: registers are read, packed into words, exchanged and written.

use melior::ir::{Type, Value, ValueLike};
use tile_ops::{arith, vector};
use tile_plan::address;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::families::registers::steps::carry_out;
use tile_plan::problem::role::Role;

use super::super::Staged;
use super::super::lanes::Bits;
use crate::emit::error::EmitError;
use crate::emit::{Convert, Emit, Storage, Sum, Width};

/// Elements that are converted together: most conversion instructions take pairs.
const CONVERTED: usize = 2;

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan without steps.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &RegisterCopy,
) -> Result<(), EmitError> {
    let ([src, dst], builder) = (staged.buffers()?, emit.kit.builder);
    let thread = emit.function.thread_in(builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let target = staged.reader.target(staged.op.0)?;
    let (from, to) = (emit.function.storage_of(builder, src)?, emit.function.storage_of(builder, dst)?);
    let convert = plan.conversion.map(|conversion| Convert::of(conversion, &target, from, to));
    let (first, last) = if plan.converts_first() { (convert.as_ref(), None) } else { (None, convert.as_ref()) };
    let moved = if plan.converts_first() { to.element } else { from.element };
    let elements = read(emit, plan, from);
    let elements = converted(emit, elements, first);
    let elements = exchanged(emit, plan, (elements, moved), thread)?;
    let elements = converted(emit, elements, last);
    let conditions = address::holders(emit, &plan.dst.layout, plan.threads, thread)?;
    emit.when(&conditions, |emit| {
        write(emit, plan, to, &elements);
        Ok(())
    })
}

fn read<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, plan: &RegisterCopy, from: Storage<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let width = Width::new(1, plan.bits_of(Role::Src));
    let registers = plan.registers(Role::Src).into_iter();
    registers.map(|register| emit.load(from, Sum::constant(register), width)).collect()
}

fn write<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, plan: &RegisterCopy, to: Storage<'c, 'a>, elements: &[Value<'c, 'a>]) {
    let width = Width::new(1, plan.bits_of(Role::Dst));
    for (register, &element) in plan.registers(Role::Dst).into_iter().zip(elements) {
        for copy in plan.copies() {
            emit.store(element, to, Sum::constant(register + copy), width);
        }
    }
}

/// The elements, converted if there is a conversion.
fn converted<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    elements: Vec<Value<'c, 'a>>,
    convert: Option<&Convert<'c>>,
) -> Vec<Value<'c, 'a>> {
    let Some(convert) = convert else { return elements };
    let mut all = Vec::with_capacity(elements.len());
    for pair in elements.chunks(CONVERTED) {
        let count = pair.len() as i64;
        let joined = emit.joined(pair, 1, pair[0].r#type());
        let value = emit.kit.converted(joined, count, convert);
        all.extend((0..count).map(|number| emit.part(value, (number, 1, count))));
    }
    all
}

/// The elements of the destination, in its order; `moved` is their type.
fn exchanged<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    plan: &RegisterCopy,
    (elements, moved): (Vec<Value<'c, 'a>>, Type<'c>),
    thread: Sum<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, EmitError> {
    let steps = plan.steps()?;
    let mut bits = Bits::new(thread);
    let mut warp = bits.warp(emit);
    if steps.are_moves() {
        return Ok(carry_out(&mut warp, &steps, elements));
    }
    let together = plan.elements_of_word();
    let width = Width::new(together, plan.moved_bits());
    let words: Vec<Vec<Value<'c, 'a>>> =
        elements.chunks(together as usize).map(|elements| words(warp.emit, elements, moved, width)).collect();
    let layers: Vec<_> = (0..plan.words() as usize)
        .map(|layer| carry_out(&mut warp, &steps, words.iter().map(|words| words[layer]).collect()))
        .collect();
    let count = layers.first().map_or(0, Vec::len);
    let mut all = Vec::with_capacity(count * together as usize);
    for word in 0..count {
        let words: Vec<_> = layers.iter().map(|layer| layer[word]).collect();
        let value = from_words(warp.emit, &words, moved, width);
        all.extend((0..together).map(|number| warp.emit.part(value, (number, 1, together))));
    }
    Ok(all)
}

/// Elements as words of 32 bits; fewer bits are the low bits of one word.
fn words<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    elements: &[Value<'c, 'a>],
    element: Type<'c>,
    width: Width,
) -> Vec<Value<'c, 'a>> {
    let joined = emit.joined(elements, 1, element);
    if width.bytes >= 4 {
        return emit.words(joined, width);
    }
    let (builder, bits) = (emit.kit.builder, emit.kit.int_type(width.bytes as u32 * 8));
    let several = if width.elements == 1 {
        vector::from_elements(builder, &[joined], Type::vector(&[1], element)).value()
    } else {
        joined
    };
    let one = vector::bitcast(builder, several, Type::vector(&[1], bits)).value();
    let one = vector::extract(builder, one, &[], &[0]).value();
    vec![arith::extui(builder, one, emit.kit.int_type(32)).value()]
}

/// The inverse of [`words`]: the elements that the words hold.
fn from_words<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    words: &[Value<'c, 'a>],
    element: Type<'c>,
    width: Width,
) -> Value<'c, 'a> {
    let (builder, bits) = (emit.kit.builder, (width.bytes * 8).min(32) as u32);
    let word = emit.kit.int_type(bits);
    match *words {
        [one] if bits < 32 => {
            let low = arith::trunci(builder, one, word).value();
            emit.reassemble(&[low], word, element, width)
        }
        _ => emit.reassemble(words, word, element, width),
    }
}
