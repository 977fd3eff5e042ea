//! The bytes of shared memory that matrix products read, by the descriptors of their operands.
//!
//! ```text
//!   %p = tile.parts %s ─▶ ptrtoint ─▶ and 0x3ffff ─▶ lshr 4 ─▶ or, add of numbers ─▶ wgmma.mma_async, tcgen05.mma
//!        the tile             + bytes, what loops count    │    dimensions, swizzle     which bytes
//!                                                          └──▶ tcgen05.mma_smem_desc ─────┘
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_isa::Space;
use tile_isa::matrix_descriptor::{Field, UNIT_BYTES};
use tile_ops::{arith, llvm, llvm_type, memref, nvvm, tile};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm, Descriptor, Footprint};

use super::Addresses;
use crate::effects::Described;
use crate::read::{divisibility, name};
use crate::sync::kernel::access::access;

/// Bits of an address that a descriptor holds, before it is divided by its unit.
const ADDRESS: i64 = Field::START.max() * UNIT_BYTES;

/// The divisor of an address, as a shift.
const SHIFT: i64 = UNIT_BYTES.ilog2() as i64;

/// The fields that the operands of `tcgen05.mma_smem_desc` give, after the start.
const FIELDS: [Field; 5] =
    [Field::LEADING, Field::STRIDE, Field::BASE_OFFSET, Field::LEADING_IS_ADDRESS, Field::SWIZZLE];

/// A part of a descriptor.
enum Part<'c, 'a> {
    Number(i64),
    Address(Begin<'c, 'a>),
}

/// The part that contains the address.
struct Begin<'c, 'a> {
    /// A pointer, or a memref.
    source: Value<'c, 'a>,
    /// Bytes that are added to it; `None` where that is not known.
    moved: Option<AddressForm>,
    /// Whether it has been divided by 16.
    divided: bool,
    /// The fields that are added after that; `None` where they are not known.
    bits: Option<i64>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The access that reads an operand, by its descriptor.
    ///
    /// # Errors
    /// Why the tile is not known.
    pub fn described(&mut self, operand: Described<'c, 'a>, threads: &ThreadSet) -> Result<Access, String> {
        let read = self.read(operand, threads).map_err(|why| format!("the descriptor of {} {why}", operand.name))?;
        Ok(if operand.is_known { read } else { Access { bytes: None, ..read } })
    }

