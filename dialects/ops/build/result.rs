//! Types of results that the caller need not state.

use tblgen::{Record, TypedInit};

use crate::constraints::Operand;

/// How the type of an op's only result is determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inferred {
    /// The caller states it.
    No,
    /// It is the type of the operand with this ODS name.
    Operand(String),
    /// `i<bits>`.
    Integer(u32),
    /// `index`.
    Index,
    /// LLVM's pointer into that space.
    Pointer(u32),
    /// MLIR infers it.
    Mlir,
}

/// The traits of an op, with lists of traits flattened.
pub fn traits<'a>(op: Record<'a>) -> Vec<Record<'a>> {
    fn open<'a>(list: Vec<Record<'a>>, all: &mut Vec<Record<'a>>) {
        for one in list {
            match one.subclass_of("TraitList") {
                true => open(one.list_of_defs_value("traits").unwrap_or_default(), all),
                false => all.push(one),
            }
        }
    }
    let mut all = Vec::new();
    open(op.list_of_defs_value("traits").unwrap_or_default(), &mut all);
    all
}

/// Whether a trait with that C++ name is among them.
pub fn has_trait(traits: &[Record<'_>], name: &str) -> bool {
    let named = |cpp_name: &str| cpp_name.trim_end_matches("::Trait").rsplit("::").next() == Some(name);
    traits.iter().any(|one| one.str_value("trait").is_ok_and(named))
}

/// How the type of the op's only result, named `result`, is determined.
pub fn inferred(traits: &[Record<'_>], operands: &[Operand], result: &str, constraint: Record<'_>) -> Inferred {
    let single = |name: &str| operands.iter().any(|operand| operand.name == name && operand.is_single());
    if has_trait(traits, "SameOperandsAndResultType")
        && let Some(first) = operands.first().filter(|first| first.is_single())
    {
        return Inferred::Operand(first.name.clone());
    }
    for one in traits.iter().filter(|one| one.subclass_of("AllTypesMatch")) {
        let names = strings(*one, "values");
        if let Some(operand) = names.iter().find(|name| single(name))
            && names.iter().any(|name| name == result)
        {
            return Inferred::Operand(operand.clone());
        }
    }
    if let Some(built) = buildable(constraint) {
        return built;
    }
    let declares = has_trait(traits, "InferTypeOpInterface");
    let matches = traits.iter().filter(|one| one.subclass_of("TypesMatchWith"));
    let matches = matches
        .filter(|one| !one.subclass_of("OptionalTypesMatchWith"))
        .any(|one| one.str_value("lhs").is_ok_and(single) && one.str_value("rhs") == Ok(result));
    if declares || matches { Inferred::Mlir } else { Inferred::No }
}

/// The type of a constraint that only one type meets.
fn buildable(constraint: Record<'_>) -> Option<Inferred> {
    let call = constraint.optional_str_value("builderCall").ok()??;
    let number = || call.rsplit_once('(')?.1.trim_end_matches(')').rsplit(',').next()?.trim().parse().ok();
    if call == "$_builder.getIndexType()" {
        return Some(Inferred::Index);
    }
    if call.starts_with("$_builder.getIntegerType(") && !call.contains(',') {
        return number().map(Inferred::Integer);
    }
    if call.contains("LLVMPointerType>(") {
        return number().map(Inferred::Pointer);
    }
    None
}

/// The records of a dag, with their names, which may be empty.
pub fn named<'a>(op: Record<'a>, field: &str) -> Vec<(String, Record<'a>)> {
    let Ok(dag) = op.dag_value(field) else { return Vec::new() };
    let mut all = Vec::new();
    for index in 0..dag.num_args() {
        let Some(TypedInit::Def(init)) = dag.get(index) else { continue };
        let name = dag.name(index).unwrap_or_default();
        let mut record: Record<'a> = init.into();
        if record.subclass_of("OpVariable")
            && let Some(inner) = record.optional_def_value("constraint")
        {
            record = inner;
        }
        all.push((name.to_owned(), record));
    }
    all
}

/// The strings of a list.
fn strings(record: Record<'_>, field: &str) -> Vec<String> {
    record.list_of_strings_value(field).unwrap_or_default().into_iter().map(str::to_owned).collect()
}
