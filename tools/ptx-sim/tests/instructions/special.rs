//! Special registers, in grids, blocks and clusters of three dimensions.

use ptx_sim::{Arg, LaunchConfig, Memory, Module, launch};

use super::kernel;
use crate::support::launch_text;

#[test]
fn coordinates() {
    let names = ["tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"];
    let mut body = String::from("ld.param.b64 %rd0, [p0];\n");
    // A number for each thread, and a row of 32 words for it.
    body += "mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3;\n\
        mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n\
        mov.u32 %r2, %ntid.z; mov.u32 %r3, %tid.z; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y;\n\
        mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n\
        mul.wide.u32 %rd1, %r1, 128; add.s64 %rd0, %rd0, %rd1;\n";
    for (i, name) in names.iter().enumerate() {
        for (j, axis) in ["x", "y", "z"].iter().enumerate() {
            body += &format!("mov.u32 %r4, %{name}.{axis}; st.global.b32 [%rd0+{}], %r4;\n", 4 * (3 * i + j));
        }
    }
    for (i, name) in ["laneid", "cluster_ctarank", "cluster_nctarank", "dynamic_smem_size"].iter().enumerate() {
        body += &format!("mov.u32 %r4, %{name}; st.global.b32 [%rd0+{}], %r4;\n", 4 * (24 + i));
    }
    body += "mov.u32 %r4, WARP_SZ; mov.pred %p1, %is_explicit_cluster; selp.b32 %r5, 1, 0, %p1; st.global.v4.b32 [%rd0+112], {%r4, %r5, 0, 0};\n";
    let text = kernel("sm_90a", 1, "", &body);
    let (grid, block, cluster) = ([4u32, 2, 3], [5u32, 4, 3], [2u32, 2, 1]);
    let count = 24 * 60;
    let mut memory = Memory::new();
    let out = memory.alloc(count * 128).unwrap();
    let config = LaunchConfig { grid, block, cluster: Some(cluster), dynamic_shared: 96, ..LaunchConfig::new(1, 1) };
    launch_text(&mut memory, &text, "k", &config, &[Arg::Ptr(out)]).unwrap_or_else(|e| panic!("{e}"));
    let bytes = memory.read(out, count * 128).unwrap();
    let split = |i: u32, e: [u32; 3]| [i % e[0], i / e[0] % e[1], i / (e[0] * e[1])];
    for (i, row) in bytes.chunks(128).enumerate() {
        let row: Vec<u32> = row.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        let (b, t) = (split(i as u32 / 60, grid), split(i as u32 % 60, block));
        let each = |f: &dyn Fn(usize) -> u32| [f(0), f(1), f(2)];
        let inner = each(&|a| b[a] % cluster[a]);
        let want = [t, block, b, grid, each(&|a| b[a] / cluster[a]), each(&|a| grid[a] / cluster[a]), inner, cluster];
        assert_eq!(row[..24], want.concat(), "block {b:?} thread {t:?}");
        let linear = i as u32 % 60;
        assert_eq!(row[24..], [linear % 32, inner[0] + 2 * inner[1], 4, 96, 32, 1, 0, 0]);
    }
}

/// Warp numbers are not recorded for a GPU, which assigns warps to slots in any order.
#[test]
fn warps() {
    let body = "ld.param.b64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 8; add.s64 %rd0, %rd0, %rd1;\n\
        mov.u32 %r2, %warpid; mov.u32 %r3, %nwarpid; st.global.v2.b32 [%rd0], {%r2, %r3};";
    let module = Module::parse(&kernel("sm_90a", 1, "", body)).unwrap();
    let mut memory = Memory::new();
    let out = memory.alloc(70 * 8).unwrap();
    launch(&mut memory, &module, "k", &LaunchConfig::new(1, 70), &[Arg::Ptr(out)]).unwrap();
    let words = memory.read(out, 70 * 8).unwrap().chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()));
    assert_eq!(words.collect::<Vec<_>>(), (0..70).flat_map(|t| [t / 32, 3]).collect::<Vec<u32>>());
}

#[test]
fn time_goes_on() {
    let body = "mov.u64 %rd1, %globaltimer; mov.u32 %r1, %clock; nanosleep.u32 5000; mov.u64 %rd2, %globaltimer; mov.u64 %rd3, %clock64;\n\
        setp.gt.u64 %p1, %rd2, %rd1; selp.b64 %rd4, 1, 0, %p1; st.global.b64 [%rd0], %rd4;";
    assert_eq!(super::run_words(1, 1, "", body).unwrap(), [1]);
}
