//! Operations that name a stage by a trip count, such as the last stage of a ring, which is read behind the loop.
//!
//! Which stage that is, is not known, but it repeats with the trip count, which executions assume. Such an operation therefore
//! becomes a branch, with an arm for each case:
//!
//! ```text
//!   for k in 0..n: …; wait full[n mod 2]        for k in 0..n: …; if n mod 2 == 0: wait full[0] else: wait full[1]
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::sync::finding::Finding;
use crate::sync::form::AddressForm;
use crate::sync::items::{Branch, Item, Taken, When};
use crate::sync::periodic::{Periodic, common};
use crate::sync::program::{Act, Cluster, Effect, Member, Op, SyncProgram};
use crate::sync::shift::Shift;

/// A program without values that depend on trip counts.
pub(super) struct ByCount {
    pub program: SyncProgram,
    /// The operation of the given program that each operation comes from.
    origins: Vec<usize>,
}

impl ByCount {
    /// The program with a branch for each operation that depends on a trip count; `None` where there is no such operation.
    pub fn of(program: &SyncProgram) -> Option<ByCount> {
        let is_counted = |(_, op): &(usize, &Op)| first_count(program, op).is_some();
        if program.counted.is_empty() || !program.of_all_blocks().any(|each| is_counted(&each)) {
            return None;
        }
        let members = program.cluster.as_ref().map_or(0, |cluster| cluster.members.len());
        let mut split = BranchesOnCounts {
            program,
            ops: Vec::new(),
            origins: Vec::new(),
            overrides: vec![BTreeMap::new(); members],
        };
        let body = split.items(&program.body);
        let BranchesOnCounts { ops, origins, overrides, .. } = split;
        let cluster = program.cluster.as_ref().map(|cluster| {
            let peers = cluster.members.iter().map(|member| member.peers.clone());
            let members = overrides.into_iter().zip(peers).map(|(ops, peers)| Member { ops, peers }).collect();
            Rc::new(Cluster { members, differs: cluster.differs.clone() })
        });
        let end = program.end.and_then(|end| origins.iter().position(|&origin| origin == end));
        let program = SyncProgram { ops, body, cluster, end, counted: BTreeMap::new(), ..program.clone() };
        Some(ByCount { program, origins })
    }

    /// Findings in this program, as findings in the given one.
    pub fn findings_of_origin(&self, findings: Vec<Finding>) -> Vec<Finding> {
        findings.into_iter().map(|finding| finding.renumbered(|op| self.origins[op])).collect()
    }
}

/// The construction of a program with branches.
struct BranchesOnCounts<'p> {
    program: &'p SyncProgram,
    ops: Vec<Op>,
    origins: Vec<usize>,
    /// For each block of a cluster, its operations that differ from those of the first block.
    overrides: Vec<BTreeMap<usize, Op>>,
}

/// An operation as the blocks of a cluster execute it: as the first does, and those that do otherwise, by rank.
#[derive(Clone)]
struct ClusterOp {
    op: Op,
    overrides: Vec<Option<Op>>,
}

impl BranchesOnCounts<'_> {
    fn items(&mut self, items: &[Item]) -> Vec<Item> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &Item) -> Item {
        match item {
            Item::Op(op) => {
                let members = self.program.cluster.iter().flat_map(|cluster| &cluster.members);
                let overrides = members.map(|member| member.ops.get(op).cloned()).collect();
                self.op(*op, ClusterOp { op: self.program.ops[*op].clone(), overrides })
            }
            Item::Loop(number, body) => Item::Loop(*number, self.items(body)),
            Item::Branch(Branch { arms, taken, when }) => {
                let arms = arms.iter().map(|arm| self.items(arm)).collect();
                Item::Branch(Branch { arms, taken: taken.clone(), when: when.clone() })
            }
        }
    }

    /// An operation, or a branch for one of the counts on which it depends.
    fn op(&mut self, origin: usize, cluster_op: ClusterOp) -> Item {
        let program = self.program;
        let all = || std::iter::once(&cluster_op.op).chain(cluster_op.overrides.iter().flatten());
        let Some((count, period)) = all().find_map(|op| first_count(program, op)) else {
            let number = self.ops.len();
            self.ops.push(cluster_op.op);
            self.origins.push(origin);
            for (to, variant) in self.overrides.iter_mut().zip(cluster_op.overrides) {
                to.extend(variant.map(|op| (number, op)));
            }
            return Item::Op(number);
        };
        let arm = |case: i64| {
            let given = |op: &Op| with_count(program, op, (count, case));
            let overrides = cluster_op.overrides.iter().map(|op| op.as_ref().map(given)).collect();
            ClusterOp { op: given(&cluster_op.op), overrides }
        };
        let arms: Vec<Vec<Item>> = (0..period).map(|case| vec![self.op(origin, arm(case))]).collect();
        let when = When::Times { count, arm: Periodic::table((0..period).collect()) };
        Item::Branch(Branch { arms, taken: Taken::Together, when: Some(when) })
    }
}

/// A count on which an operation depends, and after how many iterations its values repeat.
fn first_count(program: &SyncProgram, op: &Op) -> Option<(usize, i64)> {
    let values = || op.shifts().flat_map(|shift| shift.fixed.keys()).filter_map(|value| program.counted.get(value));
    let (count, _) = values().next()?;
    let periods = values().filter(|(other, _)| other == count).map(|(_, value)| value.period());
    Some((*count, periods.into_iter().try_fold(1, common)?))
}

/// An operation where a count is as large as `case`, apart from whole periods.
fn with_count(program: &SyncProgram, op: &Op, (count, case): (usize, i64)) -> Op {
    let mut op = op.clone();
    for access in &mut op.accesses {
        let (shift, value) = without_count(program, &access.shift, (count, case));
        let bytes = access.bytes.take().map(|bytes| if value == 0 { bytes } else { Rc::new(bytes.shifted(value)) });
        (access.shift, access.bytes) = (shift, bytes);
    }
    for effect in &mut op.effects {
        let Effect::Mbarrier(mbarrier) = effect else { continue };
        let given = |form: &AddressForm| {
            let (shift, value) = without_count(program, &form.shift, (count, case));
            AddressForm { each: form.each.iter().map(|each| each.saturating_add(value)).collect(), shift }
        };
        mbarrier.byte = given(&mbarrier.byte);
        if let Act::Wait { parity } = &mut mbarrier.act {
            *parity = given(parity);
        }
    }
    op
}

/// A shift without the values that depend on a count, and the sum of those.
fn without_count(program: &SyncProgram, shift: &Shift, (count, case): (usize, i64)) -> (Shift, i64) {
    let mut rest = shift.clone();
    let mut sum = 0i64;
    for (value, factor) in &shift.fixed {
        let Some((_, periodic)) = program.counted.get(value).filter(|(other, _)| *other == count) else { continue };
        let product = periodic.at(case).and_then(|value| value.checked_mul(*factor));
        rest.fixed.remove(value);
        rest.end = None;
        match product.and_then(|product| sum.checked_add(product)) {
            Some(more) => sum = more,
            None => rest.unknown = true,
        }
    }
    (rest, sum)
}
