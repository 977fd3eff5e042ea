//! What is known of terms, compared with their values: for all values of their symbols, for each thread, and for each
//! iteration of a loop.

use std::collections::HashMap;

use proptest::prelude::*;
use tile_layout::Level;
use tile_plan::integer::{Computation, Interval, Operation, Residue};
use tile_plan::problem::uniform::Spread;
use tile_plan::terms::{
    Linear, Node, Symbol, SymbolFacts, SymbolSource, Term, Terms, linear, range, residue, spread::Spreads,
};

const OPERATIONS: [Operation; 16] = [
    Operation::Add,
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Mul,
    Operation::ShiftLeft,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::DivFloor,
    Operation::RemSigned,
    Operation::MinSigned,
    Operation::MaxSigned,
    Operation::DivUnsigned,
    Operation::RemUnsigned,
    Operation::ShiftRight,
];

/// The number of those whose result in a type depends only on the operands in that type.
const RING: usize = 6;

/// An operation on two earlier terms; whether its result is of 8 bits, whether it is promised not to wrap, and by what it is
/// then promised to be divisible.
type Step = (usize, usize, usize, bool, bool, i64);

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (0..OPERATIONS.len(), 0..9usize, 0..9usize, prop::bool::weighted(0.2), any::<bool>(), 1..5i64);
    prop::collection::vec(step, 1..most)
}

fn compute(terms: &mut Terms, pool: &mut Vec<Term>, steps: &[Step]) {
    for &(operation, a, b, narrow, nsw, by) in steps {
        let mut computation = Computation::wide(OPERATIONS[operation]);
        computation.nsw = nsw;
        // The operands have 64 bits: what has no ring of 8 bits would get operands of 8 bits, too.
        let narrow = narrow && operation < RING;
        if narrow {
            computation.result_bits = 8;
        }
        let mut operands = vec![pool[a % pool.len()], pool[b % pool.len()]];
        if OPERATIONS[operation] == Operation::ShiftLeft {
            operands[1] = terms.constant(by);
        }
        let result = terms.compute(computation, operands);
        let promised = if narrow { terms.promised(result, by) } else { result };
        pool.push(promised);
    }
}

/// The value of each term of a cone; `None` where there is none, also where a promise does not hold.
fn evaluate(terms: &Terms, cone: &[Term], values: &mut HashMap<Term, i64>) -> Option<()> {
    for &term in cone {
        if values.contains_key(&term) {
            continue;
        }
        if let Node::Computed(computation, operands) = terms.node(term).clone() {
            let at: Vec<i64> = operands.iter().map(|operand| values[operand]).collect();
            let ranges: Vec<Interval> = at.iter().map(|&value| Interval::at(value)).collect();
            let wraps = !matches!(computation.operation, Operation::And | Operation::Or | Operation::Xor)
                && computation.interval(&ranges).is_none();
            if wraps && computation.nsw {
                return None;
            }
        }
        values.insert(term, terms.evaluate(term, |operand| values.get(&operand).copied())?);
    }
    Some(())
}

fn satisfies(residue: Residue, value: i64) -> bool {
    SymbolFacts { residue, ..SymbolFacts::range(i64::MIN, i64::MAX) }.allows(value)
}

fn sum(linear: &Linear, values: &HashMap<Term, i64>) -> i128 {
    linear.factors.iter().fold(linear.constant, |sum, (term, by)| sum + by * i128::from(values[term]))
}

/// Read as unsigned, a negative number is so large that a product of its quotient wraps.
#[test]
fn a_product_of_an_unsigned_quotient_may_wrap() {
    let residue = |least| {
        let mut terms = Terms::default();
        let number = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(least, 100));
        let three = terms.constant(3);
        let quotient = terms.compute(Computation::wide(Operation::DivUnsigned), vec![number, three]);
        let product = terms.compute(Computation::wide(Operation::Mul), vec![quotient, three]);
        residue::infer(&terms, product)
    };
    let product = residue(-1);
    assert!(satisfies(product, -1), "{product:?}");
    assert_eq!(residue(0), Residue::multiple_of(3));
}

#[test]
fn quotient_and_remainder_meet_again() {
    let mut terms = Terms::default();
    let number = terms.symbol(Symbol::Unknown, 0, SymbolFacts::ANY);
    let by = terms.constant(66);
    for (div, rem) in [(Operation::DivUnsigned, Operation::RemUnsigned), (Operation::DivSigned, Operation::RemSigned)] {
        let [quotient, remainder] = [div, rem].map(|operation| terms.wide(operation, number, by));
        let row = Linear::term(quotient).times(66).unwrap();
        let sum = row.plus(&linear::of_digits(&mut terms, remainder).unwrap(), 1);
        assert_eq!(sum, Some(Linear::term(number)));
    }
}

