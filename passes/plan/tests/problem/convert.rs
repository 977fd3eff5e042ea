//! Copies that convert: each side has the widest accesses possible, and every element arrives once.

use crate::common::build::{chip, copy, laid_out, planned_on, rows, thread, warp};
use crate::common::generate::{converting, memory_copy, private_copy, register_copy};
use crate::common::oracle::{Values, check};
use crate::common::tape::tapes;
use proptest::prelude::*;
use tile_isa::{Conversion, Space};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::variant::Variant;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;
use tile_plan::variants;

fn convert(src: Operand, dst: Operand, from: &str, to: &str) -> Problem {
    let conversion = Conversion::of(from, to, from.starts_with('i').then_some("signed")).unwrap().unwrap();
    let problem = copy(src, dst, conversion.from.bits(), warp());
    Problem { element: Element::new(conversion.from.bits(), from), conversion: Some(conversion), ..problem }
}

fn vectors(problem: &Problem) -> VectorCopy {
    let CopyPlan::Partition(copy) = planned_on(problem, &Values::default(), "sm_90a") else { panic!("no partition") };
    let plan = vectorize(&copy, &chip("sm_90a"), problem.max_vector_bits).unwrap().0;
    plan.verify().unwrap();
    plan
}

/// Elements of a vector, and for each side the accesses per vector and the bits of one.
fn shape(problem: &Problem) -> (i64, [i64; 2], [i64; 2]) {
    let plan = vectors(problem);
    (plan.vector, plan.accesses, [plan.access_bits(Role::Src), plan.access_bits(Role::Dst)])
}

fn between(from: &str, to: &str) -> Problem {
    convert(rows(Space::Global, &[32, 64]), rows(Space::Shared, &[32, 64]), from, to)
}

#[test]
fn each_side_has_whole_accesses() {
    assert_eq!(shape(&between("f32", "f16")), (8, [2, 1], [128, 128]));
    assert_eq!(shape(&between("f16", "f32")), (8, [1, 2], [128, 128]));
    assert_eq!(shape(&between("f16", "bf16")), (8, [1, 1], [128, 128]));
    assert_eq!(shape(&between("f8E4M3FN", "f32")), (16, [1, 4], [128, 128]));
    assert_eq!(shape(&between("i8", "f64")), (16, [1, 8], [128, 128]));
    let narrow = Problem { max_vector_bits: 64, ..between("f32", "f16") };
    assert_eq!(shape(&narrow), (4, [2, 1], [64, 64]));
    let narrow = Problem { max_vector_bits: 16, ..between("f64", "f16") };
    assert_eq!(shape(&narrow), (1, [1, 1], [64, 16]));
}

#[test]
fn registers_have_no_width_of_their_own() {
    let registers = || laid_out(Space::Local, &[32, 16], "(32, 16) : (1@laneid, 1)");
    let load = convert(rows(Space::Global, &[32, 16]), registers(), "f32", "f16");
    assert_eq!(shape(&load), (4, [1, 1], [128, 64]));
    let store = convert(registers(), rows(Space::Global, &[32, 16]), "f32", "f16");
    assert_eq!(shape(&store), (8, [2, 1], [128, 128]));
}

#[test]
fn lanes_exchange_what_is_in_global_memory() {
    let registers = || laid_out(Space::Local, &[32, 16], "(32, 16) : (1@laneid, 1)");
    let load = vectors(&convert(rows(Space::Global, &[32, 16]), registers(), "f32", "f16"));
    assert_eq!((load.exchange, load.shuffles()), (4, 2 * 2 * 4));
    let store = vectors(&convert(registers(), rows(Space::Global, &[32, 16]), "f32", "f16"));
    assert_eq!((store.exchange, store.shuffles()), (2, 4));
}

