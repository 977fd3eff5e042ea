//! Copies of boxes of tensors: where every element goes, element types, the rules of maps and instructions.

use super::{kernel, target};
use crate::support::launch_text;
use ptx_sim::{Arg, Fault, FaultKind, LaunchConfig, LaunchError, Memory, Module, Pointer, TensorMap, TiledMap, launch};

/// Bytes of shared memory.
pub(super) const SHARED: usize = 4096;

/// A kernel of 256 threads with a tensor map, of which it has the generic address in `%rd1`, and two arrays. All bytes of
/// shared memory are the first array's before `one`, which one thread executes, and are written back to it after `all`.
pub(super) fn text(declarations: &str, one: &str, all: &str) -> String {
    let body = format!(
        "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.b64 %rd0, [p0]; mov.u32 %r0, %tid.x;\n\
         mul.wide.u32 %rd2, %r0, 16; mov.u64 %rd3, s; add.s64 %rd4, %rd3, %rd2; add.s64 %rd5, %rd0, %rd2;\n\
         mov.u64 %rd6, b; ld.global.v2.b64 {{%rd7, %rd8}}, [%rd5]; st.shared.v2.b64 [%rd4], {{%rd7, %rd8}};\n\
         setp.ne.u32 %p0, %r0, 0; @%p0 bra I; mbarrier.init.shared.b64 [b], 1;\n\
         I: fence.proxy.async; bar.sync 0; @%p0 bra O;\n{one}\nO: {all}\n\
         ld.shared.v2.b64 {{%rd7, %rd8}}, [%rd4]; st.global.v2.b64 [%rd5], {{%rd7, %rd8}};"
    );
    let shared = format!(".shared .align 1024 .b8 s[{SHARED}]; .shared .align 8 .b8 b[8]; {declarations}");
    let whole = kernel(target(&body), 2, &shared, &body);
    whole.replace("k(.param .u64 p0", "k(.param .align 64 .b8 map[128], .param .u64 p0")
}

/// Waits for the barrier.
pub(super) const WAIT: &str = "W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra W;";
pub(super) const DRAIN: &str = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

fn list(numbers: &[i32]) -> String {
    numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

fn load(map: &TensorMap, corner: &[i32], at: usize) -> String {
    format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [b], {};\n\
         cp.async.bulk.tensor.{}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes \
         [%rd3+{at}], [%rd1, {{{}}}], [%rd6];",
        map.box_bytes(),
        corner.len(),
        list(corner)
    )
}

fn store(corner: &[i32], at: usize) -> String {
    let to = "cp.async.bulk.tensor";
    format!(
        "{to}.{}d.global.shared::cta.tile.bulk_group [%rd1, {{{}}}], [%rd3+{at}]; {DRAIN}",
        corner.len(),
        list(corner)
    )
}

/// The bytes that a launch starts with: none of them is 0 or repeated within a row.
pub(super) fn pattern(bytes: usize, seed: usize) -> Vec<u8> {
    (0..bytes).map(|i| (1 + (i * 7 + i / 251 + seed) % 255) as u8).collect()
}

/// Launches a kernel on a tensor of `bytes` bytes that the map describes; returns shared memory and the tensor.
pub(super) fn run(map: &str, bytes: usize, text: &str) -> Result<(Vec<u8>, Vec<u8>), LaunchError> {
    let mut memory = Memory::new();
    let out = memory.alloc_with(&pattern(SHARED, 100)).unwrap();
    let tensor = memory.alloc_with(&pattern(bytes, 0)).unwrap();
    let map = Arg::Map(map_at(map, tensor));
    launch_text(&mut memory, text, "k", &LaunchConfig::new(1, 256), &[map, Arg::Ptr(out), Arg::Ptr(tensor)])?;
    Ok((memory.read(out, SHARED).unwrap().to_vec(), memory.read(tensor, bytes).unwrap().to_vec()))
}

