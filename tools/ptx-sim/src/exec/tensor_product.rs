//! `tcgen05.mma`: products of matrices into tensor memory, issued by one thread (PTX ISA 9.7.16.10).
//!
//! The bytes that a product accesses belong to the agent that represents the thread's products, until the thread waits
//! for a phase that a later `tcgen05.commit` completes. A product is ordered after the thread's `tcgen05.cp`, and after
//! the `tcgen05.mma` to whose sum it adds ([`follow`]).
//!
//! D has one element per cell. An f16 element is the low half of its cell; the high half has no value afterwards.

use super::cluster::Cluster;
use super::core::{Core, lanes};
use super::engine::Work;
use super::env::Env;
use super::multiplication::{Instruction, LEFT_COLUMNS, Left, Region, Sum, TensorProduct, follow};
use super::operand::{Descriptor, Operand};
use super::problem::{Exec, Locate, Problem, invalid, problem};
use super::sums::{Rows, Sum as Arithmetic, value};
use super::tensor_memory::{COLUMNS, cell};
use crate::check::{Accessor, Agent, CopyKind, Strength};
use crate::code::{Addr, Described, Element, Kind, TensorLeft, TensorMultiply};
use crate::fault::FaultKind;
use crate::memory::Segment;
use crate::parse::Space;

/// The targets that have the instruction: specific to an architecture (`a`) or to its family (`f`).
const CHIPS: [&str; 8] = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"];

/// Those that multiply integers.
const INTEGER_CHIPS: [&str; 3] = ["sm_100a", "sm_101a", "sm_110a"];

impl Core<'_, '_> {
    pub(crate) fn tensor_multiply(&mut self, op: &TensorMultiply, active: u32) -> Exec<()> {
        let target = &self.env.program.target;
        if !CHIPS.contains(&&**target) {
            return Err(invalid(format!("got the target {target}, expected one of {}", CHIPS.join(", "))));
        }
        if op.kind == Kind::I8 && !INTEGER_CHIPS.contains(&&**target) {
            let expected = INTEGER_CHIPS.join(", ");
            return Err(invalid(format!("got the target {target}, expected one of {expected} for `.kind::i8`")));
        }
        for lane in lanes(active) {
            let product = self.product(op, lane).lane(lane)?;
            self.begin_copy(lane, CopyKind::TensorProduct);
            self.check_places_of(lane, &product).lane(lane)?;
            self.order_product(lane, &product).lane(lane)?;
            self.enqueue(lane, Work::TensorProduct(Box::new(product)));
        }
        Ok(())
    }

    /// The product that the operands of one lane describe.
    fn product(&self, op: &TensorMultiply, lane: usize) -> Exec<TensorProduct> {
        let instruction = Instruction::decode(self.row(op.instruction)[lane], op.kind)?;
        let (rows, columns) = (instruction.rows, instruction.columns);
        let place = |addr: &Addr| {
            let at = self.addresses(addr)[lane];
            (at >> 16 & 0xffff, at & 0xffff)
        };
        let operand = |what: &str, of: Described, rows: u64, input: usize| -> Exec<Operand> {
            let named = |mut p: Box<Problem>| {
                p.detail = format!("{what}: {}", p.detail);
                p
            };
            let descriptor =
                Descriptor::of_tensor(self.row(of.src)[lane].wrapping_add_signed(of.addend)).map_err(named)?;
            let (element, transposed) = (instruction.inputs[input], instruction.transposed[input]);
            Ok(Operand { descriptor, element, rows, transposed })
        };
        let (first, column) = place(&op.d);
        if rows == 64 && first != 0 && first != 16 {
            return Err(invalid(format!("D of 64 rows begins in lane {first} of tensor memory, expected 0 or 16")));
        }
        let d = Region { lane: first, rows, column, columns };
        let a = match &op.a {
            TensorLeft::Shared(of) => Left::Shared(operand("A", *of, rows, 0)?),
            TensorLeft::Tensor(addr) => {
                let (lane, column) = place(addr);
                let a = Region { lane, rows, column, columns: LEFT_COLUMNS };
                if instruction.transposed[0] {
                    return Err(invalid(
                        "A in tensor memory is transposed, which only operands in shared memory can be",
                    ));
                }
                if lane != first {
                    return Err(invalid(format!(
                        "A begins in lane {lane} of tensor memory, expected lane {first}, as D"
                    )));
                }
                if a.overlaps(&d) {
                    return Err(invalid("A and D overlap in tensor memory"));
                }
                Left::Tensor(a)
            }
        };
        let b = operand("B", op.b, columns, 1)?;
        let sum = Sum { region: d, kind: op.kind, total: instruction.total };
        let adds = self.predicate(op.adds) >> lane & 1 == 1;
        let time = self.warp.copies[lane].tensor_commits + 1;
        Ok(TensorProduct { rank: self.rank, instruction, a, b, sum, adds, time })
    }

