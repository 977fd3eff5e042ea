//! `tcgen05_ldst`: fragments, windows, repeats, and each refusal beside a case that is just accepted.

mod regions;
mod shapes;

use crate::common::build::{
    F16, F32, F64, U8, chip, copy, declined_on, issued, laid_out, only, part, planned_on, thread, warp, warpgroup,
};
use crate::common::oracle::Values;
use tile_isa::{Scope, Space, TmemShape};
use tile_layout::{Axis, Eval};
use tile_plan::address::{access_address, access_register};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;

fn tmem(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Tmem, shape, layout)
}

fn local(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Local, shape, layout)
}

fn between(src: Operand, dst: Operand, bits: u32) -> Problem {
    issued(&copy(src, dst, bits, warpgroup()), Completion::Caller, |_| {})
}

/// All lanes, `columns` elements of each: a thread has a lane.
fn lanes(columns: i64, bits: u32) -> Problem {
    let dst = local(&[128, columns], &format!("(128, {columns}) : (1@tid_in_wg, 1)"));
    between(tmem(&[128, columns], &format!("(128, {columns}) : (1@TLane, 1@TCol)")), dst, bits)
}

/// Datapath F: 64 rows, 16 in the lanes of each warp.
fn rows_64(columns: i64) -> Operand {
    tmem(&[64, columns], &format!("(4, 16, {columns}) : (32@TLane, 1@TLane, 1@TCol)"))
}

fn back(problem: &Problem) -> Problem {
    problem
        .clone()
        .with_operand(Role::Src, problem.operand(Role::Dst).unwrap().clone())
        .with_operand(Role::Dst, problem.operand(Role::Src).unwrap().clone())
}

fn access_with(problem: &Problem, values: &Values) -> TmemAccess {
    match planned_on(problem, values, "sm_100a") {
        CopyPlan::TmemAccess(access) => access,
        other => panic!("no tmem access: {other:?}"),
    }
}

/// Shape, repeats and instructions, the same for the load and for the store.
fn both(problem: &Problem) -> (&'static str, i64, i64) {
    let access = access_with(problem, &Values::default());
    let store = access_with(&back(problem), &Values::default());
    assert!(access.load && !store.load);
    assert_eq!((store.shape, store.num, store.instructions()), (access.shape, access.num, access.instructions()));
    (access.shape.name(), access.num, access.instructions())
}

fn refused(problem: &Problem, cause: &str, operand: Option<Role>, reason: &str) {
    let decline = declined_on(problem, "tcgen05_ldst", "sm_100a");
    assert_eq!((decline.cause, decline.operand), (cause, operand), "{}", decline.reason);
    assert!(decline.reason.contains(reason), "{}", decline.reason);
}

#[test]
fn every_place_is_written_once() {
    let places =
        |layout: &str| between(lanes(4, F32).operand(Role::Src).unwrap().clone(), local(&[128, 4], layout), F32);
    assert_eq!(both(&places("(128, 2, 2) : (1@tid_in_wg, 3, 1)")), ("32x32b", 2, 2));
    refused(&places("(128, 2, 2) : (1@tid_in_wg, 1, 1)"), "destination-overlaps", Some(Role::Dst), "several elements");
    let over = |layout: &str| back(&lanes(4, F32).with_operand(Role::Src, tmem(&[128, 4], layout)));
    access_with(&over("(128, 2, 2) : (1@TLane, 3@TCol, 1@TCol)"), &Values::default());
    refused(
        &over("(128, 2, 2) : (1@TLane, 1@TCol, 1@TCol)"),
        "destination-overlaps",
        Some(Role::Dst),
        "several elements",
    );
}

/// A column that several registers receive is read once for each.
#[test]
fn instructions_are_written_out() {
    let same = |count: i64| {
        let src = tmem(&[128, count], &format!("(128, {count}) : (1@TLane, 0@TCol)"));
        between(src, local(&[128, count], &format!("(128, {count}) : (1@tid_in_wg, 1)")), F32)
    };
    assert_eq!(access_with(&same(3), &Values::default()).instructions(), 3);
    let Ok((CopyPlan::TmemAccess(access), _)) = select(&same(2048), &chip("sm_100a")) else { panic!("no plan") };
    assert_eq!((access.num, access.instructions(), access.verify()), (1, 2048, Ok(())));
    refused(&same(2049), "too-many-instructions", None, "would issue 2049 instructions; needed 2048 at most");
}

