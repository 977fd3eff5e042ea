//! A plan in IR: the `tile.planned_copy` that carries it, with the run-time values to which it refers.

use melior::ir::{OperationRef, Value};
use tile_dialect::PlanAttr;
use tile_dialect::ops::{CopyOp, Operand};
use tile_ops::{Builder, constant, tile};
use tile_plan::families::carried::{Carried, CarriedClauses};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{ValueList, ValueUse};

use crate::read::mask;
use crate::read::problem::values;
use crate::read::root::root;
use crate::read::run_time::RunTime;

/// One side of a copy that is planned.
pub(super) enum PlannedSide<'o, 'c, 'a> {
    /// An operand of the copy.
    Operand(&'o Operand<'c, 'a>),
    /// Another buffer, with its run-time values by their numbers in the problem.
    Buffer { buffer: Value<'c, 'a>, values: Vec<RunTime<'c, 'a>> },
}

/// Makes a `tile.planned_copy` in place of a copy, after which it is erased; `None` for a plan that no op carries.
pub(super) fn carry<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: CopyPlan,
) -> Option<OperationRef<'c, 'a>> {
    let operands = copy.sides()?;
    let sides = operands.iter().map(|(role, operand)| (*role, PlannedSide::Operand(operand))).collect();
    carry_between(builder, copy, sides, plan)
}

/// Makes a `tile.planned_copy` with any buffers, and with the other properties of a copy.
pub(super) fn carry_between<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    mut sides: Vec<(Role, PlannedSide<'_, 'c, 'a>)>,
    mut plan: CopyPlan,
) -> Option<OperationRef<'c, 'a>> {
    let used = Used::number(plan.carried_mut()?);
    let (mut buffers, mut all, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for role in plan.carried()?.roles() {
        let place = sides.iter().position(|side| side.0 == role)?;
        let (buffer, values) = side(builder, sides.swap_remove(place).1, (role, used.of(ValueList::Of(role))))?;
        buffers.push(buffer);
        counts.push(i64::try_from(values.len()).ok()?);
        all.extend(values);
    }
    let numbers = used.of(ValueList::Mask);
    let mask_values = if numbers.is_empty() { Vec::new() } else { mask::values(&mask::bounds(copy)) };
    let mask_values = pick(builder, &mask_values, numbers)?;
    let carried = plan.carried()?;
    let given = CarriedClauses {
        barrier: copy.barrier().is_some(),
        remote_cta: copy.remote_cta().is_some(),
        cta_mask: copy.cta_mask().is_some(),
        predicate: copy.predicate().is_some(),
    };
    let completes = carried.check_clauses(given).is_ok();
    let fills = carried.effect() == Effect::Filled || carried.mask().is_some_and(|mask| mask.fill.is_some());
    let maps = if plan.tensor_maps().next().is_none() { Vec::new() } else { copy.maps() };
    let until = copy.until().filter(|_| !maps.is_empty());
    let (rows, filter) = if maps.is_empty() { Default::default() } else { (copy.rows(), copy.filter()) };
    let filler = copy.filler().filter(|_| fills).map(|filler| constant::filler(builder, filler));
    let plan = PlanAttr::new(builder.context, plan)?.as_attribute();
    let op =
        tile::planned_copy(builder, &buffers, &all, &mask_values, &maps, &rows, &filter, &counts, copy.scope(), plan);
    let op = op.predicate(copy.predicate()).zero_fill(copy.zero_fills()).filler(filler);
    let op = op.barrier(copy.barrier().filter(|_| completes)).remote_cta(copy.remote_cta().filter(|_| completes));
    let op = op.cta_mask(copy.cta_mask().filter(|_| completes)).until(until);
    Some(op.build().operation())
}

/// The values that a plan uses of each list, by their numbers in the problem.
#[derive(Default)]
struct Used(Vec<(ValueList, Vec<usize>)>);

impl Used {
    /// Numbers the values of a plan in the order in which it uses them.
    fn number(plan: &mut dyn Carried) -> Self {
        let mut used = Used::default();
        plan.each_value(&mut |ValueUse { list, index, .. }| {
            let place = used.0.iter().position(|entry| entry.0 == list).unwrap_or_else(|| {
                used.0.push((list, Vec::new()));
                used.0.len() - 1
            });
            let numbers = &mut used.0[place].1;
            let known = numbers.iter().position(|number| number == index);
            numbers.extend(known.is_none().then_some(*index));
            *index = known.unwrap_or(numbers.len() - 1);
        });
        used
    }

    fn of(&self, list: ValueList) -> &[usize] {
        self.0.iter().find(|entry| entry.0 == list).map_or(&[], |(_, numbers)| numbers)
    }
}

/// The root of a side's buffer, and those of its run-time values that the plan uses.
fn side<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    side: PlannedSide<'_, 'c, 'a>,
    (role, used): (Role, &[usize]),
) -> Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
    let (buffer, values) = match side {
        PlannedSide::Operand(operand) if used.is_empty() => (root(operand.value), Vec::new()),
        // Reading the copy has already succeeded once.
        PlannedSide::Operand(operand) => values(operand, role).ok()?,
        PlannedSide::Buffer { buffer, values } => (buffer, values),
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
