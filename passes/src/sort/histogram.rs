//! The kernel that counts all digits of all keys, and clears the counts of tiles.

use tile_dialect::ops::ScanElement;
use tile_plan::scan::tile::VECTOR_BYTES;
use tile_plan::sort::{COUNT_BYTES, DIGITS, HISTOGRAM_THREADS, ROW_BYTES};

use super::kernel::{SortElements, SortKernel};
use crate::emit::{Cmp, EmittedElement, Kit, Special, Val};

/// Vectors that a thread loads together.
const LOADS: i64 = 4;

/// The body of the kernel; the first `HISTOGRAM_THREADS * blocks` threads of the grid share out all work.
pub fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: SortKernel<'_, 'c, 'a>, given: SortElements<'c, 'a>) {
    let (copies, counts) = (kernel.plan.histogram.copies, kernel.plan.passes * DIGITS);
    let threads = kit.i32(HISTOGRAM_THREADS);
    let zero = kit.i32(counts * copies * COUNT_BYTES / VECTOR_BYTES);
    kit.count([kernel.thread, zero, threads], [], |kit, index, []| {
        clear(kit, kit.at(kernel.shared, kit.times(index, VECTOR_BYTES)));
        []
    });
    let first = kit.add(kit.times(kit.special(Special::Block), HISTOGRAM_THREADS), kernel.thread);
    let stride = kit.times(kit.special(Special::Blocks), HISTOGRAM_THREADS);
    let rows = kit.times(kernel.tiles(kit), ROW_BYTES / VECTOR_BYTES);
    let row = kernel.row(kit, kit.i32(0));
    kit.count([first, rows, stride], [], |kit, index, []| {
        clear(kit, kit.at(row, kit.times(kit.wide(index), VECTOR_BYTES)));
        []
    });
    kit.block_barrier();
    count_keys(kit, &kernel, &given, [first, stride]);
    kit.block_barrier();
    let totals = kernel.totals(kit, false);
    kit.count([kernel.thread, kit.i32(counts), threads], [], |kit, index, []| {
        let counted = (0..copies).map(|copy| {
            // Each lane begins with another copy: they are in other banks.
            let copy = kit.mask(kit.plus(kernel.lane, copy), copies - 1);
            let place = kit.at(kernel.shared, kit.times(kit.add(kit.times(index, copies), copy), COUNT_BYTES));
            kit.load(place, kit.int_type(32), COUNT_BYTES)
        });
        let sum = counted.reduce(|sum, count| kit.add(sum, count)).expect("there is a copy");
        kit.when(kit.is(Cmp::Ne, sum, 0), |kit| {
            kit.fetch_add(kit.at(totals, kit.wide(kit.times(index, COUNT_BYTES))), sum);
        });
        []
    });
}

/// Writes 16 zero bytes.
fn clear<'c: 'a, 'a>(kit: Kit<'c, 'a>, place: Val<'c, 'a>) {
    let word = EmittedElement(ScanElement::new(kit.int_type(32)).expect("an integer is a number"));
    kit.store(word.pack(kit, &[kit.i32(0); 4]), place, VECTOR_BYTES);
}

/// Counts the digits of all keys in shared memory.
fn count_keys<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &SortKernel<'_, 'c, 'a>,
    given: &SortElements<'c, 'a>,
    [first, stride]: [Val<'c, 'a>; 2],
) {
    let (vector, order) = (kernel.plan.histogram.vector, kernel.order);
    let element = EmittedElement(ScanElement::new(kit.int_type(order.bits)).expect("an integer is a number"));
    let vectors = kit.over(kernel.n, vector);
    let load = |kit: Kit<'c, 'a>, index| {
        let place = given.keys.place(kit, kit.times(index, vector));
        kit.load_constant(place, element.vector_type(vector), vector * given.keys.bytes)
    };
    let count = |kit: Kit<'c, 'a>, loaded| {
        for bits in element.unpack(kit, loaded, vector) {
            count_key(kit, kernel, given.key(kit, order, bits));
        }
    };
    let together = kit.sub(vectors, kit.times(stride, LOADS - 1));
    let [next] = kit.count([first, together, kit.times(stride, LOADS)], [first], |kit, index, [_]| {
        let places: Vec<_> = (0..LOADS).map(|load| kit.add(index, kit.times(stride, load))).collect();
        let loaded: Vec<_> = places.into_iter().map(|place| load(kit, place)).collect();
        loaded.into_iter().for_each(|loaded| count(kit, loaded));
        [kit.add(index, kit.times(stride, LOADS))]
    });
    kit.count([next, vectors, stride], [], |kit, index, []| {
        count(kit, load(kit, index));
        []
    });
    // What is left is less than a vector.
    let index = kit.add(kit.times(vectors, vector), first);
    kit.when(kit.cmp(Cmp::Slt, index, kernel.n), |kit| {
        count_key(kit, kernel, given.read_key(kit, order, given.keys.place(kit, index)));
    });
}

/// Adds 1 for each digit of an ordered key, in the lane's copy.
fn count_key<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &SortKernel<'_, 'c, 'a>, key: Val<'c, 'a>) {
    let copies = kernel.plan.histogram.copies;
    let copy = kit.times(kit.mask(kernel.lane, copies - 1), COUNT_BYTES);
    for digit in 0..kernel.plan.passes {
        let bytes = kit.times(kernel.order.digit(kit, key, digit), copies * COUNT_BYTES);
        let counts = kernel.room(kit, digit * DIGITS * copies * COUNT_BYTES);
        kit.fetch_add(kit.at(counts, kit.add(bytes, copy)), kit.i32(1));
    }
}