pub(super) fn map_at(map: &str, base: Pointer) -> TensorMap {
    let fields: TiledMap = map.parse().unwrap_or_else(|e| panic!("{map}: {e}"));
    TensorMap::tiled(TiledMap { base: base.0, ..fields }).unwrap_or_else(|e| panic!("{map}: {e}"))
}

pub(super) fn fault(map: &str, bytes: usize, text: &str) -> Fault {
    run(map, bytes, text).unwrap_err().fault().expect("a fault").clone()
}

/// One element of a box: its offset in the tensor, unless it is outside, and its address in shared memory.
struct Element {
    global: Option<usize>,
    shared: usize,
}

/// All elements of a box at `at`, by the definition of each field.
fn elements(map: &TensorMap, corner: &[i32], at: usize) -> Vec<Element> {
    let fields = map.arguments();
    let (size, count) = (fields.element.bytes() as usize, |d: usize| map.box_extent(d) as usize);
    let span = fields.swizzle.span().map_or(count(0) * size, |span| span as usize);
    let total: usize = (0..map.rank()).map(count).product();
    let one = |number: usize| {
        let (mut rest, mut row, mut place, mut global) = (number / count(0), 0, 1, Some(0));
        let column = number % count(0);
        for (d, &first) in corner.iter().enumerate() {
            let index = if d == 0 { column } else { rest % count(d) };
            if d > 0 {
                (rest, row, place) = (rest / count(d), row + index * place, place * count(d));
            }
            let step = if d == 0 { 1 } else { fields.element_strides[d] as i64 };
            let position = i64::from(first) + index as i64 * step;
            let inside = (0..fields.dims[d] as i64).contains(&position);
            let stride = if d == 0 { size } else { fields.strides[d - 1] as usize };
            global = global.filter(|_| inside).map(|at: usize| at + position as usize * stride);
        }
        let plain = at + row * span + column * size;
        let shared = match fields.swizzle.span() {
            None => plain,
            Some(span) => plain ^ (plain / 128 % (span as usize / 16) * 16),
        };
        Element { global, shared }
    };
    (0..total).map(one).collect()
}

/// Maps, the bytes of their tensors, and corners.
const BOXES: [(&str, usize, &[i32]); 16] = [
    ("type=u8,dims=200,box=64", 208, &[16]),
    ("type=u8,dims=200,box=64", 208, &[160]),
    ("type=f16,dims=64x20,box=64x8,swizzle=128", 2560, &[0, 8]),
    ("type=f16,dims=64x20,box=32x16,swizzle=64", 2560, &[32, 3]),
    ("type=f16,dims=64x20,box=16x16,swizzle=32", 2560, &[8, 9]),
    ("type=f16,dims=64x20,box=24x10,swizzle=64", 2560, &[48, 0]),
    ("type=f16,dims=64x20,box=8x11,swizzle=128", 2560, &[56, 15]),
    ("type=f16,dims=60x20,strides=128,box=32x4,swizzle=64", 2560, &[40, 18]),
    ("type=u32,dims=5x6,strides=32,box=4x4", 192, &[4, 4]),
    ("type=f64,dims=16x8,box=16x4,swizzle=128", 1024, &[2, 1]),
    ("type=u8,dims=64x4x3,box=32x3x2", 768, &[32, 2, 1]),
    ("type=f32,dims=8x4x3x2,box=8x2x2x2,swizzle=32", 768, &[0, 1, 2, 0]),
    ("type=u16,dims=8x2x2x2x2,box=8x2x1x2x2", 256, &[0, 1, 1, 0, 1]),
    ("type=u16,dims=64x8,box=16x7,element_strides=1x3", 1024, &[16, 1]),
    ("type=u16,dims=64x8,box=16x4,element_strides=2x8", 1024, &[32, 7]),
    // Rows that overlap, and one that is repeated.
    ("type=u16,dims=64x8x2,strides=16x0,box=16x4x2", 240, &[8, 2, 0]),
];

