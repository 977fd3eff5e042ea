//! Individual instructions, each on a few lanes of a warp, against results computed here.

mod atomics;
mod bits;
mod box_reductions;
mod boxes;
mod control;
mod convert;
mod copies;
mod errors;
mod float;
mod foreign;
mod fragments;
mod integer;
mod matrix;
mod mbarriers;
mod memory;
mod misc;
mod operands;
mod pixels;
mod recursion;
mod special;
mod system;
mod tensor;
mod tensor_maps;
mod tensor_products;
mod warp;
mod warp_products;
mod wgmma;
mod wmma;

use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory};

use crate::support::launch_text;

/// The module text around a kernel `k` with parameters `p0`, `p1`, … of 64 bits.
pub fn kernel(target: &str, params: usize, declarations: &str, body: &str) -> String {
    let params: Vec<String> = (0..params).map(|i| format!(".param .u64 p{i}")).collect();
    format!(
        ".version 8.8\n.target {target}\n.address_size 64\n{declarations}\n.visible .entry k({})\n{{\n\
         .reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .b128 %q<4>;\n{body}\nret;\n}}\n",
        params.join(", ")
    )
}

/// The oldest target that has all of a body's instructions, so that as many as possible can be compared with a GPU of
/// compute capability 9.0.
pub fn target(body: &str) -> &'static str {
    let newer = ["tcgen05", "st.bulk", ".v8.b32", ".v4.b64"];
    let three = ["max.", "min."].iter().any(|word| body.contains(word)) && body.contains("%b, %c");
    if three || newer.iter().any(|word| body.contains(word)) { "sm_100a" } else { "sm_90a" }
}

/// Runs `body` in one block of `threads` threads with an output array of `words` 64-bit words in `%rd0`; returns the
/// array.
pub fn run_words(threads: u32, words: usize, declarations: &str, body: &str) -> Result<Vec<u64>, LaunchError> {
    let text = kernel(target(body), 1, declarations, &format!("ld.param.b64 %rd0, [p0];\n{body}"));
    let mut memory = Memory::new();
    let out = memory.alloc_with(&vec![0; words * 8]).unwrap();
    launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, threads), &[Arg::Ptr(out)])?;
    Ok(memory
        .read(out, words * 8)
        .unwrap()
        .chunks_exact(8)
        .map(|c| u64::from_le_bytes(c.try_into().unwrap()))
        .collect())
}

/// Runs `body` in one warp; each lane puts its result into `%rd9`.
pub fn lanes(declarations: &str, body: &str) -> Vec<u64> {
    let body = format!(
        "mov.u32 %r60, %tid.x; mul.wide.u32 %rd1, %r60, 8; add.s64 %rd8, %rd0, %rd1;\n{body}\nst.global.b64 [%rd8], %rd9;"
    );
    run_words(32, 32, declarations, &body).unwrap_or_else(|e| panic!("{e}"))
}

/// The widths in bits of an instruction's destination and sources.
#[derive(Clone, Copy)]
pub struct Widths(pub u32, pub &'static [u32]);

/// Fills the slots of later registers with ones in all lanes: what lanes hold that do not execute an instruction.
fn leftovers() -> String {
    let fill = |i: u32| format!("mov.b64 %rd{i}, -1; ");
    let use_up = |i: u32| format!("xor.b64 %rd31, %rd31, %rd{i}; ");
    (16..32).map(fill).chain((16..31).map(use_up)).collect()
}

/// Applies `instruction`, written with `%d`, `%a`, `%b`, `%c`, to every row of `inputs`: in the lower half of each warp, so
/// that the upper half shows that nothing depends on what other lanes hold.
pub fn apply(instruction: &str, widths: Widths, inputs: &[[u64; 3]]) -> Vec<u64> {
    let names = ["%a", "%b", "%c"];
    let mut body = format!(
        ".reg .b{} %d;\n{}\nmov.u32 %r0, %tid.x; setp.ge.u32 %p7, %r0, 16;\n@%p7 bra LEAVE;\n",
        widths.0,
        leftovers()
    );
    body += "ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1]; mov.u32 %r1, %ctaid.x; mad.lo.s32 %r0, %r1, 16, %r0;\n";
    body +=
        "mul.wide.u32 %rd2, %r0, 24; add.s64 %rd3, %rd0, %rd2; mul.wide.u32 %rd4, %r0, 8; add.s64 %rd5, %rd1, %rd4;\n";
    for (i, width) in widths.1.iter().enumerate() {
        body += &format!(".reg .b{width} {}; ld.global.b{width} {}, [%rd3+{}];\n", names[i], names[i], 8 * i);
    }
    body += &format!("{instruction}\nst.global.b{} [%rd5], %d;\nLEAVE:", widths.0);
    let text = kernel(target(&body), 2, "", &body);
    let mut memory = Memory::new();
    let blocks = inputs.len().div_ceil(16);
    let mut bytes: Vec<u8> = inputs.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    bytes.resize(blocks * 16 * 24, 0);
    let input = memory.alloc_with(&bytes).unwrap();
    let output = memory.alloc_with(&vec![0; blocks * 128]).unwrap();
    let config = LaunchConfig::new(blocks as u32, 32);
    launch_text(&mut memory, &text, "k", &config, &[Arg::Ptr(input), Arg::Ptr(output)])
        .unwrap_or_else(|e| panic!("{e}"));
    let out = memory.read(output, inputs.len() * 8).unwrap();
    out.chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())).collect()
}

/// Edge cases: all triples of a few numbers, and pairs of many.
pub fn triples(bits: u32) -> Vec<[u64; 3]> {
    let mask = u64::MAX >> (64 - bits);
    let top = 1u64 << (bits - 1);
    let interesting =
        [0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, top - 1, top, top + 1, mask - 1, mask, 0x1234_5678_9abc_def0];
    let mut out = Vec::new();
    for &a in &interesting {
        for &b in &interesting {
            for c in [0, 1, mask, top, 0xdead_beef_0bad_cafe] {
                out.push([a & mask, b & mask, c & mask]);
            }
        }
    }
    out
}

/// Checks `instruction` on all [`triples`] against `want`.
pub fn check(instruction: &str, widths: Widths, bits: u32, want: impl Fn(u64, u64, u64) -> u64) {
    check_on(instruction, widths, &triples(bits), want);
}

pub fn check_on(instruction: &str, widths: Widths, inputs: &[[u64; 3]], want: impl Fn(u64, u64, u64) -> u64) {
    let keep = |v: u64, i: usize| widths.1.get(i).map_or(0, |w| v & u64::MAX >> (64 - w));
    for (&[a, b, c], got) in inputs.iter().zip(apply(instruction, widths, inputs)) {
        let want = want(keep(a, 0), keep(b, 1), keep(c, 2)) & u64::MAX >> (64 - widths.0);
        assert_eq!(got, want, "{instruction} of {a:#x}, {b:#x}, {c:#x}: got {got:#x}, expected {want:#x}");
    }
}
