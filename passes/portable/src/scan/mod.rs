//! The kernels of a scan, written from its plan.
//!
//! | binding of group 0 | holds |
//! | --- | --- |
//! | 0 | the source array, read only |
//! | 1 | the results |
//! | 2 | the workspace |
//! | 3 | a uniform block: n (two words, the second zero), the epoch, and the initial value, word by word |

pub(crate) mod access;
mod pieces;
mod state;

pub(crate) use pieces::{after, exchange, literal, on_tiles, shuffled, tile_constants};

use tile_plan::scan::{Order, Plan, ScanShape, SumExchange, Tile};
use tile_plan::target::Target;

use crate::element::{FLOATS_64, NUMBERS, Scalar};
use crate::operator::Operator;
use crate::program::Error;
use crate::program::{Launch, PortableProgram, ProgramKernel};

const TRANSFER: &str = include_str!("wgsl/transfer.wgsl");
const SUBGROUP_THREADS: &str = include_str!("wgsl/subgroup_threads.wgsl");
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
            (scan.decoupled(&plan.exchange, &tile, order), kernels, Some(plan.exchange.state.last_epoch()))
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
            &tile_constants(tile),
            &format!("const EXCLUSIVE = {};\n", self.exclusive),
            &access::functions(element, vector_words),
            &self.arguments(),
            &self.operator.function(),
        ]
        .concat()
    }

    /// [`Scan::head`], and the text that the strategies that scan tiles share.
    fn tiled(&self, tile: &Tile) -> String {
        self.head(tile) + TRANSFER + &on_tiles(tile)
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
            Beginning::Lanes(lanes) => literal(element, lanes),
        };
        let after = after(&beginning, self.beginning != Beginning::Nothing);
        format!(
            "@group(0) @binding(3) var<uniform> parameters: array<vec4<u32>, 2>;
fn length() -> u32 {{ return parameters[0].x; }}
fn epoch() -> u32 {{ return parameters[0].z; }}
{after}"
        )
    }

    fn decoupled(&self, plan: &SumExchange, tile: &Tile, order: Order) -> String {
        // The workspace is bound after both arrays.
        self.tiled(tile) + &exchange(self.operator.element, plan, order, 2)
    }
}
