//! Pointers and accesses.

use melior::ir::{Type, ValueLike};
use tile_ops::llvm::{AtomicBinOp, AtomicOrdering};
use tile_ops::llvm_type::{self, Space};
use tile_ops::{Draft, llvm};

use super::{Kit, Val};

/// The synchronisation scope of the whole GPU, as LLVM's NVPTX target names it.
const DEVICE: &str = "device";

/// Why an optional result is present.
pub(super) const RESULT: &str = "the access has a result";

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// The type of a pointer into `space`.
    pub fn pointer(self, space: Space) -> Type<'c> {
        space.pointer(self.builder.context)
    }

    /// The address `bytes` after a pointer; `bytes` is an integer value.
    pub fn at(self, pointer: Val<'c, 'a>, bytes: Val<'c, 'a>) -> Val<'c, 'a> {
        self.gep(pointer, &[bytes], i32::MIN)
    }

    /// The address a constant number of bytes after a pointer.
    pub fn beyond(self, pointer: Val<'c, 'a>, bytes: i64) -> Val<'c, 'a> {
        if bytes == 0 {
            return pointer;
        }
        self.gep(pointer, &[], i32::try_from(bytes).expect("kernels address near what they have"))
    }

    /// The address that a pointer holds, i64.
    pub fn address(self, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
        llvm::ptrtoint(self.builder, pointer, self.int_type(64)).value()
    }

    fn gep(self, base: Val<'c, 'a>, dynamic: &[Val<'c, 'a>], index: i32) -> Val<'c, 'a> {
        let byte = self.int_type(8);
        llvm::getelementptr(self.builder, base, dynamic, &[index], byte, base.r#type()).value()
    }

    fn loaded(self, pointer: Val<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Draft<'c, 'a, llvm::LoadOp<'c, 'a>> {
        llvm::load(self.builder, pointer, r#type).alignment(alignment)
    }

    /// A load with the given alignment in bytes.
    pub fn load(self, pointer: Val<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Val<'c, 'a> {
        self.loaded(pointer, r#type, alignment).value()
    }

    /// A load from memory that is not written while the kernel runs.
    pub fn load_constant(self, pointer: Val<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Val<'c, 'a> {
        self.loaded(pointer, r#type, alignment).invariant(true).value()
    }

    /// A store with the given alignment in bytes.
    pub fn store(self, value: Val<'c, 'a>, pointer: Val<'c, 'a>, alignment: i64) {
        llvm::store(self.builder, value, pointer).alignment(alignment).build();
    }

    /// A relaxed atomic store at device scope.
    pub fn store_relaxed(self, value: Val<'c, 'a>, pointer: Val<'c, 'a>, bytes: i64) {
        let store = llvm::store(self.builder, value, pointer).alignment(bytes);
        store.ordering(AtomicOrdering::Monotonic).syncscope(DEVICE).build();
    }

    /// Adds to a word of memory, relaxed, at device scope; returns the old value.
    pub fn fetch_add(self, pointer: Val<'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
        let (add, relaxed) = (AtomicBinOp::Add, AtomicOrdering::Monotonic);
        llvm::atomicrmw(self.builder, pointer, value, add, relaxed).syncscope(DEVICE).value()
    }

    /// Compares and swaps a word of 32 or 64 bits, relaxed, at device scope; returns the old value.
    pub fn compare_and_swap(self, pointer: Val<'c, 'a>, old: Val<'c, 'a>, new: Val<'c, 'a>) -> Val<'c, 'a> {
        let relaxed = AtomicOrdering::Monotonic;
        let bytes = if old.r#type() == self.int_type(64) { 8 } else { 4 };
        let swap = llvm::cmpxchg(self.builder, pointer, old, new, relaxed, relaxed);
        self.part(swap.syncscope(DEVICE).alignment(bytes).value(), 0, old.r#type())
    }

    /// The type of two 64-bit words, as inline assembly returns them.
    pub fn pair(self) -> Type<'c> {
        llvm_type::several(self.builder.context, self.int_type(64), 2)
    }

    /// A field of a struct.
    pub fn part(self, value: Val<'c, 'a>, index: i64, r#type: Type<'c>) -> Val<'c, 'a> {
        llvm::extractvalue(self.builder, value, &[index], r#type).value()
    }

    /// The fields of a struct, or the only value.
    pub fn parts(self, value: Val<'c, 'a>, count: i64, r#type: Type<'c>) -> Vec<Val<'c, 'a>> {
        if count == 1 {
            return vec![value];
        }
        (0..count).map(|index| self.part(value, index, r#type)).collect()
    }

    /// PTX that LLVM and NVVM have no op for, with side effects unknown to both.
    pub fn assembly(self, text: &str, constraints: &str, operands: &[Val<'c, 'a>]) {
        llvm::inline_asm(self.builder, operands, text, constraints).has_side_effects(true).build();
    }

    /// The same with a result.
    pub fn assembly_value(
        self,
        text: &str,
        constraints: &str,
        operands: &[Val<'c, 'a>],
        result: Type<'c>,
    ) -> Val<'c, 'a> {
        let assembly = llvm::inline_asm(self.builder, operands, text, constraints);
        assembly.has_side_effects(true).res(result).build().res().expect(RESULT)
    }

    /// The same integer of 32 or 64 bits, of which LLVM does not know that it is: what was computed from it is computed again.
    pub fn opaque(self, value: Val<'c, 'a>) -> Val<'c, 'a> {
        let constraints = if value.r#type() == self.int_type(64) { "=l,0" } else { "=r,0" };
        self.assembly_value("", constraints, &[value], value.r#type())
    }

    /// The same without side effects: equal assembly on equal operands may be merged or moved.
    pub fn pure_assembly(
        self,
        text: &str,
        constraints: &str,
        operands: &[Val<'c, 'a>],
        result: Type<'c>,
    ) -> Val<'c, 'a> {
        llvm::inline_asm(self.builder, operands, text, constraints).res(result).build().res().expect(RESULT)
    }
}