    /// Checks that the memory that the product reads and writes exists.
    fn check_places_of(&mut self, lane: usize, product: &TensorProduct) -> Exec<()> {
        let mut regions = vec![product.sum.region];
        let mut pieces = product.b.pieces();
        match &product.a {
            Left::Shared(a) => pieces.extend(a.pieces()),
            Left::Tensor(a) => regions.push(*a),
        }
        for region in &regions {
            let Region { lane, column, columns, .. } = *region;
            self.cta().tensor.check(lane, region.last() + 1 - lane, column, columns)?;
        }
        for piece in &pieces {
            self.check_piece_of_operand(lane, *piece as usize)?;
        }
        let counts = &mut self.env.counts[self.pc as usize];
        counts.shared_bytes += 16 * pieces.len() as u64;
        counts.tensor_bytes += regions.iter().map(|it| 4 * it.rows * it.columns).sum::<u64>();
        Ok(())
    }

    /// Records reads and writes as those of the product's agent, until a thread waits for its commit.
    fn order_product(&mut self, lane: usize, product: &TensorProduct) -> Exec<()> {
        let read = if let Left::Tensor(a) = &product.a { Some(*a) } else { None };
        let follows = follow(&mut self.warp.copies[lane].sums, product.sum, read);
        if !self.env.checks.races {
            return Ok(());
        }
        let (agent, thread) = (self.agents(Agent::TensorProduct), self.agents(Agent::Thread));
        let mut know = self.warp.know.get(lane).cloned().unwrap_or_default();
        know.raise(self.agents(Agent::TmemCopy), 1 << lane, product.time);
        let mut sums = know.clone();
        if follows {
            sums.raise(agent, 1 << lane, product.time);
        }
        let (slot, at, ranks) = (lane as u8, self.pc, self.env.shape.ranks);
        let proxy = if self.env.checks.proxy { self.env.warps } else { 0 };
        let who = |know, proxy| {
            Accessor::new(know, agent, slot, product.time, Strength::WEAK, at, ranks).on_behalf(thread, slot, proxy)
        };
        let (shared, tensor, sum) = (who(&know, proxy), who(&know, 0), who(&sums, 0));
        let (cta, overflow) = (&mut self.cluster.ctas[self.rank], &mut self.env.races.overflow);
        let left = if let Left::Shared(a) = &product.a { a.pieces() } else { Vec::new() };
        for piece in product.b.pieces().into_iter().chain(left) {
            if let Err(conflict) = cta.shared.shadow.read(piece as usize, 16, &shared, overflow) {
                return Err(self.env.race(conflict)).address(Space::Shared, piece);
            }
        }
        let cells = &mut cta.tensor.cells().shadow;
        let bytes = |region: &Region| 4 * region.columns as usize;
        let mut touched = Ok(());
        for place in read.iter().flat_map(|a| a.beginnings()) {
            touched =
                touched.and_then(|()| cells.read(place, bytes(&read.unwrap_or(product.sum.region)), &tensor, overflow));
        }
        for place in product.sum.region.beginnings() {
            touched = touched.and_then(|()| cells.write(place, bytes(&product.sum.region), &sum, overflow).map(|_| ()));
        }
        touched.map_err(|conflict| self.env.race(conflict))
    }
}

/// Completes a product: computes D.
pub(crate) fn perform(env: &Env<'_>, cluster: &mut Cluster, product: &TensorProduct) -> Exec<()> {
    let (cta, of) = (&mut cluster.ctas[product.rank], &product.instruction);
    let d = &product.sum.region;
    let b = product.b.rows(&cta.shared.data, 0..of.columns as usize);
    let init = env.checks.init && env.suspect.is_none();
    let a = match &product.a {
        Left::Shared(a) => a.rows(&cta.shared.data, 0..of.rows as usize),
        Left::Tensor(a) => rows(cta.tensor.cells(), a, of.inputs[0], init)?,
    };
    let cells = cta.tensor.cells();
    let (arithmetic, bytes) = (Arithmetic { total: of.total, negative: of.negative }, of.total.bits() as usize / 8);
    for (row, a) in a.iter().enumerate() {
        for (column, b) in b.iter().enumerate() {
            let at = cell(d.lane_of(row as u64), d.column + column as u64);
            let old = if product.adds { word(cells, at, bytes, init)? } else { 0 };
            cells.write(at, &arithmetic.of(old, a, b).to_le_bytes()[..bytes]);
            cells.init.remove(at + bytes..at + 4);
        }
    }
    Ok(())
}

/// The rows of A in tensor memory, where its elements are contiguous.
fn rows(cells: &Segment, region: &Region, inputs: Element, init: bool) -> Exec<Rows> {
    let size = inputs.bits() as usize / 8;
    let row = |row: u64| {
        let first = cell(region.lane_of(row), region.column);
        let element = |k: usize| Ok(value(inputs, word(cells, first + k * size, size, init)?));
        (0..4 * region.columns as usize / size).map(element).collect()
    };
    (0..region.rows).map(row).collect()
}

/// The first bytes of a cell; with `init`, they must have a value.
fn word(cells: &Segment, at: usize, bytes: usize, init: bool) -> Exec<u64> {
    if init && cells.init.first_missing(at..at + bytes).is_some() {
        let (cell, columns) = (at / 4, COLUMNS as usize);
        let (lane, column) = (cell / columns, cell % columns);
        let detail = format!("lane {lane}, column {column} of tensor memory, which the product reads, has no value");
        return Err(problem(FaultKind::Uninitialized, detail));
    }
    Ok(cells.data[at..at + bytes].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
}
