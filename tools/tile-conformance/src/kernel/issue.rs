//! The code around an asynchronous copy: its operands, the threads that issue it, its completion, and the wait for
//! that.
//!
//! ```text
//!   operands    %barrier  the mbarrier, an i64 of shared memory      %pass  the predicate of this thread
//!               %own      the CTA of the cluster, %rank the other one
//!   issue       one thread for tensor memory and other CTAs, of the first CTA for a pair; otherwise every active thread
//!   complete    tcgen05.commit, cp.async.commit_group: if the copy leaves it to the caller
//!   wait        until the issued operations are complete, by each thread for itself
//! ```

use tile_isa::Space;
use tile_plan::problem::asynchronous::Completion;

use super::runtime::inside;
use super::tensor;
use super::text::{Text, constant};
use crate::case::{Case, Issue};

/// The type of an mbarrier in the text.
const POINTER: &str = "!llvm.ptr<3>";

/// The completion of an asynchronous copy, as the program sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// An mbarrier, with this number of arrivals.
    Barrier(i64),
    /// Bulk groups; with `commit`, the caller closes the last one.
    BulkGroups { commit: bool },
    /// The groups of `cp.async`; with `commit`, the caller closes the last one.
    Groups { commit: bool },
    /// `tcgen05.wait`.
    Tensor(&'static str),
    /// The copy completes synchronously.
    AtOnce,
}

fn done(case: &Case, issue: Issue) -> Done {
    match (case.src.space, case.dst.space, issue.completion) {
        (Space::Shared, Space::Tmem, _) => Done::Barrier(1),
        (Space::Tmem, ..) => Done::Tensor("load"),
        (_, Space::Tmem, _) => Done::Tensor("store"),
        _ if issue.remote => Done::Barrier(1),
        (_, Space::Shared, Completion::Barrier) if in_bulk(case) => Done::Barrier(issuers(case)),
        _ if in_bulk(case) => Done::BulkGroups { commit: issue.completion == Completion::Caller },
        (.., Completion::Barrier) => {
            Done::Barrier((0..case.block).filter(|thread| case.is_active(*thread)).count() as i64)
        }
        (Space::Global, Space::Shared, completion) => Done::Groups { commit: completion == Completion::Caller },
        (.., Completion::Group) => Done::Groups { commit: false },
        _ => Done::AtOnce,
    }
}

/// Whether it is a bulk copy between global and shared memory.
fn in_bulk(case: &Case) -> bool {
    case.forced.as_deref() == Some("bulk")
}

/// The number of threads that issue such a copy, and arrive: the first of each group that shares one.
pub(crate) fn issuers(case: &Case) -> i64 {
    let first = |thread: &i64| thread % case.threads() == 0 && case.is_active(*thread);
    (0..case.block).filter(first).count() as i64
}

/// Whether only one thread, the first of the block, issues the copy.
pub(crate) fn by_one_thread(case: &Case) -> bool {
    let to_tensor_memory = (case.src.space, case.dst.space) == (Space::Shared, Space::Tmem);
    case.issue.is_some_and(|issue| issue.remote || to_tensor_memory)
}

/// Whether the other CTA of a cluster of two takes part.
pub(crate) fn is_remote(case: &Case) -> bool {
    case.issue.is_some_and(|issue| issue.remote)
}

/// Globals of the module.
pub(crate) fn globals(module: &mut Text, case: &Case) {
    if matches!(case.issue.map(|issue| done(case, issue)), Some(Done::Barrier(_))) {
        module.line("  llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64");
    }
}

/// Defines the operands of the copy, from `%mask` (one bit per lane) and the CTA's rank.
pub(crate) fn operands(text: &mut Text, case: &Case) {
    let Some(issue) = case.issue else { return };
    if let Done::Barrier(_) = done(case, issue) {
        text.line(&format!("%barrier = llvm.mlir.addressof @barrier : {POINTER}"));
    }
    if is_remote(case) || pair(case) {
        text.line("%own = nvvm.read.ptx.sreg.cluster.ctarank : i32");
    }
    if issue.remote {
        let one = text.value("arith.constant 1 : i32");
        text.line(&format!("%rank = arith.xori %own, {one} : i32"));
    }
    if issue.predicated {
        let tid = text.value("gpu.lane_id");
        let lane = text.value(&format!("arith.index_cast {tid} : index to i32"));
        let bit = text.value(&format!("arith.shrui %mask, {lane} : i32"));
        text.line(&format!("%pass = arith.trunci {bit} : i32 to i1"));
    }
}

