//! Kernels whose blocks reach shared memory of each other: read once for each block of a cluster, with its rank; and the
//! diagnostics about these blocks.

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::ops::CopyOp;
use tile_ops::{gpu, nvvm};
use tile_plan::ThreadSet;
use tile_plan::bounds::Term;
use tile_plan::sync::{Access, Cluster, Effect, Member, Outside, Peer, Program, Shift, When};

use crate::options::Options;
use crate::read::alias::Root;
use crate::read::ranges::Ranges;
use crate::read::terms::Origin;
use crate::read::{divisibility, name};
use crate::sync::block::{Block, Leader};
use crate::sync::kernel::{Kernel, Wrong};
use crate::walk;

/// The maximum number of blocks in a cluster.
const MOST: i64 = 16;

/// The number of the first object that belongs to another block; a kernel has fewer of its own.
const REMOTE_OBJECT_BASE: usize = 1 << (usize::BITS - 1);

/// The number of blocks of a cluster along x, y and z, if they reach shared memory of each other.
///
/// # Errors
/// The size of the cluster is not known, or is not valid.
fn reached(function: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, String> {
    let reaches = |op: OperationRef<'_, '_>| !CopyOp::is_name(name(op)) || CopyOp(op).remote_cta().is_some();
    let asks = |name: &str| name == nvvm::MapaOp::NAME || CopyOp::is_name(name);
    if !walk::matching(function, asks).into_iter().any(reaches) {
        return Ok(None);
    }
    let size = divisibility::block::cluster(function).ok_or(
        "is not checked: its blocks reach shared memory of each other, and the size of their cluster is not known; give it \
         nvvm.cluster_dim = array<i32: …>",
    )?;
    let count = size.iter().try_fold(1i64, |count, &extent| count.checked_mul(extent));
    match count.filter(|count| (1..=MOST).contains(count) && size.iter().all(|&extent| extent > 0)) {
        Some(_) => Ok(Some(size)),
        None => Err(format!("got a cluster of {size:?} blocks, expected 1 to {MOST} in all")),
    }
}

impl<'r, 'c: 'a, 'a> Kernel<'r, 'c, 'a> {
    /// Reads a kernel as [`Kernel::read`] does, but leaves phases to [`tile_plan::sync::check`], which executes the program where
    /// it has to.
    ///
    /// # Errors
    /// As [`Kernel::read`].
    pub fn with_rings(
        function: OperationRef<'c, 'a>,
        options: &'r Options,
        ranges: &'r Ranges<'r>,
        leader: Leader,
    ) -> Result<Self, String> {
        let Some(size) = reached(function)? else { return Kernel::of_block(function, options, ranges, (None, leader)) };
        let of_rank = |rank| Kernel::of_block(function, options, ranges, (Some(Block::new(size, rank)), leader));
        let mut kernel = of_rank(0)?;
        let mut programs = Vec::new();
        for rank in 0..size.iter().product() {
            let mut other = if rank == 0 { None } else { Some(of_rank(rank)?) };
            let own = other.as_mut().unwrap_or(&mut kernel);
            if !own.unread.is_empty() || !own.wrong.is_empty() {
                return Ok(other.unwrap_or(kernel));
            }
            let Some(Block { peers, differs, .. }) = own.cluster.take() else { continue };
            let cluster = Cluster { members: vec![Member { ops: BTreeMap::new(), peers }], differs };
            programs.push(Program { cluster: Some(cluster.into()), ..std::mem::take(&mut own.program) });
        }
        match Program::of_blocks(programs) {
            Ok(program) => kernel.program = program,
            Err(op) => {
                let op = kernel.ops.get(op).copied().unwrap_or(function);
                kernel.refuse(op, "is not followed: which threads execute it differs between the blocks of a cluster");
            }
        }
        Ok(kernel)
    }

    /// Records the value of a register in this block; whether it is a register of the cluster.
    pub(super) fn learn_rank(&mut self, symbol: Term, value: Value<'c, 'a>) -> bool {
        let found = self.cluster.as_ref().zip(defining_op(value)).and_then(|(block, op)| block.register(op));
        found.map(|number| self.sources.threads.insert(symbol, vec![number])).is_some()
    }

    /// Records that a value differs between the blocks of the cluster.
    pub(super) fn differs(&mut self, symbol: Term) {
        self.cluster.iter_mut().for_each(|block| _ = block.differs.insert(symbol));
    }

    /// The arm of a branch that all threads of this block take, where its rank decides that.
    pub(super) fn by_rank(&mut self, op: OperationRef<'c, 'a>) -> Option<When> {
        self.cluster.as_ref()?;
        let takes = self.of_value(op.operand_at(0)?)?.as_constant()?;
        Some(When::of_blocks(vec![takes & 1]))
    }

    /// Refuses a loop with a run-time trip count, unless the count is the same in all blocks of the cluster.
    pub(super) fn same_in_cluster(&mut self, op: OperationRef<'c, 'a>, bounds: &[Term]) {
        if self.cluster.is_none() {
            return;
        }
        let symbols: Vec<Term> =
            bounds.iter().flat_map(|&term| self.terms.question.terms.needs(term).clone()).collect();
        let alike = |symbol: Term| match self.terms.origins.get(&symbol) {
            Some(Origin::BlockSize(_) | Origin::GridSize(_) | Origin::Extent(..)) => true,
            Some(&Origin::Value(value)) => self.is_argument(value) || defining_op(value).is_some_and(of_cluster),
            Some(Origin::Thread(_) | Origin::Block(_)) | None => false,
        };
        if !symbols.into_iter().all(alike) {
            self.refuse(op, "is not followed: its trip count may differ between the blocks of a cluster");
        }
    }

    /// An access as accesses to the memory of the block of a rank, or of several blocks where the rank differs between threads;
    /// of this block where no rank is given.
    pub(super) fn at(&mut self, op: OperationRef<'c, 'a>, rank: Option<Value<'c, 'a>>, access: Access) -> Vec<Access> {
        let Some(rank) = rank else {
            // Memory of unknown origin may belong to any block.
            let unknown = self.objects.get(access.object).is_some_and(|object| object.root.is_unknown());
            let object = if unknown { self.foreign(access.object, Peer::Unknown) } else { access.object };
            return vec![Access { object, ..access }];
        };
        let form = self.of_value(rank).filter(|form| form.shift == Shift::none());
        let Some((form, bytes)) = form.zip(access.bytes.clone()) else {
            let object = self.foreign(access.object, Peer::Unknown);
            return vec![Access { object, ..access }];
        };
        let makers = bytes.segments().iter().fold(ThreadSet::new(), |all, it| all.union(&it.threads));
        let mut of_ranks: BTreeMap<i64, ThreadSet> = BTreeMap::new();
        makers.iter().for_each(|thread| of_ranks.entry(form.of_thread(thread)).or_default().insert(thread));
        let mut found = Vec::new();
        for (rank, threads) in of_ranks {
            let Some(peer) = self.peer(op, rank) else { continue };
            let object = self.foreign(access.object, peer);
            found.push(Access { object, bytes: Some(bytes.of_threads(&threads).into()), ..access.clone() });
        }
        found
    }

    /// The object that contains an mbarrier, in the block of a rank where one is given.
    pub(super) fn object_at(&mut self, op: OperationRef<'c, 'a>, root: Root, rank: Option<Value<'c, 'a>>) -> usize {
        let object = self.object(root);
        let Some(rank) = rank else { return object };
        let peer = match self.of_value(rank).and_then(|form| form.as_constant()) {
            Some(rank) => self.peer(op, rank).unwrap_or(Peer::Unknown),
            None => Peer::Unknown,
        };
        self.foreign(object, peer)
    }

    /// The block of a rank, if there is one.
    fn peer(&mut self, op: OperationRef<'c, 'a>, rank: i64) -> Option<Peer> {
        let (count, own) = self.cluster.as_ref().map(|block| (block.count(), block.rank))?;
        if (0..count).contains(&rank) {
            return Some(Peer::Rank(usize::try_from(rank).ok()?));
        }
        let text =
            format!("reaches block {rank} of a cluster of {count}, from block {own}: expected a rank below {count}");
        self.wrong.push(Wrong { op, text, notes: Vec::new() });
        None
    }

    fn foreign(&mut self, object: usize, peer: Peer) -> usize {
        let Some(block) = &mut self.cluster else { return object };
        let number = REMOTE_OBJECT_BASE + block.peers.len();
        block.peers.insert(number, (object, peer));
        number
    }

    /// The effect of an operation on the barrier of the cluster. An arrival that the wait directly follows has the effect of
    /// both; the wait then has none.
    pub(super) fn at_cluster_barrier(&self, op: OperationRef<'c, 'a>) -> Option<Effect> {
        let is_wait = |of: &OperationRef<'c, 'a>| name(*of) == nvvm::ClusterWaitOp::NAME;
        let paired = |arrive: OperationRef<'c, 'a>| {
            arrive.next_in_block().filter(|next| name(arrive) == nvvm::ClusterArriveOp::NAME && is_wait(next))
        };
        let arrived = || paired(*self.ops.last()?);
        match name(op) {
            nvvm::ClusterArriveOp::NAME if paired(op).is_some() => Some(Effect::ClusterBarrier),
            nvvm::ClusterArriveOp::NAME => Some(Effect::ClusterArrive { releases: true }),
            nvvm::ClusterArriveRelaxedOp::NAME => Some(Effect::ClusterArrive { releases: false }),
            _ if arrived().is_some_and(|wait| wait.to_raw().ptr == op.to_raw().ptr) => None,
            _ => Some(Effect::ClusterWait),
        }
    }
}

