//! Single elements.

use tile_layout::{Fusion, IndexArith};

use crate::address::{begin_value, digits, locate, missing};
use crate::plan::{Refusal, ScalarSide};

/// The address of one element of a scalar copy.
///
/// `walk` has one value per loop of the copy, `copy` one digit per [`ScalarSide::copies`] (all 0, or empty, for the
/// first).
///
/// # Errors
/// `missing-value` when `walk` or `values` is too short.
pub fn scalar_address<A: IndexArith>(
    a: &mut A,
    side: &ScalarSide,
    walk: &[A::Value],
    copy: &[A::Value],
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let mut coords = Vec::with_capacity(side.shape.len());
    for (begin, walked) in side.begin.iter().zip(&side.walked) {
        let begin = begin_value(a, *begin, values)?;
        coords.push(match walked {
            None => begin,
            Some(walked) => {
                let step = walk.get(*walked).cloned().ok_or_else(|| missing("loop", *walked))?;
                a.add(begin, step)
            }
        });
    }
    let mut terms = Vec::new();
    match side.layout.canonicalize(Fusion::None).group(&side.shape) {
        Ok((grouped, seps)) => {
            for (coord, ends) in coords.into_iter().zip(seps.windows(2)) {
                digits(a, grouped.shard.get(ends[0]..ends[1]).unwrap_or_default(), coord, &mut terms);
            }
        }
        Err(_) => {
            let linear = join(a, &coords, &side.shape);
            digits(a, &side.layout.shard, linear, &mut terms);
        }
    }
    terms.extend(side.copies().map(|iter| iter.stride).zip(copy.iter().cloned()));
    Ok(locate(a, &side.layout, terms))
}

/// Row-major index of a coordinate.
fn join<A: IndexArith>(a: &mut A, coords: &[A::Value], shape: &[i64]) -> A::Value {
    let mut inside = 1i64;
    let mut terms = Vec::new();
    for (coord, &extent) in coords.iter().zip(shape).rev() {
        terms.push(a.scale(coord.clone(), inside));
        inside = inside.saturating_mul(extent);
    }
    a.sum(terms, 0)
}
