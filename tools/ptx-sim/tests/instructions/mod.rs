//! Instructions, each on a few lanes, against numbers computed here.

mod atomics;
mod bits;
mod control;
mod convert;
mod copies;
mod errors;
mod float;
mod harness;
mod integer;
mod matrix;
mod mbarriers;
mod memory;
mod misc;
mod operands;
mod special;
mod tensor;
mod tensor_products;
mod warp;
mod wgmma;
