//! Waits and fences of `tcgen05` in front of barriers that are there already.

use crate::sync::check::check;
use crate::sync::finding::{Conflict, Finding, Needs};
use crate::sync::insert::Work;
use crate::sync::places::{Insertion, order, put};
use crate::sync::program::{Effect, Op, Program};

impl Work {
    /// Puts a wait or a fence right before a barrier at which the threads of a conflict meet, if they need no other one then.
    pub(super) fn put_at_barrier(&mut self, conflict: &Conflict, effect: &Effect) -> bool {
        let order = order(&self.program);
        let (first, second) = (order[conflict.first.0], order[conflict.second.0]);
        let meets = |op: &usize| {
            let between = conflict.carried.is_some() || first < order[*op] && order[*op] < second;
            let of = &self.program.ops[*op].effects;
            between && of.iter().any(|it| matches!(it, Effect::Barrier | Effect::WarpBarrier))
        };
        let mut barriers: Vec<usize> = (0..self.program.ops.len()).filter(meets).collect();
        barriers.sort_by_key(|&op| order[op]);
        let makers = self.makers(conflict);
        for barrier in barriers {
            let Some(insertion) = self.placed((barrier, 0), effect.clone(), Some(makers)) else { continue };
            // Among the additions before the same operation, this one is in front of the barrier.
            let place = self.made.iter().position(|(op, _)| *op == barrier);
            let insertion = match place {
                Some(place) if insertion.out == 0 => {
                    let Insertion { before, out, .. } = self.made[place].1;
                    Insertion { before, out, ..insertion }
                }
                Some(_) => continue,
                None => insertion,
            };
            let mut changed = self.program.clone();
            let op = changed.ops.len();
            changed.ops.push(Op {
                active: insertion.active,
                exact: true,
                accesses: Vec::new(),
                effects: vec![insertion.effect.clone()],
            });
            let anchor = if place.is_some() { (barrier, 0) } else { (insertion.before, insertion.out) };
            put(&mut changed.body, anchor.0, anchor.1, op);
            if !is_open(&changed, conflict, effect) {
                self.program = changed;
                self.made.insert(place.unwrap_or(self.made.len()), (op, insertion));
                return true;
            }
        }
        false
    }
}

/// Does a conflict still lack what an effect is, or a barrier?
fn is_open(program: &Program, conflict: &Conflict, effect: &Effect) -> bool {
    let fences = *effect == Effect::TensorFence { before: true };
    let lacks = |needs: &Needs| match needs {
        Needs::TensorFence { before, threads } => threads.is_some() || fences && *before,
        Needs::Group { .. } | Needs::Barrier(_) => true,
        _ => false,
    };
    check(program)
        .iter()
        .filter_map(Finding::conflict)
        .any(|it| (it.first, it.second) == (conflict.first, conflict.second) && lacks(&it.needs))
}
