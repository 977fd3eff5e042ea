//! Copies through tensor maps: the maps and boxes of some, and the rule by which each other is refused.

mod blocks;
mod im2col;
mod rows;
mod until;

use tile_isa::{Scope, Space};
use tile_layout::{Axis, OPEN, Range};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::{Extent, MapForm, Part, Stride, TensorMapCopy, plan};
use tile_plan::problem::asynchronous::{Asynchronous, Completion, CtaMask};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::tensor_map::{MapRequest, OutOfBounds};
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::sync::Arrives;
use tile_plan::target::Target;

fn operand(space: Space, layout: &str, shape: &[i64], region: &[(i64, i64)]) -> Operand {
    let ranges: Vec<Range> = region.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect();
    let align = if space == Space::Shared { 1024 } else { 16 };
    Operand::whole(space, layout.parse().unwrap(), shape, align).region(&ranges)
}

/// A load of halfwords.
fn load(tensor: Operand, tile: Operand) -> Problem {
    let mut problem = Problem::new(tensor, tile, Element::new(16, "f16"), Threads::all(Scope::Thread, Some(32)));
    problem.asynchronous = Some(Asynchronous::new(Completion::Barrier));
    problem
}

/// The same region, the other way.
fn store(tile: Operand, tensor: Operand) -> Problem {
    let mut problem = load(tile, tensor);
    problem.asynchronous = Some(Asynchronous::new(Completion::BulkGroup));
    problem
}

/// A load of 64x64 halfwords of a tensor of 512x512, dense on both sides.
fn tile() -> Problem {
    let tensor = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(64, 64), (128, 64)]);
    load(tensor, operand(Space::Shared, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]))
}

fn planned_on(problem: &Problem, request: MapRequest, chip: &str) -> Result<TensorMapCopy, Refusal> {
    let copy = plan(problem, request, &Target::parse(chip).unwrap())?;
    copy.verify()?;
    let text = CopyPlan::TensorMap(copy.clone()).to_text().unwrap();
    assert_eq!(CopyPlan::from_text(&text), Ok(CopyPlan::TensorMap(copy.clone())), "{text}");
    Ok(copy)
}

fn planned(problem: &Problem) -> TensorMapCopy {
    planned_on(problem, MapRequest::default(), "sm_90a").unwrap()
}

/// The cause, and the sentence.
fn refused(problem: &Problem) -> (&'static str, String) {
    let refusal = planned_on(problem, MapRequest::default(), "sm_90a").unwrap_err();
    (refusal.cause, refusal.reason)
}

