//! Checks that every cell of the destination holds what the layouts say.

use std::collections::HashMap;

use tile_isa::Scope;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;

use super::super::machine::{Cell, axis_value, cells, count, is_active};
use super::{FILLED, Run, inside};

impl Run<'_> {
    /// What the source holds for an element: itself, or another one at the same address.
    fn value(&self, element: usize) -> usize {
        self.values_of.get(&element).copied().unwrap_or(element)
    }

    /// Checks that every cell of the destination was written with its element, once per scope, and no other cell was.
    pub(super) fn compare(&self) -> Result<(), String> {
        let mut expected: HashMap<Cell, usize> = HashMap::new();
        for (cell, element) in cells(self.problem, self.problem.operand(Role::Dst).unwrap(), &self.values.dst, true) {
            let inside = |role| inside(self.problem, self.values, role, element);
            match self.problem.mask.as_ref().map(|mask| mask.fill) {
                Some(_) if !inside(Role::Dst) => continue,
                _ if self.problem.effect == Effect::Filled => expected.insert(cell, FILLED),
                Some(None) if !inside(Role::Src) => continue,
                Some(Some(_)) if !inside(Role::Src) => expected.insert(cell, FILLED),
                _ => expected.insert(cell, self.value(element)),
            };
        }
        for (cell, (_, element)) in &self.written {
            if expected.get(cell) != Some(element) {
                return Err(format!("{cell:?} gets {element}; expected {:?}", expected.get(cell)));
            }
        }
        self.reaches_somebody()?;
        let mut scopes: Vec<i64> = self.active().iter().map(|thread| thread / count(self.problem)).collect();
        scopes.dedup();
        for (cell, element) in &expected {
            let times = self.written.get(cell).map_or(0, |(times, _)| *times);
            let wanted = match cell.0 {
                Some(thread) => usize::from(is_active(self.problem, thread)),
                None => scopes.len(),
            };
            let alone = cell.0.is_some() && self.problem.threads.scope == Scope::Thread;
            if times != wanted && !(alone && times == 1) {
                return Err(format!("{cell:?} gets element {element} {times} times; expected {wanted}"));
            }
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Checks that every element was reduced once per scope into each of its cells, and nothing else was.
    pub(super) fn compare_reduced(&self) -> Result<(), String> {
        let mut scopes: Vec<i64> = self.active().iter().map(|thread| thread / count(self.problem)).collect();
        scopes.dedup();
        let mut expected: HashMap<(Cell, usize), usize> = HashMap::new();
        for (cell, element) in cells(self.problem, self.problem.operand(Role::Dst).unwrap(), &self.values.dst, true) {
            let inside = |role| inside(self.problem, self.values, role, element);
            if inside(Role::Src) && inside(Role::Dst) {
                *expected.entry((cell, self.value(element))).or_default() += scopes.len();
            }
        }
        if self.reduced == expected { Ok(()) } else { Err(format!("got {:?}; expected {expected:?}", self.reduced)) }
    }

    /// Checks that an active thread receives every element of a register destination: each replica, in each scope that
    /// any thread reaches. Threads that agree on the axes of the layout are interchangeable.
    fn reaches_somebody(&self) -> Result<(), String> {
        let dst = self.problem.operand(Role::Dst).unwrap();
        let axes: Vec<_> = dst.layout.axes().filter(|axis| axis.is_thread()).collect();
        if self.problem.mask.is_some() {
            return Ok(());
        }
        let mut places: HashMap<(i64, usize, Vec<i64>), bool> = HashMap::new();
        for (cell, element) in cells(self.problem, dst, &self.values.dst, true) {
            let Some(thread) = cell.0 else { return Ok(()) };
            let place = axes.iter().map(|axis| axis_value(*axis, thread)).collect();
            let reached = places.entry((thread / count(self.problem), element, place)).or_insert(false);
            *reached |= is_active(self.problem, thread);
        }
        let active: Vec<i64> = self.active().iter().map(|thread| thread / count(self.problem)).collect();
        let lost = places.iter().find(|((scope, ..), reached)| !**reached && active.contains(scope));
        lost.map_or(Ok(()), |(place, _)| Err(format!("no active thread is at {place:?}")))
    }
}
