//! Each refusal, beside a case that is just accepted.

use super::*;
use tile_plan::problem::role::Role;

#[test]
fn the_reason_is_that_of_the_form_that_got_furthest() {
    let src = shared(&[32, 16], "(32, 16) : (32, 1)");
    let dst = tmem(&[32, 16], "(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)");
    refused(&between(src, dst, U8), "rows-not-of-swizzle", Some(Role::Src), "rows 32 bytes apart");
}

#[test]
fn forms_that_do_not_exist() {
    let asked = |shape: &str, multicast: Option<&str>| {
        asking(&demo(), |ask| {
            ask.shape = Some(shape.to_owned());
            ask.multicast = multicast.map(str::to_owned);
        })
    };
    assert_eq!(tensor(&asked("32x128b", None)).form, TmemForm::Rows32Warpx4);
    refused(&asked("96x128b", None), "tensor-form-unknown", None, "got shape = \"96x128b\", expected one of 128x256b,");
    refused(&asked("32x128b", Some("warpx2::02_13")), "tensor-form-unknown", None, "32x128b with warpx2::02_13");
    let missing = asked("128x128b", None);
    refused(
        &missing,
        "replica-not-of-form",
        Some(Role::Dst),
        "needs no replica in the destination; got replica 4:32@TLane",
    );
}

#[test]
fn replicas_are_those_of_the_form() {
    let with = |replica: &[(i64, i64)]| {
        let replica: Vec<Iter> = replica.iter().map(|&(count, lanes)| Iter::new(count, lanes, Axis::TLane)).collect();
        let layout = demo().operand(Role::Dst).unwrap().clone().layout.with_replica(replica);
        demo().with_operand(Role::Dst, Operand { layout, ..demo().operand(Role::Dst).unwrap().clone() })
    };
    let forced = |replica: &[(i64, i64)]| asking(&with(replica), |ask| ask.multicast = Some("warpx4".into()));
    assert_eq!(tensor(&forced(&[(2, 32), (2, 64)])).form, TmemForm::Rows32Warpx4);
    assert_eq!(tensor(&forced(&[(1, 7), (4, 32)])).form, TmemForm::Rows32Warpx4);
    let needs = "needs replica 4:32@TLane in the destination; got";
    refused(&forced(&[]), "replica-not-of-form", Some(Role::Dst), &format!("{needs} no replica"));
    refused(&forced(&[(2, 32)]), "replica-not-of-form", Some(Role::Dst), &format!("{needs} replica 2:32@TLane"));
    // Without requests: no form has 32 plain lanes.
    refused(&with(&[]), "lanes-not-of-form", Some(Role::Dst), "got lanes 32:1");
}

#[test]
fn lanes_and_columns_of_a_row() {
    let dst = |layout| demo().with_operand(Role::Dst, tmem(&[32, 16], layout));
    let spread = dst("(32, 16) : (1@TLane, 2@TCol) + R(4 : 32@TLane)");
    refused(&spread, "columns-not-of-form", Some(Role::Dst), "rows of 16 contiguous columns; got columns 16:2");
    // As functions these are the same rows and columns.
    let same = dst("(2, 16, 4, 4) : (16@TLane, 1@TLane, 4@TCol, 1@TCol) + R(4 : 32@TLane)");
    assert_eq!(tensor(&same), tensor(&demo()));
    let crossed = dst("(2, 16, 16) : (1@TLane, 2@TLane, 1@TCol) + R(4 : 32@TLane)");
    refused(&crossed, "rows-uneven", Some(Role::Src), "needed groups of 8 even rows");
}

