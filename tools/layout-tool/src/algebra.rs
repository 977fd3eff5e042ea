//! CuTe's algebra on layouts in memory, without swizzles. Layouts are functions of CuTe's number of an element: the first mode is the
//! fastest. An operation that has no result says which extents do not divide.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::modes::{Modes, Part};

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AlgebraError {
    /// An operand with a swizzle or an offset.
    #[error("got an operand with a swizzle or an offset, expected extents and strides alone")]
    NotPlain,
    /// Parts whose sum leaves an extent that each of them stays in.
    #[error("got parts that together reach {reached} within the extent {inside} of the other layout, expected less")]
    Carries {
        /// The digit that they reach together.
        reached: i64,
        /// The extent that it leaves.
        inside: i64,
    },
    /// A part that steps across the end of an extent.
    #[error(
        "got {extent}:{stride}, whose steps end within the extent {inside} of the other layout; expected one to divide the other"
    )]
    Crosses {
        /// The extent of the part.
        extent: i64,
        /// Its stride, in what remains of the other layout.
        stride: i64,
        /// The extent that it does not fit.
        inside: i64,
    },
    /// Parts that overlap, or leave a gap that is no multiple.
    #[error(
        "got stride {stride} behind {covered} addresses, expected a multiple: parts that neither overlap nor leave a fraction"
    )]
    Overlap {
        /// The stride.
        stride: i64,
        /// Addresses that the parts of smaller stride reach.
        covered: i64,
    },
    /// A negative or an enormous number.
    #[error("got a number that is negative or beyond 2^62, expected extents from 1 and strides from 0 on")]
    Number,
}

const MAX: i64 = 1 << 62;

/// The parts of a layout, checked: extents from 1, strides from 0, everything below 2^62.
fn plain(layout: &Modes) -> Result<Vec<Part>, AlgebraError> {
    if layout.swizzle.is_some_and(|swizzle| swizzle.len > 0) || layout.offset != 0 {
        return Err(AlgebraError::NotPlain);
    }
    let parts = layout.parts();
    let is_sound = |part: &Part| part.0 >= 1 && part.1 >= 0;
    let sizes = [layout.size().unwrap_or(i64::MAX), layout.cosize()];
    if parts.iter().all(is_sound) && sizes.iter().all(|&size| size < MAX) {
        Ok(parts)
    } else {
        Err(AlgebraError::Number)
    }
}

/// The fewest parts with the same addresses.
fn joined(parts: &[Part]) -> Vec<Part> {
    let mut result: Vec<Part> = Vec::new();
    for &(extent, stride) in parts.iter().filter(|part| part.0 != 1) {
        match result.last_mut() {
            Some(last) if last.0 * last.1 == stride => last.0 *= extent,
            _ => result.push((extent, stride)),
        }
    }
    if result.is_empty() { vec![(1, 0)] } else { result }
}

/// The layout as one mode of the fewest parts with the same addresses.
///
/// # Errors
/// A swizzle, an offset, or a number out of range.
pub fn coalesce(layout: &Modes) -> Result<Modes, AlgebraError> {
    Ok(one_each(joined(&plain(layout)?)))
}

/// A mode for each part.
fn one_each(parts: Vec<Part>) -> Modes {
    Modes::new(parts.into_iter().map(|part| vec![part]).collect())
}

/// `outer` after `inner`: element `i` is at `outer(inner(i))`. Modes are those of `inner`.
///
/// # Errors
/// A part of `inner` that steps across an extent of `outer`.
pub fn compose(outer: &Modes, inner: &Modes) -> Result<Modes, AlgebraError> {
    let outer = joined(&plain(outer)?);
    plain(inner)?;
    // How far all parts together reach in each extent of `outer`.
    let mut reached = vec![0i64; outer.len()];
    let mut mode = |mode: &Vec<Part>| -> Result<Vec<Part>, AlgebraError> {
        let parts: Result<Vec<Vec<Part>>, _> = mode.iter().map(|&part| selected(&outer, part, &mut reached)).collect();
        Ok(parts?.concat())
    };
    let result = Modes::new(inner.modes.iter().map(&mut mode).collect::<Result<_, _>>()?);
    let mut ended = reached.iter().zip(&outer).take(outer.len().saturating_sub(1));
    if let Some((&reached, &(inside, _))) = ended.find(|(reached, (inside, _))| *reached >= inside) {
        return Err(AlgebraError::Carries { reached, inside });
    }
    plain(&result).map(|_| result)
}

