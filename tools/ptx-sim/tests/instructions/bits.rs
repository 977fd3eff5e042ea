//! Logic, shifts, bit fields, permutations, selection.

use super::{Widths, check, check_on};

const W32: Widths = Widths(32, &[32, 32, 32]);
const W64: Widths = Widths(64, &[64, 64, 64]);
const S64: Widths = Widths(64, &[64, 32, 32]);

#[test]
fn logic() {
    check("and.b32 %d, %a, %b;", W32, 32, |a, b, _| a & b);
    check("or.b64 %d, %a, %b;", W64, 64, |a, b, _| a | b);
    check("xor.b16 %d, %a, %b;", Widths(16, &[16, 16]), 16, |a, b, _| a ^ b);
    check("not.b32 %d, %a;", W32, 32, |a, _, _| !a);
    check("cnot.b64 %d, %a;", W64, 64, |a, _, _| u64::from(a == 0));
    check("lop3.b32 %d, %a, %b, %c, 0x96;", W32, 32, |a, b, c| a ^ b ^ c);
    check("lop3.b32 %d, %a, %b, %c, 0xca;", W32, 32, |a, b, c| a & b | !a & c);
    check("lop3.b32 %d, %a, %b, %c, 0x80;", W32, 32, |a, b, c| a & b & c);
}

#[test]
fn shifts() {
    check("shl.b32 %d, %a, %b;", W32, 32, |a, n, _| if n > 31 { 0 } else { a << n });
    check("shl.b64 %d, %a, %b;", S64, 64, |a, n, _| if n > 63 { 0 } else { a << n });
    check("shr.u32 %d, %a, %b;", W32, 32, |a, n, _| if n > 31 { 0 } else { a >> n });
    check("shr.s32 %d, %a, %b;", W32, 32, |a, n, _| (a as i32 >> n.min(31)) as u64);
    check("shr.s64 %d, %a, %b;", S64, 64, |a, n, _| (a as i64 >> n.min(63)) as u64);
    check("shr.b16 %d, %a, %b;", Widths(16, &[16, 32]), 32, |a, n, _| if n > 15 { 0 } else { (a & 0xffff) >> n });
    check("shf.l.wrap.b32 %d, %a, %b, %c;", W32, 32, |a, b, n| ((u128::from(b << 32 | a) << (n & 31)) >> 32) as u64);
    check("shf.r.clamp.b32 %d, %a, %b, %c;", W32, 32, |a, b, n| (b << 32 | a) >> n.min(32));
    check("shf.l.clamp.b32 %d, %a, %b, %c;", W32, 32, |a, b, n| ((u128::from(b << 32 | a) << n.min(32)) >> 32) as u64);
    check("shf.r.wrap.b32 %d, %a, %b, %c;", W32, 32, |a, b, n| (b << 32 | a) >> (n & 31));
}

/// `bfe` bit by bit, according to its definition.
fn extract(a: u64, pos: u64, len: u64, bits: u64, signed: bool) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let sign = signed && len > 0 && a >> (pos + len - 1).min(bits - 1) & 1 == 1;
    (0..bits).fold(0, |d, i| {
        let bit = if i < len && pos + i < bits { a >> (pos + i) & 1 == 1 } else { sign };
        d | u64::from(bit) << i
    })
}

/// For 64-bit fields, only positions and lengths up to 255, as the ISA restricts them: an H200 reduces larger ones only
/// in 32-bit fields.
fn fields(bits: u64) -> Vec<[u64; 3]> {
    let mut out = Vec::new();
    for a in [0, u64::MAX, 0x8765_4321_fedc_ba98, 1 << (bits - 1), 0x5555_5555_5555_5555] {
        for pos in [0, 1, 7, 16, bits - 1, bits, 70, 255, 256] {
            for len in [0, 1, 5, 8, 31, 32, 33, 64, 255, 257] {
                out.push([a & u64::MAX >> (64 - bits), pos, len]);
            }
        }
    }
    out.retain(|&[_, pos, len]| bits == 32 || pos.max(len) < 256);
    out
}

