//! Transfers of vectors: maps, bounds, masks, padding.

use tile_oracle::Rng;

use super::kernel::{Argument, Kernel};
use super::memref::{Memref, Number};

/// What two transfers have in common.
pub struct Plan {
    /// The vector's extents.
    vector: Vec<i64>,
    /// The dimension of each memref along which each dimension of the vector runs; none where elements repeat.
    maps: [Vec<Option<usize>>; 2],
}

impl Plan {
    /// A vector that both memrefs can be read and written with.
    pub fn new(rng: &mut Rng, from: &Memref, to: &Memref) -> Self {
        let rank = rng.below(from.sizes.len().min(to.sizes.len()) as i64 + 1);
        // Upstream lowers vectors without dimensions only for steps of 1.
        let dense =
            |memref: &Memref| memref.strides().0.last() == Some(&Number::known(1)) && !memref.shape().contains(&0);
        let rank = if rank == 0 && !(dense(from) && dense(to)) { 1 } else { rank } as usize;
        let vector: Vec<i64> = (0..rank).map(|_| 1 + rng.below(8)).collect();
        let map = |rng: &mut Rng, memref: &Memref| -> Vec<Option<usize>> {
            let mut dimensions: Vec<usize> = (0..memref.sizes.len()).collect();
            if rng.once_in(2) {
                rng.shuffle(&mut dimensions);
                dimensions[..rank].to_vec()
            } else {
                dimensions[memref.sizes.len() - rank..].to_vec()
            }
            .into_iter()
            .map(Some)
            .collect()
        };
        let mut maps = [map(rng, from), map(rng, to)];
        if rank > 0 && rng.once_in(25) {
            maps[0][rng.below(rank as i64) as usize] = None;
        }
        Plan { vector, maps }
    }

    fn type_of(&self, element: &str) -> String {
        let sizes: String = self.vector.iter().map(|size| format!("{size}x")).collect();
        format!("vector<{sizes}{element}>")
    }
}

/// Where a transfer begins, and in which dimensions of the vector it stays in its memref.
struct Start {
    begins: Vec<i64>,
    in_bounds: Vec<bool>,
}

fn start(rng: &mut Rng, memref: &Memref, plan: &Plan, side: usize) -> Option<Start> {
    let shape = memref.shape();
    let mut start = Start { begins: vec![0; shape.len()], in_bounds: vec![true; plan.vector.len()] };
    for (at, &extent) in shape.iter().enumerate() {
        let along = plan.maps[side].iter().position(|to| *to == Some(at));
        let size = along.map_or(1, |along| plan.vector[along]);
        let inside = extent - size;
        start.begins[at] = match along {
            Some(along) => {
                start.in_bounds[along] = inside >= 0 && rng.once_in(2);
                if start.in_bounds[along] { rng.below(inside + 1) } else { rng.below(extent + 3) }
            }
            None if inside < 0 => return None,
            None => rng.below(inside + 1),
        };
    }
    Some(start)
}

/// A mask's operand, with its type.
struct Mask {
    operand: String,
    text: String,
    /// Whether it is that of a `vector.mask` around the transfer.
    around: bool,
}

fn mask(kernel: &mut Kernel, rng: &mut Rng, plan: &Plan, side: usize) -> Option<Mask> {
    if rng.once_in(2) {
        return None;
    }
    let mut along: Vec<(usize, i64)> =
        plan.maps[side].iter().zip(&plan.vector).filter_map(|(to, &size)| Some(((*to)?, size))).collect();
    along.sort_unstable();
    let mut sizes: Vec<i64> = along.into_iter().map(|(_, size)| size).collect();
    if sizes.is_empty() {
        sizes.push(1);
    }
    let text = format!("vector<{}xi1>", sizes.iter().map(i64::to_string).collect::<Vec<_>>().join("x"));
    let prefix = |kernel: &mut Kernel, rng: &mut Rng| {
        let count = |rng: &mut Rng, size: i64| match rng.below(20) {
            0 => i64::MAX,
            1 => i64::MIN,
            _ => rng.below(size + 5) - 2,
        };
        let counts: Vec<String> = sizes
            .iter()
            .map(|&size| {
                let count = count(rng, size);
                kernel.index(rng, count)
            })
            .collect();
        kernel.value(format!("vector.create_mask {} : {text}", counts.join(", ")))
    };
    let (operand, around) = match rng.below(20) {
        0..=3 => {
            let mut counts: Vec<i64> = sizes.iter().map(|&size| 1 + rng.below(size)).collect();
            if rng.once_in(10) {
                counts.fill(0);
            }
            (kernel.value(format!("vector.constant_mask {counts:?} : {text}")), false)
        }
        4 => {
            let (one, other) = (prefix(kernel, rng), prefix(kernel, rng));
            kernel.inexpressible = Some("a computed mask");
            (kernel.value(format!("arith.ori {one}, {other} : {text}")), false)
        }
        5 => {
            kernel.inexpressible = Some("a vector.mask");
            (prefix(kernel, rng), true)
        }
        _ => (prefix(kernel, rng), false),
    };
    Some(Mask { operand, text, around })
}