#[test]
fn what_does_not_fit_tensor_memory() {
    let wide = |columns: i64| {
        let src = shared(&[columns / 4, 32, 4], &format!("({}, 32, 4) : (128, 4, 1)", columns / 4));
        let layout = format!("({}, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)", columns / 4);
        between(src, tmem(&[columns / 4, 32, 4], &layout), F32)
    };
    assert_eq!(tensor(&wide(512)).tiles(), 128);
    refused(&wide(516), "columns-exceeded", Some(Role::Dst), "takes 516 columns of 32 bits; tensor memory has 512");
    let high = demo().with_operand(Role::Dst, tmem(&[32, 16], "(32, 16) : (1@TLane, 1@TCol) + R(4 : 33@TLane)"));
    refused(&high, "lanes-exceeded", Some(Role::Dst), "reaches lane 130");
}

#[test]
fn swizzles_are_those_of_a_descriptor() {
    let under = |swizzle: &str| {
        let layout = format!("(32, 16) : (32, 1), swizzle<{swizzle}>");
        demo().with_operand(Role::Src, shared(&[32, 16], &layout))
    };
    assert_eq!(tensor(&under("4, 1, 3")).descriptor, fields(0, 16, 1));
    for other in ["3, 1, 3", "4, 1, 2", "4, 1, 3, outer", "4, 4, 4"] {
        refused(
            &under(other),
            "swizzle-not-of-descriptor",
            Some(Role::Src),
            "has none, swizzle<base = 4, bits = 1, shift = 3>",
        );
    }
    refused(
        &under("4, 2, 3"),
        "rows-not-of-swizzle",
        Some(Role::Src),
        "32 bytes apart in the source; the 64-byte swizzle needs 64",
    );
    // A swizzle of no bits moves nothing.
    let none =
        demo().with_operand(Role::Src, shared(&[32, 16], "(32, 16) : (16, 1), swizzle<base = 2, bits = 0, shift = 3>"));
    assert_eq!(tensor(&none).descriptor, fields(0, 8, 0));
}

#[test]
fn regions_begin_where_the_pattern_begins() {
    let rows = |begin| {
        let src = shared(&[64, 128], "(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>");
        demo().with_operand(Role::Src, part(src, &[(begin, 32), (0, 16)]))
    };
    assert_eq!(tiles(&tensor(&rows(8)), &Values::default()), [(64, 0)]);
    refused(
        &rows(4),
        "shared-begin-misaligned",
        Some(Role::Src),
        "begins 512 bytes into its storage; the 128-byte swizzle needs a multiple of 1024",
    );
    let plain = |begin| demo().with_operand(Role::Src, shared(&[32, 16], &format!("(32, 16) : (16, 1) + {begin}")));
    assert_eq!(tiles(&tensor(&plain(48)), &Values::default()), [(3, 0)]);
    refused(&plain(40), "shared-begin-misaligned", Some(Role::Src), "begins 40 bytes");
}

#[test]
fn storage_is_aligned_to_the_pattern() {
    let aligned = |problem: Problem, align_bytes| {
        let src = problem.operand(Role::Src).unwrap().clone();
        problem.with_operand(Role::Src, Operand { align_bytes, ..src })
    };
    assert_eq!(tensor(&aligned(demo(), 16)).tiles(), 1);
    refused(
        &aligned(demo(), 8),
        "storage-alignment",
        Some(Role::Src),
        "aligned to 8 bytes; a descriptor without swizzle needs 16",
    );
    assert_eq!(tensor(&aligned(swizzled(), 512)).tiles(), 4);
    refused(&aligned(swizzled(), 256), "storage-alignment", Some(Role::Src), "the 64-byte swizzle needs 512");
}

#[test]
fn tiles_begin_at_16_bytes() {
    let pitch = |shared_pitch: i64, columns: i64| {
        let src = shared(&[2, 32, 16], &format!("(2, 32, 16) : ({shared_pitch}, 16, 1)"));
        let layout = format!("(2, 32, 16) : ({columns}@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)");
        between(src, tmem(&[2, 32, 16], &layout), U8)
    };
    assert_eq!(tiles(&tensor(&pitch(528, 48)), &Values::default()), [(0, 0), (33, 12)]);
    refused(&pitch(520, 48), "tile-step-misaligned", Some(Role::Src), "520 bytes apart; needed a multiple of 16");
    refused(&pitch(528, 40), "columns-misaligned", Some(Role::Dst), "tiles are 320 bits apart");
    refused(&pitch(528, 0), "destination-overlaps", Some(Role::Dst), "several elements in one place");
    assert_eq!(tiles(&tensor(&pitch(0, 16)), &Values::default()), [(0, 0), (0, 4)]);
}

