//! The op's regions, written out for one element.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ir::{Parts, arguments_of, defining_op, is_used};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::ChainedOp;
use tile_ops::arith;

use super::elements::{ChainedPart, Neighbour};
use super::kernel::ChainedKernel;
use crate::emit::{Cmp, Kit, Val, inlined};
use crate::scan::transfer::Items;

/// The arguments that a region takes of a thread's elements.
pub struct ElementArguments<'p, 'c, 'a> {
    part: &'p ChainedPart<'c, 'a>,
    /// For each source its elements; then, where the op has a halo, those to the left and to the right.
    lists: Vec<Items<'c, 'a>>,
}

impl<'p, 'c: 'a, 'a> ElementArguments<'p, 'c, 'a> {
    /// The arguments of `summary`.
    fn of_summary(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, part: &'p ChainedPart<'c, 'a>) -> Self {
        ElementArguments::new(kit, kernel, part, (summary(kernel), 1))
    }

    /// The arguments of `emit`.
    pub fn of_emit(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, part: &'p ChainedPart<'c, 'a>) -> Self {
        ElementArguments::new(kit, kernel, part, (emit(kernel), 1 + 2 * kernel.payload.len()))
    }

    /// The arguments of a region that has `before` others before those of the element. Neighbours are read only if the region uses
    /// them.
    fn new(
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        part: &'p ChainedPart<'c, 'a>,
        (region, before): (BlockRef<'c, 'a>, usize),
    ) -> Self {
        let sources = part.sources.len();
        let mut lists = part.sources.clone();
        if kernel.op.has_halo() {
            let arguments = arguments_of(region);
            for (index, side) in [Neighbour::Left, Neighbour::Right].into_iter().enumerate() {
                for source in 0..sources {
                    let used = arguments.get(before + (index + 1) * sources + source).copied().is_some_and(is_used);
                    lists.push(match used {
                        true => part.neighbours(kit, kernel, source, side),
                        false => part.sources[source].clone(),
                    });
                }
            }
        }
        ElementArguments { part, lists }
    }

    /// The arguments for the element at this row and place.
    fn of_element(
        &self,
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        [row, place]: [usize; 2],
    ) -> Vec<Val<'c, 'a>> {
        let mut arguments: Vec<_> = self.lists.iter().map(|list| list[row][place]).collect();
        if kernel.op.has_halo() {
            let (part, vector) = (self.part, self.lists[0][row].len());
            let local = part.position(kit, kernel, [row, place]);
            // Tiles begin with whole vectors, and a whole tile ends with one.
            let may_be = [place == 0, part.stage.is_none() || place + 1 == vector];
            let is = |(end, may_be)| if may_be { kit.cmp(Cmp::Eq, local, end) } else { kit.int(1, 0) };
            arguments.extend([part.first, part.last].into_iter().zip(may_be).map(is));
        }
        arguments
    }
}

impl<'c: 'a, 'a> ChainedPart<'c, 'a> {
    /// The place of an element in the tile, i32.
    pub fn position(
        &self,
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        [row, place]: [usize; 2],
    ) -> Val<'c, 'a> {
        kit.plus(self.local, offset(kernel, [row, place]))
    }
}

/// The distance of an element from the thread's first one.
fn offset(kernel: &ChainedKernel<'_, '_, '_>, [row, place]: [usize; 2]) -> i64 {
    row as i64 * kernel.tile.row_elements() + place as i64
}

fn summary<'c: 'a, 'a>(kernel: &ChainedKernel<'_, 'c, 'a>) -> BlockRef<'c, 'a> {
    kernel.op.summary().expect("the verifier requires it")
}

fn emit<'c: 'a, 'a>(kernel: &ChainedKernel<'_, 'c, 'a>) -> BlockRef<'c, 'a> {
    kernel.op.emit().expect("the verifier requires it")
}

