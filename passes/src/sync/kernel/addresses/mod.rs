//! The memory behind values: which object a memref, buffer, pointer or descriptor refers to, and which byte of it.

mod coordinates;
mod descriptors;
mod elements;
mod loads;
mod memrefs;
mod pointers;
mod ranks;
mod sides;
mod tensor;

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts as _, defining_op};
use tile_dialect::memref::bit_width;
use tile_layout::Axis;
use tile_ops::tile;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm};

use super::access::{Registers, access, each};
use super::objects::{Object, Objects};
use super::rank::Rank;
use super::values::KernelValues;
use crate::effects::wgmma::PackedSums;
use crate::read::alias::{self, Root};
use crate::read::name;
use crate::read::parts::{self, PartedTile};
use crate::read::place::{self, Anchor, Step};

use elements::ElementAccess;
use pointers::{Address, size};
pub use ranks::Peer;
use tensor::TensorMemory;

/// Finds the memory that values refer to.
pub struct Addresses<'r, 'c, 'a> {
    values: KernelValues<'r, 'c, 'a>,
    objects: Objects,
    tensor: TensorMemory,
    registers: Registers,
    packed: PackedSums,
    /// The block of a cluster that is read.
    rank: Option<Rank>,
}

impl<'r, 'c: 'a, 'a> Addresses<'r, 'c, 'a> {
    /// The memory of a function.
    pub fn new(function: OperationRef<'c, 'a>, values: KernelValues<'r, 'c, 'a>, rank: Option<Rank>) -> Self {
        let (objects, tensor, registers, packed) = Default::default();
        let mut addresses = Addresses { values, objects, tensor, registers, packed, rank };
        addresses.find_tensor_memory(function);
        addresses
    }

    /// The values of the function.
    pub fn values(&mut self) -> &mut KernelValues<'r, 'c, 'a> {
        &mut self.values
    }

    /// The registers that sums of products are packed from.
    pub fn packed_sums(&self) -> &PackedSums {
        &self.packed
    }

    /// The objects of the function.
    pub fn objects(&mut self) -> &mut Objects {
        &mut self.objects
    }

    /// The values and the objects.
    pub fn finish(self) -> (KernelValues<'r, 'c, 'a>, Objects) {
        (self.values, self.objects)
    }

    /// The number of the object for some memory.
    pub fn object(&mut self, memory: impl Into<Object>) -> usize {
        self.objects.number(memory)
    }

    /// The memory of a memref or a pointer, and the byte at which it starts there, for each thread; that is not known where the
    /// threads of a block may have different ones, unless it is part of another at offsets that are known for each.
    pub fn memory(&mut self, value: Value<'c, 'a>) -> (Root, Option<AddressForm>) {
        let place::ElementAddress { root, mut anchor, bytes } = place::place(value);
        let mut moved = AddressForm::constant(bytes);
        // Code that is never executed may derive a value from itself.
        for _ in 0..place::MAX_STEPS {
            let Some((source, sum)) = self.stepped(anchor, &moved) else { break };
            (anchor, moved) = (source, sum);
        }
        let start = self.values.start(anchor);
        (root, start.and_then(|start| start.plus(&moved)))
    }

    /// What the memref of an anchor is part of, and how far a byte that is `moved` from the anchor is from that.
    fn stepped(&mut self, anchor: Anchor<'c, 'a>, moved: &AddressForm) -> Option<(Anchor<'c, 'a>, AddressForm)> {
        let Anchor::Element(memref) = anchor else { return None };
        let Step { source, bytes, moves } = place::step(memref)?;
        let place::ElementAddress { anchor, bytes: before, .. } = place::place(source);
        let start = moved.plus(&AddressForm::constant(bytes.checked_add(before)?))?;
        let sum = moves
            .into_iter()
            .try_fold(start, |sum, (value, bytes)| sum.plus(&self.values.of_value(value)?.times(bytes)?))?;
        Some((anchor, sum))
    }

    /// The memory of a tile that `tile.parts` takes apart, and the byte that its pointer points to.
    fn memory_of_tile(&mut self, tile: Value<'c, 'a>) -> Option<(Root, Option<AddressForm>)> {
        let PartedTile { root, begin, values, .. } = parts::read(tile).ok()?;
        let (memory, first) = self.memory_of_buffer(root)?;
        let bits = BufferType::from_type(root.r#type()).and_then(|buffer| bit_width(buffer.element()));
        let moved = first.zip(bits).and_then(|(first, bits)| {
            let bytes = i64::from((bits % 8 == 0).then_some(bits / 8)?);
            let offset = begin.layout.offset_on(Axis::Memory).checked_mul(bytes)?;
            let known = begin.layout.offset.keys().all(|axis| *axis == Axis::Memory);
            begin
                .dynamic
                .iter()
                .try_fold(first.plus(&AddressForm::constant(offset))?, |sum, term| {
                    let steps = self.values.quotient(values.get(term.value)?, term.div)?;
                    let step = (term.axis == Axis::Memory).then_some(term.stride)?;
                    sum.plus(&steps.times(step.checked_mul(bytes)?)?)
                })
                .filter(|_| known)
        });
        Some((memory, moved))
    }

    /// A read of the first bytes of a tile by each of these threads.
    pub fn start_of_tile(&mut self, tile: Value<'c, 'a>, bytes: i64, threads: &ThreadSet) -> Access {
        let space = BufferType::from_type(tile.r#type()).map_or(tile_isa::Space::Global, BufferType::space);
        let (root, first) = self.memory_of_tile(tile).unwrap_or_else(|| (alias::root(tile), None));
        let object = self.object(root);
        access(object, space, false, first.map(|form| each(&form, threads, bytes)))
    }

    /// The memory of a buffer that `tile.view` or `tile.alloc` makes, and the byte at which the buffer starts there.
    pub fn memory_of_buffer(&mut self, buffer: Value<'c, 'a>) -> Option<(Root, Option<AddressForm>)> {
        let op = defining_op(buffer)?;
        BufferType::from_type(buffer.r#type())?;
        match name(op) {
            tile::ViewOp::NAME => Some(self.memory(op.operand_at(0)?)),
            tile::AllocOp::NAME => Some((Root::of_allocation(buffer), Some(AddressForm::constant(0)))),
            _ => None,
        }
    }
}
