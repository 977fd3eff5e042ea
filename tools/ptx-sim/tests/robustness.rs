//! Damaged text is rejected or runs, but never crashes the simulator.

use proptest::prelude::*;
use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory, Module, Schedule, TensorMap, TiledMap, launch};

const TEXTS: [&str; 16] = [
    include_str!("ptx/reduce.ptx"),
    include_str!("ptx/mistakes.ptx"),
    include_str!("ptx/flags.ptx"),
    include_str!("ptx/pipeline.ptx"),
    include_str!("ptx/cp_async.ptx"),
    include_str!("ptx/cluster.ptx"),
    include_str!("ptx/tensor.ptx"),
    include_str!("ptx/transpose.ptx"),
    include_str!("ptx/lookback.ptx"),
    include_str!("ptx/words.ptx"),
    include_str!("ptx/floats.ptx"),
    include_str!("ptx/bench.ptx"),
    include_str!("ptx/boxes.ptx"),
    MAPS,
    RARE,
    FOREIGN,
];

const MAPS: &str = include_str!("ptx/maps.ptx");

/// Instructions and directives that do not occur in the compiler output used here.
const RARE: &str = r#".version 8.8
.target sm_100a
.address_size 64
.file 1 "input.mlir"
.global .align 8 .b64 table[4] = {1, 2, generic(table)+8};
.shared .align 16 .b8 s[256];
.shared .align 8 .b64 b;
.extern .shared .align 16 .b8 d[];
.func (.param .b32 out) twice(.param .b32 in) {
  .reg .b32 %a<2>; ld.param.b32 %a0, [in]; add.u32 %a1, %a0, %a0; st.param.b32 [out], %a1; ret;
}
.visible .entry rare(.param .u64 p0) .reqntid 64, 1, 1 {
  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .b128 %q<2>;
  .local .align 8 .b8 l[64];
  ld.param.b64 %rd0, [p0]; mov.u32 %r0, %tid.x; and.b32 %r9, %r0, 31; mov.u64 %rd1, s; mov.u64 %rd2, b;
  .loc 1 9 5, function_name $L__info+4, inlined_at 1 12 3
  setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [b], 64; fence.proxy.async; bar.sync 0, 64;
  @%p0 cp.async.ca.shared.global [%rd1+32], [%rd0], 8; cp.async.commit_group; cp.async.wait_group 0;
  .pragma "used_bytes_mask 0x0f";
  ld.global.b64 %rd3, [%rd0+64]; shfl.sync.down.b32 %r1|%p1, %r0, 4, 31, -1; vote.sync.ballot.b32 %r2, %p1, -1;
  redux.sync.add.u32 %r3, %r9, -1; match.any.sync.b32 %r4, %r9, -1; div.u32 %r5, 100, %r0; bfe.u32 %r6, %r0, 3, 40;
  bfi.b32 %r7, %r0, %r1, 28, 9; shl.b32 %r8, %r0, 33; prmt.b32 %r10, %r0, %r1, 0x9753; lop3.b32 %r11, %r0, %r1, %r2, 0xe8;
  mov.b64 {%r12, %r13}, %rd3; mov.b128 %q0, {%rd1, %rd2}; mov.b128 {%rd4, %rd5}, %q0; max.NaN.f32 %r14, %r1, %r2, %r3;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r12; call (y), twice, (x); ld.param.b32 %r15, [y]; }
  st.local.b32 [l+60], %r15; ld.local.b32 %r6, [l+60]; mbarrier.arrive.expect_tx.shared.b64 %rd6, [b], 0;
  W: mbarrier.try_wait.shared.b64 %p2, [b], %rd6; @!%p2 bra W;
  atom.global.cas.b64 %rd7, [%rd0+128], 1, 2; nanosleep.u32 40; and.b32 %r9, %r9, 3; brx.idx %r9, L; L: .branchtargets E, E, E, E;
  E: cp.async.bulk.wait_group.read 3; @%p0 st.global.v2.b32 [%rd0+256], {%r5, %r6}; ret;
}
"#;