/// A term that a sum has twice is worth twice as much as a term that it has once.
#[test]
fn a_sum_has_the_residue_of_what_it_repeats() {
    let mut terms = Terms::default();
    let size = terms.symbol(Symbol::Unknown, 0, SymbolFacts::ANY);
    let other = terms.symbol(Symbol::Unknown, 1, SymbolFacts { residue: Residue::multiple_of(16), ..SymbolFacts::ANY });
    let (half, two) = (terms.promised(size, 4), terms.constant(2));
    let twice = terms.wide(Operation::Add, half, half);
    assert_eq!(residue::infer(&terms, twice), Residue::multiple_of(8));
    let between = terms.wide(Operation::Add, half, other);
    let both = terms.wide(Operation::Add, between, half);
    assert_eq!(residue::infer(&terms, both), Residue::multiple_of(8));
    let behind = terms.wide(Operation::Add, half, two);
    let left = terms.wide(Operation::Sub, both, behind);
    assert_eq!(residue::infer(&terms, left), Residue::new(4, 2));
    let four = terms.wide(Operation::Add, twice, twice);
    assert_eq!(residue::infer(&terms, four), Residue::multiple_of(16));
    let narrow = Computation { nsw: false, ..Computation::new(Operation::Add, vec![32, 32], 32) };
    let wrapping = terms.compute(narrow, vec![half, half]);
    assert_eq!(residue::infer(&terms, wrapping), Residue::multiple_of(4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Residues, ranges and sums allow every value that a term has.
    #[test]
    fn residues_ranges_and_sums(symbols in prop::collection::vec((-6..6i64, 0..9i64, 1..5i64), 2), steps in steps(6)) {
        let mut terms = Terms::default();
        let mut pool: Vec<Term> = [3, 8, 24].map(|value| terms.constant(value)).to_vec();
        let symbols: Vec<(Term, SymbolFacts)> = symbols.into_iter().enumerate().map(|(name, (least, more, by))| {
            let known = SymbolFacts { residue: Residue::multiple_of(by), ..SymbolFacts::range(least, least + more) };
            (terms.symbol(Symbol::Unknown, name, known), known)
        }).collect();
        pool.extend(symbols.iter().map(|symbol| symbol.0));
        compute(&mut terms, &mut pool, &steps);
        let (term, cone) = (*pool.last().unwrap(), terms.cone([*pool.last().unwrap()]));
        let (residue, range, linear) = (residue::infer(&terms, term), range::infer(&terms, term), linear::linearize(&terms, term));
        let digits = linear::of_digits(&mut terms, term).unwrap();
        let cone = terms.cone(cone.into_iter().chain(digits.factors.keys().copied()));
        for (a, b) in (-6..15).flat_map(|a| (-6..15).map(move |b| (a, b))) {
            let mut values: HashMap<Term, i64> = [(symbols[0].0, a), (symbols[1].0, b)].into();
            if !(symbols[0].1.allows(a) && symbols[1].1.allows(b)) || evaluate(&terms, &cone, &mut values).is_none() {
                continue;
            }
            let value = values[&term];
            prop_assert!(satisfies(residue, value), "{} is not {:?}", value, residue);
            prop_assert!(range.contains(Interval::at(value)), "{} is not in {:?}", value, range);
            // Sums of more than 64 bits are compared by what is left of them.
            prop_assert_eq!(sum(&linear, &values) as i64, value, "{:?}", linear);
            prop_assert_eq!(sum(&digits, &values) as i64, value, "{:?}", digits);
        }
    }

    /// The residue of a value that a loop carries allows its value in each iteration, however often they wrap.
    #[test]
    fn residues_of_carried_values(first in 0..40i64, steps in steps(5)) {
        let mut terms = Terms::default();
        let carried = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(i64::MIN, i64::MAX));
        let mut pool = vec![carried, terms.constant(12), terms.constant(3)];
        compute(&mut terms, &mut pool, &steps);
        let (start, next) = (terms.constant(first), *pool.last().unwrap());
        terms.set_source(carried, SymbolSource::Joined { flows: vec![start, next], decides: Vec::new() });
        let (of_carried, of_next) = (residue::infer(&terms, carried), residue::infer(&terms, next));
        let (cone, mut value) = (terms.cone([next]), first);
        for _ in 0..80 {
            prop_assert!(satisfies(of_carried, value), "{} is not {:?}", value, of_carried);
            let mut values = HashMap::from([(carried, value)]);
            if evaluate(&terms, &cone, &mut values).is_none() {
                break;
            }
            value = values[&next];
            prop_assert!(satisfies(of_next, value), "next, {} is not {:?}", value, of_next);
        }
    }

    /// Where a term is known for each thread, that is its value; where it is uniform, the threads of each group have the same.
    #[test]
    fn spreads(steps in steps(6), seed in any::<u64>(), made_of in prop::collection::vec(0..9usize, 2)) {
        let block = [16, 4, 3];
        let mut terms = Terms::default();
        let mut pool = vec![terms.constant(3), terms.constant(32)];
        let mut sources = vec![SymbolSource::Thread(0), SymbolSource::Thread(1), SymbolSource::Thread(2), SymbolSource::Lane, SymbolSource::Warp];
        let levels = [Level::Cta, Level::Warp, Level::Thread];
        sources.extend(levels.map(|level| SymbolSource::Mixed(Vec::new(), level)));
        for (name, source) in sources.into_iter().enumerate() {
            let symbol = terms.symbol(Symbol::Unknown, name, SymbolFacts::range(0, 1 << 20));
            terms.set_source(symbol, source);
            pool.push(symbol);
        }
        let (half, rest) = steps.split_at(steps.len() / 2);
        compute(&mut terms, &mut pool, half);
        let sources: Vec<Term> = made_of.iter().map(|index| pool[pool.len() - 1 - index % pool.len()]).collect();
        let gathered = [SymbolSource::Mixed(sources.clone(), Level::Cta),
                        SymbolSource::Gathered { by: sources[..1].to_vec(), terms: sources, level: Level::Warp }];
        for (name, source) in gathered.into_iter().enumerate() {
            let symbol = terms.symbol(Symbol::Unknown, 100 + name, SymbolFacts::range(0, 1 << 20));
            terms.set_source(symbol, source);
            pool.push(symbol);
        }
        compute(&mut terms, &mut pool, rest);
        let term = *pool.last().unwrap();
        let spread = Spreads::new(Some(block), 32, None).of(&terms, term);
        let all: Vec<Option<i64>> = (0..192).map(|thread| of_thread(&terms, term, thread, seed)).collect();
        for (thread, value) in all.iter().enumerate() {
            let Some(value) = *value else { continue };
            match &spread {
                Spread::Uniform(level) => {
                    let size = match level { Level::Thread => 1, Level::Warp => 32, Level::Warpgroup => 128, _ => 192 };
                    let first = all[thread / size * size];
                    prop_assert!(first.is_none_or(|first| first == value), "thread {} of {:?}", thread, all);
                }
                exactly => prop_assert_eq!(exactly.at(thread), Some(value)),
            }
        }
    }
}

/// A number that follows from others, and from nothing else.
fn mix(numbers: impl IntoIterator<Item = i64>, seed: u64) -> i64 {
    let step = |hash: u64, number: i64| (hash ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    (numbers.into_iter().fold(seed, step) % (1 << 20)) as i64
}

/// The value of a term for one thread of a block of 16 × 4 × 3.
fn of_thread(terms: &Terms, term: Term, thread: i64, seed: u64) -> Option<i64> {
    let values = |terms_of: &[Term], thread: i64| -> Option<Vec<i64>> {
        terms_of.iter().map(|&part| of_thread(terms, part, thread, seed)).collect()
    };
    Some(match terms.source(term) {
        Some(SymbolSource::Thread(0)) => thread % 16,
        Some(SymbolSource::Thread(1)) => thread / 16 % 4,
        Some(SymbolSource::Thread(_)) => thread / 64,
        Some(SymbolSource::Lane) => thread % 32,
        Some(SymbolSource::Warp) => thread / 32,
        Some(SymbolSource::Mixed(operands, level)) => {
            let group = match level {
                Level::Cta => 0,
                Level::Warp => thread / 32,
                _ => thread,
            };
            mix(values(operands, thread)?.into_iter().chain([group, term as i64]), seed)
        }
        // What the threads of a warp agree on decides which of them gives its operands to all.
        Some(SymbolSource::Gathered { terms: operands, by, .. }) => {
            let lane = mix(values(by, thread)?, seed).rem_euclid(32);
            mix(values(operands, thread / 32 * 32 + lane)?, seed)
        }
        _ => match terms.node(term) {
            Node::Constant(value) => *value,
            Node::Computed(computation, operands) => computation.at(&values(operands, thread)?)?,
            Node::Promised(operand, _) => of_thread(terms, *operand, thread, seed)?,
            Node::Symbol(..) => return None,
        },
    })
}

#[test]
fn sums_that_a_loop_repeats_keep_their_divisor_and_products_do_not() {
    let residue = |operation: Operation, first: i64, by: i64| {
        let mut terms = Terms::default();
        let carried = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(i64::MIN, i64::MAX));
        let [first, by] = [first, by].map(|number| terms.constant(number));
        let next = terms.wide(operation, carried, by);
        terms.set_source(carried, SymbolSource::Joined { flows: vec![first, next], decides: Vec::new() });
        residue::infer(&terms, carried)
    };
    assert_eq!(residue(Operation::Add, 16, 24), Residue::new(24, 16));
    assert_eq!(residue(Operation::Add, 48, 24), Residue::multiple_of(24));
    assert_eq!(residue(Operation::Mul, 3, 3), Residue::new(2, 1));
    assert_eq!(residue(Operation::Mul, 24, 3), Residue::new(16, 8));
}

#[test]
fn carried_values_are_as_uniform_as_what_they_are_made_of() {
    let level = |step: SymbolSource, decides: SymbolSource| {
        let mut terms = Terms::default();
        let [carried, step_of, decider] =
            [0, 1, 2].map(|name| terms.symbol(Symbol::Unknown, name, SymbolFacts::range(0, 100)));
        terms.set_source(step_of, step);
        terms.set_source(decider, decides);
        let (first, next) = (terms.constant(0), terms.wide(Operation::Add, carried, step_of));
        terms.set_source(carried, SymbolSource::Joined { flows: vec![first, next], decides: vec![decider] });
        Spreads::new(Some([64, 1, 1]), 32, None).of(&terms, next).level()
    };
    let uniform = |level| SymbolSource::Mixed(Vec::new(), level);
    assert_eq!(level(uniform(Level::Cta), uniform(Level::Cta)), Level::Cta);
    assert_eq!(level(SymbolSource::Warp, uniform(Level::Cta)), Level::Warp);
    assert_eq!(level(uniform(Level::Cta), SymbolSource::Warp), Level::Warp);
    assert_eq!(level(SymbolSource::Lane, uniform(Level::Cta)), Level::Thread);
    // A step that depends on a later term than itself is not believed to be uniform.
    assert_eq!(level(SymbolSource::Mixed(vec![1], Level::Cta), uniform(Level::Cta)), Level::Thread);
}

/// A remainder by a number known only at run time is a multiple of what divides both operands.
#[test]
fn a_remainder_by_a_multiple() {
    let divisor = |remainder: Operation, number: i64, least: i64, by: i64| {
        let mut terms = Terms::default();
        let mut multiple = |factor, range: SymbolFacts| {
            let symbol = terms.symbol(Symbol::Unknown, 0, range);
            terms.promised(symbol, factor)
        };
        let number = multiple(number, SymbolFacts::range(least, 1 << 40));
        let by = multiple(by, SymbolFacts::range(1, 1 << 40));
        let rest = terms.wide(remainder, number, by);
        residue::infer(&terms, rest).factor()
    };
    assert_eq!(divisor(Operation::RemUnsigned, 64, 0, 48), 16);
    assert_eq!(divisor(Operation::RemSigned, 64, -64, 48), 16);
    assert_eq!(divisor(Operation::RemUnsigned, 64, -64, 48), 16);
    assert_eq!(divisor(Operation::RemUnsigned, 9, -9, 9), 1, "2^64 - 9 is no multiple of 9");
}

/// A number less its remainder is a multiple of the divisor; read as unsigned, only if the divisor is a power of two or
/// the number is not negative.
#[test]
fn what_is_left_without_a_remainder_is_a_multiple() {
    let divisor = |remainder: Operation, least: i64, by: i64| {
        let mut terms = Terms::default();
        let number = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(least, 1 << 40));
        let by = terms.constant(by);
        let rest = terms.wide(remainder, number, by);
        let whole = terms.wide(Operation::Sub, number, rest);
        residue::infer(&terms, whole).factor()
    };
    assert_eq!([3, 4].map(|by| divisor(Operation::RemSigned, -9, by)), [3, 4]);
    assert_eq!([3, 4].map(|by| divisor(Operation::RemUnsigned, 0, by)), [3, 4]);
    assert_eq!([3, 4].map(|by| divisor(Operation::RemUnsigned, -9, by)), [1, 4]);
}
