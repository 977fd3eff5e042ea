//! Which operations may order what a block does to global memory with what other blocks do.
//!
//! ```text
//!   all threads:  write partial sums        other blocks see the counter, and then expect the sums:
//!   barrier                                 nothing within this block needs the barrier, and it stays
//!   thread 0:     fence, add to a counter
//! ```
//!
//! The blocks are analysed one at a time, so it is not known which accesses of two blocks meet. What an operation
//! orders between an access of global memory and a later release, or between an acquire and a later access, has to
//! stay in order.

use crate::sync::items::Item;
use crate::sync::program::{Effect, Op, SyncProgram};
use tile_isa::Space;

/// What some operations do that other blocks may observe.
#[derive(Clone, Copy, Debug, Default)]
struct Traffic {
    /// They access memory that other blocks may access.
    accesses: bool,
    /// They may observe what another block has published.
    acquires: bool,
    /// They may publish what the block has done.
    releases: bool,
}

impl Traffic {
    fn and(self, other: Traffic) -> Traffic {
        Traffic {
            accesses: self.accesses || other.accesses,
            acquires: self.acquires || other.acquires,
            releases: self.releases || other.releases,
        }
    }

    fn of(program: &SyncProgram, op: &Op) -> Traffic {
        let members = || program.cluster.iter().flat_map(|cluster| &cluster.members);
        let is_peer = |object: usize| members().any(|member| member.peers.contains_key(&object));
        let mut traffic = Traffic::default();
        for access in &op.accesses {
            let peer = is_peer(access.object);
            let accesses = peer || access.space == Space::Global;
            traffic = traffic.and(Traffic { accesses, acquires: peer, releases: peer });
        }
        for effect in &op.effects {
            traffic = traffic.and(match *effect {
                Effect::InterBlock { acquires, releases } => Traffic { accesses: false, acquires, releases },
                // Other blocks of the cluster may arrive, or wait.
                Effect::Mbarrier(_) | Effect::PhaseWait(_) => {
                    let shared = program.cluster.is_some();
                    Traffic { accesses: false, acquires: shared, releases: shared }
                }
                _ => Traffic::default(),
            });
        }
        traffic
    }

    fn any(parts: impl IntoIterator<Item = Traffic>) -> Traffic {
        parts.into_iter().fold(Traffic::default(), Traffic::and)
    }
}

/// For each operation, whether it may order accesses of different blocks, if it orders anything.
pub(super) fn orders_blocks(program: &SyncProgram) -> Vec<bool> {
    let mut of_ops = vec![Traffic::default(); program.ops.len()];
    for (number, op) in program.of_all_blocks() {
        of_ops[number] = of_ops[number].and(Traffic::of(program, op));
    }
    let mut orders = vec![false; program.ops.len()];
    if of_ops.iter().any(|traffic| traffic.acquires || traffic.releases) {
        mark(&of_ops, &program.body, (Traffic::default(), Traffic::default()), &mut orders);
    }
    orders
}

/// Marks the operations among `items` that lie between an access and a release, or between an acquire and an access;
/// `before` and `after` are what may come before and after all of the items.
fn mark(of_ops: &[Traffic], items: &[Item], (before, after): (Traffic, Traffic), orders: &mut [bool]) {
    let each: Vec<Traffic> = items.iter().map(|item| of_item(of_ops, item)).collect();
    let mut behind = vec![after; items.len() + 1];
    for at in (0..items.len()).rev() {
        behind[at] = behind[at + 1].and(each[at]);
    }
    let mut before = before;
    for (at, item) in items.iter().enumerate() {
        let after = behind[at + 1];
        match item {
            Item::Op(op) => {
                orders[*op] |= before.accesses && after.releases || before.acquires && after.accesses;
            }
            // Another iteration comes before and after each operation of the body.
            Item::Loop(_, body) => mark(of_ops, body, (before.and(each[at]), after.and(each[at])), orders),
            // Other threads may be in other arms, and an mbarrier may order these in either direction.
            Item::Branch(branch) => {
                for arm in &branch.arms {
                    let others = branch.arms.iter().filter(|other| !std::ptr::eq(*other, arm));
                    let beside = Traffic::any(others.flatten().map(|item| of_item(of_ops, item)));
                    mark(of_ops, arm, (before.and(beside), after.and(beside)), orders);
                }
            }
        }
        before = before.and(each[at]);
    }
}

fn of_item(of_ops: &[Traffic], item: &Item) -> Traffic {
    match item {
        Item::Op(op) => of_ops[*op],
        Item::Loop(_, body) => Traffic::any(body.iter().map(|item| of_item(of_ops, item))),
        Item::Branch(branch) => Traffic::any(branch.arms.iter().flatten().map(|item| of_item(of_ops, item))),
    }
}
