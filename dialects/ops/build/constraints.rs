//! What the constraints of TableGen say: of an operand or result, how many values it stands for; of an attribute, what it is stored
//! as.

use tblgen::Record;

use crate::enums::Enum;

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

/// What an attribute is in Rust.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An integer of so many bits.
    Integer(i64),
    /// An index.
    Index,
    /// `true` or `false`.
    Bool,
    /// There or not.
    Unit,
    /// A string.
    String,
    /// The name of a symbol.
    Symbol,
    /// A type.
    Type,
    /// `array<i32: …>`.
    I32s,
    /// `array<i64: …>`.
    I64s,
    /// A case of an enum: its dialect and name.
    Enum(String, String),
    /// Any other.
    Any,
}

/// The constraint without what makes it optional or gives it a default: `baseAttr`, as far as there is one.
pub fn base(constraint: Record<'_>) -> Record<'_> {
    let decorated = ["OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr", "ConfinedAttr"];
    match constraint.optional_def_value("baseAttr") {
        Some(inner) if decorated.iter().any(|class| constraint.subclass_of(class)) => base(inner),
        _ => constraint,
    }
}

/// May the attribute be left out?
pub fn is_optional(constraint: Record<'_>) -> bool {
    let has_default = constraint.optional_str_value("defaultValue").ok().flatten().is_some_and(|text| !text.is_empty());
    has_default || constraint.bit_value("isOptional").unwrap_or(false)
}

/// What an attribute of that constraint is.
pub fn kind(constraint: Record<'_>) -> Kind {
    let base = base(constraint);
    if let Some(r#enum) = Enum::of_attribute(base) {
        return Kind::Enum(r#enum.dialect, r#enum.name);
    }
    let storage = base.str_value("storageType").unwrap_or_default();
    match storage.trim().rsplit("::").next().unwrap_or_default() {
        "IntegerAttr" => integer(base),
        "BoolAttr" => Kind::Bool,
        "UnitAttr" => Kind::Unit,
        "StringAttr" => Kind::String,
        "FlatSymbolRefAttr" => Kind::Symbol,
        "TypeAttr" => Kind::Type,
        "DenseI32ArrayAttr" => Kind::I32s,
        "DenseI64ArrayAttr" => Kind::I64s,
        _ => Kind::Any,
    }
}

fn integer(base: Record<'_>) -> Kind {
    let Some(value) = base.optional_def_value("valueType") else { return Kind::Any };
    if value.name() == Ok("Index") {
        return Kind::Index;
    }
    value.int_value("bitwidth").map_or(Kind::Any, Kind::Integer)
}
