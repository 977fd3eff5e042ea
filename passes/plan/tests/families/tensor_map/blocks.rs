//! Boxes of several blocks of a dimension whose extent only the host knows.

use tile_layout::{Axis, Iter, OPEN};
use tile_plan::families::tensor_map::{Extent, explained};

use super::*;

/// A tensor of run-time extents, of which the columns are a multiple of `divisor`; 64 rows and 256 columns from run-time places on.
fn tensor(divisor: i64, at: i64) -> Operand {
    let mut tensor = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(0, 64), (0, 256)]);
    tensor.shape = vec![OPEN; 2];
    tensor.layout.shard = vec![Iter::new(OPEN, 1, Axis::S0), Iter::memory(OPEN, 1)];
    tensor.extent_divisors = vec![1, divisor];
    let begin = |value, divisor| Begin::Dynamic { value, divisor, residue: 0 };
    tensor.begin = vec![begin(0, 1), begin(1, at)];
    tensor.strides = vec![RunTimeStride { value: 2, divisor: 8 }];
    tensor
}

/// Panels of 64 columns, as tensor cores read them.
fn panels() -> Operand {
    let layout = "(64, 4, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>";
    operand(Space::Shared, layout, &[64, 256], &[(0, 64), (0, 256)])
}

const MASKED: MapRequest = MapRequest {
    clips: true,
    fill: OutOfBounds::Zero,
    promotion: None,
    rows: false,
    until: false,
    tf32: false,
    im2col: None,
};

/// The plan, and why it has not one box.
fn why(problem: &Problem) -> (TensorMapCopy, Option<(&'static str, String)>) {
    let (copy, larger) = explained(problem, MASKED, &Target::parse("sm_90a").unwrap()).unwrap();
    assert_eq!(planned_on(problem, MASKED, "sm_90a"), Ok(copy.clone()));
    (copy, larger.map(|refusal| (refusal.cause, refusal.reason)))
}

#[test]
fn panels_are_a_dimension_of_one_box() {
    let (copy, larger) = why(&load(tensor(64, 256), panels()));
    let [part] = &copy.parts[..] else { panic!("{copy:?}") };
    assert_eq!((copy.instructions(), boxed(part), larger), (1, vec![64, 64, 4], None));
    let extents: Vec<Extent> = part.map.dims.iter().map(|dim| dim.extent).collect();
    assert_eq!(extents, [Extent::Const(64), Extent::Of(0), Extent::Blocks { dimension: 1, elements: 64 }]);
    let strides: Vec<Stride> = part.map.dims.iter().map(|dim| dim.stride).collect();
    assert_eq!(strides, [Stride::Bytes(2), Stride::Times { stride: 0, bytes: 2 }, Stride::Bytes(128)]);
    let issue = part.issue(&mut tile_layout::Eval, 0, &copy.shared, [&[7, 512, 0], &[]]).unwrap();
    assert_eq!(issue.coordinates, [0, 7, 8]);
}

#[test]
fn other_columns_take_a_box_for_each_panel() {
    let (copy, larger) = why(&load(tensor(32, 256), panels()));
    assert_eq!((copy.instructions(), boxed(&copy.parts[0])), (4, vec![64, 64]));
    has(larger.unwrap(), "map-block", &["blocks of 64", "known to be a multiple of 32", "needed a multiple of 64"]);
    let (copy, larger) = why(&load(tensor(64, 8), panels()));
    assert_eq!(copy.instructions(), 4);
    has(larger.unwrap(), "map-block", &["the region begins at a multiple of 8"]);
    let known = operand(Space::Global, "(512, 520) : (520, 1)", &[512, 520], &[(0, 64), (0, 256)]);
    let clipped = replaced(load(known, panels()), Role::Src, |tensor| tensor.begin = self::tensor(64, 256).begin);
    let (copy, larger) = why(&clipped);
    assert_eq!(copy.instructions(), 4);
    has(larger.unwrap(), "map-block", &["the tensor has 520"]);
}

#[test]
fn stores_end_at_16_bytes_of_rows_whose_divisor_is_known() {
    let rows = |divisor| {
        let mut tensor = tensor(divisor, 256);
        tensor.extent[1] = 64;
        let plain = operand(Space::Shared, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]);
        planned_on(&store(plain, tensor), MASKED, "sm_90a").map(|copy| copy.instructions())
    };
    assert_eq!(rows(8), Ok(1));
    let refusal = rows(4).unwrap_err();
    has((refusal.cause, refusal.reason), "map-row-end", &["a number of bytes known at run time", "16"]);
    let (copy, _) = why(&store(panels(), tensor(64, 256)));
    assert_eq!((copy.form, copy.instructions()), (MapForm::Store, 1));
}

#[test]
fn padding_parts_boxes_of_a_load() {
    let padded = operand(Space::Shared, "(64, 4, 64) : (64, 4160, 1)", &[64, 256], &[(0, 64), (0, 256)]);
    let (copy, larger) = why(&load(tensor(64, 256), padded));
    assert_eq!(copy.instructions(), 4);
    has(larger.unwrap(), "shared-not-contiguous", &["4160 elements apart", "dimension 1"]);
}

#[test]
fn blocks_of_one_element_are_none() {
    let mut map = planned_on(&load(tensor(64, 256), panels()), MASKED, "sm_90a").unwrap().parts.remove(0).map;
    map.dims[2].extent = Extent::Blocks { dimension: 1, elements: 1 };
    let refusal = map.check().unwrap_err();
    has((refusal.cause, refusal.reason), "map-extent", &["blocks of 1", "2 to"]);
}
