//! Draws kernels with one or a few of upstream's copies.

use tile_oracle::Rng;

use super::element::{ELEMENTS, Element};
use super::kernel::Kernel;
use super::memref::Memref;
use super::transfer::{self, Plan};
use super::views::{self, Viewed};

/// The streams of kernels differ from those of other programs.
const STREAM: u64 = 0x636f_7079;

/// Kernel `number` of a seed.
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut rng = Rng::new(seed ^ STREAM, number);
    let rng = &mut rng;
    let mut kernel = Kernel::new(rng);
    let copies = if rng.once_in(5) { 2 } else { 1 };
    for _ in 0..copies {
        match rng.below(10) {
            0 | 1 => whole(&mut kernel, rng, "memref.copy"),
            2 => whole(&mut kernel, rng, "linalg.copy"),
            3 | 4 => whole(&mut kernel, rng, "linalg.transpose"),
            _ => transfers(&mut kernel, rng),
        }
    }
    kernel
}

/// The extents of a copy.
pub fn shape(rng: &mut Rng, rank: i64) -> Vec<i64> {
    let most = if rank > 2 { 6 } else { 12 };
    (0..rank).map(|_| if rng.once_in(60) { 0 } else { 1 + rng.below(most) }).collect()
}

/// Brings what a kernel wrote to workgroup memory to where it can be compared.
fn shown(kernel: &mut Kernel, whole: Option<&Memref>) {
    let Some(memory) = whole else { return };
    let plain = Memref { shared: false, ..memory.clone() };
    let to = kernel.argument(super::kernel::Argument::Memory(plain.clone()));
    kernel.line("gpu.barrier");
    kernel.line(format!("memref.copy {}, {to} : {} to {}", memory.name, memory.text(), plain.text()));
}

/// Pairs of float types between which copies convert.
const PAIRS: [(usize, usize); 6] = [(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)];

/// A copy of all of a memref.
fn whole(kernel: &mut Kernel, rng: &mut Rng, name: &str) {
    // Upstream's verifier crashes on a linalg.transpose without dimensions.
    let rank = if name != "linalg.transpose" && rng.once_in(20) { 0 } else { 1 + rng.below(3) };
    let extents = shape(rng, rank);
    let element = *rng.one_of(&ELEMENTS);
    let (mut from_element, mut to_element) = (element, element);
    if name == "linalg.copy" && rng.once_in(2) {
        let (from, to) = *rng.one_of(&PAIRS);
        (from_element, to_element) = (ELEMENTS[from], ELEMENTS[to]);
        kernel.converts = true;
    }
    let mut order: Vec<usize> = (0..extents.len()).collect();
    if name == "linalg.transpose" {
        rng.shuffle(&mut order);
    }
    let turned: Vec<i64> = order.iter().map(|&at| extents[at]).collect();
    let (from_shared, to_shared) = (rng.once_in(4), rng.once_in(4));
    let from = views::memref(kernel, rng, from_element, &extents, from_shared);
    let to = views::memref(kernel, rng, to_element, &turned, to_shared);
    kernel.kinds.push(format!("{name}, {}", memories(&from.memref, &to.memref)));
    let (mut a, mut b) = (from.memref, to.memref);
    if name == "linalg.transpose" {
        // It expects that the same extents are static in both.
        for (at, &source) in order.iter().enumerate() {
            let is_static = a.sizes[source].is_static && b.sizes[at].is_static;
            a = views::retyped(kernel, &a, source, is_static);
            b = views::retyped(kernel, &b, at, is_static);
        }
    }
    let text = match name {
        "memref.copy" => format!("memref.copy {}, {} : {} to {}", a.name, b.name, a.text(), b.text()),
        "linalg.copy" => format!("linalg.copy ins({} : {}) outs({} : {})", a.name, a.text(), b.name, b.text()),
        _ => format!(
            "linalg.transpose ins({} : {}) outs({} : {}) permutation = {order:?}",
            a.name,
            a.text(),
            b.name,
            b.text()
        ),
    };
    statement(kernel, rng, |kernel, _| kernel.line(text));
    shown(kernel, to.whole.as_ref());
}

/// Runs `body` once, or in a loop, or under a condition.
fn statement(kernel: &mut Kernel, rng: &mut Rng, body: impl FnOnce(&mut Kernel, &mut Rng)) {
    if rng.once_in(8) { kernel.nested(rng, body) } else { body(kernel, rng) }
}

fn memories(from: &Memref, to: &Memref) -> String {
    let memory = |memref: &Memref| if memref.shared { "workgroup" } else { "global" };
    format!("{} -> {}", memory(from), memory(to))
}

/// Two memrefs between which a vector is transferred.
struct Pair {
    from: Viewed,
    to: Viewed,
    plan: Plan,
}

fn pair(kernel: &mut Kernel, rng: &mut Rng, element: Element) -> Pair {
    let side = |kernel: &mut Kernel, rng: &mut Rng| -> Viewed {
        let rank = 1 + rng.below(3);
        let (mut extents, shared) = (shape(rng, rank), rng.once_in(4));
        // A transfer needs an element in dimensions that it does not run along.
        extents.iter_mut().filter(|_| rank > 1).for_each(|extent| *extent = (*extent).max(1));
        views::memref(kernel, rng, element, &extents, shared)
    };
    let from = side(kernel, rng);
    let to = if rng.once_in(12) {
        Viewed { memref: from.memref.clone(), whole: from.whole.clone() }
    } else {
        side(kernel, rng)
    };
    kernel.kinds.push(format!("transfers, {}", memories(&from.memref, &to.memref)));
    let plan = Plan::new(rng, &from.memref, &to.memref);
    Pair { from, to, plan }
}

/// One or two reads of vectors, and then a write of each.
fn transfers(kernel: &mut Kernel, rng: &mut Rng) {
    let element: Element = *rng.one_of(&ELEMENTS);
    let count = if rng.once_in(8) { 2 } else { 1 };
    let pairs: Vec<Pair> = (0..count).map(|_| pair(kernel, rng, element)).collect();
    statement(kernel, rng, |kernel, rng| {
        let mut reads = Vec::new();
        for pair in &pairs {
            reads.push(transfer::read(kernel, rng, &pair.plan, &pair.from.memref));
        }
        for (pair, read) in pairs.iter().zip(&reads) {
            if let Some(read) = read {
                transfer::write(kernel, rng, read, &pair.to.memref);
            }
        }
    });
    pairs.iter().for_each(|pair| shown(kernel, pair.to.whole.as_ref()));
}
