//! Plans that `--lower-tile-copy` carries from stage to stage, beside the ops that hold them.
//!
//! Each stage can read its plan from the op: that is how separate passes forward it, and how an op that was written by
//! hand is expanded. Where one run both makes and expands the op, the plan is still in memory:
//!
//! ```text
//!   align                 vectorize               expand
//!   plan ──▶ vectors ──▶  with narrowings    ──▶  taken
//!   tile.copy ──────────▶ tile.vector_copy ─────▶ loads and stores
//! ```

use std::cell::RefCell;
use std::rc::Rc;

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use tile_plan::{Narrowing, Target, VectorCopy};

/// The plan of a `tile.vector_copy`, and the reasons why its vectors are not wider.
pub struct Planned {
    /// The plan, as the op holds it.
    pub vectors: VectorCopy,
    /// The reasons, for the remark.
    pub narrowings: Vec<Narrowing>,
}

/// The plans of ops that this pass run has made, by the address of the op.
#[derive(Default)]
pub struct Plans {
    of: RefCell<FxHashMap<usize, Rc<Planned>>>,
}

impl Plans {
    /// Keeps the plan of an op that was just made.
    pub fn keep(&self, op: OperationRef<'_, '_>, planned: Planned) {
        self.of.borrow_mut().insert(key(op), Rc::new(planned));
    }

    /// The plan of an op, if this run has made it.
    pub fn of(&self, op: OperationRef<'_, '_>) -> Option<Rc<Planned>> {
        self.of.borrow().get(&key(op)).cloned()
    }

    /// Removes and returns the plan of an op that will be erased: another op may get its address.
    pub fn take(&self, op: OperationRef<'_, '_>) -> Option<Rc<Planned>> {
        self.of.borrow_mut().remove(&key(op))
    }
}

fn key(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

/// What the later stages of the same run need.
#[derive(Clone, Copy)]
pub struct Later<'r> {
    /// The chip.
    pub target: &'r Target,
    /// The widest vector that the options allow.
    pub max_vector_bits: u32,
    /// Where plans are kept.
    pub plans: &'r Plans,
}
