//! Pixels of images: the maps and instructions of copies that walk through them, and the rule by which each other is refused.

use super::*;
use tile_layout::Eval;
use tile_plan::problem::tensor_map::PixelBox;

/// A filter of 3x3 with one pixel of padding.
const PADDED: PixelBox = PixelBox { lower: [-1, -1, 0], upper: [-1, -1, 0], step: [1, 1, 1] };
const SWIZZLED: &str = "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>";

fn request(walk: PixelBox) -> MapRequest {
    MapRequest { clips: true, im2col: Some(walk), ..MapRequest::default() }
}

/// Two images of 9x7 pixels of 128 channels; of these, `pixels` and `channels` from pixel (1, 0, -1) and channel 64 on.
fn images(pixels: i64, channels: i64) -> Operand {
    let region = [(1, 1), (0, 1), (-1, pixels), (64, channels)];
    operand(Space::Global, "(2, 9, 7, 128) : (8064, 896, 128, 1)", &[2, 9, 7, 128], &region)
}

fn tile(layout: &str, pixels: i64, channels: i64) -> Operand {
    operand(Space::Shared, layout, &[pixels, channels], &[(0, pixels), (0, channels)])
}

fn walked(problem: &Problem) -> TensorMapCopy {
    planned_on(problem, request(PADDED), "sm_90a").unwrap()
}

fn refused_for(walk: PixelBox, tensor: Operand, tile: Operand) -> (&'static str, String) {
    let refusal = planned_on(&load(tensor, tile), request(walk), "sm_90a").unwrap_err();
    (refusal.cause, refusal.reason)
}

#[test]
fn pixels_are_one_instruction() {
    let copy = walked(&load(images(64, 64), tile(SWIZZLED, 64, 64)));
    assert_eq!((copy.instructions(), copy.bytes(), copy.filter_offsets()), (1, 64 * 128, 2));
    let part = &copy.parts[0];
    assert_eq!((part.map.pixels, boxed(part), at(part)), (64, vec![64, 1, 1, 1], vec![64, -1, 0, 1]));
    let corners: Vec<_> = part.map.dims.iter().map(|dim| (dim.lower, dim.upper)).collect();
    assert_eq!(corners, [(0, 0), (-1, -1), (-1, -1), (0, 0)]);
    assert_eq!(
        copy.instruction(part),
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
    );
    let text = part.map.to_text().unwrap();
    assert!(text.contains("{extent = const(7), stride = bytes(256), box = 1, lower = -1, upper = -1}"), "{text}");
    assert!(text.contains("pixels = 64"), "{text}");
}

#[test]
fn corners_and_steps_are_those_of_their_dimension() {
    let walk = PixelBox { lower: [-3, -2, 0], upper: [1, 4, 0], step: [2, 8, 1] };
    let copy = planned_on(&load(images(40, 64), tile("(40, 64) : (64, 1)", 40, 64)), request(walk), "sm_90a").unwrap();
    let dims = &copy.parts[0].map.dims;
    assert_eq!((dims[1].lower, dims[1].upper, dims[1].element_stride), (-3, 1, 2));
    assert_eq!((dims[2].lower, dims[2].upper, dims[2].element_stride), (-2, 4, 8));
}

#[test]
fn further_channels_are_further_instructions() {
    let panels = "(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>";
    let mut tensor = images(64, 128);
    tensor.begin[3] = Begin::Const(0);
    let copy = walked(&load(tensor, tile(panels, 64, 128)));
    assert_eq!((copy.instructions(), copy.bytes()), (2, 2 * 64 * 128));
    let issue = |number| copy.parts[0].issue(&mut Eval, number, &copy.shared, [&[], &[]]).unwrap();
    assert_eq!((issue(0).coordinates, issue(0).offset), (vec![0, -1, 0, 1], 0));
    assert_eq!((issue(1).coordinates, issue(1).offset), (vec![64, -1, 0, 1], 4096));
}

#[test]
fn images_have_one_to_three_dimensions_of_pixels() {
    let row = operand(Space::Global, "(4, 9, 64) : (576, 64, 1)", &[4, 9, 64], &[(0, 1), (0, 300), (0, 64)]);
    let copy = walked(&load(row, tile("(300, 64) : (64, 1)", 300, 64)));
    assert_eq!((copy.parts[0].map.pixels, copy.filter_offsets()), (300, 1));
    let shape = [2, 5, 4, 6, 64];
    let deep = operand(
        Space::Global,
        "(2, 5, 4, 6, 64) : (7680, 1536, 384, 64, 1)",
        &shape,
        &[(0, 1), (0, 1), (0, 1), (0, 32), (0, 64)],
    );
    let copy = walked(&load(deep, tile("(32, 64) : (64, 1)", 32, 64)));
    assert_eq!((copy.parts[0].map.dims.len(), copy.filter_offsets()), (5, 3));
}

