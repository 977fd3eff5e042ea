//! Spellings and habits of other compilers: nvcc, Triton, numba, CUTLASS.

use ptx_sim::{Arg, Checks, FaultKind, LaunchConfig, LaunchError, Memory, Module, launch};

use super::errors::refused;
use super::tensor::{ALLOC, FREE};
use super::{Widths, check, check_on, kernel, lanes, run_words};

const W32: Widths = Widths(32, &[32, 32, 32]);

fn accepted(line: &str) -> Result<(), String> {
    Module::parse(&kernel("sm_100a", 1, ".shared .align 16 .b8 s[64];", line)).map(drop).map_err(|e| e.to_string())
}

/// What ptxas takes: modifiers in any order, except those that belong to the opcode.
#[test]
fn modifiers_come_in_any_order() {
    for line in [
        "atom.global.gpu.acq_rel.add.u32 %r1, [%rd1], %r2;",
        "atom.add.u32.global %r1, [%rd1], %r2;",
        "red.global.f32.relaxed.add.gpu [%rd1], %r2;",
        "ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%r1}, [%rd1];",
        "ldmatrix.b16.shared.aligned.trans.m8n8.x1.sync {%r1}, [%rd1];",
        "ld.v2.global.b32.relaxed.gpu {%r1, %r2}, [%rd1];",
        "ld.nc.global.L2::128B.L1::evict_last.b32 %r1, [%rd1];",
        "st.b32.sys.global.release [%rd1], %r1;",
        "mma.row.m16n8k8.f32.col.aligned.sync.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7}, {%r1,%r2,%r3,%r4};",
        "cvt.f16.rn.f32 %h1, %r1;",
        "cvt.satfinite.e4m3x2.rn.f32 %h1, %r1, %r2;",
        "fma.f32.sat.rn.ftz %r1, %r2, %r3, %r4;",
        "mul.f32.rn %r1, %r2, %r3;",
        "add.s32.sat %r1, %r2, %r3;",
        "sub.u32.cc %r1, %r2, %r3;",
        "setp.ftz.f32.lt.and %p1|%p2, %r1, %r2, %p3;",
        "shfl.b32.bfly.sync %r1|%p1, %r2, %r3, 31, -1;",
        "vote.b32.ballot.sync %r1, %p1, -1;",
        "match.sync.any.b32 %r1, %r2, -1;",
        "redux.s32.add.sync %r1, %r2, -1;",
        "barrier.aligned.sync 0;",
        "barrier.cluster.arrive.aligned.relaxed;",
        "fence.gpu.acq_rel;",
        "fence.release.mbarrier_init.cluster;",
        "mbarrier.init.b64.shared [%rd1], 1;",
        "mbarrier.arrive.expect_tx.b64.shared::cta.cta.release %rd1, [%rd2], %r1;",
        "mbarrier.try_wait.parity.shared::cta.cta.acquire.b64 %p1, [%rd2], %r1;",
        "shf.l.b32.clamp %r1, %r2, %r3, %r4;",
        "prefetch.L2.global [%rd1];",
        "cp.async.cg.L2::128B.shared.global [%rd1], [%rd2], 16;",
        "cp.async.bulk.mbarrier::complete_tx::bytes.shared::cluster.global [%rd1], [%rd2], 16, [%rd3];",
        "cp.async.bulk.tensor.shared::cluster.2d.global.mbarrier::complete_tx::bytes.tile [%rd1], [%rd2, {%r1, %r2}], [%rd3];",
        "cp.reduce.async.bulk.global.shared::cta.add.bulk_group.u32 [%rd1], [%rd2], 16;",
        "wgmma.wait_group.aligned.sync 0;",
        "tcgen05.ld.x2.b32.32x32b.sync.aligned {%r1, %r2}, [%r3];",
        "slct.s32.ftz.f32 %r1, %r2, %r3, %r4;",
        "cvta.to.u64.global %rd1, %rd2;",
    ] {
        assert_eq!(accepted(line), Ok(()), "{line}");
    }
    for line in [
        "mul.u32.wide %rd1, %r1, %r2;",
        "mad.cc.lo.u32 %r1, %r2, %r3, %r4;",
        "shf.wrap.l.b32 %r1, %r2, %r3, %r4;",
        "cvta.global.to.u64 %rd1, %rd2;",
        "bar.popc.red.u32 %r1, 0, %p1;",
        "barrier.cluster.aligned.arrive;",
        "mbarrier.shared.init.b64 [%rd1], 1;",
        "cp.async.shared.cg.global [%rd1], [%rd2], 16;",
        "wgmma.sync.wait_group.aligned 0;",
        "createpolicy.L2::evict_last.fractional.b64 %rd1;",
        // Types and layouts keep their order.
        "mma.sync.aligned.m16n8k8.col.row.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7}, {%r1,%r2,%r3,%r4};",
        "cvt.rn.f32.f16 %h1, %r1;",
        "cp.async.bulk.global.shared::cluster.mbarrier::complete_tx::bytes [%rd1], [%rd2], 16, [%rd3];",
    ] {
        assert!(accepted(line).is_err(), "{line}");
    }
    check("add.s32.sat %d, %a, %b;", W32, 32, |a, b, _| (a as i32).saturating_add(b as i32) as u64);
    check("mul.f32.rn %d, %a, 0f40000000;", W32, 32, |a, _, _| {
        let product = f32::from_bits(a as u32) * 2.0;
        if product.is_nan() { 0x7fff_ffff } else { product.to_bits().into() }
    });
}

