//! One copy, element by element.

use super::cells::{Access, Cell, FLIGHT, Location, RACE, Use};
use super::flight::Flight;
use super::{Flaw, Machine, Reached};
use crate::ast::{Completion, Copy, Effect, Program, Region, Source, Space};
use crate::convert::{self, NumberKind};
use crate::reduce::Operator;

/// A region as seen by the threads that copy it.
struct Side<'p> {
    buffer: usize,
    shape: &'p [i64],
    begin: Vec<i64>,
    extent: &'p [i64],
    /// The number of the memory, and the address of the buffer's first element in it.
    memory: Option<(usize, i64)>,
}

impl Side<'_> {
    fn count(&self) -> i64 {
        self.extent.iter().product()
    }

    /// Whether an element of the region, by its number, is inside the buffer.
    fn is_inside(&self, mut rest: i64) -> bool {
        (0..self.shape.len()).rev().all(|dimension| {
            let at = self.begin[dimension] + rest % self.extent[dimension];
            rest /= self.extent[dimension];
            (0..self.shape[dimension]).contains(&at)
        })
    }

    /// The number in the buffer of an element of the region, by its number there.
    fn element(&self, mut rest: i64) -> i64 {
        let (mut element, mut weight) = (0, 1);
        for dimension in (0..self.shape.len()).rev() {
            element += (self.begin[dimension] + rest % self.extent[dimension]) * weight;
            rest /= self.extent[dimension];
            weight *= self.shape[dimension];
        }
        element
    }
}

impl Machine {
    /// Executes a copy by each group of active threads.
    pub(super) fn copy(&mut self, program: &Program, copy: &Copy, block: usize, active: &[i64]) -> Result<(), Flaw> {
        let size = copy.scope.threads(program.threads());
        let mut rest = active;
        while let Some(first) = rest.first() {
            let end = rest.partition_point(|thread| thread / size == first / size);
            let (group, others) = rest.split_at(end);
            self.note(copy.id, group.len(), group.len() as i64 != size);
            let barriers = u32::from(self.compiled.with_barriers.contains(&copy.id));
            self.epochs[block] += barriers;
            self.copy_together(program, copy, block, group)?;
            self.epochs[block] += barriers;
            rest = others;
        }
        Ok(())
    }

    fn note(&mut self, id: usize, threads: usize, partial: bool) {
        if self.reached.len() <= id {
            self.reached.resize(id + 1, Reached::default());
        }
        let reached = &mut self.reached[id];
        reached.times += 1;
        reached.most = reached.most.max(threads);
        reached.partial |= partial;
    }

