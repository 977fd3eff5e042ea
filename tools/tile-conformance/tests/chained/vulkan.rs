//! The same passes on a Vulkan device: Mesa's software driver, if there is no other. Its blocks run one after another, so in reverse
//! each starves all later ones.

use tile_conformance::lower::Compiler;
use tile_run::vulkan::{Buffer, Gpu, Module};

use crate::bodies::{Body, Work, spirv};
use crate::inputs::{bytes, encoded, odd_in, runs_of};
use crate::oracle::Results;
use crate::payloads::{indices, matrices, module};
use crate::run::compare;

/// Targets whose blocks work differently; a driver supports one of those with subgroups.
const TARGETS: [&str; 2] = ["vulkan1.2", "vulkan1.3-64"];
const SUBGROUPS: [&str; 3] = ["vulkan1.3-64-subgroup8", "vulkan1.3-64-subgroup32", "vulkan1.3-64-subgroup64"];

/// Elements of a tile: small ones, since drivers take seconds for large kernels.
const TILE: usize = 128;
const SMALL: &str = "threads = 32 : i64, items = 4 : i64";

/// Bytes of the workspace: more than any test needs.
const WORKSPACE: usize = 1 << 16;

/// The byte behind and in arrays of results before a launch.
const POISON: u8 = 0xa5;

/// A device, and the targets that it supports.
struct Vulkan {
    gpu: Gpu,
    targets: Vec<&'static str>,
}

/// What a launch leaves.
struct Left {
    arrays: Vec<Vec<u8>>,
    total: i32,
    /// Polls, tiles looked back over, fallbacks started, and fallbacks published.
    counters: [u64; 4],
    /// Whether a look-back gave up.
    gave_up: bool,
}

/// The arguments of a launch: arrays, the bytes of each array of results, the number of elements if it is in memory, and the numbers.
struct Arguments {
    sources: Vec<Vec<u8>>,
    dests: Vec<usize>,
    length: Option<Vec<u8>>,
    n: usize,
    values: Vec<i32>,
}

impl Vulkan {
    /// The first device; `None`, after printing why, where there is none.
    fn open() -> Option<Vulkan> {
        let mut gpu = Gpu::open(0).map_err(|error| eprintln!("skipped: {error}")).ok()?;
        let probe = Body::new(Work::Select, "i32", "", SMALL);
        let takes = |target: &&str| {
            let code = spirv(&probe, target).expect("every target has it");
            let module = Module::read(&code).expect("the compiler wrote it");
            gpu.program(&module).is_ok()
        };
        let subgroups = SUBGROUPS.into_iter().find(takes);
        Some(Vulkan { targets: TARGETS.into_iter().chain(subgroups).collect(), gpu })
    }

    /// Launches a kernel once with each of the epochs 1 to `launches`.
    fn launch(&mut self, code: &[u8], arguments: &Arguments, launches: u32) -> Left {
        let gpu = &mut self.gpu;
        let kernels = gpu.program(&Module::read(code).expect("the compiler wrote it")).expect("the driver takes it");
        let dests = arguments.dests.iter().map(|&bytes| vec![POISON; bytes + 16]);
        let contents = arguments.sources.iter().cloned().chain(dests).chain([vec![POISON; 4], vec![0; WORKSPACE]]);
        let contents: Vec<Vec<u8>> = contents.chain(arguments.length.clone()).collect();
        let buffers: Vec<Buffer> = contents.iter().map(|bytes| gpu.holding(bytes).expect("there is room")).collect();
        for epoch in 1..=launches {
            let words = [arguments.n as i32, 0, epoch as i32].into_iter().chain(arguments.values.iter().copied());
            let mut block: Vec<u8> = words.flat_map(i32::to_le_bytes).collect();
            block.resize(32, 0);
            let numbers = gpu.holding(&block).expect("there is room");
            let all: Vec<&Buffer> = buffers.iter().chain([&numbers]).collect();
            gpu.run(&kernels, &all, [arguments.n.div_ceil(TILE).max(1) as u32, 1]).expect("it ends");
            gpu.destroy_buffer(numbers);
        }
        let mut left: Vec<Vec<u8>> = buffers.iter().map(|buffer| gpu.contents(buffer).expect("it is read")).collect();
        buffers.into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        let first = arguments.sources.len();
        assert_eq!(left[..first], arguments.sources, "sources are read only");
        let mut results = left.split_off(first);
        let rest = results.split_off(arguments.dests.len());
        let word = |at: usize| u64::from_le_bytes(rest[1][at..at + 8].try_into().expect("8 bytes"));
        Left {
            arrays: results,
            total: i32::from_le_bytes(rest[0][..4].try_into().expect("4 bytes")),
            counters: [word(16), word(24), word(32), word(40)],
            gave_up: word(8) != 0,
        }
    }

    fn run(&mut self, body: &Body, target: &str, input: (&[i64], &[i64]), launches: u32) -> Left {
        let n = input.0.len();
        let code = spirv(body, target).unwrap_or_else(|error| panic!("{error}\n{}", body.text()));
        let arguments = Arguments {
            sources: body.sources(input.0, input.1).into_iter().map(|(_, source)| source).collect(),
            dests: body.results().into_iter().map(|name| n * bytes(name)).collect(),
            // With a length in memory, the extent of the arrays is one that they do not have.
            length: body.has_length.then(|| (n as u64).to_le_bytes().to_vec()),
            n: if body.has_length { n + 5 } else { n },
            values: Vec::new(),
        };
        self.launch(&code, &arguments, launches)
    }

