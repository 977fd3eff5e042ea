//! Whether a region with a run-time start stays inside its buffer.
//!
//! ```text
//!   for i = 0 to n step 16 {  copy %a[i] [16] }      0 <= i,  i + 16 <= n       n known modulo 16: proved
//!                                                                               else: i = 16 with n = 17 leaves
//! ```
//!
//! [`Terms`] are the integers that are computed at run time, in the arithmetic of the IR with its widths. [`decide`]
//! proves that a region stays inside, or finds a thread, an iteration or an argument for which it does not, or says
//! what it would have to know. Each counterexample has been evaluated.

mod facts;
mod prove;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use crate::integer::{Interval, Residue};
pub use crate::terms::{Node, Symbol, SymbolFacts, Term, Terms};

/// An upper bound on the number of elements in any memory.
pub const MAX_ELEMENTS: i64 = 1 << 56;

/// The question whether `size` elements from `begin` on lie in `[0, extent)` wherever the conditions hold.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The run-time integers.
    pub terms: Terms,
    /// Conditions under which the copy is executed: terms that have to be 1 (`true`) or 0 (`false`).
    pub conditions: Vec<(Term, bool)>,
    /// Symbols that need not have every value of their range, such as loaded values and values that loops carry.
    pub restricted: BTreeSet<Term>,
    /// Terms with a known range.
    pub bounded: Vec<(Term, Interval)>,
    /// The start of the region.
    pub begin: Term,
    /// The number of elements in the region.
    pub size: i64,
    /// The number of elements in the buffer.
    pub extent: Term,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The region always stays inside.
    Inside,
    /// The region leaves the buffer for threads, blocks and iterations that exist, whatever the other run-time values
    /// are.
    Leaves(Witness),
    /// It depends on run-time values, or could not be decided.
    Undecided(Doubt),
}

/// A counterexample: values, checked by evaluation, for which a region leaves its buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The values of symbols.
    pub values: BTreeMap<Term, i64>,
    /// The start of the region.
    pub begin: i64,
    /// The number of elements in the buffer.
    pub extent: i64,
}

impl Witness {
    /// The first element of the region, along its dimension, that is outside.
    pub fn element(&self) -> i64 {
        if self.begin < 0 { 0 } else { self.extent.saturating_sub(self.begin).max(0) }
    }
}

/// Why a question is undecided, and what would decide it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Values for which the region leaves its buffer, if the run-time values can be these.
    pub example: Option<Witness>,
    /// Symbols about which too little is known.
    pub unknown: Vec<Term>,
    /// A symbol and a number: if the symbol were a multiple of the number, the region would be inside.
    pub multiple: Option<(Term, i64)>,
    /// A symbol and a number: if the symbol were at most the number, the region would be inside.
    pub most: Option<(Term, i64)>,
    /// Whether the region is proved to start at 0 or later.
    pub begins: bool,
    /// Whether it is proved to end within the buffer.
    pub ends: bool,
}

/// Whether a term is known not to be negative where a question is asked.
pub fn is_natural(question: &Question, term: Term) -> bool {
    facts::Facts::about(question, [term]).range(term).least >= 0
}

/// Decides whether a region stays inside its buffer.
///
/// ```
/// use tile_plan::bounds::{Answer, Question, Symbol, SymbolFacts, decide};
/// use tile_plan::integer::Operation;
/// let mut question = Question { size: 16, ..Question::default() };
/// let block = question.terms.symbol(Symbol::Each, 0, SymbolFacts::range(0, 6));
/// let sixteen = question.terms.constant(16);
/// question.begin = question.terms.wide(Operation::Mul, block, sixteen);
/// question.extent = question.terms.constant(112);
/// assert_eq!(decide(&question), Answer::Inside);
/// question.extent = question.terms.constant(100);
/// let Answer::Leaves(witness) = decide(&question) else { panic!() };
/// assert_eq!((witness.values[&block], witness.begin, witness.element()), (6, 96, 4));
/// ```
pub fn decide(question: &Question) -> Answer {
    let [begins, ends] = prove::proved(question);
    if begins && ends {
        return Answer::Inside;
    }
    let example = match search::every(question) {
        search::Outcome::Inside => return Answer::Inside,
        search::Outcome::Leaves(witness) => Some(witness),
        search::Outcome::Unknown => search::some(question),
    };
    match example {
        Some(witness) if is_certain(question, &witness) => Answer::Leaves(witness),
        example => Answer::Undecided(doubt(question, [begins, ends], example)),
    }
}

