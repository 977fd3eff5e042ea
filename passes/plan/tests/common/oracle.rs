//! Runs a plan thread by thread on numbers, and compares every cell with what the layouts say.

mod compare;
mod registers;
mod scalars;

use std::collections::HashMap;

use tile_isa::{Space, Transfer};
use tile_layout::Eval;
use tile_plan::address::{access_of_vector, bounded, bulk_address, guard_digit, matrix_address, matrix_register, rank};
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::composite::PlanBuffers;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::families::vector::plan::{MatchedCopy, VectorCopy};
use tile_plan::families::vector::rotation::rotated;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::Fill;
use tile_plan::problem::role::Role;
use tile_plan::sides::side::Guard;
use tile_plan::target::Target;

use super::machine::{Cell, Contents, block, cells, count, is_active, source};
use super::realign::check_realigned;
use super::realigned_loads::check_realigned_loads;
use super::tensor::{check_access, check_copy};

/// Values of the operands' dynamic begins.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub src: Vec<i64>,
    pub dst: Vec<i64>,
    /// Values of the limits of a mask.
    pub mask: Vec<i64>,
}

/// Marks a destination element that is filled, because its source is outside.
const FILLED: usize = usize::MAX;
/// Marks an element of a vector that is not loaded.
const NOTHING: usize = usize::MAX - 1;

/// One run of a plan.
struct Run<'a> {
    problem: &'a Problem,
    values: &'a Values,
    source: Contents,
    /// What the source holds for each element.
    values_of: HashMap<usize, usize>,
    /// The number of times that each cell was written, and the element.
    written: HashMap<Cell, (usize, usize)>,
    /// The number of times that each element was reduced into a cell.
    reduced: HashMap<(Cell, usize), usize>,
}

/// Runs the plan and checks every cell.
///
/// # Errors
/// The first defect.
pub fn check(problem: &Problem, aligned: &CopyPlan, target: &Target, values: &Values) -> Result<(), String> {
    match aligned {
        CopyPlan::TmemCopy(copy) => {
            copy.verify().map_err(|error| error.to_string())?;
            return check_copy(problem, copy, values);
        }
        CopyPlan::TmemAccess(access) => {
            access.verify().map_err(|error| error.to_string())?;
            return check_access(problem, access, values);
        }
        CopyPlan::Realigned(plan) => return check_realigned(problem, plan, values),
        _ => {}
    }
    // The plan of a fill, which reads nothing, has the destination on both sides.
    let on_both_sides;
    let problem = match (problem.operands.get(Role::Src), problem.operands.get(Role::Dst)) {
        (None, Some(dst)) => {
            on_both_sides = problem.clone().with_operand(Role::Src, dst.clone());
            &on_both_sides
        }
        _ => problem,
    };
    let source = source(problem, &values.src, &|element| inside(problem, values, Role::Src, element));
    let held = cells(problem, problem.operand(Role::Src).unwrap(), &values.src, false).into_iter();
    let held = held.filter(|&(_, element)| inside(problem, values, Role::Src, element));
    let values_of = held.filter_map(|(cell, element)| Some((element, *source.get(&cell)?))).collect();
    let mut run = Run { problem, values, source, values_of, written: HashMap::new(), reduced: HashMap::new() };
    match aligned {
        CopyPlan::Partition(copy) => run.partition(copy, target)?,
        CopyPlan::RealignedLoads(plan) => {
            check_realigned_loads(problem, plan, values)?;
            // Element by element: chunks have been checked.
            run.moved(&VectorCopy { accesses: [plan.vectors.vector, 1], ..plan.vectors.clone() })?;
        }
        CopyPlan::Matrix(copy) => run.matrices(copy)?,
        CopyPlan::Scalar(copy) => run.scalars(copy)?,
        CopyPlan::Bulk(copy) => run.bulk(copy)?,
        CopyPlan::Registers(copy) => run.registers(copy)?,
        CopyPlan::Composite(plan) if plan.buffers == PlanBuffers::default() => run.parts(plan, target)?,
        CopyPlan::Composite(plan) => return run.through(plan, target),
        other => return Err(format!("nothing runs the plan of {}", other.variant())),
    }
    if matches!(problem.effect, Effect::Reduced(_)) { run.compare_reduced() } else { run.compare() }
}

