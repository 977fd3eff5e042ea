//! Copies that are accepted, with their instructions and descriptors.

use super::*;

#[test]
fn the_demonstration_is_one_instruction() {
    let copy = tensor(&demo());
    assert_eq!(copy.instruction(), "tcgen05.cp.cta_group::1.32x128b.warpx4");
    assert_eq!((copy.descriptor, tiles(&copy, &Values::default())), (fields(0, 8, 0), vec![(0, 0)]));
}

#[test]
fn a_pair_of_ctas() {
    let copy = tensor(&asking(&demo(), |ask| ask.cta_group = Some(2)));
    assert_eq!(copy.instruction(), "tcgen05.cp.cta_group::2.32x128b.warpx4");
    for group in [0, 3, -1] {
        let asked = asking(&demo(), |ask| ask.cta_group = Some(group));
        refused(&asked, "cta-group-unsupported", None, &format!("got cta_group = {group}, expected 1 or 2"));
    }
}

#[test]
fn tiles_lie_side_by_side() {
    let copy = tensor(&swizzled());
    assert_eq!((copy.form, copy.descriptor), (TmemForm::Rows32Warpx4, fields(0, 32, 2)));
    assert_eq!(tiles(&copy, &Values::default()), [(0, 0), (1, 4), (2, 8), (3, 12)]);
    assert_eq!(copy.src.layout.to_string(), "(4, 32, 4) : (4, 16, 1), swizzle<base = 2, bits = 2, shift = 3>");
    assert_eq!(copy.dst.layout.to_string(), "(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol)");
}

#[test]
fn every_form_is_inferred_and_can_be_forced() {
    let forms = [
        (TmemForm::Rows128Bits256, 128, "(128, 8) : (1@TLane, 1@TCol)"),
        (TmemForm::Rows4Bits256, 4, "(4, 8) : (32@TLane, 1@TCol)"),
        (TmemForm::Rows128Bits128, 128, "(128, 4) : (1@TLane, 1@TCol)"),
        (TmemForm::Rows64Warpx2Split02, 64, "(64, 4) : (1@TLane, 1@TCol) + R(2 : 64@TLane)"),
        (TmemForm::Rows64Warpx2Split01, 64, "(2, 32, 4) : (64@TLane, 1@TLane, 1@TCol) + R(2 : 32@TLane)"),
        (TmemForm::Rows32Warpx4, 32, "(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)"),
    ];
    for (form, rows, layout) in forms {
        let columns = form.row_bits() / 32;
        let src =
            shared(&[rows, columns], &format!("({rows}, {columns}) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>"));
        let problem = between(src, tmem(&[rows, columns], layout), F32);
        assert_eq!(tensor(&problem).form, form);
        let forced = asking(&problem, |ask| {
            ask.shape = Some(form.shape().to_owned());
            ask.multicast = form.multicast().map(str::to_owned);
        });
        assert_eq!(tensor(&forced), tensor(&problem));
        assert_eq!(TmemForm::named(form.shape(), form.multicast()), Some(form));
    }
}

/// The table of the variant's page: form, tiles, the step from the first to the second, leading and stride fields.
#[test]
fn how_inputs_change_it() {
    let row = |problem: &Problem| {
        let copy = tensor(problem);
        let tiles = tiles(&copy, &Values::default());
        let step = tiles.get(1).map_or((0, 0), |next| (next.0 - tiles[0].0, next.1 - tiles[0].1));
        (copy.form.name(), tiles.len(), step, copy.descriptor.leading, copy.descriptor.stride)
    };
    let wide = |rows: i64, swizzle: &str, lanes: &str| {
        let src = shared(&[rows, 16], &format!("({rows}, 16) : (16, 1), {swizzle}"));
        between(src, tmem(&[rows, 16], &format!("({rows}, 16) : (1@TLane, 1@TCol){lanes}")), F32)
    };
    let name = |name: &str| name.to_owned();
    assert_eq!(row(&demo()), (name("32x128b.warpx4"), 1, (0, 0), 0, 8));
    assert_eq!(row(&swizzled()), (name("32x128b.warpx4"), 4, (1, 4), 0, 32));
    let pairs = wide(64, "swizzle<base = 2, bits = 2, shift = 3>", " + R(2 : 64@TLane)");
    assert_eq!(row(&pairs), (name("64x128b.warpx2::02_13"), 4, (1, 4), 0, 32));
    let all = wide(128, "swizzle<base = 2, bits = 2, shift = 3>", "");
    assert_eq!(row(&all), (name("128x256b"), 2, (2, 8), 1, 32));
    let narrow = asking(&all, |ask| ask.shape = Some("128x128b".into()));
    assert_eq!(row(&narrow), (name("128x128b"), 4, (1, 4), 0, 32));
    let src = shared(&[128, 8], "(128, 2, 4) : (4, 512, 1)");
    let halves = between(src, tmem(&[128, 8], "(128, 8) : (1@TLane, 1@TCol)"), F32);
    assert_eq!(row(&halves), (name("128x256b"), 1, (0, 0), 128, 8));
    let src = shared(&[64, 16], "(64, 16) : (16, 1), swizzle<base = 3, bits = 1, shift = 3>");
    let fours = between(src, tmem(&[64, 16], "(16, 4, 16) : (1@TLane, 32@TLane, 1@TCol)"), F16);
    assert_eq!(row(&fours), (name("4x256b"), 16, (8, 1 << 16), 1, 0));
}

