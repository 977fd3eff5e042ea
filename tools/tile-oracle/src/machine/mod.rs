//! The execution of a program, in plain loops over blocks, threads and elements.
//!
//! All active threads of a block execute a statement before the next one starts. This is one of many orders; a program
//! whose outcome depends on the order has a [`Flaw`], which is found from the threads that have accessed a location
//! since the last barrier.

mod cells;
mod copy;
mod eval;
mod flaw;
mod flight;
mod memory;

use std::collections::BTreeSet;
use std::rc::Rc;

pub use cells::{Cell, FLIGHT, RACE};
pub use flaw::Flaw;
pub use memory::{POISON, bytes, defined};

use crate::ast::{Cond, Expr, Program, Stmt};
use cells::{Parties, Store};
use eval::Eye;
use flight::{Flight, Issued};
use memory::{Placed, Table};

/// The most iterations of one loop, of all threads together.
const MAX_ITERATIONS: usize = 64;

/// Statistics of a copy after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The number of times that a group of threads did it.
    pub times: usize,
    /// The most threads that did it together.
    pub most: usize,
    /// Whether some threads of a scope were left out.
    pub partial: bool,
}

/// What is known of the instructions that copies became, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct CompiledCopies {
    /// Asynchronous copies that became ordinary loads and stores, so nothing has to wait for them.
    pub at_once: BTreeSet<usize>,
    /// Copies through shared memory, with barriers of their own, which also order what stands around the copy.
    pub with_barriers: BTreeSet<usize>,
}

/// The state of a launch.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Whether to continue after a race, and mark the values that result from it.
    tolerant: bool,
    compiled: CompiledCopies,
    /// By the copy's number.
    pub reached: Vec<Reached>,
    stores: Vec<Store>,
    table: Table,
    placed: Vec<Rc<Placed>>,
    /// By block, buffer, then thread and register.
    registers: Vec<Vec<Vec<Cell>>>,
    parties: Parties,
    /// Barriers passed, by block.
    epochs: Vec<u32>,
    flights: Vec<Flight>,
    issued: Vec<Vec<Issued>>,
    /// By the variable's number, then by thread.
    variables: Vec<Vec<i64>>,
}

impl Machine {
    /// The state before the first statement.
    pub fn new(program: &Program) -> Self {
        let (blocks, threads) = (program.blocks() as usize, program.threads() as usize);
        let placed: Vec<Rc<Placed>> =
            program.buffers.iter().map(|buffer| Rc::new(Placed::new(buffer, program.threads()))).collect();
        let registers = |placed: &Rc<Placed>| vec![Cell::default(); threads * placed.registers];
        let (stores, table) = memory::stores(program, &placed);
        Machine {
            tolerant: false,
            compiled: CompiledCopies::default(),
            reached: Vec::new(),
            stores,
            table,
            registers: vec![placed.iter().map(registers).collect(); blocks],
            placed,
            parties: Parties::default(),
            epochs: vec![0; blocks],
            flights: Vec::new(),
            issued: vec![vec![Issued::default(); threads]; blocks],
            variables: Vec::new(),
        }
    }

    /// Runs a whole program.
    ///
    /// # Errors
    /// The reason that it has no meaning.
    pub fn run(program: &Program) -> Result<Self, Flaw> {
        Machine::new(program).finished(program)
    }

    /// Runs a whole program that may have races, and marks the values that result from them.
    ///
    /// # Errors
    /// The reason that it has no meaning even so.
    pub fn run_tolerant(program: &Program, compiled: &CompiledCopies) -> Result<Self, Flaw> {
        Machine { tolerant: true, compiled: compiled.clone(), ..Machine::new(program) }.finished(program)
    }

    fn finished(mut self, program: &Program) -> Result<Self, Flaw> {
        program.body.iter().try_for_each(|stmt| self.step(program, stmt))?;
        self.end()?;
        Ok(self)
    }

    /// Executes one more statement, by all threads of all blocks.
    ///
    /// # Errors
    /// The reason that it has no meaning.
    pub fn step(&mut self, program: &Program, stmt: &Stmt) -> Result<(), Flaw> {
        let threads: Vec<i64> = (0..program.threads()).collect();
        (0..program.blocks()).try_for_each(|block| self.execute(program, stmt, block as usize, &threads))
    }

    /// Ends the program.
    ///
    /// # Errors
    /// Copies that no thread has waited for.
    pub fn end(&self) -> Result<(), Flaw> {
        if self.is_in_flight() && !self.tolerant { Err(Flaw::Pending) } else { Ok(()) }
    }

