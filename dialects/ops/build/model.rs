//! The model of dialects that handles and builders are generated from, read from TableGen.

use std::collections::BTreeMap;

use tblgen::{Record, RecordKeeper};

use crate::constraints::{self, Kind, Operand, arity, is_buffer};
use crate::enums::Enum;
use crate::names::one_line;
use crate::result::{Inferred, has_trait, inferred, named, traits};

/// Prefixes of LLVM's intrinsics that no code for this target uses: they would be the majority of ops.
const UNUSED: [&str; 9] = [
    "intr.coro.",
    "intr.dbg.",
    "intr.eh.",
    "intr.experimental.",
    "intr.invariant.",
    "intr.masked.",
    "intr.matrix.",
    "intr.vector.",
    "intr.vp.",
];

/// A dialect.
pub struct Dialect {
    /// Its name, which is also the module's.
    pub name: String,
    /// Its ops.
    pub ops: Vec<Op>,
    /// Its enums.
    pub enums: BTreeMap<String, Enum>,
    /// Attributes that the dialect defines apart from its ops: constant and name.
    pub attributes: Vec<(String, String)>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name in ODS.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Whether it may be left out.
    pub optional: bool,
}

/// An op.
pub struct Op {
    /// `cp.async.commit.group`, without the dialect.
    pub name: String,
    /// `CpAsyncCommitGroupOp`.
    pub class: String,
    /// Its summary, in one line.
    pub summary: String,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Names and arities of results.
    pub results: Vec<Operand>,
    /// How the type of the only result is determined, or of all results, where MLIR infers them.
    pub inferred: Inferred,
    /// Names of regions; the last may be variadic.
    pub regions: Vec<String>,
    /// Whether the sizes of operand groups are an attribute.
    pub segments: bool,
    /// Whether a builder can be generated: not for ops with successors, several variadic results, or properties that must
    /// be set.
    pub buildable: bool,
}

/// Reads the dialects of those names.
pub fn read(keeper: &RecordKeeper<'_>, names: &[&str]) -> Vec<Dialect> {
    let empty = |name: &&str| Dialect {
        name: (*name).to_owned(),
        ops: Vec::new(),
        enums: BTreeMap::new(),
        attributes: Vec::new(),
    };
    let mut dialects: Vec<Dialect> = names.iter().map(empty).collect();
    let find = |name: &str| names.iter().position(|known| *known == name);
    for record in keeper.all_derived_definitions("Dialect") {
        if let Some(index) = record.str_value("name").ok().and_then(find) {
            dialects[index].attributes = attribute_names(record);
        }
    }
    let mut enums = Vec::new();
    for record in keeper.all_derived_definitions("Op") {
        let dialect = record.optional_def_value("opDialect").and_then(|dialect| dialect.str_value("name").ok());
        let Some(index) = dialect.and_then(find) else { continue };
        let arguments = named(record, "arguments");
        enums.extend(arguments.iter().filter_map(|(_, constraint)| Enum::of_attribute(constraints::base(*constraint))));
        dialects[index].ops.extend(op(record, &arguments));
    }
    enums.extend(keeper.all_derived_definitions("EnumAttr").filter_map(Enum::of_attribute));
    for one in enums {
        if let Some(index) = find(&one.dialect) {
            dialects[index].enums.entry(one.name.clone()).or_insert(one);
        }
    }
    known_enums_only(&mut dialects);
    dialects
}

/// Treats the enums of dialects that are not read as attributes of any kind.
fn known_enums_only(dialects: &mut [Dialect]) {
    let known: Vec<(String, String)> = dialects
        .iter()
        .flat_map(|dialect| dialect.enums.keys().map(|name| (dialect.name.clone(), name.clone())))
        .collect();
    let attributes = dialects.iter_mut().flat_map(|dialect| &mut dialect.ops).flat_map(|op| &mut op.attributes);
    for attribute in attributes {
        if let Kind::Enum(dialect, name) = &attribute.kind
            && !known.iter().any(|(known, known_name)| known == dialect && known_name == name)
        {
            attribute.kind = Kind::Any;
        }
    }
}

fn op(record: Record<'_>, arguments: &[(String, Record<'_>)]) -> Option<Op> {
    let traits = traits(record);
    let (mut operands, mut attributes, mut buildable) = (Vec::new(), Vec::new(), true);
    for (name, constraint) in arguments {
        if constraint.subclass_of("TypeConstraint") {
            operands.push(operand(name, *constraint));
        } else if constraint.subclass_of("Attr") {
            let (kind, optional) = (constraints::kind(*constraint), constraints::is_optional(*constraint));
            attributes.push(Attribute { name: name.clone(), kind, optional });
        } else {
            // Builders set no properties, so each property must have a default.
            buildable &= constraint.str_value("defaultValue").is_ok_and(|default| !default.is_empty());
        }
    }
    let declared = named(record, "results");
    let results: Vec<_> = declared.iter().map(|(name, constraint)| operand(name, *constraint)).collect();
    let several_inferred = results.len() > 1 && has_trait(&traits, "InferTypeOpInterface");
    buildable &= several_inferred || results.iter().filter(|result| !result.is_single()).count() < 2;
    buildable &= record.dag_value("successors").is_ok_and(|successors| successors.num_args() == 0);
    let inferred = match declared.as_slice() {
        [(name, constraint)] if results[0].is_single() => inferred(&traits, &operands, name, *constraint),
        _ if several_inferred => Inferred::Mlir,
        _ => Inferred::No,
    };
    let name = record.str_value("opName").ok()?.to_owned();
    if UNUSED.iter().any(|prefix| name.starts_with(prefix)) {
        return None;
    }
    let regions = named(record, "regions").into_iter().map(|(name, _)| name).collect();
    let summary = one_line(record.str_value("summary").unwrap_or_default());
    let segments = has_trait(&traits, "AttrSizedOperandSegments");
    let class = class(record.name().ok()?);
    Some(Op { name, class, summary, operands, attributes, results, inferred, regions, segments, buildable })
}

fn operand(name: &str, constraint: Record<'_>) -> Operand {
    Operand { name: name.to_owned(), arity: arity(constraint), is_buffer: is_buffer(constraint) }
}

/// `Arith_AddIOp` is the class `AddIOp`.
fn class(name: &str) -> String {
    let class = match name.split_once('_') {
        Some((prefix, class)) if !prefix.is_empty() && !class.is_empty() => class,
        _ => name,
    };
    let class = class.replace('_', "");
    class[..1].to_ascii_uppercase() + &class[1..]
}

/// `static StringRef getAlignAttrName() { return "llvm.align"; }`: dialects declare names of attributes only in C++.
fn attribute_names(dialect: Record<'_>) -> Vec<(String, String)> {
    let code = dialect.str_value("extraClassDeclaration").unwrap_or_default();
    let mut attributes = Vec::new();
    for part in code.split("StringRef get").skip(1) {
        let Some((name, body)) = part.split_once("AttrName()") else { continue };
        let Some((_, text)) = body.split_once("return \"") else { continue };
        let Some((text, _)) = text.split_once('"') else { continue };
        if name.chars().all(|letter| letter.is_ascii_alphanumeric()) {
            attributes.push((name.to_owned(), text.to_owned()));
        }
    }
    let space = dialect.str_value("name").unwrap_or_default();
    if let Ok(declared) = dialect.dag_value("discardableAttrs") {
        let names = (0..declared.num_args()).filter_map(|index| declared.name(index));
        attributes.extend(names.map(|name| (name.to_owned(), format!("{space}.{name}"))));
    }
    attributes
}
