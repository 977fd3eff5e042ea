//! The buffers of a case: their definitions, and the accesses that keep the copy from being removed.

use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout};

use super::text::Text;
use super::text::constant;
use crate::case::{Case, Side};

/// `!tile.buffer<4x8xf32, shared, #tile.layout<…>>`.
pub(crate) fn buffer_type(side: &Side) -> String {
    if !side.open.is_empty() {
        return open_type(side);
    }
    let layout = match side.layout == Layout::row_major(&side.shape) {
        true => String::new(),
        false => format!(", #tile.layout<{}>", side.layout),
    };
    format!("!tile.buffer<{}, {}{layout}>", shaped(&side.shape, side), side.space)
}

/// `!tile.buffer<?x8xf32, global, #tile.layout<(?, 8) : (?, 1)>>`.
fn open_type(side: &Side) -> String {
    let number = |known: bool, number: i64| if known { number.to_string() } else { "?".to_owned() };
    let (mut extents, mut strides) = (Vec::new(), Vec::new());
    for (iter, open) in side.layout.shard.iter().zip(&side.open) {
        extents.push(number(!open.extent, iter.extent));
        strides.push(number(open.stride.is_none(), iter.stride));
    }
    let open = |(at, &extent): (usize, &i64)| number(!side.open.get(at).is_some_and(|open| open.extent), extent) + "x";
    let shape: String = side.shape.iter().enumerate().map(open).collect();
    let layout = format!("({}) : ({})", extents.join(", "), strides.join(", "));
    format!("!tile.buffer<{shape}{}, {}, #tile.layout<{layout}>>", side.element.mlir, side.space)
}

/// ` extents(%src_extent_0) strides(%src_stride_1)`: what the type of a global buffer leaves to run time.
pub(crate) fn given(name: &str, side: &Side) -> String {
    let list = |word: &str, dimensions: Vec<usize>| {
        let values: Vec<String> = dimensions.iter().map(|at| format!("%{name}_{word}_{at}")).collect();
        if values.is_empty() { String::new() } else { format!(" {word}s({})", values.join(", ")) }
    };
    let extents = list("extent", side.runtime_extents().map(|(at, _)| at).collect());
    extents + &list("stride", side.runtime_strides().map(|(at, ..)| at).collect())
}

/// The memref that the kernel takes for a side: the memory of a global buffer; for other buffers, the memory from which
/// they are filled, or to which they are drained.
pub(crate) fn memory(case: &Case, side: &Side) -> String {
    match side.space {
        Space::Global => viewed(side),
        Space::Shared | Space::Tmem => format!("memref<{}>", shaped(&ones(side), side)),
        Space::Local => format!("memref<{}>", shaped(&[case.block.saturating_mul(registers(side))], side)),
    }
}

/// The op that defines a side's buffer. The descriptors of tensor memory instructions count from the start of a swizzle
/// pattern, which may have 1024 bytes.
pub(crate) fn definition(case: &Case, name: &str, side: &Side) -> String {
    match side.space {
        Space::Global => {
            format!("%{name} = tile.view %{name}_memory{} : {} to !{name}", given(name, side), viewed(side))
        }
        Space::Tmem => format!("%{name} = tile.tmem %address : !{name}"),
        Space::Shared if case.dst.space == Space::Tmem => {
            format!("%{name} = tile.alloc {{alignment = 1024}} : !{name}")
        }
        _ => format!("%{name} = tile.alloc : !{name}"),
    }
}

/// Gives a source contents that the compiler cannot know.
pub(crate) fn fill(text: &mut Text, case: &Case, name: &str, side: &Side) {
    match side.space {
        Space::Shared => one_element(text, name, side, true),
        Space::Local => all_registers(text, case, name, side, true),
        Space::Global | Space::Tmem => {}
    }
}

/// Uses all of a destination.
pub(crate) fn drain(text: &mut Text, case: &Case, name: &str, side: &Side) {
    match side.space {
        Space::Shared => one_element(text, name, side, false),
        Space::Local => all_registers(text, case, name, side, false),
        Space::Global | Space::Tmem => {}
    }
}

/// A memref that covers the layout: dense if that is enough, otherwise with the layout's own strides, otherwise in one
/// dimension.
fn viewed(side: &Side) -> String {
    let dense = Layout::row_major(&side.shape);
    let extents = side.layout.shard.iter().map(|iter| iter.extent);
    let memref = shaped(&side.shape, side);
    let span = side.layout.memory_span();
    if !side.open.is_empty() {
        return format!("memref<{}>", shaped(&[span], side));
    }
    if span <= dense.memory_span() {
        return format!("memref<{memref}>");
    }
    if !extents.eq(side.shape.iter().copied()) || side.layout.swizzle.is_some() || !side.layout.offset.is_empty() {
        return format!("memref<{}>", shaped(&[span], side));
    }
    let strides: Vec<String> = side.layout.shard.iter().map(|iter: &Iter| iter.stride.to_string()).collect();
    format!("memref<{memref}, strided<[{}]>>", strides.join(", "))
}

/// Copies the element at a run-time coordinate of a shared buffer, which may be any element.
fn one_element(text: &mut Text, name: &str, side: &Side, fill: bool) {
    let (memory, ones) = (shaped(&ones(side), side), ones(side));
    let one = text
        .value(&format!("tile.view %{name}_memory : memref<{memory}> to !tile.buffer<{memory}, {}>", Space::Global));
    let list = |entry: &str| vec![entry; ones.len()].join(", ");
    let (place, extents) = (list("%at"), list("1"));
    let element = (format!("{one}[{}] [{extents}]", list("0")), format!("!tile.buffer<{memory}, {}>", Space::Global));
    let buffer = (format!("%{name}[{place}] [{extents}]"), format!("!{name}"));
    let ((from, from_type), (to, to_type)) = if fill { (element, buffer) } else { (buffer, element) };
    text.line(&format!("tile.copy {from} to {to} scope(thread) {{variant = \"fallback\"}} : {from_type} to {to_type}"));
}

/// Loads or stores each register of each thread.
fn all_registers(text: &mut Text, case: &Case, name: &str, side: &Side, fill: bool) {
    let (count, memory) = (registers(side), memory(case, side));
    let shape = shaped(&[count], side);
    let view = text.value(&format!("tile.local_view %{name} : !{name} to memref<{shape}>"));
    let tid = text.value("gpu.thread_id x");
    let size = constant(text, count);
    let first = text.value(&format!("arith.muli {tid}, {size} : index"));
    for register in 0..count {
        let register = constant(text, register);
        let place = text.value(&format!("arith.addi {first}, {register} : index"));
        let inside = format!("{view}[{register}] : memref<{shape}>");
        let outside = format!("%{name}_memory[{place}] : {memory}");
        let (from, to) = if fill { (outside, inside) } else { (inside, outside) };
        let value = text.value(&format!("memref.load {from}"));
        text.line(&format!("memref.store {value}, {to}"));
    }
}

/// Registers of a thread.
fn registers(side: &Side) -> i64 {
    side.layout.span(Axis::Memory)
}

fn ones(side: &Side) -> Vec<i64> {
    vec![1; side.shape.len()]
}

/// `4x8xf32`.
fn shaped(extents: &[i64], side: &Side) -> String {
    let extents: String = extents.iter().map(|extent| format!("{extent}x")).collect();
    format!("{extents}{}", side.element.mlir)
}
