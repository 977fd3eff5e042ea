//! Integer values of a kernel in closed form: a number per thread, plus a shift that is uniform across the threads of a
//! block.
//!
//! ```text
//!   (warp * 32 + (i + 2) mod 3) * 64      threads: 0 0 … 2048 …     loop i: 128 0 64     constant 0
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::bounds::{Node, Term, Terms};
use crate::integer::{Computation, Operation};
use crate::sync::periodic::{Periodic, common};
use crate::sync::shift::Shift;

/// What is known of the symbols in a kernel's terms.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Symbols with a known value per thread of the block, in linear order.
    pub threads: HashMap<Term, Vec<i64>>,
    /// Induction variables: the number of the loop, the lower bound and the step.
    pub loops: HashMap<Term, (usize, i64, i64)>,
    /// Loop-carried values: the number of the loop, and the value in each iteration.
    pub carried: HashMap<Term, (usize, Periodic)>,
    /// Other induction variables, of which all threads are as far from the lower bound in one iteration: the number of the loop.
    /// That distance is a fixed value, which the term of the variable stands for.
    pub stepped: HashMap<Term, usize>,
    /// The trip counts of loops, where known.
    pub trips: HashMap<usize, i64>,
    /// Symbols that have one value for all threads of a block: throughout, or in each iteration of loops that are recorded
    /// with the [loops](crate::sync::Loop::varying).
    pub fixed: BTreeSet<Term>,
}

/// The sum of a value per thread, values per iteration of loops, and fixed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressForm {
    /// One number for each thread, or one for all.
    pub each: Vec<i64>,
    /// The uniform part.
    pub shift: Shift,
}