/// 256-bit tiles at steps of 128 bits would overwrite each other.
#[test]
fn tiles_have_places_of_their_own() {
    let steps = |step: i64| {
        let src = shared(&[2, 128, 8], "(2, 128, 8) : (1024, 8, 1), swizzle<base = 2, bits = 1, shift = 3>");
        let layout = format!("(2, 128, 8) : ({step}@TCol, 1@TLane, 1@TCol)");
        asking(&between(src, tmem(&[2, 128, 8], &layout), F32), |ask| ask.shape = Some("128x256b".into()))
    };
    assert_eq!(tensor(&steps(8)).tiles(), 2);
    refused(&steps(4), "destination-overlaps", Some(Role::Dst), "the destination has several elements in one place");
}

#[test]
fn columns_of_the_region_begin_at_128_bits() {
    let window = |begin| {
        demo().with_operand(
            Role::Dst,
            part(tmem(&[32, 64], "(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)"), &[(0, 32), (begin, 16)]),
        )
    };
    assert_eq!(tiles(&tensor(&window(32)), &Values::default()), [(0, 8)]);
    refused(&window(8), "columns-misaligned", Some(Role::Dst), "region begins 64 bits into the buffer");
}

#[test]
fn rows_too_far_apart() {
    let groups = |distance: i64| {
        let layout = format!("(4, 8, 16) : ({distance}, 16, 1)");
        demo().with_operand(Role::Src, shared(&[32, 16], &layout))
    };
    assert_eq!(tensor(&groups(16 * 16383)).descriptor.stride, 16383);
    refused(
        &groups(16 * 16384),
        "descriptor-field-out-of-range",
        Some(Role::Src),
        "262144 bytes apart in the source; needed a multiple of 16 up to 262128",
    );
    refused(&groups(136), "descriptor-field-out-of-range", Some(Role::Src), "136 bytes apart");
    let uneven = demo().with_operand(Role::Src, shared(&[32, 16], "(2, 2, 8, 16) : (512, 128, 16, 1)"));
    refused(&uneven, "rows-uneven", Some(Role::Src), "the rows of 32x128b.warpx4 lie unevenly");
}

#[test]
fn sides_without_common_digits() {
    let src = shared(&[6, 32, 4], "(2, 3, 32, 4) : (1024, 128, 4, 1)");
    let dst = |digits: &str| {
        tmem(&[6, 32, 4], &format!("({digits}, 32, 4) : (16@TCol, 4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)"))
    };
    assert_eq!(tensor(&between(src.clone(), dst("2, 3"), F32)).tiles(), 6);
    refused(&between(src, dst("3, 2"), F32), "no-common-refinement", None, "no common refinement");
    let src = part(shared(&[48, 16], "(6, 8, 16) : (512, 16, 1)"), &[(3, 32), (0, 16)]);
    refused(&demo().with_operand(Role::Src, src), "region-not-sliceable", Some(Role::Src), "");
}

#[test]
fn one_thread_of_a_chip_with_tensor_memory() {
    refused(&Problem { threads: warp(), ..demo() }, "scope-not-thread", None, "needed thread scope; got warp");
    for (chip, has) in [("sm_100a", true), ("sm_103f", true), ("sm_110a", true), ("sm_100", false), ("sm_120a", false)]
    {
        if has {
            planned_on(&demo(), &Values::default(), chip);
        } else {
            let decline = declined_on(&demo(), "tcgen05_cp", chip);
            assert_eq!(decline.cause, "chip-lacks-tcgen05");
            assert!(decline.reason.contains(&format!("got {chip}")), "{decline}");
        }
    }
}

