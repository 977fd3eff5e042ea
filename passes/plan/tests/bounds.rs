//! Bounds of regions, compared with an enumeration of all values.

use proptest::prelude::*;
use tile_plan::bounds::{Answer, Node, Question, Symbol, SymbolFacts, Term, Witness, decide};
use tile_plan::integer::{Computation, Interval, Operation, Predicate, Residue};

const OPERATIONS: [Operation; 18] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Mul,
    Operation::Add,
    Operation::DivSigned,
    Operation::DivFloor,
    Operation::DivCeil,
    Operation::RemSigned,
    Operation::DivUnsigned,
    Operation::RemUnsigned,
    Operation::And,
    Operation::Or,
    Operation::ShiftLeft,
    Operation::ShiftRight,
    Operation::MinSigned,
    Operation::MaxSigned,
    Operation::MinUnsigned,
];

const PREDICATES: [Predicate; 6] =
    [Predicate::Slt, Predicate::Sle, Predicate::Sge, Predicate::Ult, Predicate::Eq, Predicate::Uge];

/// The numbers that a question is built from.
#[derive(Clone, Debug)]
struct Draft {
    symbols: Vec<(u8, i64, i64, i64)>,
    constants: Vec<i64>,
    steps: Vec<(usize, usize, usize)>,
    condition: Option<(usize, usize, usize, bool)>,
    narrow: bool,
    extent: i64,
    open: bool,
    size: i64,
}

fn draft() -> impl Strategy<Value = Draft> {
    let symbol = (0..4u8, -3..6i64, 0..90i64, 1..9i64);
    let symbols = prop::collection::vec(symbol, 1..4);
    let constants = prop::collection::vec(prop_oneof![1 => -4..20i64, 4 => 1..17i64, 1 => Just(i64::MAX - 5)], 3);
    let steps = prop::collection::vec((0..OPERATIONS.len(), 0..9usize, 0..9usize), 0..5);
    let condition = prop::option::of((0..PREDICATES.len(), 0..9usize, 0..9usize, any::<bool>()));
    (symbols, constants, steps, condition, prop::bool::weighted(0.2), 1..200i64, prop::bool::weighted(0.3), 1..20i64)
        .prop_map(|(symbols, constants, steps, condition, narrow, extent, open, size)| Draft {
            symbols,
            constants,
            steps,
            condition,
            narrow,
            extent,
            open,
            size,
        })
}

/// Builds the question of a draft, with known ranges and residues of its symbols.
fn build(draft: &Draft) -> Question {
    let mut question = Question { size: draft.size, ..Question::default() };
    let terms = &mut question.terms;
    let mut pool: Vec<Term> = draft.constants.iter().map(|&constant| terms.constant(constant)).collect();
    for (name, &(kind, least, more, by)) in draft.symbols.iter().enumerate() {
        let symbol = match kind {
            0 => terms.symbol(Symbol::Each, name, SymbolFacts::range(0, more % 12)),
            1 => {
                let (lower, step) = (terms.constant(least), terms.constant(by));
                let upper = *pool.last().unwrap();
                terms.symbol(
                    Symbol::Loop { bounds: [lower, upper, step], unsigned: false, bits: 64 },
                    name,
                    SymbolFacts::range(-100, 100),
                )
            }
            _ => {
                let residue = if kind == 2 { Residue::multiple_of(by) } else { Residue::ANY };
                terms.symbol(Symbol::Unknown, name, SymbolFacts { residue, ..SymbolFacts::range(least, least + more) })
            }
        };
        pool.push(symbol);
    }
    for &(operation, a, b) in &draft.steps {
        let (a, b) = (pool[a % pool.len()], pool[b % pool.len()]);
        let mut computation = Computation::wide(OPERATIONS[operation]);
        if draft.narrow {
            computation.result_bits = 8;
        }
        let next = terms.compute(computation, vec![a, b]);
        pool.push(next);
    }
    if let Some((predicate, a, b, holds)) = draft.condition {
        let (a, b) = (pool[a % pool.len()], pool[b % pool.len()]);
        let condition = terms.wide(Operation::Compare(PREDICATES[predicate]), a, b);
        question.conditions.push((condition, holds));
    }
    question.begin = *pool.last().unwrap();
    question.extent = if draft.open { pool[draft.constants.len()] } else { terms.constant(draft.extent) };
    if draft.open {
        question.bounded.push((question.extent, Interval::new(0, 1 << 40)));
    }
    question
}

