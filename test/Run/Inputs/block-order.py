"""Writes the number of each tile of a grid of 7 x 5, in three orders."""

import numpy as np

M, N, GROUP = 7, 5, 3
ORDERS = {
    "rows": [(i, j) for i in range(M) for j in range(N)],
    "columns": [(i, j) for j in range(N) for i in range(M)],
    "grouped": [(i, j) for first in range(0, M, GROUP) for j in range(N) for i in range(first, min(first + GROUP, M))],
}

for name, order in ORDERS.items():
    numbers = np.zeros((M, N), np.int32)
    for number, tile in enumerate(order):
        numbers[tile] = number
    np.save(f"{name}.npy", numbers)
