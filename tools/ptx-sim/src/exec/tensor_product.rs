//! `tcgen05.mma`: products of matrices into tensor memory, issued by one thread (PTX ISA 9.7.16.10).
//!
//! The bytes that a product accesses belong to the agent that represents the thread's products, until the thread waits
//! for a phase that a later `tcgen05.commit` completes. A product is ordered after the thread's `tcgen05.cp`, and after
//! the `tcgen05.mma` to whose sum it adds ([`follow`]).
//!
//! D has one element per cell. An f16 element is the low half of its cell; the high half has no value afterwards.

use super::cluster::Cluster;
use super::core::{Core, lanes};
use super::described::read_pieces;
use super::engine::Work;
use super::env::Env;
use super::multiplication::{Instruction, LEFT_COLUMNS, Left, TensorProduct};
use super::operand::{Descriptor, Operand};
use super::problem::{Exec, Locate, Problem, invalid};
use super::region::{Region, Sum, follow};
use super::rows::Rows;
use super::scales::{ScaleFields, Scales};
use super::sums::{Sum as Arithmetic, value};
use super::tensor_memory::{cell, lane as lane_of, word};
use crate::check::{Accessor, Agent, CopyKind, Strength};
use crate::code::{Addr, Described, Element, Form, TensorLeft, TensorMmaKind, TensorMultiply, TensorScales};
use crate::memory::Segment;
use crate::parse::Space;

/// The targets that have the instruction: specific to an architecture (`a`) or to its family (`f`).
const CHIPS: [&str; 8] = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"];

/// Those that multiply integers.
const INTEGER_CHIPS: [&str; 3] = ["sm_100a", "sm_101a", "sm_110a"];

impl Core<'_, '_> {
    /// Issues a product of the blocks with the ranks `blocks`.
    pub(crate) fn tensor_multiply(&mut self, blocks: &[usize], op: &TensorMultiply, active: u32) -> Exec<()> {
        let target = &self.env.program.target;
        if !CHIPS.contains(&&**target) {
            return Err(invalid(format!("got the target {target}, expected one of {}", CHIPS.join(", "))));
        }
        if op.kind == TensorMmaKind::I8 && !INTEGER_CHIPS.contains(&&**target) {
            let expected = INTEGER_CHIPS.join(", ");
            return Err(invalid(format!("got the target {target}, expected one of {expected} for `.kind::i8`")));
        }
        for lane in lanes(active) {
            let product = self.product(blocks, op, lane).lane(lane)?;
            self.begin_copy(lane, CopyKind::TensorProduct);
            self.check_places_of(lane, &product).lane(lane)?;
            self.order_product(lane, &product).lane(lane)?;
            self.enqueue(lane, Work::TensorProduct(Box::new(product)));
        }
        Ok(())
    }

    /// The product that the operands of one lane describe.
    fn product(&self, blocks: &[usize], op: &TensorMultiply, lane: usize) -> Exec<TensorProduct> {
        let instruction = Instruction::decode(self.row(op.instruction)[lane], op.kind, op.form)?;
        let place = |addr: &Addr| {
            let at = self.addresses(addr)[lane];
            (at >> 16 & 0xffff, at & 0xffff)
        };
        let operand = |what: &str, described: Described, rows: u64, input: usize| -> Exec<Operand> {
            let named = |mut p: Box<Problem>| {
                p.detail = format!("{what}: {}", p.detail);
                p
            };
            let descriptor = Descriptor::of_tensor(self.row(described.src)[lane].wrapping_add_signed(described.addend))
                .map_err(named)?;
            let (element, transposed) = (instruction.inputs[input], instruction.transposed[input]);
            Ok(Operand { descriptor, element, rows, transposed })
        };
        let (first, column) = place(&op.d);
        let d = instruction.region(first, column);
        if d.rows == 64 && first != 0 && first != 16 {
            return Err(invalid(format!("D of 64 rows begins in lane {first} of tensor memory, expected 0 or 16")));
        }
        let a = match &op.a {
            TensorLeft::Shared(described) => Left::Shared(operand("A", *described, instruction.block_rows(), 0)?),
            TensorLeft::Tensor(addr) => {
                let (lane, column) = place(addr);
                Left::Tensor(left(&instruction, &d, lane, column)?)
            }
        };
        let b = operand("B", op.b, instruction.block_columns(), 1)?;
        let scales = op.scales.as_ref().map(|scales| self.scales(op, scales, &instruction, &d, lane)).transpose()?;
        let Instruction { form, rows, total, .. } = instruction;
        let sum = Sum { region: d, form, rows, kind: op.kind, total };
        let adds = self.predicate(op.adds) >> lane & 1 == 1;
        let (kept, shift) = (self.kept(op, lane)?, op.shift);
        let time = self.warp.copies[lane].tensor_commits + 1;
        Ok(TensorProduct { blocks: blocks.to_vec(), instruction, a, b, scales, sum, kept, shift, adds, time })
    }

