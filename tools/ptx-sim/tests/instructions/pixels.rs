//! Pixels of images through maps of im2col mode: which pixel each is, where it goes, what is outside, the rules of the engine.

use super::boxes::{DRAIN, SHARED, WAIT, fault, map_at, pattern, run, text};
use ptx_sim::{FaultKind, Pointer, TensorMap};

/// Maps, the bytes of their images, the first pixel, and the offsets of a filter.
const IMAGES: [(&str, usize, &[i32], &[i32]); 10] = [
    // A row of pixels, then the next image.
    ("type=f16,dims=16x9x3,channels=16,pixels=20,lower=-1,upper=-1", 864, &[0, 4, 0], &[2]),
    ("type=f16,dims=16x9x3,channels=8,pixels=7,lower=-2,upper=0,element_strides=1x3x1", 864, &[8, -2, 1], &[0]),
    // A filter of 3x3 with one pixel of padding, at each corner and in the middle.
    ("type=f16,dims=16x5x4x2,channels=16,pixels=32,lower=-1x-1,upper=-1x-1,swizzle=32", 1280, &[0, -1, -1, 0], &[0, 0]),
    ("type=f16,dims=16x5x4x2,channels=16,pixels=32,lower=-1x-1,upper=-1x-1,swizzle=32", 1280, &[0, 2, 1, 0], &[2, 2]),
    ("type=f16,dims=16x5x4x2,channels=16,pixels=48,lower=-1x-1,upper=-1x-1", 1280, &[0, 0, -1, 1], &[1, 1]),
    // Steps of two, with a box that they do not fill; and a filter with holes.
    (
        "type=f16,dims=32x5x6x2,channels=16,pixels=24,lower=-1x-1,upper=0x0,element_strides=1x2x2x1,swizzle=64",
        3840,
        &[16, 1, -1, 0],
        &[1, 2],
    ),
    ("type=u8,dims=32x7x6x2,channels=32,pixels=40,lower=-2x-2,upper=-2x-2", 2688, &[0, -2, 0, 0], &[4, 2]),
    // A start that no step from the lower corner reaches.
    (
        "type=u8,dims=16x8x4x2,channels=16,pixels=13,lower=0x0,upper=0x0,element_strides=1x3x2x1",
        1024,
        &[0, 1, 1, 0],
        &[0, 1],
    ),
    // A box before the image, and one behind it.
    ("type=f32,dims=8x3x3x2,channels=4,pixels=12,lower=-9x-9,upper=-9x-9", 576, &[4, -9, -8, 0], &[9, 8]),
    ("type=f32,dims=4x3x2x2x2,channels=4,pixels=40,lower=-1x-1x0,upper=-1x0x-1", 384, &[0, 0, -1, 0, 0], &[1, 1, 1]),
];

/// Maps that stores go through, the bytes of their images, and the first pixel.
const STORED: [(&str, usize, &[i32]); 3] = [
    ("type=f16,dims=16x9x3,channels=16,pixels=20,lower=0,upper=0", 864, &[0, 4, 0]),
    ("type=f16,dims=16x5x4x2,channels=16,pixels=32,lower=1x0,upper=-1x0,swizzle=32", 1280, &[0, 2, 1, 1]),
    ("type=u8,dims=16x8x4x2,channels=16,pixels=13,lower=0x0,upper=0x0,element_strides=1x3x2x1", 1024, &[0, 1, 1, 0]),
];

/// The pixels that an instruction names, by the definition: all first pixels of a filter, in order, from one of them on.
fn pixels(map: &TensorMap, corner: &[i32], filter: &[i32]) -> Vec<Vec<i64>> {
    let (fields, im2col) = (map.arguments(), map.arguments().im2col.as_ref().unwrap());
    let mut at: Vec<i64> = corner[1..].iter().map(|&at| at.into()).collect();
    let mut coordinates = Vec::new();
    while coordinates.len() < im2col.pixels as usize {
        let moved = at.iter().enumerate().map(|(place, at)| at + i64::from(*filter.get(place).unwrap_or(&0)));
        coordinates.push(moved.collect());
        for (place, at) in at.iter_mut().enumerate() {
            let image = place == filter.len();
            *at += if image { 1 } else { fields.element_strides[place + 1].into() };
            if image || *at < fields.dims[place + 1] as i64 + i64::from(im2col.upper[place]) {
                break;
            }
            *at = im2col.lower[place].into();
        }
    }
    coordinates
}