#[test]
fn stores_have_no_filter() {
    let whole = PixelBox { lower: [0; 3], upper: [0; 3], step: [1; 3] };
    let mut tensor = images(64, 64);
    tensor.begin[2] = Begin::Const(3);
    let mut problem = store(tile(SWIZZLED, 64, 64), tensor);
    let copy = planned_on(&problem, request(whole), "sm_90a").unwrap();
    assert_eq!((copy.filter_offsets(), copy.instructions()), (0, 1));
    let name = copy.instruction(&copy.parts[0]);
    assert_eq!(name, "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group");
    problem.asynchronous.as_mut().unwrap().reduce = Some("add".to_owned());
    let name = planned_on(&problem, request(whole), "sm_90a").map(|copy| copy.instruction(&copy.parts[0])).unwrap();
    assert_eq!(name, "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group");
    let before = planned_on(&store(tile(SWIZZLED, 64, 64), images(64, 64)), request(PADDED), "sm_90a").unwrap_err();
    has((before.cause, before.reason), "map-corner", &["-1", "0 or more"]);
    let behind = PixelBox { upper: [0, 1, 0], ..whole };
    let behind = planned_on(&store(tile(SWIZZLED, 64, 64), images(64, 64)), request(behind), "sm_90a").unwrap_err();
    has((behind.cause, behind.reason), "map-corner", &["1", "0 or less"]);
}

#[test]
fn which_pixels_are_touched_is_not_known() {
    let problem = load(images(64, 64), tile(SWIZZLED, 64, 64));
    let touched = CopyPlan::TensorMap(walked(&problem)).touched(&problem, &Target::parse("sm_90a").unwrap()).unwrap();
    let src = touched.of(Role::Src).unwrap();
    assert!(src.moves.is_none() && src.footprint.is_some());
    let dst = touched.of(Role::Dst).unwrap().footprint.as_ref().unwrap();
    let bytes: i64 = dst.segments().iter().map(|segment| (segment.end - segment.begin) * segment.threads.len()).sum();
    assert_eq!(bytes, 32 * 64 * 128);
}

#[test]
fn rules_of_corners_steps_and_pixels() {
    let changed = |change: fn(&mut PixelBox)| {
        let mut walk = PADDED;
        change(&mut walk);
        refused_for(walk, images(64, 64), tile(SWIZZLED, 64, 64))
    };
    has(changed(|walk| walk.lower[1] = -129), "map-corner", &["-129 in dimension 2", "-128 to 127", "4 dimensions"]);
    has(changed(|walk| walk.upper[0] = 128), "map-corner", &["128 in dimension 1", "-128 to 127"]);
    has(changed(|walk| walk.upper[0] = -8), "map-corner", &["from -1 to 7 + -8 in dimension 1", "one pixel or more"]);
    has(changed(|walk| walk.step[0] = 9), "map-element-stride", &["every 9", "dimension 1", "1 to 8"]);
    has(changed(|walk| walk.step[1] = 0), "map-element-stride", &["every 0", "dimension 2", "1 to 8"]);
    let many = refused_for(PADDED, images(1025, 64), tile("(1025, 64) : (64, 1)", 1025, 64));
    has(many, "map-pixels", &["1025", "1 to 1024"]);
}

#[test]
fn what_is_no_region_of_pixels() {
    let tiled =
        |region: &[(i64, i64)]| operand(Space::Global, "(2, 9, 7, 128) : (8064, 896, 128, 1)", &[2, 9, 7, 128], region);
    let rows = refused_for(PADDED, tiled(&[(0, 1), (0, 2), (0, 32), (0, 64)]), tile(SWIZZLED, 64, 64));
    has(rows, "im2col-needs-images", &["dimension 1 of the region has 2", "needed 1"]);
    let matrix = operand(Space::Global, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]);
    has(refused_for(PADDED, matrix, tile(SWIZZLED, 64, 64)), "im2col-needs-images", &["2 dimensions"]);
    let blocked = operand(
        Space::Global,
        "(2, 9, 7, 2, 64) : (8064, 896, 64, 448, 1)",
        &[2, 9, 7, 128],
        &[(0, 1), (0, 1), (0, 64), (0, 64)],
    );
    has(refused_for(PADDED, blocked, tile(SWIZZLED, 64, 64)), "im2col-needs-images", &["5 dimensions in a map"]);
    let padded = refused_for(PADDED, images(64, 64), tile("(64, 64) : (128, 1)", 64, 64));
    has(padded, "shared-not-contiguous", &["128 elements apart", "64 elements apart"]);
    let halves = refused_for(PADDED, images(64, 64), tile("(2, 32, 64) : (4096, 64, 1)", 64, 64));
    has(halves, "shared-not-contiguous", &["pixels are in 2 runs"]);
    let across = refused_for(PADDED, images(64, 64), tile("(64, 64) : (1, 64)", 64, 64));
    has(across, "map-inner-stride", &["128 elements"]);
}

#[test]
fn plans_by_hand_have_pixels_alone() {
    let copy = walked(&load(images(64, 64), tile(SWIZZLED, 64, 64)));
    let broken = |change: fn(&mut TensorMapCopy)| {
        let mut copy = copy.clone();
        change(&mut copy);
        copy.verify().unwrap_err().reason
    };
    assert!(broken(|copy| copy.rows = 1).contains("rows"));
    assert!(broken(|copy| copy.parts.push(copy.parts[0].clone())).contains("expected one map of pixels"));
    assert!(broken(|copy| copy.parts[0].map.dims[3].boxed = 2).contains("2 elements in dimension 3"));
    assert!(broken(|copy| copy.parts[0].map.dims[0].lower = 1).contains("a corner is 1 in dimension 0; needed 0 to 0"));
    assert!(broken(|copy| copy.parts[0].map.pixels = 0).contains("a corner is -1 in dimension 1; needed 0 to 0"));
}