    /// The lanes of D that are not written, from masks of 32 lanes each. PTX does not say which of the eight masks of a
    /// pair of blocks belong to which block.
    fn kept(&self, op: &TensorMultiply, lane: usize) -> Exec<u128> {
        let kept = op.kept.iter().rev().take(4).fold(0, |all, &mask| all << 32 | u128::from(self.row(mask)[lane]));
        if op.form == Form::Pair && op.kept.iter().any(|&mask| self.row(mask)[lane] != 0) {
            return Err(invalid("a mask of lanes that a pair of blocks does not write is not supported"));
        }
        Ok(kept)
    }

    /// The scales of A and B; `d` is the region of D.
    fn scales(
        &self,
        op: &TensorMultiply,
        operands: &TensorScales,
        instruction: &Instruction,
        d: &Region,
        lane: usize,
    ) -> Exec<[Scales; 2]> {
        let fields = ScaleFields::decode(self.row(op.instruction)[lane], op.kind, operands.per_line)?;
        let checked = |i: usize, what: &str, lines: u64| {
            let scales = Scales::at(what, self.addresses(&operands.places[i])[lane], lines, fields.of(i))?;
            if scales.region.overlaps(d) {
                return Err(invalid(format!("the scales of {what} and D overlap in tensor memory")));
            }
            Ok(scales)
        };
        Ok([checked(0, "A", instruction.rows)?, checked(1, "B", instruction.columns)?])
    }

    /// Checks that the memory that the product reads and writes exists.
    fn check_places_of(&mut self, lane: usize, product: &TensorProduct) -> Exec<()> {
        let (regions, pieces) = ([vec![product.sum.region], product.reads()].concat(), product.pieces());
        for &block in &product.blocks {
            if block != self.rank && self.env.checks.races {
                self.check_alive(block, lane)?;
            }
            for region in &regions {
                let Region { lane, column, columns, .. } = *region;
                self.cluster.ctas[block].tensor.check(lane, region.last() + 1 - lane, column, columns)?;
            }
            for piece in &pieces {
                self.check_piece_of_operand(block, lane, *piece as usize)?;
            }
        }
        let (counts, blocks) = (&mut self.env.counts[self.pc as usize], product.blocks.len() as u64);
        counts.shared_bytes += 16 * blocks * pieces.len() as u64;
        counts.tensor_bytes += blocks * regions.iter().map(|region| 4 * region.rows * region.columns).sum::<u64>();
        Ok(())
    }

    /// Records reads and writes as those of the product's agent, until a thread waits for its commit.
    fn order_product(&mut self, lane: usize, product: &TensorProduct) -> Exec<()> {
        let reads = product.reads();
        let follows = follow(&mut self.warp.copies[lane].sums, product.sum, &reads);
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
        let pieces = product.pieces();
        let bytes = |region: &Region| 4 * region.columns as usize;
        let overflow = &mut self.env.races.overflow;
        for &block in &product.blocks {
            let cta = &mut self.cluster.ctas[block];
            if let Err((piece, _, conflict)) = read_pieces(&mut cta.shared.shadow, &pieces, &[shared], overflow) {
                return Err(self.env.race(conflict)).address(Space::Shared, piece);
            }
            let (cells, d) = (&mut cta.tensor.cells().shadow, &product.sum.region);
            let mut touched = Ok(());
            for (place, a) in reads.iter().flat_map(|a| a.beginnings().into_iter().map(move |place| (place, a))) {
                touched = touched.and_then(|()| cells.read(place, bytes(a), &tensor, overflow));
            }
            for place in product.writes() {
                touched = touched.and_then(|()| cells.write(place, bytes(d), &sum, overflow).map(|_| ()));
            }
            if let Err(conflict) = touched {
                return Err(self.env.race(conflict));
            }
        }
        Ok(())
    }
}