#[test]
fn other_memories() {
    let back = demo()
        .with_operand(Role::Src, demo().operand(Role::Dst).unwrap().clone())
        .with_operand(Role::Dst, demo().operand(Role::Src).unwrap().clone());
    refused(&back, "unsupported-spaces", None, "src=tmem dst=shared; allowed: shared -> tmem");
    let global =
        demo().with_operand(Role::Src, Operand { space: Space::Global, ..demo().operand(Role::Src).unwrap().clone() });
    refused(&global, "unsupported-spaces", None, "src=global");
}

#[test]
fn requests_of_other_variants_are_not_dropped() {
    let barrier = issued(&demo(), Completion::Barrier, |_| {});
    refused(&barrier, "request-not-supported", None, "requests mbarrier; allowed: shape, multicast, cta_group");
    refused(&issued(&demo(), Completion::Group, |_| {}), "request-not-supported", None, "requests group");
    let predicated = asking(&demo(), |ask| (ask.predicated, ask.zero_fill) = (true, true));
    refused(&predicated, "request-not-supported", None, "requests predicate, fill");
    refused(&asking(&demo(), |ask| ask.direct = true), "request-not-supported", None, "requests direct");
    refused(&asking(&demo(), |ask| ask.remote_cta = true), "request-not-supported", None, "requests remote_cta");
    let mut cached = demo();
    cached.cache = Cache::from_options([("prefetch_size", "L2::128B")]).unwrap();
    refused(&cached, "cache-needs-global-source", Some(Role::Src), "got shared");
}

#[test]
fn stages_written_by_hand_are_checked() {
    let copy = tensor(&swizzled());
    assert_eq!(copy.verify(), Ok(()));
    let bad = |change: &dyn Fn(&mut TmemCopy)| {
        let mut copy = copy.clone();
        change(&mut copy);
        let refusal = copy.verify().unwrap_err();
        assert_eq!(refusal.cause, "malformed-tmem-copy");
        refusal.reason
    };
    assert!(bad(&|copy| copy.cta_group = 3).contains("cta_group"));
    assert!(bad(&|copy| copy.element_bits = 24).contains("24 bits"));
    assert!(bad(&|copy| copy.descriptor.stride = 1 << 14).contains("16384"));
    assert!(bad(&|copy| copy.descriptor.swizzle = 4).contains("swizzle"));
    assert!(bad(&|copy| copy.tile_iters = 4).contains("got tile_iters 4, expected at most 3"));
    assert!(bad(&|copy| copy.tile_iters = 0).contains("needed 32 rows of 4"));
    assert!(bad(&|copy| copy.src.layout.shard[1].stride = 32).contains("not where the descriptor has it"));
    assert!(bad(&|copy| copy.dst.layout.shard[1].stride = 2).contains("not where 32x128b.warpx4 puts it"));
    assert!(bad(&|copy| copy.src.layout.shard[0].extent = 2).contains("got leading extents [2] and ["));
    assert!(bad(&|copy| copy.src.layout.shard[0].stride = 2).contains("begin at bit 64; needed multiples of 128"));
    assert!(bad(&|copy| copy.dst.layout.shard[0].stride = 2).contains("columns"));
    assert!(bad(&|copy| copy.src.layout.swizzle = None).contains("swizzle of mode 2"));
    assert!(bad(&|copy| copy.src.align_bytes = 256).contains("aligned to 256 bytes; needed 512"));
    let begin = |copy: &mut TmemCopy| copy.src.layout = copy.src.layout.clone().with_offset(Axis::Memory, 64);
    assert!(bad(&begin).contains("inside a pattern of 512 bytes"));
    assert!(bad(&|copy| copy.src.space = Space::Global).contains("global"));
    assert!(bad(&|copy| copy.dst.layout.shard[1].axis = Axis::LaneId).contains("laneid"));
}
