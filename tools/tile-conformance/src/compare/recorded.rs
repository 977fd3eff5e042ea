//! Compares the plan with the recording.

use tile_isa::Space;
use tile_layout::{Eval, counted};
use tile_plan::address;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::scalar::plan::{Owner, ScalarCopy};
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::problem::role::Role;

use super::{Mismatch, REFUSED, issued, ptx};
use crate::case::{Case, Expect, Sample};
use crate::lower::LoweredPlan;

/// Whether the plan may differ from the recording. Recordings have the same number of vectors for all threads of the
/// scope, or one thread that does everything, or a refusal.
pub(super) fn shares_otherwise(expect: &Expect, plan: &LoweredPlan) -> bool {
    let one_thread = expect.variant.as_deref() == Some("fallback");
    matches!(plan, LoweredPlan::One(CopyPlan::Vectors(copy)) if one_thread || !copy.is_even() || copy.ranks.is_some())
}

/// Checks that a plan with other shares than recorded takes fewer rounds.
fn fewer_rounds(expect: &Expect, plan: &LoweredPlan) -> Vec<Mismatch> {
    match (plan, expect.rounds) {
        (LoweredPlan::One(CopyPlan::Vectors(copy)), Some(recorded)) if copy.rounds >= recorded => {
            vec![Mismatch::new("rounds of other shares", copy.rounds, format!("fewer than {recorded}"))]
        }
        _ => Vec::new(),
    }
}

/// All differences from the recording.
pub(super) fn compare(case: &Case, expect: &Expect, plan: &LoweredPlan, program: &str) -> Vec<Mismatch> {
    if shares_otherwise(expect, plan) {
        return fewer_rounds(expect, plan);
    }
    let Some(variant) = &expect.variant else {
        return vec![Mismatch::new("variant", plan.variant(), REFUSED)];
    };
    let mut mismatches = Vec::new();
    if plan.variant() != variant {
        mismatches.push(Mismatch::new("variant", plan.variant(), variant));
        // The numbers of different variants are not comparable.
        return mismatches;
    }
    numbers(expect, plan, &mut mismatches);
    if let Some(wanted) = &expect.guards {
        guards(wanted, plan, &mut mismatches);
    }
    for sample in &expect.samples {
        addresses(case, *sample, plan, &mut mismatches);
    }
    if let Some(tiles) = &expect.tiles {
        mismatches.extend(issued::tiles(tiles, plan));
    }
    // The instructions of an asynchronous copy are counted when it is executed.
    for (instruction, count) in expect.ptx.iter().filter(|_| case.issue.is_none()) {
        ptx::compare(case, instruction, *count, program, &mut mismatches);
    }
    mismatches
}

/// One line about a plan: `gmem_smem, 8 rounds of 128 bits`.
pub(super) fn describe(plan: &LoweredPlan) -> String {
    let variant = plan.variant();
    match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) if copy.exchange > 1 => {
            let (rounds, bits, lanes) = (counted(copy.rounds, "round"), copy.vector_bits(), copy.exchange);
            format!("{variant}, {rounds} of {bits} bits, exchanged among {lanes} lanes")
        }
        LoweredPlan::One(CopyPlan::Vectors(copy)) => {
            let (rounds, bits) = (counted(copy.rounds, "round"), copy.vector_bits());
            let sharers = copy.ranks.iter().map(|_| format!(", by {}", counted(copy.threads, "thread")));
            let last = (!copy.is_even()).then(|| format!(", {} in the last", counted(copy.last(), "thread")));
            format!("{variant}, {rounds} of {bits} bits{}", sharers.chain(last).collect::<String>())
        }
        LoweredPlan::Parts(parts) => format!("{variant}, {}", counted(parts.len(), "part")),
        LoweredPlan::One(CopyPlan::Matrix(copy)) => format!("{variant}, {} {}", copy.steps(), copy.instruction()),
        LoweredPlan::One(CopyPlan::Scalar(copy)) => {
            format!("{variant}, {} by {}", counted(elements(copy), "element"), owner(&copy.owner))
        }
        LoweredPlan::One(CopyPlan::TmemCopy(copy)) => format!("{variant}, {} {}", copy.tiles(), copy.instruction()),
        LoweredPlan::One(CopyPlan::TmemAccess(access)) => {
            format!("{variant}, {} {}", access.instructions(), access.instruction())
        }
        LoweredPlan::One(CopyPlan::Bulk(copy)) => {
            format!("{variant}, {} of {} bytes", counted(copy.chunks(), "chunk"), copy.chunk_bytes())
        }
        LoweredPlan::One(CopyPlan::Realigned(copy)) => {
            format!("{variant}, {} and {}", counted(copy.rows(), "row"), counted(copy.chunk_rounds(), "chunk"))
        }
        LoweredPlan::One(CopyPlan::RealignedLoads(copy)) => {
            format!("{variant}, {} of {} bits", counted(copy.vectors.rounds, "round"), copy.vectors.vector_bits())
        }
        LoweredPlan::One(CopyPlan::Registers(copy)) => {
            format!("{variant}, {}", counted(copy.registers(Role::Dst).len() as i64, "register"))
        }
        LoweredPlan::One(_) => variant.to_owned(),
        LoweredPlan::Chain(plans) => {
            let plans: Vec<String> = plans.iter().map(describe).collect();
            format!("{variant}, {}", plans.join(", then "))
        }
    }
}