    fn copy_together(&mut self, program: &Program, copy: &Copy, block: usize, group: &[i64]) -> Result<(), Flaw> {
        let src = self.side(program, (&copy.src, copy.masked), block, group)?;
        let dst = self.side(program, (&copy.dst, copy.masked), block, group)?;
        if src.count() != dst.count() {
            return Err(Flaw::OutOfBounds);
        }
        let passes = match copy.issue.as_ref().and_then(|issue| issue.predicate.as_ref()) {
            Some(cond) => {
                let (yes, no) = self.parted(program, cond, block, group)?;
                if !yes.is_empty() && !no.is_empty() {
                    return Err(Flaw::NotUniform);
                }
                no.is_empty()
            }
            None => true,
        };
        let fill = copy.issue.as_ref().is_some_and(|issue| issue.fill);
        let made = converter(program, copy);
        let party = self.parties.number(group);
        let mut uses = Vec::new();
        for number in (0..dst.count()).filter(|_| passes || fill) {
            // A region of a copy that is not masked is always inside.
            if let Effect::Filled(bits) = copy.effect {
                if dst.is_inside(number) {
                    let (to, cells) = (dst.element(number), Held::Same(Cell::of(bits.into())));
                    self.write_element(block, party, group, (&dst, to), &cells, &mut uses)?;
                }
                continue;
            }
            let (reads, writes) = (src.is_inside(number), dst.is_inside(number));
            if !writes || !reads && copy.filler.is_none() {
                continue;
            }
            let (from, to) = (src.element(number), dst.element(number));
            let cells = match passes {
                true if !reads => Held::Same(Cell::of(copy.filler.unwrap_or(0).into())),
                true => self.read_element(block, party, group, (&src, from), &mut uses)?.map(&made)?,
                false => Held::Same(Cell::of(0)),
            };
            match copy.effect {
                Effect::Reduced(operator) => self.reduce(program, block, party, (&dst, to), (operator, &cells))?,
                _ => self.write_element(block, party, group, (&dst, to), &cells, &mut uses)?,
            }
        }
        overlap(&uses)?;
        let moves = copy.effect == Effect::Moved;
        if moves && src.memory.is_none() && dst.memory.is_none() && src.buffer == dst.buffer {
            let written = (0..dst.count()).filter(|&number| dst.is_inside(number)).map(|number| dst.element(number));
            let written: Vec<i64> = written.collect();
            let mut read = (0..src.count()).filter(|&number| src.is_inside(number)).map(|number| src.element(number));
            if read.any(|element| written.contains(&element)) {
                return Err(Flaw::Overlap);
            }
        }
        let own_group = copy.issue.as_ref().is_some_and(|issue| issue.completion == Completion::Group);
        if copy.issue.is_some() && !self.compiled.at_once.contains(&copy.id) {
            let flight = Flight { block: block as u32, party, waiting: group.len(), uses };
            self.issue(flight, group, own_group);
        } else if own_group {
            // Its group is closed anyway, empty.
            self.commit(block, group);
        }
        Ok(())
    }

