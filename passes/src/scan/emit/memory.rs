//! Pointers and accesses.

use melior::ir::{Attribute, Type, ValueLike};

use super::{Kit, Val};

/// LLVM's number of global memory.
pub const GLOBAL: u32 = 1;
/// LLVM's number of shared memory.
pub const SHARED: u32 = 3;

/// `AtomicOrdering::monotonic`, which PTX calls relaxed.
const RELAXED: i64 = 2;

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// Type of a pointer into that space.
    pub fn pointer(self, space: u32) -> Type<'c> {
        self.parse_type(&format!("!llvm.ptr<{space}>"))
    }

    /// The address `bytes` further on, an integer value.
    pub fn at(self, pointer: Val<'c, 'a>, bytes: Val<'c, 'a>) -> Val<'c, 'a> {
        self.gep(&[pointer, bytes], i32::MIN)
    }

    /// The address a constant number of bytes further on.
    pub fn beyond(self, pointer: Val<'c, 'a>, bytes: i64) -> Val<'c, 'a> {
        if bytes == 0 {
            return pointer;
        }
        self.gep(&[pointer], i32::try_from(bytes).expect("kernels address near what they have"))
    }

    fn gep(self, operands: &[Val<'c, 'a>], index: i32) -> Val<'c, 'a> {
        let byte = self.builder.type_attribute(self.int_type(8));
        let attributes = [("rawConstantIndices", self.builder.context.i32_array(&[index])), ("elem_type", byte)];
        self.builder.value("llvm.getelementptr", operands, operands[0].r#type(), &attributes)
    }

    /// A load, aligned to that many bytes.
    pub fn load(self, pointer: Val<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Val<'c, 'a> {
        self.builder.value("llvm.load", &[pointer], r#type, &[("alignment", self.builder.i64(alignment))])
    }

    /// A load of what nobody writes while the kernel runs.
    pub fn load_constant(self, pointer: Val<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Val<'c, 'a> {
        let attributes = [("alignment", self.builder.i64(alignment)), ("invariant", self.builder.context.unit())];
        self.builder.value("llvm.load", &[pointer], r#type, &attributes)
    }

    /// A store, aligned to that many bytes.
    pub fn store(self, value: Val<'c, 'a>, pointer: Val<'c, 'a>, alignment: i64) {
        self.builder.op("llvm.store", &[value, pointer], &[], &[("alignment", self.builder.i64(alignment))]);
    }

    fn relaxed(self, bytes: i64) -> [(&'static str, Attribute<'c>); 3] {
        [
            ("alignment", self.builder.i64(bytes)),
            ("ordering", self.builder.i64(RELAXED)),
            ("syncscope", self.builder.string("device")),
        ]
    }

    /// A relaxed store that all of the device agrees about.
    pub fn store_relaxed(self, value: Val<'c, 'a>, pointer: Val<'c, 'a>, bytes: i64) {
        self.builder.op("llvm.store", &[value, pointer], &[], &self.relaxed(bytes));
    }

    /// Adds to a word of memory; what was there before.
    pub fn fetch_add(self, pointer: Val<'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
        let attributes = [
            // AtomicBinOp::add
            ("bin_op", self.builder.i64(1)),
            ("ordering", self.builder.i64(RELAXED)),
            ("syncscope", self.builder.string("device")),
        ];
        self.builder.value("llvm.atomicrmw", &[pointer, value], value.r#type(), &attributes)
    }

    /// Compares and swaps a 64-bit word, relaxed; what was there before.
    pub fn compare_and_swap(self, pointer: Val<'c, 'a>, old: Val<'c, 'a>, new: Val<'c, 'a>) -> Val<'c, 'a> {
        let pair = self.parse_type("!llvm.struct<(i64, i1)>");
        let attributes = [
            ("success_ordering", self.builder.i64(RELAXED)),
            ("failure_ordering", self.builder.i64(RELAXED)),
            ("syncscope", self.builder.string("device")),
            ("alignment", self.builder.i64(8)),
        ];
        let pair = self.builder.value("llvm.cmpxchg", &[pointer, old, new], pair, &attributes);
        self.part(pair, 0, self.int_type(64))
    }

    /// A field of a struct.
    pub fn part(self, value: Val<'c, 'a>, index: i64, r#type: Type<'c>) -> Val<'c, 'a> {
        self.builder.value("llvm.extractvalue", &[value], r#type, &[("position", self.builder.list(&[index]))])
    }

    /// PTX that LLVM and NVVM have no op for.
    pub fn assembly(
        self,
        text: &str,
        constraints: &str,
        operands: &[Val<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> Option<Val<'c, 'a>> {
        let attributes = [
            ("asm_string", self.builder.string(text)),
            ("constraints", self.builder.string(constraints)),
            ("has_side_effects", self.builder.context.unit()),
        ];
        let results: Vec<_> = result.into_iter().collect();
        let op = self.builder.op("llvm.inline_asm", operands, &results, &attributes);
        (!results.is_empty()).then(|| crate::build::result_of(op, 0))
    }
}