#[test]
fn numbers_from_comparisons() {
    let ones = |holds: bool| if holds { 0xffff_ffff } else { 0 };
    check("set.lt.u32.s32 %d, %a, %b;", W32, 32, |a, b, _| ones((a as i32) < b as i32));
    check("set.ge.f32.u32 %d, %a, %b;", W32, 32, |a, b, _| if a >= b { 0x3f80_0000 } else { 0 });
    check("{ .reg .pred p; setp.eq.u32 p, %c, 0; set.eq.and.s32.u32 %d, %a, %b, !p; }", W32, 32, |a, b, c| {
        ones(a == b && c != 0)
    });
    let [two_one, one_two, nan_two] = [0x4000_3c00, 0x3c00_4000, 0x7e00_4000];
    for (set, a, b, expected) in [
        ("eq.f16x2.f16x2", two_one, two_one, 0x3c00_3c00),
        ("gt.f16x2.f16x2", two_one, one_two, 0x3c00_0000),
        ("ltu.f16x2.f16x2", nan_two, two_one, 0x3c00_0000),
        ("gt.u32.f16x2", two_one, one_two, 0xffff_0000),
        ("lt.bf16x2.bf16x2", 0x3f80_4000, 0x4000_3f80, 0x3f80_0000),
    ] {
        check_on(&format!("set.{set} %d, %a, %b;"), W32, &[[a, b, 0]], |_, _, _| expected);
    }
    // Only lanes that take part get a result.
    let body = "mov.u32 %r1, 7; setp.lt.u32 %p1, %r60, 3; @%p1 set.eq.u32.u32 %r1, %r60, 1; cvt.u64.u32 %rd9, %r1;";
    assert_eq!(lanes("", body)[..5], [0, 0xffff_ffff, 0, 7, 7]);
    assert!(refused("set.eq.f16.f16x2 %h1, %r1, %r2;").contains("does not go with"));
}

/// The parts of a word, the lowest first.
fn parts(word: u64, count: u32, signed: bool) -> Vec<i64> {
    let bits = 32 / count;
    let part = |i: u32| (word >> (i * bits) & (u64::MAX >> (64 - bits))) as i64;
    (0..count).map(|i| if signed && part(i) >> (bits - 1) == 1 { part(i) - (1 << bits) } else { part(i) }).collect()
}

fn joined(parts: impl Iterator<Item = i64>, count: u32) -> u64 {
    let bits = 32 / count;
    parts.enumerate().fold(0, |word, (i, part)| word | (part as u64 & (u64::MAX >> (64 - bits))) << (i as u32 * bits))
}

#[test]
fn video_instructions() {
    type Combined = fn(i64, i64) -> i64;
    let kinds: [(&str, Combined); 6] = [
        ("vadd", |a, b| a + b),
        ("vsub", |a, b| a - b),
        ("vavrg", |a, b| (a + b + 1) >> 1),
        ("vabsdiff", |a, b| (a - b).abs()),
        ("vmin", i64::min),
        ("vmax", i64::max),
    ];
    for (name, f) in kinds {
        for (count, ty, signed) in [(4, "u32", false), (4, "s32", true), (2, "u32", false), (2, "s32", true)] {
            let zip = move |a: u64, b: u64| {
                parts(a, count, signed).into_iter().zip(parts(b, count, signed)).map(move |(a, b)| f(a, b))
            };
            let opcode = format!("{name}{count}.{ty}.{ty}.{ty}");
            check(&format!("{opcode} %d, %a, %b, %c;"), W32, 32, |a, b, _| joined(zip(a, b), count));
            check(&format!("{opcode}.add %d, %a, %b, %c;"), W32, 32, |a, b, c| {
                zip(a, b).fold(c, |sum, part| sum.wrapping_add(part as u64)) & 0xffff_ffff
            });
            let bits = 32 / count;
            let (low, high) = if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            check(&format!("{opcode}.sat %d, %a, %b, %c;"), W32, 32, |a, b, _| {
                joined(zip(a, b).map(|part| part.clamp(low, high)), count)
            });
        }
    }
    check("vadd4.u32.u32.u32.b20 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        (a & 0xff00ff).wrapping_add(b & 0xff00ff) & 0xff00ff | c & 0xff00ff00
    });
    // CUDA C++ leaves c out where nothing is added.
    check("vabsdiff4.u32.u32.u32 %d, %a, %b;", W32, 32, |a, b, _| {
        joined(parts(a, 4, false).into_iter().zip(parts(b, 4, false)).map(|(a, b)| (a - b).abs()), 4)
    });
    assert!(refused("vset4.u32.u32.lt %r1, %r2, %r3, %r4;").contains("unknown instruction"));
}