/// Whether an element, by its index in the region, is inside one operand.
pub fn inside(problem: &Problem, values: &Values, role: Role, element: usize) -> bool {
    let Some(mask) = &problem.mask else { return true };
    let mut rest = element as i64;
    let extents = problem.operand(role).unwrap().extent.iter().filter(|&&extent| extent != 1);
    let mut coordinates: Vec<i64> = Vec::new();
    for extent in extents.rev() {
        coordinates.push(rest % extent);
        rest /= extent;
    }
    coordinates.reverse();
    mask.holds(role, &coordinates, &values.mask)
}

impl Run<'_> {
    fn element_bytes(&self, role: Role) -> i64 {
        i64::from(self.problem.bits_of(role) / 8)
    }

    fn active(&self) -> Vec<i64> {
        (0..block(self.problem)).filter(|thread| is_active(self.problem, *thread)).collect()
    }

    /// The scope-relative id of a thread.
    fn relative(&self, thread: i64) -> i64 {
        thread % count(self.problem)
    }

    fn aligned(&self, role: Role, address: i64, elements: i64) -> Result<(), String> {
        // The base has the proven alignment, and no more.
        let byte = self.problem.operand(role).unwrap().align_bytes + address * self.element_bytes(role);
        let size = elements * self.element_bytes(role);
        if byte % size == 0 { Ok(()) } else { Err(format!("{size}-byte access of element {address} is misaligned")) }
    }

    fn cell(&self, role: Role, thread: i64, address: i64) -> Cell {
        let local = self.problem.operand(role).unwrap().space == Space::Local;
        (local.then_some(thread), address)
    }

    fn read(&self, thread: i64, address: i64) -> Result<usize, String> {
        let cell = self.cell(Role::Src, thread, address);
        self.source.get(&cell).copied().ok_or_else(|| format!("thread {thread} reads {cell:?}, outside of the region"))
    }

    fn write(&mut self, thread: i64, address: i64, element: usize) -> Result<(), String> {
        let cell = self.cell(Role::Dst, thread, address);
        if matches!(self.problem.effect, Effect::Reduced(_)) {
            *self.reduced.entry((cell, element)).or_default() += 1;
            return Ok(());
        }
        let entry = self.written.entry(cell).or_insert((0, element));
        entry.0 += 1;
        if entry.1 == element {
            Ok(())
        } else {
            Err(format!("{cell:?} gets element {} and element {element}", entry.1))
        }
    }

    fn partition(&mut self, copy: &MatchedCopy, target: &Target) -> Result<(), String> {
        let vectors = vectorize(copy, target, self.problem.max_vector_bits);
        let (copy, _) = vectors.map_err(|error| error.to_string())?;
        if let Effect::Reduced(red) = copy.effect {
            let bits = u32::try_from(copy.access_bits(Role::Dst)).unwrap();
            if !red.widths(target.red_forms(red, copy.dst.space)).contains(&bits) {
                return Err(format!("reduces {bits} bits at a time"));
            }
        }
        self.vectors(&copy)
    }

    fn vectors(&mut self, copy: &VectorCopy) -> Result<(), String> {
        copy.verify().map_err(|error| error.to_string())?;
        self.moved(copy)
    }

    /// Moves vectors, whatever their alignment.
    fn moved(&mut self, copy: &VectorCopy) -> Result<(), String> {
        if ((copy.rounds - 1) * copy.threads + copy.last()) * copy.vector != copy.dst.layout.size() {
            let (VectorCopy { rounds, threads, vector, .. }, last) = (copy, copy.last());
            return Err(format!("{rounds} rounds of {threads} threads, {last} in the last, {vector} elements each"));
        }
        if copy.transfer == Transfer::CpAsync && copy.mask.as_ref().is_some_and(|mask| mask.fill == Some(Fill::Value)) {
            return Err("cp.async fills with zeros only".to_owned());
        }
        if copy.variant == "ldgsts" && !matches!(copy.vector_bits(), 32 | 64 | 128) {
            return Err(format!("cp.async of {} bits", copy.vector_bits()));
        }
        let places = self.places(copy);
        let mut loaded = Vectors::new();
        for &(thread, t, f) in &places {
            let mut elements = vec![NOTHING; copy.vector as usize];
            let read = if copy.effect == Effect::Filled { 0 } else { self.read_of(copy, (f, t)) };
            if copy.effect == Effect::Filled {
                elements.fill(FILLED);
            }
            if read > 0 {
                let places = self.vector(copy, Role::Src, (f, t))?.into_iter().take(read as usize);
                for (element, place) in elements.iter_mut().zip(places) {
                    *element = self.read(thread, place)?;
                }
            }
            loaded.insert((thread, f), elements);
        }
        exchange(copy, &mut loaded)?;
        for &(thread, t, f) in &places {
            if !self.holds(copy, Role::Dst, (f, t)) {
                continue;
            }
            let places = self.vector(copy, Role::Dst, (f, t))?;
            for (to, &element) in places.into_iter().zip(&loaded[&(thread, f)]) {
                self.write_or_fill(thread, to, element)?;
            }
        }
        Ok(())
    }

    /// Whether the first element of a vector is inside one operand.
    fn holds(&self, copy: &VectorCopy, role: Role, place: (i64, i64)) -> bool {
        let bounded = bounded(&mut Eval, copy, role, place, &self.values.mask).unwrap();
        bounded.iter().all(|bound| (0..bound.extent).contains(&bound.place))
    }

    /// The number of elements of a vector that are read: all or none; for `cp.async`, those before the end.
    fn read_of(&self, copy: &VectorCopy, place: (i64, i64)) -> i64 {
        if !self.holds(copy, Role::Src, place) {
            return 0;
        }
        let Some(mask) = &copy.mask else { return copy.vector };
        let along = mask.digits.last().filter(|last| last.step != 0).map(|last| last.dimension);
        let bounded = bounded(&mut Eval, copy, Role::Src, place, &self.values.mask).unwrap();
        let ends =
            mask.of_side(Role::Src).zip(&bounded).filter(|(limit, _)| along.is_some() && limit.dimension == along);
        ends.map(|(_, bound)| bound.extent - bound.place).min().unwrap_or(copy.vector).min(copy.vector)
    }

    /// Writes an element, or the fill value, if any, where the element was not read.
    fn write_or_fill(&mut self, thread: i64, address: i64, element: usize) -> Result<(), String> {
        match self.problem.mask.as_ref().map(|mask| mask.fill) {
            Some(None) if element == NOTHING => Ok(()),
            Some(Some(_)) if element == NOTHING => self.write(thread, address, FILLED),
            _ => self.write(thread, address, element),
        }
    }

    /// The addresses of the elements of a vector on one side, each access of which must be aligned.
    fn vector(&self, copy: &VectorCopy, role: Role, (f, t): (i64, i64)) -> Result<Vec<i64>, String> {
        let values = if role == Role::Src { &self.values.src } else { &self.values.dst };
        let mut places = Vec::new();
        for access in 0..copy.accesses_of(role) {
            let first = access_of_vector(&mut Eval, copy, role, (f, t, access), values).unwrap();
            self.aligned(role, first, copy.access(role))?;
            places.extend(first..first + copy.access(role));
        }
        Ok(places)
    }

    /// The threads that take part: index in the block, number among the threads that share the copy, and rounds.
    fn places(&self, copy: &VectorCopy) -> Vec<(i64, i64, i64)> {
        let one = copy.threads == 1 && copy.ranks.is_none();
        let relative = |thread| if one { Some(0) } else { ranked(copy, self.relative(thread)) };
        let threads = self.active().into_iter().filter_map(|thread| Some((thread, relative(thread)?)));
        let admitted = threads.filter(|&(_, t)| admitted(&copy.guards, t));
        let place = |t, f| rotated(&mut Eval, copy, (f, t), &self.values.dst).unwrap();
        admitted.flat_map(|(thread, t)| (0..copy.rounds_of(t)).map(move |f| (thread, place(t, f), f))).collect()
    }

    /// Chunks, copied by the first thread of each scope; those of another CTA are at the same address in its storage.
    fn bulk(&mut self, copy: &BulkCopy) -> Result<(), String> {
        copy.verify().map_err(|error| error.to_string())?;
        if copy.chunks() * copy.chunk != copy.src.layout.size() || copy.chunk_bytes() % 16 != 0 {
            return Err(format!("{} chunks of {} bytes", copy.chunks(), copy.chunk_bytes()));
        }
        let unit = 16 / self.element_bytes(Role::Src);
        let first: Vec<i64> = self.active().into_iter().filter(|&thread| self.relative(thread) == 0).collect();
        for thread in first {
            for chunk in 0..copy.chunks() {
                let address = |role, values: &[i64]| bulk_address(&mut Eval, copy, role, chunk, values).unwrap();
                let from = address(Role::Src, &self.values.src);
                let to = address(Role::Dst, &self.values.dst);
                self.aligned(Role::Src, from, unit)?;
                self.aligned(Role::Dst, to, unit)?;
                for step in 0..copy.chunk {
                    let element = self.read(thread, from + step)?;
                    self.write(thread, to + step, element)?;
                }
            }
        }
        Ok(())
    }

    fn matrices(&mut self, copy: &MatrixCopy) -> Result<(), String> {
        let active = self.active();
        if !active.len().is_multiple_of(32)
            || active.chunks(32).any(|warp| warp[0] % 32 != 0 || warp[31] != warp[0] + 31)
        {
            return Err("a warp is not complete".to_owned());
        }
        for warp in active.chunks(32) {
            let admitted: Vec<bool> = warp.iter().map(|&t| admitted(&copy.guards, self.relative(t))).collect();
            if admitted.iter().any(|&other| other != admitted[0]) {
                return Err("a guard divides a warp".to_owned());
            }
            for step in (0..copy.steps()).filter(|_| admitted[0]) {
                for matrix in 0..copy.num {
                    self.matrix(copy, warp[0], step, matrix)?;
                }
            }
        }
        Ok(())
    }

    /// One matrix of 8 rows of 16 bytes: lane `8 * matrix + r` gives the address of row `r`.
    fn matrix(&mut self, copy: &MatrixCopy, warp: i64, step: i64, matrix: i64) -> Result<(), String> {
        let register = matrix_register(copy, step, matrix).unwrap();
        let values = if copy.load { &self.values.src } else { &self.values.dst };
        let held = 32 / i64::from(self.problem.element.bits);
        let columns = 4 * held;
        for place in 0..8 * columns {
            let (row, column) = (place / columns, place % columns);
            let t = self.relative(warp + 8 * matrix + row);
            let address = matrix_address(&mut Eval, copy, t, step, values).unwrap();
            let role = if copy.load { Role::Src } else { Role::Dst };
            self.aligned(role, address, columns)?;
            let (row, column, shared) = (row, column, address + column);
            let (major, minor) = if copy.trans { (column, row) } else { (row, column) };
            let (thread, register) = (warp + 4 * major + minor / held, held * register + minor % held);
            if copy.load {
                let element = self.read(thread, shared)?;
                self.write(thread, register, element)?;
            } else {
                let element = self.read(thread, register)?;
                self.write(thread, shared, element)?;
            }
        }
        Ok(())
    }
}

