//! The serial kernel, of one thread.

use super::kernel::ScanKernel;
use super::operator::Maybe;
use crate::emit::{Cmp, Kit, Special, Val};

/// The body of the kernel: the first thread of the grid scans everything.
pub fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>) {
    let block = kit.is(Cmp::Eq, kit.special(Special::Block), 0);
    let alone = kit.and(block, kit.is(Cmp::Eq, kernel.chain.thread, 0));
    kit.when(alone, |kit| {
        let first = kernel.chain.beginning(kit);
        kit.count([kit.i64(0), kernel.chain.n, kit.i64(1)], [first.value], |kit, index, [sum]| {
            let there = first.there.map(|_| kit.is(Cmp::Sgt, index, 0));
            [step(kit, kernel, index, Maybe { value: sum, there })]
        });
    });
}

/// Scans one element, and returns the sum including it.
fn step<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    index: Val<'c, 'a>,
    sum: Maybe<'c, 'a>,
) -> Val<'c, 'a> {
    let item = kernel.source.read(kit, kernel.source.place(kit, index));
    let inclusive = kernel.chain.operator.after(kit, sum, item);
    let result = if kernel.exclusive { sum.value } else { inclusive };
    kernel.dest.write(kit, kernel.dest.place(kit, index), result);
    inclusive
}
