//! The bytes of a region, row by row.
//!
//! ```text
//!   rows 8 to 15 of (64, 64) : (64, 1), 2 bytes each        128 bytes each from 1024, 1152, … on
//! ```

use std::rc::Rc;

use tile_isa::Scope;
use tile_layout::{Axis, Eval, Iter};

use crate::problem::operands::{Operand, Operands};
use crate::problem::role::Role;
use crate::problem::threads::{ThreadSet, Threads};
use crate::problem::{Element, Problem};
use crate::sides::address::{digits, finish};
use crate::sides::region::region_side;
use crate::target::Target;
use crate::touch::enumeration::{Enumeration, MEMORIES};
use crate::touch::footprint::Footprint;
use crate::touch::{Bytes, NotFollowed, UnswizzledBytes};

/// The bytes of an operand's region, which is `masked` in some dimensions; each of the threads touches all of them.
///
/// # Errors
/// An access that has no address.
pub(crate) fn in_region(
    by: &Enumeration<'_>,
    role: Role,
    masked: &[usize],
    threads: &[i64],
) -> Result<Option<Bytes>, NotFollowed> {
    let side = by.problem.operand(role).and_then(|operand| operand.clone().closed(role, masked));
    let Ok(side) = side.and_then(|operand| region_side(&operand, role)) else {
        return Ok(Some(Bytes::unknown(by.strides(role))));
    };
    let iters: Vec<Iter> = side.layout.shard.iter().copied().filter(|iter| iter.extent != 1).collect();
    let is_plain = side.layout.swizzle.is_none_or(|swizzle| swizzle.len == 0);
    let is_run = |iter: &&Iter| iter.stride == 1 && iter.axis == Axis::Memory && is_plain;
    let run = iters.last().filter(is_run).map_or(1, |iter| iter.extent);
    let outer = if run == 1 { &iters[..] } else { &iters[..iters.len() - 1] };
    let count = outer.iter().fold(1i64, |count, iter| count.saturating_mul(iter.extent));
    let places = |values: &[i64]| {
        let mut places = Vec::new();
        for number in 0..count {
            let mut terms = Vec::new();
            digits(&mut Eval, outer, number, &mut terms);
            let first = finish(&mut Eval, &side, terms, values)?;
            places.extend(threads.iter().map(|&thread| (thread, first, first + run)));
        }
        Ok(places)
    };
    by.side(role, count.saturating_mul(threads.len() as i64), by.moved(role, &side), places)
}

/// The bytes of the region of an operand that an op which is not planned accesses: each of the threads touches all of them.
pub fn of_operand((role, operand): (Role, Operand), element: Element, target: &Target, threads: ThreadSet) -> Bytes {
    let is_plain = element.bits.is_multiple_of(8) && operand.layout.replica.is_empty();
    if !is_plain || operand.extent.iter().any(|&extent| extent < 1) {
        return Bytes::unknown(Vec::new());
    }
    let one = Threads::all(Scope::Thread, Some(1));
    let problem = Problem::with_operands(Operands::one(role, operand), element, one);
    let by = Enumeration { problem: &problem, target, spaces: &MEMORIES, side: Some(role) };
    let known = in_region(&by, role, &[], &[0]).ok().flatten().unwrap_or_else(|| Bytes::unknown(Vec::new()));
    let by_all = |footprint: Rc<Footprint>| {
        let bytes = footprint.segments().iter().map(|segment| (segment.begin, segment.end));
        Rc::new(Footprint::alike(bytes, threads))
    };
    let before = |bytes: UnswizzledBytes| UnswizzledBytes { footprint: by_all(bytes.footprint), ..bytes };
    Bytes { footprint: known.footprint.map(by_all), unswizzled: known.unswizzled.map(before), ..known }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::run_time::Begin;
    use crate::touch::Move;
    use tile_isa::Space;

    fn rows(layout: &str, begin: Begin) -> Bytes {
        let whole = Operand::whole(Space::Shared, layout.parse().unwrap(), &[64, 64], 16);
        let operand = Operand { begin: vec![begin, Begin::Const(0)], extent: vec![8, 64], ..whole };
        let target = Target::parse("sm_90a").unwrap();
        of_operand((Role::Dst, operand), Element::new(16, "f16"), &target, ThreadSet::range(0, 64))
    }

    #[test]
    fn all_threads_touch_all_bytes_of_a_region() {
        let bytes = rows("(64, 64) : (64, 1)", Begin::Const(8)).footprint.unwrap();
        assert_eq!(*bytes, Footprint::all(1024, 2048, ThreadSet::range(0, 64)));
        let swizzled = rows("(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>", Begin::Const(8));
        assert_eq!(swizzled.footprint.unwrap().bounds(), Some((1024, 2048)));
    }

    #[test]
    fn run_time_offsets_move_a_region() {
        let bytes = rows("(64, 64) : (64, 1)", Begin::Dynamic { value: 0, divisor: 8, residue: 0 });
        assert_eq!(bytes.footprint.unwrap().bounds(), Some((0, 1024)));
        assert_eq!(bytes.moves, Some(vec![Move { value: 0, div: 1, bytes: 128 }]));
    }

    #[test]
    fn what_is_not_whole_bytes_is_not_known() {
        let operand = Operand::whole(Space::Shared, "(8) : (1)".parse().unwrap(), &[8], 16);
        let target = Target::parse("sm_90a").unwrap();
        let bytes = of_operand((Role::Src, operand), Element::new(4, "f4"), &target, ThreadSet::range(0, 32));
        assert_eq!(bytes.footprint, None);
    }
}
