//! The Rust code of a dialect's ops: a handle, a function that starts a draft, and the draft's setters.

use std::fmt::Write;

use crate::constraints::{Arity, Kind, Operand};
use crate::enums;
use crate::model::{Attribute, Dialect, Op};
use crate::names::{snake, type_name};
use crate::result::Inferred;

const HEADER: &str = "\
use melior::ir::{Attribute, OperationRef, Region, Type, Value, ValueLike};\n\
use tile_dialect::Ctx;\nuse tile_dialect::ir::Rewriter;\n\
use crate::{Builder, Draft, Op, Values, handle, read};\n\n";

/// Names of methods that all handles and drafts have.
const TAKEN: [&str; 6] = ["operation", "cast", "build", "value", "parts", "clone"];

/// The module of a dialect.
pub fn dialect(dialect: &Dialect) -> String {
    let mut text = format!("#![allow(unused_imports, clippy::too_many_arguments)]\n{HEADER}");
    // Inner attributes work in a file that `#[path]` names, but not in one that is included by `include!`.
    for op in &dialect.ops {
        handle(&mut text, dialect, op);
        if op.buildable {
            begin(&mut text, op);
            setters(&mut text, op);
        }
    }
    for one in dialect.enums.values() {
        enums::definition(&mut text, one);
    }
    let prefix = format!("{}.", dialect.name);
    let _ = writeln!(text, "/// The prefix of the names of the dialect's ops.\npub const PREFIX: &str = {prefix:?};");
    attribute_names(&mut text, dialect);
    text
}

/// Lists of everything that was generated, for tests.
pub fn registry(dialects: &[Dialect]) -> String {
    let [mut ops, mut inferred, mut take_buffers, mut enums] = [const { String::new() }; 4];
    for dialect in dialects {
        for op in &dialect.ops {
            let name = format!("    {}::{}::NAME,\n", dialect.name, op.class);
            if op.buildable && op.inferred == Inferred::Mlir {
                inferred += &name;
            }
            if op.operands.iter().any(|operand| operand.is_buffer) {
                take_buffers += &name;
            }
            ops += &name;
        }
        for name in dialect.enums.keys() {
            let _ = writeln!(enums, "        $check::<$crate::{}::{}>();", dialect.name, type_name(name));
        }
    }
    format!(
        "/// Names of all ops.\npub const OPS: &[&str] = &[\n{ops}];\n\
         /// Names of ops whose result's type MLIR infers.\npub const INFERRED: &[&str] = &[\n{inferred}];\n\
         /// Names of ops that take tiles, by the types of their operands in ODS.\npub const TAKE_BUFFERS: &[&str] = &[\n{take_buffers}];\n\
         /// Calls a generic function for each enum.\n#[macro_export]\nmacro_rules! for_each_enum {{\n    \
         ($check:ident) => {{\n{enums}    }};\n}}\n"
    )
}

