//! The kernels of a scan, written from its plan.
//!
//! | binding of group 0 | holds |
//! | --- | --- |
//! | 0 | the source array, read only |
//! | 1 | the results |
//! | 2 | the workspace |
//! | 3 | a uniform block: n (two words, the second zero), the epoch, and the initial value, word by word |

mod access;
mod state;

use tile_plan::scan::{Decoupled, Order, Plan, ScanShape, Tile, Wait};
use tile_plan::target::Target;

use crate::element::{FLOATS_64, NUMBERS, Scalar};
use crate::operator::Operator;
use crate::program::Error;
use crate::program::{Launch, PortableProgram, ProgramKernel};

const TRANSFER: &str = include_str!("wgsl/transfer.wgsl");
const TREE: &str = include_str!("wgsl/tree.wgsl");
const SUBGROUP: &str = include_str!("wgsl/subgroup.wgsl");
const SUBGROUP_THREADS: &str = include_str!("wgsl/subgroup_threads.wgsl");
const DECOUPLED: &str = include_str!("wgsl/decoupled.wgsl");
const PASSES: &str = include_str!("wgsl/passes.wgsl");
const SERIAL: &str = include_str!("wgsl/serial.wgsl");

/// Threads of the serial kernel's block; only one of them works.
const SERIAL_THREADS: i64 = 32;

/// The initial value, combined before the first element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// None: an inclusive scan.
    Nothing,
    /// A value that the launch passes.
    Argument,
    /// This element, by its bits, lane by lane.
    Lanes(Vec<u64>),
}

/// A scan to write kernels for.
#[derive(Clone, Debug)]
pub struct Scan<'p> {
    /// The name of the kernel; the kernels before it have this name with `_reduce` and `_prefix` appended.
    pub name: String,
    /// The plan of the scan.
    pub plan: &'p Plan,
    /// The operator that combines two elements.
    pub operator: Operator,
    /// Whether each result excludes its own element.
    pub exclusive: bool,
    /// The initial value, combined before the first element.
    pub beginning: Beginning,
}

/// The kernels of a scan.
///
/// # Errors
/// A plan that is not for a portable target, or text that naga rejects, which is a bug in this crate.
pub fn program(scan: &Scan<'_>, target: Target) -> Result<PortableProgram, Error> {
    let kernel =
        |entry, name: &str, threads, elements| ProgramKernel { entry, name: name.to_owned(), threads, elements };
    let (reduce, prefix) = (format!("{}_reduce", scan.name), format!("{}_prefix", scan.name));
    let (text, kernels, last_epoch) = match scan.plan {
        Plan::Decoupled(plan) => {
            let ScanShape::Register { tile, order } = plan.shape else { return Err(Error::Shape) };
            let kernels = vec![kernel("entry_scan", &scan.name, tile.threads, Some(tile.elements()))];
            (scan.decoupled(plan, &tile, order), kernels, Some(plan.exchange.state.last_epoch()))
        }
        Plan::Passes(plan) => {
            let (threads, elements) = (plan.tile.threads, plan.tile.elements());
            let kernels = vec![
                kernel("entry_reduce", &reduce, threads, Some(elements)),
                kernel("entry_prefix", &prefix, threads, None),
                kernel("entry_scan", &scan.name, threads, Some(elements)),
            ];
            let workspace = state::kept(scan.operator.element);
            let threads = if shuffled(&plan.tile).is_some() { SUBGROUP_THREADS } else { "" };
            (scan.tiled(&plan.tile) + threads + &workspace + PASSES, kernels, None)
        }
        Plan::Serial => {
            let kernels = vec![kernel("entry_scan", &scan.name, SERIAL_THREADS, None)];
            let one = Tile { threads: SERIAL_THREADS, lanes: SERIAL_THREADS, rows: 1, vector: scan.least_vector() };
            let items = format!("alias Items = array<Element, {}>;\n", one.vector);
            (scan.head(&one) + &items + &state::kept(scan.operator.element) + SERIAL, kernels, None)
        }
    };
    let subgroup = match scan.plan {
        Plan::Decoupled(plan) => shuffled(&plan.tile()),
        Plan::Passes(plan) => shuffled(&plan.tile),
        Plan::Serial => None,
    };
    let launch = Launch { workspace: scan.plan.workspace(), last_epoch, subgroup };
    PortableProgram::new(text, kernels, launch, target)
}

/// Threads of a subgroup, where a tile has several subgroups, whose lanes exchange by shuffles.
fn shuffled(tile: &Tile) -> Option<i64> {
    (tile.warps() > 1).then_some(tile.lanes)
}

