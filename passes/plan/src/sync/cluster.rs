//! The blocks of a cluster that access each other's shared memory. All execute one program, and each has its own shared
//! memory.
//!
//! ```text
//!   rank 0:  s ──copy──▶ t of rank 1     an access names an object and the block that holds it: its own, or a peer
//!   rank 1:  s ──copy──▶ t of rank 0     the peer is known for each rank: rank ^ 1, (rank + 1) mod n, …
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::sync::access::Access;
use crate::sync::finding::Conflict;
use crate::sync::form::AddressForm;
use crate::sync::items::{Below, Branch, Item, Limit, Taken, When};
use crate::sync::places::first;
use crate::sync::program::{Cluster, Member, Op, RemoteBlock, SyncProgram};
use crate::sync::shift::Shift;

impl SyncProgram {
    /// The number of blocks that execute the program together.
    pub fn ranks(&self) -> usize {
        self.cluster.as_ref().map_or(1, |cluster| cluster.members.len())
    }

    /// An operation, by its number, as the block of a rank executes it.
    pub fn op(&self, rank: usize, number: usize) -> &Op {
        let member = self.cluster.as_ref().and_then(|cluster| cluster.members.get(rank));
        member.and_then(|member| member.ops.get(&number)).unwrap_or(&self.ops[number])
    }

    /// The two operations of a conflict, each as its block executes it.
    pub fn pair(&self, conflict: &Conflict) -> [&Op; 2] {
        let [first, second] = conflict.ranks.unwrap_or_default();
        [self.op(first, conflict.first.0), self.op(second, conflict.second.0)]
    }

    /// The operations of all blocks, by their numbers.
    pub(super) fn of_all_blocks(&self) -> impl Iterator<Item = (usize, &Op)> {
        let members = self.cluster.iter().flat_map(|cluster| &cluster.members);
        self.ops
            .iter()
            .enumerate()
            .chain(members.flat_map(|member| member.ops.iter().map(|(&number, op)| (number, op))))
    }

    /// Resolves an object as seen by the block of a rank: the object, and the rank of the block that holds it; `None`
    /// where that is unknown.
    pub fn object(&self, rank: usize, object: usize) -> (usize, Option<usize>) {
        let member = self.cluster.as_ref().and_then(|cluster| cluster.members.get(rank));
        match member.and_then(|member| member.peers.get(&object)) {
            None => (object, Some(rank)),
            Some(&(object, RemoteBlock::Rank(peer))) => (object, Some(peer)),
            Some(&(object, RemoteBlock::Unknown)) => (object, None),
        }
    }

    /// The object that an access refers to, in whichever block.
    pub fn object_of(&self, access: &Access) -> usize {
        self.in_any_block(access.object)
    }

    /// The object in whichever block.
    pub fn in_any_block(&self, object: usize) -> usize {
        let mut members = self.cluster.iter().flat_map(|cluster| &cluster.members);
        members.find_map(|member| member.peers.get(&object)).map_or(object, |&(object, _)| object)
    }

    /// Whether each operation that accesses memory of another block accesses its own block's at the same time, as a copy to all
    /// blocks of a cluster does: what is live in a block then follows from what the block does.
    pub fn reaches_own_memory_too(&self) -> bool {
        let all = (0..self.ranks()).flat_map(|rank| (0..self.ops.len()).map(move |number| (rank, number)));
        all.into_iter().all(|(rank, number)| {
            let accesses = &self.op(rank, number).accesses;
            let objects: Vec<_> = accesses.iter().map(|access| self.object(rank, access.object)).collect();
            objects.iter().all(|&(object, _)| objects.contains(&(object, Some(rank))))
        })
    }

    /// Whether the fixed values of a shift are the same in all blocks.
    pub(super) fn same_for_all(&self, shift: &Shift) -> bool {
        self.cluster.as_ref().is_none_or(|cluster| shift.fixed.keys().all(|value| !cluster.differs.contains(value)))
    }

    /// Merges the programs of the blocks of a cluster, in order of their ranks, into one.
    ///
    /// # Errors
    /// The number of the first operation at which the control flow differs between blocks.
    pub fn of_blocks(blocks: Vec<SyncProgram>) -> Result<SyncProgram, usize> {
        let mut blocks = blocks.into_iter();
        let mut first = blocks.next().unwrap_or_default();
        let Cluster { mut members, mut differs } = of_one(&first);
        for other in blocks {
            if other.ops.len() != first.ops.len() || other.loops.len() != first.loops.len() {
                return Err(first.ops.len().min(other.ops.len()).saturating_sub(1));
            }
            first.body = joined(&first.body, &other.body, members.len())?;
            first.may_alias.extend(&other.may_alias);
            let mut single = of_one(&other);
            let otherwise = |(number, op): (usize, Op)| (op != first.ops[number]).then_some((number, op));
            let ops: BTreeMap<usize, Op> = other.ops.into_iter().enumerate().filter_map(otherwise).collect();
            members.extend(single.members.drain(..).map(|member| Member { ops: ops.clone(), ..member }));
            differs.extend(single.differs);
        }
        first.may_alias.sort_unstable();
        first.may_alias.dedup();
        first.cluster = Some(Rc::new(Cluster { members, differs }));
        Ok(first)
    }
}