    /// Runs and compares; the counters.
    fn check(&mut self, body: &Body, target: &str, input: (&[i64], &[i64]), launches: u32) -> [u64; 4] {
        let left = self.run(body, target, input, launches);
        assert!(!left.gave_up, "{body:?} {target}");
        let lengths = body.lengths(i64::from(left.total), input.0.len());
        let arrays = left.arrays.iter().zip(body.results()).zip(lengths).map(|((array, name), length)| {
            let (array, rest) = array.split_at(length * bytes(name));
            assert!(rest.iter().all(|&byte| byte == POISON), "{body:?} {target}: behind the results");
            array.to_vec()
        });
        let got = Results { arrays: arrays.collect(), total: i64::from(left.total) };
        compare(body, input, &got, &target);
        left.counters
    }
}

/// Keys, and others: flags or values.
fn input(work: Work, n: usize) -> (Vec<i64>, Vec<i64>) {
    match work {
        Work::Select | Work::Partition => (odd_in(50, n), Vec::new()),
        Work::SelectFlagged => (odd_in(50, n), odd_in(30, n).into_iter().map(|flag| flag & 1).collect()),
        Work::RunLengthEncode | Work::ReduceByKey => (runs_of(3, n), odd_in(50, n)),
    }
}

#[test]
fn every_body_at_every_boundary() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let bodies = [
        (Work::Select, "i32", ""),
        (Work::Select, "f32", ""),
        (Work::Select, "i8", ""),
        (Work::Select, "i64", ""),
        (Work::SelectFlagged, "i16", ""),
        (Work::SelectFlagged, "f64", ""),
        (Work::Partition, "i32", ""),
        (Work::Partition, "i8", ""),
        (Work::RunLengthEncode, "i32", ""),
        (Work::RunLengthEncode, "i8", ""),
        (Work::RunLengthEncode, "i64", ""),
        (Work::ReduceByKey, "i32", "f32"),
        (Work::ReduceByKey, "i16", "i64"),
        (Work::ReduceByKey, "i64", "i32"),
    ];
    for (index, (work, element, value)) in bodies.into_iter().enumerate() {
        let mut body = Body::new(work, element, value, SMALL);
        body.has_length = index % 3 == 0;
        let target = vulkan.targets[index % vulkan.targets.len()];
        for n in [1, TILE - 1, TILE, 9 * TILE + 13] {
            let (elements, others) = input(work, n);
            vulkan.check(&body, target, (&elements, &others), 1 + (index % 2) as u32);
        }
    }
}

#[test]
fn without_elements_there_are_totals() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let mut body = Body::new(Work::Select, "i32", "", SMALL);
    vulkan.check(&body, "vulkan1.2", (&[], &[]), 1);
    body.has_length = true;
    vulkan.check(&body, "vulkan1.2", (&[], &[]), 1);
}

#[test]
fn usual_tiles_and_those_of_unaligned_arrays() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let (elements, others) = input(Work::ReduceByKey, 10_001);
    for target in vulkan.targets.clone() {
        vulkan.check(&Body::new(Work::ReduceByKey, "i32", "i32", ""), target, (&elements, &others), 1);
    }
    // Elements of a byte, one by one.
    let body = Body::new(Work::RunLengthEncode, "i8", "", "threads = 32 : i64, items = 5 : i64");
    vulkan.check(&body, "vulkan1.2", (&elements[..900], &[]), 1);
}

#[test]
fn payloads_of_several_numbers_and_numbers_of_run_time() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    for pass in [indices(), matrices()] {
        let text = module("register", pass.init, pass.regions);
        let n = pass.elements.len();
        for target in vulkan.targets.clone() {
            let code = Compiler::default().spirv(&text, target).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let (sources, values) = (vec![encoded("i32", &pass.elements)], vec![pass.number]);
            let left = vulkan.launch(&code, &Arguments { sources, dests: vec![8 * n], length: None, n, values }, 2);
            let expected = encoded("i64", &pass.expected);
            assert_eq!((&left.arrays[0][..expected.len()], left.total), (&expected[..], pass.total), "{target}");
        }
    }
}

#[test]
fn starving_blocks_are_helped() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let is_one_after_another = vulkan.gpu.name.starts_with("llvmpipe");
    let hooks =
        ["reverse", "reverse, deterministic", "skip_post = 1 : i64", "skip_post = 3 : i64, reverse", "hold = 7 : i64"];
    for (index, work) in [Work::Select, Work::RunLengthEncode, Work::ReduceByKey].into_iter().enumerate() {
        let (elements, others) = input(work, 40 * TILE - 3);
        for (number, hook) in hooks.iter().enumerate() {
            let target = vulkan.targets[(index + number) % vulkan.targets.len()];
            let body = Body::new(work, "i32", "f32", &format!("{SMALL}, counters, {hook}"));
            let [polls, _, fallbacks, inserted] = vulkan.check(&body, target, (&elements, &others), 1);
            assert!(polls > 0 && inserted <= fallbacks, "{body:?}: {polls} polls");
            assert!(fallbacks > 0 || !hook.contains("reverse") || !is_one_after_another, "{body:?} {target}");
        }
    }
}

/// The same without the fallback: it does not end by itself, so it gives up.
#[test]
fn starving_blocks_hang_a_look_back_alone() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let options = r#"strategy = "decoupled_lookback", order = "block_id", reverse, poll_cap = 1000 : i64"#;
    for work in [Work::Select, Work::RunLengthEncode, Work::ReduceByKey] {
        let (elements, others) = input(work, 400 * TILE - 3);
        let body = Body::new(work, "i32", "f32", &format!("{SMALL}, {options}"));
        let left = vulkan.run(&body, "vulkan1.2", (&elements, &others), 1);
        assert!(left.gave_up || !vulkan.gpu.name.starts_with("llvmpipe"), "{body:?}");
    }
}