/// The attributes of a transfer.
fn attributes(memref: &Memref, plan: &Plan, side: usize, in_bounds: &[bool]) -> String {
    let dimensions: Vec<String> = (0..memref.sizes.len()).map(|at| format!("d{at}")).collect();
    let to = |to: &Option<usize>| to.map_or_else(|| "0".to_owned(), |to| dimensions[to].clone());
    let results: Vec<String> = plan.maps[side].iter().map(to).collect();
    let map = format!("affine_map<({}) -> ({})>", dimensions.join(", "), results.join(", "));
    format!("{{in_bounds = {in_bounds:?}, permutation_map = {map}}}")
}

/// The value of what a transfer reads outside.
fn padding(kernel: &mut Kernel, rng: &mut Rng, memref: &Memref) -> String {
    let element = memref.element;
    match rng.below(4) {
        0 if kernel.undefined.is_none_or(|undefined| undefined == element) => {
            kernel.undefined = Some(element);
            "%undefined".to_owned()
        }
        1 => kernel.argument(Argument::Element(element, rng.once_in(2))),
        _ => kernel.value(format!("arith.constant {} : {}", element.number(rng.once_in(2)).0, element.name)),
    }
}

/// The values of indices, in the kernel.
fn indices(kernel: &mut Kernel, rng: &mut Rng, begins: &[i64]) -> String {
    begins.iter().map(|&begin| kernel.index(rng, begin)).collect::<Vec<_>>().join(", ")
}

/// A transfer with its operands, as a line; that of a read is the value.
fn line(
    memref: &Memref,
    plan: &Plan,
    side: usize,
    start: &Start,
    (operands, mask, types): (&str, &Option<Mask>, &str),
) -> String {
    let name = if side == 0 { "read" } else { "write" };
    let operand = match mask {
        Some(Mask { operand, around: false, .. }) => format!(", {operand}"),
        _ => String::new(),
    };
    let attributes = attributes(memref, plan, side, &start.in_bounds);
    let transfer = format!("vector.transfer_{name} {operands}{operand} {attributes} : {types}");
    match mask {
        Some(Mask { operand, text, around: true }) if side == 0 => {
            let vector = plan.type_of(memref.element.name);
            format!("vector.mask {operand} {{ {transfer} }} : {text} -> {vector}")
        }
        Some(Mask { operand, text, around: true }) => format!("vector.mask {operand} {{ {transfer} }} : {text}"),
        _ => transfer,
    }
}

/// A vector that is read and not yet written.
pub struct Read<'p> {
    plan: &'p Plan,
    value: String,
    /// Why no tile copy expresses it, as [`Kernel::inexpressible`].
    inexpressible: Option<&'static str>,
}

/// Reads a vector; none if the memref has too few elements.
pub fn read<'p>(kernel: &mut Kernel, rng: &mut Rng, plan: &'p Plan, from: &Memref) -> Option<Read<'p>> {
    let start = start(rng, from, plan, 0)?;
    let others = kernel.inexpressible.take();
    let begin = indices(kernel, rng, &start.begins);
    let mask = mask(kernel, rng, plan, 0);
    let pad = padding(kernel, rng, from);
    let operands = format!("{}[{begin}], {pad}", from.name);
    let types = format!("{}, {}", from.text(), plan.type_of(from.element.name));
    let value = kernel.value(line(from, plan, 0, &start, (&operands, &mask, &types)));
    if plan.maps[0].contains(&None) {
        kernel.inexpressible = Some("a broadcast");
    }
    let inside = start.begins.iter().zip(from.shape()).all(|(&at, size)| at < size);
    if inside && rng.once_in(30) {
        kernel.inexpressible = Some("a write in between");
        let stored = padding(kernel, rng, from);
        kernel.line(format!("memref.store {stored}, {}[{begin}] : {}", from.name, from.text()));
    }
    let inexpressible = std::mem::replace(&mut kernel.inexpressible, others);
    Some(Read { plan, value, inexpressible })
}

/// Writes a vector; nothing if the memref has too few elements.
pub fn write(kernel: &mut Kernel, rng: &mut Rng, read: &Read<'_>, to: &Memref) {
    let Some(start) = start(rng, to, read.plan, 1) else { return };
    kernel.inexpressible = read.inexpressible.or(kernel.inexpressible);
    let begin = indices(kernel, rng, &start.begins);
    let mask = mask(kernel, rng, read.plan, 1);
    let operands = format!("{}, {}[{begin}]", read.value, to.name);
    let types = format!("{}, {}", read.plan.type_of(to.element.name), to.text());
    let write = line(to, read.plan, 1, &start, (&operands, &mask, &types));
    kernel.line(&write);
    if rng.once_in(30) {
        kernel.inexpressible = Some("two writes");
        kernel.line(&write);
    }
}
