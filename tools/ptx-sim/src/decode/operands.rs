//! Operands of an instruction: sources, predicates and addresses (PTX ISA 6).

use super::context::Cx;
use super::state::{Binding, VariableLocation};
use crate::code::{Addr, Pred, PredSrc, SINK, Special, Src, Within};
use crate::memory::{FUNCTION_STRIDE, FUNCTION_WINDOW, PARAM_WINDOW};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Type};

/// The address of the function with this index in the module.
pub(crate) fn function_address(index: usize) -> u64 {
    FUNCTION_WINDOW + FUNCTION_STRIDE * index as u64
}

/// Sources: registers, constants, addresses of variables, special registers.
impl Cx<'_> {
    pub(crate) fn src(&mut self, ty: Type) -> Result<Src> {
        let operand = self.operand()?;
        self.src_of(operand, ty, false)
    }

    /// A source register that may be wider than the type: its low bits are used.
    pub(crate) fn src_loose(&mut self, ty: Type) -> Result<Src> {
        let operand = self.operand()?;
        self.src_of(operand, ty, true)
    }

    pub(crate) fn src_of(&mut self, operand: &Operand, ty: Type, loose: bool) -> Result<Src> {
        match operand {
            Operand::Name(name, addend) => self.named(name, *addend, ty, loose),
            Operand::Integer(value) => self.integer(*value, ty).map(Src::Imm),
            Operand::Single(bits) => self.float_constant(f64::from(f32::from_bits(*bits)), u64::from(*bits), 32, ty),
            Operand::Double(bits) => self.float_constant(f64::from_bits(*bits), *bits, 64, ty),
            _ => Err(self.error("a register or a constant is expected as source")),
        }
    }

    fn named(&mut self, name: &str, addend: i64, ty: Type, loose: bool) -> Result<Src> {
        if let Some((index, register)) = self.register(name) {
            if addend != 0 {
                return Err(self.error(format!("register `{name}` cannot have an offset")));
            }
            self.check_width(name, register, ty.width(), loose)?;
            self.uses.extend(index..index + register.width().div_ceil(64));
            return Ok(Src::Reg(index));
        }
        if let Some(Binding::Variable { place, .. }) = self.scopes.find(name) {
            let place = *place;
            return self.address_of(place, addend);
        }
        if let Some(&Binding::Function(index)) = self.scopes.find(name) {
            return Ok(Src::Imm(function_address(index)));
        }
        match Special::parse(name) {
            Some((special, bits)) if bits == ty.width() || (loose && bits > ty.width()) => Ok(Src::Special(special)),
            // `mov.u32` of a 64-bit counter and `mov.u64` of a 32-bit one are legal in old PTX only.
            Some((_, bits)) => {
                Err(self.error(format!("`{name}` has {bits} bits, the instruction needs {}", ty.width())))
            }
            None => Err(self.error(format!("`{name}` is not declared"))),
        }
    }

    fn address_of(&mut self, place: VariableLocation, addend: i64) -> Result<Src> {
        match place {
            VariableLocation::Symbol(index) => {
                self.state.refer(index);
                self.symbols.push(index);
                Ok(Src::Symbol(index, addend))
            }
            VariableLocation::Local(offset) => Ok(self.in_frame(offset.wrapping_add_signed(addend))),
            VariableLocation::KernelParam(offset) => {
                Ok(Src::Imm(PARAM_WINDOW.wrapping_add(offset).wrapping_add_signed(addend)))
            }
            VariableLocation::CallParam(_) => Err(self.error("the address of a call parameter is not supported")),
        }
    }

    /// An address in the thread's own memory, which each call of a recursive function has to itself.
    pub(super) fn in_frame(&self, address: u64) -> Src {
        if self.state.frame.is_some() { Src::Frame(address) } else { Src::Imm(address) }
    }

    fn integer(&self, value: i128, ty: Type) -> Result<u64> {
        let bits = ty.width().min(64);
        let limit = 1i128 << bits;
        if value >= limit || value < -(limit / 2) {
            return Err(self.error(format!("constant {value} does not fit {bits} bits")));
        }
        Ok(value as u64 & u64::MAX >> (64 - bits))
    }

    /// A floating constant converted to the type; for a bit type, its bits unchanged.
    fn float_constant(&self, value: f64, bits: u64, width: u32, ty: Type) -> Result<Src> {
        if ty.width() == width {
            return Ok(Src::Imm(bits));
        }
        match (ty.class, ty.width()) {
            (Class::Float, 32) => Ok(Src::Imm(u64::from((value as f32).to_bits()))),
            (Class::Float, 64) => Ok(Src::Imm(value.to_bits())),
            _ => Err(self.error(format!("got a {width}-bit floating constant, expected {} bits", ty.width()))),
        }
    }
}

