//! What a kernel does, computed without the compiler: where regions begin, and what memory holds in the end.

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{
    Affine, AffineLast, Copy, EXTENTS, Expression, Form, Kernel, Op, PART, Predicate, ROWS, Statement, THREADS, Type,
};

/// The most iterations of all loops of a thread.
const MAX_ITERATIONS: usize = 200;

/// A region that leaves its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// The number of the copy.
    pub copy: usize,
    /// The dimension.
    pub dimension: usize,
    /// The begin.
    pub begin: i64,
    /// The thread.
    pub thread: i64,
}

/// The outcome of a kernel for some arguments.
#[derive(Clone, Debug)]
pub struct Run {
    /// Every region that leaves.
    pub leaves: Vec<Leaves>,
    /// The copies that are executed.
    pub reached: BTreeSet<usize>,
    /// The elements of the result that are written, and the elements of the matrix that was read that they hold.
    pub read: BTreeMap<usize, usize>,
    /// The elements of the matrix that copies write.
    pub written: Vec<bool>,
}

/// Interprets a kernel; `None` if its behaviour is undefined for these arguments, or if its loops are too long.
pub fn interpret(kernel: &Kernel, arguments: &[i64]) -> Option<Run> {
    let written = vec![false; (EXTENTS[0] * EXTENTS[1]) as usize];
    let mut run = Run { leaves: Vec::new(), reached: BTreeSet::new(), read: BTreeMap::new(), written };
    for thread in 0..THREADS {
        let mut state = State { arguments, thread, variables: BTreeMap::new(), iterations: 0, run: &mut run };
        state.statements(&kernel.body)?;
    }
    Some(run)
}

/// A thread.
struct State<'s> {
    arguments: &'s [i64],
    thread: i64,
    variables: BTreeMap<usize, i64>,
    iterations: usize,
    run: &'s mut Run,
}

impl State<'_> {
    fn statements(&mut self, body: &[Statement]) -> Option<()> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match statement {
            Statement::Let(number, value) => {
                let value = self.value(value)?;
                self.variables.insert(*number, value);
                Some(())
            }
            Statement::If(condition, then, otherwise) => {
                let body = if self.value(condition)? != 0 { then } else { otherwise };
                self.statements(body)
            }
            Statement::For { variable, bounds, unsigned, body } => {
                let r#type = bounds[0].r#type();
                let [lower, upper, step] = [self.value(&bounds[0])?, self.value(&bounds[1])?, self.value(&bounds[2])?];
                if step == 0 || step < 0 && !unsigned {
                    return None;
                }
                let less = if *unsigned { Predicate::Ult } else { Predicate::Slt };
                let mut at = lower;
                while compare(less, r#type, at, upper) {
                    self.iteration(*variable, at, body)?;
                    at = wrap(i128::from(at) + i128::from(step), r#type);
                }
                Some(())
            }
            Statement::AffineFor { variable, bounds: [lower, upper, step], body } => {
                let mut at = *lower;
                while at < *upper {
                    self.iteration(*variable, at, body)?;
                    at = at.checked_add(*step)?;
                }
                Some(())
            }
            Statement::Copy(copy) => self.copy(copy),
        }
    }

    fn iteration(&mut self, variable: usize, at: i64, body: &[Statement]) -> Option<()> {
        self.iterations += 1;
        if self.iterations > MAX_ITERATIONS {
            return None;
        }
        self.variables.insert(variable, at);
        self.statements(body)
    }

    fn copy(&mut self, copy: &Copy) -> Option<()> {
        self.run.reached.insert(copy.number);
        let mut offset = [0, 0];
        let mut extents = EXTENTS;
        let mut inside = true;
        if let Some(begin) = &copy.part {
            offset = [self.value(&begin[0])?, self.value(&begin[1])?];
            inside &= self.is_inside(copy.number, offset, EXTENTS, PART);
            extents = PART;
        }
        let begin = [self.value(&copy.begin[0])?, self.value(&copy.begin[1])?];
        if !copy.masked {
            inside &= self.is_inside(copy.number, begin, extents, copy.sizes);
        }
        if inside {
            self.elements(copy, offset, begin, extents);
        }
        Some(())
    }

    /// Whether a region is inside; remembers the dimensions in which it is not.
    fn is_inside(&mut self, copy: usize, begins: [i64; 2], extents: [i64; 2], sizes: [i64; 2]) -> bool {
        let mut inside = true;
        for dimension in 0..2 {
            let begin = begins[dimension];
            if !(0..=extents[dimension] - sizes[dimension]).contains(&begin) {
                inside = false;
                self.run.leaves.push(Leaves { copy, dimension, begin, thread: self.thread });
            }
        }
        inside
    }

    fn elements(&mut self, copy: &Copy, offset: [i64; 2], begin: [i64; 2], extents: [i64; 2]) {
        let first = own_row(copy, self.thread);
        for row in 0..copy.sizes[0] {
            for column in 0..copy.sizes[1] {
                let at = [i128::from(begin[0]) + i128::from(row), i128::from(begin[1]) + i128::from(column)];
                if !(0..2).all(|dimension| (0..i128::from(extents[dimension])).contains(&at[dimension])) {
                    continue;
                }
                let element = (offset[0] + at[0] as i64) * EXTENTS[1] + offset[1] + at[1] as i64;
                if copy.writes {
                    self.run.written[element as usize] = true;
                } else {
                    let place = (first + row) * EXTENTS[1] + column;
                    self.run.read.insert(place as usize, element as usize);
                }
            }
        }
    }

    fn value(&self, expression: &Expression) -> Option<i64> {
        match expression {
            Expression::Constant(_, value) => Some(*value),
            Expression::Argument(number) => self.arguments.get(*number).copied(),
            Expression::Thread => Some(self.thread),
            Expression::Variable(number, _) => self.variables.get(number).copied(),
            Expression::Operation(op, form, r#type, operands) => {
                let values = operands.iter().map(|operand| self.value(operand)).collect::<Option<Vec<i64>>>()?;
                operation(*op, *form, *r#type, operands[0].r#type(), &values)
            }
        }
    }
}

