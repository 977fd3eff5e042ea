//! Regions that are expressed by views.

use super::value::Values;
use super::{Text, list};
use crate::ast::{Buffer, Expr, Program, Region, Source, View};
use crate::layout::{Digit, Layout};

impl Text {
    /// A region as the operand of a copy: its buffer with the copied region, and the type of the buffer.
    pub(super) fn region(&mut self, program: &Program, region: &Region) -> (String, String) {
        let number = region.buffer;
        let buffer = &program.buffers[number];
        let whole = (format!("%b{number}"), format!("!b{number}"));
        let open = matches!(buffer.source, Source::Open { .. });
        if region.view == View::Written {
            return (self.written(program, region, &whole.0, open), whole.1);
        }
        if region.view == View::Cast {
            let to = if open { super::plain_type(buffer) } else { forgotten(buffer) };
            let cast = self.value(&format!("tile.cast {} : {} to {to}", whole.0, whole.1));
            return (self.written(program, region, &cast, !open), to);
        }
        let mut layout = buffer.layout.clone();
        for (digit, &extent) in layout.digits.iter_mut().zip(&region.extent) {
            digit.extent = extent;
        }
        let part = Buffer { shape: region.extent.clone(), layout, source: Source::Alloc(None), ..buffer.clone() };
        let source = self.written(program, region, &whole.0, true);
        let (mut name, mut r#type) = (String::new(), super::plain_type(&part));
        name += &self.value(&format!("tile.subview {source} : {} to {}", whole.1, r#type));
        let (op, other) = match &region.view {
            View::Flat => ("tile.reshape".to_owned(), flat(&part)),
            View::Turned(order) => ("tile.permute".to_owned(), turned(&part, order)),
            _ => return (name, r#type),
        };
        let order = match &region.view {
            View::Turned(order) => {
                format!(" [{}]", list(&order.iter().map(|&from| from as i64).collect::<Vec<_>>()))
            }
            _ => String::new(),
        };
        let to = super::plain_type(&other);
        name = self.value(&format!("{op} {name}{order} : {} to {to}", r#type));
        r#type = to;
        (name, r#type)
    }

    /// A buffer with the region in brackets; without brackets if the region is the whole buffer, unless its extents are
    /// dynamic.
    fn written(&mut self, program: &Program, region: &Region, name: &str, open: bool) -> String {
        if region.begin.is_empty() && !open {
            return name.to_owned();
        }
        let zeros = vec![Expr::Const(0); region.extent.len()];
        let begins = if region.begin.is_empty() { &zeros } else { &region.begin };
        let begins: Vec<String> = begins.iter().map(|begin| self.offset(program, begin)).collect();
        format!("{name}[{}] [{}]", begins.join(", "), list(&region.extent))
    }
}

/// The type of a buffer with some extents and strides dynamic.
pub(super) fn open_type(buffer: &Buffer, extents: &[bool], strides: &[bool]) -> String {
    let mark = |open: &[bool], number: &dyn Fn(&Digit) -> i64| -> Vec<String> {
        let digits = buffer.layout.digits.iter().zip(open);
        digits.map(|(digit, &open)| if open { "?".to_owned() } else { number(digit).to_string() }).collect()
    };
    let (shape, steps) = (mark(extents, &|digit| digit.extent), mark(strides, &|digit| digit.stride));
    let (element, space) = (buffer.element.name, buffer.space.name());
    let layout = format!("#tile.layout<({}) : ({})>", shape.join(", "), steps.join(", "));
    format!("!tile.buffer<{}x{element}, {space}, {layout}>", shape.join("x"))
}

/// The type with all extents dynamic, and all strides other than 1.
fn forgotten(buffer: &Buffer) -> String {
    let strides: Vec<bool> = buffer.layout.digits.iter().map(|digit| digit.stride != 1).collect();
    open_type(buffer, &vec![true; buffer.shape.len()], &strides)
}

/// A buffer without its dimensions of extent 1.
fn flat(part: &Buffer) -> Buffer {
    let mut shape: Vec<i64> = part.shape.iter().copied().filter(|extent| *extent != 1).collect();
    let mut digits: Vec<Digit> = part.layout.digits.iter().copied().filter(|digit| digit.extent != 1).collect();
    if shape.is_empty() {
        shape = vec![1];
        digits = part.layout.digits[..1].to_vec();
    }
    Buffer { shape, layout: Layout { digits, ..part.layout.clone() }, ..part.clone() }
}

fn turned(part: &Buffer, order: &[usize]) -> Buffer {
    let shape = order.iter().map(|&from| part.shape[from]).collect();
    let digits = order.iter().map(|&from| part.layout.digits[from]).collect();
    Buffer { shape, layout: Layout { digits, ..part.layout.clone() }, ..part.clone() }
}
