//! Tensor memory: allocated as a whole, filled and read by plain instructions, and freed.

use super::text::Text;
use super::text::constant;

/// Lanes of tensor memory, and columns of 32 bits.
pub(crate) const LANES: i64 = 128;
/// Columns of a lane.
pub(crate) const COLUMNS: i64 = 512;

/// Columns that one instruction fills or reads: a width that no recorded copy uses.
const AT_ONCE: i64 = 32;

/// The number of instructions of this name with which a block fills or drains tensor memory.
pub(crate) fn own_instructions(name: &str) -> i64 {
    let known = ["ld", "st"].iter().any(|kind| name == format!("tcgen05.{kind}.sync.aligned.32x32b.x{AT_ONCE}.b32"));
    if known { LANES / 32 * COLUMNS / AT_ONCE } else { 0 }
}

/// Globals of the module.
pub(crate) fn globals(module: &mut Text) {
    module.line("  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32");
}

/// Allocates all columns, with `pair` those of both CTAs; their address is in `%address` after a barrier.
pub(crate) fn allocate(text: &mut Text, pair: bool) {
    text.line("%slot = llvm.mlir.addressof @slot : !llvm.ptr<3>");
    text.line(&format!("%columns = arith.constant {COLUMNS} : i32"));
    by_first_warp(text, |text| {
        let group = group(pair);
        text.line(&format!("nvvm.tcgen05.alloc %slot, %columns{group} : !llvm.ptr<3>, i32"));
        text.line(&format!("nvvm.tcgen05.relinquish_alloc_permit{group}"));
    });
    barrier(text, false);
    text.line("%address = llvm.load %slot : !llvm.ptr<3> -> i32");
}

/// Frees all columns.
pub(crate) fn release(text: &mut Text, pair: bool) {
    barrier(text, pair);
    by_first_warp(text, |text| {
        let all = text.value("llvm.inttoptr %address : i32 to !llvm.ptr<6>");
        let group = group(pair);
        text.line(&format!("nvvm.tcgen05.dealloc {all}, %columns{group} : !llvm.ptr<6>, i32"));
    });
}

/// The attribute of instructions for a pair of CTAs.
pub(crate) fn group(pair: bool) -> &'static str {
    if pair { " {group = #nvvm.cta_group<cta_2>}" } else { "" }
}

/// A barrier of the block, or of a pair of them, that orders tcgen05 instructions, too.
pub(crate) fn barrier(text: &mut Text, pair: bool) {
    text.line("nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>");
    if pair {
        text.line("nvvm.cluster.arrive {aligned}");
        text.line("nvvm.cluster.wait {aligned}");
    } else {
        text.line("gpu.barrier");
    }
    text.line("nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>");
}

/// Transfers between tensor memory and its image in global memory, one word per lane and column; thread `t` of the
/// first 128 has lane `t`. The image has those of `ctas` CTAs one after the other; that of this CTA has number `%own`.
pub(crate) fn transfer(text: &mut Text, image: &str, ctas: i64, fill: bool) {
    let tid = text.value("gpu.thread_id x");
    let [none, step, columns, lanes] = [0, AT_ONCE, COLUMNS, LANES].map(|number| constant(text, number));
    let has_lane = text.value(&format!("arith.cmpi ult, {tid}, {lanes} : index"));
    let mut row = text.value(&format!("arith.muli {tid}, {columns} : index"));
    if ctas > 1 {
        let cta = text.value("arith.index_cast %own : i32 to index");
        let words = constant(text, LANES * COLUMNS);
        let first = text.value(&format!("arith.muli {cta}, {words} : index"));
        row = text.value(&format!("arith.addi {first}, {row} : index"));
    }
    let quarter = quarter(text, &tid);
    let column = format!("%{}", if fill { "column_in" } else { "column_out" });
    text.block(&format!("scf.if {has_lane} {{"), |text| {
        text.block(&format!("scf.for {column} = {none} to {columns} step {step} {{"), |text| {
            let place = text.value(&format!("arith.addi {row}, {column} : index"));
            let along = text.value(&format!("arith.index_cast {column} : index to i32"));
            let from = text.value(&format!("arith.addi {quarter}, {along} : i32"));
            let from = text.value(&format!("llvm.inttoptr {from} : i32 to !llvm.ptr<6>"));
            words(text, (image, ctas), &place, &from, fill);
        });
        if fill {
            text.line("nvvm.tcgen05.wait <store>");
        }
    });
}

/// Transfers the words of one instruction, at index `place` of the image and `address` of tensor memory.
fn words(text: &mut Text, (image, ctas): (&str, i64), place: &str, address: &str, fill: bool) {
    let (vector, memory) = (format!("vector<{AT_ONCE}xi32>"), format!("memref<{}xi32>", ctas * LANES * COLUMNS));
    let shape = "{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}";
    if fill {
        let words = text.value(&format!("vector.load {image}[{place}] : {memory}, {vector}"));
        text.line(&format!("nvvm.tcgen05.st {address}, {words} {shape} : {vector}"));
    } else {
        let words = text.value(&format!("nvvm.tcgen05.ld {address} {shape} : {vector}"));
        text.line("nvvm.tcgen05.wait <load>");
        text.line(&format!("vector.store {words}, {image}[{place}] : {memory}, {vector}"));
    }
}

/// The address of the first lane that the thread's warp reaches.
fn quarter(text: &mut Text, tid: &str) -> String {
    let lanes = constant(text, 32);
    let warp = text.value(&format!("arith.divui {tid}, {lanes} : index"));
    let warp = text.value(&format!("arith.index_cast {warp} : index to i32"));
    let step = text.value(&format!("arith.constant {} : i32", 32 << 16));
    let down = text.value(&format!("arith.muli {warp}, {step} : i32"));
    text.value(&format!("arith.addi %address, {down} : i32"))
}

fn by_first_warp(text: &mut Text, body: impl FnOnce(&mut Text)) {
    let tid = text.value("gpu.thread_id x");
    let warp = constant(text, 32);
    let first = text.value(&format!("arith.cmpi ult, {tid}, {warp} : index"));
    text.block(&format!("scf.if {first} {{"), body);
}
