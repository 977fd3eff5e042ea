//! `ldmatrix` and `stmatrix` in every form, against the element positions that the ISA specifies.

use super::run_words;

const SHARED: &str = ".shared .align 16 .b8 m[1024];";
const ROWS: &str = "mov.u32 %r1, %laneid; mul.lo.u32 %r2, %r1, 16; cvt.u64.u32 %rd2, %r2; mov.u64 %rd3, m; add.s64 %rd3, %rd3, %rd2;\n\
    mul.wide.u32 %rd4, %r1, 8; add.s64 %rd5, %rd0, %rd4;";

/// Element (row, column) of matrix `m`, as a distinct 16-bit number.
fn element(m: usize, row: usize, column: usize) -> u64 {
    (m * 64 + row * 8 + column) as u64
}

/// The part of matrix `m` that lane `lane` holds.
fn fragment(lane: usize, m: usize, transposed: bool) -> u64 {
    let at = |i: usize| {
        let (line, other) = (lane / 4, 2 * (lane % 4) + i);
        if transposed { element(m, other, line) } else { element(m, line, other) }
    };
    at(0) | at(1) << 16
}

fn registers(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|m| format!("%r{}", 10 + m)).collect();
    format!("{{{}}}", names.join(", "))
}

/// The four matrices in shared memory, row after row; lane l writes row l.
fn fill() -> String {
    let mut text = format!("{ROWS}\nmul.lo.u32 %r3, %r1, 8;\n");
    for i in 0..8 {
        text += &format!("add.u32 %r4, %r3, {i}; st.shared.b16 [%rd3+{}], %r4;\n", 2 * i);
    }
    text + "bar.warp.sync -1;\n"
}

#[test]
fn loads() {
    for (count, suffix) in [(1, "x1"), (2, "x2"), (4, "x4")] {
        for (transposed, trans) in [(false, ""), (true, ".trans")] {
            let mut body = fill();
            body += &format!("ldmatrix.sync.aligned.m8n8.{suffix}{trans}.shared.b16 {}, [%rd3];\n", registers(count));
            for m in 0..count {
                body += &format!("cvt.u64.u32 %rd6, %r{}; st.global.b64 [%rd5+{}], %rd6;\n", 10 + m, 256 * m);
            }
            let out = run_words(32, 32 * count, SHARED, &body).unwrap_or_else(|e| panic!("{e}"));
            for (i, got) in out.iter().enumerate() {
                assert_eq!(
                    *got,
                    fragment(i % 32, i / 32, transposed),
                    "{suffix}{trans} lane {} matrix {}",
                    i % 32,
                    i / 32
                );
            }
        }
    }
}

#[test]
fn stores() {
    for (count, suffix) in [(1usize, "x1"), (2, "x2"), (4, "x4")] {
        for (transposed, trans) in [(false, ""), (true, ".trans")] {
            let mut body = format!("{ROWS}\nshr.u32 %r5, %r1, 2; and.b32 %r6, %r1, 3; shl.b32 %r6, %r6, 1;\n");
            // Lane l's fragment, computed: element (a, b) is 64 m + 8 a + b.
            for m in 0..count {
                let (line, pair, step) = if transposed { (1, 8, 8) } else { (8, 1, 1) };
                body += &format!(
                    "mul.lo.u32 %r7, %r5, {line}; mad.lo.u32 %r7, %r6, {pair}, %r7; add.u32 %r7, %r7, {};\n",
                    64 * m
                );
                body += &format!("add.u32 %r8, %r7, {step}; shl.b32 %r8, %r8, 16; or.b32 %r{}, %r7, %r8;\n", 10 + m);
            }
            body += &format!(
                "stmatrix.sync.aligned.m8n8.{suffix}{trans}.shared.b16 [%rd3], {};\nbar.warp.sync -1;\n",
                registers(count)
            );
            body += &format!("setp.lt.u32 %p1, %r1, {}; @!%p1 ret;\n", 8 * count);
            body += "mul.wide.u32 %rd4, %r1, 16; add.s64 %rd5, %rd0, %rd4; ld.shared.v2.b64 {%rd6, %rd7}, [%rd3]; st.global.v2.b64 [%rd5], {%rd6, %rd7};";
            let out = run_words(32, 16 * count, SHARED, &body).unwrap_or_else(|e| panic!("{e}"));
            let got: Vec<u64> = out.iter().flat_map(|w| (0..4).map(move |i| w >> (16 * i) & 0xffff)).collect();
            assert_eq!(got, (0..64 * count as u64).collect::<Vec<_>>(), "{suffix}{trans}");
        }
    }
}

#[test]
fn all_lanes_must_take_part() {
    let body = format!(
        "{}{}",
        fill(),
        "setp.eq.u32 %p1, %r1, 0; @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%rd3];"
    );
    let error = run_words(32, 32, SHARED, &body).unwrap_err();
    assert_eq!(error.fault().unwrap().kind, ptx_sim::FaultKind::Invalid, "{error}");
}
