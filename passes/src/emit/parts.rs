//! `tile.parts`: where a tile begins, as a pointer, and the numbers that its type leaves to the run.

use melior::ir::{Value, ValueLike};
use tile_dialect::memref::bit_width;
use tile_dialect::{BufferType, Space};
use tile_ops::llvm_type::{Space as Pointer, pointer_to};
use tile_ops::{arith, constant};
use tile_plan::address::begin_address;

use super::pointer::{as_i64, base_address};
use super::{Emit, Sum};
use crate::read::parts::{self, Parts};

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// The parts of a tile, at the insertion point.
    ///
    /// # Errors
    /// A tile without storage, or one that does not begin where a pointer could.
    pub fn parts(&mut self, buffer: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, String> {
        let builder = self.kit.builder;
        let Parts { root, begin, values, numbers } = parts::of(buffer)?;
        let storage = self.function.storage_of(builder, root)?;
        let values: Vec<_> = values.iter().map(|value| Sum::value(value.value(builder))).collect();
        let begin = begin_address(self, &begin, &values).map_err(|refusal| refusal.reason)?;
        let mut address = base_address(builder, storage.memref);
        if begin.known() != Some(0) {
            let elements = self.materialize(begin);
            let size = i64::from(bit_width(storage.element).unwrap_or(8) / 8);
            let bytes = arith::muli(builder, elements, constant::index(builder, size)).value();
            address = arith::addi(builder, address, bytes).value();
        }
        let space = match BufferType::from_type(buffer.r#type()).map(BufferType::space) {
            Some(Space::Shared) => Pointer::Shared,
            _ => Pointer::Global,
        };
        let pointer = pointer_to(builder, as_i64(builder, address), space);
        Ok(std::iter::once(pointer).chain(numbers.iter().map(|number| number.value(builder))).collect())
    }
}
