//! The elements of a tile in registers, as values.

use melior::ir::{Type, TypeLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_layout::Axis;
use tile_ops::{Builder, arith, constant, memref, tile, vector};

use super::Kit;

/// A tile's registers.
pub struct RegisterTile<'c, 'a> {
    builder: Builder<'c, 'a>,
    memref: Value<'c, 'a>,
    /// The number of registers.
    count: usize,
    /// The type of an element.
    pub element: Type<'c>,
}

impl<'c: 'a, 'a> RegisterTile<'c, 'a> {
    /// Those of a tile; `None` for a value that is none.
    pub fn of(builder: Builder<'c, 'a>, value: Value<'c, 'a>) -> Option<Self> {
        let buffer = BufferType::from_type(value.r#type())?;
        let memref = tile::local_view(builder, value, buffer.registers_type()).value();
        let count = usize::try_from(buffer.layout().span(Axis::Memory)).ok()?;
        Some(RegisterTile { builder, memref, count, element: buffer.element() })
    }

    fn index(&self, register: usize) -> Value<'c, 'a> {
        constant::index(self.builder, register as i64)
    }

    /// One element.
    pub fn load(&self, register: usize) -> Value<'c, 'a> {
        memref::load(self.builder, self.memref, &[self.index(register)]).value()
    }

    /// Replaces one element.
    pub fn store(&self, value: Value<'c, 'a>, register: usize) {
        memref::store(self.builder, value, self.memref, &[self.index(register)]).build();
    }

    /// Passes each register of 32 bits through an empty assembly that is not moved, nor uses of its value to before it.
    pub fn hold(&self) {
        let constraints = if self.element.is_float() { "=f,0" } else { "=r,0" };
        for register in 0..self.count {
            let held = Kit::new(self.builder).assembly_value("", constraints, &[self.load(register)], self.element);
            self.store(held, register);
        }
    }

    /// Replaces adjacent elements by those of a vector.
    pub fn store_vector(&self, values: Value<'c, 'a>, first: usize) {
        vector::store(self.builder, values, self.memref, &[self.index(first)]).build();
    }

    /// Several elements as a vector.
    pub fn vector(&self, registers: &[usize]) -> Value<'c, 'a> {
        let r#type = Type::vector(&[registers.len() as u64], self.element);
        if registers.windows(2).all(|pair| pair[1] == pair[0] + 1) {
            return vector::load(self.builder, self.memref, &[self.index(registers[0])], r#type).value();
        }
        let elements: Vec<_> = registers.iter().map(|&register| self.load(register)).collect();
        vector::from_elements(self.builder, &elements, r#type).value()
    }

    /// The elements of one 32-bit register, as an integer.
    pub fn word(&self, registers: &[usize]) -> Value<'c, 'a> {
        let (kit, vector) = (Kit::new(self.builder), self.vector(registers));
        let word = vector::bitcast(self.builder, vector, Type::vector(&[1], kit.int_type(32))).value();
        vector::extract(self.builder, word, &[], &[0]).value()
    }

    /// One element, widened to the type of the sums.
    pub fn widened(&self, register: usize, sum: Type<'c>, signed: bool) -> Value<'c, 'a> {
        let value = self.load(register);
        if self.element == sum {
            return value;
        }
        match (sum.is_integer(), signed) {
            (false, _) => arith::extf(self.builder, value, sum).value(),
            (true, true) => arith::extsi(self.builder, value, sum).value(),
            (true, false) => arith::extui(self.builder, value, sum).value(),
        }
    }
}
