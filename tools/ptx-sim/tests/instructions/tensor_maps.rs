//! `tensormap.replace` and `tensormap.cp_fenceproxy`: what a copy through the changed map does, and bad input.

use ptx_sim::FaultKind::{self, Invalid, Misaligned, OutOfBounds, Uninitialized};
use ptx_sim::{Arg, Fault, LaunchConfig, LaunchError, Memory, Module};

use super::boxes::map_at;
use super::kernel;
use crate::support::launch_text;

/// Bytes of the tensor, of what follows it, and of the map that is changed.
const TENSOR: usize = 4096;

/// A kernel of one warp with a map of the tensor in `%rd0`, `type=u8,dims=64x64,box=64x8`. The map is in shared memory (`%r2`) when
/// `one` is executed by thread 0, is copied to `%rd1`, and its box at 0 is stored: 512 bytes that count from 0 on.
fn text(one: &str, corner: &str) -> String {
    let dimensions = corner.split(',').count();
    let body = format!(
        "ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1]; mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, s; mov.u32 %r2, m; mul.lo.u32 %r3, %r0, 4; cvt.u64.u32 %rd3, %r3;\n\
         add.s64 %rd2, %rd2, %rd3; ld.b32 %r4, [%rd2]; add.u32 %r5, %r2, %r3; st.shared.b32 [%r5], %r4;\n\
         add.u32 %r5, %r1, %r0; mov.u32 %r6, %r0;\n\
         F: st.shared.b8 [%r5], %r6; add.u32 %r5, %r5, 32; add.u32 %r6, %r6, 32; setp.lt.u32 %p0, %r6, 512; @%p0 bra F;\n\
         fence.proxy.async; bar.warp.sync 0xffffffff; setp.ne.u32 %p0, %r0, 0; @%p0 bra O;\n{one}\n\
         O: bar.warp.sync 0xffffffff;\n\
         tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r2], 128;\n\
         fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128; @%p0 bra E;\n\
         cp.async.bulk.tensor.{dimensions}d.global.shared::cta.tile.bulk_group [%rd1, {{{corner}}}], [%r1];\n\
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E:"
    );
    let shared = ".shared .align 1024 .b8 s[1024]; .shared .align 128 .b8 m[256];";
    let whole = kernel("sm_90a", 2, shared, &body);
    whole.replace("k(.param .u64 p0", "k(.param .align 64 .b8 map[128], .param .u64 p0")
}

/// Launches it; returns the tensor, of zeros before.
fn run(text: &str) -> Result<Vec<u8>, LaunchError> {
    let mut memory = Memory::new();
    let tensor = memory.alloc_with(&[0; TENSOR]).unwrap();
    let map = memory.alloc_with(&[0; 256]).unwrap();
    let described = Arg::Map(map_at("type=u8,dims=64x64,box=64x8", tensor));
    launch_text(&mut memory, text, "k", &LaunchConfig::new(1, 32), &[described, Arg::Ptr(tensor), Arg::Ptr(map)])?;
    Ok(memory.read(tensor, TENSOR).unwrap().to_vec())
}

fn replace(field: &str, bits: u32, operands: &str) -> String {
    format!("tensormap.replace.tile.{field}.shared::cta.b1024.b{bits} [%r2], {operands};\n")
}

/// The offsets in the tensor that get byte 0, 1, … of the box, and no others do.
fn check(one: &str, corner: &str, offsets: impl Iterator<Item = usize>) {
    let mut expected = vec![0; TENSOR];
    offsets.enumerate().for_each(|(byte, at)| expected[at] = byte as u8);
    let got = run(&text(one, corner)).unwrap_or_else(|e| panic!("{one}: {e}"));
    assert_eq!(got, expected, "{one}");
}

/// Rows of a box of `columns` bytes, `stride` bytes apart from `base` on.
fn rows(base: usize, stride: usize, columns: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).flat_map(move |row| (0..columns).map(move |column| base + row * stride + column))
}