/// The most that one element adds, where payloads are counts: 1, where each adds one bit.
pub fn most(op: ChainedOp<'_, '_>) -> Option<i64> {
    let end = op.summary()?.terminator()?;
    let bit = arith::ExtUIOp::cast(defining_op(end.operand_at(0)?)?)?.r#in();
    (end.operand_count() == 1 && bit_width(bit.r#type()) == Some(1)).then_some(1)
}

/// The payload of the element with this index.
fn summarized<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    (index, element): (Val<'c, 'a>, Vec<Val<'c, 'a>>),
) -> Val<'c, 'a> {
    let given = [vec![index], element, kernel.values.clone()].concat();
    kernel.element().of_numbers(kit, &inlined(kit, summary(kernel), &given))
}

/// The payloads of a thread's elements.
pub fn summaries<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    part: &ChainedPart<'c, 'a>,
) -> Items<'c, 'a> {
    let arguments = ElementArguments::of_summary(kit, kernel, part);
    let one = |at: [usize; 2]| {
        let index = kit.plus(part.place.start, offset(kernel, at));
        summarized(kit, kernel, (index, arguments.of_element(kit, kernel, at)))
    };
    let rows = part.sources[0].iter().enumerate();
    rows.map(|(row, items)| (0..items.len()).map(|place| one([row, place])).collect()).collect()
}

/// The place that each array has for the first result of a tile, in all threads: that of the tile's first element.
pub fn first_places<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    part: &ChainedPart<'c, 'a>,
    (number, before): (Val<'c, 'a>, Val<'c, 'a>),
) -> Vec<Val<'c, 'a>> {
    let index = kit.times(kit.wide(number), kernel.tile.elements());
    let read = |index| kernel.sources.iter().map(move |source| source.read(kit, source.place(kit, index)));
    let mut element: Vec<_> = read(index).collect();
    if kernel.op.has_halo() {
        let (left, right) = (kit.plus(index, -1), kit.plus(index, 1));
        element.extend(read(kit.max(left, kit.i64(0))));
        element.extend(read(kit.min(right, kit.plus(kernel.chain.n, -1))));
        element.extend([part.first, part.last].map(|end| kit.is(Cmp::Eq, end, 0)));
    }
    let summary = summarized(kit, kernel, (index, element.clone()));
    let after = kernel.chain.operator.combine(kit, before, summary);
    yielded(kit, kernel, (index, [before, after], element)).chunks_exact(3).map(|one| kit.wide(one[1])).collect()
}

/// What the region `emit` yields for the element with this index, given the payloads before it and up to it.
fn yielded<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    (index, payloads, element): (Val<'c, 'a>, [Val<'c, 'a>; 2], Vec<Val<'c, 'a>>),
) -> Vec<Val<'c, 'a>> {
    let payloads = payloads.map(|payload| kernel.numbers(kit, payload)).concat();
    inlined(kit, emit(kernel), &[vec![index], payloads, element, kernel.values.clone()].concat())
}

/// What the region `emit` yields for one element and one array.
#[derive(Clone, Copy)]
pub struct Emitted<'c, 'a> {
    /// Whether the element is kept.
    pub kept: Val<'c, 'a>,
    /// Its place, i64.
    pub place: Val<'c, 'a>,
    /// The value.
    pub value: Val<'c, 'a>,
}

impl<'c: 'a, 'a> Emitted<'c, 'a> {
    /// The place after it, i64.
    pub fn end(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        kit.add(self.place, kit.zero_extended(self.kept, 64))
    }
}

/// Writes the results of one element where they belong.
pub fn write_each<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, results: &[Emitted<'c, 'a>]) {
    for (dest, result) in kernel.dests.iter().zip(results) {
        kit.when(result.kept, |kit| dest.write(kit, dest.place(kit, result.place), result.value));
    }
}

/// What the region `emit` yields for an element, for each array.
pub fn emitted<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    arguments: &ElementArguments<'_, 'c, 'a>,
    (at, payloads): ([usize; 2], [Val<'c, 'a>; 2]),
) -> Vec<Emitted<'c, 'a>> {
    let index = kit.plus(arguments.part.place.start, offset(kernel, at));
    let part = arguments.part;
    let kept = |bit| match part.stage {
        Some(_) => bit,
        None => kit.and(kit.cmp(Cmp::Slt, part.position(kit, kernel, at), part.count), bit),
    };
    let element = arguments.of_element(kit, kernel, at);
    let results = yielded(kit, kernel, (index, payloads, element));
    let one = |result: &[Val<'c, 'a>]| Emitted { kept: kept(result[0]), place: kit.wide(result[1]), value: result[2] };
    results.chunks_exact(3).map(one).collect()
}

/// Writes the results for all elements, by one thread.
pub fn finish<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, payload: Val<'c, 'a>) {
    let Some(region) = kernel.op.finish() else { return };
    let given = [kernel.numbers(kit, payload), kernel.values.clone()].concat();
    for (total, value) in kernel.totals.iter().zip(inlined(kit, region, &given)) {
        total.write(kit, total.first, value);
    }
}
