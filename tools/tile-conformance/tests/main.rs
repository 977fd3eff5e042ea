//! The tests of copies and arithmetic; those of scans are another program.
//!
//! One program, so that MLIR is linked once.

mod active;
mod broken_plans;
mod convert;
mod exchange;
mod math;
mod odd_sizes;
mod runtime;

/// A file that is not named above would not be run.
#[test]
fn every_file_is_a_module() {
    let modules = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).expect("the tests are here") {
        let name = entry.expect("it can be read").file_name().into_string().expect("a name of letters");
        let module = name.trim_end_matches(".rs");
        let known = ["main", "scan"].contains(&module) || modules.contains(&format!("\nmod {module};\n"));
        assert!(known, "{name} is not in main.rs");
    }
}
