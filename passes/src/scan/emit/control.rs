//! Loops and conditions.

use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Block, BlockLike, OperationRef, Region, RegionLike, Type, Value, ValueLike};
use tile_dialect::ir::Parts;

use super::{Kit, Val};
use crate::build::result_of;

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// Runs `body` where the condition holds.
    pub fn when(self, condition: Val<'c, 'a>, body: impl FnOnce(Self)) {
        let op = self.structured("scf.if", &[condition], &[], &[&[], &[]]);
        self.fill(op, 0, |kit, _| {
            body(kit);
            kit.end("scf.yield", &[]);
        });
        self.fill(op, 1, |kit, _| kit.end("scf.yield", &[]));
    }

    /// What one of two bodies makes.
    pub fn either<const N: usize>(
        self,
        condition: Val<'c, 'a>,
        yes: impl FnOnce(Self) -> [Val<'c, 'a>; N],
        types: [Type<'c>; N],
        no: impl FnOnce(Self) -> [Val<'c, 'a>; N],
    ) -> [Val<'c, 'a>; N] {
        let made = self.either_list(condition, |kit| yes(kit).to_vec(), &types, |kit| no(kit).to_vec());
        std::array::from_fn(|index| made[index])
    }

    /// The same for any number of values.
    pub fn either_list(
        self,
        condition: Val<'c, 'a>,
        yes: impl FnOnce(Self) -> Vec<Val<'c, 'a>>,
        types: &[Type<'c>],
        no: impl FnOnce(Self) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let op = self.structured("scf.if", &[condition], types, &[&[], &[]]);
        self.fill(op, 0, |kit, _| kit.end("scf.yield", &yes(kit)));
        self.fill(op, 1, |kit, _| kit.end("scf.yield", &no(kit)));
        results(op)
    }

    /// Repeats `body` while the condition that it gives holds; values go from round to round.
    pub fn repeat<const N: usize>(
        self,
        first: [Val<'c, 'a>; N],
        body: impl FnOnce(Self, [Val<'c, 'a>; N]) -> (Val<'c, 'a>, [Val<'c, 'a>; N]),
    ) -> [Val<'c, 'a>; N] {
        let made = self.repeat_list(&first, |kit, values| {
            let (again, next) = body(kit, std::array::from_fn(|index| values[index]));
            (again, next.to_vec())
        });
        std::array::from_fn(|index| made[index])
    }

    /// The same for any number of values.
    pub fn repeat_list(
        self,
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, &[Val<'c, 'a>]) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>),
    ) -> Vec<Val<'c, 'a>> {
        self.repeat_after_list(first, body, |_, values| values.to_vec())
    }

    /// The same; where the condition holds, `next` makes of the values those of the next round.
    pub fn repeat_after_list(
        self,
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, &[Val<'c, 'a>]) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>),
        next: impl FnOnce(Self, &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let types: Vec<_> = first.iter().map(|value| value.r#type()).collect();
        let op = self.structured("scf.while", first, &types, &[&types, &types]);
        self.fill(op, 0, |kit, arguments| {
            let (again, values) = body(kit, arguments);
            let operands: Vec<_> = std::iter::once(again).chain(values).collect();
            kit.end("scf.condition", &operands);
        });
        self.fill(op, 1, |kit, arguments| kit.end("scf.yield", &next(kit, arguments)));
        results(op)
    }

    /// Runs `body` for `index` from `from` below `to` in steps; values go from round to round.
    pub fn count<const N: usize>(
        self,
        range: [Val<'c, 'a>; 3],
        first: [Val<'c, 'a>; N],
        body: impl FnOnce(Self, Val<'c, 'a>, [Val<'c, 'a>; N]) -> [Val<'c, 'a>; N],
    ) -> [Val<'c, 'a>; N] {
        let made = self.count_list(range, &first, |kit, index, values| {
            body(kit, index, std::array::from_fn(|index| values[index])).to_vec()
        });
        std::array::from_fn(|index| made[index])
    }

    /// The same for any number of values.
    pub fn count_list(
        self,
        [from, to, step]: [Val<'c, 'a>; 3],
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, Val<'c, 'a>, &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let types: Vec<_> = first.iter().map(|value| value.r#type()).collect();
        let operands: Vec<_> = [from, to, step].into_iter().chain(first.iter().copied()).collect();
        let arguments: Vec<_> = std::iter::once(from.r#type()).chain(types.iter().copied()).collect();
        let op = self.structured("scf.for", &operands, &types, &[&arguments]);
        self.fill(op, 0, |kit, arguments| kit.end("scf.yield", &body(kit, arguments[0], &arguments[1..])));
        results(op)
    }

    fn structured(
        self,
        name: &str,
        operands: &[Val<'c, 'a>],
        results: &[Type<'c>],
        blocks: &[&[Type<'c>]],
    ) -> OperationRef<'c, 'a> {
        let regions: Vec<Region<'c>> = blocks
            .iter()
            .map(|arguments| {
                let arguments: Vec<_> = arguments.iter().map(|&ty| (ty, self.builder.location)).collect();
                let region = Region::new();
                region.append_block(Block::new(&arguments));
                region
            })
            .collect();
        let builder = OperationBuilder::new(name, self.builder.location).add_operands(operands).add_results(results);
        self.builder.insert(builder.add_regions_vec(regions), &[])
    }

    /// Makes the body of a region of an op, and goes on after the op.
    fn fill(self, op: OperationRef<'c, 'a>, region: usize, body: impl FnOnce(Self, &[Val<'c, 'a>])) {
        let block = op.region_at(region).and_then(|region| region.first_block()).expect("the region has a block");
        let arguments: Vec<_> =
            (0..block.argument_count()).filter_map(|index| Some(Value::from(block.argument(index).ok()?))).collect();
        self.builder.rewriter.set_insertion_point_to_end(block);
        body(self, &arguments);
        self.builder.rewriter.set_insertion_point_after(op);
    }

    fn end(self, name: &str, operands: &[Val<'c, 'a>]) {
        self.builder.op(name, operands, &[], &[]);
    }
}

fn results<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Val<'c, 'a>> {
    (0..op.result_count()).map(|index| result_of(op, index)).collect()
}