    fn side<'p>(
        &self,
        program: &'p Program,
        (region, masked): (&'p Region, bool),
        block: usize,
        group: &[i64],
    ) -> Result<Side<'p>, Flaw> {
        let buffer = &program.buffers[region.buffer];
        let zeros = vec![0; buffer.shape.len()];
        let begin = self.same(group, |machine, thread| {
            let eye = machine.eye(program, block, thread);
            let begin: Result<Vec<i64>, Flaw> = region.begin.iter().map(|expr| eye.number(expr)).collect();
            Ok(if region.begin.is_empty() { zeros.clone() } else { begin? })
        })?;
        let inside = |dimension: usize| {
            begin[dimension] >= 0 && begin[dimension] + region.extent[dimension] <= buffer.shape[dimension]
        };
        if !masked && !(0..buffer.shape.len()).all(inside) {
            return Err(Flaw::OutOfBounds);
        }
        let memory = match &buffer.source {
            _ if buffer.space == Space::Local => None,
            Source::View { argument, window } => {
                let store = self.table.arguments[*argument].ok_or(Flaw::OutOfBounds)?;
                let crate::ast::Argument::Memory(storage) = &program.arguments[*argument] else {
                    return Err(Flaw::OutOfBounds);
                };
                let first = self.same(group, |machine, thread| {
                    let eye = machine.eye(program, block, thread);
                    let mut first = storage.offset;
                    for (expr, stride) in window.iter().flatten().zip(storage.all_strides()) {
                        first += eye.number(expr)? * stride;
                    }
                    Ok(first)
                })?;
                Some((store, first))
            }
            Source::Open { argument, .. } => {
                let store = self.table.arguments[*argument].ok_or(Flaw::OutOfBounds)?;
                Some((store, 0))
            }
            _ => self.table.shared[block][region.buffer].map(|store| (store, 0)),
        };
        let shape = &buffer.shape;
        Ok(Side { buffer: region.buffer, shape, begin, extent: &region.extent, memory })
    }

    /// A value that must be the same for all threads of a group.
    fn same<T: PartialEq>(&self, group: &[i64], evaluate: impl Fn(&Self, i64) -> Result<T, Flaw>) -> Result<T, Flaw> {
        let first = evaluate(self, group[0])?;
        for &thread in &group[1..] {
            if evaluate(self, thread)? != first {
                return Err(Flaw::NotUniform);
            }
        }
        Ok(first)
    }

    fn read_element(
        &mut self,
        block: usize,
        party: usize,
        group: &[i64],
        (side, element): (&Side<'_>, i64),
        uses: &mut Vec<(Location, bool)>,
    ) -> Result<Held, Flaw> {
        if let Some((store, first)) = side.memory {
            let address = first + self.placed[side.buffer].addresses[element as usize];
            let cell = self.read(block, party, (store, address))?;
            uses.push((Location { store, address: address as usize }, false));
            return Ok(Held::Same(cell));
        }
        let placed = &self.placed[side.buffer];
        let holders = placed.holders[element as usize].iter().filter(|(thread, _)| group.contains(thread));
        let cells = &self.registers[block][side.buffer];
        let held: Vec<(i64, Cell)> =
            holders.map(|&(thread, register)| (thread, cells[thread as usize * placed.registers + register])).collect();
        match held.iter().find(|(_, cell)| !cell.defined) {
            Some(_) => Err(Flaw::Undefined),
            None => Ok(Held::By(held)),
        }
    }

    fn write_element(
        &mut self,
        block: usize,
        party: usize,
        group: &[i64],
        (side, element): (&Side<'_>, i64),
        held: &Held,
        uses: &mut Vec<(Location, bool)>,
    ) -> Result<(), Flaw> {
        if let Some((store, first)) = side.memory {
            let address = first + self.placed[side.buffer].addresses[element as usize];
            self.write(block, party, (store, address), held.common()?)?;
            uses.push((Location { store, address: address as usize }, true));
            return Ok(());
        }
        let placed = self.placed[side.buffer].clone();
        for &(thread, register) in placed.holders[element as usize].iter().filter(|(t, _)| group.contains(t)) {
            let at = thread as usize * placed.registers + register;
            self.registers[block][side.buffer][at] = held.of(thread)?;
        }
        Ok(())
    }

    /// Combines an element of memory with another one.
    fn reduce(
        &mut self,
        program: &Program,
        block: usize,
        party: usize,
        (side, element): (&Side<'_>, i64),
        (operator, held): (Operator, &Held),
    ) -> Result<(), Flaw> {
        let (store, first) = side.memory.ok_or(Flaw::OutOfBounds)?;
        let address = first + self.placed[side.buffer].addresses[element as usize];
        let kind = NumberKind::of(program.buffers[side.buffer].element.name).ok_or(Flaw::NotConverted)?;
        let new = held.common()?;
        let access = if operator.has_no_order(kind) { Use::Reduce(operator) } else { Use::Write };
        let taint = self.touch(block, party, (store, address), access)?;
        let old = self.stores[store].cells[address as usize];
        if !old.defined {
            return Err(Flaw::Undefined);
        }
        let value = operator.combine(kind, old.value as u64, new.value as u64).ok_or(Flaw::NotConverted)?;
        let taint = taint | old.taint | new.taint;
        self.stores[store].cells[address as usize] = Cell { taint, ..Cell::of(value.into()) };
        Ok(())
    }

    fn read(&mut self, block: usize, party: usize, (store, address): (usize, i64)) -> Result<Cell, Flaw> {
        let taint = self.touch(block, party, (store, address), Use::Read)?;
        let cell = self.stores[store].cells[address as usize];
        if !cell.defined {
            return Err(Flaw::Undefined);
        }
        Ok(Cell { taint: cell.taint | taint, ..cell })
    }

    /// Writes one element of memory.
    pub(super) fn write(
        &mut self,
        block: usize,
        party: usize,
        (store, address): (usize, i64),
        cell: Cell,
    ) -> Result<(), Flaw> {
        if !cell.defined {
            return Err(Flaw::Undefined);
        }
        self.touch(block, party, (store, address), Use::Write)?;
        self.stores[store].cells[address as usize] = cell;
        Ok(())
    }

    fn touch(&mut self, block: usize, party: usize, (store, address): (usize, i64), kind: Use) -> Result<u8, Flaw> {
        let store = &mut self.stores[store];
        let Some(address) = usize::try_from(address).ok().filter(|&address| address < store.cells.len()) else {
            return Err(Flaw::OutOfBounds);
        };
        let access = Access { block: block as u32, epoch: self.epochs[block], party, kind };
        let hazard = store.touch(address, access, &self.parties);
        if self.tolerant {
            let race = if hazard.definite { RACE } else { 0 };
            return Ok(race | if hazard.flight { FLIGHT } else { 0 });
        }
        match hazard {
            hazard if hazard.flight => Err(Flaw::InFlight),
            hazard if hazard.race => Err(Flaw::Race { definite: hazard.definite }),
            _ => Ok(0),
        }
    }
}

/// The conversion of an element's bits by a copy. The result for a NaN depends on the chip.
fn converter(program: &Program, copy: &Copy) -> impl Fn(u128) -> Result<u128, Flaw> + use<> {
    let [src, dst] = [&copy.src, &copy.dst].map(|region| NumberKind::of(program.buffers[region.buffer].element.name));
    let clause = copy.convert;
    move |value| match (src, dst, clause) {
        (Some(src), Some(dst), None) if src == dst => Ok(value),
        (Some(src), Some(dst), None | Some("signed" | "unsigned")) if !src.converts_to(dst) => Err(Flaw::NotConverted),
        (Some(src), Some(dst), _) if src.is_nan(value as u64) && !dst.is_integer() => Err(Flaw::NotConverted),
        (.., Some("tf32")) => Ok(convert::tf32(value as u64).into()),
        (Some(src), Some(dst), _) => Ok(convert::convert(src, dst, clause == Some("signed"), value as u64).into()),
        _ => Ok(value),
    }
}

/// The values of an element.
enum Held {
    /// From memory: one value for all threads.
    Same(Cell),
    /// From registers, by thread.
    By(Vec<(i64, Cell)>),
}

impl Held {
    /// Applies `made` to the values.
    fn map(self, made: impl Fn(u128) -> Result<u128, Flaw>) -> Result<Self, Flaw> {
        let apply = |cell: Cell| made(cell.value).map(|value| Cell { value, ..cell });
        Ok(match self {
            Held::Same(cell) => Held::Same(apply(cell)?),
            Held::By(held) => {
                let each = held.into_iter().map(|(thread, cell)| apply(cell).map(|cell| (thread, cell)));
                Held::By(each.collect::<Result<_, _>>()?)
            }
        })
    }

    /// The single common value.
    fn common(&self) -> Result<Cell, Flaw> {
        match self {
            Held::Same(cell) => Ok(*cell),
            Held::By(held) => {
                let (_, first) = held.first().ok_or(Flaw::OwnerAbsent)?;
                let taint = held.iter().fold(0, |all, (_, cell)| all | cell.taint);
                let same = held.iter().all(|(_, cell)| cell.value == first.value);
                if same { Ok(Cell { taint, ..*first }) } else { Err(Flaw::Ambiguous) }
            }
        }
    }

    /// The value for a thread: its own if it has one, otherwise the common one.
    fn of(&self, thread: i64) -> Result<Cell, Flaw> {
        match self {
            Held::By(held) => {
                let entry = held.iter().find(|(holder, _)| *holder == thread);
                entry.map_or_else(|| self.common(), |(_, cell)| Ok(*cell))
            }
            Held::Same(cell) => Ok(*cell),
        }
    }
}

/// Checks that a copy does not read what it writes, and does not write a location twice.
fn overlap(uses: &[(Location, bool)]) -> Result<(), Flaw> {
    let mut written: Vec<Location> = uses.iter().filter(|(_, write)| *write).map(|(at, _)| *at).collect();
    written.sort_unstable();
    let twice = written.windows(2).any(|pair| pair[0] == pair[1]);
    let read = uses.iter().filter(|(_, write)| !write).any(|(at, _)| written.binary_search(at).is_ok());
    if twice || read { Err(Flaw::Overlap) } else { Ok(()) }
}
