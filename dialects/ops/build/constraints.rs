//! Information from TableGen's constraints: the number of values that an operand or result stands for, and the storage of an
//! attribute.

use tblgen::Record;

use crate::enums::Enum;

/// The number of values that an operand or result stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One.
    One,
    /// Zero or one.
    Optional,
    /// Any number.
    Variadic,
}

/// An operand.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name in ODS.
    pub name: String,
    /// The number of values.
    pub arity: Arity,
    /// Whether it may be a tile.
    pub is_buffer: bool,
}

impl Operand {
    /// Whether it is a single value.
    pub fn is_single(&self) -> bool {
        self.arity == Arity::One
    }
}

/// The number of values that a constraint allows.
pub fn arity(constraint: Record<'_>) -> Arity {
    match constraint {
        one if one.subclass_of("Optional") => Arity::Optional,
        one if one.subclass_of("Variadic") || one.subclass_of("VariadicOfVariadic") => Arity::Variadic,
        _ => Arity::One,
    }
}

/// Whether a constraint allows tiles, alone or beside other types.
pub fn is_buffer(constraint: Record<'_>) -> bool {
    if let Some(of_each) = constraint.optional_def_value("baseType") {
        return is_buffer(of_each);
    }
    if constraint.subclass_of("AnyTypeOf") {
        return constraint.list_of_defs_value("allowedTypes").unwrap_or_default().into_iter().any(is_buffer);
    }
    constraint.str_value("cppType").is_ok_and(|text| text.ends_with("::tile::BufferType"))
}

/// The kind of an attribute, which determines its Rust type.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An integer of this number of bits.
    Integer(i64),
    /// An index.
    Index,
    /// `true` or `false`.
    Bool,
    /// Present or absent.
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

/// The constraint without decorators that make it optional or give it a default: `baseAttr`, recursively.
pub fn base(constraint: Record<'_>) -> Record<'_> {
    let decorated = ["OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr", "ConfinedAttr"];
    match constraint.optional_def_value("baseAttr") {
        Some(inner) if decorated.iter().any(|class| constraint.subclass_of(class)) => base(inner),
        _ => constraint,
    }
}

/// Whether the attribute may be left out.
pub fn is_optional(constraint: Record<'_>) -> bool {
    let has_default = constraint.optional_str_value("defaultValue").ok().flatten().is_some_and(|text| !text.is_empty());
    has_default || constraint.bit_value("isOptional").unwrap_or(false)
}

/// The kind of an attribute with that constraint.
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
