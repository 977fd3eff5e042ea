//! The functions that C++ calls (`cpp/Bridge.h`). None of them unwinds.

mod ops;

use std::ffi::c_void;

use melior::ir::{Location, Type, TypeLike};
use mlir_sys::{MlirLocation, MlirStringRef, MlirType};
use tile_layout::Axis;

use crate::buffer::{BufferType, Space};
use crate::error::{VerifyError, mismatch};
use crate::fragment;
use crate::guard;
use crate::layout_attr::{self, LayoutParts};
use crate::layout_text::{self, Mistake};
use crate::plan_attr;
use crate::schedule;
use crate::shim::{
    LayoutCallback, LayoutRef, MistakeCallback, PlanCallback, ScheduleRef, StringCallback, bytes, string_ref,
};
use crate::tensor_map;
use crate::verify;

#[unsafe(no_mangle)]
extern "C" fn tileAxisCode(name: MlirStringRef, say: StringCallback, user_data: *mut c_void) -> i64 {
    // SAFETY: C++ passes a valid string.
    let name = String::from_utf8_lossy(unsafe { bytes(name) });
    let mut code = -1;
    report(say, user_data, || {
        code = name.parse::<Axis>()?.code();
        Ok(())
    });
    code
}

#[unsafe(no_mangle)]
extern "C" fn tileLayoutParse(
    text: MlirStringRef,
    accept: LayoutCallback,
    refuse: MistakeCallback,
    user_data: *mut c_void,
) {
    // SAFETY: C++ passes a valid string.
    let outcome = layout_text::read(unsafe { bytes(text) });
    // SAFETY: the callbacks take the lists and the string during the call.
    match outcome {
        Ok(parts) => unsafe { accept(parts.as_ref(), user_data) },
        Err(Mistake { at, text }) => unsafe { refuse(at as isize, string_ref(&text), user_data) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileLayoutPrint(layout: LayoutRef, put: StringCallback, user_data: *mut c_void) {
    // SAFETY: C++ passes the attribute's own lists, and the callback takes the string during the call.
    unsafe { layout_text::write(layout, put, user_data) }
}

#[unsafe(no_mangle)]
extern "C" fn tileLayoutVerify(layout: LayoutRef, say: StringCallback, user_data: *mut c_void) -> bool {
    // SAFETY: C++ passes the attribute's own lists.
    report(say, user_data, || verify::layout(unsafe { layout_attr::read(layout) }))
}

#[unsafe(no_mangle)]
extern "C" fn tileFragmentParse(
    text: MlirStringRef,
    accept: StringCallback,
    refuse: MistakeCallback,
    user_data: *mut c_void,
) {
    // SAFETY: C++ passes a valid string.
    let outcome = fragment::read(unsafe { bytes(text) });
    // SAFETY: the callbacks take the string during the call.
    match outcome {
        Ok(name) => unsafe { accept(string_ref(&name), user_data) },
        Err(Mistake { at, text }) => unsafe { refuse(at as isize, string_ref(&text), user_data) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileFragmentVerify(name: MlirStringRef, say: StringCallback, user_data: *mut c_void) -> bool {
    // SAFETY: C++ passes a valid string.
    report(say, user_data, || fragment::check_name(unsafe { bytes(name) }))
}

#[unsafe(no_mangle)]
extern "C" fn tileScheduleVerify(schedule: *const ScheduleRef, say: StringCallback, user_data: *mut c_void) -> bool {
    // SAFETY: C++ passes the attribute's own fields.
    report(say, user_data, || Ok(schedule::read(unsafe { &*schedule }).map(drop)?))
}

#[unsafe(no_mangle)]
extern "C" fn tileFragmentLayout(
    name: MlirStringRef,
    shape: *const i64,
    rank: isize,
    element_bits: u32,
    space: i32,
    accept: LayoutCallback,
    say: StringCallback,
    user_data: *mut c_void,
) {
    report(say, user_data, || {
        // SAFETY: C++ passes a valid string, and the list that it has parsed.
        let (name, shape) = unsafe { (bytes(name), layout_attr::slice(shape, rank)) };
        let space = Space::from_code(i64::from(space))
            .ok_or_else(|| mismatch!("space {space}"; expected "global, shared, local or tmem"))?;
        let parts = LayoutParts::of(&fragment::layout(name, shape, element_bits, space)?);
        // SAFETY: the callback takes the lists during the call.
        unsafe { accept(parts.as_ref(), user_data) };
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanRetain(plan: *const c_void) {
    // SAFETY: C++ passes a plan that it has a reference to.
    unsafe { plan_attr::retain(plan) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanRelease(plan: *const c_void) {
    // SAFETY: C++ passes a plan whose reference it gives up.
    unsafe { plan_attr::release(plan) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanEqual(plan: *const c_void, other: *const c_void) -> bool {
    // SAFETY: C++ passes plans that it has references to.
    unsafe { plan_attr::are_equal(plan, other) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanHash(plan: *const c_void) -> usize {
    // SAFETY: C++ passes a plan that it has a reference to.
    unsafe { plan_attr::hash(plan) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanIsAsynchronous(plan: *const c_void) -> bool {
    // SAFETY: C++ passes a plan that it has a reference to.
    unsafe { plan_attr::is_asynchronous(plan) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanWrites(plan: *const c_void, place: usize) -> bool {
    // SAFETY: C++ passes a plan that it has a reference to.
    unsafe { plan_attr::writes(plan, place) }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanParse(
    text: MlirStringRef,
    accept: PlanCallback,
    refuse: MistakeCallback,
    user_data: *mut c_void,
) {
    // SAFETY: C++ passes a valid string.
    let outcome = plan_attr::read(unsafe { bytes(text) });
    // SAFETY: the callbacks take the reference to the plan, or the string during the call.
    match outcome {
        Ok(plan) => unsafe { accept(plan, user_data) },
        Err(Mistake { at, text }) => unsafe { refuse(at as isize, string_ref(&text), user_data) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanPrint(plan: *const c_void, put: StringCallback, user_data: *mut c_void) {
    // SAFETY: C++ passes a plan that it has a reference to.
    let written = guard::quiet(|| unsafe { plan_attr::write(plan) });
    debug_assert!(matches!(written, Ok(Ok(_))), "{written:?}");
    if let Ok(Ok(text)) = written {
        // SAFETY: the callback takes the string during the call.
        unsafe { put(string_ref(&text), user_data) }
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileTensorMapParse(
    text: MlirStringRef,
    accept: StringCallback,
    refuse: MistakeCallback,
    user_data: *mut c_void,
) {
    // SAFETY: C++ passes a valid string.
    let outcome = tensor_map::read(unsafe { bytes(text) });
    // SAFETY: the callbacks take the string during the call.
    match outcome {
        Ok(fields) => unsafe { accept(string_ref(&fields), user_data) },
        Err(Mistake { at, text }) => unsafe { refuse(at as isize, string_ref(&text), user_data) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileStrideCount(layout: LayoutRef) -> isize {
    // SAFETY: C++ passes the attribute's own lists.
    unsafe { layout_attr::read(layout) }.map_or(0, |layout| layout.stride_count() as isize)
}

#[unsafe(no_mangle)]
extern "C" fn tileRowMajor(
    shape: *const i64,
    rank: isize,
    shard: *mut i64,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    report(say, user_data, || {
        // SAFETY: C++ passes the list that it has parsed.
        let layout = verify::row_major(unsafe { layout_attr::slice(shape, rank) })?;
        let numbers = layout_attr::flat(&layout.shard);
        // SAFETY: C++ has made room for three numbers per dimension, and the shard has an iter per dimension.
        unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), shard, numbers.len()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileBufferVerify(
    shape: *const i64,
    rank: isize,
    space: i32,
    layout: LayoutRef,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes the type's own lists.
    report(say, user_data, || unsafe {
        verify::buffer(layout_attr::slice(shape, rank), space, layout_attr::read(layout))
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileIsPart(
    source: MlirType,
    begins: *const i64,
    sizes: *const i64,
    rank: isize,
    result: MlirType,
) -> bool {
    // SAFETY: C++ passes types that are alive, and lists of `rank` numbers.
    let (source, begins, sizes, result) = unsafe {
        (
            BufferType::from_type(Type::from_raw(source)),
            layout_attr::slice(begins, rank),
            layout_attr::slice(sizes, rank),
            BufferType::from_type(Type::from_raw(result)),
        )
    };
    let is_part = || source.zip(result).is_some_and(|(source, result)| verify::is_part(source, begins, sizes, result));
    guard::quiet(is_part).unwrap_or(false)
}

#[unsafe(no_mangle)]
extern "C" fn tilePartType(
    location: MlirLocation,
    source: MlirType,
    begins: *const i64,
    sizes: *const i64,
    rank: isize,
    say: StringCallback,
    user_data: *mut c_void,
) -> MlirType {
    // SAFETY: C++ passes a location and a type that are alive, and lists of `rank` numbers.
    let (location, source) = unsafe { (Location::from_raw(location), Type::from_raw(source)) };
    // SAFETY: as above.
    let (begins, sizes) = unsafe { (layout_attr::slice(begins, rank), layout_attr::slice(sizes, rank)) };
    inferred(say, user_data, || Ok(verify::part_type(location, tile(source)?, begins, sizes)?.as_type()))
}

#[unsafe(no_mangle)]
extern "C" fn tilePermutedType(
    location: MlirLocation,
    source: MlirType,
    order: *const i64,
    rank: isize,
    say: StringCallback,
    user_data: *mut c_void,
) -> MlirType {
    // SAFETY: as above.
    let (location, source, order) =
        unsafe { (Location::from_raw(location), Type::from_raw(source), layout_attr::slice(order, rank)) };
    inferred(say, user_data, || Ok(verify::permuted_type(location, tile(source)?, order)?.as_type()))
}

#[unsafe(no_mangle)]
extern "C" fn tileRegistersType(source: MlirType, say: StringCallback, user_data: *mut c_void) -> MlirType {
    // SAFETY: C++ passes a type that is alive.
    let source = unsafe { Type::from_raw(source) };
    inferred(say, user_data, || Ok(tile(source)?.registers_type()))
}

#[unsafe(no_mangle)]
extern "C" fn tileViewType(
    location: MlirLocation,
    source: MlirType,
    say: StringCallback,
    user_data: *mut c_void,
) -> MlirType {
    // SAFETY: C++ passes a type that is alive.
    let (location, source) = unsafe { (Location::from_raw(location), Type::from_raw(source)) };
    inferred(say, user_data, || Ok(verify::view_type(location, source)?.as_type()))
}

#[unsafe(no_mangle)]
extern "C" fn tileUnwrittenLayout(buffer: MlirType, say: StringCallback, user_data: *mut c_void) {
    // SAFETY: C++ passes a type that is alive, and the callback takes the string during the call.
    let buffer = BufferType::from_type(unsafe { Type::from_raw(buffer) });
    let text = guard::quiet(|| buffer.map(verify::unwritten).unwrap_or_default()).unwrap_or_default();
    // SAFETY: as above.
    unsafe { say(string_ref(&text), user_data) };
}

fn tile(r#type: Type<'_>) -> Result<BufferType<'_>, VerifyError> {
    BufferType::from_type(r#type).ok_or_else(|| mismatch!("{type}"; expected "a tile.buffer"))
}

/// The type of a result; null, after the reason, where there is none.
fn inferred<'c>(
    say: StringCallback,
    user_data: *mut c_void,
    infer: impl FnOnce() -> Result<Type<'c>, VerifyError>,
) -> MlirType {
    let mut result_type = MlirType { ptr: std::ptr::null() };
    report(say, user_data, || {
        result_type = infer()?.to_raw();
        Ok(())
    });
    result_type
}

#[unsafe(no_mangle)]
extern "C" fn tileMayCast(source: MlirType, result: MlirType) -> bool {
    // SAFETY: C++ passes types that are alive.
    let [source, result] = [source, result].map(|raw| unsafe { BufferType::from_type(Type::from_raw(raw)) });
    let may_cast = || source.zip(result).is_some_and(|(source, result)| verify::may_cast(source, result));
    guard::quiet(may_cast).unwrap_or(false)
}

fn report(say: StringCallback, user_data: *mut c_void, verify: impl FnOnce() -> Result<(), VerifyError>) -> bool {
    let outcome = guard::quiet(verify).unwrap_or_else(|panicked| Err(panicked.into()));
    let Err(reason) = outcome else { return true };
    // SAFETY: the callback takes the string during the call.
    unsafe { say(string_ref(&reason.to_string()), user_data) };
    false
}
