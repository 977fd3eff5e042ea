//! The places of a warp's keys among those of the warp with the same digit.
//!
//! ```text
//!   lane            0  1  2  3      one row of keys
//!   digit           7  2  7  7
//!   lanes alike     1101            of lane 3: eight ballots, one for each bit, inverted where the lane's own bit is clear
//!   rank            0  0  1  2      those below the lane, and the count of rows before; the last lane writes the new count
//! ```

use tile_isa::WARP;

use super::kernel::SortKernel;
use crate::emit::{Cmp, Kit, Val};

/// A digit's bits.
const BITS: i64 = 8;

/// Small numbers, several in a word.
pub struct Packed<'c, 'a> {
    words: Vec<Val<'c, 'a>>,
    bits: usize,
}

impl<'c: 'a, 'a> Packed<'c, 'a> {
    /// Numbers of up to 8 or 16 bits.
    pub fn new(kit: Kit<'c, 'a>, numbers: &[Val<'c, 'a>], bits: usize) -> Self {
        let shifted = |(index, &number): (usize, &Val<'c, 'a>)| match index {
            0 => number,
            _ => kit.shl(number, (index * bits) as i64),
        };
        let join = |word: &[Val<'c, 'a>]| word.iter().enumerate().map(shifted).reduce(|a, b| kit.or(a, b));
        // Or LLVM keeps the numbers themselves.
        Packed { words: numbers.chunks(32 / bits).filter_map(join).map(|word| kit.opaque(word)).collect(), bits }
    }

    /// One of them, i32.
    pub fn get(&self, kit: Kit<'c, 'a>, index: usize) -> Val<'c, 'a> {
        let (word, place) = (index * self.bits / 32, index * self.bits % 32);
        kit.mask(kit.shr(self.words[word], place as i64), (1 << self.bits) - 1)
    }
}

/// Ranks the thread's keys, row by row, by a digit; afterwards the warp's counts are those of all its keys. `counts` is where they
/// are in shared memory, 2 bytes for each digit, zero before.
pub fn ranks<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &SortKernel<'_, 'c, 'a>,
    (keys, digit): (&[Val<'c, 'a>], i64),
    counts: Val<'c, 'a>,
) -> Packed<'c, 'a> {
    let below = kit.pure_assembly("mov.u32 $0, %lanemask_lt;", "=r", &[], kit.int_type(32));
    let above = kit.pure_assembly("mov.u32 $0, %lanemask_gt;", "=r", &[], kit.int_type(32));
    let rank = |&key: &Val<'c, 'a>| {
        let (word, bit) = kernel.order.digit_word(kit, key, digit);
        let alike: Vec<_> = (0..BITS).map(|index| alike(kit, word, bit + index)).collect();
        let most = alike[1..7].chunks(2).fold(alike[0], |mask, pair| all(kit, [mask, pair[0], pair[1]]));
        let before = all(kit, [most, alike[7], below]);
        // ptxas 13.0 crashes on sm_90 where one `lop3` more has a result that is compared with 0.
        let after = kit.and(kit.and(most, alike[7]), above);
        let place = kit.at(counts, kit.times(kernel.order.digit(kit, key, digit), 2));
        let counted = kit.zero_extended(kit.load(place, kit.int_type(16), 2), 32);
        let rank = kit.add(counted, kit.bits_set(before));
        kit.warp_barrier();
        kit.when(kit.is(Cmp::Eq, after, 0), |kit| kit.store(kit.truncated(kit.plus(rank, 1), 16), place, 2));
        kit.warp_barrier();
        rank
    };
    let ranks: Vec<_> = keys.iter().map(rank).collect();
    Packed::new(kit, &ranks, 16)
}

/// The lanes whose word has the same bit as the lane's. `match.any.sync` for a whole digit takes several times as long as eight of these.
fn alike<'c: 'a, 'a>(kit: Kit<'c, 'a>, word: Val<'c, 'a>, bit: i64) -> Val<'c, 'a> {
    let text = format!(
        "{{ .reg .pred %p; .reg .b32 %t; and.b32 %t, $1, {}; setp.ne.u32 %p, %t, 0; \
         vote.sync.ballot.b32 $0, %p, 0xffffffff; @!%p not.b32 $0, $0; }}",
        1_u32 << bit
    );
    kit.assembly_value(&text, "=r,r", &[word], kit.int_type(32))
}

/// The bits that are set in all words, by one instruction: ptxas does not fuse them behind an inversion.
fn all<'c: 'a, 'a>(kit: Kit<'c, 'a>, words: [Val<'c, 'a>; 3]) -> Val<'c, 'a> {
    kit.pure_assembly("lop3.b32 $0, $1, $2, $3, 0x80;", "=r,r,r,r", &words, kit.int_type(32))
}

/// The sum of a number over the lanes up to the lane.
pub fn warp_scan<'c: 'a, 'a>(kit: Kit<'c, 'a>, lane: Val<'c, 'a>, number: Val<'c, 'a>) -> Val<'c, 'a> {
    let distances =
        std::iter::successors(Some(1), |distance| Some(distance * 2)).take_while(|&distance| distance < WARP);
    distances.fold(number, |sum, distance| {
        let left = kit.shuffle_up(sum, kit.i32(distance));
        kit.select(kit.is(Cmp::Sge, lane, distance), kit.add(sum, left), sum)
    })
}
