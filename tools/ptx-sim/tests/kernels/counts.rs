//! Sums with shuffles and shared memory, transposition through shared memory, and their costs: instructions, bytes,
//! banks.

use ptx_sim::{Arg, LaunchConfig, Memory, Report};

use super::{config, read_words, schedules, words};
use crate::support::launch_text;

#[test]
fn sums_under_every_schedule() {
    let text = include_str!("../ptx/reduce.ptx");
    let input: Vec<u32> = (0..1024u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let want: Vec<u32> = input.chunks(256).map(|c| c.iter().fold(0u32, |s, &x| s.wrapping_add(x))).collect();
    for schedule in schedules() {
        let mut memory = Memory::new();
        let a = memory.alloc_with(&words(input.iter().copied())).unwrap();
        let b = memory.alloc(16).unwrap();
        let report = launch_text(&mut memory, text, "reduce", &config(4, 256, schedule), &[Arg::Ptr(a), Arg::Ptr(b)])
            .unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(read_words(&memory, b, 4), want, "{schedule}");
        assert_eq!(report.blocks, 4);
        let by = report.by_opcode();
        let loads = by["ld.global.nc.b32"];
        assert_eq!((loads.warps, loads.lanes, loads.global_bytes, loads.sectors), (32, 1024, 4096, 128));
        assert_eq!(by["st.global.b32"].lanes, 4);
        assert_eq!(by["bar.sync"].warps, 32);
    }
}

fn transpose(kernel: &str) -> Report {
    let text = include_str!("../ptx/transpose.ptx");
    let mut memory = Memory::new();
    let a = memory.alloc_with(&words(0..1024)).unwrap();
    let b = memory.alloc(4096).unwrap();
    let config = LaunchConfig { block: [32, 8, 1], ..LaunchConfig::new(1, 1) };
    let report =
        launch_text(&mut memory, text, kernel, &config, &[Arg::Ptr(a), Arg::Ptr(b)]).unwrap_or_else(|e| panic!("{e}"));
    let want: Vec<u32> = (0..1024).map(|i| i % 32 * 32 + i / 32).collect();
    assert_eq!(read_words(&memory, b, 1024), want);
    report
}

#[test]
fn padding_avoids_conflicts() {
    let report = transpose("transpose_padded");
    assert_eq!((report.total.wavefronts, report.total.ideal_wavefronts, report.total.bank_conflicts()), (64, 64, 0));
    assert_eq!(report.total.sectors, 2 * 128);
}

#[test]
fn columns_of_32_words_conflict_32_ways() {
    let report = transpose("transpose_plain");
    let by = report.by_opcode();
    let loads: u64 = by.iter().filter(|(o, _)| o.starts_with("ld.shared")).map(|(_, c)| c.wavefronts).sum();
    let stores: u64 = by.iter().filter(|(o, _)| o.starts_with("st.shared")).map(|(_, c)| c.wavefronts).sum();
    assert_eq!((loads, stores), (32 * 32, 32));
}
