//! The program that is run: images in, the copy, images out.
//!
//! ```text
//!   gpu.func @copy(%src_image, %dst_image)
//!     shared: workgroup memory, seen as the tile      filled from the image, thread by thread
//!     local:  registers, seen through tile.local_view  each thread its own
//!     global: the image itself
//!     barrier; the copy, under its conditions; barrier
//!     shared and local sides back to their images
//! ```

use tile_plan::{Space, Which};

use super::image::{elements, registers};
use crate::case::{Case, Side};
use crate::kernel::{Text, buffer_type, constant, copy, inside, name, quoted};

/// The kernel.
pub(super) const ENTRY: &str = "copy";

/// A module of one kernel with two arguments, the images of both sides.
pub(super) fn text(case: &Case) -> String {
    let sides = [Which::Src, Which::Dst];
    let mut body = Text::indented(2);
    sides.into_iter().for_each(|which| define(&mut body, case, which));
    sides.into_iter().for_each(|which| transfer(&mut body, case, which, Direction::Fill));
    body.line("gpu.barrier");
    inside(&mut body, case, |body| body.line(&copy(case)));
    body.line("gpu.barrier");
    sides.into_iter().for_each(|which| transfer(&mut body, case, which, Direction::Drain));
    body.line("gpu.return");

    let mut whole = Text::indented(0);
    for which in sides {
        whole.line(&format!("!{} = {}", name(which), buffer_type(case.side(which))));
    }
    whole.line(&format!("gpu.module @kernels [#nvvm.target<chip = {}>] {{", quoted(&case.chip)));
    whole.line(&format!("  gpu.func @{ENTRY}({}){} kernel", arguments(case), shared_memory(case)));
    whole.line(&format!("      attributes {{known_block_size = array<i32: {}, 1, 1>}} {{", case.block));
    whole.append(body);
    whole.line("  }");
    whole.line("}");
    whole.into_string()
}

fn memref(count: i64, side: &Side, space: &str) -> String {
    format!("memref<{count}x{}{space}>", side.element.mlir)
}

const SHARED: &str = ", #gpu.address_space<workgroup>";

fn arguments(case: &Case) -> String {
    let argument = |which| {
        let image = memref(elements(case, which), case.side(which), "");
        format!("%{}_image: {image}", name(which))
    };
    [Which::Src, Which::Dst].map(argument).join(", ")
}

/// ` workgroup(%src_shared : memref<…>)` for the sides that need it.
fn shared_memory(case: &Case) -> String {
    let of = |which: Which| {
        let shared = memref(elements(case, which), case.side(which), SHARED);
        format!("%{}_shared : {shared} {{llvm.align = 16 : i64}}", name(which))
    };
    let sides = [Which::Src, Which::Dst].into_iter().filter(|&which| case.side(which).space == Space::Shared);
    let list: Vec<String> = sides.map(of).collect();
    if list.is_empty() { String::new() } else { format!(" workgroup({})", list.join(", ")) }
}

/// The tile of a side.
fn define(body: &mut Text, case: &Case, which: Which) {
    let (side, name) = (case.side(which), name(which));
    let count = elements(case, which);
    match side.space {
        Space::Global => {
            body.line(&format!("%{name} = tile.view %{name}_image : {} to !{name}", memref(count, side, "")))
        }
        Space::Shared => {
            body.line(&format!("%{name} = tile.view %{name}_shared : {} to !{name}", memref(count, side, SHARED)))
        }
        Space::Local | Space::Tmem => body.line(&format!("%{name} = tile.alloc : !{name}")),
    };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Fill,
    Drain,
}

/// Between a side and its image.
fn transfer(body: &mut Text, case: &Case, which: Which, direction: Direction) {
    match case.side(which).space {
        Space::Shared => shared(body, case, which, direction),
        Space::Local => local(body, case, which, direction),
        Space::Global | Space::Tmem => {}
    }
}

/// Thread `t` moves elements `t`, `t + block`, …
fn shared(body: &mut Text, case: &Case, which: Which, direction: Direction) {
    let (side, name) = (case.side(which), name(which));
    let count = elements(case, which);
    let tid = body.value("gpu.thread_id x");
    let (end, step) = (constant(body, count), constant(body, case.block));
    let index = format!("%{name}_{}", if direction == Direction::Fill { "in" } else { "out" });
    body.block(&format!("scf.for {index} = {tid} to {end} step {step} {{"), |body| {
        let image = format!("%{name}_image[{index}] : {}", memref(count, side, ""));
        let inside = format!("%{name}_shared[{index}] : {}", memref(count, side, SHARED));
        let (from, to) = if direction == Direction::Fill { (image, inside) } else { (inside, image) };
        let value = body.value(&format!("memref.load {from}"));
        body.line(&format!("memref.store {value}, {to}"));
    });
}

/// Each thread moves all its registers.
fn local(body: &mut Text, case: &Case, which: Which, direction: Direction) {
    let (side, name) = (case.side(which), name(which));
    let own = memref(registers(side), side, "");
    let view = body.value(&format!("tile.local_view %{name} : !{name} to {own}"));
    let tid = body.value("gpu.thread_id x");
    let size = constant(body, registers(side));
    let first = body.value(&format!("arith.muli {tid}, {size} : index"));
    for register in 0..registers(side) {
        let register = constant(body, register);
        let place = body.value(&format!("arith.addi {first}, {register} : index"));
        let image = format!("%{name}_image[{place}] : {}", memref(elements(case, which), side, ""));
        let inside = format!("{view}[{register}] : {own}");
        let (from, to) = if direction == Direction::Fill { (image, inside) } else { (inside, image) };
        let value = body.value(&format!("memref.load {from}"));
        body.line(&format!("memref.store {value}, {to}"));
    }
}
