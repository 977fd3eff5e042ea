//! Branches: which threads take which arm.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::Parts;
use tile_ops::scf;
use tile_plan::ThreadSet;
use tile_plan::sync::{Branch, Item, Shift, Taken, Together, When};

use crate::read::name;
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    pub(super) fn arms(&mut self, op: OperationRef<'c, 'a>, taken: Taken, when: Option<When>) -> Item {
        let vague = usize::from(!matches!(taken, Taken::By(_)));
        self.around += vague;
        self.level.push(op);
        let arms = (0..op.region_count()).map(|region| self.region(op, region)).collect();
        self.level.pop();
        self.around -= vague;
        Item::Branch(Branch { arms, taken, when })
    }

    /// A branch with one or two arms.
    pub(super) fn branch(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let taken = self.taken(op);
        if self.narrows(&taken) {
            return self.by_rank_and_thread(op);
        }
        let when = if taken == Taken::Together { self.by_rank(op).or_else(|| self.when(op)) } else { None };
        self.arms(op, taken, when)
    }

    /// Which threads take the first of two arms.
    fn taken(&self, op: OperationRef<'c, 'a>) -> Taken {
        let first = op.region_at(0).and_then(|region| region.first_block()?.first_operation());
        let outer = self.reached(op);
        let Some(first) = first else { return Taken::Unknown };
        let inner = self.reached(first);
        match self.together(first) {
            Together::Block if outer.exact && inner.active == outer.active => Taken::Together,
            Together::Block if outer.exact => Taken::By(vec![inner.active, self.program.block.without(&inner.active)]),
            Together::Block | Together::Threads => Taken::Unknown,
            Together::Warps => Taken::ByWarps,
        }
    }

    /// A branch with several arms.
    pub(super) fn switch(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let outer = self.reached(op);
        let regions =
            (0..op.region_count()).filter_map(|region| op.region_at(region)?.first_block()?.first_operation());
        let regions: Vec<_> = regions.collect();
        let sets: Vec<ThreadSet> = regions.iter().map(|&first| self.reached(first).active).collect();
        let together = regions.iter().map(|&first| self.together(first)).min().unwrap_or_default();
        let taken = match together {
            Together::Block if outer.exact && sets.iter().all(|set| *set == outer.active) => Taken::Together,
            Together::Block if outer.exact => {
                // Threads that do not reach the branch may be listed anywhere.
                let rest = sets.iter().skip(1).fold(self.program.block, |rest, set| rest.without(set));
                Taken::By(std::iter::once(rest).chain(sets.into_iter().skip(1)).collect())
            }
            Together::Block | Together::Threads => Taken::Unknown,
            Together::Warps => Taken::ByWarps,
        };
        self.arms(op, taken, None)
    }

    /// Whether, in a kernel of a cluster, rank and thread select the arm of a branch or of one around it.
    fn narrows(&self, taken: &Taken) -> bool {
        self.cluster
            .as_ref()
            .is_some_and(|block| matches!(taken, Taken::ByWarps | Taken::Unknown) || !block.narrowed.is_empty())
    }

    /// The threads that reach the current program point, where rank and thread decide that.
    pub(super) fn narrowed(&self) -> Option<ThreadSet> {
        self.cluster.as_ref()?.narrowed.last().copied().flatten()
    }

    /// A branch whose condition is computed for each thread of this block.
    fn by_rank_and_thread(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let block = self.program.block;
        let inside = self.cluster.as_ref().is_some_and(|block| !block.narrowed.is_empty());
        let outer =
            if inside { self.narrowed() } else { Some(self.reached(op)).filter(|it| it.exact).map(|it| it.active) };
        let condition = op.operand_at(0).filter(|_| name(op) == scf::IfOp::NAME);
        let form = condition.and_then(|condition| self.of_value(condition)).filter(|form| form.shift == Shift::none());
        let sets = outer.zip(form).map(|(around, form)| {
            let takes: ThreadSet = around.iter().filter(|&thread| form.of_thread(thread) & 1 == 1).collect();
            [takes, around.without(&takes)]
        });
        let taken = match sets {
            Some([_, rest]) if outer == Some(ThreadSet::new()) => Taken::By(vec![rest; 2]),
            Some([takes, _]) => Taken::By(vec![takes, block.without(&takes)]),
            None => Taken::Unknown,
        };
        self.level.push(op);
        self.around += 1;
        let arms =
            (0..op.region_count()).map(|region| self.narrow_arm(op, region, sets.map(|sets| sets[region.min(1)])));
        let arms = arms.collect();
        self.around -= 1;
        self.level.pop();
        Item::Branch(Branch { arms, taken, when: None })
    }

    /// An arm that some threads take. Errors in an arm that no thread of this block takes are dropped.
    fn narrow_arm(&mut self, op: OperationRef<'c, 'a>, region: usize, set: Option<ThreadSet>) -> Vec<Item> {
        let before = (self.unread.len(), self.wrong.len(), self.rings.len(), self.phased.len());
        self.cluster.iter_mut().for_each(|block| block.narrowed.push(set));
        let items = self.region(op, region);
        self.cluster.iter_mut().for_each(|block| _ = block.narrowed.pop());
        if set == Some(ThreadSet::new()) {
            self.unread.truncate(before.0);
            self.wrong.truncate(before.1);
            self.rings.truncate(before.2);
            self.phased.truncate(before.3);
        }
        items
    }
}
