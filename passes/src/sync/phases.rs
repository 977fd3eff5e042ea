//! Phases of mbarriers, where these are used outside of loops: which one a copy completes, which one a wait waits for.

use std::collections::HashMap;

use tile_plan::ThreadSet;

use crate::read::place::Root;

/// An mbarrier: the memory and the byte.
pub type Name = (Root, i64);

/// One mbarrier, as far as it has been read.
#[derive(Clone, Debug)]
struct State {
    /// Arrivals that complete a phase, by `mbarrier.init`.
    count: i64,
    /// Arrivals in this phase.
    arrived: i64,
    /// Phases, by their number in the kernel; the last is not complete.
    phases: Vec<usize>,
    /// The latest phase that was waited for, and by whom.
    waited: Option<(i64, ThreadSet)>,
}

/// All of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    known: HashMap<String, Option<State>>,
    /// How many phases there are.
    count: usize,
}

impl Phases {
    /// `mbarrier.init` with a count, by one thread.
    pub fn init(&mut self, name: &Name, count: i64) {
        let phase = self.next();
        self.known.insert(key(name), Some(State { count, arrived: 0, phases: vec![phase], waited: None }));
    }

    /// What is done to an mbarrier can not be followed: from here on nothing is known of it.
    pub fn lose(&mut self, name: &Name) {
        self.known.insert(key(name), None);
    }

    /// Arrivals; the phase that they are in.
    ///
    /// # Errors
    /// More than a phase has.
    pub fn arrive(&mut self, name: &Name, arrivals: i64) -> Result<Option<usize>, String> {
        let next = self.count;
        let Some(state) = self.known.get_mut(&key(name)).and_then(Option::as_mut) else { return Ok(None) };
        let phase = state.phases.last().copied();
        state.arrived = state.arrived.saturating_add(arrivals);
        if state.arrived > state.count {
            let (got, expected) = (state.arrived, state.count);
            self.lose(name);
            return Err(format!(
                "arrives on an mbarrier: got arrival {got} of a phase, expected at most {expected}, as it was initialized"
            ));
        }
        if state.arrived == state.count {
            state.arrived = 0;
            state.phases.push(next);
            self.count += 1;
        }
        Ok(phase)
    }

    /// A wait for a parity: the phases that are over then; `None` where nothing is known of the mbarrier.
    ///
    /// # Errors
    /// A phase that is never completed.
    pub fn wait(&mut self, name: &Name, parity: i64, by: &ThreadSet) -> Result<Option<Vec<usize>>, String> {
        let Some(state) = self.known.get_mut(&key(name)).and_then(Option::as_mut) else { return Ok(None) };
        let complete = state.phases.len() as i64 - 1;
        // Parity 1 of a new mbarrier is that of the phase before the first.
        if (complete + 1) % 2 == parity.rem_euclid(2) {
            // Who has not waited for the phase before may find that of the same parity before that.
            let before = state.waited.is_some_and(|(phase, who)| phase + 2 >= complete && by.is_subset(&who));
            if complete >= 2 && !before {
                return Ok(None);
            }
            state.waited = (complete >= 1).then_some((complete - 1, *by));
            let done = usize::try_from(complete).unwrap_or(0);
            return Ok(Some(state.phases[..done].to_vec()));
        }
        Err(format!(
            "waits for phase {complete} of an mbarrier, which is never completed: {} of {} arrivals before it",
            state.arrived, state.count
        ))
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }
}

fn key(name: &Name) -> String {
    format!("{name:?}")
}
