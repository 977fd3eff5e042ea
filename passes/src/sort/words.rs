//! The counts of a tile, 256 words that blocks publish for each other.
//!
//! ```text
//!   bit 31 the parity of the pass | bit 30 of all tiles up to this one | bits 29..0 the count
//! ```
//!
//! The parity changes from pass to pass, so that the words of the last one count as missing.

use tile_dialect::ops::SortOp;
use tile_plan::scan::Wait;
use tile_plan::sort::{COUNT_BYTES, LOOKBACK_ROWS, ROW_BYTES};

use super::kernel::{SortElements, SortKernel};
use crate::emit::{Cmp, Kit, Val};

/// The flag of a count of all tiles up to one.
pub const INCLUSIVE: i64 = SortOp::LENGTH_LIMIT;
/// The flag of passes by an even digit.
const PARITY: i64 = i32::MIN as i64;
/// The bits of a count.
pub const COUNT_MASK: i64 = INCLUSIVE - 1;

/// A pass that is being written.
pub struct Pass<'p, 'c, 'a> {
    /// The kernel.
    pub kernel: SortKernel<'p, 'c, 'a>,
    /// The digit, 0 for the lowest.
    pub digit: i64,
    /// What is read.
    pub from: SortElements<'c, 'a>,
    /// What is written.
    pub to: SortElements<'c, 'a>,
}

/// A relaxed load of a count.
pub fn load<'c: 'a, 'a>(kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
    kit.assembly_value("ld.relaxed.gpu.global.b32 $0, [$1];", "=r,l,~{memory}", &[place], kit.int_type(32))
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// The bit of this pass's words.
    pub fn parity(&self) -> i64 {
        if self.digit % 2 == 0 { PARITY } else { 0 }
    }

    /// Whether a word is one of this pass.
    pub fn is_published(&self, kit: Kit<'c, 'a>, word: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.is(if self.digit % 2 == 0 { Cmp::Slt } else { Cmp::Sge }, word, 0)
    }

    /// Publishes the thread's count of a tile; `flag` is `INCLUSIVE` or 0.
    pub fn publish(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, count: Val<'c, 'a>, flag: Val<'c, 'a>) {
        let word = kit.or(kit.or(count, flag), kit.i32(self.parity()));
        kit.store_relaxed(word, self.kernel.count_of_thread(kit, tile), COUNT_BYTES);
    }

    /// The words of a tile (i32) and of those before it. Before the first tile there is padding.
    pub fn words(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
        let place = self.kernel.count_of_thread(kit, tile);
        (0..LOOKBACK_ROWS).map(|row| load(kit, kit.beyond(place, -row * ROW_BYTES))).collect()
    }

    /// Whether a thread gives up after some polls.
    pub fn gives_up(&self) -> bool {
        matches!(self.kernel.plan.wait, Wait::GiveUp { .. })
    }
}
