//! Kernels of every strategy, element and operator are valid in every language.

use std::process::{Command, Stdio};

use tile_plan::scan::{self, Hooks, Problem, Requests};
use tile_plan::target::Target;
use tile_plan::target::api::Language;
use tile_portable::operator::identity;
use tile_portable::{Beginning, Binary, Operator, PortableElement, PortableProgram, Scalar, Scan, program};

const SCALARS: [Scalar; 8] =
    [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F16, Scalar::Bf16, Scalar::F32, Scalar::F64];
const STRATEGIES: [&str; 3] = ["decoupled_fallback", "reduce_then_scan", "serial"];

fn operators(scalar: Scalar) -> Vec<Binary> {
    let mut all = vec![Binary::Add, Binary::Mul, Binary::Min, Binary::Max];
    if !scalar.is_float() {
        all.extend([Binary::UMin, Binary::UMax, Binary::And, Binary::Or, Binary::Xor]);
    }
    all
}

/// The kernels, or the cause of the first decline.
fn kernels(
    target: &str,
    requests: Requests,
    hooks: Hooks,
    operator: Operator,
    beginning: Beginning,
) -> Result<PortableProgram, &'static str> {
    let target = Target::portable(target).unwrap();
    let PortableElement { scalar, lanes } = operator.element;
    let element = scan::ScannedElement { bits: scalar.bits(), lanes, float: scalar.is_float() };
    let problem = Problem { requests, hooks, ..Problem::new(element, 256) };
    let (plan, ..) = scan::select(&problem, &target).map_err(|error| error.into_declines()[0].cause)?;
    let exclusive = beginning != Beginning::Nothing;
    let scan = Scan { name: "scan".into(), plan: &plan, operator, exclusive, beginning };
    Ok(program(&scan, target).unwrap_or_else(|error| panic!("{error}")))
}

fn strategy(name: &str) -> Requests {
    Requests { strategy: Some(name.to_owned()), ..Requests::default() }
}

#[test]
fn every_element_and_operator_is_valid_in_its_language() {
    // Kernels for Vulkan 1.3 consist of the same words, unless subgroups shuffle.
    let is_same = |name: &str| name.starts_with("vulkan1.3") && !name.ends_with("subgroup32");
    for target in Target::portable_names().filter(|name| !is_same(name)) {
        for name in STRATEGIES {
            for scalar in SCALARS {
                for (lanes, binary) in
                    operators(scalar).into_iter().enumerate().map(|(index, it)| (1 + index as u32 % 2, it))
                {
                    let operator = Operator::by_lane(PortableElement { scalar, lanes }, binary);
                    let first = identity(scalar, binary).unwrap();
                    let beginning = Beginning::Lanes(vec![first; lanes as usize]);
                    match kernels(target, strategy(name), Hooks::default(), operator, beginning) {
                        Ok(program) => written(&program, target),
                        Err(cause) => assert_eq!((cause, scalar), ("target-lacks-64-bit-floats", Scalar::F64)),
                    }
                }
            }
        }
    }
}

fn written(program: &PortableProgram, target: &str) {
    let text = match Target::portable(target).unwrap().api().unwrap().language {
        Language::SpirV { .. } => program.spirv().map(|words| format!("{words:x?}")),
        Language::Wgsl => program.wgsl(),
        Language::Msl => program.msl(),
        Language::Hlsl => program.hlsl(),
    };
    assert!(text.unwrap_or_else(|error| panic!("{target}: {error}")).len() > 1000);
}

/// Runs spirv-val of Debian's spirv-tools, where it is installed.
fn validate(program: &PortableProgram, environment: &str) {
    let mut child = match Command::new("spirv-val")
        .args(["--target-env", environment, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    {
        Ok(child) => child,
        Err(_) => return eprintln!("spirv-val is missing: nothing is validated"),
    };
    let bytes: Vec<u8> = program.spirv().unwrap().iter().flat_map(|word| word.to_le_bytes()).collect();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{environment}: {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn spirv_val_finds_nothing() {
    let hooks = Hooks { skip_post: Some(1), hold: Some(7), reverse: true, counters: true, ..Hooks::default() };
    for (target, environment) in [
        ("vulkan1.2", "vulkan1.2"),
        ("vulkan1.2-64", "vulkan1.2"),
        ("vulkan1.3", "vulkan1.3"),
        ("vulkan1.3-64", "vulkan1.3"),
        ("vulkan1.3-64-subgroup8", "vulkan1.3"),
        ("vulkan1.3-64-subgroup64", "vulkan1.3"),
    ] {
        for (scalar, lanes) in [(Scalar::I8, 1), (Scalar::F16, 2), (Scalar::F32, 1), (Scalar::I64, 1), (Scalar::F64, 2)]
        {
            for name in STRATEGIES {
                let hooks = if name == STRATEGIES[0] { hooks } else { Hooks::default() };
                let operator = Operator::by_lane(PortableElement { scalar, lanes }, Binary::Add);
                if let Ok(program) = kernels(target, strategy(name), hooks, operator, Beginning::Argument) {
                    validate(&program, environment);
                }
            }
        }
    }
}
