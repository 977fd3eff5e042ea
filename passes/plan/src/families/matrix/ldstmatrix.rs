//! Matrices of 8 rows of 16 bytes between shared memory and the registers of warps.

use crate::families::matrix::fit::Fit;
use tile_isa::matrix::{LANE_BITS, ROW_LANES};
use tile_layout::counted;

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::matrix::plan::MatrixCopy;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::registers::register_order;
use crate::sides::require::{full_scope, unconverted};
use crate::target::{Target, engine};
use tile_isa::{Scope, Space};

/// `ldmatrix` and `stmatrix`.
///
/// ```text
///   a matrix in shared memory          in registers, lane = 4*i + j
///     row 0:  8 elements, 16 bytes       plain: lane holds (i, 2j) and (i, 2j+1)
///     row 1:  at +row_stride             .trans: lane holds (2j, i) and (2j+1, i)
/// ```
///
/// Lane `l` passes the address of row `l mod 8` of matrix `l / 8`. Rows of 16 bytes or of 4 words are moved in the same way, but not
/// transposed: lane holds bytes 4j to 4j+3 of row i, or word j.
pub(crate) struct LdStMatrix;

const ABOUT: About =
    About::new("ldstmatrix", 10, PlanKind::Matrix, "shared memory and fragments of matrices in the registers of warps")
        .on(&engine::LDMATRIX);

impl Variant for LdStMatrix {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Matrix)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<MatrixCopy, Refusal> {
    let load = direction(problem)?;
    unconverted(problem)?;
    check_element_and_chip(problem, target, load)?;
    check_copy(problem)?;
    let threads = full_scope(problem)?;
    let local = if load { Role::Dst } else { Role::Src };
    let held = i64::from(LANE_BITS / problem.element.bits);
    check_swizzle(problem, local.other(), ROW_LANES * held)?;
    let warp = target.subgroup();
    if threads % warp != 0 {
        let reason = format!("got {}, not whole warps; needed a multiple of {warp}", counted(threads, "thread"));
        return Err(Refusal::new("threads-not-whole-warps", reason));
    }
    let order = register_order(problem, local, threads)?;
    let fit = Fit::of(&order, local, held)?;
    fit.check_rows(&order.memory, local.other())?;
    Ok(fit.into_copy(order, load, threads))
}

/// Whether the copy is a load.
fn direction(problem: &Problem) -> Result<bool, Refusal> {
    let load = match problem.spaces()? {
        (Space::Shared, Space::Local) => true,
        (Space::Local, Space::Shared) => false,
        (src, dst) => {
            let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: local <-> shared");
            return Err(Refusal::new("unsupported-spaces", reason));
        }
    };
    if problem.threads.scope == Scope::Thread {
        return Err(Refusal::new("scope-has-no-warps", "ldmatrix and stmatrix need a whole warp; got thread scope"));
    }
    Ok(load)
}

fn check_element_and_chip(problem: &Problem, target: &Target, load: bool) -> Result<(), Refusal> {
    let element = &problem.element;
    if ![8, 16, LANE_BITS].contains(&element.bits) {
        let reason = format!("element {} has {}; needed 8, 16 or 32", element.name, counted(element.bits, "bit"));
        return Err(Refusal::new("element-not-of-matrix", reason));
    }
    if load {
        engine::LDMATRIX.check(target, "ldmatrix needs")
    } else {
        engine::STMATRIX.check(target, "stmatrix needs")
    }
}

fn check_swizzle(problem: &Problem, shared: Role, row: i64) -> Result<(), Refusal> {
    match problem.operand(shared)?.layout.swizzle {
        Some(swizzle) if swizzle.len != 0 && swizzle.chunk() < row => {
            let chunk = swizzle.chunk();
            let kept = counted(chunk, "element");
            let reason = format!("the {shared}'s swizzle keeps {kept} together; needed {row}, a matrix row");
            Err(Refusal::of(shared, "swizzle-chunk-too-small", reason))
        }
        _ => Ok(()),
    }
}