    fn read(&mut self, operand: Described<'c, 'a>, threads: &ThreadSet) -> Result<Access, &'static str> {
        let Some(Part::Address(begin)) = self.part(operand.descriptor) else {
            return Err("does not come from the pointer of one tile, expected llvm.ptrtoint of it, shifted right by 4");
        };
        if !begin.divided {
            return Err("has an address that is not divided by 16");
        }
        let (root, first) = match llvm_type::is_pointer(begin.source.r#type()) {
            true if llvm_type::Space::of(begin.source.r#type()) != Some(llvm_type::Space::Shared) => {
                return Err("is built from a pointer that does not point to shared memory of the block");
            }
            true => {
                let address = self.pointer(begin.source);
                if address.rank.is_some() {
                    return Err("names shared memory of another block of the cluster");
                }
                (address.root, address.byte)
            }
            false => (self.memory(begin.source).0, None),
        };
        if root.is_unknown() {
            return Err("comes from a pointer whose tile is not known");
        }
        let object = self.object(root);
        let form = first.zip(begin.moved).and_then(|(first, moved)| first.plus(&moved));
        let place = form.zip(begin.bits).and_then(|(form, bits)| {
            let Described { rows, transposed, is_of_tensor, .. } = operand;
            let descriptor = match is_of_tensor {
                true => Descriptor::of_tensor(bits as u64)?,
                false => Descriptor::new(bits as u64),
            };
            // Warpgroups may begin at different places, which few threads differ in.
            let mut by_begin = BTreeMap::new();
            for thread in threads.iter() {
                by_begin.entry(form.of_thread(thread)).or_insert_with(Vec::new).push(thread);
            }
            let mut each = Vec::new();
            for (first, threads) in by_begin {
                let begin = first.checked_add(descriptor.begin())?;
                let bytes = descriptor.bytes(rows, transposed, begin, &form.shift)?;
                each.extend(bytes.into_iter().flat_map(|(from, to)| threads.iter().map(move |&by| (by, from, to))));
            }
            Some((Rc::new(Footprint::of(each)), form.shift))
        });
        // Where the bytes within a tile are not known, all of it is read.
        Ok(access(object, Space::Shared, false, place))
    }

    /// A value as a part of a descriptor; `None` where it is not known.
    fn part(&mut self, value: Value<'c, 'a>) -> Option<Part<'c, 'a>> {
        if let Some(number) = divisibility::infer(value).constant() {
            return Some(Part::Number(number));
        }
        let op = defining_op(value)?;
        let first = op.operand_at(0)?;
        let begin = |source, moved| Part::Address(Begin { source, moved, divided: false, bits: Some(0) });
        match name(op) {
            llvm::PtrToIntOp::NAME => return Some(begin(first, Some(AddressForm::constant(0)))),
            memref::ExtractAlignedPointerAsIndexOp::NAME => return Some(begin(first, None)),
            nvvm::Tcgen05MmaSmemDescOp::NAME => return self.packed(op),
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

    /// The descriptor that `tcgen05.mma_smem_desc` packs from its fields.
    fn packed(&mut self, op: OperationRef<'c, 'a>) -> Option<Part<'c, 'a>> {
        let mut fields = Field::VERSION.put(1);
        for (operand, field) in (1..).zip(FIELDS) {
            // If one field is known only at run time, all fields are taken as unknown.
            let Some(value) = divisibility::infer(op.operand_at(operand)?).constant() else {
                let Part::Address(begin) = self.part(op.operand_at(0)?)? else { return None };
                return Some(Part::Address(Begin { bits: None, ..begin }));
            };
            fields |= field.put(value);
        }
        let (mask, fields) = (Field::START.max(), fields as i64);
        Some(match self.part(op.operand_at(0)?)? {
            Part::Number(first) => Part::Number(first & mask | fields),
            Part::Address(begin) => Part::Address(begin.with(llvm::AndOp::NAME, mask).with(llvm::OrOp::NAME, fields)),
        })
    }

    /// An address plus a number known only at run time.
    fn added(&mut self, begin: Begin<'c, 'a>, op: OperationRef<'c, 'a>, by: Value<'c, 'a>) -> Begin<'c, 'a> {
        let adds = [llvm::AddOp::NAME, arith::AddIOp::NAME].contains(&name(op));
        let by = self.values.of_value(by).filter(|_| adds);
        let by = by.and_then(|by| by.times(if begin.divided { UNIT_BYTES } else { 1 }));
        let moved = begin.moved.zip(by).and_then(|(moved, by)| moved.plus(&by));
        let bits = begin.bits.filter(|_| adds);
        Begin { moved, bits, ..begin }
    }
}

impl Begin<'_, '_> {
    /// The address after an operation with a number.
    fn with(self, by: &str, number: i64) -> Self {
        let Begin { moved, divided, bits, .. } = self;
        let lost = Begin { moved: None, bits: None, ..self };
        match by {
            llvm::LShrOp::NAME | arith::ShRUIOp::NAME if !divided && number == SHIFT => {
                Begin { moved: lost.moved.or(moved), divided: true, bits, ..lost }
            }
            llvm::AndOp::NAME | arith::AndIOp::NAME => {
                let kept = if divided { Field::START.max() } else { ADDRESS };
                let keeps = number & kept == kept && (!divided || bits == Some(0));
                if keeps { Begin { moved, bits, ..lost } } else { lost }
            }
            llvm::AddOp::NAME | arith::AddIOp::NAME if !divided => {
                let moved = moved.and_then(|moved| moved.plus(&AddressForm::constant(number)));
                Begin { moved, bits, ..lost }
            }
            llvm::AddOp::NAME | arith::AddIOp::NAME => {
                Begin { moved, bits: bits.map(|bits| bits.wrapping_add(number)), ..lost }
            }
            // The new fields do not overlap the address.
            llvm::OrOp::NAME | arith::OrIOp::NAME if divided && number & Field::START.max() == 0 => {
                Begin { moved, bits: bits.map(|bits| bits | number), ..lost }
            }
            _ => lost,
        }
    }
}

/// The result of an operation on two numbers.
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
