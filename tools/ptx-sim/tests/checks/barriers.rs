//! mbarrier objects and the bytes that they occupy; barriers that some threads do not reach.

use ptx_sim::FaultKind::Invalid;

use super::{Shape, racy, right};

const ONE: Shape = Shape { grid: 1, block: 1, cluster: 1, words: 4, dynamic: 0, map: None };
const SHARED: &str = ".shared .align 16 .b8 b[32];";

#[test]
fn initialized_twice_without_inval() {
    let body = |between: &str| format!("mbarrier.init.shared.b64 [b], 1; {between} mbarrier.init.shared.b64 [b], 2;");
    racy(ONE, SHARED, &body(""), Invalid, &["live mbarrier object"]);
    right(ONE, SHARED, &body("mbarrier.inval.shared.b64 [b];"));
}

#[test]
fn a_live_object_is_no_ordinary_memory() {
    let uses = [
        "ld.shared.b64 %rd1, [b];",
        "ld.shared.b32 %r1, [b+4];",
        "ld.shared.v2.b64 {%rd1, %rd2}, [b];",
        "st.shared.b8 [b+7], 0;",
        "atom.shared.add.u32 %r1, [b], 1;",
        "st.shared.v2.b64 [b], {0, 0};",
    ];
    for access in uses {
        racy(ONE, SHARED, &format!("mbarrier.init.shared.b64 [b], 1; {access}"), Invalid, &["live mbarrier object"]);
        let body = format!(
            "mbarrier.init.shared.b64 [b], 1; mbarrier.inval.shared.b64 [b]; st.shared.v2.b64 [b], {{0, 0}}; {access}"
        );
        right(ONE, SHARED, &body);
    }
    right(ONE, SHARED, "mbarrier.init.shared.b64 [b], 1; st.shared.b64 [b+8], 0; ld.shared.b64 %rd1, [b+8];");
}

#[test]
fn an_object_can_be_made_again_and_again() {
    let body = "mov.u32 %r1, 0;\n\
        L: mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.shared.b64 %rd1, [b];\n\
        mbarrier.test_wait.shared.b64 %p1, [b], %rd1; mbarrier.inval.shared.b64 [b];\n\
        add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 5000; @%p2 bra L;";
    right(ONE, SHARED, body);
}

/// As the ISA defines, barriers do not wait for threads that have exited.
#[test]
fn threads_that_have_exited_are_not_waited_for() {
    let body = "and.b32 %r1, %r0, 31; setp.lt.u32 %p1, %r1, 16; @%p1 exit; bar.sync 0; st.global.b64 [%rd0], 1;";
    right(Shape { block: 17, words: 1, ..Shape::default() }, "", body);
}
