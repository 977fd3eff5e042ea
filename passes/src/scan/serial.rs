//! The serial kernel, of one thread.

use super::kernel::ScanKernel;
use super::operator::Maybe;
use crate::emit::{Cmp, Kit, Special, Val};

/// The body of the kernel: the first thread of the grid scans everything.
pub fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>) {
    let block = kit.is(Cmp::Eq, kit.special(Special::Block), 0);
    let alone = kit.and(block, kit.is(Cmp::Eq, kernel.thread, 0));
    kit.when(alone, |kit| {
        let first = kernel.beginning(kit);
        kit.count([kit.i64(0), kernel.n, kit.i64(1)], [first.value], |kit, index, [sum]| {
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
    let element = kernel.element();
    let alignment = kernel.lone_alignment();
    let loaded = kit.load_constant(kernel.source.element(kit, index), element.vector_type(1), alignment);
    let item = element.unpack(kit, loaded, 1)[0];
    let inclusive = kernel.operator.after(kit, sum, item);
    let result = if kernel.exclusive { sum.value } else { inclusive };
    kit.store(element.pack(kit, &[result]), kernel.dest.element(kit, index), alignment);
    inclusive
}