fn handle(text: &mut String, dialect: &Dialect, op: &Op) {
    let (name, class, summary) = (format!("{}.{}", dialect.name, op.name), &op.class, &op.summary);
    let _ = writeln!(text, "handle!({class}, {name:?}, {summary:?});");
    let _ = writeln!(text, "impl<'c: 'a, 'a> {class}<'c, 'a> {{");
    let mut used: Vec<String> = TAKEN.map(str::to_owned).to_vec();
    for index in 0..op.operands.len() {
        let name = free(&mut used, &op.operands[index].name, "operand");
        let (r#type, body) = operand(op, index);
        let _ = writeln!(text, "    /// Operand `{}`.\n    #[inline]", op.operands[index].name);
        let _ = writeln!(text, "    pub fn {name}(self) -> {type} {{ {body} }}");
    }
    for attribute in &op.attributes {
        let name = free(&mut used, &attribute.name, "attribute");
        let (r#type, body) = getter(attribute);
        let _ = writeln!(text, "    /// Attribute `{}`.\n    #[inline]", attribute.name);
        let _ = writeln!(text, "    pub fn {name}(self) -> {type} {{ {body} }}");
        change(text, attribute, &mut used, &name);
    }
    for (index, result) in op.results.iter().enumerate().take_while(|(_, result)| result.is_single()) {
        let name = free(&mut used, &result.name, "result");
        let _ = writeln!(text, "    /// Result `{}`.\n    #[inline]", result.name);
        let _ = writeln!(text, "    pub fn {name}(self) -> Value<'c, 'a> {{ read::result(self.0, {index}) }}");
    }
    if let Some((index, result)) = op.results.iter().enumerate().find(|(_, result)| !result.is_single())
        && result.arity == Arity::Optional
    {
        let name = free(&mut used, &result.name, "result");
        let _ = writeln!(text, "    /// Result `{}`.\n    #[inline]", result.name);
        let _ = writeln!(
            text,
            "    pub fn {name}(self) -> Option<Value<'c, 'a>> {{ read::maybe_result(self.0, {index}) }}"
        );
    }
    text.push_str("}\n");
    if let [only] = op.results.as_slice()
        && only.is_single()
    {
        let _ = writeln!(text, "impl crate::OneResult for {class}<'_, '_> {{}}");
    }
}

/// Writes the function that sets an attribute of an existing op; for a unit attribute it can also remove it.
fn change(text: &mut String, attribute: &Attribute, used: &mut Vec<String>, getter: &str) {
    let name = free(used, &format!("set_{}", getter.trim_start_matches("r#")), "attribute");
    let (r#type, make) = maker(&attribute.kind);
    let make = make.replace("context", "Ctx::of(self.0)");
    let set = format!("rewriter.set_attribute(self.0, {:?}, {make})", attribute.name);
    let body = match attribute.kind {
        Kind::Unit => {
            format!("if value {{ {set} }} else {{ rewriter.remove_own_attribute(self.0, {:?}) }}", attribute.name)
        }
        _ => set,
    };
    let _ = writeln!(text, "    /// Sets attribute `{}` of this op.\n    #[inline]", attribute.name);
    let _ = writeln!(text, "    pub fn {name}(self, rewriter: Rewriter<'c, 'a>, value: {type}) {{ {body} }}");
}

/// A name that is not used yet: `dst`, or `dst_result`.
fn free(used: &mut Vec<String>, name: &str, role: &str) -> String {
    let mut snake = snake(name);
    if snake.is_empty() {
        role.clone_into(&mut snake);
    }
    while used.contains(&snake) {
        snake = format!("{}_{role}", snake.trim_start_matches("r#"));
    }
    used.push(snake.clone());
    snake
}

/// Type and body of an operand's getter.
fn operand(op: &Op, index: usize) -> (&'static str, String) {
    let after = op.operands.len() - index - 1;
    let variable = |operands: &[Operand]| operands.iter().any(|operand| !operand.is_single());
    let range = if op.segments {
        format!("read::segment(self.0, {index})")
    } else if op.operands[index].is_single() {
        match variable(&op.operands[..index]) {
            false => return ("Value<'c, 'a>", format!("read::operand(self.0, {index})")),
            true => return ("Value<'c, 'a>", format!("read::operand_from_end(self.0, {after})")),
        }
    } else {
        format!("read::between(self.0, {index}, {after})")
    };
    match op.operands[index].arity {
        Arity::One => ("Value<'c, 'a>", format!("read::only({range})")),
        Arity::Optional => ("Option<Value<'c, 'a>>", format!("{range}.next()")),
        Arity::Variadic => ("Values<'c, 'a>", range),
    }
}

/// Type and body of an attribute's getter.
fn getter(attribute: &Attribute) -> (String, String) {
    let name = &attribute.name;
    let (r#type, function) = match &attribute.kind {
        Kind::Integer(_) | Kind::Index => ("Option<i64>".to_owned(), "integer"),
        Kind::Bool => ("Option<bool>".to_owned(), "boolean"),
        Kind::Unit => ("bool".to_owned(), "unit"),
        Kind::String => ("Option<String>".to_owned(), "string"),
        Kind::Symbol => ("Option<String>".to_owned(), "symbol"),
        Kind::Type => ("Option<Type<'c>>".to_owned(), "type_of"),
        Kind::I32s => ("Vec<i32>".to_owned(), "i32s"),
        Kind::I64s => ("Vec<i64>".to_owned(), "i64s"),
        Kind::Enum(dialect, name) => (format!("Option<crate::{dialect}::{}>", type_name(name)), "case"),
        Kind::Any => ("Option<Attribute<'c>>".to_owned(), "attribute"),
    };
    (r#type, format!("read::{function}(self.0, {name:?})"))
}

/// The Rust type of a value that an attribute is built from, and the expression that builds it from `value`.
fn maker(kind: &Kind) -> (String, String) {
    let (r#type, make) = match kind {
        Kind::Integer(bits) => ("i64".to_owned(), format!("context.integer_attribute({bits}, value)")),
        Kind::Index => ("i64".to_owned(), "context.index_attribute(value)".to_owned()),
        Kind::Bool => ("bool".to_owned(), "context.boolean(value)".to_owned()),
        Kind::Unit => ("bool".to_owned(), "context.unit()".to_owned()),
        Kind::String => ("&str".to_owned(), "context.string(value)".to_owned()),
        Kind::Symbol => ("&str".to_owned(), "crate::symbol(context, value)".to_owned()),
        Kind::Type => ("Type<'c>".to_owned(), "crate::type_attribute(value)".to_owned()),
        Kind::I32s => ("&[i32]".to_owned(), "context.i32_array(value)".to_owned()),
        Kind::I64s => ("&[i64]".to_owned(), "context.i64_array(value)".to_owned()),
        Kind::Enum(dialect, name) => {
            (format!("crate::{dialect}::{}", type_name(name)), "crate::Case::attribute(value, context)".to_owned())
        }
        Kind::Any => ("Attribute<'c>".to_owned(), "value".to_owned()),
    };
    (r#type, make)
}

fn closure(kind: &Kind, make: &str) -> String {
    let context = if matches!(kind, Kind::Any | Kind::Type) { "_" } else { "context" };
    format!("|{context}| {make}")
}

/// Writes the function that starts a draft: it takes the operands and attributes that an op must have, types of results
/// and regions.
fn begin(text: &mut String, op: &Op) {
    let (class, mut used) = (&op.class, vec!["builder".to_owned()]);
    let mut parameters = String::new();
    let mut body = String::new();
    let mut operands = Vec::new();
    for operand in &op.operands {
        let name =
            if operand.arity == Arity::Optional { String::new() } else { free(&mut used, &operand.name, "operand") };
        let (r#type, call) = match operand.arity {
            Arity::One => (Some("Value<'c, 'a>"), format!(".operand({name})")),
            Arity::Variadic => (Some("&[Value<'c, 'a>]"), format!(".operands({name})")),
            Arity::Optional => (None, ".no_operand()".to_owned()),
        };
        if let Some(r#type) = r#type {
            let _ = write!(parameters, ", {name}: {type}");
        }
        operands.push((operand.name.clone(), name));
        body += &call;
    }
    for attribute in op.attributes.iter().filter(|attribute| is_parameter(attribute)) {
        let name = free(&mut used, &attribute.name, "attribute");
        let (r#type, make) = maker(&attribute.kind);
        let _ = write!(parameters, ", {name}: {type}");
        let _ = write!(
            body,
            ".attribute({:?}, {})",
            attribute.name,
            closure(&attribute.kind, &make.replace("value", &name))
        );
    }
    let results = if op.inferred == Inferred::Mlir { &op.results[..1] } else { &op.results[..] };
    for result in results {
        body += &result_of(op, result, &operands, &mut used, &mut parameters);
    }
    for region in &op.regions {
        let name = free(&mut used, region, "region");
        let _ = write!(parameters, ", {name}: Region<'c>");
        let _ = write!(body, ".region({name})");
    }
    if op.segments {
        body += ".segments()";
    }
    let made = match body.is_empty() {
        true => "    Draft::new(builder)".to_owned(),
        false => format!("    let mut draft = Draft::new(builder);\n    draft.parts{body};\n    draft"),
    };
    let _ = writeln!(
        text,
        "/// A [`{class}`].\n#[inline]\npub fn {}<'c: 'a, 'a>(builder: Builder<'c, 'a>{parameters}) -> Draft<'c, 'a, \
         {class}<'c, 'a>> {{\n{made}\n}}",
        snake(&op.name)
    );
}

/// Whether the attribute is mandatory.
fn is_parameter(attribute: &Attribute) -> bool {
    !attribute.optional && !matches!(attribute.kind, Kind::Unit)
}

/// The call that adds a result's type, and its parameter, where the caller states the type.
fn result_of(
    op: &Op,
    result: &Operand,
    operands: &[(String, String)],
    used: &mut Vec<String>,
    parameters: &mut String,
) -> String {
    match &op.inferred {
        Inferred::Operand(operand) => {
            let (_, name) = operands.iter().find(|(ods, _)| ods == operand).expect("the operand is one of the op");
            return format!(".result({name}.r#type())");
        }
        Inferred::Integer(bits) => return format!(".result(builder.context.integer({bits}))"),
        Inferred::Index => return ".result(builder.context.index())".to_owned(),
        Inferred::Pointer(space) => return format!(".result(crate::llvm_type::pointer(builder.context, {space}))"),
        Inferred::Mlir => return ".infer_result()".to_owned(),
        Inferred::No => {}
    }
    if result.arity == Arity::Optional {
        return String::new();
    }
    let name = free(used, &result.name, "result");
    let variadic = result.arity == Arity::Variadic;
    let _ = write!(parameters, ", {name}: {}", if variadic { "&[Type<'c>]" } else { "Type<'c>" });
    format!(".{}({name})", if variadic { "results" } else { "result" })
}

fn setters(text: &mut String, op: &Op) {
    let mut used = TAKEN.map(str::to_owned).to_vec();
    let mut body = String::new();
    for (index, operand) in op.operands.iter().enumerate().filter(|(_, operand)| operand.arity == Arity::Optional) {
        let name = free(&mut used, &operand.name, "operand");
        let _ = writeln!(
            body,
            "    /// Sets operand `{}`.\n    #[inline]\n    pub fn {name}(mut self, value: impl Into<Option<Value<'c, \
             'a>>>) -> Self {{\n        self.parts.set_operand({index}, value.into());\n        self\n    }}",
            operand.name
        );
    }
    for attribute in op.attributes.iter().filter(|attribute| !is_parameter(attribute)) {
        let name = free(&mut used, &attribute.name, "attribute");
        setter(&mut body, attribute, &name);
    }
    for result in op.results.iter().filter(|result| result.arity == Arity::Optional) {
        let name = free(&mut used, &result.name, "result");
        let _ = writeln!(
            body,
            "    /// Lets the op have result `{}`.\n    #[inline]\n    pub fn {name}(mut self, r#type: Type<'c>) -> Self \
             {{\n        self.parts.result(r#type);\n        self\n    }}",
            result.name
        );
    }
    if !body.is_empty() {
        let _ = writeln!(text, "impl<'c: 'a, 'a> Draft<'c, 'a, {}<'c, 'a>> {{\n{body}}}", op.class);
    }
}

fn setter(text: &mut String, attribute: &Attribute, name: &str) {
    let (r#type, make) = maker(&attribute.kind);
    let make = closure(&attribute.kind, &make);
    let (lifetime, r#type) = match r#type.strip_prefix('&') {
        Some(inner) => ("<'v>", format!("&'v {inner}")),
        None => ("", r#type),
    };
    let (parameter, check) = match attribute.kind {
        Kind::Unit => ("bool".to_owned(), "if value {"),
        _ => (format!("impl Into<Option<{type}>>"), "if let Some(value) = value.into() {"),
    };
    let _ = writeln!(
        text,
        "    /// Sets attribute `{0}`.\n    #[inline]\n    pub fn {name}{lifetime}(mut self, value: {parameter}) -> Self \
         {{\n        {check}\n            self.parts.attribute({0:?}, {make});\n        }}\n        self\n    }}",
        attribute.name
    );
}

fn attribute_names(text: &mut String, dialect: &Dialect) {
    if dialect.attributes.is_empty() {
        return;
    }
    text.push_str("/// Names of the dialect's attributes that are not of its own ops.\npub mod attribute {\n");
    for (name, value) in &dialect.attributes {
        let constant = snake(name).trim_start_matches("r#").to_ascii_uppercase();
        let _ = writeln!(text, "    /// `{value}`.\n    pub const {constant}: &str = {value:?};");
    }
    text.push_str("}\n");
}
