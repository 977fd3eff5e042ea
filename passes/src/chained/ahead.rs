//! The next tile of a block, read ahead into shared memory while the block waits for other blocks.
//!
//! Each thread copies the vectors that it will need itself, so that no barrier is between a copy and its use:
//!
//! ```text
//!   shared   row 0: thread 0 | thread 1 | …    row 1: thread 0 | thread 1 | …
//! ```

use super::kernel::{ChainedKernel, RegisterWork};
use crate::emit::{Kit, Val};
use crate::scan::transfer::ThreadPart;

/// Begins to read a tile, where the bit is set and the tile lies entirely inside the arrays.
pub fn begin<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    work: &RegisterWork<'_, 'c, 'a>,
    (number, there): (Val<'c, 'a>, Val<'c, 'a>),
) {
    let kernel = &work.kernel;
    let tile = kernel.tile;
    let place = ThreadPart::new(kit, &kernel.chain, tile, number);
    kit.when(kit.and(there, place.full), |kit| {
        for (index, source) in kernel.sources.iter().enumerate() {
            let from = source.place(kit, place.start);
            for row in 0..tile.rows {
                let from = source.after(kit, from, row * tile.row_elements());
                kit.copy_vector_in(slot(kit, work, [index as i64, row]), from, vector_bytes(kernel, index));
            }
        }
    });
    kit.commit_vectors();
}

/// The vectors of a source that a thread has read ahead.
pub fn vectors<'c: 'a, 'a>(kit: Kit<'c, 'a>, work: &RegisterWork<'_, 'c, 'a>, source: usize) -> Vec<Val<'c, 'a>> {
    let kernel = &work.kernel;
    let r#type = kernel.sources[source].element.vector_type(kernel.tile.vector);
    let one = |row| kit.load(slot(kit, work, [source as i64, row]), r#type, vector_bytes(kernel, source));
    (0..kernel.tile.rows).map(one).collect()
}

/// The address of a thread's vector.
fn slot<'c: 'a, 'a>(kit: Kit<'c, 'a>, work: &RegisterWork<'_, 'c, 'a>, [source, row]: [i64; 2]) -> Val<'c, 'a> {
    let kernel = &work.kernel;
    let bytes = vector_bytes(kernel, source as usize);
    let room = work.room(kit, work.rooms.ahead[source as usize] + row * kernel.tile.threads * bytes);
    kit.at(room, kit.wide(kit.times(kernel.chain.thread, bytes)))
}

fn vector_bytes(kernel: &ChainedKernel<'_, '_, '_>, source: usize) -> i64 {
    kernel.tile.vector * kernel.sources[source].element.bytes()
}