/// What other compilers print: calls through addresses and of what every driver provides, modifiers in another order.
const FOREIGN: &str = r#".version 8.8
.target sm_100a
.address_size 64
.file 1 "a\"b.cu"
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 a);
.extern .func free(.param .b64 a);
.func (.param .b32 r) one(.param .b32 a);
.global .align 1 .b8 format[12] = {37, 42, 100, 32, 37, 46, 50, 103, 32, 37, 115, 10};
.global .align 8 .u64 table[2] = {one, two};
.shared .align 1 .b8 __dynamic_shmem__0[1];
.func (.param .b32 r) one(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) two(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; shl.b32 %x, %x, 1; st.param.b32 [r], %x; ret; }
.visible .entry foreign(.param .u64 p0) {
  .local .align 8 .b8 l[32]; .reg .b64 %sp; .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .b16 %h<4>;
  mov.u64 %sp, l; mov.u32 %r0, %tid.x; ld.param.b64 %rd0, [p0]; mov.u64 %rd1, __dynamic_shmem__0; st.shared.b32 [%rd1], 7;
  .loc 1 7 3
  st.local.b32 [%sp], %r0; st.local.b32 [%sp+4], %r0; st.local.b64 [%sp+8], 0d3ff8000000000000; mov.u64 %rd2, format;
  st.local.b64 [%sp+16], %rd2; cvta.local.u64 %rd3, %sp;
  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd2; st.param.b64 [b], %rd3; call (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }
  { .param .b64 a; .param .b64 b; st.param.b64 [a], 16; call (b), malloc, (a); ld.param.b64 %rd4, [b]; }
  st.b64 [%rd4+8], %rd0; ld.b64 %rd5, [%rd4+8];
  { .param .b64 a; st.param.b64 [a], %rd4; call free, (a); }
  and.b32 %r2, %r0, 1; mov.u64 %rd6, table; mad.wide.u32 %rd6, %r2, 8, %rd6; ld.global.b64 %rd6, [%rd6];
  { .param .b32 p; .param .b32 q; st.param.b32 [p], %r0; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (q), %rd6, (p), proto; ld.param.b32 %r3, [q]; }
  set.lt.f16x2.f16x2 %r4, %r0, %r3; vabsdiff4.u32.s32.u32.add %r5, %r4, %r3, %r0; vadd2.s32.s32.s32.sat %r6, %r5, %r4, %r0;
  vmax4.u32.u32.u32.b20 %r7, %r6, %r5, %r0; cvt.bf16.f16 %h0, %h1; mov.u32 %r8, %envreg1; mov.u32 %r9, %envreg2; mov.b64 %rd7, {%r9, %r8};
  atom.global.add.gpu.u32.acq_rel %r10, [%rd7+4], 1; setp.eq.u32 %p0, %r10, 77777; @%p0 brkpt; ret;
}
"#;

