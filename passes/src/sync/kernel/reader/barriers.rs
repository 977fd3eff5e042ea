//! Barriers of the block, named barriers and warp barriers: which threads reach them, and which have to.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_isa::{Scope, WARP};
use tile_ops::interface;
use tile_plan::problem::threads::{MAX_WARPS, ThreadSet};
use tile_plan::sync::{Op, Together};

use super::KernelReader;
use crate::effects::Participants;
use crate::read::error::ReadError;
use crate::read::{divisibility, name, role};
use crate::sync::kernel::barriers::NamedBarriers;
use crate::sync::kernel::failures::KernelError;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// Checks that the threads reach an operation together that have to; `false`, after an error, where it then orders nothing.
    ///
    /// # Errors
    /// The operation is not followed.
    pub(super) fn meet(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &Op,
        by: Participants<'c, 'a>,
    ) -> Result<bool, String> {
        match by {
            Participants::Any => {}
            Participants::One if does.active.len() == 1 => {}
            Participants::One => return Err(format!("{} threads issue it, expected one", does.active.len())),
            Participants::Lanes(mask) => self.exchange(op, mask),
            Participants::Warps => return Ok(self.by_warps(op, does)),
            Participants::FullWarps if self.are_full_warps(does) => {}
            Participants::FullWarps => return Err("expected whole warps to reach it".to_owned()),
            Participants::Warpgroups if does.exact && does.active.is_of_warpgroups() => {}
            Participants::Warpgroups => {
                let why = "may be reached by only some threads of a warpgroup, expected whole warpgroups";
                self.failures.refuse(op, why);
            }
            Participants::Block => self.by_all(op, does),
            Participants::Cta => match role::threads(op) {
                Some(threads) => self.by_role(op, does, threads)?,
                None => self.by_all(op, does),
            },
            Participants::BlockBarrier => match role::threads(op) {
                Some(threads) => return Ok(self.waits_for(op, does, (role::BARRIER, threads))),
                None => {
                    self.by_all(op, does);
                    self.is_separate(op, 0, self.threads.block());
                }
            },
            Participants::NamedBarrier { number, count } => return Ok(self.named(op, does, (number, count))),
            Participants::WarpBarrier(mask) => return Ok(self.warp(op, does, mask)),
        }
        Ok(true)
    }

    /// Whether exactly known warps of 32 threads reach an operation.
    fn are_full_warps(&self, does: &Op) -> bool {
        let block = self.threads.block();
        let is_full = |warp: usize| {
            let lanes = does.active.lanes(warp);
            lanes == 0 || lanes == u32::MAX && block.lanes(warp) == u32::MAX
        };
        does.exact && (0..MAX_WARPS).all(is_full)
    }

    /// Checks that all threads of a block reach an operation together.
    fn by_all(&mut self, op: OperationRef<'c, 'a>, does: &Op) {
        if !does.exact {
            let why = "may be reached by only some threads, expected all of the block: the control flow around it differs \
                       between threads, or is not known to be the same";
            self.parted(op, why);
        } else if does.active != self.threads.block() {
            let (got, expected) = (does.active.len(), self.threads.block().len());
            self.parted(op, format!("is reached by {got} of {expected} threads, expected all of the block"));
        }
    }

    /// Checks that all threads of a role reach an operation together.
    ///
    /// # Errors
    /// Other threads take the role than it says.
    fn by_role(&mut self, op: OperationRef<'c, 'a>, does: &Op, threads: i64) -> Result<(), ReadError> {
        self.threads.reader().threads(op, Scope::Cta)?;
        if !does.exact || does.active != ThreadSet::range(0, threads) {
            self.parted(op, format!("may be reached by only some of the {threads} threads of its role, expected all"));
        }
        Ok(())
    }

    /// A named barrier with a thread count; `false`, after an error, where it is not followed or cannot be right.
    fn named(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &Op,
        (number, given): (Option<Value<'c, 'a>>, Option<Value<'c, 'a>>),
    ) -> bool {
        let constant = |value: Option<Value<'c, 'a>>, otherwise| {
            value.map_or(Some(otherwise), |value| divisibility::infer(value).constant())
        };
        let all = self.threads.block().len();
        let (number, count) = (constant(number, 0), constant(given, all));
        let (Some(number), Some(count)) = (number, count) else {
            self.failures.refuse(op, "is not followed: its number or its count of threads is not a constant");
            return false;
        };
        let mut fails = |text: String| {
            self.failures.error(op, text);
            false
        };
        if let Err(text) = NamedBarriers::check(number) {
            return fails(text);
        }
        if given.is_some() && (count <= 0 || count % WARP != 0) {
            return fails(format!("waits for {count} threads, expected a multiple of the {WARP} of a warp"));
        }
        self.waits_for(op, does, (number, count))
    }

    /// A barrier of that number, for so many threads; `false`, after an error, where it cannot be right.
    fn waits_for(&mut self, op: OperationRef<'c, 'a>, does: &Op, (number, count): (i64, i64)) -> bool {
        let all = self.threads.block().len();
        if count > (all + WARP - 1) / WARP * WARP {
            let text = format!("waits for {count} threads, expected at most the {all} of a block");
            self.failures.error(op, text);
            return false;
        }
        if !does.exact {
            self.parted(op, format!("waits for {count} threads, but it is not known which threads reach it"));
            return false;
        }
        let lanes = |warp: usize| [0, self.threads.block().lanes(warp)].contains(&does.active.lanes(warp));
        let whole = (0..MAX_WARPS).all(lanes);
        let got = i64::from(does.active.warps().count_ones()) * WARP;
        if got != (count + WARP - 1) / WARP * WARP || !whole {
            let reached = does.active.len();
            self.parted(
                op,
                format!("waits for {count} threads, but {reached} reach it, expected that many, in whole warps"),
            );
            return false;
        }
        self.is_separate(op, number, does.active)
    }

    /// Whether only these threads use the barrier of a number; an error where others do, too.
    fn is_separate(&mut self, op: OperationRef<'c, 'a>, number: i64, threads: ThreadSet) -> bool {
        let Some((others, first)) = self.barriers.record(number, threads, op) else { return true };
        let text = format!("uses barrier {number}, which other threads use too, expected a separate number");
        let note = format!("{} threads use barrier {number} here", others.len());
        self.failures.error_with_notes(KernelError { op, text, notes: vec![(first, note)] });
        false
    }

    /// A barrier of the threads of each warp; whether it orders whole warps.
    fn warp(&mut self, op: OperationRef<'c, 'a>, does: &Op, mask: Option<Value<'c, 'a>>) -> bool {
        let mask = mask.and_then(|mask| divisibility::infer(mask).constant());
        let Some(mask) = mask.map(|mask| mask as u32) else {
            self.failures.refuse(op, "is not followed: its mask is not a constant");
            return false;
        };
        if self.threads.together(op) < Together::Warps {
            self.parted(op, "is reached by an unknown set of threads, expected all that its mask names");
            return false;
        }
        let warps = (0..MAX_WARPS).filter(|&warp| does.active.lanes(warp) != 0);
        let fits = warps.clone().all(|warp| does.active.lanes(warp) == mask & self.threads.block().lanes(warp));
        if !fits {
            self.parted(op, format!("names the lanes {mask:#x}, but other lanes reach it, expected the same"));
        }
        // A barrier of part of a warp orders nothing here.
        fits && warps.clone().all(|warp| does.active.lanes(warp) == self.threads.block().lanes(warp))
    }

    /// Whether whole warps reach an operation that whole warps must execute; an error where they do not.
    fn by_warps(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> bool {
        let block = self.threads.block();
        let fits = (0..MAX_WARPS).all(|warp| [0, block.lanes(warp)].contains(&does.active.lanes(warp)));
        if !does.exact || !fits {
            self.parted(op, "may be reached by only some threads of a warp, expected whole warps");
        }
        does.exact && fits
    }

    /// An error where lanes of a warp do not reach an operation that exchanges registers with them, and waits for them.
    fn exchange(&mut self, op: OperationRef<'c, 'a>, mask: u32) {
        let block = self.threads.block();
        let reached = self.threads.of_warps(op);
        let fits = |warp: usize, reached: &ThreadSet| {
            let lanes = reached.lanes(warp);
            lanes == 0 || lanes == mask & block.lanes(warp)
        };
        if !reached.is_some_and(|reached| (0..MAX_WARPS).all(|warp| fits(warp, &reached))) {
            self.parted(
                op,
                format!("waits for the lanes {mask:#x} of its warp, but other lanes may reach it, expected the same"),
            );
        }
    }

    /// An error of a barrier, with a note at the op where the threads of the block diverge before they reach it.
    fn parted(&mut self, op: OperationRef<'c, 'a>, text: impl Into<String>) {
        let together = |op: OperationRef<'c, 'a>| {
            let reached = self.threads.reaching(op);
            reached.exact && reached.active == self.threads.block()
        };
        let mut outer = Some(op).filter(|&op| !together(op)).and_then(|op| op.parent_operation());
        while let Some(parting) = outer.filter(|&outer| !together(outer)) {
            outer = parting.parent_operation();
        }
        let note = |parting| (parting, format!("threads diverge at '{}'", name(parting)));
        let inside = outer.filter(|&outer| !interface::is_function(outer));
        self.failures.error_with_notes(KernelError {
            op,
            text: text.into(),
            notes: inside.map(note).into_iter().collect(),
        });
    }
}