#[test]
fn loads_move_every_element() {
    for (fields, bytes, corner) in BOXES {
        let negative: Vec<i32> = corner.iter().zip(0..).map(|(at, d)| if d == 0 { at - 48 } else { at - 4 }).collect();
        for corner in [corner, &negative] {
            let (map, tensor) = (map_at(fields, Pointer(0)), pattern(bytes, 0));
            let mut expected = pattern(SHARED, 100);
            let size = map.arguments().element.bytes() as usize;
            for element in elements(&map, corner, 128) {
                let value = element.global.map_or(vec![0; size], |from| tensor[from..from + size].to_vec());
                expected[element.shared..element.shared + size].copy_from_slice(&value);
            }
            let (shared, after) = run(fields, bytes, &text("", &load(&map, corner, 128), WAIT))
                .unwrap_or_else(|e| panic!("{fields}: {e}"));
            assert_eq!(shared, expected, "{fields} at {corner:?}");
            assert_eq!(after, tensor);
        }
    }
}

#[test]
fn stores_move_every_element_that_is_inside() {
    for (fields, bytes, corner) in BOXES.into_iter().filter(|(fields, ..)| !fields.contains("strides=16x0")) {
        let (map, shared) = (map_at(fields, Pointer(0)), pattern(SHARED, 100));
        let mut expected = pattern(bytes, 0);
        let size = map.arguments().element.bytes() as usize;
        let all = elements(&map, corner, 256);
        let mut chunk = 0..0;
        for element in all {
            // An H100 also writes what is behind a row's last element, up to a multiple of 16 bytes.
            let last = element.global.unwrap_or(chunk.end);
            let behind = element.global.is_none() && !chunk.is_empty() && last % 16 != 0;
            if element.global.is_some() || behind {
                expected[last..last + size].copy_from_slice(&shared[element.shared..element.shared + size]);
                chunk = last..last + size;
            } else {
                chunk = 0..0;
            }
        }
        let (_, after) =
            run(fields, bytes, &text("", &store(corner, 256), "")).unwrap_or_else(|e| panic!("{fields}: {e}"));
        assert_eq!(after, expected, "{fields} at {corner:?}");
    }
}

#[test]
fn outside_reads_as_nan() {
    for (ty, size) in [("f16", 2), ("bf16", 2), ("f32", 4), ("f64", 8), ("tf32", 4)] {
        let fields = format!("type={ty},dims=16,box=16,fill=nan");
        let map = map_at(&fields, Pointer(0));
        let (shared, _) = run(&fields, 16 * size, &text("", &load(&map, &[8], 0), WAIT)).unwrap();
        assert!(shared[8 * size..16 * size].chunks(2).all(|half| half == [0xf7, 0x7f]), "{ty}");
    }
}

/// The results of an H100.
#[test]
fn loads_round_to_tf32() {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let got =
        words(&[0x3f80_1000, 0x3f80_3000, 0x3f80_1fff, 0x3f80_0fff, 0x1001, 0x7f80_0001, 0xbf80_1000, 0x807f_ffff]);
    let rounded =
        words(&[0x3f80_0000, 0x3f80_4000, 0x3f80_2000, 0x3f80_0000, 0x2000, 0x7fff_e000, 0xbf80_0000, 0x8080_0000]);
    for (ty, expected) in [("tf32", &rounded), ("tf32ftz", &rounded), ("f32", &got), ("f32ftz", &got)] {
        let fields = format!("type={ty},dims=8,box=8");
        let mut memory = Memory::new();
        let out = memory.alloc_with(&pattern(SHARED, 100)).unwrap();
        let map = map_at(&fields, memory.alloc_with(&got).unwrap());
        let args = [Arg::Map(map.clone()), Arg::Ptr(out), Arg::Ptr(Pointer(map.arguments().base))];
        let text = text("", &load(&map, &[0], 0), WAIT);
        launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 256), &args).unwrap();
        assert_eq!(memory.read(out, 32).unwrap(), expected, "{ty}");
    }
}

