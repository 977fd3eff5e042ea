//! Threads, chips, memories and sides for which there is no instruction.

use super::*;

#[test]
fn whole_warpgroups_of_a_chip_with_tensor_memory() {
    let with = |threads| Problem { threads, ..lanes(4, F32) };
    for threads in [thread(), warp(), Threads::all(Scope::Cta, Some(128))] {
        let reason = format!("needed warpgroup scope; got {}", threads.scope);
        refused(&with(threads), "scope-not-warpgroup", None, &reason);
    }
    assert_eq!(both(&with(Threads::all(Scope::Warpgroup, Some(256)))), ("32x32b", 4, 1));
    let second = only(Threads::all(Scope::Warpgroup, Some(256)), |thread| thread >= 128);
    assert_eq!(both(&with(second)), ("32x32b", 4, 1));
    let few = only(warpgroup(), |thread| thread < 96);
    refused(&with(few), "not-all-threads-active", None, "wid_in_wg narrowed to [0, 3) vs full [0, 4)");
    let decline = declined_on(&lanes(4, F32), "tcgen05_ldst", "sm_100");
    assert_eq!(decline.cause, "chip-lacks-tcgen05");
}

#[test]
fn other_memories_and_requests() {
    let shared = Problem { src: Operand { space: Space::Shared, ..lanes(4, F32).src }, ..lanes(4, F32) };
    refused(&shared, "unsupported-spaces", None, "src=shared dst=local; allowed: tmem <-> local");
    let asking = |completion, ask: &dyn Fn(&mut Asynchronous)| issued(&lanes(4, F32), completion, ask);
    refused(&asking(Completion::Barrier, &|_| {}), "request-not-supported", None, "requests mbarrier; allowed: none");
    let group = asking(Completion::Caller, &|ask| ask.cta_group = Some(2));
    refused(&group, "request-not-supported", None, "requests cta_group");
    let mut swizzled = back(&lanes(4, F32));
    swizzled.src = local(&[4], "(4) : (1), swizzle<0, 1, 1>");
    swizzled.dst = tmem(&[4], "(4) : (1@TCol)");
    refused(&swizzled, "swizzled-registers", Some(Which::Src), "a swizzled register buffer");
}

#[test]
fn what_does_not_fit_tensor_memory() {
    assert_eq!(both(&lanes(512, F32)), ("32x32b", 128, 4));
    refused(&lanes(513, F32), "columns-exceeded", Some(Which::Src), "takes 513 columns of 32 bits");
    let many = Problem { src: tmem(&[128, 4], "(128, 4) : (2@TLane, 1@TCol)"), ..lanes(4, F32) };
    refused(&many, "lanes-exceeded", Some(Which::Src), "reaches lane 254");
}

#[test]
fn sides_without_common_digits() {
    let src = tmem(&[128, 6], "(128, 2, 3) : (1@TLane, 8@TCol, 1@TCol)");
    let dst = |digits: &str| local(&[128, 6], &format!("(128, {digits}) : (1@tid_in_wg, 8, 1)"));
    assert_eq!(both(&between(src.clone(), dst("2, 3"), F32)), ("32x32b", 1, 6));
    refused(&between(src, dst("3, 2"), F32), "no-common-refinement", None, "no common refinement");
    let whole = tmem(&[128, 12], "(128, 3, 4) : (1@TLane, 8@TCol, 1@TCol)");
    let cut = between(part(whole, &[(0, 128), (3, 6)]), lanes(6, F32).dst, F32);
    refused(&cut, "region-not-sliceable", Some(Which::Src), "");
}
