//! Expansion of `tcgen05.ld` and `tcgen05.st`, and waiting for loads.
//!
//! `tcgen05.ld` names its destination registers when it is issued, and fills them later. LLVM treats its result as a
//! value like any other, so nothing keeps an instruction that reads it after the wait:
//!
//! ```text
//!   tcgen05.ld {%r1, %r2}, [%t];        tcgen05.ld {%r1, %r2}, [%t];
//!   mov.b32 {%rs1, %rs2}, %r1;  wrong   tcgen05.wait::ld;
//!   tcgen05.wait::ld;                   asm volatile ("" : "+r"(%r1), "+r"(%r2));
//!                                       mov.b32 {%rs1, %rs2}, %r1;
//! ```
//!
//! The empty volatile assembly after the wait is not moved, and whatever reads the registers reads its results.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use tile_isa::{Scope, TmemShape};
use tile_ops::nvvm::{self, Tcgen05LdStShape, Tcgen05WaitKind, Tcgen05WaitOp};
use tile_ops::{Builder, llvm_type, vector};
use tile_plan::address;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::problem::role::Role;

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Storage, Sum, Width, run_time};

/// Writes the copy at the emitter's insertion point.
///
/// The result of a load may be read only after a wait, which LLVM does not know: it would extract from the registers
/// before. So the elements are stored to their buffer after the caller's next `nvvm.tcgen05.wait <load>`, see [`Wait`].
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &TmemAccess,
) -> Result<(), EmitError> {
    let (op, [src, dst]) = (staged.op, staged.buffers()?);
    let (role, tmem, registers) = if plan.load { (Role::Src, src, dst) } else { (Role::Dst, dst, src) };
    let access = AccessExpansion {
        plan,
        tmem: emit.function.tmem_of(tmem)?,
        registers: emit.function.storage_of(emit.kit.builder, registers)?,
        values: run_time(op, role),
    };
    let thread = emit.function.thread_in(emit.kit.builder, Scope::Warpgroup).map_or(Sum::constant(0), Sum::value);
    if plan.load { access.load(emit, op.0, thread) } else { access.store(emit, thread) }
}

/// An access and the storage of its sides.
struct AccessExpansion<'p, 'c, 'a> {
    plan: &'p TmemAccess,
    tmem: Value<'c, 'a>,
    registers: Storage<'c, 'a>,
    values: Vec<Sum<'c, 'a>>,
}

impl<'c, 'a> AccessExpansion<'_, 'c, 'a> {
    /// Issues all instructions, then stores the elements to their buffer.
    fn load(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        op: OperationRef<'c, 'a>,
        thread: Sum<'c, 'a>,
    ) -> Result<(), EmitError> {
        let mut loaded = Vec::new();
        for instruction in 0..self.plan.instructions() {
            let pointer = self.pointer(emit, instruction, thread)?;
            let words = nvvm::tcgen05_ld(emit.kit.builder, pointer, self.shape(), self.words(emit)).value();
            loaded.push((self.register(instruction)?, words));
        }
        Wait::after(emit.kit.builder, op).then(emit, |emit, wait| {
            for (register, words) in loaded {
                let known = wait.known(emit, words, self.plan.words());
                let elements = regrouped(emit.kit.builder, known, self.elements());
                emit.store(elements, self.registers, register, self.width());
            }
        });
        Ok(())
    }

    fn store(&self, emit: &mut Emit<'c, 'a, '_>, thread: Sum<'c, 'a>) -> Result<(), EmitError> {
        for instruction in 0..self.plan.instructions() {
            let pointer = self.pointer(emit, instruction, thread)?;
            let stored = emit.load(self.registers, self.register(instruction)?, self.width());
            let words = self.words(emit);
            let stored = regrouped(emit.kit.builder, stored, words);
            nvvm::tcgen05_st(emit.kit.builder, pointer, stored, self.shape()).build();
        }
        Ok(())
    }

    fn pointer(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        instruction: i64,
        thread: Sum<'c, 'a>,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let offset = address::access_address(emit, self.plan, Sum::constant(instruction), thread, &self.values)?;
        Ok(emit.tmem_pointer(self.tmem, offset))
    }

    /// The first element of the thread's storage that an instruction accesses.
    fn register(&self, instruction: i64) -> Result<Sum<'c, 'a>, EmitError> {
        let register = address::access_register(self.plan, instruction)?;
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

    /// Elements in a 32-bit register.
    fn per_word(&self) -> i64 {
        32 / i64::from(self.plan.element_bits)
    }

    fn width(&self) -> Width {
        Width { elements: self.plan.words() * self.per_word(), bytes: 4 }
    }

    /// The type that the instruction moves: one register, or a vector of registers.
    fn words(&self, emit: &Emit<'c, 'a, '_>) -> Type<'c> {
        let word = emit.kit.int_type(32);
        if self.plan.words() == 1 { word } else { Type::vector(&[self.plan.words() as u64], word) }
    }

    /// The type of the same bits as elements.
    fn elements(&self) -> Type<'c> {
        let element = self.registers.element;
        if self.width().elements == 1 { element } else { Type::vector(&[self.width().elements as u64], element) }
    }
}

