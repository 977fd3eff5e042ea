//! Copies between registers: words of all threads simultaneously, shuffles among the threads that reach the copy.

use tile_isa::{Scope, Space};
use tile_layout::Eval;
use tile_plan::address::holders;
use tile_plan::families::composite::{Composite, Endpoint, PlanTile};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::families::registers::steps::{Lanes, RegisterMachine, carry_out};
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

use super::{Run, Values, check};
use crate::common::machine::{block, cells, count, is_active};

/// The elements of a word in each thread of a block; `None` where the thread has nothing there.
type Word = Vec<Option<Vec<Option<usize>>>>;

/// All threads of a block.
struct Warps<'a, 'r> {
    run: &'a Run<'r>,
    /// The first defect.
    fault: Option<String>,
}

impl Warps<'_, '_> {
    fn relative(&self, thread: usize) -> i64 {
        if self.run.problem.threads.scope == Scope::Thread { 0 } else { self.run.relative(thread as i64) }
    }

    /// The word of another lane, which must be in the warp and reach the copy.
    fn taken(&mut self, words: &Word, thread: usize, lane: i64) -> Option<Vec<Option<usize>>> {
        if !is_active(self.run.problem, thread as i64) {
            return None;
        }
        let from = thread as i64 / 32 * 32 + lane;
        if !(0..32).contains(&lane) || from >= words.len() as i64 || !is_active(self.run.problem, from) {
            self.fault.get_or_insert(format!("thread {thread} takes a word of lane {lane}, which does not give it"));
            return None;
        }
        words[from as usize].clone()
    }
}

impl RegisterMachine for Warps<'_, '_> {
    type Word = Word;

    fn select(&mut self, bit: u32, set: Word, clear: Word) -> Word {
        (0..set.len())
            .map(|t| if self.relative(t) >> bit & 1 == 1 { set[t].clone() } else { clear[t].clone() })
            .collect()
    }

    fn across(&mut self, bit: u32, given: Word) -> Word {
        (0..given.len()).map(|thread| self.taken(&given, thread, (thread as i64 % 32) ^ 1 << bit)).collect()
    }

    fn from(&mut self, from: &Lanes, more: i64, word: Word) -> Word {
        let lane = |t: i64| from.lane(&mut Eval, t, more);
        (0..word.len()).map(|thread| self.taken(&word, thread, lane(self.relative(thread)))).collect()
    }
}

impl Run<'_> {
    pub(super) fn registers(&mut self, copy: &RegisterCopy) -> Result<(), String> {
        copy.verify().map_err(|error| error.to_string())?;
        self.source =
            cells(self.problem, self.problem.operand(Role::Src).unwrap(), &self.values.src, true).into_iter().collect();
        let threads = block(self.problem);
        let together = copy.elements_of_word() as usize;
        let held = copy.registers(Role::Src);
        let words = held.chunks(together).map(|registers| {
            let word = |thread: i64| {
                registers.iter().map(|&register| self.source.get(&(Some(thread), register)).copied()).collect()
            };
            (0..threads).map(|thread| Some(word(thread))).collect::<Word>()
        });
        let words = words.collect();
        let steps = copy.steps().map_err(|refusal| refusal.reason)?;
        let mut warps = Warps { run: self, fault: None };
        let words = carry_out(&mut warps, &steps, words);
        warps.fault.map_or(Ok(()), Err)?;
        for thread in self.active() {
            let t = if self.problem.threads.scope == Scope::Thread { 0 } else { self.relative(thread) };
            let conditions =
                holders(&mut Eval, &copy.dst.layout, copy.threads, t).map_err(|error| error.to_string())?;
            if !conditions.iter().all(|condition| condition.holds()) {
                continue;
            }
            let registers = copy.registers(Role::Dst);
            if registers.len() != words.len() * together {
                return Err(format!("{} words for {} registers", words.len(), registers.len()));
            }
            for (registers, word) in registers.chunks(together).zip(&words) {
                let elements = word[thread as usize].clone().ok_or("a word that no lane gave")?;
                for (register, element) in registers.iter().zip(elements) {
                    let element =
                        element.ok_or_else(|| format!("thread {thread} has nothing for register {register}"))?;
                    for more in copy.copies() {
                        self.write(thread, register + more, element)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks each step separately, for each scope's tile, and that the tiles do not overlap.
    pub(super) fn through(&self, plan: &Composite, target: &Target) -> Result<(), String> {
        plan.verify().map_err(|error| error.to_string())?;
        let mut seen = std::collections::HashSet::new();
        let mut stored = std::collections::HashMap::new();
        for instance in 0..plan.buffers.tile.as_ref().map_or(1, |tile| tile.instances) {
            let tile = plan.buffers.tile.as_ref().map(PlanTile::operand);
            let held = tile.into_iter().flat_map(|tile| cells(self.problem, &tile, &[instance], false));
            for (cell, _) in held {
                if !seen.insert(cell) {
                    return Err(format!("tile {instance} overlaps another one, or itself"));
                }
            }
            for step in &plan.steps {
                let mut problem = plan.problem_of(step, self.problem).map_err(|refusal| refusal.reason)?;
                problem.threads.block = Some(count(&problem));
                if problem.threads.narrowed().is_some() {
                    problem.threads.active = tile_plan::problem::threads::Active::All;
                }
                let values = |endpoint, operand: &[i64]| match endpoint {
                    Endpoint::Tile => vec![instance],
                    Endpoint::Registers(_) => Vec::new(),
                    Endpoint::Operand => operand.to_vec(),
                };
                let (src, dst) = (values(step.from, &self.values.src), values(step.to, &self.values.dst));
                let values = Values { src, dst, mask: self.values.mask.clone() };
                if step.to == Endpoint::Operand && instance == 0 {
                    let parts = cells(&problem, problem.operand(Role::Dst).unwrap(), &values.dst, false);
                    parts.into_iter().for_each(|(cell, _)| *stored.entry(cell).or_insert(0) += 1);
                }
                check(&problem, &step.plan, target, &values).map_err(|error| format!("{error}\n{:#?}", step.plan))?;
            }
        }
        let whole = cells(self.problem, self.problem.operand(Role::Dst).unwrap(), &self.values.dst, false);
        let is_private = self.problem.operand(Role::Dst).unwrap().space == Space::Local;
        if is_private || stored.len() == whole.len() && whole.iter().all(|(cell, _)| stored.get(cell) == Some(&1)) {
            return Ok(());
        }
        Err("the steps do not store each element once".to_owned())
    }

    /// Executes all parts.
    pub(super) fn parts(&mut self, plan: &Composite, target: &Target) -> Result<(), String> {
        plan.steps.iter().try_for_each(|step| match &step.plan {
            CopyPlan::Partition(copy) => self.partition(copy, target),
            other => Err(format!("a part by {}", other.variant())),
        })
    }
}