/// Whether an operation reads a register that distinguishes clusters, or counts them.
fn of_cluster(op: OperationRef<'_, '_>) -> bool {
    [
        gpu::ClusterIdOp::NAME,
        gpu::ClusterDimOp::NAME,
        nvvm::ClusterIdXOp::NAME,
        nvvm::ClusterIdYOp::NAME,
        nvvm::ClusterIdZOp::NAME,
        nvvm::ClusterDimXOp::NAME,
        nvvm::ClusterDimYOp::NAME,
        nvvm::ClusterDimZOp::NAME,
    ]
    .contains(&name(op))
}

/// The order that threads of different blocks need, as diagnostics name it.
pub(super) const BARRIER: &str = "nvvm.cluster.arrive, then nvvm.cluster.wait: the two are of different blocks";

/// The text that names a thread's block, where there are several.
pub(super) fn of_block(rank: Option<usize>) -> String {
    rank.map(|rank| format!(" of block {rank}")).unwrap_or_default()
}

/// The same for two threads.
pub(super) fn of_blocks(ranks: Option<[usize; 2]>) -> [String; 2] {
    [0, 1].map(|at| of_block(ranks.map(|ranks| ranks[at])))
}

/// The error of an access to shared memory of a block that may not have begun, or may have ended.
pub(super) fn outside(kernel: &Kernel<'_, '_, '_>, outside: &Outside) {
    let (op, number) = outside.at;
    let (rank, thread) = outside.by;
    let access = &kernel.program.op(rank, op).accesses[number];
    let does = if access.write { "writes" } else { "reads" };
    let owner = outside.owner.map_or_else(|| "another block".to_owned(), |owner| format!("block {owner}"));
    let example = format!("for example thread {thread} of block {rank}");
    let wanted = "expected nvvm.cluster.arrive, then nvvm.cluster.wait";
    let (text, place) = match outside.ended {
        false => (format!("{does} shared memory of {owner}, which may not have begun: {example}"), "before it"),
        true => (format!("{does} shared memory of {owner}, which may have ended by then: {example}"), "before the end"),
    };
    let error = Diagnostic::error(format!("{text}; {wanted} {place}"));
    let ends = kernel.program.end.and_then(|end| kernel.ops.get(end)).filter(|_| outside.ended);
    let noted = match ends {
        Some(end) => error.note(end.location(), "the block ends here, and its shared memory with it".to_owned()),
        None => error,
    };
    noted.emit(kernel.ops[op]);
}
