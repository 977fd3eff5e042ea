//! Unknown or illegal text is rejected with its position.

use super::kernel;
use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory, Module, Position, launch};

/// The error message for a body that is not accepted.
pub fn refused(body: &str) -> String {
    match Module::parse(&kernel("sm_100a", 1, "", body)) {
        Ok(_) => panic!("`{body}` is accepted"),
        Err(error) => error.message,
    }
}

#[test]
fn unknown_instructions_and_modifiers() {
    for (body, word) in [
        ("frobnicate.b32 %r1, %r2;", "unknown instruction"),
        ("add.frob.s32 %r1, %r2, %r3;", "unknown modifier `.frob`"),
        ("add.s32.frob %r1, %r2, %r3;", "unknown modifier `.frob`"),
        ("ld.global.L1::frob.b32 %r1, [%rd1];", "unknown modifier"),
        (
            "cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%rd1], [%rd2], [%rd3];",
            "tensor",
        ),
        ("tcgen05.alloc.cta_group::4.sync.aligned.shared::cta.b32 [%rd1], 32;", "cta_group::4"),
        ("tcgen05.ld.sync.aligned.16x128b.x128.b32 {%r1}, [%r2];", "repeat"),
        ("shfl.down.b32 %r1, %r2, 1, 31;", ".sync"),
        ("div.f32 %r1, %r2, %r3;", "rounding"),
        ("cvt.s32.f32 %r1, %r2;", "rounding"),
        ("cvt.f16.f32 %h1, %r2;", "rounding"),
        ("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1}, [%rd1];", "modifier"),
        ("cp.async.cg.shared.global [%rd1], [%rd2], 8;", "expected 16"),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], [%rd2], %r1;", "`.noftz` goes with"),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [%rd1], [%rd2], %r1;", "`.noftz` goes with"),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [%rd2], %r1;", "no bulk reduction `min`"),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.exch.b32 [%rd1], [%rd2], %r1;",
            "no bulk reduction `exch`",
        ),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [%rd1], [%rd2], %r1;", "no bulk reduction `inc`"),
        ("createpolicy.range.L2::evict_first.b64 %rd1, [%rd2], 16, 16;", "modifier"),
        (".frob 1;", "unknown directive"),
    ] {
        let message = refused(body);
        assert!(message.contains(word), "`{body}`: {message}");
    }
}

#[test]
fn operands() {
    for (body, word) in [
        ("add.s32 %r1, %r2;", "operand 3 is missing"),
        ("add.s32 %r1, %r2, %r3, %r4;", "got 4 operands, expected 3"),
        ("add.s32 %r1, %nowhere, %r3;", "not declared"),
        ("add.s32 %rd1, %r2, %r3;", "has 64 bits, the instruction needs 32"),
        ("add.s32 %r1, %r2, 0x1ffffffff;", "does not fit"),
        ("bra NOWHERE;", "not a label"),
        ("@%r1 bra X; X:", "not a predicate"),
        ("ld.global.v2.b32 {%r1, %r2, %r3}, [%rd1];", "got 3 destinations"),
        ("ld.param.b64 %rd1, [p0+4];", "left"),
        ("call (x), nothing, (y);", "not defined"),
        (
            "{ .param .b64 a; st.param.b64 [a], 1; call.uni __assertfail, (a); }",
            "`__assertfail` takes arguments of 8, 8, 4, 8, 8 bytes",
        ),
        (".reg .b32 %r1; .reg .b32 %r1;", "declared twice"),
    ] {
        let message = refused(body);
        assert!(message.contains(word), "`{body}`: {message}");
    }
}

#[test]
fn places() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r<2>;\n  nonsense.b32 %r1;\n}";
    assert_eq!(Module::parse(text).unwrap_err().at, Position { line: 7, column: 3 });
    assert!(Module::parse(".target sm_90").unwrap_err().message.contains(".version"));
    assert!(Module::parse(".version 8.0\n.address_size 32").unwrap_err().message.contains("expected 64"));
    let called = ".version 8.0\n.entry k() { call.uni k; ret; }";
    assert!(Module::parse(called).unwrap_err().message.contains("`k` cannot be called"));
    let missing = ".version 8.0\n.global .u64 p = elsewhere;";
    assert!(Module::parse(missing).unwrap_err().message.contains("elsewhere"));
}

#[test]
fn launches() {
    let module =
        Module::parse(&kernel("sm_90", 1, "", "").replace("(.param .u64 p0)\n{", "(.param .u64 p0)\n.reqntid 64\n{"))
            .unwrap();
    let run = |kernel: &str, config: LaunchConfig, args: &[Arg]| match launch(
        &mut Memory::new(),
        &module,
        kernel,
        &config,
        args,
    ) {
        Err(LaunchError::Config { message, .. }) => message,
        Err(LaunchError::Mismatch { mismatch, .. }) => mismatch.to_string(),
        other => panic!("{other:?}"),
    };
    let good = [Arg::U64(0)];
    assert!(run("x", LaunchConfig::new(1, 64), &good).contains("no such kernel"));
    assert!(run("k", LaunchConfig::new(1, 32), &good).contains(".reqntid"));
    assert!(run("k", LaunchConfig::new(1, 64), &[]).contains("got 0 arguments, expected 1"));
    assert!(run("k", LaunchConfig::new(1, 64), &[Arg::U32(0)]).contains("has 4 bytes, expected 8"));
    assert!(run("k", LaunchConfig::new(0, 64), &good).contains("got a grid of 0x1x1 blocks"));
    assert!(run("k", LaunchConfig { block: [64, 32, 1], ..LaunchConfig::new(1, 1) }, &good).contains("1 to 1024"));
    assert!(
        run("k", LaunchConfig { cluster: Some([2, 1, 1]), ..LaunchConfig::new(3, 64) }, &good).contains("multiple")
    );
    assert!(
        run("k", LaunchConfig { dynamic_shared: 1 << 20, ..LaunchConfig::new(1, 64) }, &good).contains("shared memory")
    );
}

#[test]
fn another_kernel_may_be_beyond_the_simulator() {
    let both = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry good()\n{ ret; }\n.visible .entry bad()\n{ .reg .b32 %r<2>; unheard.of %r1; ret; }\n";
    assert!(Module::parse(both).is_err() && Module::parse_kernel(both, "bad").is_err());
    assert_eq!(Module::parse_kernel(both, "good").unwrap().kernels().collect::<Vec<_>>(), ["good"]);
}
