//! Rust of an enum.

use std::fmt::Write;

use crate::enums::{Enum, Form};
use crate::names::{camel, type_name};

/// Enums that `tile-isa` has, for the planner, which knows no MLIR: they are used as they are.
const OF_ISA: [(&str, &str); 2] = [("tile", "Scope"), ("tile", "Space")];

/// A Rust enum, or a set of flags.
pub fn definition(text: &mut String, one: &Enum) {
    let (name, summary) = (type_name(&one.name), &one.summary);
    let doc = if summary.is_empty() { &one.name } else { summary };
    let form = match &one.form {
        Form::Integer(bits) => format!("crate::Form::Integer({bits})"),
        Form::Text { before, after } => {
            format!("crate::Form::Text {{ dialect: {:?}, before: {before:?}, after: {after:?} }}", one.dialect)
        }
    };
    match &one.flags {
        None if OF_ISA.contains(&(one.dialect.as_str(), one.name.as_str())) => {
            cases(text, "isa_cases", one, &name, doc, &form)
        }
        None => cases(text, "cases", one, &name, doc, &form),
        Some(separator) => flags(text, one, &name, doc, &form, separator),
    }
}

fn cases(text: &mut String, r#macro: &str, one: &Enum, name: &str, doc: &str, form: &str) {
    let _ = writeln!(text, "crate::{macro}!({name}, {doc:?}, {form}, [");
    for (symbol, word, number) in &one.cases {
        let _ = writeln!(text, "    ({}, {word:?}, {number}),", camel(symbol));
    }
    text.push_str("]);\n");
}

fn flags(text: &mut String, one: &Enum, name: &str, doc: &str, form: &str, separator: &str) {
    let _ = writeln!(text, "crate::flags!({name}, {doc:?}, {form}, {separator:?}, [");
    for (symbol, word, number) in &one.cases {
        let constant = crate::names::snake(symbol).trim_start_matches("r#").to_ascii_uppercase();
        let _ = writeln!(text, "    ({constant}, {word:?}, {number}),");
    }
    text.push_str("]);\n");
}
