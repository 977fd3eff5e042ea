//! Expansion of copies by `ldmatrix` and `stmatrix`.

use melior::ir::{Attribute, Type, Value};
use tile_ops::llvm_type::{self, Space};
use tile_ops::nvvm::{LdStMatrixEltType, MMALayout};
use tile_ops::{constant, nvvm, vector};
use tile_plan::address;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::problem::role::Role;

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Kit, Storage, Sum, Width, run_time};

/// A matrix copy and the storage of its sides.
struct Matrices<'p, 'c, 'a> {
    plan: &'p MatrixCopy,
    shared: Storage<'c, 'a>,
    registers: Storage<'c, 'a>,
    values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &MatrixCopy,
) -> Result<(), EmitError> {
    let [src, dst] = staged.buffers()?;
    let (role, shared, registers) = if plan.load { (Role::Src, src, dst) } else { (Role::Dst, dst, src) };
    let thread = emit.function.thread_in(emit.kit.builder, staged.scope).ok_or(EmitError::ThreadScope)?;
    let matrices = Matrices {
        plan,
        shared: emit.function.storage_of(emit.kit.builder, shared)?,
        registers: emit.function.storage_of(emit.kit.builder, registers)?,
        values: run_time(staged.op, role),
        thread: Sum::value(thread),
    };
    let conditions = emit.guard_conditions(&plan.guards, matrices.thread);
    emit.when(&conditions, |emit| (0..plan.steps()).try_for_each(|step| matrices.step(emit, step)))
}

impl<'c: 'a, 'a> Matrices<'_, 'c, 'a> {
    fn step(&self, emit: &mut Emit<'c, 'a, '_>, step: i64) -> Result<(), EmitError> {
        let address = address::matrix_address(emit, self.plan, self.thread, Sum::constant(step), &self.values)?;
        let row = emit.pointer(self.shared, address, Space::Shared);
        let registers = (0..self.plan.num)
            .map(|matrix| address::matrix_register(self.plan, step, matrix))
            .collect::<Result<Vec<_>, _>>()?;
        if self.plan.load {
            let loaded = self.load(emit, row);
            for (value, register) in loaded.into_iter().zip(registers) {
                let held = self.elements_of(emit.kit, value);
                emit.store(held, self.registers, self.first(register), self.width());
            }
        } else {
            let stored = registers.into_iter().map(|register| self.register(emit, register)).collect();
            self.store(emit, row, stored);
        }
        Ok(())
    }

    /// A 32-bit register of the thread.
    fn register(&self, emit: &mut Emit<'c, 'a, '_>, register: i64) -> Value<'c, 'a> {
        let held = emit.load(self.registers, self.first(register), self.width());
        self.word_of(emit.kit, held)
    }

    /// The elements of a word. LLVM's dialect has no floats of 8 bits, so that its cast takes no vectors of these.
    fn elements_of(&self, kit: Kit<'c, 'a>, word: Value<'c, 'a>) -> Value<'c, 'a> {
        if self.plan.lane_elements() == 1 {
            return kit.bits_as(word, self.held());
        }
        let word = vector::from_elements(kit.builder, &[word], Type::vector(&[1], kit.int_type(32))).value();
        vector::bitcast(kit.builder, word, self.held()).value()
    }

    /// The inverse.
    fn word_of(&self, kit: Kit<'c, 'a>, held: Value<'c, 'a>) -> Value<'c, 'a> {
        if self.plan.lane_elements() == 1 {
            return kit.bits_as(held, kit.int_type(32));
        }
        let word = vector::bitcast(kit.builder, held, Type::vector(&[1], kit.int_type(32))).value();
        vector::extract(kit.builder, word, &[], &[0]).value()
    }

    /// The first element of a register.
    fn first(&self, register: i64) -> Sum<'c, 'a> {
        Sum::constant(self.plan.lane_elements() * register)
    }

    /// The elements of a register.
    fn width(&self) -> Width {
        Width::new(self.plan.lane_elements(), self.plan.bits())
    }

    /// The type of what a register holds: an element, or a vector of several.
    fn held(&self) -> Type<'c> {
        match self.plan.lane_elements() {
            1 => self.registers.element,
            count => Type::vector(&[count as u64], self.registers.element),
        }
    }

    fn layout(&self) -> MMALayout {
        if self.plan.trans { MMALayout::Col } else { MMALayout::Row }
    }

    /// Eight rows of eight elements of 16 bits.
    fn shape(emit: &Emit<'c, 'a, '_>) -> (Attribute<'c>, LdStMatrixEltType) {
        (constant::ld_st_matrix_shape(emit.kit.builder.context, 8, 8), LdStMatrixEltType::B16)
    }

    fn load(&self, emit: &mut Emit<'c, 'a, '_>, row: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (builder, word, num) = (emit.kit.builder, emit.kit.int_type(32), self.plan.num);
        let result = llvm_type::several(builder.context, word, num as usize);
        let (shape, element) = Self::shape(emit);
        let loaded = nvvm::ldmatrix(builder, row, num, self.layout(), shape, element, result).value();
        emit.kit.parts(loaded, num, word)
    }

    fn store(&self, emit: &mut Emit<'c, 'a, '_>, row: Value<'c, 'a>, registers: Vec<Value<'c, 'a>>) {
        let (shape, element) = Self::shape(emit);
        nvvm::stmatrix(emit.kit.builder, row, &registers, self.layout(), shape, element).build();
    }
}
