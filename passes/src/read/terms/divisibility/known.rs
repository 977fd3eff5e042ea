//! Residues that were found while nothing changes the IR, each found once.

use std::cell::RefCell;

use melior::ir::Value;
use rustc_hash::FxHashMap;
use tile_plan::integer::Residue;

use crate::read::values::key;

thread_local! {
    /// The residues of values, by their identity; `None` where the IR may change.
    static KNOWN: RefCell<Option<FxHashMap<usize, Residue>>> = const { RefCell::new(None) };
}

/// Forgets the residues once nothing is remembered any more.
struct Forget(Option<FxHashMap<usize, Residue>>);

impl Drop for Forget {
    fn drop(&mut self) {
        KNOWN.set(self.0.take());
    }
}

/// Calls `body`, which changes no IR: residues that it asks for are found once.
pub fn remembering<R>(body: impl FnOnce() -> R) -> R {
    let _forget = Forget(KNOWN.replace(Some(FxHashMap::default())));
    body()
}

/// The residue of a value, which is found by `find` where it is not remembered.
pub(super) fn find(value: Value<'_, '_>, find: impl FnOnce() -> Residue) -> Residue {
    let known = KNOWN.with_borrow(|known| known.as_ref().map(|known| known.get(&key(value)).copied()));
    match known {
        Some(Some(known)) => known,
        None => find(),
        Some(None) => {
            let residue = find();
            KNOWN.with_borrow_mut(|known| known.as_mut().map(|known| known.insert(key(value), residue)));
            residue
        }
    }
}
