//! The sum of what a group has collected.

use super::group::Group;
use crate::emit::{Cmp, Kit, Val};
use crate::scan::lookback::fold_lanes;
use crate::scan::operator::Maybe;

impl<'c: 'a, 'a> Group<'_, '_, 'c, 'a> {
    /// The sum of all tiles, in every lane.
    pub fn fold(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        if self.block.kernel.operator.commutes() {
            self.fold_lanes_first(kit, values)
        } else {
            self.fold_words(kit, values)
        }
    }

    /// Each lane's sum, then that of the lanes.
    fn fold_lanes_first(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let kernel = self.block.kernel;
        let later = values.iter().enumerate().skip(1);
        let own = later.fold(values[0], |sum, (word, &value)| {
            let is_there = kit.cmp(Cmp::Slt, kit.plus(kernel.lane, self.right_of(word)), self.count);
            kernel.operator.after(kit, Maybe::where_set(value, is_there), sum)
        });
        fold_lanes(kit, kernel, own, self.count)
    }

    /// The sum of each word's tiles from left to right, then that of the words.
    fn fold_words(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let kernel = self.block.kernel;
        let sums = values.iter().enumerate().map(|(word, &value)| {
            let count = kit.plus(self.count, -self.right_of(word));
            Maybe::where_set(fold_lanes(kit, kernel, value, count), kit.is(Cmp::Sgt, count, 0))
        });
        // There is a tile in the rightmost word.
        let folded = sums.reduce(|right, left| Maybe::always(kernel.operator.after(kit, left, right.value)));
        folded.expect("there are words").value
    }
}
