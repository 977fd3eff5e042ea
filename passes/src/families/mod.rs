//! Families of machine accesses: how a plan of each is written as an op, reported, read back and expanded.
//!
//! ```text
//!   Aligned plan ──build──▶ the family's op ──expand──▶ ops of other dialects
//!                └─took───▶ a remark
//! ```
//! [`FAMILIES`] is the only list of families: passes iterate over it, and name no op of any family.

pub mod bulk;
pub mod matrix;
mod plans;
pub mod registers;
pub mod scalar;
mod sides;
pub mod tmem;
pub mod vector;

pub use plans::{Later, Planned, Plans};

use melior::ir::OperationRef;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_layout::counted;
use tile_ops::Builder;
use tile_plan::sync::Queue;
use tile_plan::{Aligned, Kind, Ranks, Scope, Threads, VectorCopy, variants};

use crate::effects::groups;
use crate::emit::Emit;
use crate::read::name;
use crate::read::problem::Reader;

/// One line for each family.
pub const FAMILIES: [&dyn Family; 7] = [
    &vector::Vectors,
    &matrix::Matrices,
    &tmem::Copies,
    &tmem::Accesses,
    &bulk::Bulk,
    &registers::Registers,
    &scalar::Elements,
];

/// The error of an op whose attributes do not form a plan.
pub const MALFORMED: &str = "is no plan: got attributes that do not fit each other";

/// A kind of machine access.
pub trait Family: Sync {
    /// The op that holds a plan that is ready to be expanded, e.g. `tile.matrix_copy`.
    fn staged(&self) -> &'static str;

    /// The op that the choice of a variant makes; it differs from [`Family::staged`] where a later pass completes the
    /// plan.
    fn chosen(&self) -> &'static str {
        self.staged()
    }

    /// The kinds of plans of this family.
    fn kinds(&self) -> &'static [Kind];

    /// The names of the variants whose plans are of this family.
    fn variants(&self) -> Vec<&'static str> {
        variants::each().filter(|variant| self.makes(variant.about())).map(|variant| variant.name()).collect()
    }

    /// Whether the plan of a variant is of this family.
    fn makes(&self, about: &variants::About) -> bool {
        about.makes.is_some_and(|kind| self.kinds().contains(&kind))
    }

    /// Whether one thread issues the whole copy, so that each further thread that reaches it issues it again.
    fn is_issued_whole(&self) -> bool {
        false
    }

    /// Makes the op, or the ops, of a plan in place of `copy`, and returns the last; `None` for a plan that makes no op,
    /// after the reason has been reported at `copy`.
    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>>;

    /// Makes the op that is expanded ([`Family::staged`]) directly, where the choice would make another one, and keeps
    /// its plan for the stages that follow. `None`, without making an op, where [`Family::build`] must make it.
    fn build_staged<'c, 'a>(
        &self,
        _builder: Builder<'c, 'a>,
        _copy: CopyOp<'c, 'a>,
        _plan: &Aligned,
        _later: Later<'_>,
    ) -> Option<OperationRef<'c, 'a>> {
        None
    }

    /// Whether a plan becomes other copies, for which variants are chosen in turn.
    fn makes_copies(&self, _plan: &Aligned) -> bool {
        false
    }

    /// Makes the op that signals the mbarrier of an asynchronous copy, where the family's instruction does not.
    fn complete<'c, 'a>(&self, _builder: Builder<'c, 'a>, _copy: CopyOp<'c, 'a>) {}

    /// Emits the *passed* remark of a plan.
    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned);

    /// Checks that the variant that the op names makes ops of this family.
    ///
    /// # Errors
    /// The name that the op has, and the names that it may have.
    fn check_variant(&self, op: OperationRef<'_, '_>) -> Result<(), String> {
        let named = StageOp(op).variant();
        if variants::by_name(&named).is_some_and(|variant| self.makes(variant.about())) {
            return Ok(());
        }
        tile_isa::words::one_of("variant", &named, self.variants())
    }

    /// The plan that an op of [`Family::staged`] holds.
    ///
    /// # Errors
    /// The reason why it holds none.
    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String>;

    /// Writes the copy that an op holds, at the emitter's insertion point.
    ///
    /// # Errors
    /// An op that holds no plan or a wrong one, or buffers without storage.
    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String>;
}