#[test]
fn a_conversion_without_rounding() {
    let inputs = [[0x3c00, 0, 0], [0x3c01, 0, 0], [0xfbff, 0, 0], [0x7c00, 0, 0], [0x0001, 0, 0]];
    let want = |a: u64| match a {
        0x3c00 | 0x3c01 => 0x3f80,
        0xfbff => 0xc780,
        0x7c00 => 0x7f80,
        _ => 0x3380,
    };
    check_on("cvt.bf16.f16 %d, %a;", Widths(16, &[16]), &inputs, |a, _, _| want(a));
}

/// `.16x32bx2`: rows 0 to 15, for the lower lanes at the address, for the upper ones a number of columns behind it.
#[test]
fn tensor_memory_in_two_parts() {
    let shared = ".shared .align 4 .b8 base[4];";
    let body = format!(
        "{ALLOC} mad.lo.u32 %r10, %r3, 1024, 0; add.u32 %r11, %r10, 1; add.u32 %r12, %r10, 2; add.u32 %r13, %r10, 3;\n\
         tcgen05.st.sync.aligned.32x32b.x4.b32 [%r41], {{%r10, %r11, %r12, %r13}}; tcgen05.wait::st.sync.aligned;\n\
         bar.warp.sync -1;\n\
         tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {{%r20, %r21}}, [%r41], 2; tcgen05.wait::ld.sync.aligned;\n\
         add.u32 %r20, %r20, 16; add.u32 %r21, %r21, 16; bar.warp.sync -1;\n\
         tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r41], 2, {{%r20, %r21}}; tcgen05.wait::st.sync.aligned;\n\
         bar.warp.sync -1;\n\
         tcgen05.ld.sync.aligned.32x32b.x4.b32 {{%r30, %r31, %r32, %r33}}, [%r41]; tcgen05.wait::ld.sync.aligned;\n\
         mul.wide.u32 %rd1, %r1, 16; add.s64 %rd1, %rd0, %rd1; st.global.v4.b32 [%rd1], {{%r30, %r31, %r32, %r33}};\n{FREE}"
    );
    let out = run_words(128, 256, shared, &body).unwrap_or_else(|e| panic!("{e}"));
    for thread in 0..128u64 {
        for column in 0..4u64 {
            let got = out[(2 * thread + column / 2) as usize] >> (32 * (column % 2)) & 0xffff_ffff;
            let (row, added) = (thread % 32, if thread % 32 < 16 { 16 } else { 0 });
            assert_eq!(got, row * 1024 + column + added, "thread {thread} column {column}");
        }
    }
    let beyond = body.replacen("[%r41], 2;", "[%r41], 511;", 1);
    assert!(run_words(128, 256, shared, &beyond).unwrap_err().to_string().contains("column"), "beyond the memory");
}