/// The symbols whose every value is known to occur: ids, and induction variables with bounds that depend only on such
/// symbols.
fn certain(question: &Question) -> BTreeSet<Term> {
    let terms = &question.terms;
    let mut certain = BTreeSet::new();
    for term in 0..terms.len() {
        let is = match terms.node(term) {
            Node::Symbol(Symbol::Each, _) => true,
            Node::Symbol(Symbol::Loop { bounds, .. }, _) => {
                bounds.iter().all(|&bound| terms.needs(bound).is_subset(&certain))
            }
            _ => false,
        };
        if is {
            certain.insert(term);
        }
    }
    certain
}

/// Whether the region leaves its buffer for the witness's ids and iterations, whatever the other values are. This is
/// not certain if a condition combines ids or iterations with other run-time values, or depends on a restricted symbol.
fn is_certain(question: &Question, witness: &Witness) -> bool {
    let certain = certain(question);
    let chosen = question.conditions.iter().any(|(condition, _)| {
        let needs = question.terms.needs(*condition);
        let mixed = !needs.is_subset(&certain) && !needs.is_disjoint(&certain);
        mixed || !needs.is_disjoint(&question.restricted)
    });
    if chosen {
        return false;
    }
    let goal = [question.begin, question.extent];
    if goal.iter().all(|&term| question.terms.needs(term).is_subset(&certain)) {
        return true;
    }
    let mut fixed = question.clone();
    for (&symbol, &value) in witness.values.iter().filter(|(symbol, _)| certain.contains(symbol)) {
        fixed.terms.narrow(symbol, Interval::at(value));
    }
    prove::always_leaves(&fixed)
}

/// What would have to be known to decide the question.
fn doubt(question: &Question, [begins, ends]: [bool; 2], example: Option<Witness>) -> Doubt {
    let certain = certain(question);
    let terms = &question.terms;
    let needs = &terms.needs(question.begin) | &terms.needs(question.extent);
    let unknown: Vec<Term> = needs.into_iter().filter(|symbol| !certain.contains(symbol)).collect();
    let unbound = |symbol: &Term| matches!(terms.node(*symbol), Node::Symbol(Symbol::Unknown, _));
    let free: Vec<Term> = unknown.iter().copied().filter(unbound).collect();
    let multiples = multiples(question);
    let promises = multiples.iter().flat_map(|&by| free.iter().map(move |&symbol| (symbol, by)));
    let multiple =
        promises.into_iter().find(|&(symbol, by)| would_do(question, |known| known.and_multiple(by), symbol));
    let most = free.iter().find_map(|&symbol| Some((symbol, limit(question, symbol)?)));
    let unknown = if free.is_empty() { unknown } else { free };
    Doubt { example, unknown, multiple, most, begins, ends }
}

/// Numbers of which begins and extents may be multiples: the region's size, steps of loops, and factors.
fn multiples(question: &Question) -> Vec<i64> {
    let terms = &question.terms;
    let cone = terms.cone([question.begin, question.extent]);
    let constants = cone.iter().filter_map(|&term| terms.as_constant(term)).filter(|&constant| constant <= 1 << 20);
    let mut all: Vec<i64> = constants.chain([question.size]).filter(|&constant| constant > 1).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(8);
    all
}

/// Whether the region is proved to be inside if more is known about a symbol.
fn would_do(question: &Question, more: impl Fn(SymbolFacts) -> SymbolFacts, symbol: Term) -> bool {
    let mut assumed = question.clone();
    let known = more(assumed.terms.known(symbol));
    assumed.terms.set(symbol, known);
    !prove::is_dead(&assumed) && prove::proved(&assumed) == [true; 2]
}

/// The largest value of a symbol up to which the region is proved to be inside.
fn limit(question: &Question, symbol: Term) -> Option<i64> {
    let most = prove::most(question, symbol)?;
    let most = i64::try_from(most).ok()?;
    let within = |known: SymbolFacts| SymbolFacts {
        range: known.range.and(Interval::new(i64::MIN.into(), most.into())),
        ..known
    };
    would_do(question, within, symbol).then_some(most)
}

impl SymbolFacts {
    fn and_multiple(self, by: i64) -> SymbolFacts {
        SymbolFacts { residue: Residue::promised(self.residue, by), ..self }
    }
}
