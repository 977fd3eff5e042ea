//! The search for values for which a region leaves its buffer: exhaustive where there are few, else over likely
//! candidates.

use std::collections::{BTreeMap, HashMap};

use super::facts::Facts;
use super::prove::goals;
use super::{Question, Witness};
use crate::integer::Interval;
use crate::terms::{Linear, Node, Symbol, SymbolFacts, Term};

/// The most terms that are evaluated.
const BUDGET: usize = 1 << 20;

/// The largest range of an unknown symbol that is searched exhaustively.
const MAX_RANGE: i128 = 64;

/// The outcome of an exhaustive search.
pub(super) enum Outcome {
    /// The region never leaves its buffer.
    Inside,
    /// The region leaves its buffer for these values.
    Leaves(Witness),
    /// Undecided: there were too many values, or conditions that could not be evaluated.
    Unknown,
}

/// Tries every value of every symbol that the region depends on. Conditions on other symbols are assumed to hold.
pub(super) fn every(question: &Question) -> Outcome {
    let few = |term: Term| question.terms.needs(term).iter().all(|&symbol| has_few(question, symbol));
    if !few(question.begin) || !few(question.extent) {
        return Outcome::Unknown;
    }
    let conditions: Vec<_> = question.conditions.iter().copied().filter(|condition| few(condition.0)).collect();
    let bounded: Vec<_> = question.bounded.iter().copied().filter(|bounded| few(bounded.0)).collect();
    let all = conditions.len() == question.conditions.len() && bounded.len() == question.bounded.len();
    let question = Question { conditions, bounded, ..question.clone() };
    let mut search = BoundsSearch::new(&question, None);
    let counterexample = search.walk(0);
    match counterexample {
        Some(witness) if all => Outcome::Leaves(witness),
        None if search.budget > 0 && !search.incomplete => Outcome::Inside,
        _ => Outcome::Unknown,
    }
}

/// Tries values for which the region is likely to leave its buffer.
pub(super) fn some(question: &Question) -> Option<Witness> {
    let facts = Facts::of(question);
    let goals = goals(question, &facts)?;
    BoundsSearch::new(question, Some((&facts, goals))).walk(0)
}

/// Whether all values of a symbol can be tried.
fn has_few(question: &Question, symbol: Term) -> bool {
    match question.terms.node(symbol) {
        Node::Symbol(Symbol::Unknown, _) => {
            let range = question.terms.known(symbol).range;
            range.most - range.least < MAX_RANGE
        }
        _ => true,
    }
}

/// What guides a search: facts about the terms, and two sums, one of which is negative where the region leaves.
type Likely<'q> = (&'q Facts<'q>, [Linear; 2]);

struct BoundsSearch<'q> {
    question: &'q Question,
    likely: Option<Likely<'q>>,
    cone: Vec<Term>,
    /// For each condition, whether it may be false, and whether it may be true.
    conditions: HashMap<Term, [bool; 2]>,
    values: HashMap<Term, i64>,
    budget: usize,
    /// Whether values were left out: those of a loop whose variable wraps.
    incomplete: bool,
}

impl<'q> BoundsSearch<'q> {
    fn new(question: &'q Question, likely: Option<Likely<'q>>) -> Self {
        let goal = [question.begin, question.extent].into_iter();
        let conditions = question.conditions.iter().map(|condition| condition.0);
        let bounded = question.bounded.iter().map(|bounded| bounded.0);
        let cone = question.terms.cone(goal.chain(conditions).chain(bounded));
        let mut conditions: HashMap<Term, [bool; 2]> = HashMap::new();
        for &(condition, holds) in &question.conditions {
            conditions.entry(condition).or_insert([true; 2])[usize::from(!holds)] = false;
        }
        BoundsSearch { question, likely, cone, conditions, values: HashMap::new(), budget: BUDGET, incomplete: false }
    }

    /// Evaluates the terms from one on, for each value of the next symbol.
    fn walk(&mut self, from: usize) -> Option<Witness> {
        for index in from..self.cone.len() {
            let term = self.cone[index];
            if let Node::Symbol(symbol, _) = self.question.terms.node(term) {
                return self.choose(index, term, symbol.clone());
            }
            self.spend()?;
            let value = self.question.terms.evaluate(term, |term| self.values.get(&term).copied());
            let value = value.filter(|&value| self.allows(term, value))?;
            self.values.insert(term, value);
        }
        self.leaves()
    }

    fn spend(&mut self) -> Option<()> {
        self.budget = self.budget.saturating_sub(1);
        (self.budget > 0).then_some(())
    }

    fn choose(&mut self, index: usize, term: Term, symbol: Symbol) -> Option<Witness> {
        let mut next = self.candidates(term, &symbol)?;
        loop {
            let value = next.next()?;
            self.spend()?;
            if !self.allows(term, value) {
                continue;
            }
            self.values.insert(term, value);
            if let Some(witness) = self.walk(index + 1) {
                return Some(witness);
            }
        }
    }

    /// Whether a term may have a value where the copy is executed.
    fn allows(&self, term: Term, value: i64) -> bool {
        let known = match self.question.terms.node(term) {
            Node::Symbol(..) => self.question.terms.known(term).allows(value),
            _ => true,
        };
        let bounded = self.question.bounded.iter().filter(|bounded| bounded.0 == term);
        known
            && self.conditions.get(&term).is_none_or(|may_be| may_be[usize::from(value & 1 == 1)])
            && bounded.into_iter().all(|(_, range)| range.contains(Interval::at(value)))
    }