/// The two halves of a row: anywhere without swizzle, within the row with one.
#[test]
fn rows_of_256_bits_have_a_leading_offset() {
    let dst = || tmem(&[128, 8], "(128, 8) : (1@TLane, 1@TCol)");
    let wide =
        |layout| asking(&between(shared(&[128, 8], layout), dst(), F32), |ask| ask.shape = Some("128x256b".into()));
    assert_eq!(tensor(&wide("(128, 2, 4) : (4, 512, 1)")).descriptor, fields(128, 8, 0));
    assert_eq!(tensor(&wide("(128, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>")).descriptor, fields(1, 16, 1));
    assert_eq!(
        tensor(&wide("(128, 2, 4) : (16, 4, 1), swizzle<base = 2, bits = 2, shift = 3>")).descriptor,
        fields(1, 32, 2)
    );
    let apart = wide("(128, 2, 4) : (16, 8, 1), swizzle<base = 2, bits = 2, shift = 3>");
    refused(&apart, "row-not-contiguous", Some(Role::Src), "the halves of a row are 8 elements apart");
    refused(&wide("(128, 2, 4) : (4, 514, 1)"), "descriptor-field-out-of-range", Some(Role::Src), "2056 bytes apart");
    let swapped = wide("(128, 2, 4) : (4, 512, 2)");
    refused(&swapped, "row-not-contiguous", Some(Role::Src), "16 bytes of a row are not 4 contiguous elements");
}

/// All of tensor memory by the smallest form.
#[test]
fn most_tiles() {
    let src = shared(&[32, 64, 4, 8], "(32, 64, 4, 8) : (2048, 32, 8, 1), swizzle<base = 2, bits = 1, shift = 3>");
    let dst = tmem(&[32, 64, 4, 8], "(32, 64, 4, 8) : (1@TLane, 8@TCol, 32@TLane, 1@TCol)");
    let copy = tensor(&between(src, dst, F32));
    assert_eq!((copy.form, copy.tiles()), (TmemForm::Rows4Bits256, 2048));
}

fn run_time(operand: Operand, dim: usize, extent: i64, divisor: i64, residue: i64) -> Operand {
    let mut operand = operand;
    operand.begin[dim] = Begin::Dynamic { value: 0, divisor, residue };
    operand.extent[dim] = extent;
    operand
}

/// Run-time rows of shared memory: whole groups of the swizzle; otherwise the start is not known precisely enough.
#[test]
fn run_time_begins_in_shared_memory() {
    let rows = |divisor, residue| {
        let src = part(
            shared(&[64, 128], "(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>"),
            &[(0, 32), (0, 16)],
        );
        demo().with_operand(Role::Src, run_time(src, 0, 32, divisor, residue))
    };
    let values = Values { src: vec![24], dst: vec![], ..Values::default() };
    assert_eq!(tiles(&tensor_with(&rows(8, 0), &values), &values), [(192, 0)]);
    refused(&rows(4, 0), "dynamic-begin-not-divisible", Some(Role::Src), "known as 0 modulo 4");
    refused(&rows(8, 4), "shared-begin-misaligned", Some(Role::Src), "begins 512 bytes");
    let columns = |divisor, residue| {
        let src = part(shared(&[32, 16, 4], "(32, 16, 4) : (16, 1, 512)"), &[(0, 32), (0, 16), (0, 1)]);
        let src = Operand { layout: "(32, 64) : (16, 1)".parse().unwrap(), shape: vec![32, 64], ..src };
        let src = Operand { begin: vec![Begin::Const(0); 2], extent: vec![32, 16], ..src };
        demo().with_operand(Role::Src, run_time(src, 1, 16, divisor, residue))
    };
    let values = Values { src: vec![32], dst: vec![], ..Values::default() };
    assert_eq!(tiles(&tensor_with(&columns(16, 0), &values), &values), [(2, 0)]);
    refused(&columns(8, 0), "dynamic-begin-not-divisible", Some(Role::Src), "steps of 16 elements");
    refused(&columns(32, 8), "shared-begin-misaligned", Some(Role::Src), "begins 8 bytes");
}

/// Run-time columns and lanes of tensor memory are in its address units.
#[test]
fn run_time_begins_in_tensor_memory() {
    let columns = |divisor, residue| {
        let dst = part(tmem(&[32, 64], "(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)"), &[(0, 32), (0, 16)]);
        demo().with_operand(Role::Dst, run_time(dst, 1, 16, divisor, residue))
    };
    let values = Values { src: vec![], dst: vec![48], ..Values::default() };
    assert_eq!(tiles(&tensor_with(&columns(16, 0), &values), &values), [(0, 12)]);
    refused(&columns(8, 0), "dynamic-begin-not-divisible", Some(Role::Dst), "steps of 16 elements");
    refused(&columns(16, 8), "columns-misaligned", Some(Role::Dst), "region begins 64 bits");
    let src = shared(&[4, 4, 16], "(4, 4, 16) : (64, 16, 1), swizzle<base = 3, bits = 1, shift = 3>");
    let dst = part(tmem(&[16, 4, 16], "(16, 4, 16) : (1@TLane, 32@TLane, 1@TCol)"), &[(0, 4), (0, 4), (0, 16)]);
    let lanes = between(src, run_time(dst, 0, 4, 1, 0), F16);
    let values = Values { src: vec![], dst: vec![5], ..Values::default() };
    let lane = |lane: i64| lane << 16;
    assert_eq!(
        tiles(&tensor_with(&lanes, &values), &values),
        [(0, lane(5)), (8, lane(6)), (16, lane(7)), (24, lane(8))]
    );
}
