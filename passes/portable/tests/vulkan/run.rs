//! Runs a scan and compares its results.

use tile_plan::scan::{self, Hooks, Problem, Requests};
use tile_plan::target::Target;
use tile_portable::operator::identity;
use tile_portable::{Beginning, Binary, Operator, PortableElement, PortableProgram, Scan, program};
use tile_run::vulkan::{Buffer, Gpu, Module};

use crate::element::{combine, draw, encode};

/// A scan.
#[derive(Clone, Debug)]
pub struct Case {
    pub target: &'static str,
    pub strategy: &'static str,
    pub element: PortableElement,
    pub binary: Binary,
    pub exclusive: bool,
    pub init: bool,
    pub deterministic: bool,
    pub hooks: Hooks,
    pub n: usize,
    pub launches: u32,
    /// Few threads with few elements each: drivers take seconds for large kernels.
    pub small: bool,
}

impl Case {
    pub fn new(element: PortableElement, binary: Binary) -> Self {
        Case {
            target: "vulkan1.2-64",
            strategy: "decoupled_fallback",
            element,
            binary,
            exclusive: false,
            init: false,
            deterministic: false,
            hooks: Hooks::default(),
            n: 1,
            launches: 1,
            small: false,
        }
    }

    /// The program; `None` where the target lacks the element.
    fn program(&self) -> Option<PortableProgram> {
        let target = Target::portable(self.target).unwrap();
        let PortableElement { scalar, lanes } = self.element;
        let element = scan::ScannedElement { bits: scalar.bits(), lanes, float: scalar.is_float() };
        let requests = Requests {
            strategy: Some(self.strategy.to_owned()),
            deterministic: self.deterministic,
            order: (self.strategy == "decoupled_lookback").then(|| "block_id".to_owned()),
            threads: self.small.then_some(32),
            items: self.small.then_some((16 / element.bytes()).max(1)),
            ..Requests::default()
        };
        let problem = Problem { requests, hooks: self.hooks, ..Problem::new(element, 256) };
        let plan = match scan::select(&problem, &target) {
            Ok((plan, ..)) => plan,
            Err(error) => {
                let declines = error.into_declines();
                assert_eq!(declines[0].cause, "target-lacks-64-bit-floats", "{self:?}");
                return None;
            }
        };
        let beginning = match (self.init, self.exclusive) {
            (true, _) => Beginning::Argument,
            (_, true) => Beginning::Lanes(vec![identity(scalar, self.binary).unwrap(); lanes as usize]),
            _ => Beginning::Nothing,
        };
        let operator = Operator::by_lane(self.element, self.binary);
        let scan = Scan { name: "scan".into(), plan: &plan, operator, exclusive: self.exclusive, beginning };
        Some(program(&scan, target).unwrap())
    }

    /// Input, initial value and expected results, number by number.
    fn numbers(&self) -> (Vec<i64>, Vec<i64>, Vec<Option<i64>>) {
        let lanes = self.element.lanes as usize;
        let mut random = 17;
        let input: Vec<i64> = (0..self.n * lanes).map(|_| draw(self.binary, &mut random)).collect();
        let first: Vec<i64> = (0..lanes).map(|_| draw(self.binary, &mut random)).collect();
        let mut sums: Vec<Option<i64>> = first.iter().map(|value| self.init.then_some(*value)).collect();
        let mut expected = Vec::with_capacity(input.len());
        for (index, &value) in input.iter().enumerate() {
            let sum = &mut sums[index % lanes];
            let next = sum.map_or(value, |sum| combine(self.element.scalar, self.binary, sum, value));
            expected.push(if self.exclusive { *sum } else { Some(next) });
            *sum = Some(next);
        }
        (input, first, expected)
    }

    fn encoded(&self, numbers: &[i64]) -> Vec<u8> {
        let bytes = self.element.scalar.bits() as usize / 8;
        numbers.iter().flat_map(|value| encode(self.element.scalar, *value).to_le_bytes()[..bytes].to_vec()).collect()
    }
}