/// The elements of a vector, by thread and round.
type Vectors = HashMap<(i64, i64), Vec<usize>>;

/// Step by step, as the lanes do it: each pair of lanes swaps one vector of each pair of rounds.
fn exchange(copy: &VectorCopy, vectors: &mut Vectors) -> Result<(), String> {
    for step in copy.exchange_steps() {
        let (round, lane) = (step.inside as i64, step.lane());
        let first = |&(thread, f): &(i64, i64)| thread & lane == 0 && f & round == 0;
        for (thread, f) in vectors.keys().copied().filter(first).collect::<Vec<_>>() {
            let (mine, theirs) = ((thread, f + round), (thread + lane, f));
            let [Some(one), Some(other)] = [mine, theirs].map(|place| vectors.remove(&place)) else {
                return Err(format!("no thread is at {mine:?} or {theirs:?} to exchange"));
            };
            vectors.extend([(mine, other), (theirs, one)]);
        }
    }
    Ok(())
}

/// The number of a thread among those that share the copy, by the formula.
fn ranked(copy: &VectorCopy, t: i64) -> Option<i64> {
    let Some(ranks) = &copy.ranks else { return Some(t) };
    let (number, conditions) = rank(&mut Eval, ranks, t);
    let numbered = conditions.iter().all(|condition| condition.holds()).then_some(number);
    assert_eq!(numbered, copy.number_of(t));
    numbered
}

fn admitted(guards: &[Guard], t: i64) -> bool {
    guards.iter().all(|&guard| {
        let digit = guard_digit(&mut Eval, guard, t);
        assert_eq!(guard.admits(t), digit == 0);
        digit == 0
    })
}
