//! `tile.matrix_copy`: `ldmatrix` and `stmatrix`.

use melior::ir::operation::OperationBuilder;
use melior::ir::{Attribute, Type, Value};
use tile_dialect::ops::StageOp;
use tile_plan::{MatrixCopy, Scope, address};

use crate::build::result_of;
use crate::emit::{Emit, Storage, Sum, Width};

/// One matrix copy and where its sides are.
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
    op: StageOp<'c, 'a>,
    plan: &MatrixCopy,
    scope: Scope,
) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let (shared, registers) = if plan.load { (src, dst) } else { (dst, src) };
    let thread = emit.function.thread_in(emit.builder, scope).ok_or("has thread scope, but needs a warp")?;
    let matrices = Matrices {
        plan,
        shared: emit.function.storage_of(emit.builder, shared.value)?,
        registers: emit.function.storage_of(emit.builder, registers.value)?,
        values: shared.terms.iter().map(|&(value, ..)| Sum::value(value)).collect(),
        thread: Sum::value(thread),
    };
    let conditions = emit.guard_conditions(&plan.guards, matrices.thread);
    emit.when(&conditions, |emit| (0..plan.steps()).try_for_each(|step| matrices.step(emit, step)))
}

impl<'c, 'a> Matrices<'_, 'c, 'a> {
    fn step(&self, emit: &mut Emit<'c, 'a, '_>, step: i64) -> Result<(), String> {
        let address = address::matrix_address(emit, self.plan, self.thread, Sum::constant(step), &self.values)
            .map_err(|refusal| refusal.reason)?;
        let row = emit.pointer(self.shared, address, "!llvm.ptr<3>");
        let registers = (0..self.plan.num)
            .map(|matrix| address::matrix_register(self.plan, step, matrix).map_err(|refusal| refusal.reason))
            .collect::<Result<Vec<_>, _>>()?;
        if self.plan.load {
            let loaded = self.load(emit, row);
            for (value, register) in loaded.into_iter().zip(registers) {
                let pair = self.pair(emit);
                let pair = emit.builder.value("llvm.bitcast", &[value], pair, &[]);
                emit.store(pair, self.registers, Sum::constant(2 * register), Width::new(2, 16));
            }
        } else {
            let stored = registers.into_iter().map(|register| self.register(emit, register)).collect();
            self.store(emit, row, stored);
        }
        Ok(())
    }

    /// Two elements of 16 bits.
    fn pair(&self, _emit: &Emit<'c, 'a, '_>) -> Type<'c> {
        Type::vector(&[2], self.registers.element)
    }

    fn word(emit: &Emit<'c, 'a, '_>) -> Type<'c> {
        emit.builder.context.integer(32)
    }

    /// A 32-bit register of the thread.
    fn register(&self, emit: &mut Emit<'c, 'a, '_>, register: i64) -> Value<'c, 'a> {
        let pair = emit.load(self.registers, Sum::constant(2 * register), Width::new(2, 16));
        let word = Self::word(emit);
        emit.builder.value("llvm.bitcast", &[pair], word, &[])
    }

    fn attributes(&self, emit: &Emit<'c, 'a, '_>) -> Vec<(&'static str, Attribute<'c>)> {
        let layout = if self.plan.trans { "#nvvm.mma_layout<col>" } else { "#nvvm.mma_layout<row>" };
        vec![
            ("layout", emit.builder.parse(layout)),
            ("shape", emit.builder.parse("#nvvm.ld_st_matrix_shape<m = 8, n = 8>")),
            ("eltType", emit.builder.parse("#nvvm.ld_st_matrix_elt_type<b16>")),
        ]
    }

    fn load(&self, emit: &mut Emit<'c, 'a, '_>, row: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let word = Self::word(emit);
        let fields = vec!["i32"; self.plan.num as usize].join(", ");
        let result = match self.plan.num {
            1 => word,
            _ => emit.builder.context.parse_type(&format!("!llvm.struct<({fields})>")).unwrap_or(word),
        };
        let mut attributes = self.attributes(emit);
        attributes.push(("num", emit.i32_attribute(self.plan.num)));
        let op =
            OperationBuilder::new("nvvm.ldmatrix", emit.builder.location).add_operands(&[row]).add_results(&[result]);
        let loaded = result_of(emit.builder.insert(op, &attributes), 0);
        emit.parts(loaded, self.plan.num, word)
    }

    fn store(&self, emit: &mut Emit<'c, 'a, '_>, row: Value<'c, 'a>, registers: Vec<Value<'c, 'a>>) {
        let operands: Vec<_> = std::iter::once(row).chain(registers).collect();
        let attributes = self.attributes(emit);
        emit.builder.op("nvvm.stmatrix", &operands, &[], &attributes);
    }
}