impl AddressForm {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        AddressForm { each: vec![value], shift: Shift::none() }
    }

    /// Whether all threads have the same, in each iteration of the loops around.
    pub fn is_of_all(&self) -> bool {
        self.each.len() == 1 && self.shift.loops.is_empty() && !self.shift.unknown
    }

    /// The form of a term; `None` where too little is known of it.
    pub fn of(terms: &Terms, term: Term, sources: &Sources) -> Option<AddressForm> {
        AddressForm::given(terms, term, sources, BTreeMap::new())
    }

    /// The value of a term as a function of a trip count, given the terms on which it may depend as functions of that count.
    pub fn of_counts(terms: &Terms, term: Term, given: impl IntoIterator<Item = (Term, Periodic)>) -> Option<Periodic> {
        let known = given.into_iter().map(|(term, periodic)| (term, Some(AddressForm::of_loop(0, periodic)))).collect();
        let form = AddressForm::given(terms, term, &Sources::default(), known)?;
        form.in_loop(AddressForm::one_loop(&[&form])?)
    }

    fn given(
        terms: &Terms,
        term: Term,
        sources: &Sources,
        mut known: BTreeMap<Term, Option<AddressForm>>,
    ) -> Option<AddressForm> {
        for term in terms.cone([term]) {
            if !known.contains_key(&term) {
                let form = AddressForm::node(terms, term, sources, &known);
                known.insert(term, form);
            }
        }
        known.remove(&term)?
    }

    fn node(
        terms: &Terms,
        term: Term,
        sources: &Sources,
        known: &BTreeMap<Term, Option<AddressForm>>,
    ) -> Option<AddressForm> {
        match terms.node(term) {
            Node::Constant(value) => Some(AddressForm::constant(*value)),
            Node::Symbol(..) => AddressForm::symbol((terms, term), sources, known),
            Node::Promised(term, _) => known.get(term)?.clone(),
            Node::Computed(computation, operands) => {
                let forms: Vec<&AddressForm> =
                    operands.iter().map(|operand| known.get(operand)?.as_ref()).collect::<Option<_>>()?;
                AddressForm::computed(computation, &forms, sources).or_else(|| AddressForm::of_uniform(term, &forms))
            }
        }
    }

    fn symbol(
        (terms, term): (&Terms, Term),
        sources: &Sources,
        known: &BTreeMap<Term, Option<AddressForm>>,
    ) -> Option<AddressForm> {
        if let Some(values) = sources.threads.get(&term) {
            return Some(AddressForm { each: values.clone(), shift: Shift::none() });
        }
        if let Some(&(number, first, step)) = sources.loops.get(&term) {
            let loops = BTreeMap::from([(number, Periodic::line(first, step))]);
            return Some(AddressForm { each: vec![0], shift: Shift { loops, ..Shift::none() } });
        }
        if let Some((number, periodic)) = sources.carried.get(&term) {
            return Some(AddressForm::of_loop(*number, periodic.clone()));
        }
        if sources.stepped.contains_key(&term) {
            let lower = known.get(terms.operands(term).first()?)?.as_ref()?;
            return lower.plus(&AddressForm::fixed(term));
        }
        let fixed = sources.fixed.contains(&term);
        fixed.then(|| AddressForm::fixed(term))
    }

    fn computed(computation: &Computation, forms: &[&AddressForm], sources: &Sources) -> Option<AddressForm> {
        AddressForm::by_thread(computation, forms)
            .or_else(|| AddressForm::by_iteration(computation, forms, sources))
            .or_else(|| AddressForm::sum(computation, forms))
            .or_else(|| AddressForm::quotient(computation, forms))
    }

    /// A computation on values that are equal in all threads gives one value for all threads. It varies in the loops in
    /// which they do.
    fn of_uniform(term: Term, forms: &[&AddressForm]) -> Option<AddressForm> {
        let uniform = |form: &&AddressForm| form.each.len() == 1 && !form.shift.unknown;
        forms.iter().all(uniform).then(|| AddressForm::fixed(term))
    }

    /// A term whose value is not known, but equal for all threads of a block.
    pub fn fixed(term: Term) -> AddressForm {
        AddressForm { each: vec![0], shift: Shift { fixed: BTreeMap::from([(term, 1)]), ..Shift::none() } }
    }

    /// Whether it consists of the part per thread alone.
    fn is_plain(&self) -> bool {
        self.shift == Shift::none()
    }

    /// The value, where it is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        let first = *self.each.first()?;
        (self.is_plain() && self.each.iter().all(|&value| value == first)).then_some(first)
    }

    /// The part of a thread.
    pub fn of_thread(&self, thread: i64) -> i64 {
        match self.each[..] {
            [one] => one,
            ref each => usize::try_from(thread).ok().and_then(|at| each.get(at)).copied().unwrap_or(0),
        }
    }

    fn by_thread(computation: &Computation, forms: &[&AddressForm]) -> Option<AddressForm> {
        if !forms.iter().all(|form| form.is_plain()) {
            return None;
        }
        let count = forms.iter().map(|form| form.each.len()).max().unwrap_or(1);
        let at = |thread: usize| {
            let operands: Vec<i64> = forms.iter().map(|form| form.of_thread(thread as i64)).collect();
            computation.at(&operands)
        };
        Some(AddressForm { each: (0..count).map(at).collect::<Option<_>>()?, shift: Shift::none() })
    }

    /// The loop that the forms depend on, if that is a single one and they depend on nothing else.
    fn one_loop(forms: &[&AddressForm]) -> Option<usize> {
        let mut numbers: BTreeSet<usize> = BTreeSet::new();
        for form in forms {
            if form.each.len() > 1 || !form.shift.fixed.is_empty() || form.shift.unknown {
                return None;
            }
            numbers.extend(form.shift.loops.keys());
        }
        numbers.first().copied().filter(|_| numbers.len() == 1)
    }

    fn in_loop(&self, number: usize) -> Option<Periodic> {
        let constant = Periodic::constant(*self.each.first()?);
        self.shift.loops.get(&number).map_or(Some(constant.clone()), |periodic| periodic.plus(&constant))
    }

    fn of_loop(number: usize, periodic: Periodic) -> AddressForm {
        AddressForm { each: vec![0], shift: Shift { loops: BTreeMap::from([(number, periodic)]), ..Shift::none() } }
    }

    /// Evaluates a computation iteration by iteration, where its operands repeat or the loop is short.
    fn by_iteration(computation: &Computation, forms: &[&AddressForm], sources: &Sources) -> Option<AddressForm> {
        let number = AddressForm::one_loop(forms)?;
        let all: Vec<Periodic> = forms.iter().map(|form| form.in_loop(number)).collect::<Option<_>>()?;
        let repeats = all.iter().all(|periodic| periodic.gain() == 0);
        let period = match (repeats, sources.trips.get(&number)) {
            (true, _) => all.iter().try_fold(1, |period, periodic| common(period, periodic.period()))?,
            // A short loop becomes a table of all its iterations.
            (false, Some(&trips)) if (1..=64).contains(&trips) => trips,
            _ => return None,
        };
        let at = |k| computation.at(&all.iter().map(|periodic| periodic.at(k)).collect::<Option<Vec<_>>>()?);
        let table = (0..period).map(at).collect::<Option<Vec<_>>>()?;
        Some(AddressForm::of_loop(number, Periodic::table(table)))
    }

    /// Sums, differences and multiples of 64-bit values.
    fn sum(computation: &Computation, forms: &[&AddressForm]) -> Option<AddressForm> {
        let &[a, b] = forms else { return None };
        if *computation != Computation::wide(computation.operation) {
            return None;
        }
        match computation.operation {
            Operation::Add => a.plus(b),
            Operation::Sub => a.plus(&b.times(-1)?),
            Operation::Mul => match (a.as_constant(), b.as_constant()) {
                (Some(factor), _) => b.times(factor),
                (_, Some(factor)) => a.times(factor),
                _ => None,
            },
            Operation::ShiftLeft => a.times(1i64.checked_shl(u32::try_from(b.as_constant()?).ok()?)?),
            _ => None,
        }
    }

    /// Quotients and remainders of values that are never negative.
    fn quotient(computation: &Computation, forms: &[&AddressForm]) -> Option<AddressForm> {
        let &[a, b] = forms else { return None };
        if *computation != Computation::wide(computation.operation) {
            return None;
        }
        let number = AddressForm::one_loop(&[a])?;
        let (by, counted) = (b.as_constant()?, a.in_loop(number).filter(Periodic::is_natural)?);
        let power = |bits: i64| 1i64.checked_shl(u32::try_from(bits).ok()?).filter(|&value| value > 0);
        let (quotient, remainder) = match computation.operation {
            Operation::ShiftRight | Operation::ShiftRightSigned => counted.divided(power(by)?)?,
            Operation::And => counted.divided(Some(by.checked_add(1)?).filter(|modulus| modulus.count_ones() == 1)?)?,
            _ => counted.divided(by)?,
        };
        let periodic = match computation.operation {
            Operation::DivSigned | Operation::DivFloor | Operation::DivUnsigned => quotient,
            Operation::ShiftRight | Operation::ShiftRightSigned => quotient,
            Operation::RemSigned | Operation::RemUnsigned | Operation::And => remainder,
            _ => return None,
        };
        Some(AddressForm::of_loop(number, periodic))
    }

    /// The sum of two.
    pub fn plus(&self, other: &AddressForm) -> Option<AddressForm> {
        let count = self.each.len().max(other.each.len()) as i64;
        let each = (0..count).map(|thread| self.of_thread(thread).checked_add(other.of_thread(thread)));
        let shift = self.shift.clone().plus(&other.shift);
        Some(AddressForm { each: each.collect::<Option<_>>()?, shift: Some(shift).filter(|shift| !shift.unknown)? })
    }

    /// The product with a number.
    pub fn times(&self, factor: i64) -> Option<AddressForm> {
        let each = self.each.iter().map(|value| value.checked_mul(factor)).collect::<Option<_>>()?;
        let fixed = self.shift.fixed.iter().map(|(&term, value)| Some((term, value.checked_mul(factor)?)));
        let loops = self.shift.loops.iter().map(|(&number, periodic)| Some((number, periodic.times(factor)?)));
        let fixed: BTreeMap<_, _> = fixed.collect::<Option<_>>()?;
        let fixed = fixed.into_iter().filter(|(_, factor)| *factor != 0).collect();
        Some(AddressForm {
            each,
            shift: Shift { fixed, loops: loops.collect::<Option<_>>()?, unknown: self.shift.unknown, ..Shift::none() },
        })
    }

    /// The quotient by a positive number, rounded down.
    pub fn floor(&self, by: i64) -> Option<AddressForm> {
        if by == 1 {
            return Some(self.clone());
        }
        if self.is_plain() {
            let each = self.each.iter().map(|value| value.checked_div_euclid(by)).collect::<Option<_>>()?;
            return Some(AddressForm { each, shift: Shift::none() });
        }
        let number = AddressForm::one_loop(&[self])?;
        Some(AddressForm::of_loop(number, self.in_loop(number)?.divided(by)?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Symbol, SymbolFacts};

    #[test]
    fn what_is_made_of_arguments_stays_the_same() {
        let (mut terms, mut sources) = (Terms::default(), Sources::default());
        let n = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(0, 1 << 30));
        let i = terms.symbol(Symbol::Unknown, 1, SymbolFacts::range(0, 1 << 30));
        sources.fixed.insert(n);
        sources.loops.insert(i, (7, 0, 1));
        let eight = terms.constant(8);
        let [half, other] = [n, i].map(|factor| terms.wide(Operation::Mul, n, factor));
        let quotient = terms.wide(Operation::DivFloor, half, eight);
        let form = AddressForm::of(&terms, quotient, &sources).unwrap();
        assert_eq!(form.shift.fixed, BTreeMap::from([(quotient, 1)]));
        let product = AddressForm::of(&terms, other, &sources).unwrap();
        assert_eq!((product.shift.fixed, product.shift.loops), (BTreeMap::from([(other, 1)]), BTreeMap::new()));
        let thread = terms.symbol(Symbol::Each, 2, SymbolFacts::range(0, 1));
        sources.threads.insert(thread, vec![0, 1]);
        let product = terms.wide(Operation::Mul, n, thread);
        assert_eq!(AddressForm::of(&terms, product, &sources), None);
    }

    #[test]
    fn stages_of_rings_are_tables() {
        let (mut terms, mut sources) = (Terms::default(), Sources::default());
        let i = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(0, 1 << 30));
        let warp = terms.symbol(Symbol::Each, 1, SymbolFacts::range(0, 1));
        sources.loops.insert(i, (7, 0, 1));
        sources.threads.insert(warp, (0..64).map(|thread| thread / 32).collect());
        let [two, three] = [2, 3].map(|number| terms.constant(number));
        let ahead = terms.wide(Operation::Add, i, two);
        let stage = terms.wide(Operation::RemUnsigned, ahead, three);
        let sum = terms.wide(Operation::Add, stage, warp);
        let form = AddressForm::of(&terms, sum, &sources).unwrap();
        assert_eq!((form.of_thread(31), form.of_thread(32)), (0, 1));
        let ring = &form.shift.loops[&7];
        assert!((0..9).all(|k| ring.at(k) == Some((k + 2) % 3)) && ring.gain() == 0);
        let product = terms.wide(Operation::Mul, stage, warp);
        assert_eq!(AddressForm::of(&terms, product, &sources), None);
    }

    #[test]
    fn what_depends_on_a_count_repeats_with_it() {
        let mut terms = Terms::default();
        let [span, other] = [0, 1].map(|name| terms.symbol(Symbol::Unknown, name, SymbolFacts::range(-9, 1 << 30)));
        let [zero, one, two, three] = [0, 1, 2, 3].map(|number| terms.constant(number));
        let count = terms.wide(Operation::Sub, span, one);
        let more = terms.wide(Operation::Add, count, two);
        let laps = terms.wide(Operation::DivUnsigned, more, three);
        let odd = terms.wide(Operation::And, laps, one);
        let is_odd = terms.wide(Operation::Compare(crate::integer::Predicate::Ne), odd, zero);
        let found = AddressForm::of_counts(&terms, is_odd, [(count, Periodic::line(0, 1))]).unwrap();
        assert!((0..20).all(|k| found.at(k).map(|value| value & 1) == Some((k + 2) / 3 % 2)) && found.gain() == 0);
        let sum = terms.wide(Operation::Add, odd, other);
        assert_eq!(AddressForm::of_counts(&terms, sum, [(count, Periodic::line(0, 1))]), None);
    }
}