#[test]
fn bit_fields() {
    check_on("bfe.u32 %d, %a, %b, %c;", W32, &fields(32), |a, p, n| extract(a, p, n, 32, false));
    check_on("bfe.s32 %d, %a, %b, %c;", W32, &fields(32), |a, p, n| extract(a, p, n, 32, true));
    check_on("bfe.u64 %d, %a, %b, %c;", S64, &fields(64), |a, p, n| extract(a, p, n, 64, false));
    check_on("bfe.s64 %d, %a, %b, %c;", S64, &fields(64), |a, p, n| extract(a, p, n, 64, true));
    let insert = |a: u64, b: u64, pos: u64, len: u64| {
        (0..len & 0xff).filter(|i| (pos & 0xff) + i < 32).fold(b, |d, i| {
            let at = (pos & 0xff) + i;
            d & !(1 << at) | (a >> i & 1) << at
        })
    };
    check_on("bfi.b32 %d, %a, 0x0f0f1234, %b, %c;", W32, &fields(32), |a, p, n| insert(a, 0x0f0f_1234, p, n));
    check_on("bfi.b32 %d, %c, %a, %b, 9;", W32, &fields(32), |a, p, n| insert(n, a, p, 9));
    check_on("bmsk.clamp.b32 %d, %b, %c;", W32, &fields(32), |_, p, n| {
        (0..32).filter(|&i| i >= p.min(32) && i < p.min(32) + n.min(32)).fold(0, |m, i| m | 1 << i)
    });
    check_on("szext.wrap.s32 %d, %a, %c;", W32, &fields(32), |a, _, n| extract(a, 0, n & 31, 32, true));
}

#[test]
fn counts() {
    check("popc.b32 %d, %a;", W32, 32, |a, _, _| a.count_ones().into());
    check("popc.b64 %d, %a;", Widths(32, &[64]), 64, |a, _, _| a.count_ones().into());
    check("clz.b32 %d, %a;", W32, 32, |a, _, _| (a as u32).leading_zeros().into());
    check("clz.b64 %d, %a;", Widths(32, &[64]), 64, |a, _, _| a.leading_zeros().into());
    check("brev.b32 %d, %a;", W32, 32, |a, _, _| (a as u32).reverse_bits().into());
    check("brev.b64 %d, %a;", W64, 64, |a, _, _| a.reverse_bits());
    check("bfind.u32 %d, %a;", W32, 32, |a, _, _| (0..32).rev().find(|i| a >> i & 1 == 1).unwrap_or(u64::MAX));
    check("bfind.s64 %d, %a;", Widths(32, &[64]), 64, |a, _, _| {
        (0..64).rev().find(|i| a >> i & 1 != a >> 63).unwrap_or(u64::MAX)
    });
    check("bfind.shiftamt.u32 %d, %a;", W32, 32, |a, _, _| {
        (0..32).rev().find(|i| a >> i & 1 == 1).map_or(u64::MAX, |i| 31 - i)
    });
    check_on(
        "fns.b32 %d, %a, %b, %c;",
        W32,
        &[
            [0b1011_0100, 2, 1],
            [0b1011_0100, 2, 3],
            [0b1011_0100, 3, 0],
            [0b1011_0100, 4, (-2i64) as u64],
            [0xffff_0000, 0, 1],
            [1, 0, 2],
        ],
        |a, _, c| match (a, c as i32) {
            (0b1011_0100, 1) => 2,
            (0b1011_0100, 3) => 5,
            (0b1011_0100, 0) => u64::MAX,
            (0b1011_0100, _) => 2,
            (1, _) => u64::MAX,
            _ => 16,
        },
    );
}