/// The offset of a pixel's channels in the tensor, unless it is outside.
fn offset(map: &TensorMap, pixel: &[i64]) -> Option<usize> {
    let fields = map.arguments();
    let inside = (1..).zip(pixel).all(|(dimension, at)| (0..fields.dims[dimension] as i64).contains(at));
    let moved = pixel.iter().zip(&fields.strides).map(|(at, stride)| *at as usize * *stride as usize);
    inside.then(|| moved.sum())
}

/// Where a byte of a pixel is in shared memory, of pixels that begin at `at`.
fn place(map: &TensorMap, at: usize, pixel: usize, byte: usize) -> usize {
    let row = map.box_extent(0) as usize * map.arguments().element.bytes() as usize;
    let span = map.arguments().swizzle.span().map_or(row, |span| span as usize);
    let plain = at + pixel * span + byte;
    map.arguments().swizzle.span().map_or(plain, |span| plain ^ (plain / 128 % (span as usize / 16) * 16))
}

fn list(numbers: &[i32]) -> String {
    numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

fn load(map: &TensorMap, corner: &[i32], filter: &[i32], at: usize) -> String {
    format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [b], {};\n\
         cp.async.bulk.tensor.{}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes \
         [%rd3+{at}], [%rd1, {{{}}}], [%rd6], {{{}}};",
        map.box_bytes(),
        corner.len(),
        list(corner),
        list(filter)
    )
}

fn store(corner: &[i32], at: usize) -> String {
    format!(
        "cp.async.bulk.tensor.{}d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {{{}}}], [%rd3+{at}]; {DRAIN}",
        corner.len(),
        list(corner)
    )
}

#[test]
fn loads_take_each_pixel() {
    for (fields, bytes, corner, filter) in IMAGES {
        let (map, tensor) = (map_at(fields, Pointer(0)), pattern(bytes, 0));
        let size = map.arguments().element.bytes() as usize;
        let mut expected = pattern(SHARED, 100);
        for (number, pixel) in pixels(&map, corner, filter).iter().enumerate() {
            for byte in 0..map.box_extent(0) as usize * size {
                let from = offset(&map, pixel).map(|from| from + corner[0] as usize * size + byte);
                expected[place(&map, 128, number, byte)] = from.map_or(0, |from| tensor[from]);
            }
        }
        let (shared, after) = run(fields, bytes, &text("", &load(&map, corner, filter, 128), WAIT))
            .unwrap_or_else(|e| panic!("{fields}: {e}"));
        assert_eq!(shared, expected, "{fields} at {corner:?}, {filter:?}");
        assert_eq!(after, tensor);
    }
}

#[test]
fn stores_leave_out_pixels_behind_the_last_image() {
    for (fields, bytes, corner) in STORED {
        let (map, shared) = (map_at(fields, Pointer(0)), pattern(SHARED, 100));
        let size = map.arguments().element.bytes() as usize;
        let mut expected = pattern(bytes, 0);
        for (number, pixel) in pixels(&map, corner, &vec![0; corner.len() - 2]).iter().enumerate() {
            let Some(to) = offset(&map, pixel) else { continue };
            for byte in 0..map.box_extent(0) as usize * size {
                expected[to + corner[0] as usize * size + byte] = shared[place(&map, 256, number, byte)];
            }
        }
        let (_, after) =
            run(fields, bytes, &text("", &store(corner, 256), "")).unwrap_or_else(|e| panic!("{fields}: {e}"));
        assert_eq!(after, expected, "{fields} at {corner:?}");
    }
}

const FIELDS: &str = "type=f16,dims=16x5x4x2,channels=16,pixels=32,lower=-1x-1,upper=-1x-1";
const BYTES: usize = 1280;

