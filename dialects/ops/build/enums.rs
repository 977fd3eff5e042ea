//! Enums of TableGen.

use tblgen::Record;

use crate::names::one_line;

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Where its module is.
    pub dialect: String,
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Symbol, text and number of each case.
    pub cases: Vec<(String, String, i64)>,
    /// Does it hold several cases at once? Then what separates them.
    pub flags: Option<String>,
    /// How its attribute is made.
    pub form: Form,
}

/// How the attribute of an enum is made.
#[derive(Clone, Debug)]
pub enum Form {
    /// A number of so many bits.
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
            return Enum::new(info, dialect, Form::Text { before, after: literal(after) });
        }
        if constraint.subclass_of("EnumAttrInfo") {
            let bits = constraint.optional_def_value("valueType")?.int_value("bitwidth").ok()?;
            let space = constraint.str_value("cppNamespace").unwrap_or_default();
            return Enum::new(constraint, dialect_of(space)?, Form::Integer(bits));
        }
        None
    }

    fn new(info: Record<'_>, dialect: String, form: Form) -> Option<Enum> {
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