/// Every form of the instructions that LLVM prints and ptxas takes.
#[test]
fn forms() {
    let fields = "type=f16,dims=64x8,box=64x4,swizzle=128";
    let head = "mbarrier.arrive.expect_tx.shared.b64 _, [b], 512; mov.b64 %rd9, 0x12f0000000000000; mov.b16 %h1, 1;\n\
                mov.b32 %r1, 0; cp.async.bulk.tensor.2d";
    let (map, done) = ("[%rd1, {%r1, 4}]", "mbarrier::complete_tx::bytes");
    for (form, operands) in [
        (format!("shared::cluster.global.tile.{done}"), "[%rd6]"),
        (format!("shared::cluster.global.{done}"), "[%rd6]"),
        (format!("shared::cta.global.tile.{done}"), "[b]"),
        (format!("shared::cluster.global.tile.{done}.L2::cache_hint"), "[%rd6], %rd9"),
        (format!("shared::cluster.global.tile.{done}.multicast::cluster"), "[%rd6], %h1"),
        (format!("shared::cluster.global.tile.{done}.multicast::cluster.L2::cache_hint"), "[%rd6], %h1, %rd9"),
        (format!("shared::cluster.global.tile.{done}.cta_group::1"), "[%rd6]"),
    ] {
        let one = format!("{head}.{form} [%rd3], {map}, {operands};");
        let (shared, _) = run(fields, 1024, &text("", &one, WAIT)).unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(shared[..16], pattern(1024, 0)[512..528], "{form}");
    }
    for form in ["tile.bulk_group", "bulk_group"] {
        let one = format!("cp.async.bulk.tensor.2d.global.shared::cta.{form} [%rd1, {{0, 4}}], [s]; {DRAIN}");
        assert_eq!(run(fields, 1024, &text("", &one, "")).unwrap().1[512..528], pattern(SHARED, 100)[..16], "{form}");
    }
    for form in ["global.tile", "global", "global.tile.L2::cache_hint"] {
        let hint = if form.ends_with("hint") { ", 0x12f0000000000000" } else { "" };
        let one = format!("cp.async.bulk.prefetch.tensor.2d.L2.{form} [%rd1, {{0, 4}}]{hint};");
        assert!(run(fields, 1024, &text("", &one, "")).is_ok(), "{form}");
    }
    let prefetches = "prefetch.param.tensormap [map]; prefetch.tensormap [%rd1];";
    assert!(run(fields, 1024, &text("", prefetches, "")).is_ok());
}

/// The map of rows that are named one by one has boxes of one row.
#[test]
fn four_rows() {
    let fields = "type=f16,dims=64x8,box=64x1";
    let rows = "{0, 5, 0, 7, 8}";
    let load = format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [b], 512;\n\
         cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%rd3], [%rd1, {rows}], [%rd6];"
    );
    let sm_100 = |text: String| text.replace("sm_90a", "sm_100a");
    let (shared, _) = run(fields, 1024, &sm_100(text("", &load, WAIT))).unwrap();
    let tensor = pattern(1024, 0);
    let row = |number: usize| tensor[number * 128..][..128].to_vec();
    assert_eq!(shared[..512], [row(5), row(0), row(7), vec![0; 128]].concat());
    let store =
        format!("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {rows}], [%rd3]; {DRAIN}");
    let (shared, after) = run(fields, 1024, &sm_100(text("", &store, ""))).unwrap();
    assert_eq!(
        (&after[640..768], &after[..128], &after[896..]),
        (&shared[..128], &shared[128..256], &shared[256..384])
    );
    let tall = fields.replace("64x1", "64x2");
    assert!(fault(&tall, 1024, &sm_100(text("", &load, WAIT))).detail.starts_with("got a box of 2 rows, expected 1"));
}

