//! The tests of the dialect.
//!
//! One program, so that MLIR is linked once.

mod erased;
mod layout_text;
mod old_names;
mod panics;
mod sizes;
mod words;

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