/// Calls `visit` with all combinations of values of the symbols that the question depends on.
fn for_all(question: &Question, visit: &mut impl FnMut(&dyn Fn(Term) -> Option<i64>)) {
    let goal =
        [question.begin, question.extent].into_iter().chain(question.conditions.iter().map(|condition| condition.0));
    let cone = question.terms.cone(goal.chain(question.bounded.iter().map(|bounded| bounded.0)));
    let mut values = vec![None; question.terms.len()];
    step(question, &mut values, &cone, visit);
}

fn step(
    question: &Question,
    values: &mut Vec<Option<i64>>,
    cone: &[Term],
    visit: &mut impl FnMut(&dyn Fn(Term) -> Option<i64>),
) {
    let Some((&term, rest)) = cone.split_first() else {
        let holds = question.conditions.iter().all(|(condition, holds)| values[*condition] == Some(i64::from(*holds)));
        let within =
            |(term, range): &(Term, Interval)| values[*term].is_some_and(|value| range.contains(Interval::at(value)));
        if holds && question.bounded.iter().all(within) {
            visit(&|term| values[term]);
        }
        return;
    };
    if let Node::Symbol(symbol, _) = question.terms.node(term) {
        let known = question.terms.known(term);
        for value in -100..=100 {
            let counted = match symbol {
                Symbol::Loop { bounds: [lower, upper, step], .. } => {
                    match (values[*lower], values[*upper], values[*step]) {
                        (Some(lower), Some(upper), Some(step)) => {
                            value >= lower && value < upper && (value - lower) % step == 0
                        }
                        _ => false,
                    }
                }
                _ => true,
            };
            if counted && known.allows(value) {
                values[term] = Some(value);
                step(question, values, rest, visit);
            }
        }
        values[term] = None;
        return;
    }
    values[term] = question.terms.evaluate(term, |operand| values[operand]);
    step(question, values, rest, visit);
}

fn leaves(begin: i64, size: i64, extent: i64) -> bool {
    begin < 0 || i128::from(begin) + i128::from(size) > i128::from(extent)
}

/// Checks that the claim of a witness is true.
fn check(question: &Question, witness: &Witness) {
    let mut met = false;
    for_all(question, &mut |at| {
        if witness.values.iter().all(|(&symbol, &value)| at(symbol) == Some(value)) {
            met |= at(question.begin) == Some(witness.begin) && at(question.extent) == Some(witness.extent);
        }
    });
    assert!(met, "no thread has the numbers of {witness:?}");
    assert!(leaves(witness.begin, question.size, witness.extent), "{witness:?} is inside");
    let element = i128::from(witness.begin) + i128::from(witness.element());
    assert!((0..question.size).contains(&witness.element()), "{witness:?} names no element");
    assert!(!(0..i128::from(witness.extent)).contains(&element), "{witness:?} names an element that is inside");
}

fn is_small(draft: &Draft) -> bool {
    let values = |&(kind, _, more, _): &(u8, i64, i64, i64)| if kind == 0 { more % 12 + 1 } else { more + 1 };
    draft.symbols.iter().map(values).product::<i64>() < 60_000
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn right_about_everything(draft in draft().prop_filter("too many values", is_small)) {
        let question = build(&draft);
        let answer = decide(&question);
        let (mut outside, mut all) = (0, 0);
        for_all(&question, &mut |at| {
            let (Some(begin), Some(extent)) = (at(question.begin), at(question.extent)) else { return };
            all += 1;
            outside += u64::from(leaves(begin, question.size, extent));
        });
        match &answer {
            Answer::Inside => prop_assert_eq!(outside, 0),
            Answer::Leaves(witness) => check(&question, witness),
            Answer::Undecided(doubt) => {
                doubt.example.iter().for_each(|witness| check(&question, witness));
                // A question without unknown symbols is decided.
                let known = draft.symbols.iter().all(|&(kind, ..)| kind == 0);
                prop_assert!(!known, "{} of {} leave, but it is not decided", outside, all);
            }
        }
        if let Answer::Undecided(doubt) = &answer {
            let mut promised = question.clone();
            if let Some((symbol, by)) = doubt.multiple {
                let known = promised.terms.known(symbol);
                promised.terms.set(symbol, SymbolFacts { residue: known.residue.promised(by), ..known });
                prop_assert_eq!(decide(&promised), Answer::Inside);
            }
        }
    }
}

