//! The text form of a layout.
//!
//! ```text
//!   layout  = iters tail*                     (8, 4, 2) : (4@laneid, 1@laneid, 1)
//!   iters   = tuple ":" tuple                 extents, then strides of the same nesting
//!   tuple   = item | "(" [tuple {"," tuple}] ")"
//!   item    = integer ["@" axis]              the axis only behind strides and offsets; memory when left out
//!   tail    = "+" "R" "(" iters ")"           further copies: + R(2 : 4@warpid), + R((2, 2) : (4, 16))
//!           | "+" item                        an offset: + 5@warpid; several on one axis add up
//!           | "," "swizzle" "<" per_element "," len "," atom_len ["," ("inner" | "outer")] ">"
//! ```
//!
//! `() : ()` is the layout of one element without iters. An entry of the outer tuple is a dimension, and may be a
//! nested tuple as CuTe writes it: there the leftmost digit is the fastest, so `((2, 2), 3) : ((24, 2), 8)` is
//! `(2, 2, 3) : (2, 24, 8)`, and coordinate (3, 1) is at `1*24 + 1*2 + 1*8 = 34` in both notations.
//! Reading checks the grammar only; [`Layout::validate`](crate::Layout::validate) checks the numbers.

mod lexer;
mod parse;
mod print;
