//! Random scans: type, operator, length, shape, launch, fault injection and schedule are all drawn. Each must end with
//! correct results. `SCAN_CASES` sets their number, `SCAN_SEED` the seed.

use ptx_sim::Schedule;

use crate::element::{Random, SCALARS, Scalar};
use crate::operators::{expected, numbers};
use crate::program::Program;
use crate::regions::{Pairs, recurrence};
use crate::run::{Device, Launch, check};

const KINDS: [&str; 9] = ["add", "mul", "min", "max", "umin", "umax", "and", "or", "xor"];

/// A scan, and how it is launched.
#[derive(Debug)]
pub struct Case {
    pub program: Program,
    pub launch: Launch,
    over: Over,
    n: usize,
}

/// The elements that are scanned.
#[derive(Clone, Copy, Debug)]
pub enum Over {
    /// Numbers, with a built-in operator.
    Numbers(Scalar),
    /// Pairs of integers, with an operator that does not commute.
    Pairs(Pairs),
}

impl Over {
    fn bytes(self) -> usize {
        match self {
            Over::Numbers(scalar) => scalar.bytes(),
            Over::Pairs(pairs) => 2 * pairs.bytes,
        }
    }
}

/// What a strategy requires of the other blocks.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    /// Nothing.
    Nothing,
    /// That all make progress.
    Progress,
    /// That one of them helps.
    Help,
}

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.next() as u64 % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn draw(random: &mut Random) -> Case {
    let threads = 32 * (1 + random.below(4)) as usize;
    let over = match random.below(3) {
        0 => Over::Pairs(Pairs { bytes: random.one_of(&[1, 2, 4, 8]) }),
        _ => Over::Numbers(random.one_of(&SCALARS)),
    };
    let (options, launch, needs) = match random.below(6) {
        0 => (r#"strategy = "serial""#.to_owned(), Launch::new(1, 32), Needs::Nothing),
        1 => passes(random, threads),
        2 | 3 => register(random, threads),
        _ => ring(random, over.bytes(), threads),
    };
    let is_ring = launch.shared > 0;
    let launch = Launch { schedule: schedule(random, needs), ..launch };
    let resident = if needs == Needs::Nothing { 1 + random.below(6) as usize } else { launch.resident };
    let mut program = program(random, over, &options);
    program.offset = if is_ring { 0 } else { random.below(3) as i64 };
    if !is_ring && random.flip() {
        program.chip = "sm_80";
    }
    let tiles = random.below(9) as usize * launch.tile;
    let more = [0, 1, launch.tile - 1, random.below(launch.tile as u64) as usize];
    let n = (tiles + random.one_of(&more)).clamp(1, 6000);
    Case { program, launch: Launch { resident, ..launch }, over, n }
}

/// A scan for a portable target, which guarantees no progress of blocks.
pub fn draw_portable(random: &mut Random) -> Case {
    loop {
        let case = draw(random);
        let strange = [r#""decoupled_lookback""#, "stages"];
        if case.program.offset == 0 && !strange.iter().any(|word| case.program.options.contains(word)) {
            return case;
        }
    }
}

fn program(random: &mut Random, over: Over, options: &str) -> Program {
    let exclusive = random.flip();
    match over {
        Over::Numbers(scalar) => {
            let kinds = if scalar.is_float() { &KINDS[..4] } else { &KINDS[..] };
            let program = Program::new(scalar.0, random.one_of(kinds), options);
            Program { exclusive, init: random.flip(), ..program }
        }
        Over::Pairs(pairs) => {
            let (element, lanes) = (pairs.name(), pairs.lanes());
            let identity = if exclusive { format!("identity(dense<[1, 0]> : {element})") } else { String::new() };
            let combine = recurrence(&lanes, "arith.addi", "arith.muli");
            Program { exclusive, identity, combine, ..Program::new(&element, "custom", options) }
        }
    }
}

/// Elements as bytes.
type Elements = Vec<Vec<u8>>;

/// Input, results, and the initial value.
pub fn data(case: &Case) -> (Elements, Elements, Option<Vec<u8>>) {
    match case.over {
        Over::Numbers(scalar) => {
            let input = numbers(scalar, &case.program.kind, case.n);
            let init = case.program.init.then_some(1);
            let right = expected(scalar, &case.program.kind, &input, case.program.exclusive, init);
            let encoded = input.iter().map(|&item| scalar.encode(item)).collect();
            (encoded, right, init.map(|init| scalar.encode(init)))
        }
        Over::Pairs(pairs) => {
            let (input, right) = pairs.data(case.n, case.program.exclusive);
            (input, right, None)
        }
    }
}

fn passes(random: &mut Random, threads: usize) -> (String, Launch, Needs) {
    let items = 1 + random.below(9) as usize;
    let options = format!(r#"strategy = "reduce_then_scan", threads = {threads} : i64, items = {items} : i64"#);
    (options, Launch::new(threads * items, threads as u32), Needs::Nothing)
}

fn register(random: &mut Random, threads: usize) -> (String, Launch, Needs) {
    let items = 1 + random.below(9) as usize;
    let (mut options, needs) = one_pass(random, 2);
    options += &format!(r#", shape = "register", threads = {threads} : i64, items = {items} : i64"#);
    if random.flip() {
        options += ", deterministic";
    }
    // Blocks that wait for each other start in the order of their tiles.
    if needs != Needs::Nothing || random.flip() {
        options += r#", order = "ticket""#;
    }
    (options, Launch::new(threads * items, threads as u32), needs)
}

fn ring(random: &mut Random, bytes: usize, threads: usize) -> (String, Launch, Needs) {
    let vector = 16 / bytes;
    let rows = 1 + random.below(3) as usize;
    let stages = 2 + random.below(4) as usize;
    let blocks = 1 + random.below(6) as u32;
    let (mut options, needs) = one_pass(random, blocks);
    options += &format!(", threads = {threads} : i64, items = {} : i64, stages = {stages} : i64", rows * vector);
    let all = threads / 32 * rows;
    let reduce = (1..=4).rev().find(|&warps| all.is_multiple_of(warps)).expect("1 divides");
    let launch = Launch {
        blocks: Some(blocks),
        shared: (stages * threads * rows * 16) as u32,
        ..Launch::new(threads * rows * vector, (threads + 32 * (reduce + 2)) as u32)
    };
    (options, launch, needs)
}

/// A single-pass strategy for a number of blocks, and what it requires of them.
fn one_pass(random: &mut Random, blocks: u32) -> (String, Needs) {
    if random.below(4) == 0 {
        return (r#"strategy = "decoupled_lookback""#.to_owned(), Needs::Progress);
    }
    let mut options = format!(r#"strategy = "decoupled_fallback", max_spin = {} : i64"#, random.one_of(&[1, 2, 5]));
    if random.below(4) == 0 && blocks > 1 {
        options += &format!(", hold = {} : i64", random.one_of(&[1, 3, 7]));
        return (options, Needs::Help);
    }
    if random.flip() {
        options += &format!(", skip_post = {} : i64", random.one_of(&[1, 3, 7]));
    }
    if random.flip() {
        options += ", counters";
    }
    (options, Needs::Nothing)
}

fn schedule(random: &mut Random, needs: Needs) -> Schedule {
    let seed = random.below(1000);
    let texts = match needs {
        Needs::Progress => vec!["fair".to_owned(), format!("random:{seed}")],
        Needs::Help => vec!["fair".to_owned(), format!("random:{seed}"), "reversed".to_owned()],
        Needs::Nothing => {
            let others = ["fair", "one-block-at-a-time", "reversed", "starve:0", "starve:1", "starve:2"];
            others
                .map(str::to_owned)
                .into_iter()
                .chain([format!("random:{seed}"), format!("random:{}", seed + 1)])
                .collect()
        }
    };
    texts[random.below(texts.len() as u64) as usize].parse().expect("it is a schedule")
}

pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn any_scan_ends_and_is_right() {
    let mut random = Random(number("SCAN_SEED", 5));
    for _ in 0..number("SCAN_CASES", 80) {
        let case = draw(&mut random);
        let (bytes, right, first) = data(&case);
        let mut device = Device::new();
        for launch in 0..1 + random.below(2) {
            let outcome = device.run(&case.program, &case.launch, &bytes, first.as_deref());
            let outcome = outcome.unwrap_or_else(|error| panic!("launch {launch} of {case:?}: {error}"));
            check(&outcome.out, &right, &(launch, &case));
        }
    }
}
