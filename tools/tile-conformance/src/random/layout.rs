//! Random layouts of a shape.

use tile_layout::{Axis, Iter, Layout, Swizzle};

use super::draw::Rng;

/// Extents of iters whose products are the dimensions, which are split at random.
fn digits(rng: &mut Rng, shape: &[i64]) -> Vec<i64> {
    let mut extents = Vec::new();
    for &extent in shape {
        let mut rest = extent;
        for factor in [2, 4, 8, 3] {
            if rng.below(3) == 0 && rest % factor == 0 && rest > factor {
                extents.push(factor);
                rest /= factor;
            }
        }
        extents.push(rest);
    }
    extents
}

/// Strides that give every combination of digits a distinct address: the iters are placed in `order`, last first, each
/// with a stride that spans those before it, occasionally with a gap. `order` holds indices into `extents`.
fn strides(rng: &mut Rng, extents: &[i64], mut order: Vec<usize>, gaps: bool) -> Vec<i64> {
    let mut strides = vec![0; extents.len()];
    let mut next = 1;
    while let Some(index) = order.pop() {
        strides[index] = next;
        next *= extents[index];
        if gaps && rng.below(6) == 0 {
            next += *rng.one_of(&[1, 2, 4, 8, 16]);
        }
    }
    strides
}

/// A layout of memory: the last iter fastest in half of the cases, occasionally padded, and swizzled in shared memory.
pub(super) fn memory(rng: &mut Rng, shape: &[i64], shared: bool) -> Layout {
    // Only a layout with one iter for each dimension has views of all kinds.
    let extents = if rng.below(2) == 0 { shape.to_vec() } else { digits(rng, shape) };
    let mut order: Vec<usize> = (0..extents.len()).collect();
    match rng.below(4) {
        0 => rng.shuffle(&mut order),
        1 => order.reverse(),
        _ => {}
    }
    let gaps = rng.below(3) == 0;
    let strides = strides(rng, &extents, order, gaps);
    let iters: Vec<Iter> = extents.iter().zip(strides).map(|(&extent, stride)| Iter::memory(extent, stride)).collect();
    let mut layout = Layout::new(iters);
    if rng.below(5) == 0 {
        layout = layout.with_offset(Axis::Memory, *rng.one_of(&[1, 4, 8, 64]));
    }
    if shared && rng.below(2) == 0 {
        let (per_element, len) = (rng.below(5) as u32, rng.below(4) as u32);
        if let Ok(swizzle) = Swizzle::new(per_element, len, 3, rng.below(6) != 0) {
            layout = layout.with_swizzle(swizzle);
        }
    }
    layout
}

/// A layout of registers: iters go to threads as long as there are threads left, the others to registers.
pub(super) fn registers(rng: &mut Rng, shape: &[i64], (axis, threads): (Axis, i64)) -> Layout {
    let extents = digits(rng, shape);
    let mut candidates: Vec<usize> = (0..extents.len()).collect();
    if rng.below(2) == 0 {
        rng.shuffle(&mut candidates);
    }
    let (mut spread, mut kept, mut left) = (Vec::new(), Vec::new(), threads);
    for index in candidates {
        if extents[index] > 1 && left % extents[index] == 0 {
            left /= extents[index];
            spread.push(index);
        } else {
            kept.push(index);
        }
    }
    rng.shuffle(&mut spread);
    // Registers of one thread are usually in the order of the tile.
    if rng.below(3) != 0 {
        kept.sort_unstable();
    } else {
        rng.shuffle(&mut kept);
    }
    let on_threads = strides(rng, &extents, spread.clone(), false);
    let in_registers = strides(rng, &extents, kept, false);
    let iter = |index: usize| match spread.contains(&index) {
        true => Iter::new(extents[index], on_threads[index], axis),
        false => Iter::memory(extents[index], in_registers[index]),
    };
    let layout = Layout::new((0..extents.len()).map(iter).collect::<Vec<_>>());
    if left > 1 && rng.below(2) == 0 {
        return layout.with_replica([Iter::new(left, threads / left, axis)]);
    }
    layout
}
