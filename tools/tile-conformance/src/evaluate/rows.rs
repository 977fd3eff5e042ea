//! Rows as aligned chunks, and the elements at their ends.

use tile_layout::Eval;
use tile_plan::address::{RealignedChunk, RowEdge, RowValues, realigned_chunk, row_edge};
use tile_plan::families::realign::plan::{CHUNK_BYTES, RealignedCopy};
use tile_plan::problem::mask::Bounded;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink};
use super::places::{Instance, cell};

/// Moves every chunk and every end of a row, where both buffers begin at multiples of 16 bytes.
pub(super) fn run(copy: &RealignedCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let (src, dst) = (instance.values(Role::Src), instance.values(Role::Dst));
    let values = RowValues { bases: &[0, 0], src, dst, mask: &[] };
    let mut moves = |thread: i64, (from, to): (i64, i64), bytes: i64| {
        let element = copy.element_bytes();
        (0..bytes / element).try_for_each(|step| {
            let [from, to] = [(&copy.src, from), (&copy.dst, to)]
                .map(|(side, first)| cell(side.space, thread, first / element + step));
            sink(Move { thread, from, to })
        })
    };
    for &thread in &instance.active {
        let Some(number) = copy.number_of(thread - instance.first) else { continue };
        for round in 0..copy.chunk_rounds() {
            let RealignedChunk { inside, loads, shift, store } =
                realigned_chunk(&mut Eval, copy, (round, number), &values)?;
            if holds(&inside) {
                // A swizzle may have the second chunk anywhere.
                let of_first = CHUNK_BYTES - shift;
                moves(thread, (loads[0] + shift, store), of_first)?;
                moves(thread, (loads[1], store + of_first), shift)?;
            }
        }
        for round in 0..copy.edge_rounds() {
            let RowEdge { inside, load, store } = row_edge(&mut Eval, copy, (round, number), &values)?;
            if holds(&inside) {
                moves(thread, (load, store), copy.element_bytes())?;
            }
        }
    }
    Ok(())
}

fn holds(inside: &[Bounded<i64>]) -> bool {
    inside.iter().all(|bound| (0..bound.extent).contains(&bound.place))
}