/// What ends a kernel on a GPU, mostly without saying why.
#[test]
fn rules_of_instructions() {
    let (fields, bytes) = ("type=f16,dims=64x8,box=16x8", 1024);
    let map = map_at(fields, Pointer(0));
    let load = |corner: &[i32], at: usize| text("", &load(&map, corner, at), WAIT);
    let check = |text: &str, kind: FaultKind, detail: &str| {
        let fault = fault(fields, bytes, text);
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.detail.contains(detail), "{fault}");
        assert!(fault.line > 0 && fault.thread.is_some(), "{fault}");
    };
    use FaultKind::{Invalid, Misaligned, OutOfBounds};
    check(&load(&[4, 0], 0), Invalid, "coordinate 4 of dimension 0, which is 8 bytes, expected a multiple of 16 bytes");
    check(&load(&[-12, 0], 0), Invalid, "coordinate -12 of dimension 0, which is -24 bytes");
    check(&load(&[0, 0], 64), Misaligned, "the address is not a multiple of 128");
    check(&load(&[0, 0], 3968), OutOfBounds, "an access of 256 B, a block has 4104 bytes of shared memory");
    check(&load(&[0, 0, 0], 0), Invalid, "got a tensor map of 2 dimensions, the instruction has 3");
    check(&text("", &store(&[0, -1], 0), ""), Invalid, "got coordinate -1 of dimension 1");
    let long = run("type=f16,dims=64x4294967296,box=16x8", 1024, &load(&[0, 0], 0)).unwrap_err();
    assert!(long.fault().unwrap().detail.starts_with("got a tensor of 2^32 elements in dimension 1"), "{long}");
    let elsewhere = load(&[0, 0], 0).replace("[%rd6]", "[%rd0]");
    check(&elsewhere, OutOfBounds, "an access of 8 B, the address is one of shared memory");
    let none = load(&[0, 0], 0).replace("@%p0 bra I; mbarrier.init.shared.b64 [b], 1;", "");
    check(&none, FaultKind::Uninitialized, "offset 4096 of shared memory has never been written");
}

/// A map of which the kernel's memory does not have all.
#[test]
fn memory_that_is_not_there() {
    let fields = "type=f16,dims=64x8,box=16x4";
    let map = map_at(fields, Pointer(0));
    let launched = |corner: &[i32], bytes: usize, base: u64, one: &dyn Fn(&[i32]) -> String, all: &str| {
        let mut memory = Memory::new();
        let out = memory.alloc_with(&pattern(SHARED, 100)).unwrap();
        let tensor = memory.alloc_with(&pattern(bytes, 0)).unwrap();
        let args = [Arg::Map(map_at(fields, tensor.offset(base))), Arg::Ptr(out), Arg::Ptr(tensor)];
        let module = Module::parse(&text("", &one(corner), all)).unwrap();
        launch(&mut memory, &module, "k", &LaunchConfig::new(1, 256), &args).map(drop)
    };
    let kind = |result: Result<(), LaunchError>| result.err().map(|e| e.fault().unwrap().kind);
    let (load, store) = (|corner: &[i32]| load(&map, corner, 0), |corner: &[i32]| store(corner, 0));
    // The tensor's last rows are not in the allocation.
    assert_eq!(kind(launched(&[0, 0], 512, 0, &load, WAIT)), None);
    assert_eq!(kind(launched(&[0, 1], 512, 0, &load, WAIT)), Some(FaultKind::OutOfBounds));
    assert_eq!(kind(launched(&[0, 1], 512, 0, &store, "")), Some(FaultKind::OutOfBounds));
    // A store writes the 16 bytes that contain the last element of a row.
    let (narrow, corner) = ("type=u8,dims=40,box=48", [0]);
    let one = text("", &self::store(&corner, 0), "");
    assert_eq!(run(narrow, 48, &one).unwrap().1[..], pattern(SHARED, 100)[..48]);
    assert_eq!(fault(narrow, 40, &one).kind, FaultKind::OutOfBounds);
    // The base is behind the allocation, and all of the box is outside the tensor.
    assert_eq!(kind(launched(&[0, 8], 512, 512, &load, WAIT)), Some(FaultKind::OutOfBounds));
    assert_eq!(kind(launched(&[0, 8], 512, 512, &store, "")), None);
}

