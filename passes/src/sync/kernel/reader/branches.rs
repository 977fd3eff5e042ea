//! Branches: which threads take which arm.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ir::Parts;
use tile_ops::scf;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Branch, Item, Shift, Taken, Together, When};

use super::KernelReader;
use crate::read::name;
use crate::sync::kernel::active::first_in;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    fn arms(&mut self, op: OperationRef<'c, 'a>, taken: Taken, when: Option<When>) -> Item {
        let vague = !matches!(taken, Taken::By(_));
        if vague {
            self.program.begin_uncertain();
        }
        self.program.enter(op);
        let arms = (0..op.region_count()).map(|region| self.region(op, region)).collect();
        self.program.leave();
        if vague {
            self.program.end_uncertain();
        }
        Item::Branch(Branch { arms, taken, when })
    }

    /// A branch with one or two arms.
    pub(super) fn branch(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let taken = self.taken(op);
        let by_rank = matches!(taken, Taken::ByWarps | Taken::Unknown) || self.threads.is_narrowed();
        if self.rank.is_some() && by_rank {
            return self.by_rank_and_thread(op);
        }
        let when = if taken == Taken::Together { self.addresses.values().when(op) } else { None };
        self.arms(op, taken, when)
    }

    /// Which threads take the first of two arms.
    fn taken(&self, op: OperationRef<'c, 'a>) -> Taken {
        let outer = self.threads.reaching(op);
        let Some(first) = first_in(op, 0) else { return Taken::Unknown };
        let inner = self.threads.reaching(first);
        match self.threads.together(first) {
            Together::Block if outer.exact && inner.active == outer.active => Taken::Together,
            Together::Block if outer.exact => {
                Taken::By(vec![inner.active, self.threads.block().without(&inner.active)])
            }
            _ if self.threads.agree_on(op) => Taken::Together,
            Together::Block | Together::Threads => Taken::Unknown,
            Together::Warps => Taken::ByWarps,
        }
    }

    /// A branch with several arms.
    pub(super) fn switch(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let outer = self.threads.reaching(op);
        let regions: Vec<_> = (0..op.region_count()).filter_map(|region| first_in(op, region)).collect();
        let sets: Vec<ThreadSet> = regions.iter().map(|&first| self.threads.reaching(first).active).collect();
        let together = regions.iter().map(|&first| self.threads.together(first)).min().unwrap_or_default();
        let taken = match together {
            Together::Block if outer.exact && sets.iter().all(|set| *set == outer.active) => Taken::Together,
            Together::Block if outer.exact => {
                // Threads that do not reach the branch may be listed anywhere.
                let rest = sets.iter().skip(1).fold(self.threads.block(), |rest, set| rest.without(set));
                Taken::By(std::iter::once(rest).chain(sets.into_iter().skip(1)).collect())
            }
            Together::Block | Together::Threads => Taken::Unknown,
            Together::Warps => Taken::ByWarps,
        };
        self.arms(op, taken, None)
    }

    /// A branch in a cluster, whose condition is computed for each thread of this block: rank and thread select the arm, or one
    /// around it.
    fn by_rank_and_thread(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let block = self.threads.block();
        let outer = if self.threads.is_narrowed() {
            self.threads.narrowed()
        } else {
            Some(self.threads.reaching(op)).filter(|reaching| reaching.exact).map(|reaching| reaching.active)
        };
        let condition = op.operand_at(0).filter(|_| name(op) == scf::IfOp::NAME);
        let form = condition.and_then(|condition| self.addresses.values().of_value(condition));
        let form = form.filter(|form| form.shift == Shift::none());
        let sets = outer.zip(form).map(|(around, form)| {
            let takes: ThreadSet = around.iter().filter(|&thread| form.of_thread(thread) & 1 == 1).collect();
            [takes, around.without(&takes)]
        });
        let taken = match sets {
            Some([_, rest]) if outer == Some(ThreadSet::new()) => Taken::By(vec![rest; 2]),
            Some([takes, _]) => Taken::By(vec![takes, block.without(&takes)]),
            None => Taken::Unknown,
        };
        self.program.enter(op);
        self.program.begin_uncertain();
        let arms =
            (0..op.region_count()).map(|region| self.narrow_arm(op, region, sets.map(|sets| sets[region.min(1)])));
        let arms = arms.collect();
        self.program.end_uncertain();
        self.program.leave();
        Item::Branch(Branch { arms, taken, when: None })
    }

    /// An arm that some threads take. Failures in an arm that no thread of this block takes are dropped.
    fn narrow_arm(&mut self, op: OperationRef<'c, 'a>, region: usize, set: Option<ThreadSet>) -> Vec<Item> {
        let before = self.failures.mark();
        self.threads.narrow(set);
        let items = self.region(op, region);
        self.threads.widen();
        if set == Some(ThreadSet::new()) {
            self.failures.forget_since(before);
        }
        items
    }
}
