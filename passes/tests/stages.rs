//! `--lower-tile-copy`, which carries plans from stage to stage, writes what the three passes write that read them from the ops.

use std::fs;
use std::path::Path;

use tile_passes::embed;

/// One run, and one for each stage.
const ONE: &str = "builtin.module(lower-tile-copy)";
const THREE: &str = "builtin.module(tile-align-copy,tile-vectorize-copy,tile-expand-copy)";

/// What a pipeline makes of a module, or its first error; `None` for text that is no module by itself.
fn lowered(text: &str, pipeline: &str) -> Option<Result<String, String>> {
    let context = embed::context();
    let mut module = embed::parse(&context, text).ok()?;
    let outcome = embed::run(&mut module, pipeline).map(|_| module.as_operation().to_string());
    Some(outcome.map_err(|error| embed::first_error(error.diagnostics())))
}

#[test]
fn a_carried_plan_is_the_one_that_is_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test");
    let (mut compared, mut masked, mut at_run_time) = (0, 0, 0);
    for folder in ["Seeds", "Passes"].map(|name| folder.join(name)) {
        for entry in fs::read_dir(&folder).expect("the folder of tests") {
            let path = entry.expect("a file").path();
            let text = match path.extension() {
                Some(extension) if extension == "mlir" => fs::read_to_string(&path).expect("a text"),
                _ => continue,
            };
            for part in text.split("// -----").filter(|part| part.contains("tile.copy")) {
                let Some(one) = lowered(part, ONE) else { continue };
                assert_eq!(Some(&one), lowered(part, THREE).as_ref(), "{}: {part}", path.display());
                compared += usize::from(one.is_ok());
                masked += usize::from(one.is_ok() && part.contains(" masked"));
                at_run_time += usize::from(one.is_ok() && part.contains("[%"));
            }
        }
    }
    assert!(compared > 80 && masked > 5 && at_run_time > 20, "{compared}, {masked} masked, {at_run_time} at run time");
}
