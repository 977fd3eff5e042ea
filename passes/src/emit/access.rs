//! Pointers to elements and tiles, and loads and stores of elements and vectors.

use melior::ir::{Type, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::memref::bit_width;
use tile_isa::Cache;
use tile_ops::llvm_type::{self, Space, pointer_to};
use tile_ops::{arith, constant, memref, vector};
use tile_plan::address::begin_address;

use super::function::Storage;
use super::index::{Emit, Sum};
use super::pointer::{as_i64, base_address};
use crate::emit::error::EmitError;
use crate::read::parts::{self, PartedTile};

/// The amount that one access moves.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// Elements.
    pub elements: i64,
    /// Bytes, also the alignment.
    pub bytes: i64,
}

impl Width {
    /// `elements` of `bits` bits each.
    pub fn new(elements: i64, bits: u32) -> Self {
        Width { elements, bytes: elements * i64::from(bits.div_ceil(8)) }
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// Loads a vector (an element, where it has one) from an address in elements.
    pub fn load(&mut self, from: Storage<'c, 'a>, address: Sum<'c, 'a>, width: Width) -> Value<'c, 'a> {
        let address = self.materialize(address);
        if width.elements == 1 {
            return memref::load(self.kit.builder, from.memref, &[address]).value();
        }
        let r#type = Type::vector(&[width.elements as u64], from.element);
        vector::load(self.kit.builder, from.memref, &[address], r#type).alignment(width.bytes).value()
    }

    /// Stores a value of the form that [`Emit::load`] returns.
    pub fn store(&mut self, value: Value<'c, 'a>, to: Storage<'c, 'a>, address: Sum<'c, 'a>, width: Width) {
        let address = self.materialize(address);
        if width.elements == 1 {
            memref::store(self.kit.builder, value, to.memref, &[address]).build();
            return;
        }
        vector::store(self.kit.builder, value, to.memref, &[address]).alignment(width.bytes).build();
    }

    /// Loads from global memory with cache hints, which only inline assembly can express.
    pub fn load_cached(
        &mut self,
        from: Storage<'c, 'a>,
        address: Sum<'c, 'a>,
        width: Width,
        cache: &Cache,
    ) -> Value<'c, 'a> {
        let pointer = self.pointer(from, address, Space::Global);
        let words = AccessWords::of(width.bytes);
        let mut word = self.kit.int_type(words.bits);
        let result = llvm_type::several(self.kit.builder.context, word, words.count as usize);
        let (text, constraints) = (words.instruction(cache), words.constraints());
        let loaded = match cache.nc {
            true => self.kit.pure_assembly(&text, &constraints, &[pointer], result),
            // Without nc the load may not pass a store.
            false => self.kit.assembly_value(&text, &constraints, &[pointer], result),
        };
        let mut parts = self.kit.parts(loaded, words.count, word);
        if words.bits > words.loaded {
            // There are no registers of 8 bits.
            word = self.kit.int_type(words.loaded);
            parts = parts.into_iter().map(|part| self.kit.truncated(part, words.loaded)).collect();
        }
        self.reassemble(&parts, word, from.element, width)
    }

    /// A pointer to an element.
    pub fn pointer(&mut self, to: Storage<'c, 'a>, address: Sum<'c, 'a>, space: Space) -> Value<'c, 'a> {
        use tile_layout::IndexArith;
        let base = base_address(self.kit.builder, to.memref);
        let bytes = i64::from(bit_width(to.element).unwrap_or(8).div_ceil(8));
        let offset = self.scale(address, bytes);
        let sum = self.add(Sum::value(base), offset);
        let sum = self.materialize(sum);
        pointer_to(self.kit.builder, as_i64(self.kit.builder, sum), space)
    }

    /// Words as a vector of elements, or as the only element.
    pub fn reassemble(
        &mut self,
        words: &[Value<'c, 'a>],
        word: Type<'c>,
        element: Type<'c>,
        width: Width,
    ) -> Value<'c, 'a> {
        let packed = Type::vector(&[words.len() as u64], word);
        let packed = vector::from_elements(self.kit.builder, words, packed).value();
        self.of_words(packed, element, width)
    }

    /// A vector of words as a vector of elements, or as the only element.
    pub fn of_words(&mut self, packed: Value<'c, 'a>, element: Type<'c>, width: Width) -> Value<'c, 'a> {
        let elements = Type::vector(&[width.elements as u64], element);
        let elements = vector::bitcast(self.kit.builder, packed, elements).value();
        if width.elements != 1 {
            return elements;
        }
        vector::extract(self.kit.builder, elements, &[], &[0]).value()
    }

    /// The parts of a tile, as `tile.parts` returns them: a pointer to its start, and the numbers that its type leaves
    /// dynamic; made at the insertion point.
    ///
    /// # Errors
    /// A tile without storage, or one that starts where no pointer can point.
    pub fn parts(&mut self, buffer: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        let builder = self.kit.builder;
        let PartedTile { root, begin, values, numbers } = parts::read(buffer)?;
        let storage = self.function.storage_of(builder, root)?;
        let values: Vec<_> = values.iter().map(|value| Sum::value(value.value(builder))).collect();
        let begin = begin_address(self, &begin, &values)?;
        let mut address = base_address(builder, storage.memref);
        if begin.known() != Some(0) {
            let elements = self.materialize(begin);
            let size = i64::from(bit_width(storage.element).unwrap_or(8) / 8);
            let bytes = arith::muli(builder, elements, constant::index(builder, size)).value();
            address = arith::addi(builder, address, bytes).value();
        }
        let space = match BufferType::from_type(buffer.r#type()).map(BufferType::space) {
            Some(tile_dialect::Space::Shared) => Space::Shared,
            _ => Space::Global,
        };
        let pointer = pointer_to(builder, as_i64(builder, address), space);
        Ok(std::iter::once(pointer).chain(numbers.iter().map(|number| number.value(builder))).collect())
    }
}

/// The registers that an access moves: 1 to 8 of 32 bits, or one of 16 bits, which may hold only 8 loaded bits.
struct AccessWords {
    count: i64,
    /// Bits of a register.
    bits: u32,
    /// Bits of it that come from memory.
    loaded: u32,
}

impl AccessWords {
    fn of(bytes: i64) -> Self {
        match bytes {
            1 => AccessWords { count: 1, bits: 16, loaded: 8 },
            2 => AccessWords { count: 1, bits: 16, loaded: 16 },
            bytes => AccessWords { count: bytes / 4, bits: 32, loaded: 32 },
        }
    }

    /// `ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {$0, $1, $2, $3}, [$4];`
    fn instruction(&self, cache: &Cache) -> String {
        let mut text = "ld.global".to_owned();
        let hints = [
            cache.nc.then_some("nc"),
            cache.l1_evict.as_deref(),
            cache.l2_evict.as_deref(),
            cache.prefetch_size.as_deref(),
        ];
        for hint in hints.into_iter().flatten() {
            text.push('.');
            text.push_str(hint);
        }
        if self.count > 1 {
            text.push_str(&format!(".v{}", self.count));
        }
        let registers: Vec<String> = (0..self.count).map(|index| format!("${index}")).collect();
        let registers = registers.join(", ");
        let target = if self.count > 1 { format!("{{{registers}}}") } else { registers };
        format!("{text}.u{} {target}, [${}];", self.loaded, self.count)
    }

    fn constraints(&self) -> String {
        let register = if self.bits == 16 { "=h," } else { "=r," };
        format!("{}l", register.repeat(self.count as usize))
    }
}
