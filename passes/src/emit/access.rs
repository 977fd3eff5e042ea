//! Loads and stores of elements and vectors.

use melior::ir::{Type, Value};
use tile_dialect::Ctx;
use tile_dialect::memref::bit_width;
use tile_plan::Cache;

use super::arith::{Emit, Sum};
use super::pointer::{as_i64, base_address, to_pointer};
use super::storage::Storage;
use crate::build::result_of;

/// How much one access moves.
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
            return self.builder.value("memref.load", &[from.memref, address], from.element, &[]);
        }
        let vector = Type::vector(&[width.elements as u64], from.element);
        let alignment = self.builder.i64(width.bytes);
        self.builder.value("vector.load", &[from.memref, address], vector, &[("alignment", alignment)])
    }

    /// Stores what [`Emit::load`] loads.
    pub fn store(&mut self, value: Value<'c, 'a>, to: Storage<'c, 'a>, address: Sum<'c, 'a>, width: Width) {
        let address = self.materialize(address);
        if width.elements == 1 {
            self.builder.op("memref.store", &[value, to.memref, address], &[], &[]);
            return;
        }
        let alignment = self.builder.i64(width.bytes);
        self.builder.op("vector.store", &[value, to.memref, address], &[], &[("alignment", alignment)]);
    }

    /// Loads from global memory with cache hints, which only assembly can say.
    pub fn load_cached(
        &mut self,
        from: Storage<'c, 'a>,
        address: Sum<'c, 'a>,
        width: Width,
        cache: &Cache,
    ) -> Value<'c, 'a> {
        let pointer = self.pointer(from, address, "!llvm.ptr<1>");
        let words = Words::of(width.bytes);
        let mut word: Type<'c> = self.builder.context.integer(words.bits);
        let result = words.result(self.builder.context, word);
        let attributes = [
            ("asm_string", self.builder.string(&words.instruction(cache))),
            ("constraints", self.builder.string(&words.constraints())),
            // Without nc the load may not pass a store.
            ("has_side_effects", self.builder.context.unit()),
        ];
        let attributes = if cache.nc { &attributes[..2] } else { &attributes[..] };
        let loaded = self.builder.op("llvm.inline_asm", &[pointer], &[result], attributes);
        let mut parts = self.parts(result_of(loaded, 0), words.count, word);
        if words.bits > words.loaded {
            // There are no registers of 8 bits.
            word = self.builder.context.integer(words.loaded);
            parts = parts.into_iter().map(|part| self.builder.value("arith.trunci", &[part], word, &[])).collect();
        }
        self.reassemble(&parts, word, from.element, width)
    }

    /// A pointer to an element.
    pub fn pointer(&mut self, to: Storage<'c, 'a>, address: Sum<'c, 'a>, r#type: &str) -> Value<'c, 'a> {
        use tile_layout::IndexArith;
        let base = base_address(self.builder, to.memref);
        let bytes = i64::from(bit_width(to.element).unwrap_or(8).div_ceil(8));
        let offset = self.scale(address, bytes);
        let sum = self.add(Sum::value(base), offset);
        let sum = self.materialize(sum);
        to_pointer(self.builder, as_i64(self.builder, sum), r#type)
    }

    /// The words of a (possibly single-word) result.
    pub fn parts(&mut self, value: Value<'c, 'a>, count: i64, word: Type<'c>) -> Vec<Value<'c, 'a>> {
        if count == 1 {
            return vec![value];
        }
        (0..count)
            .map(|index| {
                let position = self.builder.list(&[index]);
                self.builder.value("llvm.extractvalue", &[value], word, &[("position", position)])
            })
            .collect()
    }

    /// Words as a vector of elements, or as the element.
    pub fn reassemble(
        &mut self,
        words: &[Value<'c, 'a>],
        word: Type<'c>,
        element: Type<'c>,
        width: Width,
    ) -> Value<'c, 'a> {
        let packed = Type::vector(&[words.len() as u64], word);
        let packed = self.builder.value("vector.from_elements", words, packed, &[]);
        let elements = Type::vector(&[width.elements as u64], element);
        let vector = self.builder.value("vector.bitcast", &[packed], elements, &[]);
        if width.elements != 1 {
            return vector;
        }
        let position = self.builder.list(&[0]);
        self.builder.value("vector.extract", &[vector], element, &[("static_position", position)])
    }

    /// A 32-bit constant attribute.
    pub fn i32_attribute(&self, value: i64) -> melior::ir::Attribute<'c> {
        self.builder.context.integer_attribute(32, value)
    }
}

/// The registers that an access moves: 1 to 8 of 32 bits, or one of 16 bits, of which 8 may be loaded.
struct Words {
    count: i64,
    /// Of a register.
    bits: u32,
    /// Bits of it that are in memory.
    loaded: u32,
}

impl Words {
    fn of(bytes: i64) -> Self {
        match bytes {
            1 => Words { count: 1, bits: 16, loaded: 8 },
            2 => Words { count: 1, bits: 16, loaded: 16 },
            bytes => Words { count: bytes / 4, bits: 32, loaded: 32 },
        }
    }

    fn result<'c>(&self, context: Ctx<'c>, word: Type<'c>) -> Type<'c> {
        if self.count == 1 {
            return word;
        }
        let fields = vec![format!("i{}", self.bits); self.count as usize].join(", ");
        context.parse_type(&format!("!llvm.struct<({fields})>")).unwrap_or(word)
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
