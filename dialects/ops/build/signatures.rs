//! What each op takes and gives, as JSON, for builders in other languages.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::constraints::{Arity, Kind, Operand};
use crate::enums::{Enum, EnumForm};
use crate::model::{Attribute, Dialect, Op};
use crate::result::Inferred;

/// An object with a member for each op, by its name:
///
/// ```json
/// "gpu.thread_id": {"operands": [], "attributes": [["dimension", "#gpu<dim $>", false]], "results": [["result", ""]],
///                   "type": "index", "regions": [], "segments": false}
/// ```
///
/// Operands and results have `""`, `"?"` or `"*"` beside the name: one, at most one, any number. Attributes have the word of their
/// kind, the text of an enum's with `$` for the case, or an object of the numbers of its cases, and whether they may be left out. The type
/// of the only result is that of an operand, `"=name"`, or a type; null where a caller states it.
pub fn json(dialects: &[Dialect]) -> String {
    let enums: BTreeMap<(&str, &str), &Enum> = dialects
        .iter()
        .flat_map(|dialect| dialect.enums.values().map(|one| ((dialect.name.as_str(), one.name.as_str()), one)))
        .collect();
    let ops = dialects.iter().flat_map(|dialect| dialect.ops.iter().map(|op| (dialect.name.as_str(), op)));
    let members: Vec<_> =
        ops.map(|(dialect, op)| format!("\"{dialect}.{}\": {}", op.name, signature(op, &enums))).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

fn signature(op: &Op, enums: &BTreeMap<(&str, &str), &Enum>) -> String {
    let attributes: Vec<_> = op.attributes.iter().map(|one| attribute(one, enums)).collect();
    let regions: Vec<_> = op.regions.iter().map(|name| format!("{name:?}")).collect();
    let r#type = match &op.inferred {
        Inferred::Operand(name) => format!("\"={name}\""),
        Inferred::Integer(bits) => format!("\"i{bits}\""),
        Inferred::Index => "\"index\"".to_owned(),
        Inferred::Pointer(space) => format!("\"!llvm.ptr<{space}>\""),
        Inferred::No | Inferred::Mlir => "null".to_owned(),
    };
    format!(
        "{{\"operands\": [{}], \"attributes\": [{}], \"results\": [{}], \"type\": {type}, \"regions\": [{}], \"segments\": {}}}",
        values(&op.operands),
        attributes.join(", "),
        values(&op.results),
        regions.join(", "),
        op.segments
    )
}

fn values(all: &[Operand]) -> String {
    let word = |one: &Operand| match one.arity {
        Arity::One => "",
        Arity::Optional => "?",
        Arity::Variadic => "*",
    };
    all.iter().map(|one| format!("[{:?}, {:?}]", one.name, word(one))).collect::<Vec<_>>().join(", ")
}

fn attribute(one: &Attribute, enums: &BTreeMap<(&str, &str), &Enum>) -> String {
    let kind = match &one.kind {
        Kind::Integer(bits) => format!("\"i{bits}\""),
        Kind::Index => "\"index\"".to_owned(),
        Kind::Bool => "\"bool\"".to_owned(),
        Kind::Unit => "\"unit\"".to_owned(),
        Kind::String => "\"string\"".to_owned(),
        Kind::Symbol => "\"symbol\"".to_owned(),
        Kind::I32s => "\"i32s\"".to_owned(),
        Kind::I64s => "\"i64s\"".to_owned(),
        Kind::Type | Kind::Any => "\"text\"".to_owned(),
        Kind::Enum(dialect, name) => enums.get(&(dialect, name)).map_or("\"text\"".to_owned(), |one| cases(one)),
    };
    format!("[{:?}, {kind}, {}]", one.name, one.optional)
}

/// How a case is written: its text, or its number.
fn cases(one: &Enum) -> String {
    match &one.form {
        EnumForm::Text { before, after } => format!("\"#{}<{before}${after}>\"", one.dialect),
        EnumForm::Integer(bits) => {
            let mut text = format!("{{\"\": \"i{bits}\"");
            for (_, word, number) in &one.cases {
                let _ = write!(text, ", {word:?}: {number}");
            }
            text + "}"
        }
    }
}
