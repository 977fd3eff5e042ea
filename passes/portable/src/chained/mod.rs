//! The kernel of a pass over arrays, `tile.chained`, written from its plan. Blocks exchange payloads as those of a
//! [scan](crate::scan) exchange sums.
//!
//! | binding of group 0 | holds |
//! | --- | --- |
//! | from 0 on | the arrays that are read, those of results, and those of results for all elements |
//! | the next one | the workspace |
//! | the next one, if there is one | the number of elements |
//! | the last one | a uniform block: n (two words, the second zero), the epoch, and the numbers that regions take |
//!
//! | module | subject |
//! | --- | --- |
//! | [`arrays`] | access to the arrays |
//! | [`regions`] | the regions as functions |

mod arrays;
mod regions;

pub use regions::ChainedRegion;

use tile_plan::chained::{ChainedPlan, ChainedShape, RegisterTiles};
use tile_plan::target::Target;

use crate::element::{NUMBERS, PortableElement, Scalar};
use crate::kernel;
use crate::program::{Error, Launch, PortableProgram, ProgramKernel};
use crate::scan;

const CHAINED: &str = include_str!("chained.wgsl");

/// The word of the uniform block after n and the epoch.
pub const FIRST_NUMBER: u32 = 3;

/// A pass to write a kernel for.
#[derive(Clone, Debug)]
pub struct Chained<'p> {
    /// The name of the kernel.
    pub name: String,
    /// The plan.
    pub plan: &'p ChainedPlan,
    /// The element in which the numbers of a payload travel.
    pub payload: PortableElement,
    /// The numbers of a payload.
    pub numbers: Vec<Scalar>,
    /// The payload before the first element, lane by lane.
    pub init: Vec<u64>,
    /// The elements of the arrays that are read.
    pub sources: Vec<PortableElement>,
    /// Those of the arrays of results.
    pub dests: Vec<PortableElement>,
    /// Those of the arrays of results for all elements.
    pub totals: Vec<PortableElement>,
    /// The type of the number of elements, where that is in memory.
    pub length: Option<Scalar>,
    /// Whether regions take the elements next to an element.
    pub has_halo: bool,
    /// The type of places.
    pub place: Scalar,
    /// Words of the uniform block.
    pub words: u32,
    /// The payload of an element.
    pub summary: ChainedRegion,
    /// The payload of two neighbouring stretches of elements.
    pub combine: ChainedRegion,
    /// For each array of results whether an element is kept, its place and the lanes of the value.
    pub emit: ChainedRegion,
    /// The results for all elements.
    pub finish: ChainedRegion,
}

/// The kernel of a pass.
///
/// # Errors
/// A plan that is not for a portable target, or text that naga rejects, which is a bug in this crate.
pub fn program(passes: &Chained<'_>, target: Target) -> Result<PortableProgram, Error> {
    let ChainedShape::Register(RegisterTiles { tile, order, .. }) = &passes.plan.shape else {
        return Err(Error::Shape);
    };
    let (exchange, element) = (&passes.plan.exchange, passes.payload);
    let workspace = passes.sources.len() + passes.dests.len() + passes.totals.len();
    let regions = regions::functions(passes);
    let text = [
        NUMBERS,
        &kernel::floats(&regions),
        &scan::tile_constants(tile),
        &format!("alias Element = {};\n", element.r#type()),
        &arrays::functions(passes, tile.vector),
        &arguments(passes, workspace + 1),
        &regions,
        CHAINED,
        &scan::on_tiles(tile),
        &scan::exchange(element, exchange, *order, workspace as u32),
    ];
    let (threads, elements) = (tile.threads, Some(tile.elements()));
    let kernel = ProgramKernel { entry: "entry_scan", name: passes.name.clone(), threads, elements };
    let launch = Launch {
        workspace: passes.plan.workspace(),
        last_epoch: Some(exchange.state.last_epoch()),
        subgroup: scan::shuffled(tile),
    };
    PortableProgram::new(text.concat(), vec![kernel], launch, target)
}

/// The numbers of a launch, and the payload before the first element.
fn arguments(passes: &Chained<'_>, next: usize) -> String {
    let binding = next + usize::from(passes.length.is_some());
    // A multiple of 32 bytes, as in tile-run.
    let vectors = passes.words.next_multiple_of(8) / 4;
    format!(
        "@group(0) @binding({binding}) var<uniform> numbers: array<vec4<u32>, {vectors}>;
fn epoch() -> u32 {{ return numbers[0].z; }}
{}{}",
        arrays::length(passes.length, next),
        scan::after(&scan::literal(passes.payload, &passes.init), true)
    )
}
