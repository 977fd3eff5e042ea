//! TableGen's enums, and the Rust code generated from them.

use std::fmt::Write;

use tblgen::Record;

use crate::names::{camel, one_line, snake, type_name};

/// Enums that `tile-isa` defines, for the planner, which knows no MLIR: these definitions are used.
const OF_ISA: [(&str, &str); 2] = [("tile", "Scope"), ("tile", "Space")];

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The dialect whose module it is in.
    pub dialect: String,
    /// Its name.
    pub name: String,
    /// Its summary, in one line.
    pub summary: String,
    /// Symbol, text and number of each case.
    pub cases: Vec<(String, String, i64)>,
    /// For an enum whose values are sets of cases, the separator between these.
    pub flags: Option<String>,
    /// How its attribute is built.
    pub form: EnumForm,
}

/// How the attribute of an enum is built.
#[derive(Clone, Debug)]
pub enum EnumForm {
    /// A number of this many bits.
    Integer(i64),
    /// `#dialect<before case after>`.
    Text { before: String, after: String },
}

impl Enum {
    /// The enum of an attribute's constraint.
    pub fn of_attribute(constraint: Record<'_>) -> Option<Enum> {
        if constraint.subclass_of("EnumAttr") {
            let info = constraint.optional_def_value("enum")?;
            let dialect = constraint.optional_def_value("dialect")?.str_value("name").ok()?.to_owned();
            let mnemonic = constraint.str_value("mnemonic").unwrap_or_default();
            let format = constraint.str_value("assemblyFormat").unwrap_or("$value").trim().to_owned();
            let (before, after) = format.split_once("$value")?;
            let literal = |text: &str| text.replace(['`', ' '], "");
            let before =
                if before.contains('`') { format!("{mnemonic}{}", literal(before)) } else { format!("{mnemonic} ") };
            return Enum::new(info, dialect, EnumForm::Text { before, after: literal(after) });
        }
        if constraint.subclass_of("EnumAttrInfo") {
            let bits = constraint.optional_def_value("valueType")?.int_value("bitwidth").ok()?;
            let space = constraint.str_value("cppNamespace").unwrap_or_default();
            return Enum::new(constraint, dialect_of(space)?, EnumForm::Integer(bits));
        }
        None
    }

    fn new(info: Record<'_>, dialect: String, form: EnumForm) -> Option<Enum> {
        let cases = info.list_of_defs_value("enumerants").ok()?;
        let case = |case: &Record<'_>| {
            let text = |name: &str| case.str_value(name).map(str::to_owned).ok();
            Some((text("symbol")?, text("str")?, case.int_value("value").ok()?))
        };
        let flags = info.subclass_of("BitEnumBase").then(|| info.str_value("separator").unwrap_or(", ").to_owned());
        Some(Enum {
            dialect,
            name: info.str_value("className").ok()?.to_owned(),
            summary: one_line(info.str_value("summary").unwrap_or_default()),
            cases: cases.iter().filter_map(case).collect(),
            flags,
            form,
        })
    }
}

/// The dialect of a C++ namespace.
fn dialect_of(space: &str) -> Option<String> {
    Some(space.rsplit("::").next().filter(|name| !name.is_empty() && *name != "mlir")?.to_ascii_lowercase())
}

/// Writes a Rust enum, or a set of flags.
pub fn definition(text: &mut String, one: &Enum) {
    let (name, summary) = (type_name(&one.name), &one.summary);
    let doc = if summary.is_empty() { &one.name } else { summary };
    let form = match &one.form {
        EnumForm::Integer(bits) => format!("crate::Form::Integer({bits})"),
        EnumForm::Text { before, after } => {
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
        let constant = snake(symbol).trim_start_matches("r#").to_ascii_uppercase();
        let _ = writeln!(text, "    ({constant}, {word:?}, {number}),");
    }
    text.push_str("]);\n");
}
