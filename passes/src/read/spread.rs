//! The value that each thread of a block has for an SSA value.

use std::cell::{OnceCell, RefCell};

use melior::ir::{OperationRef, Value};
use tile_ops::tile;
use tile_plan::problem::uniform::Spread;
use tile_plan::terms::spread::Spreads;
use tile_plan::terms::{Node, Symbol, Terms};

use super::terms::Interpreter;
use crate::walk;

/// Evaluates values of one function.
pub struct Evaluator {
    state: RefCell<SpreadState>,
    /// Whether the function has a `tile.return_if`, once that was asked.
    has_returns: OnceCell<bool>,
}

struct SpreadState {
    terms: Terms,
    interpreter: Interpreter,
    spreads: Spreads,
}

/// What is known, per thread, of a loop that counts.
pub struct Counted {
    /// The lower bound, the upper bound and the step.
    pub bounds: [Spread; 3],
    /// Whether it compares its variable as unsigned.
    pub unsigned: bool,
    /// The width of its variable.
    pub bits: u32,
}

impl Evaluator {
    /// An evaluator for blocks of a size, in warps of `subgroup` threads; for blocks of at most 1024 threads when the size is
    /// not known. `leader`: the lane that `elect.sync` elects, where one is assumed.
    pub fn new(function: OperationRef<'_, '_>, block: Option<[i64; 3]>, subgroup: i64, leader: Option<i64>) -> Self {
        let interpreter = Interpreter::in_function(function, block, subgroup);
        let spreads = Spreads::new(block, subgroup, leader);
        let state = RefCell::new(SpreadState { terms: Terms::default(), interpreter, spreads });
        Evaluator { state, has_returns: OnceCell::new() }
    }

    /// Whether the function, or the launch, has had a `tile.return_if` when this was first asked. None is made later.
    pub fn has_returns(&self, function: OperationRef<'_, '_>) -> bool {
        *self.has_returns.get_or_init(|| !walk::named(function, tile::ReturnIfOp::NAME).is_empty())
    }

    /// The value for each thread, or the level at which it is uniform.
    pub fn evaluate(&self, value: Value<'_, '_>) -> Spread {
        let SpreadState { terms, interpreter, spreads } = &mut *self.state.borrow_mut();
        let term = interpreter.term(terms, value, &mut ());
        spreads.of(terms, term)
    }

    /// The loop whose variable a value is.
    pub fn counted(&self, variable: Value<'_, '_>) -> Option<Counted> {
        let SpreadState { terms, interpreter, spreads } = &mut *self.state.borrow_mut();
        let term = interpreter.term(terms, variable, &mut ());
        let &Node::Symbol(Symbol::Loop { bounds, unsigned, bits }, _) = terms.node(term) else {
            return None;
        };
        Some(Counted { bounds: bounds.map(|bound| spreads.of(terms, bound)), unsigned, bits })
    }
}
