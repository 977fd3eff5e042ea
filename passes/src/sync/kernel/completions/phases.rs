//! Phases of mbarriers outside of loops: the phase that a copy completes, and the phase that a wait waits for.

use std::collections::HashMap;

use tile_plan::problem::threads::ThreadSet;

use crate::read::alias::Root;

/// An mbarrier: the memory and the byte.
pub type MbarrierName = (Root, i64);

/// Arrivals and bytes that are added to a phase.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The number of arrivals.
    pub arrivals: i64,
    /// Bytes that are expected beyond those that the same operation brings.
    pub bytes: i64,
}

/// An error of a phase.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The text: what was got, and what is expected.
    pub text: String,
    /// Notes at operations of the program that are involved, by their numbers.
    pub notes: Vec<(usize, String)>,
}

/// One mbarrier, as far as it has been read.
#[derive(Clone, Debug)]
struct PhaseState {
    /// The operation that makes it.
    init: usize,
    /// Arrivals that complete a phase, by `mbarrier.init`.
    count: i64,
    /// Arrivals in this phase.
    arrived: i64,
    /// Bytes that this phase expects and no copy has brought.
    bytes: i64,
    /// The last operation that added to this phase.
    last: Option<usize>,
    /// Phases, by their number in the kernel; the last is not complete.
    phases: Vec<usize>,
    /// The latest phase that was waited for, and by which threads.
    waited: Option<(i64, ThreadSet)>,
}

impl PhaseState {
    /// Notes at the initialization, and at the last addition to the phase that is not complete.
    fn notes(&self) -> Vec<(usize, String)> {
        let made = (self.init, format!("the mbarrier is made here, with a count of {}", self.count));
        let text = match self.bytes {
            0 => format!("arrival {} of the phase is here", self.arrived),
            bytes => format!("{bytes} bytes of the phase, which no copy brings, are expected here"),
        };
        std::iter::once(made).chain(self.last.map(|last| (last, text))).collect()
    }
}

/// All mbarriers of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    known: HashMap<String, Option<PhaseState>>,
    /// The number of phases.
    count: usize,
    /// What else is complete once a phase is complete; numbered as phases are.
    implied: HashMap<usize, Vec<usize>>,
}

impl Phases {
    /// `mbarrier.init` with a count, by one thread; `op` is the number of the operation.
    pub fn init(&mut self, name: &MbarrierName, count: i64, op: usize) {
        let phases = vec![self.next()];
        let state = PhaseState { init: op, count, arrived: 0, bytes: 0, last: None, phases, waited: None };
        self.known.insert(key(name), Some(state));
    }

    /// An operation on an mbarrier cannot be followed: from here on nothing is known of that mbarrier.
    pub fn lose(&mut self, name: &MbarrierName) {
        self.known.insert(key(name), None);
    }

    /// Adds arrivals; the phase that they are in. `op` is the number of the operation.
    ///
    /// # Errors
    /// More arrivals than a phase has.
    pub fn arrive(&mut self, name: &MbarrierName, arrival: Arrival, op: usize) -> Result<Option<usize>, Fault> {
        let next = self.count;
        let Some(state) = self.known.get_mut(&key(name)).and_then(Option::as_mut) else { return Ok(None) };
        let phase = state.phases.last().copied();
        let arrived = state.arrived.saturating_add(arrival.arrivals);
        if arrived > state.count {
            let (notes, expected) = (state.notes(), state.count);
            self.lose(name);
            let text = format!(
                "arrives on an mbarrier: got arrival {arrived} of a phase, expected at most {expected}, as it was initialized"
            );
            return Err(Fault { text, notes });
        }
        state.arrived = arrived;
        state.bytes = state.bytes.saturating_add(arrival.bytes);
        state.last = Some(op);
        if state.arrived == state.count && state.bytes == 0 {
            (state.arrived, state.last) = (0, None);
            state.phases.push(next);
            self.count += 1;
        }
        Ok(phase)
    }

    /// A wait for a parity: the phases that are complete after it; `None` where nothing is known of the mbarrier.
    ///
    /// # Errors
    /// A phase that is never completed.
    pub fn wait(&mut self, name: &MbarrierName, parity: i64, by: &ThreadSet) -> Result<Option<Vec<usize>>, Fault> {
        let Some(state) = self.known.get_mut(&key(name)).and_then(Option::as_mut) else { return Ok(None) };
        let complete = state.phases.len() as i64 - 1;
        // Parity 1 of a new mbarrier is that of the phase before the first.
        if (complete + 1) % 2 == parity.rem_euclid(2) {
            // A thread that has not waited for the phase before may be released by the phase before that, of the same parity.
            let before = state.waited.is_some_and(|(phase, who)| phase + 2 >= complete && by.is_subset(&who));
            if complete >= 2 && !before {
                return Ok(None);
            }
            state.waited = (complete >= 1).then_some((complete - 1, *by));
            let done = usize::try_from(complete).unwrap_or(0);
            let mut over = state.phases[..done].to_vec();
            let implied = over.iter().flat_map(|phase| self.implied.get(phase).into_iter().flatten().copied());
            over.extend(implied.collect::<Vec<usize>>());
            return Ok(Some(over));
        }
        let bytes = match state.bytes {
            0 => String::new(),
            bytes => format!(" and {bytes} bytes expected that no copy brings"),
        };
        let text = format!(
            "waits for phase {complete} of an mbarrier, which is never completed: got {} of {} arrivals before it{bytes}",
            state.arrived, state.count
        );
        Err(Fault { text, notes: state.notes() })
    }

    /// Once a phase is complete, all of `done` is complete, too.
    pub fn imply(&mut self, phase: usize, done: &[usize]) {
        self.implied.entry(phase).or_default().extend(done);
    }

    /// A number that no phase has yet.
    pub fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }
}

fn key(name: &MbarrierName) -> String {
    format!("{name:?}")
}
