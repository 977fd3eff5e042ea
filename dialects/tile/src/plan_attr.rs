//! `#tile.plan`: an attribute that owns a plan of the planner.

use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use melior::ir::{Attribute, AttributeLike};
use rustc_hash::FxHasher;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::role::Role;
use tile_plan::text;

use crate::context::Ctx;
use crate::guard;
use crate::layout_text::{Mistake, printable};
use crate::shim;

/// A `#tile.plan` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanAttr<'c>(Attribute<'c>);

impl<'c> PlanAttr<'c> {
    /// The attribute of a plan; `None` for a plan that no op carries, because it becomes several copies.
    pub fn new(context: Ctx<'c>, plan: CopyPlan) -> Option<Self> {
        plan.carried()?;
        let plan = Arc::into_raw(Arc::new(plan)).cast::<c_void>();
        // SAFETY: C++ takes over the reference; the attribute is one of the context.
        Some(PlanAttr(unsafe { Attribute::from_raw(shim::tilePlanAttrGet(context.to_raw(), plan)) }))
    }

    /// The plan of an attribute, which owns it as long as the context lives; `None` for another attribute.
    pub fn plan(attribute: Attribute<'c>) -> Option<&'c CopyPlan> {
        // SAFETY: the attribute is alive; C++ returns null or the plan that the attribute owns.
        unsafe { shim::tilePlanAttrGetPlan(attribute.to_raw()).cast::<CopyPlan>().as_ref() }
    }

    /// As a plain attribute.
    pub fn as_attribute(self) -> Attribute<'c> {
        self.0
    }
}

/// The plan that a text describes, as a reference for C++ to take over.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(text: &[u8]) -> Result<*const c_void, Mistake> {
    let plan = guard::quiet(|| CopyPlan::from_text(&printable(text)));
    match plan {
        Ok(Ok(plan)) => Ok(Arc::into_raw(Arc::new(plan)).cast()),
        Ok(Err(mistake)) => Err(Mistake { at: mistake.at(), text: mistake.text }),
        Err(panicked) => Err(Mistake { at: 0, text: panicked.into() }),
    }
}

/// The text of a plan.
///
/// # Safety
/// C++ passes a plan of an attribute.
pub(crate) unsafe fn write(plan: *const c_void) -> Result<String, text::Mistake> {
    // SAFETY: by the function's own contract.
    unsafe { &*plan.cast::<CopyPlan>() }.to_text()
}

/// # Safety
/// As for [`write`].
pub(crate) unsafe fn retain(plan: *const c_void) {
    // SAFETY: by the function's own contract; every plan is in an `Arc`.
    unsafe { Arc::increment_strong_count(plan.cast::<CopyPlan>()) }
}

/// # Safety
/// As for [`write`]; the caller gives up a reference.
pub(crate) unsafe fn release(plan: *const c_void) {
    // SAFETY: by the function's own contract; every plan is in an `Arc`.
    unsafe { Arc::decrement_strong_count(plan.cast::<CopyPlan>()) }
}

/// # Safety
/// As for [`write`].
pub(crate) unsafe fn are_equal(plan: *const c_void, other: *const c_void) -> bool {
    // SAFETY: by the function's own contract.
    unsafe { *plan.cast::<CopyPlan>() == *other.cast::<CopyPlan>() }
}

/// Whether accesses of the plan may be in flight after the op that carries it.
///
/// # Safety
/// As for [`write`].
pub(crate) unsafe fn is_asynchronous(plan: *const c_void) -> bool {
    // SAFETY: by the function's own contract.
    let plan = unsafe { &*plan.cast::<CopyPlan>() };
    plan.carried().is_some_and(|carried| carried.is_asynchronous())
}

/// Whether the plan writes the buffer at that place.
///
/// # Safety
/// As for [`write`].
pub(crate) unsafe fn writes(plan: *const c_void, place: usize) -> bool {
    // SAFETY: by the function's own contract.
    let plan = unsafe { &*plan.cast::<CopyPlan>() };
    plan.carried().is_some_and(|carried| carried.roles().get(place) == Some(&Role::Dst))
}

/// # Safety
/// As for [`write`].
pub(crate) unsafe fn hash(plan: *const c_void) -> usize {
    let mut hasher = FxHasher::default();
    // SAFETY: by the function's own contract.
    unsafe { &*plan.cast::<CopyPlan>() }.hash(&mut hasher);
    hasher.finish() as usize
}