/// `for i = 0 to n step by { copy [i] [size] }` of a buffer of n elements.
fn rows(by: i64, size: i64, multiple: i64) -> (Question, [Term; 2]) {
    let mut question = Question { size, ..Question::default() };
    let terms = &mut question.terms;
    let n = terms.symbol(
        Symbol::Unknown,
        0,
        SymbolFacts { residue: Residue::multiple_of(multiple), ..SymbolFacts::range(i64::MIN, i64::MAX) },
    );
    let (lower, step) = (terms.constant(0), terms.constant(by));
    let i = terms.symbol(
        Symbol::Loop { bounds: [lower, n, step], unsigned: false, bits: 64 },
        1,
        SymbolFacts::range(i64::MIN, i64::MAX),
    );
    (question.begin, question.extent) = (i, n);
    (question, [n, i])
}

#[test]
fn an_extent_that_is_the_bound_of_the_loop() {
    assert_eq!(decide(&rows(16, 16, 16).0), Answer::Inside);
    assert_eq!(decide(&rows(16, 8, 8).0), Answer::Inside);
    assert_eq!(decide(&rows(1, 1, 1).0), Answer::Inside);
    let (question, [n, i]) = rows(16, 16, 1);
    let Answer::Undecided(doubt) = decide(&question) else { panic!("decided") };
    let example = doubt.example.expect("an example");
    assert_eq!((example.values[&n], example.values[&i], example.element()), (1, 0, 1));
    assert_eq!((doubt.multiple, doubt.begins, doubt.ends), (Some((n, 16)), true, false));
    assert_eq!(doubt.unknown, [n]);
}

#[test]
fn arithmetic_that_overflows() {
    // In 64 bits, some of 2^60 blocks of 16 rows start below zero.
    let mut question = Question { size: 16, ..Question::default() };
    let terms = &mut question.terms;
    let n = terms.symbol(Symbol::Unknown, 0, SymbolFacts::range(0, i64::MAX));
    let sixteen = terms.constant(16);
    question.begin = terms.wide(Operation::Mul, n, sixteen);
    question.extent = terms.constant(i64::MAX);
    let Answer::Undecided(doubt) = decide(&question) else { panic!("decided") };
    assert!(doubt.example.is_some_and(|example| example.begin < 0 || example.begin > i64::MAX - 16));
    question.terms.narrow(n, Interval::new(0, (1 << 58) - 1));
    assert_eq!(decide(&question), Answer::Inside);
    let most = question.terms.constant((1 << 58) - 2);
    let less = question.terms.wide(Operation::Compare(Predicate::Sgt), n, most);
    question.conditions.push((less, true));
    question.extent = question.terms.constant(1000);
    assert!(matches!(decide(&question), Answer::Leaves(_)));
}

#[test]
fn a_condition_on_some_threads_is_no_proof_that_they_leave() {
    let mut question = Question { size: 16, ..Question::default() };
    let thread = question.terms.symbol(Symbol::Each, 0, SymbolFacts::range(0, 31));
    let count = question.terms.symbol(Symbol::Unknown, 1, SymbolFacts::range(0, i64::MAX));
    let sixteen = question.terms.constant(16);
    question.begin = question.terms.wide(Operation::Mul, thread, sixteen);
    question.extent = question.terms.constant(100);
    let flag = question.terms.symbol(Symbol::Unknown, 2, SymbolFacts::range(0, 1));
    question.conditions.push((flag, true));
    let Answer::Leaves(witness) = decide(&question) else { panic!("not decided") };
    assert_eq!((witness.values[&thread], witness.begin, witness.element()), (6, 96, 4));
    let first = question.terms.wide(Operation::Compare(Predicate::Slt), thread, count);
    question.conditions.push((first, true));
    let Answer::Undecided(doubt) = decide(&question) else { panic!("decided") };
    let example = doubt.example.expect("an example");
    assert!(example.values[&count] > example.values[&thread]);
}
