//! `tile.tmem_access`: `tcgen05.ld` and `tcgen05.st`.

use melior::ir::{OperationRef, Type, Value};
use tile_dialect::ops::StageOp;
use tile_ops::nvvm::{self, Tcgen05LdStShape};
use tile_plan::{Scope, TmemAccess, TmemShape, address};

use super::wait::Wait;
use crate::emit::{Emit, Storage, Sum, Width, run_time};

/// Writes the copy at the emitter's insertion point.
///
/// What a load brings may be read after a wait only, and LLVM does not know that: it would take the registers apart
/// before. So the elements go to their place after the caller's next `nvvm.tcgen05.wait <load>`, see [`Wait`].
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &TmemAccess) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let (tmem, registers) = if plan.load { (src, dst) } else { (dst, src) };
    let access = Access {
        plan,
        tmem: emit.function.tmem_of(tmem.value)?,
        registers: emit.function.storage_of(emit.kit.builder, registers.value)?,
        values: run_time(&tmem),
    };
    let thread = emit.function.thread_in(emit.kit.builder, Scope::Warpgroup).map_or(Sum::constant(0), Sum::value);
    if plan.load { access.load(emit, op.0, thread) } else { access.store(emit, thread) }
}

/// One access and where its sides are.
struct Access<'p, 'c, 'a> {
    plan: &'p TmemAccess,
    tmem: Value<'c, 'a>,
    registers: Storage<'c, 'a>,
    values: Vec<Sum<'c, 'a>>,
}

impl<'c, 'a> Access<'_, 'c, 'a> {
    /// All instructions, then the elements to their place.
    fn load(&self, emit: &mut Emit<'c, 'a, '_>, op: OperationRef<'c, 'a>, thread: Sum<'c, 'a>) -> Result<(), String> {
        let mut loaded = Vec::new();
        for instruction in 0..self.plan.instructions() {
            let pointer = self.pointer(emit, instruction, thread)?;
            let words = nvvm::tcgen05_ld(emit.kit.builder, pointer, self.shape(), self.words(emit)).value();
            loaded.push((self.register(instruction)?, words));
        }
        Wait::after(emit.kit.builder, op).then(emit, |emit, wait| {
            for (register, words) in loaded {
                let known = wait.known(emit, words, self.plan.words());
                let elements = emit.kit.bits_as(known, self.elements());
                emit.store(elements, self.registers, register, self.width());
            }
        });
        Ok(())
    }

    fn store(&self, emit: &mut Emit<'c, 'a, '_>, thread: Sum<'c, 'a>) -> Result<(), String> {
        for instruction in 0..self.plan.instructions() {
            let pointer = self.pointer(emit, instruction, thread)?;
            let stored = emit.load(self.registers, self.register(instruction)?, self.width());
            let words = self.words(emit);
            let stored = emit.kit.bits_as(stored, words);
            nvvm::tcgen05_st(emit.kit.builder, pointer, stored, self.shape()).build();
        }
        Ok(())
    }

    fn pointer(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        instruction: i64,
        thread: Sum<'c, 'a>,
    ) -> Result<Value<'c, 'a>, String> {
        let offset = address::access_address(emit, self.plan, Sum::constant(instruction), thread, &self.values)
            .map_err(|refusal| refusal.reason)?;
        Ok(emit.tmem_pointer(self.tmem, offset))
    }

    /// The element of the thread's storage that an instruction begins at.
    fn register(&self, instruction: i64) -> Result<Sum<'c, 'a>, String> {
        let register = address::access_register(self.plan, instruction).map_err(|refusal| refusal.reason)?;
        Ok(Sum::constant(register * self.per_word()))
    }

    fn shape(&self) -> Tcgen05LdStShape {
        match self.plan.shape {
            TmemShape::Lanes32Bits32 => Tcgen05LdStShape::Shape32x32b,
            TmemShape::Lanes16Bits64 => Tcgen05LdStShape::Shape16x64b,
            TmemShape::Lanes16Bits128 => Tcgen05LdStShape::Shape16x128b,
            TmemShape::Lanes16Bits256 => Tcgen05LdStShape::Shape16x256b,
        }
    }

    /// Elements of a 32-bit register.
    fn per_word(&self) -> i64 {
        32 / i64::from(self.plan.element_bits)
    }

    fn width(&self) -> Width {
        Width { elements: self.plan.words() * self.per_word(), bytes: 4 }
    }

    /// What the instruction moves: one register, or a vector of them.
    fn words(&self, emit: &Emit<'c, 'a, '_>) -> Type<'c> {
        let word = emit.kit.int_type(32);
        if self.plan.words() == 1 { word } else { Type::vector(&[self.plan.words() as u64], word) }
    }

    /// The same bits as elements.
    fn elements(&self) -> Type<'c> {
        let element = self.registers.element;
        if self.width().elements == 1 { element } else { Type::vector(&[self.width().elements as u64], element) }
    }
}