/// What one access of a thread moves.
pub(super) fn access(plan: &LoweredPlan) -> String {
    match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) => format!("{} bits", copy.vector_bits()),
        LoweredPlan::Parts(parts) => {
            format!("{} bits at most", parts.iter().map(VectorCopy::vector_bits).max().unwrap_or(0))
        }
        LoweredPlan::One(CopyPlan::Matrix(copy)) => {
            let noun = if copy.num == 1 { "matrix" } else { "matrices" };
            format!("{} {noun}{}", copy.num, if copy.trans { ", transposed" } else { "" })
        }
        LoweredPlan::One(CopyPlan::Scalar(_)) => "1 element".to_owned(),
        LoweredPlan::One(CopyPlan::TmemCopy(copy)) => format!("{} rows", copy.form.rows()),
        LoweredPlan::One(CopyPlan::TmemAccess(access)) => format!("{} x 32 bits", access.words()),
        LoweredPlan::One(CopyPlan::Bulk(_) | CopyPlan::Realigned(_)) => "1 chunk".to_owned(),
        LoweredPlan::One(CopyPlan::Registers(_)) => "words of 32 bits".to_owned(),
        LoweredPlan::One(other) => other.variant().to_owned(),
        LoweredPlan::Chain(plans) => format!("{} copies", plans.len()),
    }
}

fn owner(owner: &Owner) -> String {
    match owner {
        Owner::Everyone => "every thread".to_owned(),
        Owner::ScopeThread(thread) => format!("thread {thread} of the scope"),
        Owner::BlockThreads(threads) => format!("threads {threads:?} of the block"),
        Owner::Distributed(_) => "their owners".to_owned(),
    }
}

fn elements(copy: &ScalarCopy) -> i64 {
    copy.extents.iter().product()
}

/// Compares rounds and widths. Other plans have no rounds: their instructions are counted in the program.
fn numbers(expect: &Expect, plan: &LoweredPlan, mismatches: &mut Vec<Mismatch>) {
    let (rounds, bits, vector) = match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) => (Some(copy.rounds), Some(copy.vector_bits()), Some(copy.vector)),
        LoweredPlan::One(CopyPlan::Scalar(copy)) => (Some(elements(copy)), None, None),
        _ => (None, None, None),
    };
    for (what, got, wanted) in [
        ("rounds", rounds, expect.rounds),
        ("vec_bits", bits, expect.vec_bits),
        ("vec_elems", vector, expect.vec_elems),
    ] {
        let Some(wanted) = wanted else { continue };
        if got != Some(wanted) {
            mismatches.push(Mismatch::new(what, got.map_or_else(|| "none".to_owned(), |got| got.to_string()), wanted));
        }
    }
}

/// Compares the threads that are elected to copy.
fn guards(wanted: &[i64], plan: &LoweredPlan, mismatches: &mut Vec<Mismatch>) {
    let elected = match plan {
        LoweredPlan::One(CopyPlan::Scalar(ScalarCopy { owner: Owner::ScopeThread(thread), .. })) => vec![*thread],
        LoweredPlan::One(CopyPlan::Scalar(ScalarCopy { owner: Owner::BlockThreads(threads), .. })) => threads.clone(),
        _ => Vec::new(),
    };
    if elected != wanted {
        mismatches.push(Mismatch::new("elected threads", format!("{elected:?}"), format!("{wanted:?}")));
    }
}

/// Compares the addresses of one vector in global and in shared memory.
fn addresses(case: &Case, sample: Sample, plan: &LoweredPlan, mismatches: &mut Vec<Mismatch>) {
    let what = format!("addresses of thread {} in round {}", sample.thread, sample.round);
    let wanted = format!("global {}, shared {}", sample.global, sample.shared);
    let got = match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) => located(case, copy, sample),
        _ => "no vectors".to_owned(),
    };
    if got != wanted {
        mismatches.push(Mismatch::new(what, got, wanted));
    }
}

fn located(case: &Case, copy: &VectorCopy, sample: Sample) -> String {
    let global = if case.src.space == Space::Global { Role::Src } else { Role::Dst };
    let at = |role| address::vector_address(&mut Eval, copy, role, sample.round, sample.thread, &[]);
    match (at(global), at(global.other())) {
        (Ok(global), Ok(shared)) => format!("global {global}, shared {shared}"),
        (Err(refusal), _) | (_, Err(refusal)) => refusal.reason,
    }
}
