//! `--lower-tile-copy`, which carries plans from stage to stage, writes the same as the three passes, which read plans from the
//! ops.

use std::fs;
use std::path::Path;

use tile_passes::embed;

/// One run, and one for each stage.
const ONE: &str = "builtin.module(lower-tile-copy)";
const THREE: &str = "builtin.module(tile-align-layouts,tile-vectorize-copy,tile-expand-copy)";

/// The result of a pipeline on a module, or its first error; `None` for text that is not a module by itself.
fn lowered(text: &str, pipeline: &str) -> Option<Result<String, String>> {
    let context = embed::context();
    let mut module = embed::parse(&context, text).ok()?;
    let outcome = embed::run(&mut module, pipeline).map(|_| module.as_operation().to_string());
    Some(outcome.map_err(|error| reason(&embed::first_error(error.diagnostics()))))
}

/// An error without its subject: one pass for all does not name the ops that only stages have.
fn reason(error: &str) -> String {
    const SUBJECTS: [&str; 4] = ["the copy ", "the tile ", "'tile.planned_copy' op ", "'tile.parts' op "];
    SUBJECTS.iter().find_map(|subject| error.strip_prefix(subject)).unwrap_or(error).to_owned()
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

/// A begin in a dimension of one element is not an operand of the stages: the second begin is the first one that they have.
const LEFT_OUT: &str = "
!src = !tile.buffer<1x2x56xf16, global>
!dst = !tile.buffer<1x1x24xf16, global>
gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {
  gpu.func @copy(%a: memref<112xf16>, %b: memref<24xf16>, %i: index, %j: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %src = tile.view %a : memref<112xf16> to !src
    %dst = tile.view %b : memref<24xf16> to !dst
    tile.copy %src[%i, %j, 16] [1, 1, 24] to %dst[0, 0, 0] [1, 1, 24] scope(warp) : !src to !dst
    gpu.return
  }
}";

#[test]
fn begins_that_no_stage_has_do_not_move_the_others() {
    let one = lowered(LEFT_OUT, ONE).expect("a module");
    assert!(
        one.as_ref().is_ok_and(|text| text.contains("arith.muli %arg3,") && !text.contains("arith.muli %arg2,")),
        "{one:?}"
    );
    assert_eq!(Some(one), lowered(LEFT_OUT, THREE));
}
