//! The bytes that loads and stores, and accesses of other operations of the NVVM dialect, touch.

use std::rc::Rc;

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::ops::Operand;
use tile_isa::Space;
use tile_isa::{TENSOR_LANES, WARP};
use tile_ops::{llvm, llvm_type};
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, Footprint, TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES, TensorProduct};

use super::{Address, Addresses, ElementAccess, size};
use crate::effects::loads::is_shared;
use crate::effects::{AccessedMemory, TensorPart};
use crate::read::alias::{self, Root};
use crate::read::effects::is_private;
use crate::read::error::ReadError;
use crate::read::{arithmetic, name};
use crate::sync::kernel::access::{access, each};
use crate::sync::kernel::objects::Object;

/// An access by threads, and the block whose memory it is of, by its rank; of their own where none is given.
type BlockAccess<'c, 'a> = (Option<Value<'c, 'a>>, Access);

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The accesses of some threads to memory that an operation names; reads, unless the caller says otherwise. None to memory that
    /// nothing else accesses.
    ///
    /// # Errors
    /// The memory is not followed.
    pub fn accesses(
        &mut self,
        op: OperationRef<'c, 'a>,
        memory: &AccessedMemory<'c, 'a>,
        threads: &ThreadSet,
    ) -> Result<Vec<BlockAccess<'c, 'a>>, String> {
        let access = match *memory {
            AccessedMemory::Element(operand) => return Ok(self.elements(op, operand, threads)),
            AccessedMemory::Anywhere(operand) => return Ok(self.anywhere(op, operand, threads)),
            AccessedMemory::Region(role, ref operand) => {
                self.region(op, (role, operand), threads).map_err(|error| error.to_string())?
            }
            AccessedMemory::MemrefRegion(memref, ref region) => self.region_of_memref(memref, region, threads),
            AccessedMemory::Bytes { pointer, bytes } => self.bytes(pointer, bytes, threads)?,
            AccessedMemory::Rows { pointer, rows, bytes } => self.rows(pointer, (rows, bytes), threads)?,
            AccessedMemory::Shared { pointer, bytes } => return Ok(vec![self.shared(pointer, Some(bytes), threads)]),
            AccessedMemory::Descriptor(described) => self.described(described, threads)?,
            AccessedMemory::Tensor { address, part } => self.tensor_part(address, part, threads),
            AccessedMemory::Accumulator(key) => self.accumulator(key, threads),
        };
        Ok(vec![(None, access)])
    }

    /// What a load or a store accesses.
    fn elements(&mut self, op: OperationRef<'c, 'a>, operand: usize, threads: &ThreadSet) -> Vec<BlockAccess<'c, 'a>> {
        let Some(memory) = op.operand_at(operand) else { return Vec::new() };
        if is_private(memory) || alias::root(memory).space() == Some(tile_dialect::Space::Local) {
            if self.packed.keeps(op) {
                return Vec::new();
            }
            return self.registers(memory, threads).into_iter().map(|access| (None, access)).collect();
        }
        if llvm_type::is_pointer(memory.r#type()) && (is_shared(memory) || self.pointer(memory).rank.is_some()) {
            let bytes = moved(op).and_then(|moved| size(moved.r#type()));
            return vec![self.shared(memory, bytes, threads)];
        }
        let (root, _) = self.memory(memory);
        let space = if is_shared(memory) { Space::Shared } else { Space::Global };
        let element = self.element(op, memory, operand);
        let element = element.or_else(|| self.behind_pointer(op, memory));
        let pitch = element.as_ref().and_then(|element| element.pitch.clone());
        let selection = element.as_ref().and_then(|element| element.selection);
        let object = self.object(Object { root, pitch, selection, swizzle: None });
        let place = element.map(|ElementAccess { form, bytes, .. }| each(&form, threads, bytes));
        vec![(None, access(object, space, false, place))]
    }

    /// Any bytes of the memory of an operand.
    fn anywhere(&mut self, op: OperationRef<'c, 'a>, operand: usize, threads: &ThreadSet) -> Vec<BlockAccess<'c, 'a>> {
        let Some(memory) = op.operand_at(operand) else { return Vec::new() };
        let root = alias::root(memory);
        if is_private(memory) || root.space() == Some(tile_dialect::Space::Local) {
            return self.registers(memory, threads).into_iter().map(|access| (None, access)).collect();
        }
        if llvm_type::is_pointer(memory.r#type()) && (is_shared(memory) || self.pointer(memory).rank.is_some()) {
            return vec![self.shared(memory, None, threads)];
        }
        let space = if is_shared(memory) { Space::Shared } else { Space::Global };
        vec![(None, access(self.object(root), space, false, None))]
    }

    /// All of a region of a tile, by each thread.
    fn region(
        &mut self,
        op: OperationRef<'c, 'a>,
        (role, operand): (Role, &Operand<'c, 'a>),
        threads: &ThreadSet,
    ) -> Result<Access, ReadError> {
        let bytes = self.values.reader().region(op, (role, operand), *threads)?;
        Ok(self.side((role, operand), bytes))
    }

    /// The first byte of a scalar load or store through a pointer, and the number of bytes.
    fn behind_pointer(&mut self, op: OperationRef<'c, 'a>, pointer: Value<'c, 'a>) -> Option<ElementAccess> {
        if ![llvm::LoadOp::NAME, llvm::StoreOp::NAME].contains(&name(op)) {
            return None;
        }
        let bytes = i64::from(arithmetic::bits(moved(op)?.r#type())?.div_ceil(8));
        Some(ElementAccess { form: self.pointer(pointer).byte?, bytes, pitch: None, selection: None })
    }

    /// Bytes at each thread's pointer to shared memory, of this block or another.
    pub fn shared(&mut self, pointer: Value<'c, 'a>, bytes: Option<i64>, threads: &ThreadSet) -> BlockAccess<'c, 'a> {
        let address = self.pointer(pointer);
        let object = self.object(address.root);
        let place = address.byte.zip(bytes).map(|(form, bytes)| each(&form, threads, bytes));
        (address.rank, access(object, Space::Shared, false, place))
    }

    /// Bytes at each thread's pointer.
    fn bytes(&mut self, pointer: Value<'c, 'a>, bytes: i64, threads: &ThreadSet) -> Result<Access, String> {
        let address = self.pointer(pointer);
        let space = match llvm_type::Space::of(pointer.r#type()) {
            Some(llvm_type::Space::Shared | llvm_type::Space::Cluster) => Space::Shared,
            _ => Space::Global,
        };
        let object = self.object(own_root(pointer, &address)?);
        let place = address.byte.map(|form| each(&form, threads, bytes));
        Ok(access(object, space, false, place))
    }

    /// The rows that the first lanes of each warp name, all of which the warp accesses.
    fn rows(
        &mut self,
        pointer: Value<'c, 'a>,
        (count, bytes): (i64, i64),
        threads: &ThreadSet,
    ) -> Result<Access, String> {
        let address = self.pointer(pointer);
        let object = self.object(own_root(pointer, &address)?);
        let place = address.byte.map(|form| {
            let rows = threads.iter().filter(|thread| thread % WARP < count);
            let each = rows.flat_map(|thread| {
                let (row, warp) = (form.of_thread(thread), thread / WARP * WARP);
                (warp..warp + WARP).map(move |lane| (lane, row, row.saturating_add(bytes)))
            });
            (Rc::new(Footprint::of(each)), form.shift.clone())
        });
        Ok(access(object, Space::Shared, false, place))
    }

    /// A part of tensor memory.
    fn tensor_part(&mut self, address: Value<'c, 'a>, part: TensorPart, threads: &ThreadSet) -> Access {
        let (root, first) = self.tensor(address);
        let object = self.object(root);
        let lane = |lane: i64, columns: i64| {
            (lane * TENSOR_LANE_BYTES, lane * TENSOR_LANE_BYTES + columns * TENSOR_COLUMN_BYTES)
        };
        let bytes = match part {
            TensorPart::Columns(columns) => {
                columns.map(|columns| Footprint::alike((0..TENSOR_LANES).map(|number| lane(number, columns)), *threads))
            }
            TensorPart::Left(product) => Some(product.left(*threads)),
            TensorPart::Sum(product) => Some(product.sum(*threads)),
            TensorPart::Scales(lines) => Some(TensorProduct::scales(lines, *threads)),
        };
        let thread = threads.iter().next().unwrap_or(0);
        let place = first.zip(bytes).map(|(form, bytes)| (Rc::new(bytes.shifted(form.of_thread(thread))), form.shift));
        access(object, Space::Tmem, false, place)
    }

    /// The registers of an accumulator, each thread its own.
    pub fn accumulator(&mut self, key: usize, threads: &ThreadSet) -> Access {
        let object = self.object(Root::Made(key, Some(tile_dialect::Space::Local)));
        self.registers.read(object, threads)
    }
}

/// What a load or a store moves.
fn moved<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    op.result_at(0).map(Into::into).or_else(|| op.operand_at(0))
}

/// The root of a pointer to memory of this block, or to global memory.
fn own_root<'c: 'a, 'a>(pointer: Value<'c, 'a>, address: &Address<'c, 'a>) -> Result<Root, String> {
    let cluster = llvm_type::Space::of(pointer.r#type()) == Some(llvm_type::Space::Cluster);
    match &address.root {
        _ if address.rank.is_some() => Err("it accesses another block's shared memory".to_owned()),
        root if cluster && root.is_unknown() => Err("it may access another block's shared memory".to_owned()),
        root => Ok(root.clone()),
    }
}
