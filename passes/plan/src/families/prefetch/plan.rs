//! The plan of a prefetch: the instructions that it issues, its invariants and its addresses.

use serde::{Deserialize, Serialize};
use tile_isa::prefetch::{LINE_BYTES, MAX_CHUNK_BYTES};
use tile_isa::{Space, Transfer, check_element_bits};
use tile_layout::{AddressStep, Axis, IndexArith, Iter, counted};

use crate::families::carried::{Carried, CarriedError, CarriedSide};
use crate::families::family::{Cost, Costs, Family, Requests, Touches};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::address::{digits, finish};
use crate::sides::chunks::whole_runs;
use crate::sides::ranks::Ranks;
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::is_default;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Engine, NotFollowed, Touched};

/// The instruction of a prefetch, from which the name of its variant follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hint {
    /// `prefetch.global.L2`, one for each line of a run.
    #[default]
    Lines,
    /// `cp.async.bulk.prefetch.L2`, one for each run.
    Chunks,
    /// None: the hint is dropped.
    Dropped,
}

impl Hint {
    /// All of them.
    const ALL: [Hint; 3] = [Hint::Lines, Hint::Chunks, Hint::Dropped];

    /// The name of the variant.
    pub const fn variant(self) -> &'static str {
        match self {
            Hint::Lines => "prefetch",
            Hint::Chunks => "bulk_prefetch",
            Hint::Dropped => "dropped",
        }
    }
}

/// Instructions that bring the runs of a region into L2, shared by the threads of a scope: thread `t` issues the
/// instructions `t`, `t + threads`, … of each [`Sequence`].
///
/// The layout is over `[runs…, run]`: the last iter is contiguous, the others number the runs.
///
/// ```text
///   64 rows of 64 f32, ld 256      (64, 64) : (256, 1)     64 runs of 256 bytes: 128 lines, or 64 chunks
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefetch {
    /// The instruction.
    #[serde(skip)]
    pub hint: Hint,
    /// Threads that share the instructions.
    pub threads: i64,
    /// The threads that share them, where these are not all of the scope; the rank of a thread is then its number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ranks: Option<Ranks>,
    /// Width of an element.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// Whether the last element of each run may be in one line more than the run's length gives, so that its line is
    /// prefetched, too.
    #[serde(rename = "last", default, skip_serializing_if = "is_default")]
    pub last_line: bool,
    /// The region.
    pub src: Side,
}

/// Instructions that differ only in their numbers: `per_run` for each run, the first at element `first` of the run, each
/// next one `step` elements further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Instructions for each run.
    pub per_run: i64,
    /// Elements from one to the next.
    pub step: i64,
    /// The element of the run where the first begins.
    pub first: i64,
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-prefetch", reason.to_string())
}

impl Prefetch {
    /// Elements of a run.
    pub fn run(&self) -> i64 {
        self.src.layout.shard.last().map_or(1, |run| run.extent)
    }

    /// Bytes of a run.
    pub fn run_bytes(&self) -> i64 {
        self.run().saturating_mul(i64::from(self.element_bits)) / 8
    }

    /// The number of runs.
    pub fn runs(&self) -> i64 {
        self.outer().iter().map(|iter| iter.extent).product()
    }

    fn outer(&self) -> &[Iter] {
        self.src.layout.shard.split_last().map_or(&[], |(_, outer)| outer)
    }