/// Every `stride`-th element of a layout, `extent` of them.
fn selected(layout: &[Part], (extent, stride): Part, reached: &mut [i64]) -> Result<Vec<Part>, AlgebraError> {
    if extent == 1 || stride == 0 {
        return Ok(vec![(extent, 0)]);
    }
    let (mut left, mut step) = (extent, stride);
    let mut parts = Vec::new();
    for (index, &(inside, distance)) in layout.iter().enumerate() {
        let is_last = index + 1 == layout.len();
        let crosses = Err(AlgebraError::Crosses { extent: left, stride: step, inside });
        if is_last {
            // CuTe's last extent has no end.
            parts.push((left, step.checked_mul(distance).ok_or(AlgebraError::Number)?));
            return Ok(parts);
        }
        if step % inside == 0 {
            step /= inside;
            continue;
        }
        if inside % step != 0 {
            return crosses;
        }
        let taken = (inside / step).min(left);
        if left % taken != 0 {
            return crosses;
        }
        parts.push((taken, step * distance));
        reached[index] = reached[index].saturating_add((taken - 1).saturating_mul(step));
        left /= taken;
        step = 1;
        if left == 1 {
            break;
        }
    }
    Ok(parts)
}

/// The addresses up to `size` that the layout leaves out, as a layout: both together reach each once.
///
/// # Errors
/// Parts that overlap, or leave a fraction of a gap.
pub fn complement(layout: &Modes, size: i64) -> Result<Modes, AlgebraError> {
    let mut parts: Vec<Part> = plain(layout)?.into_iter().filter(|part| part.0 > 1 && part.1 > 0).collect();
    parts.sort_by_key(|part| part.1);
    let mut covered = 1i64;
    let mut gaps = Vec::new();
    for (extent, stride) in parts {
        if stride < covered || stride % covered != 0 {
            return Err(AlgebraError::Overlap { stride, covered });
        }
        gaps.push((stride / covered, covered));
        covered = extent.checked_mul(stride).ok_or(AlgebraError::Number)?;
    }
    gaps.push(((size.max(1) - 1) / covered + 1, covered));
    Ok(one_each(joined(&gaps)))
}

/// The elements at the addresses of `tile`, and then the tiles: `layout` after `(tile, complement of tile)`.
///
/// # Errors
/// As [`compose`] and [`complement`].
pub fn divide(layout: &Modes, tile: &Modes) -> Result<Modes, AlgebraError> {
    plain(layout)?;
    let rest = complement(tile, layout.size().ok_or(AlgebraError::Number)?)?;
    compose(layout, &Modes::new(vec![tile.parts(), rest.parts()]))
}

/// The elements by their addresses, from 0 to the first address that is not held: `layout(inverse(i)) = i`.
///
/// # Errors
/// A swizzle, an offset, or a number out of range.
pub fn right_inverse(layout: &Modes) -> Result<Modes, AlgebraError> {
    let mut inside = 1;
    let mut numbered: Vec<(Part, i64)> = Vec::new();
    for part in joined(&plain(layout)?) {
        numbered.push((part, inside));
        inside *= part.0;
    }
    numbered.sort_by_key(|&((_, stride), _)| stride);
    // For each number of addresses from 0 on, parts that hold these.
    let mut chains = BTreeMap::from([(1, Vec::new())]);
    for ((extent, stride), inside) in numbered.into_iter().filter(|((extent, _), _)| *extent > 1) {
        if let Some(mut chain) = chains.get(&stride).cloned() {
            chain.push((extent, inside));
            chains.entry(stride * extent).or_insert(chain);
        }
    }
    let longest = chains.pop_last().map(|(_, chain)| chain).unwrap_or_default();
    Ok(one_each(joined(&longest)))
}

/// The elements by their addresses where each address is held once: `inverse(layout(i)) = i`.
///
/// # Errors
/// Addresses that are held more than once, or gaps that are no multiple.
pub fn left_inverse(layout: &Modes) -> Result<Modes, AlgebraError> {
    let gaps = complement(layout, layout.cosize())?;
    if plain(layout)?.iter().any(|part| part.0 > 1 && part.1 == 0) {
        return Err(AlgebraError::Overlap { stride: 0, covered: 1 });
    }
    right_inverse(&Modes::new([layout.modes.clone(), gaps.modes].concat()))
}
