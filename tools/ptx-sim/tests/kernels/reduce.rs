//! Sums with shuffles and shared memory.

use ptx_sim::{Arg, Memory};

use super::harness::{config, read_words, schedules, words};
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
