//! Memrefs of a given shape: arguments and workgroup memory of many layouts, and views of larger ones.

use tile_oracle::Rng;

use super::element::Element;
use super::kernel::{Argument, Kernel};
use super::memref::{Memref, Number};

/// A memref, and the workgroup memory that it views.
pub struct Viewed {
    /// The memref.
    pub memref: Memref,
    /// The workgroup memory.
    pub whole: Option<Memref>,
}

/// A memref of this shape.
pub fn memref(kernel: &mut Kernel, rng: &mut Rng, element: Element, shape: &[i64], shared: bool) -> Viewed {
    view(kernel, rng, element, shape, shared, 0)
}

fn view(kernel: &mut Kernel, rng: &mut Rng, element: Element, shape: &[i64], shared: bool, depth: usize) -> Viewed {
    let mut viewed = if depth < 2 && shape.len() < 4 && rng.once_in(2) {
        part(kernel, rng, element, shape, shared, depth)
    } else if shared {
        let memref = workgroup(kernel, element, shape);
        Viewed { whole: Some(memref.clone()), memref }
    } else {
        Viewed { memref: argument(kernel, rng, element, shape), whole: None }
    };
    if rng.once_in(6) {
        viewed.memref = cast(kernel, rng, &viewed.memref);
    }
    viewed
}

/// Workgroup memory, which has values from the start.
fn workgroup(kernel: &mut Kernel, element: Element, shape: &[i64]) -> Memref {
    let sizes: Vec<Number> = shape.iter().map(|&size| Number::known(size)).collect();
    let mut memref = Memref { name: String::new(), element, sizes, layout: None, shared: false };
    let from = kernel.argument(Argument::Memory(memref.clone()));
    let plain = memref.text();
    memref.shared = true;
    memref.name = kernel.value(format!("memref.alloc() : {}", memref.text()));
    kernel.line(format!("memref.copy {from}, {} : {plain} to {}", memref.name, memref.text()));
    kernel.line("gpu.barrier");
    memref
}

/// An argument: dense, padded, with another order of dimensions, with steps.
fn argument(kernel: &mut Kernel, rng: &mut Rng, element: Element, shape: &[i64]) -> Memref {
    let open = rng.once_in(3);
    let number = |rng: &mut Rng, value: i64| Number { value, is_static: !(open && rng.once_in(2)) };
    let sizes: Vec<Number> = shape.iter().map(|&size| number(rng, size)).collect();
    let mut memref = Memref { name: String::new(), element, sizes, layout: None, shared: false };
    if rng.once_in(2) {
        let mut order: Vec<usize> = (0..shape.len()).rev().collect();
        if rng.once_in(3) {
            rng.shuffle(&mut order);
        }
        let mut strides = vec![Number::known(1); shape.len()];
        let mut stride = if rng.once_in(6) { 2 } else { 1 };
        for at in order {
            let backward = rng.once_in(40);
            strides[at] = number(rng, if backward { -stride } else { stride });
            stride = stride * shape[at].max(1) + rng.below(4) * rng.below(2);
        }
        let behind: i64 =
            strides.iter().zip(shape).map(|(stride, size)| (-stride.value).max(0) * (size - 1).max(0)).sum();
        let ahead = behind + if rng.once_in(2) { rng.below(9) } else { 0 };
        memref.layout = Some((strides, number(rng, ahead)));
    }
    memref.name = kernel.argument(Argument::Memory(memref.clone()));
    memref
}

/// A part of a larger memref, perhaps of one with more dimensions.
fn part(kernel: &mut Kernel, rng: &mut Rng, element: Element, shape: &[i64], shared: bool, depth: usize) -> Viewed {
    let dropped = (shape.len() < 3 && rng.once_in(4)).then(|| rng.below(shape.len() as i64 + 1) as usize);
    // Upstream does not know which of several dimensions of 1 element is dropped.
    let dropped = dropped.filter(|_| !shape.contains(&1));
    let mut sizes: Vec<i64> = shape.to_vec();
    if let Some(at) = dropped {
        sizes.insert(at, 1);
    }
    // Upstream crashes on subviews that have steps and drop a dimension.
    let step = if rng.once_in(10) && dropped.is_none() { 2 } else { 1 };
    let begins: Vec<i64> = sizes.iter().map(|_| rng.below(4) * rng.below(2)).collect();
    let ends = sizes.iter().zip(&begins).map(|(&size, &begin)| begin + ((size - 1) * step + 1).max(1));
    let larger: Vec<i64> = ends.map(|end| end + rng.below(4)).collect();
    let Viewed { memref: source, whole } = view(kernel, rng, element, &larger, shared, depth + 1);
    let (strides, mut offset) = source.strides();
    let (mut starts, mut extents, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (&size, &begin)) in sizes.iter().zip(&begins).enumerate() {
        let begin = Number { value: begin, is_static: !rng.once_in(3) };
        let size = Number { value: size, is_static: dropped == Some(at) || !rng.once_in(5) };
        offset = offset.plus(begin.times(strides[at]));
        starts.push(operand(kernel, rng, begin));
        extents.push(extent(kernel, rng, size));
        numbers.push((size, strides[at].times(Number::known(step))));
    }
    if let Some(at) = dropped {
        numbers.remove(at);
    }
    let (sizes, strides) = numbers.into_iter().unzip();
    let steps = vec![step.to_string(); starts.len()].join(", ");
    let mut memref = Memref { name: kernel.name(), layout: Some((strides, offset)), sizes, ..source.clone() };
    memref.shared = source.shared;
    kernel.line(format!(
        "{} = memref.subview {}[{}] [{}] [{steps}] : {} to {}",
        memref.name,
        source.name,
        starts.join(", "),
        extents.join(", "),
        source.text(),
        memref.text()
    ));
    Viewed { memref, whole }
}

fn operand(kernel: &mut Kernel, rng: &mut Rng, number: Number) -> String {
    if number.is_static { number.text() } else { kernel.index(rng, number.value) }
}

/// A run-time extent, usually with a bound.
fn extent(kernel: &mut Kernel, rng: &mut Rng, number: Number) -> String {
    let text = operand(kernel, rng, number);
    if number.is_static || rng.once_in(3) {
        return text;
    }
    let most = number.value + rng.below(3);
    kernel.value(format!("affine.min affine_map<()[s] -> (s, {most})>()[{text}]"))
}

/// The same memref under a type that says less.
fn cast(kernel: &mut Kernel, rng: &mut Rng, source: &Memref) -> Memref {
    let vague = |rng: &mut Rng, number: Number| Number { is_static: number.is_static && !rng.once_in(2), ..number };
    let (strides, offset) = source.strides();
    let mut memref = source.clone();
    memref.sizes = source.sizes.iter().map(|&size| vague(rng, size)).collect();
    memref.layout = Some((strides.iter().map(|&stride| vague(rng, stride)).collect(), vague(rng, offset)));
    if source.text() == memref.text() {
        return memref;
    }
    memref.name = kernel.value(format!("memref.cast {} : {} to {}", source.name, source.text(), memref.text()));
    memref
}

/// The same memref under a type in which an extent is static, or is not.
pub fn retyped(kernel: &mut Kernel, source: &Memref, dimension: usize, is_static: bool) -> Memref {
    if source.sizes[dimension].is_static == is_static {
        return source.clone();
    }
    let mut memref = source.clone();
    memref.layout = Some(source.strides());
    memref.sizes[dimension].is_static = is_static;
    memref.name = kernel.value(format!("memref.cast {} : {} to {}", source.name, source.text(), memref.text()));
    memref
}
