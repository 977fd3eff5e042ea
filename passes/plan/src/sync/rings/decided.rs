//! What is decided before a program is executed: numbers of an iteration, and what keeps it from being followed.

use std::collections::BTreeSet;

use crate::problem::threads::ThreadSet;
use crate::sync::form::Form;

/// What keeps a program from being executed: an operation, and why.
#[derive(Clone, Debug)]
pub(super) struct Unfollowed {
    pub op: usize,
    pub why: String,
}

/// What a form is for some threads in an iteration, if it is the same for all of them.
pub(super) fn value(form: &Form, threads: &ThreadSet, iterations: &[(usize, i64)]) -> Option<i64> {
    let each: BTreeSet<i64> = threads.iter().map(|thread| form.of_thread(thread)).collect();
    let own = each.first().copied().filter(|_| each.len() == 1)?;
    if form.shift.unknown || !form.shift.fixed.is_empty() {
        return None;
    }
    form.shift.at(iterations)?.checked_add(own)
}
