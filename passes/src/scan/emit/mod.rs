//! Writing kernels: numbers, control flow, memory, warps.
//!
//! A [`Kit`] makes ops at one insertion point. Numbers are plain `i32` and `i64`; pointers are LLVM's, since states need
//! atomic accesses that memrefs do not have.

mod asynchronous;
mod control;
mod memory;
mod numbers;
mod warp;

pub use memory::{GLOBAL, SHARED};
pub use numbers::Cmp;

use melior::ir::{Type, Value, ValueLike};

use crate::build::Builder;

/// A value of the kernel.
pub type Val<'c, 'a> = Value<'c, 'a>;

/// Makes ops of a kernel.
#[derive(Clone, Copy)]
pub struct Kit<'c, 'a> {
    /// Where they go.
    pub builder: Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A kit at the builder's insertion point.
    pub fn new(builder: Builder<'c, 'a>) -> Self {
        Kit { builder }
    }

    /// `i<bits>`.
    pub fn int_type(self, bits: u32) -> Type<'c> {
        self.builder.context.integer(bits)
    }

    /// A type from its text.
    ///
    /// # Panics
    /// When the text is no type.
    pub fn parse_type(self, text: &str) -> Type<'c> {
        self.builder.context.parse_type(text).unwrap_or_else(|| panic!("'{text}' is a type"))
    }

    /// An op with one result of the type of its first operand.
    pub fn same(self, name: &str, operands: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        self.builder.value(name, operands, operands[0].r#type(), &[])
    }

    /// An op with one operand, and a result of another type.
    pub fn convert(self, name: &str, value: Val<'c, 'a>, to: Type<'c>) -> Val<'c, 'a> {
        if value.r#type() == to { value } else { self.builder.value(name, &[value], to, &[]) }
    }
}