/// Predicates, with or without `!`.
impl Cx<'_> {
    pub(crate) fn pred_of(&self, operand: &Operand) -> Result<PredSrc> {
        match operand {
            Operand::Name(name, 0) => match self.scopes.find(name) {
                Some(Binding::Predicate(index)) => {
                    self.pred_uses.borrow_mut().push(*index);
                    Ok(PredSrc::Reg { index: *index, negate: false })
                }
                _ => Err(self.error(format!("`{name}` is not a predicate"))),
            },
            Operand::Not(inner) => match self.pred_of(inner)? {
                PredSrc::Reg { index, negate } => Ok(PredSrc::Reg { index, negate: !negate }),
                PredSrc::Const(v) => Ok(PredSrc::Const(!v)),
            },
            Operand::Integer(v) => Ok(PredSrc::Const(*v != 0)),
            _ => Err(self.error("a predicate is expected")),
        }
    }

    pub(crate) fn pred_src(&mut self) -> Result<PredSrc> {
        let operand = self.operand()?;
        self.pred_of(operand)
    }

    pub(crate) fn pred_dst_of(&self, operand: &Operand) -> Result<Pred> {
        match operand {
            Operand::Sink => Ok(SINK),
            _ => match self.pred_of(operand)? {
                PredSrc::Reg { index, negate: false } => {
                    self.pred_uses.borrow_mut().pop();
                    self.pred_defs.borrow_mut().push(index);
                    Ok(index)
                }
                _ => Err(self.error("a predicate register is expected")),
            },
        }
    }

    pub(crate) fn pred_dst(&mut self) -> Result<Pred> {
        let operand = self.operand()?;
        self.pred_dst_of(operand)
    }
}

/// Addresses in brackets.
impl Cx<'_> {
    /// `[base + offset]`, with a base of 32 or 64 bits.
    pub(crate) fn addr(&mut self) -> Result<Addr> {
        let operand = self.operand()?;
        self.address(operand)
    }

    pub(super) fn address(&mut self, operand: &Operand) -> Result<Addr> {
        match operand {
            Operand::Address(base, offset) => self.addr_of(base, *offset),
            _ => Err(self.error("an address in brackets is expected")),
        }
    }

    fn addr_of(&mut self, base: &Operand, offset: i64) -> Result<Addr> {
        let wide = match base {
            Operand::Name(name, _) => self.register(name).is_none_or(|(_, ty)| ty.width() != 32),
            _ => true,
        };
        let ty = if wide { Type::B64 } else { Type { bits: 32, ..Type::B64 } };
        let within = self.within(base);
        Ok(Addr { base: self.src_of(base, ty, false)?, offset, within })
    }

    /// The shared variables from which an address is derived.
    fn within(&self, base: &Operand) -> Within {
        let Operand::Name(name, _) = base else { return Within::Any };
        match self.scopes.find(name) {
            Some(Binding::Register { index, .. }) => self.state.within(*index),
            Some(Binding::Variable { place: VariableLocation::Symbol(index), .. }) => Within::One(*index),
            _ => Within::Any,
        }
    }

    /// The variable that `[name + offset]` names directly: its location, offset included, and the bytes from there to
    /// its end.
    pub(crate) fn direct(&self, operand: &Operand) -> Option<(VariableLocation, u64)> {
        let Operand::Address(base, offset) = operand else { return None };
        let Operand::Name(name, _) = &**base else { return None };
        let Binding::Variable { place, size } = self.scopes.find(name)? else { return None };
        let at = |base: u64| base.checked_add_signed(*offset);
        let left = size.checked_sub(u64::try_from(*offset).ok()?)?;
        Some(match place {
            VariableLocation::KernelParam(base) => (VariableLocation::KernelParam(at(*base)?), left),
            VariableLocation::CallParam(base) => (VariableLocation::CallParam(at(*base)?), left),
            VariableLocation::Local(base) => (VariableLocation::Local(at(*base)?), left),
            VariableLocation::Symbol(index) => (VariableLocation::Symbol(*index), left),
        })
    }
}