#[test]
fn stages_written_by_hand_are_checked() {
    let access = access_with(&lanes(48, F32), &Values::default());
    assert_eq!(access.verify(), Ok(()));
    let bad = |change: &dyn Fn(&mut TmemAccess)| {
        let mut access = access.clone();
        change(&mut access);
        let refusal = access.verify().unwrap_err();
        assert_eq!(refusal.cause, "malformed-tmem-access");
        refusal.reason
    };
    assert!(bad(&|access| access.num = 3).contains("got num 3, expected a power of two from 1 to 128"));
    assert!(bad(&|access| access.num = 8).contains("one instruction moves 1024"));
    assert!(bad(&|access| access.shape = TmemShape::Lanes16Bits64).contains("no fragment of 16x64b"));
    assert!(bad(&|access| access.element_bits = 12).contains("12 bits"));
    assert!(bad(&|access| access.instruction_iters = 9).contains("got instruction_iters 9, expected at most 3"));
    assert!(bad(&|access| access.registers.layout.shard[0].stride = i64::MAX).contains("got address "));
    assert!(bad(&|access| access.registers.layout.shard[0].extent = 2).contains("[2]"));
    assert!(bad(&|access| access.registers.layout.shard[0].axis = Axis::TidInWg).contains("numbered by threads"));
    assert!(bad(&|access| access.registers.space = Space::Shared).contains("needed local"));
    assert!(bad(&|access| access.tmem.layout.shard[0].axis = Axis::TLane).contains("needed multiples of 32"));
    assert!(bad(&|access| access.tmem.layout.shard[2].stride = 2).contains("no fragment of 32x32b"));
    let narrow = access_with(&lanes(8, F16), &Values::default());
    let offset = TmemAccess { registers: side_from(&narrow, 1), ..narrow.clone() };
    assert!(offset.verify().unwrap_err().reason.contains("begin at bit 16; needed multiples of 32"));
}

fn side_from(access: &TmemAccess, begin: i64) -> tile_plan::sides::side::Side {
    let mut side = access.registers.clone();
    side.layout = side.layout.with_offset(Axis::Memory, begin);
    side
}

#[test]
fn whole_warpgroups_of_a_chip_with_tensor_memory() {
    let with = |threads| Problem { threads, ..lanes(4, F32) };
    for threads in [thread(), warp(), Threads::all(Scope::Cta, Some(256))] {
        let reason = format!("needed warpgroup scope, or a block of 128 threads; got {}", threads.scope);
        refused(&with(threads), "scope-not-warpgroup", None, &reason);
    }
    assert_eq!(both(&with(Threads::all(Scope::Warpgroup, Some(256)))), ("32x32b", 4, 1));
    assert_eq!(both(&with(Threads::all(Scope::Cta, Some(128)))), ("32x32b", 4, 1));
    let second = only(Threads::all(Scope::Warpgroup, Some(256)), |thread| thread >= 128);
    assert_eq!(both(&with(second)), ("32x32b", 4, 1));
    let few = only(warpgroup(), |thread| thread < 96);
    refused(&with(few), "not-all-threads-active", None, "wid_in_wg narrowed to [0, 3) vs full [0, 4)");
    let decline = declined_on(&lanes(4, F32), "tcgen05_ldst", "sm_100");
    assert_eq!(decline.cause, "chip-lacks-tcgen05");
}

#[test]
fn other_memories_and_requests() {
    let shared = lanes(4, F32)
        .with_operand(Role::Src, Operand { space: Space::Shared, ..lanes(4, F32).operand(Role::Src).unwrap().clone() });
    refused(&shared, "unsupported-spaces", None, "src=shared dst=local; allowed: tmem <-> local");
    let asking = |completion, ask: &dyn Fn(&mut Asynchronous)| issued(&lanes(4, F32), completion, ask);
    refused(&asking(Completion::Barrier, &|_| {}), "request-not-supported", None, "requests mbarrier; allowed: none");
    let group = asking(Completion::Caller, &|ask| ask.cta_group = Some(2));
    refused(&group, "request-not-supported", None, "requests cta_group");
    let swizzled = back(&lanes(4, F32))
        .with_operand(Role::Src, local(&[4], "(4) : (1), swizzle<base = 0, bits = 1, shift = 1>"))
        .with_operand(Role::Dst, tmem(&[4], "(4) : (1@TCol)"));
    refused(&swizzled, "swizzled-registers", Some(Role::Src), "a swizzled register buffer");
}

#[test]
fn what_does_not_fit_tensor_memory() {
    assert_eq!(both(&lanes(512, F32)), ("32x32b", 128, 4));
    refused(&lanes(513, F32), "columns-exceeded", Some(Role::Src), "takes 513 columns of 32 bits");
    let many = lanes(4, F32).with_operand(Role::Src, tmem(&[128, 4], "(128, 4) : (2@TLane, 1@TCol)"));
    refused(&many, "lanes-exceeded", Some(Role::Src), "reaches lane 254");
}

#[test]
fn sides_without_common_digits() {
    let src = tmem(&[128, 6], "(128, 2, 3) : (1@TLane, 8@TCol, 1@TCol)");
    let dst = |digits: &str| local(&[128, 6], &format!("(128, {digits}) : (1@tid_in_wg, 8, 1)"));
    assert_eq!(both(&between(src.clone(), dst("2, 3"), F32)), ("32x32b", 1, 6));
    refused(&between(src, dst("3, 2"), F32), "no-common-refinement", None, "no common refinement");
    let whole = tmem(&[128, 12], "(128, 3, 4) : (1@TLane, 8@TCol, 1@TCol)");
    let cut = between(part(whole, &[(0, 128), (3, 6)]), lanes(6, F32).operand(Role::Dst).unwrap().clone(), F32);
    refused(&cut, "region-not-sliceable", Some(Role::Src), "");
}