fn of_one(program: &SyncProgram) -> Cluster {
    let alone = || Cluster { members: vec![Member::default()], ..Cluster::default() };
    program.cluster.as_ref().map_or_else(alone, |cluster| Cluster::clone(cluster))
}

/// Merges the items of the first `ranks` blocks with those of the next block.
fn joined(items: &[Item], others: &[Item], ranks: usize) -> Result<Vec<Item>, usize> {
    let differ = || first(items).or(first(others)).unwrap_or(0);
    if items.len() != others.len() {
        return Err(differ());
    }
    let one = |(a, b): (&Item, &Item)| match (a, b) {
        (Item::Op(a), Item::Op(b)) if a == b => Ok(Item::Op(*a)),
        (Item::Loop(a, body), Item::Loop(b, other)) if a == b => Ok(Item::Loop(*a, joined(body, other, ranks)?)),
        (Item::Branch(a), Item::Branch(b)) if a.arms.len() == b.arms.len() => {
            let arms = a.arms.iter().zip(&b.arms).map(|(a, b)| joined(a, b, ranks)).collect::<Result<Vec<_>, _>>()?;
            let (taken, when) = who(a, b, ranks).ok_or_else(differ)?;
            Ok(Item::Branch(Branch { arms, taken, when }))
        }
        _ => Err(differ()),
    };
    items.iter().zip(others).map(one).collect()
}

/// Merges a branch of the first `ranks` blocks with that of the next block: which threads take which arm, and on which
/// condition. `None` where the two cannot be merged.
fn who(first: &Branch, next: &Branch, ranks: usize) -> Option<(Taken, Option<When>)> {
    let nowhere = |branch: &Branch| match &branch.taken {
        Taken::By(sets) => sets.iter().all(ThreadSet::is_empty),
        Taken::ByRank(ranks) => ranks.iter().flatten().all(ThreadSet::is_empty),
        Taken::Together | Taken::ByWarps | Taken::Unknown => false,
    };
    // In a block none of whose threads reach the branch, either arm will do.
    let any = |count: usize| When::of_blocks(vec![0; count]);
    let one = std::slice::from_ref::<Vec<ThreadSet>>;
    match (&first.taken, &next.taken) {
        (Taken::By(known), Taken::By(sets)) if known != sets => {
            Some((Taken::ByRank([vec![known.clone(); ranks].as_slice(), one(sets)].concat()), None))
        }
        (Taken::ByRank(known), Taken::By(sets)) => Some((Taken::ByRank([known.as_slice(), one(sets)].concat()), None)),
        (a, b) if a == b => Some((a.clone(), both(first.when.as_ref(), next.when.as_ref()))),
        (taken, _) if nowhere(next) => {
            Some((taken.clone(), with_any(first.when.as_ref(), |when| both(Some(when), Some(&any(1))))))
        }
        (_, taken) if nowhere(first) => {
            Some((taken.clone(), with_any(next.when.as_ref(), |when| both(Some(&any(ranks)), Some(when)))))
        }
        _ => None,
    }
}

/// The merged condition of a branch: one on the rank, or one that both share.
fn both(first: Option<&When>, next: Option<&When>) -> Option<When> {
    match first.and_then(When::by_rank).zip(next.and_then(When::by_rank)) {
        Some((known, takes)) => Some(When::of_blocks([known, takes].concat())),
        None => first.filter(|_| first == next).cloned(),
    }
}

/// The condition of a branch, extended with blocks for which it does not matter.
fn with_any(when: Option<&When>, added: impl Fn(&When) -> Option<When>) -> Option<When> {
    when.filter(|known| known.by_rank().is_some()).map_or_else(|| when.cloned(), added)
}

impl When {
    /// A condition on the rank: a block takes the first arm if its number in `takes` is positive.
    pub fn of_blocks(takes: Vec<i64>) -> Self {
        let (value, limit) = (AddressForm::constant(0), Limit::Blocks(takes));
        When::Below(Box::new(Below { value, limit, least: 0, arm: 0 }))
    }

    /// The numbers of [`When::of_blocks`], where the condition is on the rank.
    pub(super) fn by_rank(&self) -> Option<&[i64]> {
        match self {
            When::Below(below) => match &below.limit {
                Limit::Blocks(takes) => Some(takes),
                _ => None,
            },
            When::Times { .. } => None,
        }
    }
}
