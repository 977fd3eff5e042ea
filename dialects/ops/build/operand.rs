//! Operands and results.

use tblgen::Record;

/// How many values an operand or result stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// An operand.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name in ODS.
    pub name: String,
    /// How many values.
    pub arity: Arity,
}

impl Operand {
    /// Is it one value?
    pub fn is_single(&self) -> bool {
        self.arity == Arity::One
    }
}

/// How many values a constraint allows.
pub fn arity(constraint: Record<'_>) -> Arity {
    match constraint {
        one if one.subclass_of("Optional") => Arity::Optional,
        one if one.subclass_of("Variadic") || one.subclass_of("VariadicOfVariadic") => Arity::Variadic,
        _ => Arity::One,
    }
}
