//! One line at a time: `prefetch.global.L2`.

use tile_isa::prefetch::{LINE_BYTES, most_lines};

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::prefetch::plan::{Hint, Prefetch};
use crate::families::prefetch::runs::{alignment, global, runs};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::sides::require::sharers;
use crate::target::Target;
use crate::target::engine::Engine;

/// Prefetches of a line (PTX ISA, prefetch).
static PREFETCH: Engine = Engine::since("chip-lacks-prefetch", "an NVIDIA chip", 20, 20);

/// One prefetch for each line of a run. Where the alignment of runs leaves open whether a run reaches one line further,
/// its last element is prefetched, too.
///
/// ```text
///   runs of 256 bytes, aligned to 128       2 lines: at byte 0 and 128
///   runs of 256 bytes, aligned to 64        2 or 3 lines: at byte 0 and 128, and at the last element
/// ```
pub(crate) struct Lines;

const ABOUT: About = About::new(
    Hint::Lines.variant(),
    5,
    PlanKind::Prefetch,
    "lines of global memory to L2, through `prefetch.global.L2`",
)
.on(&PREFETCH);

impl Variant for Lines {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let src = global(problem)?;
        PREFETCH.check(target, "a prefetch needs")?;
        let (threads, ranks) = sharers(problem)?;
        let (src, element_bits) = (runs(src)?, problem.element.bits);
        let align = alignment(&src, problem.element.bytes());
        let plan = Prefetch { hint: Hint::Lines, threads, ranks, element_bits, last_line: false, src };
        let bytes = plan.run_bytes();
        let last_line = most_lines(bytes, align) > most_lines(bytes, LINE_BYTES);
        Ok(CopyPlan::Prefetch(Prefetch { last_line, ..plan }))
    }
}
