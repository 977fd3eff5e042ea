//! The instructions of a product of registers.

use std::collections::HashMap;

use melior::ir::{Type, Value};
use tile_dialect::ops::MmaOp;
use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::mma::{Factor, MmaShape};
use tile_ops::nvvm::{MMAIntOverflow, MMALayout, MMATypes};
use tile_ops::{Builder, arith, constant, llvm_type, math, nvvm, vector};
use tile_plan::mma::{InstructionRegisters, MmaPlan, MmaProblem, RegisterInstruction};

use super::error::MmaError;
use super::zeroed::FirstProduct;
use super::{tensor, wgmma};
use crate::emit::error::EmitError;
use crate::emit::{Kit, RegisterTile};

/// Writes the product at the builder's insertion point.
///
/// # Errors
/// Operands that are no tiles.
pub fn product<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: MmaOp<'c, 'a>,
    first: Option<FirstProduct>,
    (problem, plan): (&MmaProblem, &MmaPlan),
) -> Result<(), MmaError> {
    let operands = op.operands().ok_or(MmaError::Tiles)?;
    let plan = match plan {
        MmaPlan::Registers(plan) => plan,
        MmaPlan::Warpgroups(plan) => return wgmma::product(builder, op, plan),
        MmaPlan::Tensor(plan) => return tensor::product(builder, op, first, (problem, plan)),
    };
    let mut registers = operands.into_iter().map(|operand| RegisterTile::of(builder, operand));
    let mut next = || registers.next().flatten().ok_or(EmitError::NotInRegisters);
    let tiles = Tiles { a: next()?, b: next()?, c: next()? };
    let mut sums = LoadedSums { tile: &tiles.c, values: HashMap::new() };
    match plan.instruction {
        RegisterInstruction::MmaSync { shape, factors } => {
            let instruction = MmaSyncWriter { builder, shape, factors, sum: problem.c.number };
            plan.steps().for_each(|step| instruction.step(&tiles, &mut sums, &step));
        }
        RegisterInstruction::Fma => plan.steps().for_each(|step| fma(builder, problem, &tiles, &mut sums, &step)),
    }
    sums.store();
    Ok(())
}

/// The operands.
struct Tiles<'c, 'a> {
    a: RegisterTile<'c, 'a>,
    b: RegisterTile<'c, 'a>,
    c: RegisterTile<'c, 'a>,
}

/// The elements of C that have been loaded, and are stored when all terms have been added.
struct LoadedSums<'r, 'c, 'a> {
    tile: &'r RegisterTile<'c, 'a>,
    values: HashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> LoadedSums<'_, 'c, 'a> {
    fn get(&mut self, register: usize) -> Value<'c, 'a> {
        *self.values.entry(register).or_insert_with(|| self.tile.load(register))
    }

    fn set(&mut self, register: usize, value: Value<'c, 'a>) {
        self.values.insert(register, value);
    }

    fn store(self) {
        let mut all: Vec<_> = self.values.into_iter().collect();
        all.sort_unstable_by_key(|&(register, _)| register);
        all.into_iter().for_each(|(register, value)| self.tile.store(value, register));
    }
}

/// `c += a * b`, of single elements.
fn fma<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    problem: &MmaProblem,
    tiles: &Tiles<'c, 'a>,
    sums: &mut LoadedSums<'_, 'c, 'a>,
    step: &InstructionRegisters,
) {
    let (sum, is_signed) = (tiles.c.element, |clause: Option<Clause>| clause == Some(Clause::Signed));
    let a = tiles.a.widened(step.a[0], sum, is_signed(problem.a.clause));
    let b = tiles.b.widened(step.b[0], sum, is_signed(problem.b.clause));
    let before = sums.get(step.c[0]);
    let after = if problem.c.number.is_integer() {
        let product = arith::muli(builder, a, b).value();
        arith::addi(builder, before, product).value()
    } else {
        math::fma(builder, a, b, before).value()
    };
    sums.set(step.c[0], after);
}

/// An `mma.sync`.
struct MmaSyncWriter<'c, 'a> {
    builder: Builder<'c, 'a>,
    shape: MmaShape,
    factors: [Factor; 2],
    sum: NumberFormat,
}

