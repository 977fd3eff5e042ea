//! Tensor memory: every shape of `tcgen05.ld`, `tcgen05.st` and `tcgen05.cp`, against models written here.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::{kernel, run_words};
use crate::support::launch_text;

/// Allocates all columns in warp 0; the address, 0, is in `%r40` afterwards. `%r41`: the warp's rows, shifted.
pub const ALLOC: &str = "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31; setp.eq.u32 %p1, %r2, 0;\n\
    @!%p1 bra ALLOCATED; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], 512;\n\
    ALLOCATED: bar.sync 0; ld.shared.b32 %r40, [base]; shl.b32 %r41, %r2, 21; add.u32 %r41, %r41, %r40;\n";
pub const FREE: &str = "bar.sync 0; @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r40, 512;\n";
const SHARED: &str = ".shared .align 4 .b8 base[4]; .shared .align 8 .b8 bar[8]; .extern .shared .align 1024 .b8 dynamic[];\n\
    .shared .align 1024 .b8 data[32768];";

fn registers(first: u32, count: u32) -> String {
    let names: Vec<String> = (first..first + count).map(|i| format!("t{i}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Row and column of register `n` in lane `lane`, from the figures of the ISA.
fn position(shape: &str, lane: u32, n: u32) -> (u32, u32) {
    match shape {
        "32x32b" => (lane, n),
        "16x64b" => (lane / 4 + 8 * (lane % 2), 2 * n + lane / 2 % 2),
        "16x128b" => (lane / 4 + 8 * (n % 2), 4 * (n / 2) + lane % 4),
        _ => (lane / 4 + 8 * (n / 2 % 2), 8 * (n / 4) + 2 * (lane % 4) + n % 2),
    }
}

/// Stores the number of each position with one shape, and reads it with another.
fn store_and_load(store: (&str, u32, u32), load: (&str, u32, u32)) {
    let (shape, repeat, count) = store;
    let (to, times, words) = load;
    let mut body = format!("{ALLOC}.reg .b32 t<256>;\n");
    // Each lane computes row * 1024 + column of its registers.
    for n in 0..count {
        let (row, column) = match shape {
            "32x32b" => ("%r3".to_string(), format!("{n}")),
            _ => ("%r5".to_string(), "%r6".to_string()),
        };
        body += &match shape {
            "32x32b" => String::new(),
            "16x64b" => format!(
                "shr.u32 %r5, %r3, 2; and.b32 %r6, %r3, 1; mad.lo.u32 %r5, %r6, 8, %r5; shr.u32 %r6, %r3, 1; and.b32 %r6, %r6, 1; add.u32 %r6, %r6, {};\n",
                2 * n
            ),
            "16x128b" => format!(
                "shr.u32 %r5, %r3, 2; add.u32 %r5, %r5, {}; and.b32 %r6, %r3, 3; add.u32 %r6, %r6, {};\n",
                8 * (n % 2),
                4 * (n / 2)
            ),
            _ => format!(
                "shr.u32 %r5, %r3, 2; add.u32 %r5, %r5, {}; and.b32 %r6, %r3, 3; mad.lo.u32 %r6, %r6, 2, {};\n",
                8 * (n / 2 % 2),
                8 * (n / 4) + n % 2
            ),
        };
        body += &format!("mad.lo.u32 t{n}, {row}, 1024, {column};\n");
    }
    body += &format!(
        "tcgen05.st.sync.aligned.{shape}.x{repeat}.b32 [%r41], {};\ntcgen05.wait::st.sync.aligned;\n",
        registers(0, count)
    );
    // Lanes read cells that other lanes of the warp wrote.
    body += "bar.warp.sync -1;\n";
    body += &format!(
        "tcgen05.ld.sync.aligned.{to}.x{times}.b32 {}, [%r41];\ntcgen05.wait::ld.sync.aligned;\n",
        registers(128, words)
    );
    body += &format!("mul.wide.u32 %rd1, %r1, {}; add.s64 %rd2, %rd0, %rd1;\n", 4 * words);
    for n in 0..words {
        body += &format!("st.global.b32 [%rd2+{}], t{};\n", 4 * n, 128 + n);
    }
    body += FREE;
    let out = run_words(128, 64 * words as usize, SHARED, &body).unwrap_or_else(|e| panic!("{store:?} {load:?}: {e}"));
    let got = |i: u32| (out[i as usize / 2] >> (32 * (i % 2))) as u32;
    for thread in 0..128 {
        for n in 0..words {
            let (row, column) = position(to, thread % 32, n);
            assert_eq!(got(thread * words + n), row * 1024 + column, "{store:?} {load:?} thread {thread} register {n}");
        }
    }
}

#[test]
fn every_shape_of_loads_and_stores() {
    // (shape, repeats, registers): the stores cover the rows and columns that are read.
    let wide = ("32x32b", 128, 128);
    for load in [
        ("32x32b", 1, 1),
        ("32x32b", 32, 32),
        ("16x64b", 1, 1),
        ("16x64b", 64, 64),
        ("16x128b", 1, 2),
        ("16x128b", 16, 32),
        ("16x256b", 1, 4),
        ("16x256b", 8, 32),
    ] {
        store_and_load(wide, load);
    }
    for (store, load) in [
        (("16x64b", 32, 32), ("16x256b", 8, 32)),
        (("16x128b", 16, 32), ("16x64b", 32, 32)),
        (("16x256b", 8, 32), ("16x128b", 16, 32)),
    ] {
        store_and_load(store, load);
    }
}

/// Checks what `tcgen05.cp` writes: the word in (lane, column) comes from byte `source` of shared memory.
fn copied(shape: &str, row_bytes: u32, lane: u32, column: u32) -> Option<u32> {
    let (rows, columns, row) = match shape {
        "128x256b" => (128, 8, lane),
        "128x128b" => (128, 4, lane),
        "4x256b" => (4, 8, if lane.is_multiple_of(32) { lane / 32 } else { 999 }),
        "64x128b.warpx2::02_13" => (64, 4, lane % 64),
        "64x128b.warpx2::01_23" => (64, 4, lane / 64 * 32 + lane % 32),
        _ => (32, 4, lane % 32),
    };
    if row >= rows || column >= columns {
        return None;
    }
    let (chunk, word) = (column / 4, column % 4);
    // Groups of eight rows are 8 * row_bytes apart; unswizzled chunks are 16 KiB apart.
    let group = row / 8 * 8 * row_bytes;
    let plain = match row_bytes {
        16 => group + row % 8 * 16 + chunk * 16384,
        _ => group + row % 8 * row_bytes + chunk * 16,
    };
    let swizzled = match row_bytes {
        32 => plain ^ (plain >> 7 & 1) << 4,
        64 => plain ^ (plain >> 7 & 3) << 4,
        128 => plain ^ (plain >> 7 & 7) << 4,
        _ => plain,
    };
    Some(swizzled + 4 * word)
}

fn copy(shape: &str, row_bytes: u32) {
    let mode: u64 = match row_bytes {
        16 => 0,
        32 => 6,
        64 => 4,
        _ => 2,
    };
    // Every word of shared memory holds its own offset; tensor memory starts with ones.
    let mut body = format!(
        "{ALLOC}.reg .b32 t<16>;\nmov.u64 %rd1, data; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; mul.lo.u32 %r4, %r1, 4;\n"
    );
    body += "FILL: st.shared.b32 [%rd2], %r4; add.s64 %rd2, %rd2, 512; add.u32 %r4, %r4, 512; setp.lt.u32 %p2, %r4, 32768; @%p2 bra FILL;\n";
    body += "mov.b32 t0, 1;\n";
    for column in 0..8 {
        body += &format!("add.u32 %r5, %r41, {column}; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {{t0}};\n");
    }
    body += "tcgen05.wait::st.sync.aligned; fence.proxy.async.shared::cta; setp.eq.u32 %p3, %r1, 0;\n\
        @%p3 mbarrier.init.shared.b64 [bar], 1; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;\n";
    let descriptor = (1u64 << 46) | (mode << 61) | u64::from(8 * row_bytes / 16) << 32 | (16384 / 16) << 16;
    body += &format!("shr.u64 %rd3, %rd1, 4; or.b64 %rd3, %rd3, {descriptor};\n");
    body += &format!("@%p3 tcgen05.cp.cta_group::1.{shape} [%r40], %rd3;\n");
    body += "@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n\
        WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra WAIT;\n";
    body +=
        &format!("tcgen05.ld.sync.aligned.32x32b.x8.b32 {}, [%r41]; tcgen05.wait::ld.sync.aligned;\n", registers(8, 8));
    body += "mul.wide.u32 %rd2, %r1, 32; add.s64 %rd2, %rd0, %rd2; st.global.v4.b32 [%rd2], {t8, t9, t10, t11}; st.global.v4.b32 [%rd2+16], {t12, t13, t14, t15};\n";
    body += FREE;
    let out = run_words(128, 512, SHARED, &body).unwrap_or_else(|e| panic!("{shape} {row_bytes}: {e}"));
    for lane in 0..128 {
        for column in 0..8 {
            let at = lane * 8 + column;
            let got = (out[at as usize / 2] >> (32 * (at % 2))) as u32;
            let want = copied(shape, row_bytes, lane, column).unwrap_or(1);
            assert_eq!(got, want, "{shape}, rows of {row_bytes} bytes, lane {lane}, column {column}");
        }
    }
}

#[test]
fn every_shape_and_swizzle_of_copies() {
    for shape in ["128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"]
    {
        for row_bytes in [16, 32, 64, 128] {
            copy(shape, row_bytes);
        }
    }
}

fn kind(threads: u32, body: &str) -> FaultKind {
    match run_words(threads, 1, SHARED, &format!("{ALLOC}.reg .b32 t<8>;\n{body}\n{FREE}")) {
        Err(error) => error.fault().map_or_else(|| panic!("{error}"), |f| f.kind),
        Ok(_) => panic!("a fault is expected"),
    }
}

#[test]
fn misuse() {
    let store = "mov.b32 t0, 7; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r41], {t0};";
    let load = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {t1}, [%r41];";
    assert_eq!(kind(32, load), FaultKind::Uninitialized);
    assert_eq!(kind(32, &format!("{store} {load}")), FaultKind::InFlight, "no wait::st");
    let ready = format!("{store} tcgen05.wait::st.sync.aligned; {load}");
    assert_eq!(kind(32, &format!("{ready} add.u32 t2, t1, 1;")), FaultKind::InFlight, "no wait::ld");
    assert_eq!(
        kind(32, "add.u32 %r5, %r40, 0x200000; mov.b32 t0, 7; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {t0};"),
        FaultKind::Invalid,
        "another warp's rows"
    );
    assert_eq!(
        kind(32, "add.u32 %r5, %r40, 512; mov.b32 t0, 7; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {t0};"),
        FaultKind::OutOfBounds
    );
    assert_eq!(kind(32, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r40, 256;"), FaultKind::Invalid);
    assert_eq!(kind(32, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], 48;"), FaultKind::Invalid);
    assert_eq!(
        kind(32, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], 32;"),
        FaultKind::Deadlock,
        "no columns are left"
    );
    let relinquished = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], 32;";
    assert_eq!(kind(32, relinquished), FaultKind::Invalid);
}

/// Blocks of a cluster: each fills its shared memory with its rank; the last one copies for a pair.
fn pair(blocks: u32, body: &str) -> Result<Vec<u32>, LaunchError> {
    let alloc = ALLOC.replace("cta_group::1", "cta_group::2");
    let free = FREE.replace("cta_group::1", "cta_group::2");
    let descriptor = (1u64 << 46) | 8 << 32;
    let body = format!(
        "ld.param.b64 %rd0, [p0]; {alloc}.reg .b32 t<8>; mov.u32 %r7, %cluster_ctarank; mov.u64 %rd1, data; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n\
         add.u32 %r8, %r7, 70; st.shared.b32 [%rd2], %r8; fence.proxy.async.shared::cta; setp.eq.u32 %p3, %r1, 0;\n\
         @%p3 mbarrier.init.shared.b64 [bar], 1; @%p3 fence.mbarrier_init.release.cluster;\n\
         mov.b32 t0, 1; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r41], {{t0}}; tcgen05.wait::st.sync.aligned;\n\
         tcgen05.fence::before_thread_sync; barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;\n\
         mov.u32 %r9, %cluster_nctarank; sub.u32 %r9, %r9, 1; setp.eq.and.u32 %p5, %r7, %r9, %p3;\n\
         shr.u64 %rd3, %rd1, 4; or.b64 %rd3, %rd3, {descriptor};\n{body}\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra WAIT; tcgen05.fence::after_thread_sync;\n\
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {{t1}}, [%r41]; tcgen05.wait::ld.sync.aligned;\n\
         mul.wide.u32 %rd4, %r7, 512; add.s64 %rd4, %rd0, %rd4; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd4, %rd4, %rd5; st.global.b32 [%rd4], t1;\n\
         barrier.cluster.arrive; barrier.cluster.wait; {free}"
    );
    let mut memory = Memory::new();
    let out = memory.alloc_with(&vec![0; 512 * blocks as usize]).unwrap();
    let config = LaunchConfig { cluster: Some([blocks, 1, 1]), ..LaunchConfig::new(blocks, 128) };
    launch_text(&mut memory, &kernel("sm_100a", 1, SHARED, &body), "k", &config, &[Arg::Ptr(out)])?;
    let bytes = memory.read(out, 512 * blocks as usize).unwrap();
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

const PAIR: &str = "@%p5 tcgen05.cp.cta_group::2.32x128b.warpx4 [%r40], %rd3; mov.b16 %h1, 3;\n\
    @%p5 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h1;";

#[test]
fn one_thread_copies_for_a_pair() {
    let out = pair(2, PAIR).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(out, [vec![70; 128], vec![71; 128]].concat(), "each from its own shared memory");
    let kind = |blocks, body: &str| match pair(blocks, body) {
        Err(error) => error.fault().map_or_else(|| panic!("{error}"), |fault| fault.kind),
        Ok(_) => panic!("a fault is expected"),
    };
    assert_eq!(kind(1, PAIR), FaultKind::Invalid, "no peer");
    assert_eq!(kind(2, &PAIR.replace("cp.cta_group::2", "cp.cta_group::1")), FaultKind::Invalid, "two kinds of group");
    let alone = PAIR.replace("%p5", "%p3");
    assert_eq!(kind(2, &alone), FaultKind::InFlight, "both copy for both; the barrier counts one");
}
