//! A program as MLIR.

mod stmt;
mod value;
mod view;

use std::fmt::Write;

use crate::ast::{Argument, Buffer, Program, Source, Space, Storage};
use crate::layout::Layout;
use value::Values;

/// The name of the kernel.
pub const ENTRY: &str = "program";

/// The text of a program, and the lines of its copies.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The module.
    pub text: String,
    /// The number of each copy, with its line.
    pub copies: Vec<(usize, usize)>,
    lines: usize,
    depth: usize,
    values: usize,
}

impl Text {
    /// A module of one kernel.
    pub fn of(program: &Program) -> Self {
        let mut text = Text::default();
        for (number, buffer) in program.buffers.iter().enumerate() {
            text.line(&format!("!b{number} = {}", buffer_type(buffer)));
        }
        text.line(&format!("gpu.module @kernels [#nvvm.target<chip = \"{}\">] {{", program.chip));
        text.depth += 1;
        text.line(&format!("gpu.func @{ENTRY}({}){} kernel", arguments(program), attributions(program)));
        if program.known_block {
            let [x, y, z] = program.block;
            text.line(&format!("    attributes {{known_block_size = array<i32: {x}, {y}, {z}>}}"));
        }
        text.line("{");
        text.depth += 1;
        for (number, buffer) in program.buffers.iter().enumerate() {
            text.define(program, number, buffer);
        }
        text.block(program, &program.body);
        text.line("gpu.return");
        text.depth = 1;
        text.line("}");
        text.depth = 0;
        text.line("}");
        text
    }

    fn line(&mut self, line: &str) -> usize {
        self.lines += 1;
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
        self.lines
    }

    /// Adds a line that defines a value; returns the value's name.
    fn value(&mut self, op: &str) -> String {
        self.values += 1;
        let name = format!("%v{}", self.values);
        self.line(&format!("{name} = {op}"));
        name
    }

    fn define(&mut self, program: &Program, number: usize, buffer: &Buffer) {
        match &buffer.source {
            Source::Alloc(alignment) => {
                let attributes = alignment.map_or_else(String::new, |bytes| format!(" {{alignment = {bytes} : i64}}"));
                self.line(&format!("%b{number} = tile.alloc{attributes} : !b{number}"));
            }
            Source::Attribution(elements) => {
                let memref = attribution(buffer, *elements);
                self.line(&format!("%b{number} = tile.view %w{number} : {memref} to !b{number}"));
            }
            Source::Open { argument, extents, strides } => {
                let Argument::Memory(storage) = &program.arguments[*argument] else { return };
                let mut operands = |name: &str, numbers: &[Option<crate::ast::Expr>]| {
                    let all: Vec<String> = numbers.iter().flatten().map(|expr| self.index(program, expr)).collect();
                    if all.is_empty() { String::new() } else { format!(" {name}({})", all.join(", ")) }
                };
                let clauses = operands("extents", extents) + &operands("strides", strides);
                let memref = memref(storage);
                self.line(&format!("%b{number} = tile.view %a{argument}{clauses} : {memref} to !b{number}"));
            }
            Source::View { argument, window } => {
                let Argument::Memory(storage) = &program.arguments[*argument] else { return };
                let (mut name, mut memref) = (format!("%a{argument}"), memref(storage));
                if let Some(begins) = window {
                    let offsets: Vec<String> = begins.iter().map(|begin| self.offset(program, begin)).collect();
                    let ones = vec!["1"; offsets.len()].join(", ");
                    let sizes = list(&buffer.shape);
                    let narrow = window_type(storage, begins, &buffer.shape);
                    let offsets = offsets.join(", ");
                    name = self
                        .value(&format!("memref.subview {name}[{offsets}] [{sizes}] [{ones}] : {memref} to {narrow}"));
                    memref = narrow;
                }
                self.line(&format!("%b{number} = tile.view {name} : {memref} to !b{number}"));
            }
        }
    }
}

fn list(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

fn extents(shape: &[i64], element: &str) -> String {
    shape.iter().map(|extent| format!("{extent}x")).collect::<String>() + element
}

fn buffer_type(buffer: &Buffer) -> String {
    if let Source::Open { extents, strides, .. } = &buffer.source {
        let [extents, strides] = [extents, strides].map(|open| open.iter().map(Option::is_some).collect::<Vec<_>>());
        return view::open_type(buffer, &extents, &strides);
    }
    plain_type(buffer)
}

/// The type with all extents and strides static.
fn plain_type(buffer: &Buffer) -> String {
    let (shape, space) = (extents(&buffer.shape, buffer.element.name), buffer.space.name());
    if buffer.layout == Layout::row_major(&buffer.shape) {
        return format!("!tile.buffer<{shape}, {space}>");
    }
    format!("!tile.buffer<{shape}, {space}, {}>", buffer.layout)
}

fn strided(strides: &[i64], offset: &str) -> String {
    let offset = if offset == "0" { String::new() } else { format!(", offset: {offset}") };
    format!(", strided<[{}]{offset}>", list(strides))
}

fn memref(storage: &Storage) -> String {
    let layout = match &storage.strides {
        None if storage.offset == 0 => String::new(),
        _ => strided(&storage.all_strides(), &storage.offset.to_string()),
    };
    format!("memref<{}{layout}>", extents(&storage.shape, storage.element.name))
}

/// The type of a window of an argument.
fn window_type(storage: &Storage, begins: &[crate::ast::Expr], shape: &[i64]) -> String {
    let strides = storage.all_strides();
    let mut offset = Some(storage.offset);
    for (begin, stride) in begins.iter().zip(&strides) {
        offset = match begin {
            crate::ast::Expr::Const(value) => offset.map(|offset| offset + value * stride),
            _ => None,
        };
    }
    let offset = offset.map_or_else(|| "?".to_owned(), |offset| offset.to_string());
    format!("memref<{}{}>", extents(shape, storage.element.name), strided(&strides, &offset))
}

fn attribution(buffer: &Buffer, elements: i64) -> String {
    format!("memref<{elements}x{}, #gpu.address_space<workgroup>>", buffer.element.name)
}

fn arguments(program: &Program) -> String {
    let one = |(number, argument): (usize, &Argument)| match argument {
        Argument::Memory(storage) => {
            let align = storage.align.map_or_else(String::new, |bytes| format!(" {{llvm.align = {bytes} : i64}}"));
            format!("%a{number}: {}{align}", memref(storage))
        }
        Argument::Index(_) => format!("%a{number}: index"),
        Argument::Table(values) => format!("%a{number}: memref<{}xi32>", values.len()),
    };
    program.arguments.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// ` workgroup(%w3 : memref<…>)` for the buffers that are workgroup attributions.
fn attributions(program: &Program) -> String {
    let one = |(number, buffer): (usize, &Buffer)| match buffer.source {
        Source::Attribution(elements) => {
            Some(format!("%w{number} : {} {{llvm.align = 16 : i64}}", attribution(buffer, elements)))
        }
        _ => None,
    };
    let all: Vec<String> = program.buffers.iter().enumerate().filter_map(one).collect();
    if all.is_empty() { String::new() } else { format!(" workgroup({})", all.join(", ")) }
}

/// The type of registers: a memref of the default space.
fn registers(buffer: &Buffer) -> String {
    assert_eq!(buffer.space, Space::Local);
    format!("memref<{}x{}>", buffer.layout.registers(), buffer.element.name)
}