impl Scan<'_> {
    /// Elements in a word, at least one.
    fn least_vector(&self) -> i64 {
        i64::from(self.operator.element.per_word())
    }

    /// The text that all strategies share: numbers, arguments, arrays, the operator.
    fn head(&self, tile: &Tile) -> String {
        let element = self.operator.element;
        let uses_f64 = element.scalar == Scalar::F64;
        let vector_words = (tile.vector as u32 * element.bits() / 32).max(1);
        [
            NUMBERS,
            if uses_f64 { FLOATS_64 } else { "" },
            &constants(&[
                ("THREADS", tile.threads),
                ("LANES", tile.lanes),
                ("SUBGROUPS", tile.warps()),
                ("ROWS", tile.rows),
                ("VECTOR", tile.vector),
                ("ITEMS", tile.items()),
                ("TILE", tile.elements()),
            ]),
            &format!("const EXCLUSIVE = {};\n", self.exclusive),
            &access::functions(element, vector_words),
            &self.arguments(),
            &self.operator.function(),
        ]
        .concat()
    }

    /// [`Scan::head`], and the text that the strategies that scan tiles share.
    fn tiled(&self, tile: &Tile) -> String {
        self.head(tile) + TRANSFER + if shuffled(tile).is_some() { SUBGROUP } else { TREE }
    }

    fn arguments(&self) -> String {
        let element = self.operator.element;
        // After n and the epoch.
        const FIRST: u32 = 3;
        let word = |index: u32| format!("parameters[{}u][{}u]", (FIRST + index) / 4, (FIRST + index) % 4);
        let beginning = match &self.beginning {
            Beginning::Nothing => format!("{}()", element.r#type()),
            Beginning::Argument if element.words() == 1 => word(0),
            Beginning::Argument => {
                let words: Vec<String> = (0..element.words()).map(word).collect();
                format!("{}({})", element.r#type(), words.join(", "))
            }
            Beginning::Lanes(lanes) => {
                let literal = |bits: &u64| match element.scalar.bits() {
                    64 => format!("vec2<u32>({}u, {}u)", *bits as u32, bits >> 32),
                    _ => format!("{bits}u"),
                };
                element.of_lanes(&lanes.iter().map(literal).collect::<Vec<_>>())
            }
        };
        let has = self.beginning != Beginning::Nothing;
        format!(
            "@group(0) @binding(3) var<uniform> parameters: array<vec4<u32>, 2>;
fn length() -> u32 {{ return parameters[0].x; }}
fn epoch() -> u32 {{ return parameters[0].z; }}
const HAS_BEGINNING = {has};
fn beginning() -> Element {{ return {beginning}; }}
fn after_beginning(sum: Element) -> Element {{
  if (HAS_BEGINNING) {{
    return combine(beginning(), sum);
  }}
  return sum;
}}
"
        )
    }

    fn decoupled(&self, plan: &Decoupled, tile: &Tile, order: Order) -> String {
        let (max_spin, max_polls) = match plan.exchange.wait {
            Wait::Fallback { max_spin } => (Some(max_spin), None),
            Wait::GiveUp { polls } => (None, Some(polls)),
            Wait::Forever => (None, None),
        };
        let hooks = &plan.exchange.hooks;
        let switches = [
            ("FALLBACK", max_spin.is_some()),
            ("TICKETS", order == Order::Ticket),
            ("DETERMINISTIC", plan.exchange.deterministic),
            ("REVERSE", hooks.reverse),
            ("HOLDS", hooks.hold.is_some()),
            ("SKIPS", hooks.skip_post.is_some()),
            ("COUNTERS", hooks.counters),
        ];
        let switches: String = switches.iter().map(|(name, value)| format!("const {name} = {value};\n")).collect();
        let numbers = constants(&[
            ("MAX_SPIN", max_spin.unwrap_or_default()),
            ("MAX_POLLS", max_polls.unwrap_or(u32::MAX.into())),
            ("HOLD", hooks.hold.unwrap_or_default() & 0xffff_ffff),
            ("SKIP_POST", hooks.skip_post.unwrap_or_default() & 0xffff_ffff),
        ]);
        let states = state::functions(self.operator.element, plan.exchange.state);
        self.tiled(tile) + &numbers + &switches + &states + DECOUPLED
    }
}

fn constants(all: &[(&str, i64)]) -> String {
    all.iter().map(|(name, value)| format!("const {name} = {value}u;\n")).collect()
}
