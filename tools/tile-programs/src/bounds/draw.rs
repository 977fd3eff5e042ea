//! Draws kernels.

use tile_oracle::Rng;

use super::ast::{ARGUMENTS, Copy, EXTENTS, Expression, Kernel, Op, PART, Predicate, ROWS, Statement, Type};
use super::expressions::{Names, constant, expression, limited};

/// The streams of kernels differ from those of other programs.
const STREAM: u64 = 0x626f_756e_6473;
/// The number of arguments that are tried.
const ARGUMENT_SETS: usize = 24;
/// The deepest nesting of statements.
const MAX_DEPTH: i64 = 4;

/// Kernel `number` of a seed.
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut rng = Rng::new(seed ^ STREAM, number);
    let mut draw = Draw { rng: &mut rng, names: Names::default(), copies: 0, variables: 0 };
    let mut body = Vec::new();
    for _ in 0..10 {
        body.extend(draw.body(0, true));
        if draw.copies > 0 {
            break;
        }
    }
    let copies = draw.copies;
    let arguments = (0..ARGUMENT_SETS).map(|_| ARGUMENTS.map(|r#type| argument(&mut rng, r#type))).collect();
    Kernel { body, arguments, copies }
}

/// A value of an argument, often a small one.
fn argument(rng: &mut Rng, r#type: Type) -> i64 {
    if rng.once_in(3) { rng.below(80) - 4 } else { constant(rng, r#type) }
}

/// The largest signed number of an index or an i32.
fn largest(r#type: Type) -> i64 {
    if r#type == Type::I32 { i64::from(i32::MAX) } else { i64::MAX }
}

struct Draw<'r> {
    rng: &'r mut Rng,
    names: Names,
    copies: usize,
    variables: usize,
}

impl Draw<'_> {
    /// Statements at a depth; all threads execute them alike if `uniform`.
    fn body(&mut self, depth: i64, uniform: bool) -> Vec<Statement> {
        let known = self.names.len();
        let count = if self.rng.once_in(3) { 2 } else { 1 };
        let mut all = Vec::new();
        for _ in 0..count {
            self.statements(depth, uniform, &mut all);
        }
        self.names.truncate(known);
        all
    }

    fn statements(&mut self, depth: i64, uniform: bool, all: &mut Vec<Statement>) {
        let choices = if depth < MAX_DEPTH && self.copies < 4 { 12 } else { 5 };
        match self.rng.below(choices) {
            0..=2 => self.copy(uniform, all),
            3 | 4 => self.guarded(uniform, all),
            5 => {
                let same = uniform && self.rng.once_in(2);
                let value = expression(self.rng, &self.names, Type::Index, same, 3);
                self.bind(value, uniform, all);
                self.statements(depth + 1, uniform, all);
            }
            6 | 7 => {
                let (condition, same) = self.condition(uniform);
                let then = self.body(depth + 1, same);
                let otherwise = if self.rng.once_in(3) { self.body(depth + 1, same) } else { Vec::new() };
                all.push(Statement::If(condition, then, otherwise));
            }
            8 => all.push(self.affine_loop(depth, uniform)),
            _ => all.push(self.scf_loop(depth, uniform)),
        }
    }

    fn variable(&mut self, r#type: Type, uniform: bool) -> usize {
        self.variables += 1;
        self.names.push(self.variables, r#type, uniform);
        self.variables
    }

    /// Names a value, which is uniform if it was drawn as such.
    fn bind(&mut self, value: Expression, region: bool, all: &mut Vec<Statement>) -> Expression {
        let uniform = region && self.names.is_uniform(&value);
        let r#type = value.r#type();
        let number = self.variable(r#type, uniform);
        all.push(Statement::Let(number, value));
        Expression::Variable(number, r#type)
    }

    fn condition(&mut self, uniform: bool) -> (Expression, bool) {
        let same = uniform && !self.rng.once_in(3);
        let condition = expression(self.rng, &self.names, Type::I1, same, 3);
        let same = uniform && self.names.is_uniform(&condition);
        (condition, same)
    }

    fn affine_loop(&mut self, depth: i64, uniform: bool) -> Statement {
        let lower = self.rng.below(20) - 4;
        let step = 1 + self.rng.below(9);
        let bounds = [lower, lower + self.rng.below(10) * step + self.rng.below(3), step];
        let known = self.names.len();
        let variable = self.variable(Type::Index, uniform);
        let body = self.body(depth + 1, uniform);
        self.names.truncate(known);
        Statement::AffineFor { variable, bounds, body }
    }

    fn scf_loop(&mut self, depth: i64, uniform: bool) -> Statement {
        let r#type = if self.rng.once_in(5) { Type::I32 } else { Type::Index };
        let same = uniform && !self.rng.once_in(3);
        let step = |rng: &mut Rng| {
            let step = if rng.once_in(8) { constant(rng, r#type) } else { *rng.one_of(&[1, 2, 4, 8, 16, 3, 7]) };
            Expression::Constant(r#type, step)
        };
        let unsigned = self.rng.once_in(3);
        let bounds = if self.rng.once_in(6) {
            // The variable wraps after a few iterations, or in each.
            let step = if unsigned { -1 - self.rng.below(6) } else { largest(r#type) - self.rng.below(40) };
            let lower = self.rng.below(40);
            let upper =
                if self.rng.once_in(2) { lower + self.rng.below(30) } else { largest(r#type) - self.rng.below(60) };
            [lower, upper, step].map(|value| Expression::Constant(r#type, value))
        } else if self.rng.once_in(6) {
            // The variable may pass the end of its type.
            let least = self.rng.once_in(2);
            let most = largest(r#type);
            let by = [self.rng.below(40), self.rng.below(3)];
            let [lower, upper] = by.map(|by| if least { -most - 1 + 40 - by } else { most - by });
            [Expression::Constant(r#type, lower), Expression::Constant(r#type, upper), step(self.rng)]
        } else {
            let bound = |draw: &mut Self| limited(draw.rng, &draw.names, r#type, same, 70);
            let lower = if self.rng.once_in(2) { Expression::Constant(r#type, self.rng.below(4)) } else { bound(self) };
            [lower, bound(self), step(self.rng)]
        };
        let same = uniform && bounds.iter().all(|bound| self.names.is_uniform(bound));
        let known = self.names.len();
        let variable = self.variable(r#type, same);
        let body = self.body(depth + 1, same);
        self.names.truncate(known);
        Statement::For { variable, bounds, unsigned, body }
    }

    fn copy(&mut self, uniform: bool, all: &mut Vec<Statement>) {
        let copy = self.drawn(uniform);
        all.push(Statement::Copy(Box::new(copy)));
    }

    /// A copy whose begin is a number that a condition around it compares.
    fn guarded(&mut self, uniform: bool, all: &mut Vec<Statement>) {
        let mut copy = self.drawn(uniform);
        let value = expression(self.rng, &self.names, Type::Index, copy.warp, 3);
        let begin = self.bind(value, uniform, all);
        let extents = if copy.part.is_some() { PART } else { EXTENTS };
        let most = extents[0] - copy.sizes[0];
        copy.begin[0] = begin.clone();
        let limit = Expression::Constant(Type::Index, most + [0, 0, 0, 1, -1][self.rng.below(5) as usize]);
        let compare = |predicate, left: &Expression, right: &Expression| {
            Expression::of(Op::Compare(predicate), vec![left.clone(), right.clone()])
        };
        let zero = Expression::Constant(Type::Index, 0);
        let condition = match self.rng.below(5) {
            0 => compare(Predicate::Ule, &begin, &limit),
            1 => compare(Predicate::Ult, &begin, &limit),
            2 => compare(Predicate::Sle, &begin, &limit),
            3 => Expression::of(
                Op::And,
                vec![compare(Predicate::Sge, &begin, &zero), compare(Predicate::Sle, &begin, &limit)],
            ),
            _ => {
                let size = Expression::Constant(Type::Index, copy.sizes[0]);
                let end = Expression::of(Op::Add, vec![begin.clone(), size]);
                let extent = Expression::Constant(Type::Index, extents[0]);
                let predicate = *self.rng.one_of(&[Predicate::Sle, Predicate::Ule, Predicate::Slt]);
                compare(predicate, &end, &extent)
            }
        };
        all.push(Statement::If(condition, vec![Statement::Copy(Box::new(copy))], Vec::new()));
    }

    fn drawn(&mut self, uniform: bool) -> Copy {
        let warp = uniform && self.rng.once_in(2);
        let number = self.copies;
        self.copies += 1;
        let sizes = [1 + self.rng.below(ROWS), 1 << self.rng.below(3)];
        let part = self.rng.once_in(5).then(|| self.begin(warp, [EXTENTS[0] - PART[0], EXTENTS[1] - PART[1]]));
        let extents = if part.is_some() { PART } else { EXTENTS };
        let begin = self.begin(warp, [extents[0] - sizes[0], extents[1] - sizes[1]]);
        Copy { number, warp, writes: self.rng.once_in(3), masked: self.rng.once_in(5), part, begin, sizes }
    }

    /// The begin of a region; mostly, only that of its rows is computed.
    fn begin(&mut self, uniform: bool, most: [i64; 2]) -> [Expression; 2] {
        let row = limited(self.rng, &self.names, Type::Index, uniform, most[0]);
        let column = if self.rng.once_in(5) {
            limited(self.rng, &self.names, Type::Index, uniform, most[1])
        } else {
            Expression::Constant(Type::Index, self.rng.below(most[1] + 1))
        };
        [row, column]
    }
}
