"""Inputs and results of test/Run/chained.mlir. Results are as long as the inputs, with zeros behind the last one: nothing is written there."""

import numpy as np

random = np.random.default_rng(11)
n = 9000


def save(name, values, dtype):
    padded = np.zeros(n, dtype)
    padded[: len(values)] = values
    np.save(f"{name}.npy", padded)


bytes_ = random.integers(-128, 128, n).astype(np.int8)
flags = random.integers(0, 2, n).astype(np.int8)
np.save("bytes.npy", bytes_)
np.save("flags.npy", flags)
save("kept", bytes_[flags != 0], np.int8)
np.save("kept_count.npy", np.array([np.count_nonzero(flags)], np.int32))

keys = np.repeat(np.arange(n), random.integers(1, 9, n))[:n].astype(np.int64)
values = random.integers(-9, 9, n).astype(np.float64)
unique, first = np.unique(keys, return_index=True)
np.save("keys.npy", keys)
np.save("values.npy", values)
save("unique", unique, np.int64)
save("sums", np.add.reduceat(values, first), np.float64)
np.save("unique_count.npy", np.array([len(unique)], np.int32))