fn has(refused: (&'static str, String), cause: &str, words: &[&str]) {
    assert_eq!(refused.0, cause, "{}", refused.1);
    words.iter().for_each(|word| assert!(refused.1.contains(word), "{}", refused.1));
}

fn boxed(part: &Part) -> Vec<i64> {
    part.map.dims.iter().map(|dim| dim.boxed).collect()
}

fn at(part: &Part) -> Vec<i64> {
    part.at.iter().map(|at| at.constant).collect()
}

fn replaced(problem: Problem, role: Role, change: impl FnOnce(&mut Operand)) -> Problem {
    let mut problem = problem;
    change(problem.operands.get_mut(role).unwrap());
    problem
}

#[test]
fn a_plan_is_text() {
    let text = CopyPlan::TensorMap(planned(&tile())).to_text().unwrap();
    assert_eq!(
        text,
        "tensor_map \"tma\", form = load, bits = 16, parts = [{map = {element = float16, dims = [{extent = const(512), stride \
         = bytes(2), box = 64}, {extent = const(512), stride = bytes(1024), box = 64}], promotion = b256}, at = [{constant = \
         128}, {constant = 64}]}], global = {layout = (64, 64) : (512, 1), space = global, align = 16}, shared = {layout = \
         (4096) : (1), space = shared, align = 128}"
    );
}

#[test]
fn rows_that_a_box_does_not_have() {
    let rows = |begin: Begin, count: i64| {
        let tensor = operand(Space::Global, "(8192, 64) : (128, 1)", &[8192, 64], &[(0, count), (0, 64)]);
        let tile = operand(Space::Shared, &format!("({count}, 64) : (64, 1)"), &[count, 64], &[(0, count), (0, 64)]);
        planned(&replaced(load(tensor, tile), Role::Src, |tensor| tensor.begin[0] = begin))
    };
    let shapes = |copy: &TensorMapCopy| copy.parts.iter().map(|part| (part.boxes(), boxed(part))).collect::<Vec<_>>();
    assert_eq!(shapes(&rows(Begin::Const(1024), 512)), [(1, vec![64, 256, 2])]);
    let any = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
    assert_eq!(shapes(&rows(any, 512)), [(2, vec![64, 256])]);
    assert_eq!(shapes(&rows(any, 300)), [(2, vec![64, 150])]);
    assert_eq!(shapes(&rows(any, 257)), [(1, vec![64, 256]), (1, vec![64, 1])]);
    let rest = rows(any, 257);
    assert_eq!((rest.parts[1].offset, at(&rest.parts[1])), (256 * 64, vec![0, 256]));
    assert_eq!((rest.instructions(), rest.bytes()), (2, 257 * 128));
}

#[test]
fn coordinates_are_values_and_constants() {
    let tensor =
        operand(Space::Global, "(4096, 16, 128) : (2048, 128, 1)", &[4096, 16, 128], &[(0, 64), (0, 1), (0, 128)]);
    let panels = "(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>";
    let head = load(tensor, operand(Space::Shared, panels, &[64, 128], &[(0, 64), (0, 128)]));
    let value = |value| Begin::Dynamic { value, divisor: 1, residue: 0 };
    let copy = planned(&replaced(head, Role::Src, |tensor| tensor.begin = vec![value(0), value(1), Begin::Const(0)]));
    let [part] = &copy.parts[..] else { panic!("{copy:?}") };
    assert_eq!(boxed(part), [64, 64, 2]);
    let mut eval = tile_layout::Eval;
    let issue = part.issue(&mut eval, 0, &copy.shared, [&[100, 5], &[]]).unwrap();
    // The panels of a head continue those of the one before.
    assert_eq!((issue.coordinates, issue.offset), (vec![0, 100, 10], 0));
}

#[test]
fn what_the_host_knows() {
    let mut tensor = operand(Space::Global, "(512, 64) : (64, 1)", &[512, 64], &[(0, 64), (0, 64)]);
    tensor.shape[0] = OPEN;
    tensor.layout.shard[0] = tile_layout::Iter::new(OPEN, 1, Axis::S0);
    tensor.strides = vec![RunTimeStride { value: 0, divisor: 1 }];
    let copy = planned(&replaced(tile(), Role::Src, |operand| *operand = tensor));
    let rows = copy.parts[0].map.dims[1];
    assert_eq!((rows.extent, rows.stride), (Extent::Of(0), Stride::Times { stride: 0, bytes: 2 }));
}

#[test]
fn stores_leave_out_the_padding_of_rows() {
    let padded = operand(Space::Shared, "(64, 64) : (72, 1)", &[64, 64], &[(0, 64), (0, 64)]);
    let tensor = || operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(64, 64), (128, 64)]);
    let copy = planned(&store(padded.clone(), tensor()));
    let [part] = &copy.parts[..] else { panic!("{copy:?}") };
    let inner = part.map.dims[0];
    assert_eq!((part.boxes(), boxed(part), inner.extent), (1, vec![72, 64, 1], Extent::Const(64)));
    // A load would fill the padding; rows of 144 bytes are no places for boxes.
    has(refused(&load(tensor(), padded)), "box-not-128-bytes", &["144 bytes", "128"]);
}

