//! The value that each thread of a block has for a term.
//!
//! Thread ids, lane ids and everything computed from them and constants is known exactly, per thread. For other terms only the
//! scope is known within which all threads see the same value: a kernel argument or a block id is uniform over the block, a value
//! loaded from a thread's own address over nothing.
//!
//! Values that a loop carries depend on themselves. Each is first assumed to be uniform over the block. Whenever the values that
//! it may be, or what decides between them, are less uniform, the assumption is lowered and everything is evaluated again:
//!
//! ```text
//!   scf.for … iter_args(%x = %c0) {          %x: block?
//!     %y = arith.addi %x, %thread            %y: thread      -> %x: thread, again
//!     scf.yield %y
//! ```

use rustc_hash::FxHashMap;
use tile_layout::Level;

use super::graph::{Node, Promise, SymbolSource, Term, Terms};
use crate::integer::Computation;
use crate::problem::threads::MAX_BLOCK;
use crate::problem::uniform::Spread;

/// Evaluates terms for the threads of one block.
#[derive(Debug)]
pub struct Spreads {
    block: Option<[i64; 3]>,
    /// Threads of a warp.
    subgroup: i64,
    threads: usize,
    /// The lane that `elect.sync` elects, where one is assumed.
    leader: Option<i64>,
    known: FxHashMap<Term, Spread>,
    /// The levels that are assumed of values that control flow makes.
    assumed: FxHashMap<Term, Level>,
}

impl Spreads {
    /// For blocks of a size, in warps of `subgroup` threads; for blocks of at most 1024 threads when the size is not known.
    /// `leader`: the lane that `elect.sync` elects, where one is assumed.
    pub fn new(block: Option<[i64; 3]>, subgroup: i64, leader: Option<i64>) -> Self {
        let threads = block.map_or(MAX_BLOCK, |size| size.iter().product()).max(1) as usize;
        let (known, assumed) = Default::default();
        Spreads { block, subgroup, threads, leader, known, assumed }
    }

    /// The value for each thread, or the level at which it is uniform.
    pub fn of(&mut self, terms: &Terms, term: Term) -> Spread {
        loop {
            let joined = self.explore(terms, term);
            let lowered = joined.into_iter().filter(|&joined| self.lower(terms, joined)).count();
            if lowered == 0 {
                return self.look_up(term);
            }
            self.known.clear();
        }
    }

    /// Evaluates a term and all that it depends on, under the assumptions about values that control flow makes; returns those
    /// that were visited. Dependences wait on a list, so that chains may have any length.
    fn explore(&mut self, terms: &Terms, term: Term) -> Vec<Term> {
        let (mut waiting, mut joined) = (vec![term], Vec::new());
        while let Some(&next) = waiting.last() {
            if self.known.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let source = terms.source(next);
            if let Some(SymbolSource::Joined { flows, decides }) = source {
                let level = *self.assumed.entry(next).or_insert(Level::Cta);
                self.known.insert(next, Spread::Uniform(level));
                waiting.pop();
                waiting.extend(flows.iter().chain(decides));
                joined.push(next);
                continue;
            }
            let operands = source.map_or_else(|| terms.operands(next).to_vec(), SymbolSource::terms);
            let before = waiting.len();
            waiting.extend(operands.iter().filter(|operand| !self.known.contains_key(operand)));
            if waiting.len() == before {
                let spread = self.of_node(terms, next, &operands);
                self.known.insert(next, spread);
                waiting.pop();
            }
        }
        joined
    }

    /// Lowers what is assumed of a value that control flow makes, if what it depends on is less uniform.
    fn lower(&mut self, terms: &Terms, joined: Term) -> bool {
        let from = terms.source(joined).map(SymbolSource::terms).unwrap_or_default();
        let level = self.mixed(&from, Level::Cta);
        let before = self.assumed.entry(joined).or_insert(Level::Cta);
        let lowered = level < *before;
        *before = level.min(*before);
        lowered
    }