/// Runs `body` in one block of 64 threads with these checks.
fn checked(body: &str, checks: Checks) -> Result<(), FaultKind> {
    let text = kernel("sm_90a", 1, ".shared .align 16 .b8 s[1024];", &format!("ld.param.b64 %rd0, [p0];\n{body}"));
    let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut memory = Memory::new();
    let out = memory.alloc_with(&[0; 1024]).unwrap();
    let config = LaunchConfig { checks, ..LaunchConfig::new(1, 64) };
    match launch(&mut memory, &module, "k", &config, &[Arg::Ptr(out)]) {
        Ok(_) => Ok(()),
        Err(LaunchError::Fault(fault)) => Err(fault.kind),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn equal_values_of_one_instruction_are_a_class_of_their_own() {
    let first = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra E; mov.u64 %rd1, s; ";
    for (store, by_default, strict) in [
        ("st.shared.b32 [%rd1], 7;", Ok(()), Err(FaultKind::Race)),
        ("st.global.v2.b32 [%rd0], {7, 8};", Ok(()), Err(FaultKind::Race)),
        // Two lanes each.
        (
            "shr.u32 %r1, %r0, 1; mad.wide.u32 %rd2, %r1, 4, %rd1; st.shared.b32 [%rd2], %r1;",
            Ok(()),
            Err(FaultKind::Race),
        ),
        // Different values, or different instructions.
        ("st.shared.b32 [%rd1], %r0;", Err(FaultKind::Race), Err(FaultKind::Race)),
        (
            "setp.lt.u32 %p1, %r0, 16; @%p1 st.shared.b32 [%rd1], 7; @!%p1 st.shared.b32 [%rd1], 7;",
            Err(FaultKind::Race),
            Err(FaultKind::Race),
        ),
        // A lane that reads what others store, too.
        (
            "st.shared.b32 [%rd1], 7; bar.warp.sync -1; ld.shared.b32 %r2, [%rd1]; st.global.b32 [%rd0], %r2;",
            Ok(()),
            Err(FaultKind::Race),
        ),
    ] {
        let body = format!("{first}{store} E:");
        assert_eq!(checked(&body, Checks::default()), by_default, "{store}");
        assert_eq!(checked(&body, Checks::ALL), strict, "{store}");
    }
    // Two warps.
    let both = "mov.u64 %rd1, s; st.shared.b32 [%rd1], 7;";
    assert_eq!(checked(both, Checks::default()), Err(FaultKind::Race));
    // Another warp reads it without a barrier.
    let read = format!(
        "{first} st.shared.b32 [%rd1], 7; E: setp.lt.u32 %p0, %r0, 32; @%p0 bra F; mov.u64 %rd1, s;\n\
        ld.shared.b32 %r2, [%rd1]; st.global.b32 [%rd0], %r2; F:"
    );
    assert_eq!(checked(&read, Checks::default()), Err(FaultKind::Race));
    assert_eq!(checked(&read.replace("E: setp", "E: bar.sync 0; setp"), Checks::default()), Ok(()));
}

#[test]
fn matrices_without_values_may_be_loaded_but_not_used() {
    let load = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra E; mov.u64 %rd1, s; mad.wide.u32 %rd1, %r0, 16, %rd1;\n\
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%rd1];\n";
    assert_eq!(checked(&format!("{load} E:"), Checks::ALL), Ok(()));
    let used = checked(&format!("{load} setp.eq.u32 %p1, %r1, 0; @%p1 st.global.b32 [%rd0], 1; E:"), Checks::ALL);
    assert!(matches!(used, Err(FaultKind::Undefined | FaultKind::Uninitialized)), "{used:?}");
}

#[test]
fn dynamic_shared_memory_of_mlir() {
    let text = |bytes: &str| {
        kernel(
            "sm_90a",
            1,
            &format!(".shared .align 16 .b8 __dynamic_shmem__0[{bytes}];"),
            "mov.u64 %rd1, __dynamic_shmem__0; st.shared.b64 [%rd1+56], 7;",
        )
    };
    let run = |bytes: &str, dynamic_shared: u32| {
        let module = Module::parse(&text(bytes)).unwrap();
        let config = LaunchConfig { dynamic_shared, ..LaunchConfig::new(1, 1) };
        launch(&mut Memory::new(), &module, "k", &config, &[Arg::U64(0)]).map(drop)
    };
    assert_eq!((run("1", 64), run("0", 64), run("64", 0)), (Ok(()), Ok(()), Ok(())));
    assert!(run("1", 32).is_err() && run("1", 0).is_err());
}

#[test]
fn what_is_missing_is_named_with_its_place_and_section() {
    let text = format!(
        "{}\n.file 1 \"a\\\"b.cu\"\n",
        kernel("sm_80", 1, "", ".loc 1 7 12\ntex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];")
    );
    let error = Module::parse(&text).unwrap_err();
    assert_eq!((error.section, error.at.line), (Some("9.7.10"), 9));
    assert_eq!(
        error.to_string(),
        "9:1: `tex.2d.v4.f32.f32`: textures and surfaces are not simulated: the kernel may take the memory as a pointer instead \
         (PTX ISA 9.7.10), a\"b.cu:7:12"
    );
    for (line, section) in [
        ("sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};", Some("9.7.11")),
        ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];", Some("9.7.14.4")),
        ("frobnicate.b32 %r1;", None),
    ] {
        let error = Module::parse(&kernel("sm_80", 1, "", line)).unwrap_err();
        assert_eq!((error.section, error.source_place), (section, None), "{line}");
    }
}