/// The region of A in tensor memory, in each block; `d` is that of D.
fn left(instruction: &Instruction, d: &Region, lane: u64, column: u64) -> Exec<Region> {
    let a = Region { lane, rows: d.rows, column, columns: LEFT_COLUMNS };
    if instruction.transposed[0] {
        return Err(invalid("A in tensor memory is transposed, which only operands in shared memory can be"));
    }
    if instruction.parts() > 1 {
        let what = format!(
            "A of {} rows in tensor memory, in several parts of its lanes, is not supported for pairs or `.ws`",
            instruction.rows
        );
        return Err(invalid(what));
    }
    if lane != d.lane {
        return Err(invalid(format!("A begins in lane {lane} of tensor memory, expected lane {}, as D", d.lane)));
    }
    if a.overlaps(d) {
        return Err(invalid("A and D overlap in tensor memory"));
    }
    Ok(a)
}

/// Completes a product: computes D.
pub(crate) fn perform(env: &Env<'_>, cluster: &mut Cluster, product: &TensorProduct) -> Exec<()> {
    let instruction = &product.instruction;
    let init = env.checks.init && env.suspect.is_none();
    let (mut a, mut b) = (Rows::default(), Rows::default());
    for &block in &product.blocks {
        let cta = &mut cluster.ctas[block];
        b.append(product.b.rows(&cta.shared.data, 0..instruction.block_columns() as usize));
        a.append(match &product.a {
            Left::Shared(a) => a.rows(&cta.shared.data, 0..instruction.block_rows() as usize),
            Left::Tensor(a) => rows(cta.tensor.cells(), a, instruction.inputs[0], init)?,
        });
    }
    if let Some([left, right]) = &product.scales {
        let cells = cluster.ctas[product.blocks[0]].tensor.cells();
        left.apply("A", &mut a, cells, init)?;
        right.apply("B", &mut b, cells, init)?;
    }
    let arithmetic = Arithmetic { total: instruction.total, negative: instruction.negative, shift: product.shift };
    let bytes = instruction.total.bits() as usize / 8;
    let place = |index: usize| product.place((index / b.len()) as u64, (index % b.len()) as u64);
    let mut totals = vec![0; a.len() * b.len()];
    let is_written = |at: usize| product.kept >> lane_of(at) & 1 == 0;
    for (index, total) in totals.iter_mut().enumerate().filter(|_| product.adds) {
        let (block, at) = place(index);
        if is_written(at) {
            *total = word(cluster.ctas[block].tensor.cells(), at, bytes, init)?;
        }
    }
    arithmetic.add(&mut totals, &a, &b);
    for (index, total) in totals.iter().enumerate() {
        let (block, at) = place(index);
        if is_written(at) {
            let cells = cluster.ctas[block].tensor.cells();
            cells.write(at, &total.to_le_bytes()[..bytes]);
            cells.init.remove(at + bytes..at + 4);
        }
    }
    Ok(())
}

/// The rows of A in tensor memory, where its elements are contiguous.
fn rows(cells: &Segment, region: &Region, inputs: Element, init: bool) -> Exec<Rows> {
    let bits = inputs.bits() as usize;
    let mut out = Rows::zeros(region.rows as usize, 32 * region.columns as usize / bits);
    for row in 0..region.rows {
        let first = cell(region.lane_of(row), region.column);
        for (k, element) in out.row_mut(row as usize).iter_mut().enumerate() {
            let at = k * bits;
            *element = value(inputs, word(cells, first + at / 8, bits.div_ceil(8), init)? >> (at % 8));
        }
    }
    Ok(out)
}