#[test]
fn byte_permutations() {
    let byte = |a: u64, b: u64, i: u64| (b << 32 | a) >> (8 * (i & 7)) & 0xff;
    let pick = |a: u64, b: u64, s: u64| if s & 8 == 0 { byte(a, b, s) } else { 0xff * (byte(a, b, s) >> 7) };
    let join = |s: [u64; 4], f: &dyn Fn(u64) -> u64| (0..4).fold(0, |d, i| d | f(s[i]) << (8 * i));
    check("prmt.b32 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        join([c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15], &|s| pick(a, b, s))
    });
    // The table of the ISA, low byte first.
    type Table = [[u64; 4]; 4];
    let tables: [(&str, Table); 6] = [
        ("f4e", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
        ("b4e", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
        ("rc8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
        ("ecl", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
        ("rc16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
    ];
    for (mode, table) in tables {
        check(&format!("prmt.b32.{mode} %d, %a, %b, %c;"), W32, 32, |a, b, c| {
            join(table[c as usize & 3], &|s| byte(a, b, s))
        });
    }
}

#[test]
fn comparison_and_selection() {
    let select = |cmp: &str| {
        format!("{{ .reg .pred p, q; setp.{cmp} p|q, %a, %b; selp.b32 %d, 1, 2, p; @q add.s32 %d, %d, 4; }}")
    };
    let code = |p: bool| if p { 1 } else { 6 };
    check(&select("lt.s32"), W32, 32, |a, b, _| code((a as i32) < b as i32));
    check(&select("hi.u32"), W32, 32, |a, b, _| code(a > b));
    check(&select("le.s64"), Widths(32, &[64, 64]), 64, |a, b, _| code(a as i64 <= b as i64));
    check(&select("ne.b16"), Widths(32, &[16, 16]), 16, |a, b, _| code(a != b));
    check(
        "{ .reg .pred p, q; setp.ge.u32 q, %c, 5; setp.eq.and.u32 p, %a, %b, !q; selp.b32 %d, 1, 0, p; }",
        W32,
        32,
        |a, b, c| u64::from(a == b && c < 5),
    );
    // Two packed values: p is the comparison of the lower ones, q that of the upper ones. 0x7e00 is a NaN.
    let halves = |cmp: &str| {
        format!("{{ .reg .pred p, q; setp.{cmp} p|q, %a, %b; selp.b32 %d, 1, 0, p; @q add.s32 %d, %d, 2; }}")
    };
    let [two_one, one_two, nan_two] = [0x4000_3c00, 0x3c00_4000, 0x7e00_4000];
    for (cmp, a, b, expected) in [
        ("gt.f16x2", two_one, one_two, 2),
        ("lt.f16x2", two_one, one_two, 1),
        ("le.f16x2", two_one, two_one, 3),
        ("gt.f16x2", nan_two, two_one, 1),
        ("gtu.f16x2", nan_two, two_one, 3),
        ("nan.f16x2", nan_two, two_one, 2),
        ("eq.bf16x2", 0x4000_3f80, 0x3f80_3f80, 1),
    ] {
        check_on(&halves(cmp), W32, &[[a, b, 0]], |_, _, _| expected);
    }
    let combined = "{ .reg .pred p, q, r; setp.eq.u32 r, %c, 5; setp.gt.and.f16x2 p|q, %a, %b, r; selp.b32 %d, 1, 0, p; \
                    @q add.s32 %d, %d, 2; }";
    check_on(combined, W32, &[[two_one, one_two, 5], [two_one, one_two, 4]], |_, _, c| if c == 5 { 2 } else { 0 });
    check("slct.u32.s32 %d, %a, %b, %c;", W32, 32, |a, b, c| if c as i32 >= 0 { a } else { b });
    check(
        "{ .reg .pred p, q; setp.ne.s32 p, %a, 0; setp.ne.s32 q, %b, 0; xor.pred p, p, q; not.pred p, p; selp.b32 %d, %c, 7, p; }",
        W32,
        32,
        |a, b, c| {
            if (a != 0) == (b != 0) { c } else { 7 }
        },
    );
}

#[test]
fn packing() {
    check("mov.b64 %d, {%a, %b};", Widths(64, &[32, 32]), 32, |a, b, _| b << 32 | a);
    check("mov.b32 %d, {%b, %a};", Widths(32, &[16, 16]), 16, |a, b, _| a << 16 | b);
    check("{ .reg .b32 x; mov.b64 {x, %d}, %a; }", Widths(32, &[64]), 64, |a, _, _| a >> 32);
    check("{ .reg .b16 x; mov.b64 {_, _, x, _}, %a; cvt.u32.u16 %d, x; }", Widths(32, &[64]), 64, |a, _, _| {
        a >> 32 & 0xffff
    });
    check(
        "{ .reg .b128 q; .reg .b64 x; mov.b128 q, {%a, %b}; mov.b128 {x, %d}, q; sub.s64 %d, %d, x; }",
        W64,
        64,
        |a, b, _| b.wrapping_sub(a),
    );
}