/// The first row of the result that a thread has for a copy.
pub fn own_row(copy: &Copy, thread: i64) -> i64 {
    let thread = if copy.warp { 0 } else { thread };
    (copy.number as i64 * THREADS + thread) * ROWS
}

/// Bits of a type.
fn bits(r#type: Type) -> u32 {
    match r#type {
        Type::Index | Type::I64 => 64,
        Type::I32 => 32,
        Type::I16 => 16,
        Type::I1 => 1,
    }
}

/// The number that a type holds in place of `value`.
pub fn wrap(value: i128, r#type: Type) -> i64 {
    let unused = 128 - bits(r#type);
    (value << unused >> unused) as i64
}

/// A value as an unsigned number.
fn unsigned(value: i64, r#type: Type) -> i128 {
    let unused = 64 - bits(r#type);
    i128::from((value as u64) << unused >> unused)
}

fn compare(predicate: Predicate, r#type: Type, left: i64, right: i64) -> bool {
    let (first, second) = (unsigned(left, r#type), unsigned(right, r#type));
    match predicate {
        Predicate::Eq => left == right,
        Predicate::Ne => left != right,
        Predicate::Slt => left < right,
        Predicate::Sle => left <= right,
        Predicate::Sgt => left > right,
        Predicate::Sge => left >= right,
        Predicate::Ult => first < second,
        Predicate::Ule => first <= second,
        Predicate::Ugt => first > second,
        Predicate::Uge => first >= second,
    }
}

/// The result of an operation; `None` if it is undefined.
fn operation(op: Op, form: Form, r#type: Type, from: Type, values: &[i64]) -> Option<i64> {
    match (op, values) {
        (Op::Compare(predicate), &[left, right]) => Some(-i64::from(compare(predicate, from, left, right))),
        (Op::Select, &[condition, then, otherwise]) => Some(if condition != 0 { then } else { otherwise }),
        (Op::Cast { signed: true }, &[value]) => Some(wrap(i128::from(value), r#type)),
        (Op::Cast { signed: false }, &[value]) => Some(wrap(unsigned(value, from), r#type)),
        (Op::Affine(affine), &[value]) => applied(affine, value),
        (_, &[left, right]) => binary(op, form, r#type, left, right),
        _ => None,
    }
}

fn applied(affine: Affine, value: i64) -> Option<i64> {
    let value = value.checked_mul(affine.scale)?.checked_add(affine.add)?;
    Some(match affine.last {
        AffineLast::Plain => value,
        AffineLast::Floor => value.div_euclid(affine.by),
        // As for index.ceildivs below.
        AffineLast::Ceil if value == i64::MIN => return None,
        AffineLast::Ceil => value.div_euclid(affine.by) + i64::from(value.rem_euclid(affine.by) != 0),
        AffineLast::Mod => value.rem_euclid(affine.by),
        AffineLast::Min => value.min(affine.by),
    })
}

fn binary(op: Op, form: Form, r#type: Type, left: i64, right: i64) -> Option<i64> {
    let (a, b) = (i128::from(left), i128::from(right));
    let (c, d) = (unsigned(left, r#type), unsigned(right, r#type));
    let divides = |divisor: i128| (divisor != 0).then_some(divisor);
    // The signed quotient of the least number and -1 is undefined, and so is the remainder.
    let quotient = || divides(b).map(|b| a / b).filter(|&ratio| i128::from(wrap(ratio, r#type)) == ratio);
    let shift = || u32::try_from(d).ok().filter(|&by| by < bits(r#type));
    let value = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::DivS => quotient()?,
        Op::RemS => a - quotient()? * b,
        // Upstream's expansion of index.ceildivs negates the dividend, which the least number does not survive.
        Op::CeilDivS if form == Form::Index && left == i64::MIN => return None,
        Op::CeilDivS => quotient()? + i128::from(a % b != 0 && (a < 0) == (b < 0)),
        Op::FloorDivS => quotient()? - i128::from(a % b != 0 && (a < 0) != (b < 0)),
        Op::DivU => c / divides(d)?,
        Op::RemU => c % divides(d)?,
        Op::CeilDivU => c / divides(d)? + i128::from(c % d != 0),
        Op::MinS => a.min(b),
        Op::MaxS => a.max(b),
        Op::MinU => c.min(d),
        Op::MaxU => c.max(d),
        Op::Shl => a << shift()?,
        Op::ShrS => a >> shift()?,
        Op::ShrU => c >> shift()?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Compare(_) | Op::Select | Op::Cast { .. } | Op::Affine(_) => return None,
    };
    let result = wrap(value, r#type);
    let as_unsigned = match op {
        Op::Add => Some(c + d),
        Op::Sub => Some(c - d),
        Op::Mul => c.checked_mul(d),
        _ => Some(unsigned(result, r#type)),
    };
    let is_defined = match form {
        Form::Plain | Form::Index => true,
        Form::NoSignedWrap => i128::from(result) == value,
        Form::NoUnsignedWrap => as_unsigned == Some(unsigned(result, r#type)),
    };
    is_defined.then_some(result)
}
