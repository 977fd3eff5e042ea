"""Writes queries, keys, values and the result, q.npy, k.npy, v.npy, o.npy: python3 attention.py HEADS QUERIES KEYS CAUSAL."""

import sys

import numpy

heads, queries, keys, causal = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
q, k, v = (random.standard_normal((heads, rows, 128)).astype(numpy.float16) for rows in (queries, keys, keys))
scores = numpy.einsum("hid,hjd->hij", q.astype(numpy.float64), k.astype(numpy.float64)) / numpy.sqrt(128)
if causal:
    scores = numpy.where(numpy.arange(queries)[:, None] >= numpy.arange(keys), scores, -numpy.inf)
weights = numpy.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
o = numpy.einsum("hij,hjd->hid", weights, v.astype(numpy.float64))
for name, array in (("q", q), ("k", k), ("v", v), ("o", o.astype(numpy.float16))):
    numpy.save(f"{name}.npy", array)
