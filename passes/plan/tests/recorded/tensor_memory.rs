//! Recorded copies between shared memory, tensor memory and registers: the same instructions and descriptors, and the
//! right bytes in every cell.

use crate::common::cases::{async_copies, id, int, list, problem};
use crate::common::oracle::Values;
use crate::common::tensor::{check_access, check_copy};
use serde_json::Value;
use tile_layout::Eval;
use tile_plan::address::{tensor_address, tensor_descriptor_units};
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::tmem::copy::TmemCopy;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

/// Runs `verify` on the cases between two spaces that were taken, or refused, and returns their number.
fn for_each(spaces: [&str; 2], taken: bool, verify: impl Fn(&Value) -> Result<(), String>) -> usize {
    let scope = |case: &Value, side: &str| case[side]["scope"].as_str().unwrap().to_owned();
    let cases: Vec<Value> = async_copies("copies.json")
        .into_iter()
        .filter(|case| {
            let mut got = [scope(case, "src"), scope(case, "dst")];
            got.sort();
            got == spaces && case["expect"]["variant"].is_string() == taken
        })
        .collect();
    let failures: Vec<String> =
        cases.iter().filter_map(|case| verify(case).err().map(|error| format!("{}: {error}", id(case)))).collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
    cases.len()
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{what}: got {got:?}, expected {expected:?}")) }
}

/// The problem of a case. The recorded code aligns shared memory to 1024 bytes.
fn aligned(case: &Value) -> Result<(Problem, Target), String> {
    let mut problem = problem(case)?;
    problem.operands.get_mut(Role::Src).unwrap().align_bytes = 1024;
    Ok((problem, Target::parse(case["arch"].as_str().unwrap()).unwrap()))
}

fn planned(case: &Value) -> Result<(Problem, CopyPlan), String> {
    let (problem, target) = aligned(case)?;
    let (plan, _) = select(&problem, &target).map_err(|error| error.to_string())?;
    equal("variant", plan.variant(), case["expect"]["variant"].as_str().unwrap())?;
    Ok((problem, plan))
}

/// The one recorded instruction, and its number of occurrences in the text: one, in a loop over the instructions.
fn same_instruction(case: &Value, instruction: &str) -> Result<(), String> {
    let expected = case["expect"]["ptx"].as_object().unwrap();
    equal("instructions", vec![(instruction, 1)], expected.iter().map(|(name, n)| (name.as_str(), int(n))).collect())
}

#[test]
fn copies_to_tensor_memory_have_the_recorded_fields() {
    let cases = for_each(["shared", "tmem"], true, |case| {
        let (problem, plan) = planned(case)?;
        let CopyPlan::TmemCopy(copy) = plan else { return Err("no tmem copy".to_owned()) };
        same_instruction(case, &copy.instruction())?;
        same_fields(&copy, &case["expect"]["plan"])?;
        check_copy(&problem, &copy, &Values::default())
    });
    assert_eq!(cases, 65);
}

fn same_fields(copy: &TmemCopy, expected: &Value) -> Result<(), String> {
    let at = |tile| {
        let units = tensor_descriptor_units(&mut Eval, copy, tile, &[]).unwrap();
        (units, tensor_address(&mut Eval, copy, tile, &[]).unwrap())
    };
    let descriptor = copy.descriptor;
    let numbers = [
        ("LDO_field", descriptor.leading),
        ("SDO_field", descriptor.stride),
        ("swizzle_mode", descriptor.swizzle),
        ("atom_K_byte", 16 << descriptor.swizzle),
        ("init_off_16B", at(0).0),
        ("t_addr_off", at(0).1),
        ("elem_per_atom", copy.form.row_bits() / i64::from(copy.element_bits)),
    ];
    for (name, got) in numbers {
        equal(name, got, int(&expected[name]))?;
    }
    equal("shape", copy.form.shape(), expected["shape"].as_str().unwrap())?;
    equal("multicast", copy.form.multicast().unwrap_or(""), expected["multicast"].as_str().unwrap())?;
    let middle = list(&expected["middle_extent_sstep16B_tstep"]);
    equal("tile digits", copy.tile_iters, middle.len())?;
    let mut inside = copy.tiles();
    for (step, iter) in middle.iter().zip(&copy.src.layout.shard) {
        let [extent, units, address] = [0, 1, 2].map(|index| int(&step[index]));
        equal("extent", iter.extent, extent)?;
        inside /= extent;
        let (first, next) = (at(0), at(inside));
        equal("steps", (next.0 - first.0, next.1 - first.1), (units, address))?;
    }
    equal("tiles", inside, 1)
}

#[test]
fn loads_and_stores_have_the_recorded_instructions() {
    let cases = for_each(["local", "tmem"], true, |case| {
        let (problem, plan) = planned(case)?;
        let CopyPlan::TmemAccess(access) = plan else { return Err("no tmem access".to_owned()) };
        same_instruction(case, &access.instruction())?;
        check_access(&problem, &access, &Values::default())
    });
    assert_eq!(cases, 132);
}

/// Recorded copies of 64 rows that are done as if their layout said another datapath.
#[test]
fn rows_in_lanes_that_no_instruction_reaches_are_refused() {
    let is_tensor = |case: &&Value| [&case["src"], &case["dst"]].iter().any(|side| side["scope"] == "tmem");
    let traps = async_copies("traps.json");
    let cases: Vec<&Value> = traps.iter().filter(is_tensor).collect();
    assert_eq!(cases.len(), 55);
    for case in cases {
        let (problem, target) = aligned(case).unwrap();
        let Err(SelectError::Declined { declines, .. }) = select(&problem, &target) else {
            panic!("{}: done, though no instruction reaches its lanes", id(case))
        };
        assert!(declines.iter().any(|decline| decline.cause == "lanes-not-reached"), "{}: {declines:?}", id(case));
    }
}

#[test]
fn recorded_refusals_are_refused_with_reasons() {
    let refused = |spaces| {
        for_each(spaces, false, |case| {
            let Ok((problem, target)) = aligned(case) else { return Ok(()) };
            match select(&problem, &target) {
                Ok((plan, _)) => Err(format!("{} takes what must be refused", plan.variant())),
                Err(SelectError::Declined { declines, .. }) => {
                    let reason =
                        |decline: &tile_plan::problem::refusal::Decline| decline.variant.starts_with("tcgen05");
                    declines.iter().filter(|decline| reason(decline)).for_each(|decline| println!("{decline}"));
                    equal("declines with a reason", declines.iter().all(|decline| !decline.reason.is_empty()), true)
                }
                Err(error) => Err(error.to_string()),
            }
        })
    };
    assert_eq!((refused(["shared", "tmem"]), refused(["local", "tmem"])), (8, 3));
}
