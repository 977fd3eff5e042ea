//! The checkers: for each rule, a kernel that breaks it, which is reported under every schedule, and its correct twin,
//! which is reported under none.

mod barriers;
mod bounds;
mod boxes;
mod cluster;
mod doubt;
mod faults;
mod order;
mod scopes;
mod stale;
mod tensor_maps;
mod undefined;

use ptx_sim::{
    Arg, Fault, FaultKind, LaunchConfig, LaunchError, Memory, Module, Schedule, TensorMap, TiledMap, launch,
};

/// The shape of a launch. The kernel has one parameter: an array of 64-bit zeros in `%rd0`.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub grid: u32,
    pub block: u32,
    pub cluster: u32,
    pub words: usize,
    pub dynamic: u32,
    /// A tensor map of the array, which is the kernel's first parameter, `map`.
    pub map: Option<&'static str>,
}

impl Default for Shape {
    fn default() -> Self {
        Self { grid: 1, block: 64, cluster: 1, words: 64, dynamic: 0, map: None }
    }
}

/// The module text around a body, which finds its array in `%rd0` and its thread's number in `%r0`.
pub fn text(declarations: &str, body: &str) -> String {
    format!(
        ".version 8.8\n.target sm_100a\n.address_size 64\n{declarations}\n.visible .entry k(.param .u64 p0)\n{{\n\
         .reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<8>;\n\
         ld.param.b64 %rd0, [p0]; mov.u32 %r0, %tid.x;\n{body}\nret;\n}}\n"
    )
}

/// The same, for a shape that may have a tensor map.
pub fn text_for(shape: Shape, declarations: &str, body: &str) -> String {
    let text = text(declarations, body);
    match shape.map {
        Some(_) => text.replace("k(.param .u64 p0)", "k(.param .align 64 .b8 map[128], .param .u64 p0)"),
        None => text,
    }
}

/// Every policy; blocks 0 and 1 are starved in turn.
pub fn schedules() -> Vec<Schedule> {
    let fixed = ["fair", "one-block-at-a-time", "reversed", "starve:0", "starve:1"];
    let random = (0..6).map(|seed| format!("random:{seed}"));
    fixed.iter().map(|s| s.to_string()).chain(random).map(|s| s.parse().unwrap()).collect()
}

/// Makes one launch; returns the array afterwards, with `None` for words without a value.
pub fn run(text: &str, shape: Shape, schedule: Schedule) -> Result<Vec<Option<u64>>, Box<Fault>> {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut memory = Memory::new();
    let out = memory.alloc_with(&vec![0; shape.words * 8]).unwrap();
    let config = LaunchConfig {
        schedule,
        cluster: (shape.cluster > 1).then_some([shape.cluster, 1, 1]),
        dynamic_shared: shape.dynamic,
        step_limit: 1_000_000,
        ..LaunchConfig::new(shape.grid, shape.block)
    };
    let map = shape.map.map(|fields| {
        let fields: TiledMap = fields.parse().unwrap();
        Arg::Map(TensorMap::tiled(TiledMap { base: out.0, ..fields }).unwrap())
    });
    let args: Vec<Arg> = map.into_iter().chain([Arg::Ptr(out)]).collect();
    match launch(&mut memory, &module, "k", &config, &args) {
        Ok(_) => Ok((0..shape.words)
            .map(|i| {
                let word = memory.read(out.offset(8 * i as u64), 8).ok()?;
                Some(u64::from_le_bytes(word.try_into().unwrap()))
            })
            .collect()),
        Err(LaunchError::Fault(fault)) => Err(fault),
        Err(other) => panic!("{other}"),
    }
}

/// Checks that a kernel is reported under every schedule, with these words in the message.
pub fn racy(shape: Shape, declarations: &str, body: &str, kind: FaultKind, words: &[&str]) {
    let text = text_for(shape, declarations, body);
    for schedule in schedules() {
        let fault = match run(&text, shape, schedule) {
            Ok(_) => panic!("{schedule}: nothing was found in\n{body}"),
            Err(fault) => fault,
        };
        assert_eq!(fault.kind, kind, "{schedule}: {fault}\n{body}");
        let message = fault.to_string();
        words.iter().for_each(|w| assert!(message.contains(w), "{schedule}: `{w}` is missing in {message}"));
    }
}

/// Checks that nothing is found in a kernel under any schedule; returns what it leaves under the last one.
pub fn right(shape: Shape, declarations: &str, body: &str) -> Vec<Option<u64>> {
    let text = text_for(shape, declarations, body);
    let one = |schedule| run(&text, shape, schedule).unwrap_or_else(|f| panic!("{schedule}: {f}\n{body}"));
    schedules().into_iter().map(one).fold(Vec::new(), |_, left| left)
}
