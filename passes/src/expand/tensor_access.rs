//! `tile.tensor_access`: `tcgen05.ld` and `tcgen05.st`.

use melior::ir::{Type, Value};
use tile_dialect::ops::StageOp;
use tile_plan::{Scope, TensorAccess, address};

use super::access::Width;
use super::arith::{Emit, Sum};
use super::run_time;
use super::storage::Storage;

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &TensorAccess) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let (tmem, registers) = if plan.load { (src, dst) } else { (dst, src) };
    let access = Access {
        plan,
        tmem: emit.function.tmem_of(tmem.value)?,
        registers: emit.function.storage_of(emit.builder, registers.value)?,
        values: run_time(&tmem),
    };
    let thread = emit.function.thread_in(emit.builder, Scope::Warpgroup).map_or(Sum::constant(0), Sum::value);
    (0..plan.instructions()).try_for_each(|instruction| access.issue(emit, instruction, thread))
}

/// One access and where its sides are.
struct Access<'p, 'c, 'a> {
    plan: &'p TensorAccess,
    tmem: Value<'c, 'a>,
    registers: Storage<'c, 'a>,
    values: Vec<Sum<'c, 'a>>,
}

impl<'c, 'a> Access<'_, 'c, 'a> {
    fn issue(&self, emit: &mut Emit<'c, 'a, '_>, instruction: i64, thread: Sum<'c, 'a>) -> Result<(), String> {
        let offset = address::access_address(emit, self.plan, Sum::constant(instruction), thread, &self.values)
            .map_err(|refusal| refusal.reason)?;
        let pointer = emit.tmem_pointer(self.tmem, offset);
        let register = address::access_register(self.plan, instruction).map_err(|refusal| refusal.reason)?;
        let first = Sum::constant(register * self.per_word());
        let shape = format!("#nvvm.tcgen05_ldst_shape<shape_{}>", self.plan.shape.name());
        let shape = [("shape", emit.builder.parse(&shape))];
        let (words, elements) = (self.words(emit), self.elements());
        if self.plan.load {
            let loaded = emit.builder.value("nvvm.tcgen05.ld", &[pointer], words, &shape);
            let loaded = self.cast(emit, loaded, elements);
            emit.store(loaded, self.registers, first, self.width());
        } else {
            let stored = emit.load(self.registers, first, self.width());
            let stored = self.cast(emit, stored, words);
            emit.builder.op("nvvm.tcgen05.st", &[pointer, stored], &[], &shape);
        }
        Ok(())
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
        let word = emit.builder.context.integer(32);
        if self.plan.words() == 1 { word } else { Type::vector(&[self.plan.words() as u64], word) }
    }

    /// The same bits as elements.
    fn elements(&self) -> Type<'c> {
        let width = self.width();
        if width.elements == 1 {
            self.registers.element
        } else {
            Type::vector(&[width.elements as u64], self.registers.element)
        }
    }

    fn cast(&self, emit: &mut Emit<'c, 'a, '_>, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        use melior::ir::ValueLike;
        if value.r#type() == to { value } else { emit.builder.value("llvm.bitcast", &[value], to, &[]) }
    }
}
