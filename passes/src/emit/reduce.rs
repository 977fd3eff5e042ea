//! Reductions in memory: single elements by LLVM's atomics, several elements by one `red`.
//!
//! ```text
//!   one i32                 llvm.atomicrmw add, relaxed
//!   min of one f32          a loop of compare-and-swap           LLVM's own starts with a load that is not atomic
//!   4 f32, global, sm_90    red.relaxed.gpu.global.add.v4.f32    assembly: LLVM has no vector form
//!   a portable target       memref.generic_atomic_rmw            one element, of any type and operator
//! ```

use melior::ir::{Type, Value, ValueLike};
use tile_isa::{Operator, Red, Space};
use tile_ops::llvm::{self, AtomicBinOp, AtomicOrdering};
use tile_ops::llvm_type::Space as Pointer;
use tile_ops::{arith, memref, vector};
use tile_plan::target::Target;

use super::Kit;
use super::access::Width;
use super::function::Storage;
use super::index::{Emit, Sum};
use super::numbers::Cmp;
use crate::emit::error::EmitError;

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// Reduces a vector (an element, where it has one) into memory, starting at an address in elements.
    ///
    /// # Errors
    /// A width that the chip cannot reduce at a time, or memory that threads do not share.
    pub fn reduce(
        &mut self,
        value: Value<'c, 'a>,
        (to, address): (Storage<'c, 'a>, Sum<'c, 'a>),
        width: Width,
        (red, space, target): (Red, Space, &Target),
    ) -> Result<(), EmitError> {
        let (pointer_space, name, scope, syncscope) = match space {
            Space::Global => (Pointer::Global, "global", "gpu", "device"),
            Space::Shared => (Pointer::Shared, "shared", "cta", "block"),
            Space::Local | Space::Tmem => return Err(EmitError::ReducedSpace(space)),
        };
        if target.api().is_some() {
            let index = self.materialize(address);
            self.kit.update(red, value, (to, index));
            return Ok(());
        }
        let pointer = self.pointer(to, address, pointer_space);
        let (forms, bits) = (target.red_forms(red, space), u32::try_from(8 * width.bytes).unwrap_or(u32::MAX));
        if width.elements == 1 && red.is_instruction(forms) {
            let (operator, relaxed) = (operator(red), AtomicOrdering::Monotonic);
            llvm::atomicrmw(self.kit.builder, pointer, value, operator, relaxed).syncscope(syncscope).build();
            return Ok(());
        }
        if width.elements == 1 {
            self.kit.swap_float(red.operator(), value, (pointer, bits), (name, scope, syncscope));
            return Ok(());
        }
        let several = red.several(bits, forms);
        let several = several.ok_or_else(|| EmitError::ReducedWidth { bits, target: target.to_string() })?;
        let register = self.kit.int_type(several.register_bits);
        let registers = Type::vector(&[several.registers as u64], register);
        let registers = vector::bitcast(self.kit.builder, value, registers).value();
        let parts = (0..several.registers).map(|at| vector::extract(self.kit.builder, registers, &[], &[at]).value());
        let operands: Vec<_> = std::iter::once(pointer).chain(parts).collect();
        let list: Vec<String> = (1..=several.registers).map(|at| format!("${at}")).collect();
        let list = if several.registers == 1 { list.concat() } else { format!("{{{}}}", list.join(", ")) };
        let text = format!("red.relaxed.{scope}.{name}.{} [$0], {list};", several.suffix);
        let constraint = if several.register_bits == 16 { ",h" } else { ",r" };
        let constraints = format!("l{},~{{memory}}", constraint.repeat(several.registers as usize));
        self.kit.assembly(&text, &constraints, &operands);
        Ok(())
    }
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// Reduces an element of a memref as upstream's op, whose body is the operator.
    fn update(self, red: Red, value: Value<'c, 'a>, (to, index): (Storage<'c, 'a>, Value<'c, 'a>)) {
        let body = self.builder.body(&[to.element]);
        let op = memref::generic_atomic_rmw(self.builder, to.memref, &[index], body).build().operation();
        self.builder.fill(op, 0, |arguments| {
            let there = arguments[0];
            let new = match red.is_float() {
                true => self.combined_floats(red.operator(), there, value),
                false => self.combined_integers(red.operator(), there, value),
            };
            memref::atomic_yield(self.builder, new).build();
        });
    }

    /// Two floats, combined by an operator that there is for floats; where one operand is NaN, min and max take the
    /// other.
    fn combined_floats(self, operator: Operator, there: Value<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        match operator {
            Operator::Min => arith::minnumf(self.builder, there, value).value(),
            Operator::Max => arith::maxnumf(self.builder, there, value).value(),
            _ => arith::addf(self.builder, there, value).value(),
        }
    }

    fn combined_integers(self, operator: Operator, there: Value<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        match operator {
            Operator::Add => self.add(there, value),
            Operator::Min => arith::minsi(builder, there, value).value(),
            Operator::Max => arith::maxsi(builder, there, value).value(),
            Operator::UMin => arith::minui(builder, there, value).value(),
            Operator::UMax => arith::maxui(builder, there, value).value(),
            Operator::And => self.and(there, value),
            Operator::Or => self.or(there, value),
            Operator::Xor => arith::xori(builder, there, value).value(),
            Operator::Inc => self.select(self.cmp(Cmp::Uge, there, value), self.i32(0), self.plus(there, 1)),
            Operator::Dec => {
                let wraps = self.or(self.is(Cmp::Eq, there, 0), self.cmp(Cmp::Ugt, there, value));
                self.select(wraps, value, self.plus(there, -1))
            }
        }
    }

    /// Reduces a float of `bits` bits in a compare-and-swap loop, until no other thread has intervened; where one
    /// operand is NaN, min and max take the other.
    fn swap_float(
        self,
        operator: Operator,
        value: Value<'c, 'a>,
        (pointer, bits): (Value<'c, 'a>, u32),
        (space, scope, syncscope): (&str, &str, &str),
    ) {
        let (relaxed, word, builder) = (AtomicOrdering::Monotonic, self.int_type(bits), self.builder);
        let bytes = i64::from(bits / 8);
        let first = llvm::load(builder, pointer, word).alignment(bytes).ordering(relaxed).syncscope(syncscope).value();
        self.repeat([first], |kit, [old]| {
            let there = arith::bitcast(kit.builder, old, value.r#type()).value();
            let new = kit.combined_floats(operator, there, value);
            let new = arith::bitcast(kit.builder, new, word).value();
            let was = if bits == 16 {
                // LLVM would swap the whole 32 bits that contain it.
                let text = format!("atom.relaxed.{scope}.{space}.cas.b16 $0, [$1], $2, $3;");
                kit.assembly_value(&text, "=h,l,h,h,~{memory}", &[pointer, old, new], word)
            } else {
                let swap = llvm::cmpxchg(kit.builder, pointer, old, new, relaxed, relaxed);
                kit.part(swap.syncscope(syncscope).alignment(bytes).value(), 0, word)
            };
            (kit.cmp(Cmp::Ne, was, old), [was])
        });
    }
}

/// LLVM's name for the operator.
fn operator(red: Red) -> AtomicBinOp {
    match (red.operator(), red.is_float()) {
        (Operator::Add, false) => AtomicBinOp::Add,
        (Operator::Add, true) => AtomicBinOp::Fadd,
        (Operator::Min, false) => AtomicBinOp::Min,
        (Operator::Min, true) => AtomicBinOp::Fmin,
        (Operator::Max, false) => AtomicBinOp::Max,
        (Operator::Max, true) => AtomicBinOp::Fmax,
        (Operator::UMin, _) => AtomicBinOp::Umin,
        (Operator::UMax, _) => AtomicBinOp::Umax,
        (Operator::And, _) => AtomicBinOp::And,
        (Operator::Or, _) => AtomicBinOp::Or,
        (Operator::Xor, _) => AtomicBinOp::Xor,
        (Operator::Inc, _) => AtomicBinOp::UincWrap,
        (Operator::Dec, _) => AtomicBinOp::UdecWrap,
    }
}