    /// The instructions, as PTX writes them.
    pub fn instruction(&self) -> &'static str {
        match self.hint {
            Hint::Lines => "prefetch.global.L2",
            Hint::Chunks => "cp.async.bulk.prefetch.L2.global",
            Hint::Dropped => "no instruction",
        }
    }

    /// The instructions.
    pub fn sequences(&self) -> Vec<Sequence> {
        let step = LINE_BYTES * 8 / i64::from(self.element_bits);
        let lines = Sequence { per_run: (self.run() - 1) / step + 1, step, first: 0 };
        let last = self.last_line.then(|| Sequence { per_run: 1, step: 0, first: self.run() - 1 });
        match self.hint {
            Hint::Lines => [lines].into_iter().chain(last).collect(),
            Hint::Chunks => vec![Sequence { per_run: 1, step: 0, first: 0 }],
            Hint::Dropped => Vec::new(),
        }
    }

    /// The number of instructions of a sequence.
    pub fn count(&self, sequence: &Sequence) -> i64 {
        self.runs().saturating_mul(sequence.per_run)
    }

    /// The most instructions of one thread.
    pub fn rounds(&self) -> i64 {
        let most = |sequence: &Sequence| (self.count(sequence) - 1) / self.threads + 1;
        self.sequences().iter().map(most).sum()
    }

    fn check(&self) -> Result<(), Refusal> {
        self.src.validate(Role::Src.name()).map_err(malformed)?;
        check_element_bits(self.element_bits).map_err(malformed)?;
        if self.src.space != Space::Global {
            return Err(malformed(format!("got a prefetch of {} memory, expected global", self.src.space)));
        }
        if self.hint == Hint::Dropped {
            return Ok(());
        }
        self.check_threads()?;
        if self.src.layout.swizzle.is_some_and(|swizzle| swizzle.len != 0) {
            return Err(malformed(format!(
                "got the swizzled layout {}, expected runs that stay contiguous",
                self.src.layout
            )));
        }
        match self.src.layout.shard.last() {
            Some(Iter { stride: 1, axis: Axis::Memory, .. }) => {}
            last => {
                let got = last.map_or("none".to_owned(), |iter| iter.to_string());
                return Err(malformed(format!(
                    "got last iter {got} in the source's layout, expected a run of stride 1"
                )));
            }
        }
        match self.hint {
            Hint::Chunks if self.last_line => Err(malformed("got last, expected it for lines only")),
            Hint::Chunks => self.check_chunks(),
            _ => Ok(()),
        }
    }

    fn check_threads(&self) -> Result<(), Refusal> {
        if self.threads < 1 {
            return Err(malformed(format!("got {}, expected 1 or more", counted(self.threads, "thread"))));
        }
        self.ranks.as_ref().map_or(Ok(()), |ranks| ranks.check(self.threads, None).map_err(malformed))
    }

    /// Requires runs that one bulk prefetch takes.
    fn check_chunks(&self) -> Result<(), Refusal> {
        whole_runs(&self.src, Role::Src, self.element_bits).map_err(malformed)?;
        check_chunk_bytes(self.run_bytes()).map_err(malformed)
    }
}

/// Requires a chunk whose size one instruction can state.
pub(super) fn check_chunk_bytes(bytes: i64) -> Result<(), Refusal> {
    if bytes <= MAX_CHUNK_BYTES {
        return Ok(());
    }
    let reason = format!("chunk_bytes={bytes}, contiguous; needed {MAX_CHUNK_BYTES} at most, a size of 32 bits");
    Err(Refusal::new("too-many-bytes", reason))
}

/// The address of the instruction of that number, below [`Prefetch::count`], of a sequence: an element of the region, so
/// that no instruction reaches beyond the memory that the region names.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn prefetch_address<A: IndexArith>(
    a: &mut A,
    plan: &Prefetch,
    sequence: &Sequence,
    number: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let mut iters = plan.outer().to_vec();
    iters.push(Iter::memory(sequence.per_run, sequence.step));
    let mut terms = Vec::new();
    digits(a, &iters, number, &mut terms);
    if sequence.first != 0 {
        terms.push(AddressStep::new(1, Axis::Memory, a.constant(sequence.first)));
    }
    finish(a, &plan.src, terms, values)
}

impl Family for Prefetch {
    fn variant(&self) -> &'static str {
        self.hint.variant()
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.check()
    }
}

impl Carried for Prefetch {
    fn set_variant(&mut self, variant: &'static str, _transfer: Option<Transfer>) -> Result<(), CarriedError> {
        let named = Hint::ALL.into_iter().find(|hint| hint.variant() == variant);
        self.hint = named.ok_or(CarriedError::NoPrefetch)?;
        Ok(())
    }

    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        (role == Role::Src).then(|| CarriedSide::of(&self.src, self.element_bits))
    }

    fn is_hint(&self) -> bool {
        true
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.each_value(ValueList::Of(Role::Src), visit);
    }
}

impl Requests for Prefetch {}

impl Costs for Prefetch {
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.rounds(), wavefronts: 0 })
    }
}

impl Touches for Prefetch {
    /// Nothing: whether a line is in a cache orders no access.
    fn touched(&self, _by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        Ok(Touched::new(Engine::THREADS, []))
    }
}