/// Where maps may be, and what is no map.
#[test]
fn maps_in_memory() {
    let fields = "type=f16,dims=64x8,box=16x4";
    let map = map_at(fields, Pointer(0));
    // LLVM makes such a copy of a parameter that is not `grid_constant`.
    let copied = |at: &str| {
        let move_map: String = (0..16)
            .map(|word| format!("ld.param.b64 %rd7, [map+{0}]; st.{at}.b64 [m+{0}], %rd7;\n", 8 * word))
            .collect();
        let one = format!(
            ".{at} .align 128 .b8 m[128]; {move_map}mov.b64 %rd1, m; cvta.{at}.u64 %rd1, %rd1; {}",
            load(&map, &[0, 0], 0)
        );
        text("", &one, WAIT)
    };
    let detail = |text: &str| fault(fields, 1024, text).detail;
    for at in ["shared", "local"] {
        let expected =
            format!("got a tensor map in {at} memory, expected global memory, constants or kernel parameters");
        assert_eq!(detail(&copied(at)), expected);
    }
    let written = copied("global").replace(".global .align 128 .b8 m[128];", "");
    let written = written.replace(".visible", ".global .align 128 .b8 m[128];\n.visible");
    assert!(detail(&written).contains("without `fence.proxy.tensormap::generic.release` between that and this use"));
    let global = ".global .align 128 .b8 m[256];";
    let zeros = text(global, &format!("mov.b64 %rd1, m; cvta.global.u64 %rd1, %rd1; {}", load(&map, &[0, 0], 0)), WAIT);
    assert_eq!(detail(&zeros), "the bytes are not those of a tensor map");
    let shifted = zeros.replace("mov.b64 %rd1, m;", "mov.b64 %rd1, m+32;");
    assert_eq!(detail(&shifted), "the address is not a multiple of 64");
    let prefetched = zeros.replace("mbarrier.arrive", "prefetch.tensormap [%rd1]; mbarrier.arrive");
    assert_eq!(fault(fields, 1024, &prefetched).opcode, "prefetch.tensormap");
}

#[test]
fn forms_that_there_are_not() {
    let error = |body: &str| Module::parse(&text("", body, "")).unwrap_err().to_string();
    let load = "cp.async.bulk.tensor.2d.shared::cluster.global";
    let done = "mbarrier::complete_tx::bytes";
    assert!(
        error(&format!("{load}.tile.{done} [%rd3], [%rd1, {{0}}], [%rd6];")).contains("got 1 coordinates, expected 2")
    );
    assert!(
        error(&format!("{load}.tile.{done} [%rd3], [%rd1], [%rd6];")).contains("`[map, {coordinates}]` is expected")
    );
    assert!(error(&format!("{load}.im2col.{done} [%rd3], [%rd1, {{0, 0}}], [%rd6], {{0}};")).contains("images"));
    assert!(error("cp.async.bulk.tensor.6d.shared::cluster.global.tile;").contains("unknown modifier `.6d`"));
    let wrong = "cp.async.bulk.tensor.2d.shared::cluster.shared::cta.tile [%rd3], [%rd1, {0, 0}], [%rd6];";
    assert!(error(wrong).contains("no copy of a box between these spaces"));
    let reduced = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.sub.tile.bulk_group [%rd1, {0}], [%rd3];";
    assert!(error(reduced).contains("unknown modifier `.sub`"));
}