#[test]
fn what_narrows_one_side_leaves_the_other_as_it_is() {
    // Rows of 32-bit elements that are padded by 2 of them.
    let padded = laid_out(Space::Shared, &[32, 64], "(32, 64) : (66, 1)");
    let problem = convert(rows(Space::Global, &[32, 64]), padded.clone(), "f16", "f32");
    assert_eq!(shape(&problem), (8, [1, 4], [128, 64]));
    let problem = convert(padded, rows(Space::Global, &[32, 64]), "f32", "f16");
    assert_eq!(shape(&problem), (8, [4, 1], [64, 128]));
    // A swizzle that keeps 4 elements together: 16 bytes of f32.
    let swizzled = laid_out(Space::Shared, &[32, 64], "(32, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>");
    let problem = convert(rows(Space::Global, &[32, 64]), swizzled, "f16", "f32");
    assert_eq!(shape(&problem), (8, [1, 2], [128, 128]));
    // A begin known only to be even: 64 bits of f32, 32 bits of f16.
    let mut problem = convert(rows(Space::Global, &[32, 128]), rows(Space::Shared, &[32, 64]), "f32", "f16");
    problem.operands.get_mut(Role::Src).unwrap().begin[1] = Begin::Dynamic { value: 0, divisor: 2, residue: 0 };
    problem.operands.get_mut(Role::Src).unwrap().extent[1] = 64;
    let Ok((CopyPlan::Partition(copy), _)) = select(&problem, &chip("sm_90a")) else { panic!("no partition") };
    let (plan, narrowings) = vectorize(&copy, &chip("sm_90a"), 128).unwrap();
    assert_eq!((plan.vector, plan.accesses), (8, [4, 1]));
    assert_eq!(narrowings.last().map(|last| (last.bits, last.cause)), Some((128, "dynamic-begin-not-divisible")));
}

#[test]
fn a_forced_width_is_that_of_the_wider_elements() {
    let one = |from, to, elements| {
        let rows = |space| rows(space, &[elements]);
        let problem = Problem { threads: thread(), ..convert(rows(Space::Global), rows(Space::Shared), from, to) };
        Problem { forced: Some("vec_128b".to_owned()), ..problem }
    };
    assert_eq!(shape(&one("f32", "f16", 4)), (4, [1, 1], [128, 64]));
    assert_eq!(shape(&one("f16", "f32", 4)), (4, [1, 1], [64, 128]));
    let refused = select(&one("f32", "f16", 8), &chip("sm_90a")).unwrap_err().to_string();
    assert!(refused.contains("the region has 8 elements of 32 bits, 256 bits; needed exactly 128"), "{refused}");
}

