//! A plan in IR: the `tile.planned_copy` that carries it, with the run-time values to which it refers.

use melior::ir::{OperationRef, Value};
use tile_dialect::PlanAttr;
use tile_dialect::ops::{CopyOp, Operand};
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Carried, CarriedClauses, Effect, Role, ValueList, ValueUse};

use crate::read::mask;
use crate::read::problem::values;
use crate::read::root::root;
use crate::read::run_time::RunTime;

/// One side of a copy that is planned.
pub(super) enum Side<'o, 'c, 'a> {
    /// An operand of the copy.
    Operand(&'o Operand<'c, 'a>),
    /// Another buffer, with its run-time values by their numbers in the problem.
    Buffer { buffer: Value<'c, 'a>, values: Vec<RunTime<'c, 'a>> },
}

/// Makes a `tile.planned_copy` in place of a copy, after which it is erased; `None` for a plan that no op carries.
pub(super) fn carry<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: Aligned,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = (copy.src()?, copy.dst()?);
    carry_between(builder, copy, (Side::Operand(&src), Side::Operand(&dst)), plan)
}

/// Makes a `tile.planned_copy` between any two sides, with the other properties of a copy.
pub(super) fn carry_between<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    (src, dst): (Side<'_, 'c, 'a>, Side<'_, 'c, 'a>),
    mut plan: Aligned,
) -> Option<OperationRef<'c, 'a>> {
    let used = Used::number(plan.carried_mut()?);
    let (src, src_values) = side(builder, src, (Role::Src, &used.src))?;
    let (dst, dst_values) = side(builder, dst, (Role::Dst, &used.dst))?;
    let mask_values = if used.mask.is_empty() { Vec::new() } else { mask::values(&mask::bounds(copy)) };
    let mask_values = pick(builder, &mask_values, &used.mask)?;
    let carried = plan.carried()?;
    let given = CarriedClauses {
        barrier: copy.barrier().is_some(),
        remote_cta: copy.remote_cta().is_some(),
        predicate: copy.predicate().is_some(),
    };
    let completes = carried.check_clauses(given).is_ok();
    let fills = carried.effect() == Effect::Filled || carried.mask().is_some_and(|mask| mask.fill.is_some());
    let plan = PlanAttr::new(builder.context, plan)?.as_attribute();
    let op = tile::planned_copy(builder, src, &src_values, dst, &dst_values, &mask_values, copy.scope(), plan);
    let op = op.predicate(copy.predicate()).zero_fill(copy.zero_fills()).filler(copy.filler().filter(|_| fills));
    let op = op.barrier(copy.barrier().filter(|_| completes)).remote_cta(copy.remote_cta().filter(|_| completes));
    Some(op.build().operation())
}

/// The values that a plan uses of each list, by their numbers in the problem.
#[derive(Default)]
struct Used {
    src: Vec<usize>,
    dst: Vec<usize>,
    mask: Vec<usize>,
}

impl Used {
    /// Numbers the values of a plan in the order in which it uses them.
    fn number(plan: &mut dyn Carried) -> Self {
        let mut used = Used::default();
        plan.each_value(&mut |ValueUse { list, index, .. }| {
            let list = match list {
                ValueList::Of(Role::Src) => &mut used.src,
                ValueList::Of(Role::Dst) => &mut used.dst,
                ValueList::Mask => &mut used.mask,
            };
            let known = list.iter().position(|number| number == index);
            list.extend(known.is_none().then_some(*index));
            *index = known.unwrap_or(list.len() - 1);
        });
        used
    }
}

/// The root of a side's buffer, and those of its run-time values that the plan uses.
fn side<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    side: Side<'_, 'c, 'a>,
    (role, used): (Role, &[usize]),
) -> Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
    let (buffer, values) = match side {
        Side::Operand(operand) if used.is_empty() => (root(operand.value), Vec::new()),
        // Reading the copy has already succeeded once.
        Side::Operand(operand) => values(operand, role).ok()?,
        Side::Buffer { buffer, values } => (buffer, values),
    };
    Some((buffer, pick(builder, &values, used)?))
}

fn pick<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    values: &[RunTime<'c, 'a>],
    used: &[usize],
) -> Option<Vec<Value<'c, 'a>>> {
    used.iter().map(|&number| Some(values.get(number)?.value(builder))).collect()
}
