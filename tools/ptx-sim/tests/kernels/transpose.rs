//! Transposition through shared memory, and what its banks cost.

use ptx_sim::{Arg, LaunchConfig, Memory, Report};

use super::harness::{read_words, words};
use crate::support::launch_text;

fn run(kernel: &str) -> Report {
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
    let report = run("transpose_padded");
    assert_eq!((report.total.wavefronts, report.total.ideal_wavefronts, report.total.bank_conflicts()), (64, 64, 0));
    assert_eq!(report.total.sectors, 2 * 128);
}

#[test]
fn columns_of_32_words_conflict_32_ways() {
    let report = run("transpose_plain");
    let by = report.by_opcode();
    let loads: u64 = by.iter().filter(|(o, _)| o.starts_with("ld.shared")).map(|(_, c)| c.wavefronts).sum();
    let stores: u64 = by.iter().filter(|(o, _)| o.starts_with("st.shared")).map(|(_, c)| c.wavefronts).sum();
    assert_eq!((loads, stores), (32 * 32, 32));
}
