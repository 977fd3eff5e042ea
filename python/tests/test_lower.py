"""Running pipelines on the text of a module."""

import pytest
import mlir_tile as tile

# The compiler warns of this copy, which goes element by element.
ODD = """
gpu.module @kernels {
  gpu.func @copy(%A: memref<30xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<30xf32> to !tile.buffer<30xf32, global>
    %s = tile.alloc : !tile.buffer<30xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<30xf32, global> to !tile.buffer<30xf32, shared>
    gpu.return
  }
}
"""


def test_warnings_are_warnings():
    with pytest.warns(UserWarning, match=r"odd\.mlir:6:5: warning: .*fallback"):
        text = tile.lower(ODD, "builtin.module(lower-tile-copy{variants=fallback})", name="odd.mlir")
    assert "tile.copy" not in text and "gpu.func @copy" in text


@pytest.mark.parametrize(
    ("text", "pipeline", "message"),
    [
        ("tile.allocate", "builtin.module()", "half.mlir:1:1: error: "),
        ("module {}", "builtin.module(lower-tile-copies)", "'lower-tile-copies' does not refer to a registered pass"),
        ("module {}", "builtin.module(lower-tile-copy{chip=sm_1})", "unknown chip 'sm_1'"),
    ],
)
def test_what_cannot_be_lowered(text, pipeline, message):
    with pytest.raises(tile.CompileError, match=message):
        tile.lower(text, pipeline, name="half.mlir")


def test_arguments_of_another_type():
    with pytest.raises(tile.ArgumentError, match="pipeline: got list, expected str"):
        tile.lower("module {}", ["lower-tile-copy"])