/// The plan that an op holds.
///
/// ```
/// use tile_passes::inspect::{self, StagePlan};
/// use tile_passes::embed;
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"
/// func.func @load(%A: memref<8xf32>) {
///   %a = tile.view %A : memref<8xf32> to !tile.buffer<8xf32, global>
///   %r = tile.alloc : !tile.buffer<8xf32, local>
///   tile.copy %a to %r scope(thread) : !tile.buffer<8xf32, global> to !tile.buffer<8xf32, local>
///   return
/// }"#)?;
/// embed::run(&mut module, "builtin.module(tile-align-layouts,tile-vectorize-copy)")?;
/// // Nothing is known of the memref's alignment: eight loads of one element.
/// let plan = inspect::plan(inspect::planned(module.as_operation())[0]);
/// assert!(matches!(plan, Ok(StagePlan::Vectors(copy)) if (copy.rounds, copy.vector_bits()) == (8, 32)));
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StagePlan {
    /// Rounds of vectors.
    Vectors(VectorCopy),
    /// Any other plan, as its variant has decided it.
    Chosen(Aligned),
}

/// Wraps a plan that was read from an op.
///
/// # Errors
/// [`MALFORMED`] where there is none.
fn chosen<P>(plan: Option<P>, of: impl FnOnce(P) -> Aligned) -> Result<StagePlan, String> {
    plan.map(|plan| StagePlan::Chosen(of(plan))).ok_or_else(|| MALFORMED.to_owned())
}

/// An op to expand.
pub struct Staged<'r, 'o, 'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// Its scope.
    pub scope: Scope,
    /// Reads what the op itself does not state.
    pub reader: &'r Reader<'o>,
    /// The plans of ops that this pass run has made.
    pub plans: &'r Plans,
}

impl Staged<'_, '_, '_, '_> {
    /// Checks that a plan's number of threads is that of the scope, or that its ranks are those of threads of the
    /// scope.
    ///
    /// # Errors
    /// The planned number and the expected one.
    pub fn counts_threads(&self, planned: i64, ranks: Option<&Ranks>) -> Result<(), String> {
        let block = self.reader.block(self.op)?.map(|size| size.iter().product());
        let (scope, threads) = (self.scope, counted(planned, "thread"));
        match Threads::all(scope, block).count() {
            Some(count) if ranks.is_some() => ranks.map_or(Ok(()), |ranks| ranks.check(planned, Some(count))),
            Some(count) if count == planned => Ok(()),
            Some(count) => Err(format!("is planned for {threads}, but scope {scope} has {count}")),
            None => Err(format!("is planned for {threads} of scope {scope}, whose size is not known")),
        }
    }
}

/// The family of a plan.
pub fn of(plan: &Aligned) -> Option<&'static dyn Family> {
    FAMILIES.into_iter().find(|family| family.kinds().contains(&plan.kind()))
}

/// The family that expands an op.
pub fn staged(op: OperationRef<'_, '_>) -> Option<&'static dyn Family> {
    let name = name(op);
    FAMILIES.into_iter().find(|family| family.staged() == name)
}

/// Makes the ops that complete an asynchronous copy as its clauses say, after the op of its plan.
///
/// A group is closed for a synchronous plan, too: the caller counts groups.
pub fn complete<'c, 'a>(family: &dyn Family, builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>) {
    if copy.group() {
        groups::commit(builder, Queue::CpAsync);
    }
    if copy.bulk_group() {
        groups::commit(builder, Queue::Bulk);
    }
    family.complete(builder, copy);
}