#[test]
fn a_copy_follows_each_field() {
    check("", "0, 0", rows(0, 64, 64, 8));
    check(
        &format!("add.s64 %rd4, %rd0, 1024; {}", replace("global_address", 64, "%rd4")),
        "0, 1",
        rows(1088, 64, 64, 8),
    );
    check(&replace("global_stride", 64, "0, 128"), "0, 0", rows(0, 128, 64, 8));
    check(&format!("mov.u32 %r7, 5; {}", replace("global_dim", 32, "1, %r7")), "0, 0", rows(0, 64, 64, 5));
    let narrow = run(&text(&replace("global_dim", 32, "0, 48"), "0, 0")).unwrap();
    let kept = |at: usize| if at < 512 && at % 64 < 48 { at as u8 } else { 0 };
    assert_eq!(narrow, (0..TENSOR).map(kept).collect::<Vec<_>>());
}

#[test]
fn fields_that_an_instruction_states() {
    let short = [replace("box_dim", 32, "0, 32"), replace("swizzle_mode", 32, "1")].concat();
    let swizzled = |at: usize| at ^ (at / 128 % 2 * 16);
    let mut expected = vec![0; TENSOR];
    rows(0, 64, 32, 8).enumerate().for_each(|(byte, at)| expected[at] = swizzled(byte) as u8);
    assert_eq!(run(&text(&short, "0, 0")).unwrap(), expected);
    // Elements of 2 bytes: 64 of them a row, of which the tensor has 32.
    let wide =
        [replace("elemtype", 32, "6"), replace("global_dim", 32, "0, 32"), replace("box_dim", 32, "0, 32")].concat();
    check(&wide, "0, 0", rows(0, 64, 64, 8));
    let more: String =
        [("rank", "2"), ("global_dim", "2, 3"), ("box_dim", "2, 2"), ("box_dim", "1, 4"), ("element_stride", "2, 1")]
            .map(|(field, operands)| replace(field, 32, operands))
            .concat();
    let more = [
        more,
        replace("global_stride", 64, "1, 512"),
        replace("fill_mode", 32, "0"),
        replace("interleave_layout", 32, "0"),
    ]
    .concat();
    check(&more, "0, 0, 1", rows(512, 64, 64, 4).chain(rows(1024, 64, 64, 4)));
}

fn fault(one: &str, corner: &str) -> Fault {
    run(&text(one, corner)).unwrap_err().fault().expect("a fault").clone()
}

#[test]
fn values_that_no_map_has() {
    let check = |one: &str, detail: &str| {
        let fault = fault(one, "0, 0");
        assert_eq!((fault.kind, &*fault.detail), (Invalid, detail), "{one}");
    };
    let base = format!("add.s64 %rd4, %rd0, 8; {}", replace("global_address", 64, "%rd4"));
    assert!(fault(&base, "0, 0").detail.ends_with("8, expected a multiple of 16"));
    check(&replace("rank", 32, "5"), "got 6 dimensions, expected 1 to 5");
    let stride = "of dimension 1, expected a multiple of 16 below 2^40";
    check(&replace("global_stride", 64, "0, 100"), &format!("got a stride of 100 bytes {stride}"));
    check(&replace("global_stride", 64, "0, -16"), &format!("got a stride of {} bytes {stride}", u64::MAX - 15));
    check(&replace("box_dim", 32, "1, 257"), "got box extent 257 of dimension 1, expected 1 to 256");
    check(&replace("element_stride", 32, "0, 9"), "got element stride 9 of dimension 0, expected 1 to 8");
    // What breaks a rule only together with other fields is found where the map is used.
    check(
        &replace("rank", 32, "2"),
        "the tensor map breaks a rule: got box extent 0 of dimension 2, expected 1 to 256",
    );
    check(&replace("rank", 32, "0"), "got a tensor map of 1 dimensions, the instruction has 2");
    check(
        &replace("fill_mode", 32, "1"),
        "the tensor map breaks a rule: got elements of type u8 filled with NaN, expected a floating-point type",
    );
    check(
        &replace("swizzle_mode", 32, "1"),
        "the tensor map breaks a rule: got an inner box of 64 bytes, expected at most the 32 bytes of the swizzle",
    );
    check(
        &replace("interleave_layout", 32, "1"),
        "the tensor map breaks a rule: interleave 16 is not supported by the simulator",
    );
    check(
        &replace("elemtype", 32, "13"),
        "the tensor map breaks a rule: element type 16u4_align8b is not supported by the simulator",
    );
    check(
        &replace("global_dim", 32, "1, 0"),
        "got a tensor of 2^32 elements in dimension 1, as which an extent of 0 is encoded, too; expected at most 2^32 - 1",
    );
    check("st.shared.b32 [%r2+20], 1;", "the bytes are those of a tensor map of which some have been changed");
}