/// The engine writes all of the 16 bytes that contain a row's last element.
#[test]
fn stores_pass_the_end_of_rows_only_at_16_bytes() {
    let clips = MapRequest { clips: true, ..MapRequest::default() };
    let back = |columns: i64, begin: Begin| {
        let layout = format!("(64, {columns}) : (128, 1)");
        let tensor = operand(Space::Global, &layout, &[64, columns], &[(0, 64), (0, 64)]);
        let tile = operand(Space::Shared, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]);
        replaced(store(tile, tensor), Role::Dst, |tensor| tensor.begin[1] = begin)
    };
    let on =
        |problem: &Problem| planned_on(problem, clips, "sm_90a").map_err(|refusal| (refusal.cause, refusal.reason));
    let moving = Begin::Dynamic { value: 0, divisor: 8, residue: 0 };
    assert!(on(&back(104, Begin::Const(64))).is_ok() && on(&back(104, moving)).is_ok());
    has(on(&back(100, Begin::Const(64))).unwrap_err(), "map-row-end", &["200 bytes", "16"]);
    has(on(&back(100, moving)).unwrap_err(), "map-row-end", &["200 bytes", "16"]);
    // Boxes that end before the row does.
    assert!(on(&back(100, Begin::Const(32))).is_ok());
    // Rows of 120 bytes at 128 in shared memory: a box of 64 columns would write 64, so each row is a box.
    let padded = operand(Space::Shared, "(64, 60) : (64, 1)", &[64, 60], &[(0, 64), (0, 60)]);
    let tensor = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(64, 64), (128, 60)]);
    has(refused(&store(padded, tensor)), "map-inner-box", &["120 bytes", "16"]);
}

#[test]
fn reductions_have_the_type_of_their_map() {
    let reduced = |word: &str, bits: u32, element: &str| {
        let tensor = operand(Space::Global, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]);
        let mut problem = store(operand(Space::Shared, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]), tensor);
        problem.element = Element::new(bits, element);
        problem.asynchronous.as_mut().unwrap().reduce = Some(word.to_owned());
        planned_on(&problem, MapRequest::default(), "sm_90a").map(|copy| copy.parts[0].map.element.name())
    };
    assert_eq!(reduced("umin", 32, "i32"), Ok("UINT32"));
    assert_eq!(reduced("min", 32, "i32"), Ok("INT32"));
    assert_eq!(reduced("inc", 32, "i32"), Ok("UINT32"));
    assert_eq!(reduced("add", 16, "bf16"), Ok("BFLOAT16"));
    assert_eq!(reduced("add", 64, "f64").unwrap_err().cause, "map-reduction-unsupported");
    assert_eq!(reduced("xor", 16, "f16").unwrap_err().cause, "reduction-unsupported");
}

#[test]
fn rules_of_places() {
    let src = |change: fn(&mut Operand)| refused(&replaced(tile(), Role::Src, change));
    let dst = |change: fn(&mut Operand)| refused(&replaced(tile(), Role::Dst, change));
    has(src(|tensor| tensor.align_bytes = 8), "storage-alignment", &["8 bytes", "16"]);
    has(src(|tensor| tensor.begin[1] = Begin::Const(4)), "coordinate-not-16-bytes", &["8 bytes", "16"]);
    let known_to_4 = Begin::Dynamic { value: 0, divisor: 4, residue: 0 };
    let any = replaced(tile(), Role::Src, |tensor| tensor.begin[1] = known_to_4);
    has(refused(&any), "coordinate-not-16-bytes", &["8 bytes", "16"]);
    has(src(|tensor| tensor.begin[0] = Begin::Const(500)), "region-out-of-bounds", &["64 elements from 500", "512"]);
    has(dst(|tile| tile.align_bytes = 64), "storage-alignment", &["64 bytes", "128"]);
    let swizzled: fn(&mut Operand) = |tile| {
        tile.layout = "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>".parse().unwrap();
        tile.align_bytes = 512;
    };
    has(dst(swizzled), "storage-alignment", &["512 bytes", "1024"]);
    let offset: fn(&mut Operand) = |tile| tile.layout = "(64, 64) : (64, 1) + 32".parse().unwrap();
    has(dst(offset), "box-not-128-bytes", &["64 bytes", "128"]);
    has(dst(|tile| tile.layout = "(64, 64) : (1, 64)".parse().unwrap()), "map-inner-stride", &["512 elements"]);
    has(dst(|tile| tile.layout = "(64, 64) : (128, 2)".parse().unwrap()), "shared-not-contiguous", &["2 apart"]);
    let other: fn(&mut Operand) =
        |tile| tile.layout = "(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>".parse().unwrap();
    has(
        dst(other),
        "swizzle-not-of-tma",
        &["swizzle<base = 2, bits = 3, shift = 3>", "swizzle<base = 3, bits = 1 to 3, shift = 3>"],
    );
}