/// One change of a text: words are removed, duplicated, or replaced by another word of the text.
#[derive(Debug, Clone)]
enum Damage {
    Remove(prop::sample::Index),
    Double(prop::sample::Index),
    Replace(prop::sample::Index, prop::sample::Index),
    Number(prop::sample::Index, u64),
    Cut(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    use prop::sample::Index;
    prop_oneof![
        4 => any::<Index>().prop_map(Damage::Remove),
        4 => any::<Index>().prop_map(Damage::Double),
        12 => any::<(Index, Index)>().prop_map(|(a, b)| Damage::Replace(a, b)),
        6 => any::<(Index, u64)>().prop_map(|(a, n)| Damage::Number(a, n >> (n % 64))),
        6 => (any::<Index>(), any::<Index>()).prop_map(|(a, n)| Damage::Number(a, EDGES[n.index(EDGES.len())])),
        1 => any::<Index>().prop_map(Damage::Cut),
    ]
}

/// Numbers at which arithmetic of some width overflows.
const EDGES: [u64; 16] = [
    0,
    1,
    31,
    32,
    33,
    255,
    256,
    (1 << 15) - 1,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// The number of cases to try, which the environment can increase.
fn cases() -> u32 {
    std::env::var("PTX_SIM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Splits into words, numbers, blanks and signs.
fn pieces(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => 0,
        c if c.is_alphanumeric() || "_$%.".contains(c) => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut out: Vec<String> = Vec::new();
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if kind(c) != 3 && last.chars().last().map(kind) == Some(kind(c)) => last.push(c),
            _ => out.push(c.to_string()),
        }
    }
    out
}

fn apply(words: &mut Vec<String>, damage: &Damage) {
    if words.is_empty() {
        return;
    }
    match damage {
        Damage::Remove(i) => drop(words.remove(i.index(words.len()))),
        Damage::Double(i) => {
            let at = i.index(words.len());
            words.insert(at, words[at].clone());
        }
        Damage::Replace(i, j) => {
            let word = words[j.index(words.len())].clone();
            let at = i.index(words.len());
            words[at] = word;
        }
        Damage::Number(i, n) => {
            let at = i.index(words.len());
            let digit = |w: &String| w.chars().all(|c| c.is_ascii_digit());
            if let Some(number) = (at..words.len()).find(|&k| digit(&words[k])) {
                words[number] = n.to_string();
            }
        }
        Damage::Cut(i) => words.truncate(i.index(words.len())),
    }
}

/// Warp instructions that a launch may take.
const STEPS: u64 = 5_000;

/// Runs every kernel for a while. Any fault must have a position in the text.
fn run(module: &Module, schedule: Schedule, lines: u32) {
    let kernels: Vec<String> = module.kernels().map(str::to_string).collect();
    for kernel in kernels {
        let mut memory = Memory::new();
        let data = memory.alloc_with(&[1; 4096]).unwrap();
        let fields: TiledMap = "type=u8,dims=128x32,box=128x16,swizzle=128".parse().unwrap();
        let map = TensorMap::tiled(TiledMap { base: data.0, ..fields }).unwrap();
        let arg = |size: u64| match size {
            8 => Arg::Ptr(data),
            128 => Arg::Map(map.clone()),
            size => Arg::Bytes(vec![1; size as usize]),
        };
        let args: Vec<Arg> = module.kernel(&kernel).unwrap().params.iter().map(|p| arg(p.size)).collect();
        let config = LaunchConfig {
            schedule,
            step_limit: STEPS,
            resident_blocks: 2,
            dynamic_shared: 512,
            ..LaunchConfig::new(2, 64)
        };
        match launch(&mut memory, module, &kernel, &config, &args) {
            Ok(report) => assert!(report.total.warps <= STEPS, "{kernel}: {} steps", report.total.warps),
            Err(LaunchError::Fault(fault)) => assert!(fault.line <= lines, "{fault}"),
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damaged_text(which in 0..TEXTS.len(), damages in prop::collection::vec(damage(), 1..4), seed in 0u64..100) {
        let mut words = pieces(TEXTS[which]);
        damages.iter().for_each(|d| apply(&mut words, d));
        let text = words.concat();
        let lines = 1 + text.matches('\n').count() as u32;
        match Module::parse(&text) {
            Ok(module) => run(&module, Schedule::Random(seed), lines),
            Err(error) => prop_assert!(error.at.line <= lines && !error.message.is_empty(), "{error}"),
        }
    }
}

/// A module whose only kernel has this body.
fn module(before: &str, body: &str) -> String {
    format!(".version 8.8\n.target sm_90\n.address_size 64\n{before}\n.visible .entry k() {{ {body} }}")
}

/// Nesting that would exhaust the stack of a parser without a depth limit.
#[test]
fn deep_nests_are_refused() {
    const DEEP: usize = 100_000;
    let around = |open: &str, inside: &str, close: &str| open.repeat(DEEP) + inside + &close.repeat(DEEP);
    let loops: String = (0..DEEP / 10).map(|i| format!("L{i}: not.pred p, p;")).collect();
    let ends: String = (0..DEEP / 10).rev().map(|i| format!("@p bra L{i};")).collect();
    for (what, text) in [
        ("scopes", module("", &around("{", "ret;", "}"))),
        ("vectors", module("", &format!("mov.b64 {}, 1;", around("{", "x", "}")))),
        ("lists", module("", &format!("call {}, f;", around("(", "x", ")")))),
        ("negations", module("", &format!("mov.pred p, {}p;", "!".repeat(DEEP)))),
        ("initializers", module(&format!(".global .u32 g[1] = {};", around("{", "1", "}")), "")),
        ("loops", module("", &format!(".reg .pred p; {loops} {ends}"))),
    ] {
        let error = Module::parse(&text).err().unwrap_or_else(|| panic!("{what} are accepted"));
        assert!(error.message.contains("deep"), "{what}: {error}");
    }
}

/// Functions are followed one after the other, however long the chain of their calls is.
#[test]
fn long_chains_of_calls_are_read() {
    const LAST: usize = 1000;
    let functions: String = (0..LAST).map(|i| format!(".func f{i}() {{ call.uni f{}; ret; }}\n", i + 1)).collect();
    let read = Module::parse(&module(&format!("{functions}.func f{LAST}() {{ ret; }}"), "call.uni f0;"));
    assert!(read.is_ok(), "{read:?}");
}

/// Numbers in the text that request more resources than exist.
#[test]
fn large_declarations_are_refused() {
    for (body, word) in [
        (".reg .b32 %r<4294967295>;", "registers"),
        (".reg .b32 %a<900000>, %b<900000>;", "registers"),
        (".reg .b32 %r<99999999999>;", "too large"),
        (".local .b8 x[4294967296];", "too many"),
        (".local .b8 x[18446744073709551615][2];", "too large"),
        (".local .b8 x[1000000];", "local memory"),
        (".local .align 2097152 .b8 x[1];", "alignment"),
    ] {
        let error = Module::parse(&module("", body)).err().unwrap_or_else(|| panic!("`{body}` is accepted"));
        assert!(error.message.contains(word), "`{body}`: {error}");
    }
}

/// Extents whose product does not fit 64 bits.
#[test]
fn large_launches_are_refused() {
    let text = module("", "ret;").replace("k() {", "k() .maxntid 4294967295, 4294967295, 4294967295 {");
    let module = Module::parse(&text).unwrap();
    let run = |config: LaunchConfig| launch(&mut Memory::new(), &module, "k", &config, &[]);
    assert!(run(LaunchConfig::new(1, 32)).is_ok());
    for config in [
        LaunchConfig { block: [u32::MAX; 3], ..LaunchConfig::new(1, 1) },
        LaunchConfig { grid: [u32::MAX; 3], ..LaunchConfig::new(1, 1) },
        LaunchConfig { cluster: Some([u32::MAX; 3]), ..LaunchConfig::new(1, 1) },
    ] {
        assert!(matches!(run(config), Err(LaunchError::Config { .. } | LaunchError::Mismatch { .. })));
    }
}

/// The undamaged texts are valid, so that damaged ones also reach execution.
#[test]
fn rare_instructions_run() {
    let module = Module::parse(RARE).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let data = memory.alloc_with(&[1; 4096]).unwrap();
    let config = LaunchConfig { dynamic_shared: 512, ..LaunchConfig::new(1, 64) };
    let error = launch(&mut memory, &module, "rare", &config, &[Arg::Ptr(data)]).map(drop);
    error.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn foreign_instructions_run() {
    let module = Module::parse(FOREIGN).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let config = LaunchConfig { dynamic_shared: 512, ..LaunchConfig::new(1, 2) };
    let data = memory.alloc_with(&[1; 4096]).unwrap();
    let error = launch(&mut memory, &module, "foreign", &config, &[Arg::Ptr(data)]).map(drop);
    error.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(memory.take_printed(), "0 1.5 %*d %.2g %s\n\n1 1.5 %*d %.2g %s\n\n");
}

#[test]
fn changed_maps_run() {
    let module = Module::parse(MAPS).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let data = memory.alloc_with(&[1; 4096]).unwrap();
    let fields: TiledMap = "type=u8,dims=128x32,box=128x16,swizzle=128".parse().unwrap();
    let map = Arg::Map(TensorMap::tiled(TiledMap { base: data.0, ..fields }).unwrap());
    launch(&mut memory, &module, "changed", &LaunchConfig::new(2, 64), &[map, Arg::Ptr(data)])
        .unwrap_or_else(|e| panic!("{e}"));
    let rows: Vec<u8> = memory.read(data, 4096).unwrap().chunks(128).map(|row| row[0]).collect();
    // 16 bytes begin with 42, however they are permuted.
    assert_eq!((rows[..16].iter().filter(|&&byte| byte == 42).count(), rows[16]), (16, 1));
}