#[test]
fn places_where_no_map_is() {
    let check = |from: &str, to: &str, kind: FaultKind, words: &str| {
        let whole = text(&replace("rank", 32, "1"), "0, 0").replace(from, to);
        let fault = run(&whole).unwrap_err().fault().expect("a fault").clone();
        assert!(fault.kind == kind && fault.detail.contains(words), "{to}: {fault}");
    };
    check("b1024.b32 [%r2]", "b1024.b32 [%r2+128]", Uninitialized, "has never been written");
    check("b1024.b32 [%r2]", "b1024.b32 [%r2+32]", Misaligned, "not a multiple of 64");
    check("b1024.b32 [%r2]", "b1024.b32 [%r2+4096]", OutOfBounds, "an access of 128 B");
    check("shared::cta.b1024.b32 [%r2]", "global.b1024.b32 [%rd1+4096]", OutOfBounds, "an access of 128 B");
    check(
        "rank.shared::cta.b1024.b32 [%r2]",
        "rank.b1024.b32 [%rd2]",
        Invalid,
        "got a tensor map in the parameters, expected",
    );
    check("[%rd1], [%r2], 128", "[%rd1+64], [%r2], 128", Misaligned, "not a multiple of 128");
    check("[%rd1], [%r2], 128", "[%rd1], [%r2+64], 128", Misaligned, "not a multiple of 128");
    check(
        "[%rd1], [%r2], 128",
        "[%rd3], [%r2], 128",
        Invalid,
        "the address of a tensor map must be the same in all lanes",
    );
    check("[%rd1], 128", "[%rd1+64], 128", Misaligned, "not a multiple of 128");
    check("sm_90a", "sm_90", Invalid, "got the target sm_90, expected sm_90a");
}

#[test]
fn what_is_refused_when_a_module_is_parsed() {
    let check = |from: &str, to: &str, words: &str| {
        let whole = text(&replace("rank", 32, "1"), "0, 0").replace(from, to);
        let error = Module::parse(&whole).unwrap_err().to_string();
        assert!(error.contains(words), "{to}: {error}");
    };
    check("rank.shared::cta", "ranks.shared::cta", "field `.ranks` of a tensor map is not supported");
    check("rank.shared::cta.b1024.b32", "rank.shared::cta.b1024.b64", "`.b1024.b32` is expected for `.rank`");
    check("rank.shared::cta", "rank.local", "a map in global or shared memory of the block is expected");
    check("rank.shared::cta.b1024.b32 [%r2], 1", "box_dim.shared::cta.b1024.b32 [%r2], 5, 1", "got 5, expected 0 to 4");
    check(
        "rank.shared::cta.b1024.b32 [%r2], 1",
        "swizzle_mode.shared::cta.b1024.b32 [%r2], 4",
        "got 4, expected 0 to 3",
    );
    check("rank.shared::cta.b1024.b32 [%r2], 1", "elemtype.shared::cta.b1024.b32 [%r2], %r0", "a constant is expected");
    check("[%rd1], [%r2], 128", "[%rd1], [%r2], 64", "got 64 bytes, expected 128");
    check("acquire.gpu [%rd1], 128", "acquire.gpu [%rd1], 256", "got 256 bytes, expected 128");
    check("release.gpu.sync.aligned", "release.gpu", "a modifier is missing");
}
