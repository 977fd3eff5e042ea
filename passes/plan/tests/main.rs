//! The planner's tests.
//!
//! One program: what the tests share is compiled once.

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
mod draw;
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

/// A file that is not named above would not be run.
#[test]
fn every_file_is_a_module() {
    let modules = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).expect("the tests are here") {
        let name = entry.expect("it can be read").file_name().into_string().expect("a name of letters");
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || modules.contains(&format!("\nmod {module};\n")), "{name} is not in main.rs");
    }
}