impl<'c: 'a, 'a> MmaSyncWriter<'c, 'a> {
    fn step(&self, tiles: &Tiles<'c, 'a>, sums: &mut LoadedSums<'_, 'c, 'a>, step: &InstructionRegisters) {
        let a = self.factor(&tiles.a, self.factors[0], &step.a);
        let b = self.factor(&tiles.b, self.factors[1], &step.b);
        let before: Vec<_> = step.c.iter().map(|&register| sums.get(register)).collect();
        let c = self.packed(&before, tiles.c.element);
        let (part, count) = self.part(tiles.c.element);
        let result = llvm_type::several(self.builder.context, part, count);
        let product =
            if self.is_intrinsic() { self.intrinsic(&a, &b, &c, result) } else { self.assembly(&a, &b, &c, result) };
        let parts = Kit::new(self.builder).parts(product, count as i64, part);
        let after = self.unpacked(&parts);
        step.c.iter().zip(after).for_each(|(&register, value)| sums.set(register, value));
    }

    /// The registers of a factor.
    fn factor(&self, tile: &RegisterTile<'c, 'a>, factor: Factor, elements: &[usize]) -> Vec<Value<'c, 'a>> {
        let registers = elements.chunks(factor.per_register() as usize);
        let register = |elements: &[usize]| match factor {
            Factor::F64 => tile.load(elements[0]),
            Factor::F16 if self.is_intrinsic() => tile.vector(elements),
            _ => tile.word(elements),
        };
        registers.map(register).collect()
    }

    /// The type of a register of the sum, and the number of registers.
    fn part(&self, element: Type<'c>) -> (Type<'c>, usize) {
        let elements = (self.shape.rows_per_lane() * self.shape.columns_per_lane()) as usize;
        match self.sum {
            NumberFormat::F16 => (Type::vector(&[2], element), elements / 2),
            _ => (element, elements),
        }
    }

    /// Sums as registers.
    fn packed(&self, sums: &[Value<'c, 'a>], element: Type<'c>) -> Vec<Value<'c, 'a>> {
        if self.sum != NumberFormat::F16 {
            return sums.to_vec();
        }
        let pair =
            |pair: &[Value<'c, 'a>]| vector::from_elements(self.builder, pair, Type::vector(&[2], element)).value();
        sums.chunks(2).map(pair).collect()
    }

    /// The inverse of [`MmaSyncWriter::packed`].
    fn unpacked(&self, parts: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        if self.sum != NumberFormat::F16 {
            return parts.to_vec();
        }
        let elements = |&pair: &Value<'c, 'a>| [0, 1].map(|at| vector::extract(self.builder, pair, &[], &[at]).value());
        parts.iter().flat_map(elements).collect()
    }

    /// Whether NVVM has the instruction.
    fn is_intrinsic(&self) -> bool {
        match self.factors[0] {
            Factor::E4m3 | Factor::E5m2 => false,
            Factor::F64 => self.shape.m == 8,
            _ => true,
        }
    }

    fn intrinsic(
        &self,
        a: &[Value<'c, 'a>],
        b: &[Value<'c, 'a>],
        c: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        let MmaShape { m, n, k } = self.shape;
        let shape = constant::mma_shape(self.builder.context, [m, n, k]);
        let (rows, columns) = (MMALayout::Row, MMALayout::Col);
        let [of_a, of_b] = self.factors.map(mma_type);
        let overflow = self.sum.is_integer().then_some(MMAIntOverflow::Wrapped);
        nvvm::mma_sync(self.builder, a, b, c, shape, rows, columns, result)
            .multiplicand_a_ptx_type(of_a)
            .multiplicand_b_ptx_type(of_b)
            .int_overflow_behavior(overflow)
            .value()
    }

    fn assembly(
        &self,
        a: &[Value<'c, 'a>],
        b: &[Value<'c, 'a>],
        c: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        let (of_sum, of_factor) = if self.sum == NumberFormat::F64 { ("d", "d") } else { ("f", "r") };
        let mut number = 0;
        let mut list = |count: usize| {
            let names: Vec<String> = (number..number + count).map(|number| format!("${number}")).collect();
            number += count;
            format!("{{{}}}", names.join(", "))
        };
        let operands = [list(c.len()), list(a.len()), list(b.len()), list(c.len())].join(", ");
        let [name_a, name_b] = self.factors.map(Factor::ptx);
        let sum = self.sum.name();
        let text = format!("mma.sync.aligned.{}.row.col.{sum}.{name_a}.{name_b}.{sum} {operands};", self.shape);
        let inputs = vec![of_factor; a.len() + b.len()].into_iter().chain(vec![of_sum; c.len()]);
        let outputs = c.iter().map(|_| format!("={of_sum}"));
        let constraints: Vec<String> = outputs.chain(inputs.map(str::to_owned)).collect();
        let operands: Vec<_> = [a, b, c].concat();
        Kit::new(self.builder).assembly_value(&text, &constraints.join(","), &operands, result)
    }
}

/// The type by which NVVM calls elements.
fn mma_type(factor: Factor) -> Option<MMATypes> {
    match factor {
        Factor::F16 => Some(MMATypes::F16),
        Factor::Bf16 => Some(MMATypes::Bf16),
        Factor::Tf32 => Some(MMATypes::Tf32),
        Factor::F64 => Some(MMATypes::F64),
        Factor::S8 => Some(MMATypes::S8),
        Factor::U8 => Some(MMATypes::U8),
        Factor::E4m3 | Factor::E5m2 => None,
    }
}
