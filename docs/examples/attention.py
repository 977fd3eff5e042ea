"""Writes queries, keys, values and the result, q.npy, k.npy, v.npy, o.npy:

python3 attention.py HEADS QUERIES KEYS CAUSAL [HEADS_OF_KEYS [COLUMNS [SCALE]]]; the queries are multiplied by SCALE, keys grow by it along the rows.
"""

import sys

import numpy

heads, queries, keys, causal, *rest = map(int, sys.argv[1:])
key_heads, columns, scale = rest + [heads, 128, 1][len(rest):]
random = numpy.random.default_rng(0)
q, k, v = (random.standard_normal((n, rows, columns)) for n, rows in ((heads, queries), (key_heads, keys), (key_heads, keys)))
k *= numpy.geomspace(1 / scale, 1, keys)[:, None]
q, k, v = (array.astype(numpy.float16) for array in (q * scale, k, v))
all_k, all_v = (numpy.repeat(array.astype(numpy.float64), heads // key_heads, 0) for array in (k, v))
scores = numpy.einsum("hid,hjd->hij", q.astype(numpy.float64), all_k) / numpy.sqrt(columns)
if causal:
    scores = numpy.where(numpy.arange(queries)[:, None] >= numpy.arange(keys), scores, -numpy.inf)
weights = numpy.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
o = numpy.einsum("hij,hjd->hid", weights, all_v)
for name, array in (("q", q), ("k", k), ("v", v), ("o", o.astype(numpy.float16))):
    numpy.save(f"{name}.npy", array)
