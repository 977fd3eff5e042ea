//! The surroundings of one op: what is computed at run time around it, from ids, loops and arguments.

use std::collections::{BTreeSet, HashMap};

use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::ir::argument_of;
use tile_ops::{interface, scf};
use tile_plan::bounds::{MAX_ELEMENTS, Question, Symbol, SymbolFacts, Term, Terms};
use tile_plan::integer::{Interval, Operation, Predicate};

use super::ranges::Ranges;
use super::run_time::RunTime;
use super::terms::{Follow, Interpreter, Launch, LeafFacts, Name, Origin};
use super::values::key;
use super::{arithmetic, divisibility, kernel};

/// Reads the surroundings of one op.
pub struct SurroundingsReader<'r, 'c, 'a> {
    ranges: &'r Ranges<'r>,
    interpreter: Interpreter,
    /// Terms, conditions and ranges of what has been read.
    pub question: Question,
    /// The origins of symbols.
    pub origins: HashMap<Term, Origin<'c, 'a>>,
}

/// What a reading notes about symbols.
struct Notes<'q, 'r, 'c, 'a> {
    ranges: &'r Ranges<'r>,
    origins: &'q mut HashMap<Term, Origin<'c, 'a>>,
    conditions: &'q mut Vec<(Term, bool)>,
    restricted: &'q mut BTreeSet<Term>,
}

impl<'c: 'a, 'a> LeafFacts<'c, 'a> for Notes<'_, '_, 'c, 'a> {
    fn unknown(&mut self, value: Value<'c, 'a>) -> SymbolFacts {
        let (least, most) = self.ranges.of(value);
        let of_type = arithmetic::bits(value.r#type()).map_or(Interval::ALL, Interval::of_bits);
        let range = Interval::new(least.into(), most.into()).and(of_type);
        SymbolFacts { range, residue: divisibility::infer(value) }
    }

    fn named(&mut self, term: Term, symbol: &Symbol, origin: Origin<'c, 'a>) {
        self.origins.insert(term, origin);
        let Origin::Value(value) = origin else { return };
        let function = argument_of(value).and_then(|(block, _)| block.parent_operation());
        if *symbol == Symbol::Unknown && !function.is_some_and(interface::is_function) {
            self.restricted.insert(term);
        }
    }

    fn below(&mut self, terms: &mut Terms, a: Term, b: Term) {
        self.conditions.push((terms.wide(Operation::Compare(Predicate::Slt), a, b), true));
    }
}

impl<'r, 'c: 'a, 'a> SurroundingsReader<'r, 'c, 'a> {
    /// Reads the surroundings of an op, and the conditions under which it is executed.
    pub fn of(op: OperationRef<'c, 'a>, ranges: &'r Ranges<'r>) -> Self {
        let interpreter = Interpreter::new(Follow::Computed).with_launch(Launch::of(kernel::function(op)));
        let (question, origins) = Default::default();
        let mut reading = SurroundingsReader { ranges, interpreter, question, origins };
        reading.around(op);
        reading
    }

    /// Calls `read` with the interpreter, the terms, and what is noted about symbols.
    fn interpret(
        &mut self,
        read: impl FnOnce(&mut Interpreter, &mut Terms, &mut Notes<'_, 'r, 'c, 'a>) -> Term,
    ) -> Term {
        let Question { terms, conditions, restricted, .. } = &mut self.question;
        let mut notes = Notes { ranges: self.ranges, origins: &mut self.origins, conditions, restricted };
        read(&mut self.interpreter, terms, &mut notes)
    }

    /// A value as a term.
    pub fn term(&mut self, value: Value<'c, 'a>) -> Term {
        self.interpret(|interpreter, terms, notes| interpreter.term(terms, value, notes))
    }

    /// A run-time number as a term.
    pub fn number(&mut self, number: &RunTime<'c, 'a>) -> Term {
        match *number {
            RunTime::Constant(number) => self.question.terms.constant(number),
            RunTime::Value(value) => self.term(value),
            RunTime::Start(ref start) => {
                let mut sum = self.question.terms.constant(start.constant);
                for &value in start.values.iter() {
                    let value = self.term(value);
                    sum = self.question.terms.wide(Operation::Add, value, sum);
                }
                sum
            }
            RunTime::Extent(memref, dimension) => {
                self.interpret(|interpreter, terms, notes| interpreter.extent(terms, (memref, dimension), notes))
            }
            RunTime::Stride(memref, dimension) => {
                let known = SymbolFacts { residue: number.known(), ..SymbolFacts::range(i64::MIN, i64::MAX) };
                self.symbol(Name::Stride(key(memref), dimension), memref, known)
            }
        }
    }

    /// The address that a memref or pointer holds, or that of the first element of a memref.
    pub fn address(&mut self, value: Value<'c, 'a>, first_element: bool) -> Term {
        let name = if first_element { Name::Element(key(value)) } else { Name::Pointer(key(value)) };
        self.symbol(name, value, SymbolFacts::range(0, i64::MAX))
    }

    fn symbol(&mut self, name: Name, value: Value<'c, 'a>, known: SymbolFacts) -> Term {
        let symbol = (Symbol::Unknown, known);
        self.interpret(|interpreter, terms, notes| {
            interpreter.symbol(terms, (name, Origin::Value(value)), symbol, notes).0
        })
    }

    /// States that a term is an extent of memory.
    pub fn is_extent(&mut self, term: Term) {
        if self.question.terms.as_constant(term).is_none() {
            self.question.bounded.push((term, Interval::new(0, MAX_ELEMENTS.into())));
        }
    }
}

/// Whether a loop compares its variable as unsigned.
pub(super) fn is_unsigned(op: OperationRef<'_, '_>) -> bool {
    scf::ForOp::cast(op).is_some_and(|for_op| for_op.unsigned_cmp())
}
