//! A [`Kit`] makes ops at one insertion point: numbers, control flow, memory, warps.
//!
//! Numbers are plain `i32` and `i64`; pointers are LLVM's, since states need atomic accesses that memrefs do not have.

use melior::ir::{Type, Value};
use tile_ops::Builder;

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
}
