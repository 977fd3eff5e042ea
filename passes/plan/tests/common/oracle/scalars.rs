//! Elements one by one.

use tile_layout::Eval;
use tile_plan::address::{owned_element, owned_part, region_position, scalar_address};
use tile_plan::families::scalar::plan::{Distributed, Owner, ScalarCopy};
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;

use super::{FILLED, NOTHING, Run};

impl Run<'_> {
    pub(super) fn scalars(&mut self, copy: &ScalarCopy) -> Result<(), String> {
        for thread in self.active() {
            let t = self.relative(thread);
            match &copy.owner {
                Owner::ScopeThread(owner) if *owner != t => {}
                Owner::BlockThreads(owners) if !owners.contains(&thread) => {}
                Owner::Distributed(owned) => self.owned(copy, owned, thread)?,
                _ => {
                    for walk in grid(&copy.extents) {
                        let element = self.load(copy, thread, &walk, None)?;
                        self.store(copy, thread, &walk, element)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The element at coordinates of the loops, in `register` where the source is registers; nothing where it is
    /// outside.
    fn load(&self, copy: &ScalarCopy, thread: i64, walk: &[i64], register: Option<i64>) -> Result<usize, String> {
        if copy.effect == Effect::Filled {
            return Ok(FILLED);
        }
        if !copy.mask.as_ref().is_none_or(|mask| mask.holds(Role::Src, walk, &self.values.mask)) {
            return Ok(NOTHING);
        }
        let from = || scalar_address(&mut Eval, copy.side(Role::Src), walk, &[], &self.values.src).unwrap();
        self.read(thread, register.unwrap_or_else(from))
    }

    /// Writes an element to every copy of the destination.
    fn store(&mut self, copy: &ScalarCopy, thread: i64, walk: &[i64], element: usize) -> Result<(), String> {
        if !copy.mask.as_ref().is_none_or(|mask| mask.holds(Role::Dst, walk, &self.values.mask)) {
            return Ok(());
        }
        let copies: Vec<i64> = copy.dst.copies().map(|iter| iter.extent).collect();
        for digits in grid(&copies) {
            let to = scalar_address(&mut Eval, &copy.dst, walk, &digits, &self.values.dst).unwrap();
            self.write_or_fill(thread, to, element)?;
        }
        Ok(())
    }

    fn owned(&mut self, copy: &ScalarCopy, owned: &Distributed, thread: i64) -> Result<(), String> {
        let (part, conditions) = owned_part(&mut Eval, owned, self.relative(thread));
        if !conditions.iter().all(|condition| condition.holds()) {
            return Ok(());
        }
        let load = owned.local == Role::Dst;
        let values = if load { &self.values.dst } else { &self.values.src };
        let (local, extents) =
            (self.problem.operand(owned.local).unwrap(), owned.serial.iter().map(|digit| digit.extent));
        for digits in grid(&extents.collect::<Vec<_>>()) {
            let (x, register) = owned_element(&mut Eval, owned, part, &digits, values).unwrap();
            let place = region_position(&mut Eval, owned, x, values).unwrap();
            if !place.conditions.iter().all(|condition| condition.holds()) {
                continue;
            }
            let walk: Vec<i64> = place
                .positions
                .iter()
                .zip(&local.extent)
                .filter(|(_, extent)| **extent != 1)
                .map(|(p, _)| *p)
                .collect();
            if load {
                let element = self.load(copy, thread, &walk, None)?;
                if copy.mask.as_ref().is_none_or(|mask| mask.holds(Role::Dst, &walk, &self.values.mask)) {
                    self.write_or_fill(thread, register, element)?;
                }
            } else {
                let element = self.load(copy, thread, &walk, Some(register))?;
                self.store(copy, thread, &walk, element)?;
            }
        }
        Ok(())
    }
}

/// All coordinates of a loop nest.
fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        all = all
            .into_iter()
            .flat_map(|walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat()))
            .collect();
    }
    all
}