/// The same bits as a number or a vector of another type, which may be one that LLVM lacks, such as 8-bit floats.
fn regrouped<'c: 'a, 'a>(builder: Builder<'c, 'a>, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
    let as_vector = |r#type: Type<'c>| if r#type.is_vector() { r#type } else { Type::vector(&[1], r#type) };
    let from = value.r#type();
    if from == to {
        return value;
    }
    let value =
        if from.is_vector() { value } else { vector::from_elements(builder, &[value], as_vector(from)).value() };
    let cast = vector::bitcast(builder, value, as_vector(to)).value();
    if to.is_vector() { cast } else { vector::extract(builder, cast, &[], &[0]).value() }
}

/// The largest number of registers that one assembly passes through.
const MAX_REGISTERS: usize = 16;

/// The wait that completes a load.
#[derive(Clone, Copy)]
struct Wait<'c, 'a>(OperationRef<'c, 'a>);

impl<'c: 'a, 'a> Wait<'c, 'a> {
    /// The caller's next wait after `op` in its block; where there is none, makes a wait right after it.
    fn after(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
        let mut next = op.next_in_block();
        while let Some(op) = next {
            if Tcgen05WaitOp::cast(op).is_some_and(|wait| wait.kind() == Some(Tcgen05WaitKind::Load)) {
                return Wait(op);
            }
            next = op.next_in_block();
        }
        Wait(nvvm::tcgen05_wait(builder, Tcgen05WaitKind::Load).build().operation())
    }

    /// Makes ops right after the wait.
    fn then(self, emit: &mut Emit<'c, 'a, '_>, make: impl FnOnce(&mut Emit<'c, 'a, '_>, Self)) {
        let builder = emit.kit.builder;
        builder.elsewhere(|rewriter| rewriter.set_insertion_point_after(self.0), |_| make(emit, self));
    }

    /// The value of `loaded`, a register or a vector of `count` registers, after the wait.
    fn known(self, emit: &mut Emit<'c, 'a, '_>, loaded: Value<'c, 'a>, count: i64) -> Value<'c, 'a> {
        let (builder, word) = (emit.kit.builder, emit.kit.int_type(32));
        if count == 1 {
            return pass(emit, &[loaded])[0];
        }
        let words: Vec<_> = (0..count).map(|index| vector::extract(builder, loaded, &[], &[index]).value()).collect();
        let known: Vec<_> = words.chunks(MAX_REGISTERS).flat_map(|words| pass(emit, words)).collect();
        vector::from_elements(builder, &known, Type::vector(&[count as u64], word)).value()
    }
}

/// Passes registers through an empty assembly that is not moved.
fn pass<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, words: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let word = emit.kit.int_type(32);
    let result = llvm_type::several(emit.kit.builder.context, word, words.len());
    let outputs = vec!["=r".to_owned(); words.len()];
    let constraints: Vec<String> = outputs.into_iter().chain((0..words.len()).map(|index| index.to_string())).collect();
    let passed = emit.kit.assembly_value("", &constraints.join(","), words, result);
    emit.kit.parts(passed, words.len() as i64, word)
}