/// A device, and the targets with subgroups that it supports.
pub struct Device(Gpu, Vec<&'static str>);

/// Targets whose blocks work differently, without subgroups.
const TARGETS: [&str; 2] = ["vulkan1.2", "vulkan1.2-64"];
/// Targets with subgroups of a given size.
const SUBGROUPS: [&str; 3] = ["vulkan1.3-64-subgroup8", "vulkan1.3-64-subgroup32", "vulkan1.3-64-subgroup64"];

struct Left {
    out: Vec<u8>,
    head: Vec<u8>,
}

impl Left {
    /// Whether the workspace says that a look-back gave up.
    fn gave_up(&self) -> bool {
        self.head[8..16] != [0; 8]
    }
}

impl Device {
    /// The first device; `None`, after printing why, where there is none.
    pub fn open() -> Option<Device> {
        match Gpu::open(0) {
            Ok(gpu) => {
                let mut device = Device(gpu, Vec::new());
                let element = PortableElement { scalar: tile_portable::Scalar::I32, lanes: 1 };
                let case = Case::new(element, Binary::Add);
                let takes = |target: &&'static str| device.refuses(&Case { target, ..case.clone() }).is_none();
                device.1 = SUBGROUPS.iter().copied().filter(takes).collect();
                assert!(!device.1.is_empty(), "Mesa's software driver has subgroups of 8, GPUs of 32 or 64");
                Some(device)
            }
            Err(error) => {
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    /// Targets whose blocks work differently; the last one has subgroups.
    pub fn targets(&self) -> Vec<&'static str> {
        TARGETS.iter().chain(&self.1[..1]).copied().collect()
    }

    fn run(&mut self, case: &Case, made: &PortableProgram, input: &[u8], first: &[u8]) -> Left {
        let words = made.spirv().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let module = Module::read(&bytes).unwrap();
        let gpu = &mut self.0;
        let source = gpu.holding(input).unwrap();
        let dest = gpu.holding(&vec![0xa5; input.len() + 16]).unwrap();
        let workspace = gpu.buffer(made.launch.workspace.bytes(case.n as i64) as usize).unwrap();
        let tiles = made.kernels.iter().filter_map(|kernel| kernel.elements).map(|tile| case.n.div_ceil(tile as usize));
        let blocks = [tiles.max().unwrap_or(1) as u32, 1];
        let kernels = gpu.program(&module).unwrap();
        for epoch in 1..=case.launches {
            let mut block = [0; 32];
            block[..4].copy_from_slice(&(case.n as u32).to_le_bytes());
            block[8..12].copy_from_slice(&epoch.to_le_bytes());
            block[12..12 + first.len()].copy_from_slice(first);
            let parameters = gpu.holding(&block).unwrap();
            let buffers: [&Buffer; 4] = [&source, &dest, &workspace, &parameters];
            gpu.run(&kernels, &buffers, blocks).unwrap_or_else(|error| panic!("{case:?}: {error}"));
            gpu.destroy_buffer(parameters);
        }
        let left = Left { out: gpu.contents(&dest).unwrap(), head: gpu.contents(&workspace).unwrap()[..256].to_vec() };
        assert_eq!(gpu.contents(&source).unwrap(), input, "{case:?}: the input is read only");
        [source, dest, workspace].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        left
    }

    /// Runs and compares; returns the counts of polls, tiles looked back over, fallbacks started, and fallbacks
    /// published.
    pub fn check(&mut self, case: &Case) -> Option<[u64; 4]> {
        let made = case.program()?;
        let (input, first, _) = case.numbers();
        let left = self.run(case, &made, &case.encoded(&input), &case.encoded(&first));
        assert!(!left.gave_up(), "{case:?}: it gave up");
        compare(case, &left);
        let word = |at: usize| u64::from_le_bytes(left.head[at..at + 8].try_into().unwrap());
        Some([word(16), word(24), word(32), word(40)])
    }

    /// Runs, and compares the results unless the scan gave up; returns whether it did.
    pub fn gives_up(&mut self, case: &Case) -> bool {
        let made = case.program().expect("the target has the element");
        let (input, first, _) = case.numbers();
        let left = self.run(case, &made, &case.encoded(&input), &case.encoded(&first));
        if !left.gave_up() {
            compare(case, &left);
        }
        left.gave_up()
    }

    /// Whether blocks run one after the other: Mesa's software driver does that on each of its threads. On a GPU all
    /// blocks of these tests run concurrently.
    pub fn runs_block_after_block(&self) -> bool {
        self.0.name.starts_with("llvmpipe")
    }

    /// From now on treats the device's memory as inaccessible to the host.
    pub fn stage(&mut self) {
        self.0.stage();
    }

    /// The reason why the device rejects the kernels, if it does.
    pub fn refuses(&mut self, case: &Case) -> Option<String> {
        let words = case.program().expect("the target has the element").spirv().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.0.program(&Module::read(&bytes).unwrap()).err().map(|error| error.to_string())
    }

    /// The reason why it rejects results longer than kernels can address; `None` where they can address a gigabyte or
    /// more.
    pub fn refuses_long_array(&mut self, case: &Case) -> Option<String> {
        let long = self.0.most_bytes() + 4;
        if long > 1 << 30 {
            return None;
        }
        let gpu = &mut self.0;
        let bytes: Vec<u8> = case.program()?.spirv().unwrap().iter().flat_map(|word| word.to_le_bytes()).collect();
        let kernels = gpu.program(&Module::read(&bytes).unwrap()).unwrap();
        let buffers = [16, long, 1024, 32].map(|bytes| gpu.buffer(bytes).unwrap());
        let refused = gpu.run(&kernels, &buffers.each_ref(), [1, 1]).unwrap_err().to_string();
        buffers.into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        Some(refused)
    }
}

/// Fails where a result differs from the expected one.
fn compare(case: &Case, left: &Left) {
    let (.., expected) = case.numbers();
    let scalar = case.element.scalar;
    let bytes = scalar.bits() as usize / 8;
    for (index, expected) in expected.iter().enumerate() {
        let bits = expected.map_or_else(|| identity(scalar, case.binary).unwrap(), |value| encode(scalar, value));
        let got = &left.out[index * bytes..][..bytes];
        assert_eq!(got, &bits.to_le_bytes()[..bytes], "number {index} of {case:?}, expected {expected:?}");
    }
    assert!(left.out[expected.len() * bytes..].iter().all(|byte| *byte == 0xa5), "{case:?}: behind the array");
}