#[test]
fn what_moves_bytes_converts_nothing() {
    let asynchronous = |space: [Space; 2], name: &str| {
        let problem = convert(rows(space[0], &[32, 16]), rows(space[1], &[32, 16]), "f32", "f16");
        let asynchronous = Some(Asynchronous::new(Completion::Caller));
        let problem = Problem { asynchronous, ..problem };
        let refusal = variants::by_name(name).unwrap().plan(&problem, &chip("sm_100a")).unwrap_err();
        (refusal.cause, refusal.reason)
    };
    for (space, name) in [
        ([Space::Global, Space::Shared], "ldgsts"),
        ([Space::Global, Space::Shared], "bulk"),
        ([Space::Shared, Space::Shared], "dsmem"),
    ] {
        let (cause, reason) = asynchronous(space, name);
        assert_eq!(cause, "converts-elements", "{name}");
        assert!(reason.starts_with("the source has elements of type f32, the destination of type f16; needed"));
    }
    let registers = laid_out(Space::Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let problem = convert(rows(Space::Shared, &[8, 8]), registers, "f16", "bf16");
    let refusal = variants::by_name("ldstmatrix").unwrap().plan(&problem, &chip("sm_90a")).unwrap_err();
    assert_eq!(refusal.cause, "converts-elements");
}

/// A third-party variant that ignores conversions: it plans a copy of unconverted elements.
struct Forgetful;

impl Variant for Forgetful {
    fn about(&self) -> &variants::About {
        variants::by_name("gmem_smem").unwrap().about()
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let same = Problem { conversion: None, ..problem.clone() };
        variants::by_name("gmem_smem").unwrap().plan(&same, target)
    }
}

#[test]
fn a_variant_that_forgets_the_conversion_declines() {
    let refusal = variants::ask(&Forgetful, &between("f32", "f16"), &chip("sm_90a")).unwrap_err();
    assert_eq!((refusal.cause, refusal.variant), ("converts-elements", "gmem_smem"));
    let same = copy(rows(Space::Global, &[32, 64]), rows(Space::Shared, &[32, 64]), 16, warp());
    assert!(variants::ask(&Forgetful, &same, &chip("sm_90a")).is_ok());
}

#[test]
fn floats_of_8_bits_need_their_instructions() {
    let problem = between("f32", "f8E4M3FN");
    let refused = select(&problem, &chip("sm_80")).unwrap_err().to_string();
    let reason = "a conversion from f32 to f8E4M3FN needs sm_89 or later, with PTX 8.1 or later; got sm_80";
    assert!(refused.contains(&format!("gmem_smem declined: {reason}")), "{refused}");
    assert!(refused.contains(&format!("fallback declined: {reason}")), "{refused}");
}

#[test]
fn a_conversion_begins_at_the_elements_of_the_source() {
    let problem = Problem { element: Element::new(16, "bf16"), ..between("f16", "f32") };
    let refusal = variants::by_name("gmem_smem").unwrap().plan(&problem, &chip("sm_90a")).unwrap_err();
    assert_eq!(refusal.cause, "different-elements");
    assert_eq!(refusal.reason, "converts f16 to f32, but the source has elements of type bf16");
}

#[test]
fn parts_of_a_vector_are_those_of_a_conversion() {
    let plan = vectors(&between("f32", "f16"));
    let refused = |plan: VectorCopy| plan.verify().unwrap_err().reason;
    assert_eq!(
        refused(VectorCopy { accesses: [3, 1], ..plan.clone() }),
        "got accesses [3, 1], expected a number of loads and one of stores that divide the vector of 8 elements"
    );
    assert!(refused(VectorCopy { accesses: [1, 0], ..plan.clone() }).contains("got accesses [1, 0]"));
    assert!(refused(VectorCopy { conversion: None, ..plan }).contains("neither converts nor reduces"));
}

/// No side of a plan could have a wider access: neither with longer vectors nor with shorter ones.
fn is_widest(problem: &Problem, plan: &VectorCopy) -> Result<(), String> {
    let most = [Role::Src, Role::Dst].map(|role| plan.access(role)).into_iter().max().unwrap_or(1);
    if plan.vector == most || plan.side(Role::Src).space == Space::Local || plan.dst.space == Space::Local {
        return Ok(());
    }
    Err(format!("vectors of {} for accesses of {most} elements: {problem:?}", plan.vector))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_element_arrives_once(mut tape in tapes()) {
        let drawn = match tape.below(5) {
            0 | 1 => memory_copy(&mut tape),
            2 => private_copy(&mut tape),
            _ => register_copy(&mut tape),
        };
        let (problem, values) = converting(&mut tape, drawn);
        prop_assert!(problem.conversion.is_some());
        let target = chip(tape.pick(&["sm_90a", "sm_100a", "sm_80"]));
        if let Ok((aligned, _)) = select(&problem, &target) {
            let checked = check(&problem, &aligned, &target, &values);
            prop_assert_eq!(checked, Ok(()), "{:#?}\n{:#?}", problem, aligned);
            if let CopyPlan::Partition(copy) = &aligned {
                let plan = vectorize(copy, &target, problem.max_vector_bits).unwrap().0;
                prop_assert_eq!(plan.verify(), Ok(()));
                prop_assert_eq!(is_widest(&problem, &plan), Ok(()));
            }
        }
    }
}
