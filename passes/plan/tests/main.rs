//! The planner's tests.
//!
//! They are one program, so that shared code is compiled once.

mod again;
mod bounds;
mod bulk;
mod check;
mod clusters;
mod common;
mod conformance;
mod conformance_async;
mod conformance_tensor;
mod convert;
mod dsmem;
mod effect;
mod exchange;
mod fallback;
mod forced;
mod gmem_smem;
mod ldgsts;
mod ldstmatrix;
mod malformed;
mod mask;
mod math;
mod memory;
mod phases;
mod pipeline;
mod products;
mod random;
mod reg;
mod registers;
mod rings;
mod run_time;
mod scan;
mod select;
mod shift;
mod sync;
mod synchronous;
mod tcgen05_cp;
mod tcgen05_ldst;
mod tensor_order;
mod tensor_rings;
mod vectorize;
mod widest;
