//! Between registers, through shared memory.

use tile_isa::Conversion;
use tile_layout::{Iter, Layout, counted};

use crate::families::aligned::{Aligned, Kind};
use crate::families::family::Family;
use crate::families::matrix;
use crate::families::registers::candidates::{candidates, shape};
use crate::families::registers::cost::{Cost, Weighed};
use crate::families::registers::shuffle;
use crate::families::scalar::plan::{Owner, ScalarCopy};
use crate::families::variant::{About, Variant};
use crate::families::vector;
use crate::families::vector::plan::AlignedCopy;
use crate::families::vector::vectorize::vectorize;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::scope::{Scope, Space, Which};
use crate::problem::{Begin, Element, Operand, Problem};
use crate::sides::require::full_scope;
use crate::target::Target;
use crate::{convert, families};

/// The most bytes of scratch that a copy takes: static shared memory of a block.
pub const MOST_BYTES: i64 = 48 * 1024;

/// The alignment of scratch, in bytes.
pub const ALIGN_BYTES: i64 = 128;

/// A store to shared memory, a barrier, a load, and a barrier before the next store: for any two layouts of registers, at any
/// scope of several threads.
pub(crate) struct Scratch;

const ABOUT: About = About::new(
    "scratch",
    9,
    Kind::Scratch,
    "registers to registers, through shared memory, by the variants for each half",
);

impl Variant for Scratch {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Refusal> {
        shuffle::check_spaces(problem)?;
        let mut plan = cheapest(problem, target)?;
        plan.weighed.shuffle = shuffle::planned(problem, target).ok().and_then(|plan| plan.weighed.shuffle);
        Ok(Aligned::Scratch(plan))
    }
}

/// A copy to a tile in shared memory, and one from there.
///
/// ```text
///   16x8 f32, 4 warps of a block, each with a tile of its own
///     scratch   (4, 16, 8) : (192, 12, 1)      rows of 8, 4 more between them
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchCopy {
    /// Scopes of a block, each with a tile of its own.
    pub instances: i64,
    /// The tile: the extents of the region, units left out.
    pub shape: Vec<i64>,
    /// Where each element of all tiles is: of one dimension more where there are several.
    pub layout: Layout,
    /// Bits of an element.
    pub element_bits: u32,
    /// What is made of an element; `None` where it is moved as it is.
    pub conversion: Option<Conversion>,
    /// Is it converted on the way to shared memory, so that there it is what the destination has?
    pub converts_first: bool,
    /// What either way costs.
    pub weighed: Weighed,
}

impl Family for ScratchCopy {
    fn variant(&self) -> &'static str {
        "scratch"
    }

    fn verify(&self) -> Result<(), Refusal> {
        let elements = self.buffer_shape().iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let fits = self.layout.validate().is_ok() && self.layout.size() == elements && self.bytes() <= MOST_BYTES;
        if fits { Ok(()) } else { Err(Refusal::new("malformed-scratch-copy", "the layout is not that of the tiles")) }
    }

    fn conversion(&self) -> Option<Conversion> {
        self.conversion
    }
}

impl ScratchCopy {
    /// What it costs a warp.
    pub fn cost(&self) -> Cost {
        self.weighed.scratch.unwrap_or_default()
    }

    /// The shape of all tiles.
    pub fn buffer_shape(&self) -> Vec<i64> {
        let several = (self.instances > 1).then_some(self.instances);
        several.into_iter().chain(self.shape.iter().copied()).collect()
    }

    /// Bytes of shared memory.
    pub fn bytes(&self) -> i64 {
        self.layout.memory_span().saturating_mul(i64::from(self.element_bits / 8))
    }

    /// The two copies that it is: to shared memory, and from there. The scope's number in its block is run-time value 0.
    pub fn halves(&self, problem: &Problem) -> [Problem; 2] {
        let whole = Operand::whole(Space::Shared, self.layout.clone(), &self.buffer_shape(), ALIGN_BYTES);
        let mut tile = whole;
        if self.instances > 1 {
            tile.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
            tile.extent[0] = 1;
        }
        let half = |src: &Operand, dst: &Operand, converts: bool, element: Element| Problem {
            src: src.clone(),
            dst: dst.clone(),
            element,
            conversion: self.conversion.filter(|_| converts),
            forced: None,
            ..problem.clone()
        };
        let converted = self.conversion.map_or(problem.element.clone(), |conversion| {
            Element::new(problem.bits_of(Which::Dst), conversion.to.name())
        });
        let (first, second) =
            (problem.element.clone(), if self.converts_first { converted } else { problem.element.clone() });
        [half(&problem.src, &tile, self.converts_first, first), half(&tile, &problem.dst, !self.converts_first, second)]
    }
}

/// May the copy not be done by this variant, whatever it costs?
pub(super) fn is_left_out(problem: &Problem) -> bool {
    problem.allowed.as_ref().is_some_and(|allowed| !allowed.iter().any(|name| name == ABOUT.name))
}