    fn look_up(&self, term: Term) -> Spread {
        self.known.get(&term).cloned().unwrap_or(Spread::Uniform(Level::Thread))
    }

    fn level(&self, term: Term) -> Level {
        self.known.get(&term).map_or(Level::Thread, Spread::level)
    }

    /// The level at which all of some terms are uniform, at most `limit`.
    fn mixed(&self, terms: &[Term], limit: Level) -> Level {
        terms.iter().map(|&term| self.level(term)).fold(limit, Level::min)
    }

    fn each(&self, value: impl Fn(i64) -> i64) -> Spread {
        Spread::Each((0..self.threads as i64).map(value).collect())
    }

    fn of_node(&self, terms: &Terms, term: Term, operands: &[Term]) -> Spread {
        match (terms.source(term), terms.node(term)) {
            (Some(source), _) => self.of_source(source),
            (None, Node::Constant(value)) => Spread::Constant(*value),
            (None, Node::Symbol(..)) if operands.is_empty() => Spread::Uniform(Level::Thread),
            (None, Node::Symbol(..)) => Spread::Uniform(self.mixed(operands, Level::Cta)),
            (None, Node::Promised(promised, Promise::Multiple(_) | Promise::Distinct(_))) => self.look_up(*promised),
            (None, Node::Promised(promised, Promise::Uniform(level))) => match self.look_up(*promised) {
                // A promise only adds to what is known.
                Spread::Uniform(known) => Spread::Uniform(known.max(*level)),
                exactly => exactly,
            },
            (None, Node::Computed(computation, _)) => {
                self.exactly(computation, operands).unwrap_or_else(|| Spread::Uniform(self.mixed(operands, Level::Cta)))
            }
        }
    }

    fn of_source(&self, source: &SymbolSource) -> Spread {
        match source {
            SymbolSource::Thread(dimension) => self.thread_id(*dimension),
            SymbolSource::Lane => self.each(|thread| thread % self.subgroup),
            SymbolSource::Warp => self.each(|thread| thread / self.subgroup),
            SymbolSource::Leader => match self.leader {
                Some(lane) => self.each(|thread| i64::from(thread % self.subgroup == lane)),
                None => Spread::Uniform(Level::Thread),
            },
            SymbolSource::Joined { .. } => Spread::Uniform(Level::Thread),
            SymbolSource::Mixed(parts, limit) => Spread::Uniform(self.mixed(parts, *limit)),
            SymbolSource::Gathered { terms: parts, by, level } => {
                let agreed = by.iter().all(|&term| self.level(term) >= *level);
                Spread::Uniform(if agreed { self.mixed(parts, Level::Cta).max(*level) } else { Level::Thread })
            }
        }
    }

    fn thread_id(&self, dimension: usize) -> Spread {
        let Some([x, y, _]) = self.block else { return Spread::Uniform(Level::Thread) };
        match dimension {
            0 => self.each(|thread| thread % x),
            1 => self.each(|thread| thread / x % y),
            _ => self.each(|thread| thread / (x * y)),
        }
    }

    /// The exact result, where every operand is known for each thread.
    fn exactly(&self, computation: &Computation, operands: &[Term]) -> Option<Spread> {
        let operands: Vec<&Spread> = operands.iter().map(|operand| self.known.get(operand)).collect::<Option<_>>()?;
        if operands.is_empty() || operands.iter().any(|operand| matches!(operand, Spread::Uniform(_))) {
            return None;
        }
        let mut values = vec![0; operands.len()];
        let mut of_thread = |thread: usize| {
            for (value, operand) in values.iter_mut().zip(&operands) {
                *value = operand.at(thread)?;
            }
            computation.at(&values)
        };
        if operands.iter().all(|operand| matches!(operand, Spread::Constant(_))) {
            return of_thread(0).map(Spread::Constant);
        }
        (0..self.threads).map(of_thread).collect::<Option<_>>().map(Spread::Each)
    }
}