#[test]
fn rules_of_maps() {
    let rows = |layout: &str, columns: i64| {
        let tensor = operand(Space::Global, layout, &[64, columns], &[(0, 64), (0, columns)]);
        let layout = format!("(64, {columns}) : ({columns}, 1)");
        refused(&load(tensor, operand(Space::Shared, &layout, &[64, columns], &[(0, 64), (0, columns)])))
    };
    has(rows("(64, 64) : (68, 1)", 64), "map-stride", &["136 bytes", "16"]);
    has(rows("(64, 64) : (549755813888, 1)", 64), "map-stride-range", &["1099511627776 bytes", "1099511627775"]);
    has(rows("(64, 64) : (128, 2)", 64), "map-inner-stride", &["2 elements"]);
    has(rows("(64, 12) : (64, 1)", 12), "map-inner-box", &["24 bytes", "16"]);
    let map = planned(&tile()).parts.remove(0).map;
    let broken = |change: fn(&mut tile_plan::families::tensor_map::TensorMap)| {
        let mut map = map.clone();
        change(&mut map);
        let refusal = map.check().unwrap_err();
        (refusal.cause, refusal.reason)
    };
    has(broken(|map| map.dims = vec![map.dims[1]; 6]), "map-rank", &["6 dimensions", "1 to 5"]);
    has(broken(|map| map.dims[1].boxed = 257), "map-box", &["257 elements", "256"]);
    has(broken(|map| map.dims[1].extent = Extent::Const((1 << 32) + 1)), "map-extent", &["4294967297", "4294967296"]);
    has(broken(|map| map.dims[1].element_stride = 2), "map-element-stride", &["every 2"]);
    has(broken(|map| map.base = 8), "map-base", &["8 bytes", "16"]);
    has(
        broken(|map| map.swizzle = tile_plan::families::tensor_map::MapSwizzle::B64),
        "map-swizzle-span",
        &["128 bytes", "64"],
    );
    has(broken(|map| map.dims[0].stride = Stride::Bytes(4)), "map-inner-stride", &["4 bytes", "2"]);
}

#[test]
fn rules_of_requests() {
    let on = |chip: &str, request: MapRequest, problem: &Problem| {
        let refusal = planned_on(problem, request, chip).unwrap_err();
        (refusal.cause, refusal.reason)
    };
    let plain = MapRequest::default();
    has(on("sm_89", plain, &tile()), "chip-lacks-tensor-maps", &["sm_90", "sm_89"]);
    let mut pair = tile();
    pair.asynchronous.as_mut().unwrap().cta_group = Some(2);
    has(on("sm_90a", plain, &pair), "chip-lacks-cta-pairs", &["sm_100a", "sm_90a"]);
    assert_eq!(planned_on(&pair, plain, "sm_100a").unwrap().cta_group, 2);
    let mut alone = tile();
    alone.asynchronous = Some(Asynchronous::new(Completion::Caller));
    has(on("sm_90a", plain, &alone), "completion-unsupported", &["caller", "an mbarrier"]);
    has(on("sm_90a", MapRequest { tf32: true, ..plain }, &tile()), "tf32-needs-f32", &["f16", "f32"]);
    let bytes = Problem { element: Element::new(8, "i8"), ..tile() };
    has(on("sm_90a", MapRequest { fill: OutOfBounds::Nan, ..plain }, &bytes), "map-fill", &["UINT8"]);
    let tensor = operand(Space::Global, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]);
    let back = store(operand(Space::Shared, "(64, 64) : (64, 1)", &[64, 64], &[(0, 64), (0, 64)]), tensor);
    has(on("sm_90a", plain, &to_ctas(back.clone(), Some(0b11), Some(2))), "multicast-needs-load", &[]);
    has(on("sm_90a", MapRequest { fill: OutOfBounds::Nan, ..plain }, &back), "fill-needs-load", &[]);
    let before = replaced(back, Role::Dst, |tensor| tensor.begin[0] = Begin::Const(-8));
    has(on("sm_90a", MapRequest { clips: true, ..plain }, &before), "negative-corner", &["-8", "0"]);
}