    /// The current values, if the region leaves its buffer for them.
    fn leaves(&self) -> Option<Witness> {
        let at = |term: Term| self.values.get(&term).copied();
        let (begin, extent) = (at(self.question.begin)?, at(self.question.extent)?);
        let end = i128::from(begin) + i128::from(self.question.size);
        if begin >= 0 && end <= i128::from(extent) {
            return None;
        }
        let is_symbol = |term: &Term| matches!(self.question.terms.node(*term), Node::Symbol(..));
        let symbols = self.cone.iter().copied().filter(is_symbol);
        let values: BTreeMap<Term, i64> = symbols.filter_map(|symbol| Some((symbol, at(symbol)?))).collect();
        Some(Witness { values, begin, extent })
    }

    /// The values of a symbol to try; `None` for a loop without iterations.
    fn candidates(&mut self, term: Term, symbol: &Symbol) -> Option<Box<dyn Iterator<Item = i64>>> {
        let known = self.question.terms.known(term);
        let narrow = |value: i128| i64::try_from(value).ok();
        let (least, most, step) = match *symbol {
            Symbol::Loop { bounds: [lower, upper, step], unsigned, bits } => {
                let at = |term: Term| self.values.get(&term).copied();
                let (lower, upper, step) = (at(lower)?, at(upper)?, at(step)?);
                let (least, most, step, complete) = iterations([lower, upper, step], unsigned, bits)?;
                self.incomplete |= !complete;
                (least, most, step)
            }
            _ => (narrow(known.range.least)?, narrow(known.range.most)?, 1),
        };
        if self.likely.is_none() {
            let next = move |value: &i64| value.checked_add(step).filter(|&next| next <= most);
            return Some(Box::new(std::iter::successors((least <= most).then_some(least), next)));
        }
        let ends = [least, least.saturating_add(step), most.saturating_sub(step), most];
        let raw = ends.into_iter().chain(self.solved(term)).chain(self.usual(symbol));
        let on_grid = |value: i64| {
            let value = i128::from(value.clamp(least, most));
            let (down, step) = ((value - i128::from(least)).rem_euclid(step.into()), i128::from(step));
            [narrow(value - down), narrow(value - down + step)]
        };
        let mut all: Vec<i64> = raw.flat_map(|value| rounded(known, value)).flat_map(on_grid).flatten().collect();
        all.retain(|value| (least..=most).contains(value));
        all.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
        all.dedup();
        Some(Box::new(all.into_iter()))
    }

    /// Numbers close to the constants that the region depends on.
    fn usual(&self, symbol: &Symbol) -> Vec<i64> {
        if *symbol != Symbol::Unknown {
            return Vec::new();
        }
        let mut near: Vec<i64> = vec![0, self.question.size];
        let constants = self.cone.iter().filter_map(|&term| self.question.terms.as_constant(term));
        near.extend(constants.take(12));
        near.into_iter().flat_map(|value| [value.saturating_sub(1), value, value.saturating_add(1)]).collect()
    }

    /// Values of a symbol that make one of the sums just negative, with the other symbols at their chosen values or at
    /// the ends of their ranges.
    fn solved(&self, symbol: Term) -> Vec<i64> {
        let Some((facts, goals)) = &self.likely else { return Vec::new() };
        let mut solved = Vec::new();
        for goal in goals {
            let Some(&factor) = goal.factors.get(&symbol) else { continue };
            let mut rests = [goal.constant; 2];
            for (term, by) in goal.factors.iter().filter(|(term, _)| **term != symbol) {
                let range = self.values.get(term).map_or_else(|| facts.range(*term), |&value| Interval::at(value));
                rests[0] = rests[0].saturating_add(by.saturating_mul(range.least));
                rests[1] = rests[1].saturating_add(by.saturating_mul(range.most));
            }
            // factor · symbol + rest <= -1
            for rest in rests {
                let bound = (-1i128).saturating_sub(rest);
                let value = if factor > 0 { bound.div_euclid(factor) } else { -bound.div_euclid(-factor) };
                solved.extend(i64::try_from(value).ok());
            }
        }
        solved
    }
}

/// The first and last value of a loop's variable and the step, and whether these are all values: those after a change
/// of sign are left out. `None` for a loop without iterations.
fn iterations([lower, upper, step]: [i64; 3], unsigned: bool, bits: u32) -> Option<(i64, i64, i64, bool)> {
    let enters = if unsigned { (lower as u64) < upper as u64 } else { lower < upper };
    if !enters || step == 0 || (!unsigned && step < 0) {
        return None;
    }
    if step < 0 {
        // A large unsigned step: the second value may still be below the upper bound, or wrap to one that is.
        return Some((
            lower,
            lower,
            1,
            (lower as u64).checked_add(step as u64).is_some_and(|next| next >= upper as u64),
        ));
    }
    let largest = Interval::of_bits(bits).most;
    let changes = unsigned && lower >= 0 && upper < 0;
    let end = if changes { largest + 1 } else { i128::from(upper) };
    let (first, by) = (i128::from(lower), i128::from(step));
    let last = first + (end - 1 - first) / by * by;
    let complete = !changes && (unsigned || last + by <= largest);
    Some((lower, i64::try_from(last).ok()?, step, complete))
}

/// The nearest numbers around a value that have the known remainder.
fn rounded(known: SymbolFacts, value: i64) -> Vec<i64> {
    if let Some(only) = known.residue.constant() {
        return vec![only];
    }
    let (divisor, residue) = known.residue.parts();
    let down = i128::from(value) - (i128::from(value) - i128::from(residue)).rem_euclid(divisor.into());
    [down, down + i128::from(divisor)].into_iter().filter_map(|value| i64::try_from(value).ok()).collect()
}
