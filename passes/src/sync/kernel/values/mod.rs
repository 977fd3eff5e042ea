//! The values of a kernel: for each thread, and for each iteration of the loops around.

mod carried;
mod conditions;
mod counts;
mod distinct;
mod loops;
mod stepped;
mod uniform;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::ir::{argument_of, defining_op};
use tile_plan::bounds::Term;
use tile_plan::integer::Operation;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{AddressForm, Loop, Sources};
use tile_plan::terms::{Linear, linear};

use super::leader::Leader;
use super::rank::Rank;
use crate::read::kernel;
use crate::read::place::Anchor;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use crate::read::reading::SurroundingsReader;
use crate::read::run_time::RunTime;
use crate::read::terms::Origin;

pub use distinct::Distinct;
pub use loops::Loops;

/// The threads that values are read for.
#[derive(Clone, Copy)]
pub struct Block {
    /// The extents of the block.
    pub size: [i64; 3],
    /// The threads that `elect.sync` is assumed to elect.
    pub leader: Leader,
    /// The block of a cluster that is read.
    pub rank: Option<Rank>,
}

impl Block {
    /// All threads of the block.
    pub fn threads(&self) -> ThreadSet {
        ThreadSet::range(0, self.size.iter().product())
    }
}

/// Reads values, and remembers what has been found out about the symbols in them.
pub struct KernelValues<'r, 'c, 'a> {
    reader: Rc<Reader<'r>>,
    function: OperationRef<'c, 'a>,
    block: Block,
    terms: SurroundingsReader<'r, 'c, 'a>,
    sources: Sources,
    loops: Loops,
    /// Symbols that are equal in all threads of a block, and the loops whose iterations compute them anew; `None` for others.
    uniform: HashMap<Term, Option<Vec<usize>>>,
    /// Symbols that differ between the blocks of the cluster in an unknown way.
    differs: BTreeSet<Term>,
    /// The ops that promise distinct values, by their results.
    promises: BTreeMap<usize, OperationRef<'c, 'a>>,
}

