//! Scans on a Vulkan device, compared with a loop over the elements; on Mesa's software driver where there is no other
//! device.

mod element;
mod run;

use run::{Case, Device};
use tile_plan::scan::Hooks;
use tile_portable::{Binary, PortableElement, Scalar};

const STRATEGIES: [&str; 3] = ["decoupled_fallback", "reduce_then_scan", "serial"];
const SCALARS: [Scalar; 8] =
    [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F16, Scalar::Bf16, Scalar::F32, Scalar::F64];

fn operators(scalar: Scalar) -> Vec<Binary> {
    let mut all = vec![Binary::Add, Binary::Mul, Binary::Min, Binary::Max];
    if !scalar.is_float() {
        all.extend([Binary::UMin, Binary::UMax, Binary::And, Binary::Or, Binary::Xor]);
    }
    all
}

#[test]
fn every_operator_of_every_element() {
    let Some(mut device) = Device::open() else { return };
    let targets = device.targets();
    for scalar in SCALARS {
        for (index, binary) in operators(scalar).into_iter().enumerate() {
            // Covers each target and mode with scalars and pairs.
            for lanes in [1, 2] {
                let target = targets[(index + lanes as usize) % targets.len()];
                let exclusive = index % 2 == 0;
                let case = Case::new(PortableElement { scalar, lanes }, binary);
                device.check(&Case { n: 1003, small: true, target, exclusive, ..case });
            }
        }
    }
}

#[test]
fn every_strategy_at_every_boundary() {
    let Some(mut device) = Device::open() else { return };
    for strategy in STRATEGIES {
        for (scalar, tile) in [(Scalar::I32, 4096), (Scalar::I8, 4096), (Scalar::F64, 2048)] {
            for n in [1, 3, tile - 1, tile, tile + 1, 2 * tile + 1, 5 * tile + 77] {
                for exclusive in [false, true] {
                    let element = PortableElement { scalar, lanes: 1 };
                    let case = Case { strategy, n, exclusive, ..Case::new(element, Binary::Add) };
                    device.check(&case);
                    if strategy != "serial" && n > 5 * tile {
                        device.check(&Case { target: device.targets()[2], ..case });
                    }
                }
            }
        }
    }
}

#[test]
fn a_first_value_comes_before_everything() {
    let Some(mut device) = Device::open() else { return };
    for strategy in STRATEGIES {
        for (scalar, lanes) in [(Scalar::I16, 1), (Scalar::I64, 1), (Scalar::F32, 2), (Scalar::F64, 2)] {
            for exclusive in [false, true] {
                let element = PortableElement { scalar, lanes };
                device.check(&Case { strategy, exclusive, init: true, n: 9001, ..Case::new(element, Binary::Add) });
            }
        }
    }
}

#[test]
fn faults_end_by_fallback() {
    let Some(mut device) = Device::open() else { return };
    let element = PortableElement { scalar: Scalar::F32, lanes: 1 };
    for target in device.targets() {
        for deterministic in [false, true] {
            for hooks in [
                Hooks { skip_post: Some(0), ..Hooks::default() },
                Hooks { skip_post: Some(3), reverse: true, ..Hooks::default() },
                Hooks { hold: Some(7), ..Hooks::default() },
                Hooks { reverse: true, ..Hooks::default() },
            ] {
                let hooks = Hooks { counters: true, ..hooks };
                let case = Case { target, deterministic, hooks, n: 300_001, ..Case::new(element, Binary::Add) };
                let counters = device.check(&case).expect("it counts");
                assert!(counters[0] > 0 && counters[2] >= counters[3], "{case:?}: {counters:?}");
                // A silent tile's prefix may or may not be there in time; in reverse, one block after another, it is
                // not.
                if hooks.reverse && device.runs_block_after_block() {
                    assert!(counters[2] > 0, "{case:?}: {counters:?}");
                }
            }
        }
    }
}

#[test]
fn look_back_alone_gives_up_where_a_block_is_never_run() {
    let Some(mut device) = Device::open() else { return };
    let hooks = Hooks { reverse: true, poll_cap: Some(1000), counters: true, ..Hooks::default() };
    let element = PortableElement { scalar: Scalar::I32, lanes: 1 };
    let case = Case { strategy: "decoupled_lookback", hooks, n: 1 << 20, ..Case::new(element, Binary::Add) };
    let gave_up = device.gives_up(&case);
    assert!(gave_up || !device.runs_block_after_block(), "one block after the other cannot do it");
}

/// llvmpipe ends the loops of an invocation after 65535 iterations: either the results are right, or the workspace says
/// that they are not.
#[test]
fn look_back_alone_is_right_or_gives_up() {
    let Some(mut device) = Device::open() else { return };
    let element = PortableElement { scalar: Scalar::I32, lanes: 1 };
    for target in device.targets() {
        for reverse in [false, true] {
            let hooks = Hooks { reverse, poll_cap: Some(1 << 30), ..Hooks::default() };
            let case =
                Case { target, strategy: "decoupled_lookback", hooks, n: 20_000, ..Case::new(element, Binary::Add) };
            let gave_up = device.gives_up(&case);
            eprintln!("{target}, reverse {reverse}: gave up: {gave_up}");
        }
    }
}

#[test]
fn a_workspace_is_used_again() {
    let Some(mut device) = Device::open() else { return };
    for target in device.targets() {
        for scalar in [Scalar::I8, Scalar::I32, Scalar::I64] {
            let element = PortableElement { scalar, lanes: 1 };
            device.check(&Case { target, n: 40_000, launches: 5, ..Case::new(element, Binary::Add) });
        }
    }
}

#[test]
fn memory_that_the_host_cannot_reach_goes_through_a_buffer() {
    let Some(mut device) = Device::open() else { return };
    device.stage();
    // More than one piece of the staging buffer.
    let element = PortableElement { scalar: Scalar::I64, lanes: 1 };
    device.check(&Case { n: 2_500_001, ..Case::new(element, Binary::Add) });
}

#[test]
fn an_array_whose_end_kernels_do_not_reach_is_refused() {
    let Some(mut device) = Device::open() else { return };
    let element = PortableElement { scalar: Scalar::I32, lanes: 1 };
    let case = Case { small: true, ..Case::new(element, Binary::Add) };
    match device.refuses_long_array(&case) {
        Some(error) => assert!(
            error.starts_with("binding 1: got ") && error.contains(", the maxStorageBufferRange of "),
            "{error}"
        ),
        None => eprintln!("skipped: the device reaches more than is allocated here"),
    }
}

#[test]
fn subgroups_of_another_size_are_refused() {
    let Some(mut device) = Device::open() else { return };
    let element = PortableElement { scalar: Scalar::I32, lanes: 1 };
    for (target, size) in [("vulkan1.3-64-subgroup32", 32), ("vulkan1.3-64-subgroup64", 64)] {
        // A device with subgroups of this size accepts the kernels.
        let refused = device.refuses(&Case { target, ..Case::new(element, Binary::Add) });
        let expected = format!("the kernels need subgroups of {size} threads, ");
        assert!(refused.is_none_or(|error| error.starts_with(&expected)), "{target}");
    }
}
