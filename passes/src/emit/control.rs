//! Loops and conditions.

use melior::ir::{OperationRef, Type, ValueLike};
use tile_dialect::ir::results_of;
use tile_ops::scf;

use super::{Kit, Val};

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// Runs `body` where the condition holds; the op that decides.
    pub fn when(self, condition: Val<'c, 'a>, body: impl FnOnce(Self)) -> OperationRef<'c, 'a> {
        // An empty else block: without one, LLVM lays out the blocks differently.
        let (then, other) = (self.builder.body(&[]), self.builder.body(&[]));
        let op = scf::r#if(self.builder, condition, &[], then, other).build().operation();
        self.fill(op, 0, |kit, _| {
            body(kit);
            kit.end(&[]);
        });
        self.fill(op, 1, |kit, _| kit.end(&[]));
        op
    }

    /// The results of one of two bodies, selected by the condition.
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

    /// The same with any number of values.
    pub fn either_list(
        self,
        condition: Val<'c, 'a>,
        yes: impl FnOnce(Self) -> Vec<Val<'c, 'a>>,
        types: &[Type<'c>],
        no: impl FnOnce(Self) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let (then, other) = (self.builder.body(&[]), self.builder.body(&[]));
        let op = scf::r#if(self.builder, condition, types, then, other).build().operation();
        self.fill(op, 0, |kit, _| kit.end(&yes(kit)));
        self.fill(op, 1, |kit, _| kit.end(&no(kit)));
        results_of(op)
    }

    /// Repeats `body` while the condition that it returns holds; the values are carried from iteration to iteration.
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

    /// The same with any number of values.
    pub fn repeat_list(
        self,
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, &[Val<'c, 'a>]) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>),
    ) -> Vec<Val<'c, 'a>> {
        self.repeat_after_list(first, body, |_, values| values.to_vec())
    }

    /// The same; where the condition holds, `next` computes the values of the next iteration from those of `body`.
    pub fn repeat_after_list(
        self,
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, &[Val<'c, 'a>]) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>),
        next: impl FnOnce(Self, &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let types: Vec<_> = first.iter().map(|value| value.r#type()).collect();
        let (before, after) = (self.builder.body(&types), self.builder.body(&types));
        let op = scf::r#while(self.builder, first, &types, before, after).build().operation();
        self.fill(op, 0, |kit, arguments| {
            let (again, values) = body(kit, arguments);
            scf::condition(kit.builder, again, &values).build();
        });
        self.fill(op, 1, |kit, arguments| kit.end(&next(kit, arguments)));
        results_of(op)
    }

    /// Runs `body` for each index of `range` (from, to, step); the values are carried from iteration to iteration.
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

    /// The same with any number of values.
    pub fn count_list(
        self,
        [from, to, step]: [Val<'c, 'a>; 3],
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Self, Val<'c, 'a>, &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let types: Vec<_> = first.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> = std::iter::once(from.r#type()).chain(types.iter().copied()).collect();
        let region = self.builder.body(&arguments);
        let op = scf::r#for(self.builder, from, to, step, first, &types, region).build().operation();
        self.fill(op, 0, |kit, arguments| kit.end(&body(kit, arguments[0], &arguments[1..])));
        results_of(op)
    }

    /// Builds the body of a region of an op, then continues after the op.
    fn fill(self, op: OperationRef<'c, 'a>, region: usize, body: impl FnOnce(Self, &[Val<'c, 'a>])) {
        self.builder.fill(op, region, |arguments| body(self, arguments));
    }

    fn end(self, values: &[Val<'c, 'a>]) {
        scf::r#yield(self.builder, values).build();
    }
}
