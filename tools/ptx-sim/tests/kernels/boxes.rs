//! Boxes of tensors as LLVM prints their copies; and each kernel with one step left out.

use ptx_sim::{Arg, FaultKind, LaunchError, Memory, Report, Schedule, TensorMap, TiledMap};

use super::{config, fault, schedules};
use crate::support::launch_text;

const BOXES: &str = include_str!("../ptx/boxes.ptx");

/// Rows of 64 elements; the last box is only half inside.
const ROWS: u64 = 40;

fn map(base: ptx_sim::Pointer) -> Arg {
    let fields: TiledMap = format!("type=u32,dims=32x{ROWS},box=32x16,swizzle=128").parse().unwrap();
    Arg::Map(TensorMap::tiled(TiledMap { base: base.0, ..fields }).unwrap())
}

/// Runs a kernel on numbers from 0 on; all elements of the output are 7 before.
fn run(kernel: &str, schedule: Schedule) -> Result<(Report, Vec<u16>), LaunchError> {
    let mut memory = Memory::new();
    let count = 64 * ROWS as usize;
    let words = |word: &dyn Fn(usize) -> u16| (0..count).flat_map(|i| word(i).to_le_bytes()).collect::<Vec<u8>>();
    let (from, to) = (memory.alloc_with(&words(&|i| i as u16)).unwrap(), memory.alloc_with(&words(&|_| 7)).unwrap());
    let args = [map(from), map(to), Arg::Ptr(from), Arg::Ptr(to)];
    let report = launch_text(&mut memory, BOXES, kernel, &config(3, 512, schedule), &args)?;
    let bytes = memory.read(to, 2 * count).unwrap();
    Ok((report, bytes.chunks(2).map(|pair| u16::from_le_bytes(pair.try_into().unwrap())).collect()))
}

#[test]
fn each_block_moves_a_box() {
    for schedule in schedules() {
        for (kernel, before) in [("right", 0), ("added", 7)] {
            let (report, out) = run(kernel, schedule).unwrap_or_else(|e| panic!("{kernel}, {schedule}: {e}"));
            assert_eq!(out, (0..64 * ROWS as u16).map(|i| i + 1 + before).collect::<Vec<_>>(), "{kernel}, {schedule}");
            let counts = report.by_opcode();
            let bytes = |part: &str| counts.iter().filter(|c| c.0.contains(part)).map(|c| c.1.global_bytes).sum();
            let (loaded, stored, ahead): (u64, u64, u64) =
                (bytes("mbarrier::complete_tx"), bytes("tile.bulk_group"), bytes("L2.global"));
            assert_eq!((loaded, stored, ahead), (128 * ROWS, 128 * ROWS, 128 * (ROWS - 16)));
        }
    }
}

#[test]
fn with_a_step_left_out() {
    for (kernel, kind, words) in [
        ("no_wait", FaultKind::InFlight, "barrier this thread has not waited for"),
        ("no_flush", FaultKind::CopyLeak, "may end before this operation is complete"),
        ("local", FaultKind::Invalid, "got a tensor map in local memory"),
    ] {
        for schedule in schedules() {
            let fault = fault(run(kernel, schedule));
            assert_eq!(fault.kind, kind, "{kernel} under {schedule}: {fault}");
            assert!(fault.detail.contains(words), "{kernel}: {fault}");
        }
    }
}
