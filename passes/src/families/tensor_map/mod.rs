//! `cp.async.bulk.tensor`: boxes of a tensor in global memory, through tensor maps.

mod expand;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ops::{CopyOp, UpdateMapOp};
use tile_dialect::{Ctx, TensorMapType};
use tile_ops::Builder;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::Family as _;
use tile_plan::families::tensor_map::{MapSwizzle, TMA, TensorMapCopy, explained};
use tile_plan::problem::Problem;
use tile_plan::target::Target;

use super::{Family, Staged, carry};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::read::values::key;
use crate::read::{root, tensor_map};
use crate::report::{self, Issued};

/// The family.
pub struct TensorMapFamily;

impl Family for TensorMapFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::TensorMap]
    }

    fn is_issued_whole(&self) -> bool {
        true
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &CopyPlan,
    ) -> Option<OperationRef<'c, 'a>> {
        let CopyPlan::TensorMap(map_plan) = plan else { return None };
        if let Err(reason) = check_maps(copy, map_plan) {
            Diagnostic::error(reason).emit(copy.0);
            return None;
        }
        if let Err(wrong) = check_tiles(copy) {
            wrong.emit(copy.0);
            return None;
        }
        carry::carry(builder, copy, plan.clone())
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::TensorMap(plan) = plan else { return };
        let Some(part) = plan.parts.first() else { return };
        let boxes: Vec<String> = part.map.dims.iter().map(|dim| dim.boxed.to_string()).collect();
        let swizzle = match part.map.swizzle {
            MapSwizzle::None => "none".to_owned(),
            mode => format!("{} bytes", mode.span().unwrap_or_default()),
        };
        let args = [("Box", boxes.join("x")), ("Swizzle", swizzle), ("Maps", plan.parts.len().to_string())];
        let instruction = plan.instruction(part);
        let (count, bytes) = (plan.instructions(), plan.bytes());
        Issued { variant: plan.variant(), count, instruction, bytes }.report(op, &args);
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::TensorMap(plan) = plan else { return Err(EmitError::Sides) };
        expand::expand(emit, staged, plan)
    }
}

/// The *missed* remark of a copy that takes several boxes, with the reason.
pub fn remark_boxes(copy: CopyOp<'_, '_>, plan: &TensorMapCopy, (problem, target): (&Problem, &Target)) {
    let count = plan.instructions();
    if count == 1 || !report::is_remark_enabled(copy.0, RemarkKind::Missed) {
        return;
    }
    let Some(request) = problem.asynchronous.as_ref().and_then(|requested| requested.tensor_map) else { return };
    let Ok((_, Some(larger))) = explained(problem, request, target) else { return };
    let mut args = vec![("Variant", TMA.to_owned()), ("Boxes", count.to_string()), ("Reason", larger.reason)];
    args.extend(larger.operand.map(|operand| ("Operand", operand.name().to_owned())));
    report::emit(copy.0, RemarkKind::Missed, larger.cause, &format!("takes {count} boxes, not one"), &args);
}

/// Checks that the maps of a copy are those of its plan.
///
/// # Errors
/// Got and expected.
fn check_maps(copy: CopyOp<'_, '_>, plan: &TensorMapCopy) -> Result<(), String> {
    let types: Vec<_> = copy.maps().into_iter().map(|map| map.r#type()).collect();
    let needed: Vec<_> = plan.parts.iter().filter_map(|part| TensorMapType::new(Ctx::of(copy.0), &part.map)).collect();
    let needed: Vec<_> = needed.into_iter().map(TensorMapType::as_type).collect();
    if types == needed {
        return Ok(());
    }
    if types.is_empty() {
        return Err("names no tensor map, expected through(…), which --tile-make-maps writes".to_owned());
    }
    let list = |types: &[melior::ir::Type<'_>]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Err(format!("goes through {}, expected the maps of its boxes: {}", list(&types), list(&needed)))
}

/// Checks that maps that the kernel has changed describe the tile that is copied.
///
/// # Errors
/// What to report at the copy.
fn check_tiles<'c>(copy: CopyOp<'c, '_>) -> Result<(), Diagnostic<'c>> {
    let Some(tensor) = tensor_map::tensor(copy).and_then(|role| copy.operand(role)) else { return Ok(()) };
    let is_other = |update: &UpdateMapOp<'c, '_>| {
        update.tile().is_some_and(|tile| key(root::root(tile)) != key(root::root(tensor.value)))
    };
    match copy.maps().into_iter().filter_map(UpdateMapOp::of).find(is_other) {
        None => Ok(()),
        Some(update) => {
            Err(Diagnostic::error("goes through the map of another tile, expected that of its tile in global memory")
                .note(update.0.location(), "the map describes another tile here"))
        }
    }
}