/// The problem with a mask of CTAs that receive the copy, in a cluster of that many.
fn to_ctas(mut problem: Problem, bits: Option<u16>, cluster: Option<i64>) -> Problem {
    problem.asynchronous.as_mut().unwrap().cta_mask = Some(CtaMask { bits, cluster });
    problem
}

#[test]
fn multicasts() {
    for (bits, cluster) in [(Some(0b11), 2), (Some(0b10), 2), (None, 2), (Some(0xffff), 16), (Some(1), 1)] {
        let copy = planned(&to_ctas(tile(), bits, Some(cluster)));
        assert_eq!((copy.form, copy.bytes(), copy.parts), (MapForm::Multicast, 8192, planned(&tile()).parts));
    }
    let refusal = |bits, cluster| refused(&to_ctas(tile(), bits, cluster));
    has(refusal(Some(0b11), None), "cluster-size-unknown", &["nvvm.cluster_dim"]);
    has(refusal(None, None), "cluster-size-unknown", &[]);
    has(refusal(Some(0b100), Some(2)), "cta-mask-outside", &["0b100", "2 CTAs", "lowest 2 bits"]);
    has(refusal(Some(0), Some(4)), "cta-mask-outside", &["0b0", "one or more"]);
    let on = planned_on(&to_ctas(tile(), Some(3), Some(2)), MapRequest::default(), "sm_89").unwrap_err();
    has((on.cause, on.reason), "chip-lacks-tensor-maps", &["sm_90", "sm_89"]);
}

#[test]
fn what_a_multicast_touches() {
    // Rows of 48 bytes stand 64 bytes apart: 64 bytes are touched for 48 that are counted.
    let tensor = operand(Space::Global, "(32, 48) : (48, 1)", &[32, 48], &[(0, 32), (0, 24)]);
    let shared = operand(Space::Shared, "(32, 24) : (32, 1), swizzle<3, 2, 3>", &[32, 24], &[(0, 32), (0, 24)]);
    let problem = to_ctas(load(tensor, shared), Some(0b11), Some(2));
    let target = Target::parse("sm_90a").unwrap();
    let touched = CopyPlan::TensorMap(planned(&problem)).touched(&problem, &target).unwrap();
    assert_eq!((touched.engine.arrives, touched.counted), (Arrives::Others, Some(32 * 48)));
    let written = touched.of(Role::Dst).and_then(|bytes| bytes.footprint.clone()).unwrap();
    assert_eq!(written.segments().iter().map(|segment| segment.end - segment.begin).sum::<i64>(), 32 * 64);
}

#[test]
fn rules_of_sizes() {
    let whole = |rows: i64| {
        let layout = format!("({rows}, 256) : (256, 1)");
        let region = [(0, rows), (0, 256)];
        let tensor = operand(Space::Global, &layout, &[rows, 256], &region);
        refused(&load(tensor, operand(Space::Shared, &layout, &[rows, 256], &region)))
    };
    has(whole(512), "box-exceeds-shared", &["262144 bytes", "232448"]);
    let far = operand(Space::Global, "(4294967296) : (1)", &[1 << 32], &[(3 << 30, 256)]);
    let known = load(far, operand(Space::Shared, "(256) : (1)", &[256], &[(0, 256)]));
    // Where the start is known, the map begins there.
    assert_eq!(planned(&known).parts[0].map.base, 3 << 31);
    let any = Begin::Dynamic { value: 0, divisor: 8, residue: 0 };
    has(
        refused(&replaced(known, Role::Src, |tensor| tensor.begin[0] = any)),
        "coordinate-beyond-32-bits",
        &["32 bits"],
    );
}
