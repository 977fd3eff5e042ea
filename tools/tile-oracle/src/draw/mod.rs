//! Random programs, each reproducible from a seed and a number.
//!
//! A program is built statement by statement. Each one is first tried on the [`Machine`]: a statement that gives the
//! program a flaw gets a barrier before it, if that helps, or is drawn again. So every barrier is there because it is
//! needed.

mod buffers;
mod copy;
mod family;
mod layouts;
mod regions;
mod stmts;

use crate::ast::{Argument, Expr, Program, Scope, Stmt};
use crate::machine::{Flaw, Machine};
use crate::rng::Rng;
use family::Family;

/// A program under construction.
struct Draft {
    rng: Rng,
    program: Program,
    machine: Machine,
    families: Vec<Family>,
    /// The variables of the loops around the next statement.
    variables: Vec<usize>,
    /// The number of loop variables so far.
    loops: usize,
    copies: usize,
}

/// Program `number` of a seed.
pub fn program(seed: u64, number: u64) -> Program {
    let mut rng = Rng::new(seed, number);
    // The first attempt nearly always has a copy.
    for _ in 0..8 {
        let program = attempt(Rng::new(rng.next(), 0));
        if !crate::ast::copies(&program.body).is_empty() {
            return program;
        }
    }
    attempt(rng)
}

fn attempt(mut rng: Rng) -> Program {
    let (block, known_block) = (block(&mut rng), !rng.once_in(20));
    let program = Program {
        chip: rng.one_of::<&'static str>(&["sm_80", "sm_90a", "sm_90a", "sm_100a"]),
        grid: *rng.one_of(&[[1, 1, 1], [1, 1, 1], [1, 1, 1], [2, 1, 1], [3, 1, 1], [2, 2, 1], [1, 2, 2]]),
        block,
        known_block,
        arguments: Vec::new(),
        buffers: Vec::new(),
        body: Vec::new(),
    };
    let machine = Machine::new(&program);
    let mut draft = Draft { rng, program, machine, families: Vec::new(), variables: Vec::new(), loops: 0, copies: 0 };
    draft.numbers();
    let families = if draft.rng.once_in(4) { 2 } else { 1 };
    (0..families).for_each(|_| draft.family());
    draft.machine = Machine::new(&draft.program);
    draft.fill();
    let statements = draft.rng.below(6) + 1;
    (0..statements).for_each(|_| draft.statement());
    draft.drain();
    draft.program
}

/// The threads of a block: whole warps in most cases, in up to three dimensions.
fn block(rng: &mut Rng) -> [i64; 3] {
    const WHOLE: [[i64; 3]; 10] = [
        [32, 1, 1],
        [32, 1, 1],
        [64, 1, 1],
        [128, 1, 1],
        [128, 1, 1],
        [96, 1, 1],
        [256, 1, 1],
        [32, 2, 1],
        [16, 4, 2],
        [8, 4, 4],
    ];
    const ODD: [[i64; 3]; 6] = [[1, 1, 1], [48, 1, 1], [40, 1, 1], [5, 3, 2], [7, 1, 1], [16, 3, 1]];
    if rng.once_in(7) { *rng.one_of(&ODD) } else { *rng.one_of(&WHOLE) }
}

impl Draft {
    /// Arguments that are numbers.
    fn numbers(&mut self) {
        for _ in 0..3 {
            let value = *self.rng.one_of(&[0, 1, 2, 3, 4, 5, 8, 12, 16, 24, 32]);
            self.program.arguments.push(Argument::Index(value));
        }
        let entries = *self.rng.one_of(&[4, 8, 5]);
        let values = (0..entries).map(|_| *self.rng.one_of(&[0, 1, 2, 3, 4, 6, 8, 16])).collect();
        self.program.arguments.push(Argument::Table(values));
    }

    fn threads(&self) -> i64 {
        self.program.threads()
    }

    /// The number of groups of a scope in a block.
    fn groups(&self, scope: Scope) -> i64 {
        let size = scope.threads(self.threads());
        (self.threads() + size - 1) / size
    }

    /// The number of a thread's group in its block.
    fn group(&self, scope: Scope) -> Expr {
        match scope {
            Scope::Cta => Expr::Const(0),
            _ if self.groups(scope) == 1 => Expr::Const(0),
            Scope::Thread => Expr::Linear,
            _ => Expr::Linear.over(scope.threads(self.threads())),
        }
    }

    /// Adds statements if they are correct after the existing ones, with a barrier before them if needed; returns
    /// whether it did.
    fn try_push(&mut self, stmts: Vec<Stmt>) -> bool {
        match self.tried(&stmts) {
            Ok(machine) => self.accept(machine, stmts),
            Err(Flaw::Race { .. } | Flaw::InFlight) => {
                let behind: Vec<Stmt> = std::iter::once(Stmt::Barrier).chain(stmts.clone()).collect();
                match self.tried(&behind) {
                    Ok(machine) => self.accept(machine, behind),
                    Err(Flaw::Race { .. }) => self.with_barriers(stmts),
                    Err(_) => false,
                }
            }
            Err(_) => false,
        }
    }

    /// Adds the statements with a barrier after each, including those in loops.
    fn with_barriers(&mut self, stmts: Vec<Stmt>) -> bool {
        let mut all = vec![Stmt::Barrier];
        for stmt in stmts {
            match stmt {
                Stmt::For { variable, range, body } => {
                    let body = body.into_iter().flat_map(|stmt| [stmt, Stmt::Barrier]).collect();
                    all.push(Stmt::For { variable, range, body });
                }
                Stmt::Barrier => {}
                other => all.extend([other, Stmt::Barrier]),
            }
        }
        match self.tried(&all) {
            Ok(machine) => self.accept(machine, all),
            Err(_) => false,
        }
    }

    fn tried(&self, stmts: &[Stmt]) -> Result<Machine, Flaw> {
        let mut machine = self.machine.clone();
        stmts.iter().try_for_each(|stmt| machine.step(&self.program, stmt))?;
        Ok(machine)
    }

    fn accept(&mut self, machine: Machine, stmts: Vec<Stmt>) -> bool {
        self.machine = machine;
        self.program.body.extend(stmts);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::copies;

    #[test]
    fn programs_are_reproducible_and_mean_something() {
        let mut statements = 0;
        for number in 0..60 {
            let drawn = program(1, number);
            assert_eq!(drawn, program(1, number));
            assert_ne!(drawn, program(2, number));
            Machine::run(&drawn).unwrap_or_else(|flaw| panic!("program {number} {flaw}"));
            statements += copies(&drawn.body).len();
        }
        assert!(statements > 240, "{statements} copies in 60 programs");
    }

    #[test]
    fn every_barrier_is_needed() {
        let mut barriers = 0;
        for number in 0..30 {
            let drawn = program(3, number);
            let all = (0..drawn.body.len()).filter(|&at| drawn.body[at] == Stmt::Barrier);
            barriers += all
                .filter(|&at| {
                    let mut without = drawn.clone();
                    without.body.remove(at);
                    Machine::run(&without).is_err()
                })
                .count();
        }
        assert!(barriers > 30, "{barriers} needed barriers in 30 programs");
    }
}
