//! Rounds of vectors.

use tile_layout::Eval;
use tile_plan::{VectorCopy, Which, address};

use super::cell::cell;
use super::fault::Fault;
use super::moves::{Instance, Move, Sink, admitted, check_alignment};

/// Every vector of every active thread.
pub(super) fn run(copy: &VectorCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    for &thread in &instance.active {
        let t = thread - instance.first;
        if !admitted(&copy.guards, t) {
            continue;
        }
        for round in 0..copy.rounds {
            let at = |which, side| {
                let address = address::vector_address(&mut Eval, copy, which, round, t, instance.values(which))?;
                check_alignment(side, which, thread, address, (copy.vector, copy.element_bits)).map(|()| address)
            };
            let (from, to) = (at(Which::Src, &copy.src)?, at(Which::Dst, &copy.dst)?);
            for step in 0..copy.vector {
                let from = cell(copy.src.space, thread, from + step);
                sink(Move { thread, from, to: cell(copy.dst.space, thread, to + step) })?;
            }
        }
    }
    Ok(())
}