impl<'r, 'c: 'a, 'a> KernelValues<'r, 'c, 'a> {
    /// What reads the ops of the kernel.
    pub fn reader(&self) -> &Reader<'r> {
        &self.reader
    }

    /// The values of a function; `inside` is an operation in it.
    pub fn new(
        (function, inside): (OperationRef<'c, 'a>, OperationRef<'c, 'a>),
        block: Block,
        reader: Rc<Reader<'r>>,
        ranges: &'r Ranges<'r>,
    ) -> Self {
        let (sources, loops, uniform, differs) = Default::default();
        let (terms, promises) = (SurroundingsReader::of(inside, ranges), distinct::promises(function));
        KernelValues { reader, function, block, terms, sources, loops, uniform, differs, promises }
    }

    /// The loops that have been read.
    pub fn loops(&self) -> &Loops {
        &self.loops
    }

    /// Adds a loop, with its induction variable where that counts iterations; its number.
    pub fn add_loop(&mut self, op: OperationRef<'c, 'a>, bounds: Loop, variable: Option<Value<'c, 'a>>) -> usize {
        let trips = bounds.trips;
        let number = self.loops.add(op, bounds);
        if let Some(variable) = variable {
            self.loops.counts_by(number, variable);
        }
        if let Some(trips) = trips {
            self.sources.trips.insert(number, trips);
        }
        number
    }

    /// The loops, and the values that differ between the blocks of a cluster.
    pub fn finish(self) -> (Loops, BTreeSet<Term>) {
        (self.loops, self.differs)
    }

    /// A value, for each thread.
    pub fn of_value(&mut self, value: Value<'c, 'a>) -> Option<AddressForm> {
        let term = self.terms.term(value);
        self.of_term(term)
    }

    /// The quotient of a run-time number by a constant, rounded down, for each thread.
    pub fn quotient(&mut self, number: &RunTime<'c, 'a>, by: i64) -> Option<AddressForm> {
        let term = self.terms.number(number);
        if let Some(quotient) = self.of_term(term)?.floor(by) {
            return Some(quotient);
        }
        let by = self.terms.question.terms.constant(by);
        let quotient = self.terms.question.terms.wide(Operation::DivFloor, term, by);
        self.of_term(quotient)
    }

    /// A term, for each thread.
    pub fn of_term(&mut self, term: Term) -> Option<AddressForm> {
        for symbol in self.terms.question.terms.needs(term).clone() {
            self.learn(symbol);
        }
        let form = AddressForm::of(&self.terms.question.terms, term, &self.sources)?;
        for &value in form.shift.fixed.keys() {
            self.depends(value);
        }
        self.learn_distinct(term);
        Some(form)
    }

    /// The sum of multiples of terms, for each thread, where these are followed together and not one by one: a number that is
    /// divided into the indices of a memref.
    pub fn of_sum(&mut self, terms: &[(Term, i64)]) -> Option<AddressForm> {
        let mut sum = Linear::constant(0);
        for &(term, factor) in terms {
            sum = sum.plus(&linear::of_digits(&mut self.terms.question.terms, term)?, factor.into())?;
        }
        let mut form = AddressForm::constant(i64::try_from(sum.constant).ok()?);
        for (term, factor) in sum.factors {
            form = form.plus(&self.of_term(term)?.times(i64::try_from(factor).ok()?)?)?;
        }
        Some(form)
    }

    /// A value as a term.
    pub fn term(&mut self, value: Value<'c, 'a>) -> Term {
        self.terms.term(value)
    }

    /// A run-time number as a term.
    pub fn number(&mut self, number: &RunTime<'c, 'a>) -> Term {
        self.terms.number(number)
    }

    /// The distance of an anchor from the start of its memory; `None` where threads of a block may have different ones.
    pub fn start(&mut self, anchor: Anchor<'c, 'a>) -> Option<AddressForm> {
        let (value, symbol) = match anchor {
            Anchor::Start => return Some(AddressForm::constant(0)),
            Anchor::Pointer(value) => (value, self.terms.address(value, false)),
            Anchor::Element(value) => (value, self.terms.address(value, true)),
        };
        self.learn_uniform(symbol, value);
        self.uniform.get(&symbol)?.as_ref()?;
        self.depends(symbol);
        Some(AddressForm::fixed(symbol))
    }

    /// Records what is known of a symbol.
    fn learn(&mut self, symbol: Term) {
        let Some(&origin) = self.terms.origins.get(&symbol) else { return };
        match origin {
            Origin::Thread(dimension) => {
                let [x, y, _] = self.block.size;
                let coordinate = |thread: i64| [thread % x, thread / x % y, thread / (x * y)][dimension];
                self.sources.threads.insert(symbol, self.block.threads().iter().map(coordinate).collect());
            }
            Origin::Block(_) => {
                self.differs_between_blocks(symbol);
                self.sources.fixed.insert(symbol);
            }
            Origin::BlockSize(_) | Origin::GridSize(_) => {
                self.sources.fixed.insert(symbol);
            }
            Origin::Extent(memref, _) => self.learn_uniform(symbol, memref),
            Origin::Value(value)
                if self.learn_rank(symbol, value)
                    || self.learn_total(symbol, value)
                    || self.learn_result(symbol, value) => {}
            Origin::Value(value) => {
                let leads = self.block.leader.leads(value, &self.block.threads());
                self.sources.threads.extend(leads.map(|leads| (symbol, leads)));
                self.learn_carried(value);
                if let Some(number) = self.loops.of_variable(value) {
                    let bounds = self.terms.question.terms.operands(symbol);
                    let constant = |at: usize| self.terms.question.terms.as_constant(*bounds.get(at)?);
                    match (constant(0), constant(2)) {
                        (Some(lower), Some(step)) => _ = self.sources.loops.insert(symbol, (number, lower, step)),
                        _ => self.learn_stepped((symbol, value), number),
                    }
                } else if self.is_argument(value) {
                    self.sources.fixed.insert(symbol);
                } else if !self.sources.threads.contains_key(&symbol) && !self.sources.carried.contains_key(&symbol) {
                    self.learn_uniform(symbol, value);
                }
            }
        }
    }

    /// Records the value of a register in this block; whether it is a register of the cluster.
    fn learn_rank(&mut self, symbol: Term, value: Value<'c, 'a>) -> bool {
        let number = self.block.rank.zip(defining_op(value)).and_then(|(rank, op)| rank.register(op));
        number.map(|number| self.sources.threads.insert(symbol, vec![number])).is_some()
    }

    /// Records that a value differs between the blocks of the cluster.
    fn differs_between_blocks(&mut self, symbol: Term) {
        if self.block.rank.is_some() {
            self.differs.insert(symbol);
        }
    }

    /// Whether a value is an argument of the kernel itself.
    fn is_argument(&self, value: Value<'c, 'a>) -> bool {
        let owner = argument_of(value).and_then(|(block, _)| block.parent_operation());
        kernel::is_entry(self.function) && owner.is_some_and(|owner| owner.to_raw().ptr == self.function.to_raw().ptr)
    }
}