/// Every form of the instructions that LLVM prints and ptxas takes.
#[test]
fn forms() {
    let head =
        "mbarrier.arrive.expect_tx.shared.b64 _, [b], 1024; mov.b16 %h1, 1; mov.b16 %h2, 2; cp.async.bulk.tensor.4d";
    let (map, done) = ("[%rd1, {0, 0, 0, 1}]", "im2col.mbarrier::complete_tx::bytes");
    for (form, operands) in [
        (format!("shared::cluster.global.{done}"), "[%rd6], {%h1, %h2}"),
        (format!("shared::cta.global.{done}"), "[b], {%h1, %h2}"),
        (format!("shared::cluster.global.{done}.L2::cache_hint"), "[%rd6], {%h1, %h2}, 0x12f0000000000000"),
        (format!("shared::cluster.global.{done}.multicast::cluster"), "[%rd6], {%h1, %h2}, %h1"),
    ] {
        let one = format!("{head}.{form} [%rd3], {map}, {operands};");
        let (shared, _) = run(FIELDS, BYTES, &text("", &one, WAIT)).unwrap_or_else(|e| panic!("{form}: {e}"));
        let from = ((4 + 2) * 5 + 1) * 32;
        assert_eq!(shared[..32], pattern(BYTES, 0)[from..from + 32], "{form}");
    }
    for form in ["global.im2col", "global.im2col.L2::cache_hint"] {
        let hint = if form.ends_with("hint") { ", 0x12f0000000000000" } else { "" };
        let one = format!("cp.async.bulk.prefetch.tensor.4d.L2.{form} {map}, {{0, 1}}{hint};");
        assert!(run(FIELDS, BYTES, &text("", &one, "")).is_ok(), "{form}");
    }
    let whole = FIELDS.replace("-1x-1", "0x0");
    let reduced = whole.replace("f16", "u32").replace("dims=16", "dims=8").replace("channels=16", "channels=8");
    let one = format!(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%rd1, {{0, 0, 0, 1}}], [%rd3]; {DRAIN}"
    );
    let (shared, after) = run(&reduced, BYTES, &text("", &one, "")).unwrap();
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    assert_eq!(word(&after, 640), word(&pattern(BYTES, 0), 640).wrapping_add(word(&shared, 0)));
}

/// What a GPU leaves undefined, or ends a kernel for.
#[test]
fn rules_of_instructions() {
    let map = map_at(FIELDS, Pointer(0));
    let check = |text: &str, kind: FaultKind, detail: &str| {
        let fault = fault(FIELDS, BYTES, text);
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.detail.contains(detail), "{fault}");
    };
    let load = |corner: &[i32], filter: &[i32]| text("", &load(&map, corner, filter, 0), WAIT);
    use FaultKind::Invalid;
    check(
        &load(&[0, 4, 0, 0], &[0, 0]),
        Invalid,
        "got coordinate 4 of dimension 1, expected a pixel of the box, -1 to 3",
    );
    check(
        &load(&[0, 0, -2, 0], &[0, 0]),
        Invalid,
        "got coordinate -2 of dimension 2, expected a pixel of the box, -1 to 2",
    );
    check(
        &load(&[0, 0, 0, 0], &[0, 256]),
        Invalid,
        "got offset 256 of the filter in dimension 2, expected 0 to 255 for images of 4",
    );
    check(&load(&[4, 0, 0, 0], &[0, 0]), Invalid, "coordinate 4 of dimension 0, which is 8 bytes");
    check(&text("", &store(&[0, -1, 0, 0], 0), ""), Invalid, "got coordinate -1 of dimension 1");
    check(&text("", &store(&[0, 0, 0, 0], 0), ""), Invalid, "got pixels from -1 to the end and -1 in dimension 1");
    let behind = FIELDS.replace("lower=-1x-1,upper=-1x-1", "lower=0x0,upper=0x1");
    let behind = fault(&behind, BYTES, &text("", &store(&[0, 0, 0, 0], 0), ""));
    assert!(behind.detail.contains("got pixels from 0 to the end and 1 in dimension 2"), "{behind}");
    let tiled = load(&[0, 0, 0, 0], &[0, 0]).replace(".im2col.", ".tile.").replace("[%rd6], {0, 0}", "[%rd6]");
    check(
        &tiled,
        Invalid,
        "got a tensor map of pixels (cuTensorMapEncodeIm2col), the instruction takes boxes (`.tile`)",
    );
    let boxes = "type=f16,dims=16x5x4x2,box=16x1x1x1";
    let other = fault(boxes, BYTES, &load(&[0, 0, 0, 0], &[0, 0]));
    assert!(other.detail.contains("got a tensor map of boxes, the instruction takes pixels"), "{other}");
    let parse = |text: &str| ptx_sim::Module::parse(text).unwrap_err().to_string();
    let few = parse(&load(&[0, 0, 0, 0], &[0]));
    assert!(few.contains("got 1 offsets of a filter, expected 2"), "{few}");
    let flat = parse(&load(&[0, 0], &[0]));
    assert!(flat.contains("got images of 2 dimensions, expected 3 to 5"), "{flat}");
    let wide = parse(&load(&[0, 0, 0, 0], &[0, 0]).replace(".im2col.", ".im2col::w."));
    assert!(wide.contains("pixels of images by `.im2col::w` are not supported"), "{wide}");
}
