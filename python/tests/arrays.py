"""Arrays that claim to be on a GPU."""

from __future__ import annotations

import numpy as np


class OnGpu:
    """An array that claims to be on a GPU."""

    def __init__(self, array: np.ndarray, number: int = 0) -> None:
        self.array, self.number = array, number

    def __dlpack_device__(self) -> tuple[int, int]:
        """A CUDA device."""
        return 2, self.number

    def __dlpack__(self, stream: int | None = None) -> object:
        """The array's own capsule."""
        assert stream == 1
        return self.array.__dlpack__()


def empty_like(x: OnGpu) -> OnGpu:
    """A new array on the same GPU, as every library of arrays makes it."""
    whole = aligned(1, -(-x.array.nbytes // 4)).reshape(-1).view(np.uint8)[: x.array.nbytes]
    return OnGpu(whole.view(x.array.dtype).reshape(x.array.shape), x.number)


def aligned(rows: int, columns: int) -> np.ndarray:
    """A matrix at a multiple of 256 bytes."""
    memory = np.zeros(rows * columns * 4 + 256, np.uint8)
    begin = -memory.ctypes.data % 256
    return memory[begin : begin + rows * columns * 4].view("float32").reshape(rows, columns)
