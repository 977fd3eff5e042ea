//! Text that has been damaged is refused or runs, but never brings the simulator down.

use proptest::prelude::*;
use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory, Module, Schedule, launch};

const TEXTS: [&str; 10] = [
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
];

/// One change of a text: words are taken out, doubled, or replaced by another word of the text.
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
        1 => any::<Index>().prop_map(Damage::Cut),
    ]
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
            if let Some(found) = (at..words.len()).find(|&k| digit(&words[k])) {
                words[found] = n.to_string();
            }
        }
        Damage::Cut(i) => words.truncate(i.index(words.len())),
    }
}

/// Warp instructions that a launch may take.
const STEPS: u64 = 5_000;

/// Runs every kernel for a while. Whatever comes of it has a place in the text.
fn run(module: &Module, schedule: Schedule, lines: u32) {
    let kernels: Vec<String> = module.kernels().map(str::to_string).collect();
    for kernel in kernels {
        let mut memory = Memory::new();
        let data = memory.alloc_with(&[1; 4096]).unwrap();
        let arg = |size: u64| match size {
            8 => Arg::Ptr(data),
            size => Arg::Bytes(vec![1; size as usize]),
        };
        let args: Vec<Arg> = module.params(&kernel).unwrap().iter().map(|p| arg(p.size)).collect();
        let config = LaunchConfig { schedule, step_limit: STEPS, resident_blocks: 2, ..LaunchConfig::new(2, 64) };
        match launch(&mut memory, module, &kernel, &config, &args) {
            Ok(report) => assert!(report.total.warps <= STEPS, "{kernel}: {} steps", report.total.warps),
            Err(LaunchError::Fault(fault)) => assert!(fault.line <= lines, "{fault}"),
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
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

/// Nests that would exhaust the stack of a parser which follows them blindly.
#[test]
fn deep_nests_are_refused() {
    const DEEP: usize = 100_000;
    let around = |open: &str, inside: &str, close: &str| open.repeat(DEEP) + inside + &close.repeat(DEEP);
    let loops: String = (0..DEEP / 10).map(|i| format!("L{i}: not.pred p, p;")).collect();
    let ends: String = (0..DEEP / 10).rev().map(|i| format!("@p bra L{i};")).collect();
    let functions: String = (0..DEEP / 10).map(|i| format!(".func f{i}() {{ call.uni f{}; ret; }}\n", i + 1)).collect();
    for (what, text) in [
        ("scopes", module("", &around("{", "ret;", "}"))),
        ("vectors", module("", &format!("mov.b64 {}, 1;", around("{", "x", "}")))),
        ("lists", module("", &format!("call {}, f;", around("(", "x", ")")))),
        ("negations", module("", &format!("mov.pred p, {}p;", "!".repeat(DEEP)))),
        ("initializers", module(&format!(".global .u32 g[1] = {};", around("{", "1", "}")), "")),
        ("calls", module(&functions, "")),
        ("loops", module("", &format!(".reg .pred p; {loops} {ends}"))),
    ] {
        let error = Module::parse(&text).err().unwrap_or_else(|| panic!("{what} are accepted"));
        assert!(error.message.contains("deep"), "{what}: {error}");
    }
}

/// Numbers in the text that ask for more than there is.
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
        assert!(matches!(run(config), Err(LaunchError::Config { .. })));
    }
}
