//! Bulk copies with mbarriers, `cp.async`, clusters and tensor memory; and each of them with one step left out.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Report, Schedule};

use super::{config, fault, read_words, schedules, words};
use crate::support::launch_text;

/// Runs a kernel of (in, out, …) on `count` words; returns what it wrote.
fn run(
    text: &str,
    kernel: &str,
    base: &LaunchConfig,
    count: u32,
    more: &[Arg],
) -> Result<(Report, Vec<u32>), LaunchError> {
    let mut memory = Memory::new();
    let a = memory.alloc_with(&words(0..count)).unwrap();
    let b = memory.alloc(count as usize * 4).unwrap();
    let args: Vec<Arg> = [Arg::Ptr(a), Arg::Ptr(b)].into_iter().chain(more.iter().cloned()).collect();
    let report = launch_text(&mut memory, text, kernel, base, &args)?;
    Ok((report, read_words(&memory, b, count as usize)))
}

const PIPELINE: &str = include_str!("../ptx/pipeline.ptx");
const CP_ASYNC: &str = include_str!("../ptx/cp_async.ptx");
const TENSOR: &str = include_str!("../ptx/tensor.ptx");

fn pipeline(kernel: &str, schedule: Schedule) -> Result<(Report, Vec<u32>), LaunchError> {
    run(PIPELINE, kernel, &config(1, 256, schedule), 5 * 256, &[Arg::U32(5)])
}

#[test]
fn a_ring_of_bulk_copies() {
    for schedule in schedules() {
        let (report, out) = pipeline("right", schedule).unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out, (1..=5 * 256).collect::<Vec<u32>>(), "{schedule}");
        assert_eq!(report.by_opcode()["cp.async.bulk.commit_group"].warps, 5);
        let moved: u64 = report
            .instructions
            .iter()
            .filter(|i| i.opcode.starts_with("cp.async.bulk."))
            .map(|i| i.counts.global_bytes)
            .sum();
        assert_eq!(moved, 2 * 5 * 1024);
    }
}

#[test]
fn a_ring_with_a_step_left_out() {
    for (kernel, kind, words) in [
        ("no_wait", FaultKind::InFlight, "barrier this thread has not waited for"),
        ("no_fence", FaultKind::Race, "fence.proxy.async"),
        ("no_drain", FaultKind::InFlight, "does not know that it is complete"),
        ("no_flush", FaultKind::CopyLeak, "may end before this operation is complete"),
    ] {
        for schedule in schedules() {
            let fault = fault(pipeline(kernel, schedule));
            assert_eq!(fault.kind, kind, "{kernel} under {schedule}: {fault}");
            assert!(fault.detail.contains(words), "{kernel}: {fault}");
        }
    }
}

#[test]
fn sixteen_byte_copies() {
    let want: Vec<u32> = (0..512).map(|i| i ^ 4).collect();
    for schedule in schedules() {
        for kernel in ["groups", "by_mbarrier"] {
            let result = run(CP_ASYNC, kernel, &config(1, 128, schedule), 512, &[]);
            let (_, out) = result.unwrap_or_else(|e| panic!("{kernel} under {schedule}: {e}"));
            assert_eq!(out, want);
        }
        for kernel in ["early", "no_barrier"] {
            let fault = fault(run(CP_ASYNC, kernel, &config(1, 128, schedule), 512, &[]));
            assert!(
                matches!(fault.kind, FaultKind::InFlight | FaultKind::Uninitialized | FaultKind::Race),
                "{kernel} under {schedule}: {fault}"
            );
        }
    }
}

#[test]
fn clusters_exchange_shared_memory() {
    let text = include_str!("../ptx/cluster.ptx");
    let go = |kernel: &str, schedule| {
        let mut memory = Memory::new();
        let out = memory.alloc(4 * 32 * 4).unwrap();
        let config = LaunchConfig { cluster: Some([2, 1, 1]), ..config(4, 32, schedule) };
        launch_text(&mut memory, text, kernel, &config, &[Arg::Ptr(out)])?;
        Ok::<_, LaunchError>(read_words(&memory, out, 128))
    };
    for schedule in schedules() {
        let out = go("exchange", schedule).unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out, (0..128).map(|i| ((i / 32) ^ 1) * 100 + i % 32).collect::<Vec<u32>>());
        let fault_of = |kernel| fault(go(kernel, schedule));
        let early = fault_of("no_wait");
        assert_eq!(early.kind, FaultKind::Lifetime, "{schedule}: {early}");
        assert!(early.detail.contains("a barrier of the cluster is missing"), "{early}");
        assert_eq!(fault_of("unordered").kind, FaultKind::Race, "{schedule}");
    }
}

#[test]
fn tensor_memory_round_trip() {
    for schedule in schedules() {
        let go = |kernel| run(TENSOR, kernel, &config(1, 128, schedule), 512, &[]);
        let (report, out) = go("rows").unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out, (0..512).collect::<Vec<u32>>());
        assert_eq!(report.by_opcode()["tcgen05.cp.cta_group::1.128x128b"].tensor_bytes, 2048);
        let (_, out) = go("multicast").unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out, (0..512).map(|i| i % 128).collect::<Vec<u32>>(), "rows 0 to 31 four times");
        let fault = |kernel| super::fault(go(kernel));
        // A warp may read before the copy is even issued.
        let kind = fault("no_wait").kind;
        assert!(matches!(kind, FaultKind::InFlight | FaultKind::Uninitialized), "{schedule}: {kind}");
        let leak = fault("leak");
        assert_eq!(leak.kind, FaultKind::TensorLeak);
        assert!(leak.detail.starts_with("32 columns"), "{leak}");
    }
}
