//! `tcgen05_cp`: forms, descriptors, regions, and each refusal beside a case that is just accepted.

mod accepted;
mod refused;

use crate::common::build::{F16, F32, U8, copy, declined_on, issued, laid_out, part, planned_on, thread, warp};
use crate::common::oracle::Values;
use tile_isa::{Cache, Space, TmemForm};
use tile_layout::{Axis, Eval, Iter};
use tile_plan::address::{tensor_address, tensor_descriptor_units};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tmem::copy::{Descriptor, TmemCopy};
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;

fn shared(shape: &[i64], layout: &str) -> Operand {
    Operand { align_bytes: 1024, ..laid_out(Space::Shared, shape, layout) }
}

fn tmem(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Tmem, shape, layout)
}

fn between(src: Operand, dst: Operand, bits: u32) -> Problem {
    issued(&copy(src, dst, bits, thread()), Completion::Caller, |_| {})
}

fn asking(problem: &Problem, ask: impl Fn(&mut Asynchronous)) -> Problem {
    issued(problem, Completion::Caller, ask)
}

/// The demonstration: 32 rows of 16 bytes, to the lanes of each warp.
fn demo() -> Problem {
    let src = shared(&[32, 16], "(32, 16) : (16, 1)");
    between(src, tmem(&[32, 16], "(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)"), U8)
}

/// 32 rows of 4 atoms of `f32` under the 64-byte swizzle.
fn swizzled() -> Problem {
    let src = shared(&[32, 16], "(32, 16) : (16, 1), swizzle<base = 2, bits = 2, shift = 3>");
    between(src, tmem(&[32, 16], "(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)"), F32)
}

fn tensor_with(problem: &Problem, values: &Values) -> TmemCopy {
    match planned_on(problem, values, "sm_100a") {
        CopyPlan::TmemCopy(copy) => copy,
        other => panic!("no tmem copy: {other:?}"),
    }
}

fn tensor(problem: &Problem) -> TmemCopy {
    tensor_with(problem, &Values::default())
}

/// Units of 16 bytes and tensor-memory address of every tile.
fn tiles(copy: &TmemCopy, values: &Values) -> Vec<(i64, i64)> {
    let at = |tile| {
        let units = tensor_descriptor_units(&mut Eval, copy, tile, &values.src).unwrap();
        (units, tensor_address(&mut Eval, copy, tile, &values.dst).unwrap())
    };
    (0..copy.tiles()).map(at).collect()
}

fn decline(problem: &Problem) -> (&'static str, Option<Role>, String) {
    let decline = declined_on(problem, "tcgen05_cp", "sm_100a");
    (decline.cause, decline.operand, decline.reason)
}

fn refused(problem: &Problem, cause: &str, operand: Option<Role>, reason: &str) {
    let got = decline(problem);
    assert_eq!((got.0, got.1), (cause, operand), "{}", got.2);
    assert!(got.2.contains(reason), "{}", got.2);
}

fn fields(leading: i64, stride: i64, swizzle: i64) -> Descriptor {
    Descriptor { leading, stride, swizzle }
}
