//! 8x8 matrices of 16-bit elements between shared memory and the registers of warps.

mod fit;

use tile_layout::counted;

use crate::check::check_copy;
use crate::plan::{Aligned, Decline, MatrixCopy, Refusal};
use crate::problem::{Problem, Scope, Space, Which};
use crate::registers::register_order;
use crate::require::full_scope;
use crate::target::Target;
use crate::variants::Variant;
use fit::Fit;

/// Elements of a matrix row: 16 bytes, which one lane addresses.
pub(super) const ROW: i64 = 8;

/// `ldmatrix` and `stmatrix`.
///
/// ```text
///   a matrix in shared memory          in registers, lane = 4*i + j
///     row 0:  8 elements, 16 bytes       plain: lane holds (i, 2j) and (i, 2j+1)
///     row 1:  at +row_stride             .trans: lane holds (2j, i) and (2j+1, i)
/// ```
///
/// Lane `l` passes the address of row `l mod 8` of matrix `l / 8`.
pub(crate) struct LdStMatrix;

impl Variant for LdStMatrix {
    fn name(&self) -> &'static str {
        "ldstmatrix"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map(Aligned::Matrix).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<MatrixCopy, Refusal> {
    let load = direction(problem)?;
    check_element_and_chip(problem, target, load)?;
    check_copy(problem)?;
    let threads = full_scope(problem)?;
    let local = if load { Which::Dst } else { Which::Src };
    if !problem.operand(local).layout.replica.is_empty() || !problem.operand(local.other()).layout.replica.is_empty() {
        return Err(Refusal::new("replicated", "an operand has a replica; needed none"));
    }
    check_swizzle(problem, local.other())?;
    if threads % 32 != 0 {
        let reason = format!("got {}, not whole warps; needed a multiple of 32", counted(threads, "thread"));
        return Err(Refusal::new("threads-not-whole-warps", reason));
    }
    let order = register_order(problem, local, threads)?;
    let fit = Fit::of(&order, local)?;
    fit.check_rows(&order.memory, local.other())?;
    Ok(fit.into_copy(order, load, threads))
}

/// Is it a load?
fn direction(problem: &Problem) -> Result<bool, Refusal> {
    let load = match (problem.src.space, problem.dst.space) {
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
    if element.bits != 16 {
        let reason = format!("element {} has {}; needed 16", element.name, counted(element.bits, "bit"));
        return Err(Refusal::new("element-not-16-bit", reason));
    }
    if load && !target.has_ldmatrix() {
        return Err(Refusal::new("chip-lacks-ldmatrix", format!("ldmatrix needs sm_75 or later; got {target}")));
    }
    if !load && !target.has_stmatrix() {
        return Err(Refusal::new("chip-lacks-stmatrix", format!("stmatrix needs sm_90 or later; got {target}")));
    }
    Ok(())
}

fn check_swizzle(problem: &Problem, shared: Which) -> Result<(), Refusal> {
    match problem.operand(shared).layout.swizzle {
        Some(swizzle) if swizzle.len != 0 && swizzle.chunk() < ROW => {
            let chunk = swizzle.chunk();
            let kept = counted(chunk, "element");
            let reason = format!("the {shared}'s swizzle keeps {kept} together; needed {ROW}, a matrix row");
            Err(Refusal::of(shared, "swizzle-chunk-too-small", reason))
        }
        _ => Ok(()),
    }
}