/// The tile whose two copies cost least.
///
/// # Errors
/// Why there is none.
pub(super) fn cheapest(problem: &Problem, target: &Target) -> Result<ScratchCopy, Refusal> {
    check_copy(problem)?;
    convert::on_chip(problem, target)?;
    let instances = instances(problem)?;
    let converts_first = problem.bits_of(Which::Dst) <= problem.bits_of(Which::Src);
    let element_bits = problem.bits_of(Which::Src).min(problem.bits_of(Which::Dst));
    let mut best: Result<ScratchCopy, Refusal> = Err(Refusal::new("scratch-too-large", ""));
    let mut least = i64::MAX;
    for tile in candidates(problem, i64::from(element_bits / 8)) {
        let layout = repeated(tile, instances, element_bits);
        let (shape, conversion) = (shape(&problem.dst), problem.conversion);
        let weighed = Weighed::default();
        let mut plan = ScratchCopy { instances, shape, layout, element_bits, conversion, converts_first, weighed };
        let bytes = plan.bytes();
        if bytes > MOST_BYTES {
            least = least.min(bytes);
            continue;
        }
        match cost(&plan, problem, target) {
            Ok(cost) => {
                plan.weighed.scratch = Some(cost);
                let no_better = |best: &ScratchCopy| best.cost().cycles() <= cost.cycles();
                if !best.as_ref().is_ok_and(no_better) {
                    best = Ok(plan);
                }
            }
            Err(refusal) if best.is_err() => best = Err(refusal),
            Err(_) => {}
        }
    }
    best.map_err(|refusal| match refusal.reason.is_empty() {
        true => Refusal::new(
            refusal.cause,
            format!("scratch takes {} at least; needed {MOST_BYTES}", counted(least, "byte")),
        ),
        false => refusal,
    })
}

/// Scopes of a block, each of which is complete.
fn instances(problem: &Problem) -> Result<i64, Refusal> {
    let threads = &problem.threads;
    if threads.scope == Scope::Thread {
        return Err(Refusal::new(
            "scope-has-no-warps",
            "got a thread; needed threads that have shared memory between them",
        ));
    }
    let count = full_scope(problem)?;
    let block = threads.block.ok_or_else(|| {
        let reason = format!("each {} needs scratch of its own; got a block of unknown size", threads.scope);
        Refusal::new("block-size-unknown", reason)
    })?;
    Ok((block + count - 1) / count)
}

/// A tile for each scope, each at the beginning of a line, or of its swizzle's pattern.
fn repeated(tile: Layout, instances: i64, bits: u32) -> Layout {
    if instances == 1 {
        return tile;
    }
    let line = (ALIGN_BYTES * 8 / i64::from(bits)).max(tile.swizzle.map_or(1, |swizzle| swizzle.period()));
    let span = tile.memory_span();
    let stride = span.saturating_add(line - 1) / line * line;
    let shard = [vec![Iter::memory(instances, stride)], tile.shard].concat();
    Layout { shard, ..tile }
}

/// What both copies cost a warp, and the two barriers.
fn cost(plan: &ScratchCopy, problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
    let barriers = Cost { instructions: 2, wavefronts: 0 };
    plan.halves(problem).iter().try_fold(barriers, |cost, half| Ok(cost.and(of_half(half, target)?)))
}

fn of_half(half: &Problem, target: &Target) -> Result<Cost, Refusal> {
    let planned = families::select(half, target).map(|(planned, _)| planned);
    let planned = planned.map_err(|error| {
        let reason = error.to_string().replace("\n  ", "; ");
        Refusal::new("scratch-not-reached", format!("to shared memory, or from there: {reason}"))
    })?;
    let vectors = |copy: &AlignedCopy| of_vectors(copy, half, target);
    match &planned {
        Aligned::Partition(copy) => vectors(copy),
        Aligned::Parts(parts) => parts.iter().try_fold(Cost::default(), |cost, part| Ok(cost.and(vectors(part)?))),
        Aligned::Matrix(copy) => {
            let wavefronts = matrix::cost::wavefronts(copy)?;
            Ok(Cost { instructions: copy.steps(), wavefronts })
        }
        Aligned::Scalar(copy) => Ok(of_scalars(copy)),
        other => Err(Refusal::new("scratch-not-reached", format!("{} takes a half of the copy", other.variant()))),
    }
}

fn of_vectors(copy: &AlignedCopy, half: &Problem, target: &Target) -> Result<Cost, Refusal> {
    let (plan, _) = vectorize(copy, target, half.max_vector_bits)?;
    let which = if plan.src.space == Space::Shared { Which::Src } else { Which::Dst };
    let instructions = plan.rounds.saturating_mul(plan.accesses_of(which));
    Ok(Cost { instructions, wavefronts: vector::cost::of_warp(&plan, which) })
}

/// An address, a condition, and an access, of each element that a thread holds.
fn of_scalars(copy: &ScalarCopy) -> Cost {
    let extents: Vec<i64> = match &copy.owner {
        Owner::Distributed(owned) => owned.serial.iter().map(|digit| digit.extent).collect(),
        _ => copy.extents.clone(),
    };
    let elements = extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
    Cost { instructions: elements.saturating_mul(3), wavefronts: elements.saturating_mul(8) }
}
