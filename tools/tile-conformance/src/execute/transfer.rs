//! Transfers between a side and its image; and the types of the memory in the program around a copy.

use tile_isa::Space;
use tile_plan::problem::role::Role;

use super::image::{elements, registers};
use crate::case::{Case, Side};
use crate::kernel::{Text, constant, issue, name, tensor};

/// The direction of a transfer: filling before the copy, or draining after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Fill,
    Drain,
}

/// Transfers between a side and its image.
pub(super) fn transfer(body: &mut Text, case: &Case, role: Role, direction: Direction) {
    match case.side(role).space {
        Space::Shared => shared(body, case, role, direction),
        Space::Local => local(body, case, role, direction),
        Space::Tmem => {
            let image = format!("%{}_image", name(role));
            tensor::transfer(body, &image, issue::ctas(case), direction == Direction::Fill);
        }
        Space::Global => {}
    }
}

/// Thread `t` moves elements `t`, `t + block`, …
fn shared(body: &mut Text, case: &Case, role: Role, direction: Direction) {
    let (side, name) = (case.side(role), name(role));
    let count = elements(case, role);
    let tid = body.value("gpu.thread_id x");
    let (end, step) = (constant(body, count), constant(body, case.block));
    let index = format!("%{name}_{}", if direction == Direction::Fill { "in" } else { "out" });
    let first = (issue::ctas(case) > 1).then(|| {
        let rank = body.value("arith.index_cast %own : i32 to index");
        body.value(&format!("arith.muli {rank}, {end} : index"))
    });
    body.block(&format!("scf.for {index} = {tid} to {end} step {step} {{"), |body| {
        let place =
            first.map_or_else(|| index.clone(), |first| body.value(&format!("arith.addi {first}, {index} : index")));
        let image = format!("%{name}_image[{place}] : {}", image(case, role));
        let inside = format!("%{name}_shared[{index}] : {}", memref(count, side, SHARED));
        let (from, to) = if direction == Direction::Fill { (image, inside) } else { (inside, image) };
        let value = body.value(&format!("memref.load {from}"));
        body.line(&format!("memref.store {value}, {to}"));
    });
}

/// Each thread moves all its registers.
fn local(body: &mut Text, case: &Case, role: Role, direction: Direction) {
    let (side, name) = (case.side(role), name(role));
    let viewed = memref(registers(side), side, "");
    let view = body.value(&format!("tile.local_view %{name} : !{name} to {viewed}"));
    let tid = body.value("gpu.thread_id x");
    let size = constant(body, registers(side));
    let first = body.value(&format!("arith.muli {tid}, {size} : index"));
    for register in 0..registers(side) {
        let register = constant(body, register);
        let place = body.value(&format!("arith.addi {first}, {register} : index"));
        let image = format!("%{name}_image[{place}] : {}", memref(elements(case, role), side, ""));
        let inside = format!("{view}[{register}] : {viewed}");
        let (from, to) = if direction == Direction::Fill { (image, inside) } else { (inside, image) };
        let value = body.value(&format!("memref.load {from}"));
        body.line(&format!("memref.store {value}, {to}"));
    }
}

/// The type of a side's image: the images of all CTAs, one after the other; for tensor memory, its words.
pub(super) fn image(case: &Case, role: Role) -> String {
    match case.side(role).space {
        Space::Tmem => format!("memref<{}xi32>", issue::ctas(case) * tensor::LANES * tensor::COLUMNS),
        _ => memref(issue::ctas(case) * elements(case, role), case.side(role), ""),
    }
}

/// The type of `count` contiguous elements of a side; `space` is the rest of the type.
pub(super) fn memref(count: i64, side: &Side, space: &str) -> String {
    format!("memref<{count}x{}{space}>", side.element.mlir)
}

/// The rest of the type for shared memory.
pub(super) const SHARED: &str = ", #gpu.address_space<workgroup>";
