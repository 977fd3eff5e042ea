//! Independent runs on all processors, whose results are taken in order, as if one had followed the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Bytes of the stack of a thread, as the main thread has them.
const STACK: usize = 8 << 20;

/// Says of a run whether it may go on, and whether all before it are done.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'t> {
    number: usize,
    /// The number of runs that are done; the greatest number once no more are wanted.
    done: &'t AtomicUsize,
}

impl Turn<'_> {
    /// Whether the result is still wanted.
    pub fn is_wanted(&self) -> bool {
        self.done.load(Ordering::Relaxed) != usize::MAX
    }

    /// Whether this is the first run that is not done.
    pub fn is_next(&self) -> bool {
        self.done.load(Ordering::Relaxed) == self.number
    }
}

/// Runs `run` for each item, several at once, and passes the results to `take` in the order of the items until that returns false or
/// an error. With one processor, or where there are no threads, an item is run when the result before it is taken.
///
/// # Errors
/// That of `take`.
pub fn in_turn<T: Sync, R: Send, E>(
    items: &[T],
    run: impl Fn(&T, Turn<'_>) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<bool, E>,
) -> Result<(), E> {
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get().min(items.len()));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let turn = |number| Turn { number, done: &done };
    let (send, receive) = mpsc::channel();
    let work = |send: mpsc::Sender<(usize, R)>| {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < items.len()) {
            let sent = turn(number).is_wanted().then(|| send.send((number, run(&items[number], turn(number)))));
            if sent.is_none_or(|sent| sent.is_err()) {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let spawn = |_: &usize| {
            let (send, work) = (send.clone(), &work);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(send)).is_ok()
        };
        let alone = workers < 2 || (0..workers).filter(spawn).count() == 0;
        drop(send);
        let mut ready = BTreeMap::new();
        let taken = items.iter().enumerate().try_for_each(|(number, item)| {
            let result = if alone { Some(run(item, turn(number))) } else { awaited(number, &mut ready, &receive) };
            // A thread that has panicked sends nothing; the scope then panics, too.
            let goes_on = result.map_or(Ok(false), |result| take(item, result)).map_err(Some)?;
            done.store(number + 1, Ordering::Relaxed);
            if goes_on { Ok(()) } else { Err(None) }
        });
        done.store(usize::MAX, Ordering::Relaxed);
        taken.or_else(|stop| stop.map_or(Ok(()), Err))
    })
}

/// The result of an item, after those that arrive before it.
fn awaited<R>(number: usize, ready: &mut BTreeMap<usize, R>, receive: &mpsc::Receiver<(usize, R)>) -> Option<R> {
    loop {
        if let Some(result) = ready.remove(&number) {
            return Some(result);
        }
        let (arrived, result) = receive.recv().ok()?;
        ready.insert(arrived, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_the_rest_is_not_wanted() {
        let items: Vec<u64> = (0..20).collect();
        let mut taken = Vec::new();
        let run = |&item: &u64, turn: Turn<'_>| {
            thread::sleep(std::time::Duration::from_millis((20 - item) % 7));
            // One that would not end by itself.
            while item > 12 && turn.is_wanted() {
                thread::yield_now();
            }
            item * item
        };
        let ended: Result<(), String> = in_turn(&items[..12], run, |&item, square| {
            taken.push((item, square));
            Ok(true)
        });
        assert_eq!((ended, taken.len()), (Ok(()), 12));
        assert!(taken.iter().enumerate().all(|(at, &pair)| pair == (at as u64, (at * at) as u64)));
        let stop = |&item: &u64, _: u64| if item < 5 { Ok(true) } else { Err(item) };
        assert_eq!(in_turn(&items, run, stop), Err(5));
        assert_eq!(in_turn(&items, run, |&item, _| Ok::<_, ()>(item < 3)), Ok(()));
    }
}