/// Prepares the mbarrier before the copy: thread 0 initializes it, and expects the bytes from the other CTA.
pub(crate) fn prepare(text: &mut Text, case: &Case) {
    let Some(issue) = case.issue else { return };
    let done = done(case, issue);
    if let Done::BulkGroups { .. } = done {
        shown_to_copies(text);
    }
    let Done::Barrier(arrivals) = done else { return };
    by_first(text, |text| {
        let arrivals = text.value(&format!("arith.constant {arrivals} : i32"));
        text.line(&format!("nvvm.mbarrier.init %barrier, {arrivals} : {POINTER}, i32"));
        if issue.remote {
            let bytes = case.src.elements() * i64::from(case.src.element.bits) / 8;
            let bytes = text.value(&format!("arith.constant {bytes} : i32"));
            text.line("nvvm.fence.mbarrier.init");
            text.value(&format!("nvvm.mbarrier.arrive.expect_tx %barrier, {bytes} : {POINTER}, i32 -> i64"));
        }
    });
    if pair(case) {
        text.line("nvvm.fence.mbarrier.init");
    }
    if in_bulk(case) && case.dst.space == Space::Shared {
        text.line("nvvm.fence.mbarrier.init");
    }
    if issue.remote || case.dst.space == Space::Tmem || in_bulk(case) {
        shown_to_copies(text);
    }
}

/// Makes the threads' writes to shared memory visible to asynchronous copies.
fn shown_to_copies(text: &mut Text) {
    text.line("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}");
}

/// Adds the copy, under its conditions, and the caller's commit; returns the line of the copy.
pub(crate) fn issue(text: &mut Text, case: &Case, copy: &str) -> usize {
    inside(text, case, |text| match by_one_thread(case) {
        false => text.line(copy),
        true if pair(case) => by_first_cta(text, |text| {
            by_first(text, |text| {
                let line = text.line(copy);
                let both = text.value("arith.constant 3 : i16");
                let group = tensor::group(true);
                text.line(&format!("nvvm.tcgen05.commit %barrier, multicast_mask = {both}{group} : {POINTER}, i16"));
                line
            })
        }),
        true => by_first(text, |text| {
            let line = text.line(copy);
            if case.dst.space == Space::Tmem {
                text.line(&format!("nvvm.tcgen05.commit %barrier : {POINTER}"));
            }
            line
        }),
    })
}

/// Makes each thread wait until the copy is complete.
pub(crate) fn wait(text: &mut Text, case: &Case) {
    let Some(issue) = case.issue else { return };
    match done(case, issue) {
        Done::Barrier(_) => wait_for_barrier(text),
        Done::Groups { commit } => {
            if commit {
                text.line("nvvm.cp.async.commit.group");
            }
            text.line("nvvm.cp.async.wait.group 0");
        }
        Done::BulkGroups { commit } => {
            if commit {
                text.line("nvvm.cp.async.bulk.commit.group");
            }
            text.line("nvvm.cp.async.bulk.wait_group 0");
        }
        Done::Tensor(kind) => inside(text, case, |text| {
            text.line(&format!("nvvm.tcgen05.wait <{kind}>"));
        }),
        Done::AtOnce => {}
    }
}

/// Waits until the first phase is complete.
fn wait_for_barrier(text: &mut Text) {
    let phase = text.value("arith.constant 0 : i32");
    let yes = text.value("arith.constant true");
    text.line("scf.while : () -> () {");
    let over = text.value(&format!("nvvm.mbarrier.test.wait %barrier, {phase} : {POINTER}, i32 -> i1"));
    let again = text.value(&format!("arith.xori {over}, {yes} : i1"));
    text.line(&format!("scf.condition({again})"));
    text.line("} do {");
    text.line("scf.yield");
    text.line("}");
}

/// Adds code that only the first thread of the block executes.
fn by_first<R>(text: &mut Text, body: impl FnOnce(&mut Text) -> R) -> R {
    let tid = text.value("gpu.thread_id x");
    let zero = constant(text, 0);
    let first = text.value(&format!("arith.cmpi eq, {tid}, {zero} : index"));
    text.block(&format!("scf.if {first} {{"), body)
}

/// Adds code that only the first CTA of a pair executes.
fn by_first_cta<R>(text: &mut Text, body: impl FnOnce(&mut Text) -> R) -> R {
    let zero = text.value("arith.constant 0 : i32");
    let leads = text.value(&format!("arith.cmpi eq, %own, {zero} : i32"));
    text.block(&format!("scf.if {leads} {{"), body)
}

/// The number of CTAs: those of a cluster if one copies to the other, or for both; otherwise one.
pub(crate) fn ctas(case: &Case) -> i64 {
    if is_remote(case) || pair(case) { CTAS } else { 1 }
}

/// CTAs of a cluster.
const CTAS: i64 = 2;

/// Whether the copy is for a pair of CTAs, each with its own tile.
pub(crate) fn pair(case: &Case) -> bool {
    case.options.iter().any(|(name, value)| name == "cta_group" && *value == crate::case::OptionValue::Integer(2))
}

/// The clauses of the op between its scope and its attributes: ` mbarrier(%barrier : !llvm.ptr<3>)`.
pub(crate) fn clauses(case: &Case) -> String {
    let Some(issue) = case.issue else { return String::new() };
    let completion = match issue.completion {
        Completion::Caller => String::new(),
        Completion::Group => " group".to_owned(),
        Completion::BulkGroup => " bulk_group".to_owned(),
        Completion::Barrier => format!(" mbarrier(%barrier : {POINTER})"),
    };
    let remote = if issue.remote { " remote_cta(%rank)" } else { "" };
    let predicate = if issue.predicated { " predicate(%pass)" } else { "" };
    format!("{completion}{remote}{predicate}")
}
