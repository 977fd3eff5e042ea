//! A kernel as MLIR.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::ast::{Affine, AffineLast, Copy, EXTENTS, Expression, Form, Kernel, Op, PART, Predicate, ROWS, Statement};
use super::ast::{THREADS, Type};
use super::interpret::own_row;

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The arguments before the numbers: memory.
pub const MEMORIES: usize = 4;

/// A module, and the lines of its copies.
pub struct Text {
    /// The module.
    pub text: String,
    /// The number of the copy at a line.
    pub copies: BTreeMap<u32, usize>,
}

/// Rows of the result.
pub fn result_rows(kernel: &Kernel) -> i64 {
    (kernel.copies as i64 * THREADS * ROWS).max(1)
}

/// The module, as text.
pub fn text(kernel: &Kernel) -> Text {
    let mut writer = Writer { text: head(kernel), copies: BTreeMap::new(), lets: BTreeMap::new(), depth: 2, names: 0 };
    writer.statements(&kernel.body);
    writer.text += "    gpu.return\n  }\n}\n";
    Text { text: writer.text, copies: writer.copies }
}

fn head(kernel: &Kernel) -> String {
    let [rows, columns] = EXTENTS;
    let [part_rows, part_columns] = PART;
    let result = result_rows(kernel);
    format!(
        "!matrix = !tile.buffer<{rows}x{columns}xf32, global>
!part = !tile.buffer<{part_rows}x{part_columns}xf32, global, #tile.layout<({part_rows}, {part_columns}) : ({columns}, 1)>>
!result = !tile.buffer<{result}x{columns}xf32, global>
gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{
  gpu.func @{ENTRY}(%A: memref<{rows}x{columns}xf32>, %B: memref<{result}x{columns}xf32>, %C: memref<{rows}x{columns}xf32>,
      %D: memref<{rows}x{columns}xf32>, %n0: index, %n1: index, %n2: i32) kernel
      attributes {{known_block_size = array<i32: {THREADS}, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}} {{
    %a = tile.view %A : memref<{rows}x{columns}xf32> to !matrix
    %b = tile.view %B : memref<{result}x{columns}xf32> to !result
    %c = tile.view %C : memref<{rows}x{columns}xf32> to !matrix
    %d = tile.view %D : memref<{rows}x{columns}xf32> to !matrix
    %t = gpu.thread_id x
"
    )
}

/// A type's name.
pub fn type_name(r#type: Type) -> &'static str {
    match r#type {
        Type::Index => "index",
        Type::I64 => "i64",
        Type::I32 => "i32",
        Type::I16 => "i16",
        Type::I1 => "i1",
    }
}

struct Writer {
    text: String,
    copies: BTreeMap<u32, usize>,
    lets: BTreeMap<usize, String>,
    depth: usize,
    names: usize,
}

impl Writer {
    fn line(&mut self, text: impl Display) {
        self.text += &format!("{}{text}\n", "  ".repeat(self.depth));
    }

    fn named(&mut self, operation: impl Display) -> String {
        self.names += 1;
        let name = format!("%v{}", self.names);
        self.line(format!("{name} = {operation}"));
        name
    }

    fn statements(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn inner(&mut self, body: &[Statement]) {
        self.depth += 1;
        self.statements(body);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(number, value) => {
                let name = self.value(value);
                self.lets.insert(*number, name);
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.value(condition);
                self.line(format!("scf.if {condition} {{"));
                self.inner(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.inner(otherwise);
                }
                self.line("}");
            }
            Statement::For { variable, bounds, unsigned, body } => {
                let r#type = bounds[0].r#type();
                let [lower, upper, step] = [0, 1, 2].map(|at: usize| self.value(&bounds[at]));
                let unsigned = if *unsigned { "unsigned " } else { "" };
                let suffix = if r#type == Type::Index { String::new() } else { format!(" : {}", type_name(r#type)) };
                self.line(format!("scf.for {unsigned}%x{variable} = {lower} to {upper} step {step}{suffix} {{"));
                self.inner(body);
                self.line("}");
            }
            Statement::AffineFor { variable, bounds: [lower, upper, step], body } => {
                self.line(format!("affine.for %x{variable} = {lower} to {upper} step {step} {{"));
                self.inner(body);
                self.line("}");
            }
            Statement::Copy(copy) => self.copy(copy),
        }
    }

    fn copy(&mut self, copy: &Copy) {
        let mut computed = (if copy.writes { "%d" } else { "%a" }.to_owned(), "!matrix");
        if let Some(begin) = &copy.part {
            let [row, column] = self.begin(begin, [EXTENTS[0] - PART[0], EXTENTS[1] - PART[1]]);
            let [rows, columns] = PART;
            let from = computed.0;
            let part =
                self.named(format!("tile.subview {from}[{row}, {column}] [{rows}, {columns}] : !matrix to !part"));
            computed = (part, "!part");
        }
        let [rows, columns] = copy.sizes;
        let extents = if copy.part.is_some() { PART } else { EXTENTS };
        let [row, column] = self.begin(&copy.begin, [extents[0] - rows, extents[1] - columns]);
        let start = if copy.warp || copy.writes {
            (if copy.writes { 0 } else { own_row(copy, 0) }).to_string()
        } else {
            let [each, first] = [ROWS, own_row(copy, 0)].map(|n| self.named(format!("arith.constant {n} : index")));
            let row = self.named(format!("arith.muli %t, {each} : index"));
            self.named(format!("arith.addi {row}, {first} : index"))
        };
        let there = format!("{}[{row}, {column}] [{rows}, {columns}]", computed.0);
        let scope = if copy.warp { "warp" } else { "thread" };
        let masked = if copy.masked { " masked" } else { "" };
        let here = |name: &str| format!("{name}[{start}, 0] [{rows}, {columns}]");
        let (from, to, types) = if copy.writes {
            (here("%c"), there, format!("!matrix to {}", computed.1))
        } else {
            (there, here("%b"), format!("{} to !result", computed.1))
        };
        let line = self.text.lines().count() + 1;
        self.copies.insert(line as u32, copy.number);
        self.line(format!("tile.copy {from} to {to} scope({scope}){masked} : {types}"));
    }

    /// Begins; constants that the verifier accepts are written in place.
    fn begin(&mut self, begin: &[Expression; 2], most: [i64; 2]) -> [String; 2] {
        [0, 1].map(|at: usize| match &begin[at] {
            Expression::Constant(_, value) if (0..=most[at]).contains(value) => value.to_string(),
            expression => self.value(expression),
        })
    }

    fn value(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(Type::I1, value) => self.named(format!("arith.constant {}", *value != 0)),
            Expression::Constant(r#type, value) => {
                self.named(format!("arith.constant {value} : {}", type_name(*r#type)))
            }
            Expression::Argument(number) => format!("%n{number}"),
            Expression::Thread => "%t".to_owned(),
            Expression::Variable(number, _) => self.lets.get(number).cloned().unwrap_or_else(|| format!("%x{number}")),
            Expression::Operation(op, form, r#type, operands) => {
                let names: Vec<String> = operands.iter().map(|operand| self.value(operand)).collect();
                self.named(operation(*op, *form, *r#type, operands[0].r#type(), &names))
            }
        }
    }
}

fn operation(op: Op, form: Form, r#type: Type, from: Type, names: &[String]) -> String {
    let all = names.join(", ");
    match op {
        Op::Compare(predicate) if form == Form::Index => format!("index.cmp {}({all})", predicate_name(predicate)),
        Op::Compare(predicate) => format!("arith.cmpi {}, {all} : {}", predicate_name(predicate), type_name(from)),
        Op::Select => format!("arith.select {all} : {}", type_name(r#type)),
        Op::Cast { signed } => {
            format!("{} {all} : {} to {}", cast(signed, from, r#type), type_name(from), type_name(r#type))
        }
        Op::Affine(affine) => applied(affine, &all),
        _ => match (form, index_name(op)) {
            (Form::Index, Some(name)) => format!("index.{name} {all}"),
            _ => {
                let flag = match form {
                    Form::NoSignedWrap => " overflow<nsw>",
                    Form::NoUnsignedWrap => " overflow<nuw>",
                    Form::Plain | Form::Index => "",
                };
                format!("arith.{} {all}{flag} : {}", name(op), type_name(r#type))
            }
        },
    }
}

fn cast(signed: bool, from: Type, to: Type) -> &'static str {
    let narrows =
        |from, to| matches!((from, to), (Type::I64, _) | (Type::I32, Type::I16 | Type::I1) | (Type::I16, Type::I1));
    match (from == Type::Index || to == Type::Index, narrows(from, to), signed) {
        (true, _, true) => "arith.index_cast",
        (true, _, false) => "arith.index_castui",
        (false, true, _) => "arith.trunci",
        (false, false, true) => "arith.extsi",
        (false, false, false) => "arith.extui",
    }
}

fn applied(affine: Affine, operand: &str) -> String {
    let Affine { scale, add, last, by } = affine;
    let sum = format!("d0 * {scale} + {add}");
    let (name, map) = match last {
        AffineLast::Plain => ("apply", sum),
        AffineLast::Floor => ("apply", format!("({sum}) floordiv {by}")),
        AffineLast::Ceil => ("apply", format!("({sum}) ceildiv {by}")),
        AffineLast::Mod => ("apply", format!("({sum}) mod {by}")),
        AffineLast::Min => ("min", format!("{sum}, {by}")),
    };
    format!("affine.{name} affine_map<(d0) -> ({map})>({operand})")
}

/// The name of a predicate.
fn predicate_name(predicate: Predicate) -> String {
    format!("{predicate:?}").to_lowercase()
}

/// The name of a binary operation in the arith dialect.
fn name(op: Op) -> &'static str {
    match op {
        Op::Add => "addi",
        Op::Sub => "subi",
        Op::Mul => "muli",
        Op::DivS => "divsi",
        Op::DivU => "divui",
        Op::RemS => "remsi",
        Op::RemU => "remui",
        Op::CeilDivS => "ceildivsi",
        Op::CeilDivU => "ceildivui",
        Op::FloorDivS => "floordivsi",
        Op::MinS => "minsi",
        Op::MaxS => "maxsi",
        Op::MinU => "minui",
        Op::MaxU => "maxui",
        Op::Shl => "shli",
        Op::ShrS => "shrsi",
        Op::ShrU => "shrui",
        Op::And => "andi",
        Op::Or => "ori",
        Op::Xor => "xori",
        Op::Compare(_) => "cmpi",
        Op::Select => "select",
        Op::Cast { .. } => "index_cast",
        Op::Affine(_) => "apply",
    }
}

/// The name of a binary operation in the index dialect.
fn index_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::DivS => "divs",
        Op::DivU => "divu",
        Op::RemS => "rems",
        Op::RemU => "remu",
        Op::CeilDivS => "ceildivs",
        Op::CeilDivU => "ceildivu",
        Op::FloorDivS => "floordivs",
        Op::MinS => "mins",
        Op::MaxS => "maxs",
        Op::MinU => "minu",
        Op::MaxU => "maxu",
        Op::Shl => "shl",
        Op::ShrS => "shrs",
        Op::ShrU => "shru",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Compare(_) | Op::Select | Op::Cast { .. } | Op::Affine(_) => return None,
    })
}