    fn execute(&mut self, program: &Program, stmt: &Stmt, block: usize, active: &[i64]) -> Result<(), Flaw> {
        if active.is_empty() {
            return Ok(());
        }
        match stmt {
            Stmt::Copy(copy) => self.copy(program, copy, block, active),
            Stmt::Barrier if active.len() as i64 == program.threads() => {
                self.epochs[block] += 1;
                Ok(())
            }
            Stmt::Barrier => Err(Flaw::Diverged),
            Stmt::Commit => {
                self.commit(block, active);
                Ok(())
            }
            Stmt::Wait(left) => {
                self.wait(block, active, *left);
                Ok(())
            }
            Stmt::If(cond, then, otherwise) => {
                let (yes, no) = self.parted(program, cond, block, active)?;
                then.iter().try_for_each(|stmt| self.execute(program, stmt, block, &yes))?;
                otherwise.iter().try_for_each(|stmt| self.execute(program, stmt, block, &no))
            }
            Stmt::For { variable, range, body } => self.repeat(program, (*variable, range, body), block, active),
            Stmt::Compute { buffer, factor, addend } => {
                let bits = program.buffers[*buffer].element.bits;
                self.compute(*buffer, (*factor, *addend, bits), block, active);
                Ok(())
            }
            Stmt::Dump { buffer, argument } => self.dump(program, (*buffer, *argument), block, active),
        }
    }

    fn eye<'e>(&'e self, program: &'e Program, block: usize, thread: i64) -> Eye<'e> {
        Eye { program, block: block as i64, thread, variables: &self.variables }
    }

    /// The threads for which a condition holds, and the others.
    fn parted(
        &self,
        program: &Program,
        cond: &Cond,
        block: usize,
        active: &[i64],
    ) -> Result<(Vec<i64>, Vec<i64>), Flaw> {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for &thread in active {
            let holds = self.eye(program, block, thread).holds(cond)?;
            if holds { &mut yes } else { &mut no }.push(thread);
        }
        Ok((yes, no))
    }

    fn repeat(
        &mut self,
        program: &Program,
        (variable, range, body): (usize, &[Expr; 3], &[Stmt]),
        block: usize,
        active: &[i64],
    ) -> Result<(), Flaw> {
        let mut ranges = vec![(0, 0, 0); program.threads() as usize];
        for &thread in active {
            let eye = self.eye(program, block, thread);
            let [first, end, step] = [0, 1, 2].map(|part| eye.number(&range[part]));
            ranges[thread as usize] = (first?, end?, step?);
        }
        if self.variables.len() <= variable {
            self.variables.resize(variable + 1, vec![0; program.threads() as usize]);
        }
        for _ in 0..MAX_ITERATIONS {
            let inside = |thread: &&i64| ranges[**thread as usize].0 < ranges[**thread as usize].1;
            let going: Vec<i64> = active.iter().filter(inside).copied().collect();
            if going.is_empty() {
                return Ok(());
            }
            for &thread in &going {
                self.variables[variable][thread as usize] = ranges[thread as usize].0;
                ranges[thread as usize].0 += ranges[thread as usize].2;
            }
            body.iter().try_for_each(|stmt| self.execute(program, stmt, block, &going))?;
        }
        Err(Flaw::TooLong)
    }

    /// Replaces the bits of every register, as an integer, by their product with `factor`, plus `addend`, plus the
    /// register's number.
    fn compute(&mut self, buffer: usize, (factor, addend, bits): (i64, i64, u32), block: usize, active: &[i64]) {
        let each = self.placed[buffer].registers;
        for &thread in active {
            for register in 0..each {
                let cell = &mut self.registers[block][buffer][thread as usize * each + register];
                let sum = addend as u128 + register as u128;
                cell.value = memory::truncated(cell.value.wrapping_mul(factor as u128).wrapping_add(sum), bits);
            }
        }
    }

    /// Thread `t` of block `b` stores register `r` at `(b * threads + t) * registers + r`.
    fn dump(
        &mut self,
        program: &Program,
        (buffer, argument): (usize, usize),
        block: usize,
        active: &[i64],
    ) -> Result<(), Flaw> {
        let each = self.placed[buffer].registers;
        let store = self.table.arguments[argument].ok_or(Flaw::OutOfBounds)?;
        for &thread in active {
            let party = self.parties.number(&[thread]);
            for register in 0..each {
                let cell = self.registers[block][buffer][thread as usize * each + register];
                let number = block * program.threads() as usize + thread as usize;
                self.write(block, party, (store, (number * each + register) as i64), cell)?;
            }
        }
        Ok(())
    }
}
