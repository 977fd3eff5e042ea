//! Products of `wgmma`: what their descriptors name, and the registers of their sums.
//!
//! ```text
//!   %p = tile.parts %s ─▶ ptrtoint ─▶ and 0x3ffff ─▶ lshr 4 ─▶ or, add of numbers ─▶ wgmma.mma_async
//!        the tile             + bytes, what loops count         dimensions, swizzle     which bytes
//! ```

use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_ops::nvvm::{MMALayout, WGMMATypes};
use tile_ops::{arith, llvm, llvm_type, memref, nvvm, scf, tile};
use tile_plan::Space;
use tile_plan::sync::{Access, Completion, Descriptor, Effect, Footprint, Form, Item, Op, Queue, Shift};

use crate::read::place::Root;
use crate::read::values::key;
use crate::read::{divisibility, name};
use crate::sync::copies::{access, memory};
use crate::sync::kernel::Kernel;

/// Rows of A.
const ROWS: i64 = 64;

/// Bits of an address that a descriptor holds, before it is divided by 16.
const ADDRESS: i64 = 0x3_fff0;

/// A part of a descriptor.
enum Part<'c, 'a> {
    Number(i64),
    Address(Begin<'c, 'a>),
}

/// The part that an address is in.
struct Begin<'c, 'a> {
    /// A pointer, or a memref.
    of: Value<'c, 'a>,
    /// Bytes that are added to it; `None` where that is not known.
    moved: Option<Form>,
    /// Is it divided by 16?
    divided: bool,
    /// What is added behind that; `None` where that is not known.
    bits: Option<i64>,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// An operation of `wgmma`; `None` for any other.
    pub(super) fn wgmma(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> Option<Vec<Item>> {
        let mut does = does.clone();
        match name(op) {
            // It orders registers, which the values of a kernel stand for.
            nvvm::WgmmaFenceAlignedOp::NAME => return Some(Vec::new()),
            nvvm::WgmmaGroupSyncAlignedOp::NAME => does.effects.push(Effect::Commit(Queue::Product)),
            nvvm::WgmmaWaitGroupSyncOp::NAME => {
                let pending = nvvm::WgmmaWaitGroupSyncOp::cast(op).and_then(|it| it.group()).unwrap_or(i64::MAX);
                does.effects.push(Effect::Wait { queue: Queue::Product, pending, reads: false });
            }
            nvvm::WgmmaMmaAsyncOp::NAME => {
                if let Err(why) = self.multiplies(op, &mut does) {
                    self.refuse(op, format!("is not followed: {why}"));
                }
            }
            _ => return None,
        }
        if !does.exact || !does.active.is_of_warpgroups() {
            self.refuse(op, "may be reached by some threads of a warpgroup only, expected whole warpgroups");
        }
        Some(vec![self.push(op, does)])
    }

    /// What a product reads and writes.
    fn multiplies(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::WgmmaMmaAsyncOp::cast(op).ok_or("its operands are not known")?;
        let registers = llvm_type::struct_fields(of.results().r#type()).ok_or("its result is no struct")?;
        let columns = if of.type_d() == Some(WGMMATypes::F16) { 4 * registers } else { 2 * registers };
        let halves = matches!(of.type_a(), Some(WGMMATypes::F16 | WGMMATypes::Bf16));
        for (which, value, rows, turned) in
            [("A", of.descriptor_a(), ROWS, MMALayout::Col), ("B", of.descriptor_b(), columns, MMALayout::Row)]
        {
            let layout = if which == "A" { of.layout_a() } else { of.layout_b() };
            let found = self.described(value, (rows, halves && layout == Some(turned)), does);
            let found = found.map_err(|why| format!("the descriptor of {which} {why}"))?;
            does.accesses.extend(self.at(op, None, found));
        }
        if let Some(sum) = sum(of.results()) {
            let written = self.sums(sum, true, does);
            does.accesses.push(Access { completion: Completion::Group(Queue::Product), ..written });
        }
        Ok(())
    }

    /// What is read of an operand, by its descriptor.
    fn described(
        &mut self,
        value: Value<'c, 'a>,
        (rows, transposed): (i64, bool),
        does: &Op,
    ) -> Result<Access, &'static str> {
        let Some(Part::Address(begin)) = self.part(value) else {
            return Err("does not come from the pointer of one tile, expected llvm.ptrtoint of it, shifted right by 4");
        };
        if !begin.divided {
            return Err("has an address that is not divided by 16");
        }
        let (root, first) = match llvm_type::is_pointer(begin.of.r#type()) {
            true if llvm_type::Space::of(begin.of.r#type()) != Some(llvm_type::Space::Shared) => {
                return Err("is made of a pointer that is not to shared memory of the block");
            }
            true => {
                let address = self.address(begin.of);
                if address.rank.is_some() {
                    return Err("names shared memory of another block of the cluster");
                }
                (address.root, address.byte)
            }
            false => (memory(begin.of).0, None),
        };
        if matches!(root, Root::Unknown(_)) {
            return Err("comes from a pointer of which it is not known which tile it is of");
        }
        let object = self.object(root);
        let form = first.zip(begin.moved).and_then(|(first, moved)| first.plus(&moved));
        let place = form.zip(begin.bits).and_then(|(form, bits)| {
            let descriptor = Descriptor::new(bits as u64);
            let first = *form.each.first()?;
            let alike = form.each.iter().all(|it| *it == first);
            let begin = first.checked_add(descriptor.begin())?;
            let bytes = descriptor.bytes(rows, transposed, begin, &form.shift).filter(|_| alike)?;
            let each = bytes.into_iter().flat_map(|(from, to)| does.active.iter().map(move |it| (it, from, to)));
            Some((Rc::new(Footprint::of(each)), form.shift))
        });
        // Of a tile of which it is not known what, all is read.
        let found = access(object, Space::Shared, false, place);
        let completion = Completion::Group(Queue::Product);
        Ok(Access { completion, through_async_proxy: true, by_warps: true, ..found })
    }

    /// What a value is as a part of a descriptor; `None` where that is not known.
    fn part(&mut self, value: Value<'c, 'a>) -> Option<Part<'c, 'a>> {
        if let Some(number) = divisibility::of(value).constant() {
            return Some(Part::Number(number));
        }
        let op = defining_op(value)?;
        let first = op.operand_at(0)?;
        let begin = |of, moved| Part::Address(Begin { of, moved, divided: false, bits: Some(0) });
        match name(op) {
            llvm::PtrToIntOp::NAME => return Some(begin(first, Some(Form::constant(0)))),
            memref::ExtractAlignedPointerAsIndexOp::NAME => return Some(begin(first, None)),
            llvm::ZExtOp::NAME | arith::ExtUIOp::NAME | llvm::TruncOp::NAME | arith::TruncIOp::NAME => {
                return self.part(first);
            }
            arith::IndexCastOp::NAME | arith::IndexCastUIOp::NAME | tile::AssumeOp::NAME => return self.part(first),
            _ => {}
        }
        let second = op.operand_at(1)?;
        match (self.part(first), self.part(second)) {
            (Some(Part::Number(a)), Some(Part::Number(b))) => number(name(op), a, b).map(Part::Number),
            (Some(Part::Address(_)), Some(Part::Address(_))) => None,
            (Some(Part::Address(begin)), Some(Part::Number(b))) => Some(Part::Address(begin.with(name(op), b))),
            (Some(Part::Number(a)), Some(Part::Address(begin))) if is_commutative(name(op)) => {
                Some(Part::Address(begin.with(name(op), a)))
            }
            (Some(Part::Address(begin)), None) => Some(Part::Address(self.added(begin, op, second))),
            (None, Some(Part::Address(begin))) if is_commutative(name(op)) => {
                Some(Part::Address(self.added(begin, op, first)))
            }
            _ => None,
        }
    }

    /// An address and what only the run knows.
    fn added(&mut self, begin: Begin<'c, 'a>, op: OperationRef<'c, 'a>, by: Value<'c, 'a>) -> Begin<'c, 'a> {
        let adds = [llvm::AddOp::NAME, arith::AddIOp::NAME].contains(&name(op));
        let by = self.of_value(by).filter(|_| adds);
        let by = by.and_then(|by| by.times(if begin.divided { 16 } else { 1 }));
        let moved = begin.moved.zip(by).and_then(|(moved, by)| moved.plus(&by));
        let bits = begin.bits.filter(|_| adds);
        Begin { moved, bits, ..begin }
    }

    /// The registers of a sum, each thread's own.
    fn sums(&mut self, sum: usize, write: bool, does: &Op) -> Access {
        let object = self.object(Root::Made(sum));
        let own = does.active.iter().map(|thread| (thread, thread, thread + 1));
        access(object, Space::Local, write, Some((Rc::new(Footprint::of(own)), Shift::none())))
    }

    /// What an operation other than products and loops does to sums that it is given.
    pub(super) fn looks_at_sums(&mut self, op: OperationRef<'c, 'a>) -> Option<Item> {
        let hands_on = name(op) == scf::YieldOp::NAME
            && op.parent_operation().is_some_and(|parent| name(parent) == scf::ForOp::NAME);
        if hands_on || [nvvm::WgmmaMmaAsyncOp::NAME, scf::ForOp::NAME].contains(&name(op)) {
            return None;
        }
        let mut found: Vec<usize> = op.operands().filter_map(sum).collect();
        found.dedup();
        if found.is_empty() {
            return None;
        }
        let mut does = self.reached(op);
        for sum in found {
            let access = self.sums(sum, false, &does);
            does.accesses.push(access);
        }
        Some(self.push(op, does))
    }
}

impl Begin<'_, '_> {
    /// With a number.
    fn with(self, by: &str, number: i64) -> Self {
        let Begin { moved, divided, bits, .. } = self;
        let lost = Begin { moved: None, bits: None, ..self };
        match by {
            llvm::LShrOp::NAME | arith::ShRUIOp::NAME if !divided && number == 4 => {
                Begin { moved: lost.moved.or(moved), divided: true, bits, ..lost }
            }
            llvm::AndOp::NAME | arith::AndIOp::NAME => {
                let kept = if divided { ADDRESS >> 4 } else { ADDRESS };
                let keeps = number & kept == kept && (!divided || bits == Some(0));
                if keeps { Begin { moved, bits, ..lost } } else { lost }
            }
            llvm::AddOp::NAME | arith::AddIOp::NAME if !divided => {
                let moved = moved.and_then(|moved| moved.plus(&Form::constant(number)));
                Begin { moved, bits, ..lost }
            }
            llvm::AddOp::NAME | arith::AddIOp::NAME => {
                Begin { moved, bits: bits.map(|bits| bits.wrapping_add(number)), ..lost }
            }
            // Fields that have nothing in common.
            llvm::OrOp::NAME | arith::OrIOp::NAME if divided && number & (ADDRESS >> 4) == 0 => {
                Begin { moved, bits: bits.map(|bits| bits | number), ..lost }
            }
            _ => lost,
        }
    }
}

/// What two numbers make.
fn number(by: &str, a: i64, b: i64) -> Option<i64> {
    let shift = || u32::try_from(b).ok().filter(|&by| by < 64);
    match by {
        llvm::OrOp::NAME | arith::OrIOp::NAME => Some(a | b),
        llvm::AndOp::NAME | arith::AndIOp::NAME => Some(a & b),
        llvm::AddOp::NAME | arith::AddIOp::NAME => Some(a.wrapping_add(b)),
        llvm::ShlOp::NAME | arith::ShLIOp::NAME => Some(a << shift()?),
        llvm::LShrOp::NAME | arith::ShRUIOp::NAME => Some(((a as u64) >> shift()?) as i64),
        _ => None,
    }
}

fn is_commutative(by: &str) -> bool {
    [
        llvm::OrOp::NAME,
        arith::OrIOp::NAME,
        llvm::AndOp::NAME,
        arith::AndIOp::NAME,
        llvm::AddOp::NAME,
        arith::AddIOp::NAME,
    ]
    .contains(&by)
}

/// The registers that a value is, if they are a sum of products: the first product of those that add to it one after the other,
/// or what a loop around them hands on.
fn sum(value: Value<'_, '_>) -> Option<usize> {
    let Some(op) = defining_op(value) else {
        let (block, place) = argument_of(value)?;
        let of = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0)?;
        return handed(of, place - 1);
    };
    match name(op) {
        nvvm::WgmmaMmaAsyncOp::NAME => Some(sum(op.operand_at(0)?).unwrap_or_else(|| key(value))),
        scf::ForOp::NAME => {
            let same = |place: &usize| op.result_at(*place).is_some_and(|it| key(it.into()) == key(value));
            handed(op, (0..op.result_count()).find(same)?)
        }
        _ => None,
    }
}

/// What a loop hands on, if that is a sum.
fn handed(of: OperationRef<'_, '_>, place: usize) -> Option<usize> {
    if !is_handed(of, place) {
        return None;
    }
    let first = of.operand_at(place + 3)?;
    let block = of.region_at(0)?.first_block()?;
    Some(sum(first).unwrap_or(key(block.argument(place + 1).ok()?.into())))
}

/// Does an iteration hand a sum to the next?
fn is_handed(of: OperationRef<'_, '_>, place: usize) -> bool {
    let last = || {
        let end = of.region_at(0)?.first_block()?.terminator()?;
        let value = end.operand_at(place)?;
        let made = defining_op(value)?;
        let inner =
            (0..made.result_count()).find(|at| made.result_at(*at).is_some_and(|it| key(it.into()) == key(value)));
        match name(made) {
            nvvm::WgmmaMmaAsyncOp::NAME => Some(true),
            scf::ForOp::NAME => Some(is_handed(made, inner?)),
            _ => None,
        }
    };
    last().unwrap_or(false)
}
