//! Runs all cases on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::case::Case;
use crate::compare::{Assembler, Verdict, judge};
use crate::execute::Deletions;
use crate::lower::Compiler;

/// Judges the cases; returns the verdicts in their order. Each thread has its own compiler.
pub fn run(cases: &[Case], assembler: Option<&Assembler>) -> Vec<Verdict> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(cases.len())));
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get()).min(cases.len().max(1));
    let work = || {
        let compiler = Compiler::new();
        while let Some((index, case)) = take(&next, cases) {
            let verdict = judge(case, &compiler, assembler);
            done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, verdict));
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, verdict)| verdict).collect()
}

/// Deletes synchronizing instructions from the programs of the cases. Each thread has its own compiler.
pub fn delete_sync(cases: &[Case]) -> Deletions {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Deletions::default()));
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get()).min(cases.len().max(1));
    let work = || {
        let (compiler, mut deletions) = (Compiler::new(), Deletions::default());
        while let Some((_, case)) = take(&next, cases) {
            deletions.add(case, &compiler);
        }
        done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).join(deletions);
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn take<'c>(next: &AtomicUsize, cases: &'c [Case]) -> Option<(usize, &'c Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, cases.get(index)?))
}
