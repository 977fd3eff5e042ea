"""Kernels in PTX that another compiler has made."""

from __future__ import annotations

import numpy as np
import pytest

import mlir_tile as tile

# Each block sums its numbers in shared memory; the barrier is that of the loop. In the spelling of nvcc.
SUM = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 input, .param .u64 output, .param .u32 count)
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	.shared .align 4 .b8 partial[256];
	ld.param.u64 %rd1, [input];
	ld.param.u64 %rd2, [output];
	ld.param.u32 %r6, [count];
	mov.u32 %r1, %tid.x;
	mov.f32 %f1, 0f00000000;
	setp.ge.u32 %p1, %r1, %r6;
	@%p1 bra $L__BB0_0;
	mul.wide.u32 %rd5, %r1, 4;
	add.s64 %rd6, %rd1, %rd5;
	ld.global.f32 %f1, [%rd6];
$L__BB0_0:
	mov.u32 %r2, partial;
	shl.b32 %r3, %r1, 2;
	add.s32 %r4, %r2, %r3;
	st.shared.f32 [%r4], %f1;
	bar.sync 0;
	mov.u32 %r5, 32;
$L__BB0_1:
	setp.ge.u32 %p1, %r1, %r5;
	@%p1 bra $L__BB0_3;
	shl.b32 %r6, %r5, 2;
	add.s32 %r7, %r4, %r6;
	.loc 1 9 7
	ld.shared.f32 %f2, [%r7];
	ld.shared.f32 %f3, [%r4];
	add.f32 %f1, %f3, %f2;
	st.shared.f32 [%r4], %f1;
$L__BB0_3:
	bar.sync 0;
	shr.u32 %r5, %r5, 1;
	setp.ne.s32 %p2, %r5, 0;
	@%p2 bra $L__BB0_1;
	setp.ne.s32 %p1, %r1, 0;
	@%p1 bra $L__BB0_5;
	st.global.f32 [%rd2], %f1;
$L__BB0_5:
	ret;
}
	.file 1 "sum.cu"
"""

EQUAL = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 out) {
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, 7;
	st.global.u32 [%rd1], %r1;
	ret;
}
"""

AGGREGATE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry first(.param .align 4 .b8 pair[8], .param .u64 out, .param .u64 null) {
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u32 %r1, [pair+4];
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [null];
	setp.ne.u64 %p1, %rd2, 0;
	@%p1 trap;
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry second() { ret; }
"""


def test_results_are_written_back():
    kernel = tile.ptx(SUM)
    assert (kernel.name, [argument.type for argument in kernel.arguments]) == ("sum", ["u64", "u64", "u32"])
    x, out = np.arange(64, dtype="float32"), np.zeros(1, "float32")
    counts = kernel.simulate(x, out, 60, block=64, schedule="all")
    assert out[0] == x[:60].sum()
    assert counts["ld.global.f32"].issued == 2


def test_a_race_names_the_line_of_the_source():
    kernel = tile.ptx(SUM.replace("$L__BB0_3:\n\tbar.sync 0;", "$L__BB0_3:"))
    out = np.zeros(1, "float32")
    with pytest.raises(tile.Race) as caught:
        kernel.simulate(np.ones(64, "float32"), out, 64, block=64)
    assert (caught.value.file, caught.value.line) == ("sum.cu", 9)
    assert not out.any(), "nothing has changed"
    kernel.simulate(np.ones(64, "float32"), out, 64, block=64, no_check="race")


def test_equal_stores_are_a_class_of_their_own():
    out = np.zeros(1, "uint32")
    tile.ptx(EQUAL).simulate(out, block=32)
    assert out[0] == 7
    with pytest.raises(tile.Race):
        tile.ptx(EQUAL).simulate(out, block=32, check_equal_stores=True)


def test_aggregates_and_null_pointers():
    out = np.zeros(1, "uint32")
    tile.ptx(AGGREGATE, "first").simulate(np.array([3, 5], "uint32").tobytes(), out, None, block=1)
    assert out[0] == 5


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((1,), {}, tile.ArgumentError, "got 1 arguments, expected 3: u64, u64, u32"),
        ((0.5, None, 1), {"block": 64}, tile.ArgumentError, "argument 0: got float, expected an array, None or an integer for u64"),
        ((None, None, np.zeros(3)), {"block": 64}, tile.ArgumentError, "argument 2: got ndarray, expected an integer for u32"),
        ((None, None, 0), {}, tile.LaunchError, "got no size of blocks, which the PTX does not state either"),
        ((None, None, 0), {"block": 64, "no_check": "rac"}, tile.LaunchError, "got checker `rac`, expected uninit, race"),
        ((None, None, 1), {"block": 64}, tile.Fault, "address"),
    ],
)
def test_launches_that_are_wrong(arguments, options, error, message):
    with pytest.raises(error, match=message):
        tile.ptx(SUM).simulate(*arguments, **options)


def test_texts_that_cannot_be_run():
    with pytest.raises(tile.LaunchError, match=r"the simulator cannot run the PTX: 9:2: `frobnicate`: unknown instruction"):
        tile.ptx(EQUAL.replace("mov.u32 %r1, 7;", "frobnicate;"))
    with pytest.raises(tile.ArgumentError, match="got no kernel's name, expected one of first, second"):
        tile.ptx(AGGREGATE)
    with pytest.raises(tile.ArgumentError, match="got kernel 'third', expected one of first, second"):
        tile.ptx(AGGREGATE, "third")
    with pytest.raises(tile.ArgumentError, match="text: got bytes, expected str"):
        tile.ptx(b"")
