"""Writes the arguments and the results of the programs beside it: python3 data.py."""

import numpy

random = numpy.random.default_rng(0)


def save(**arrays):
    for name, array in arrays.items():
        numpy.save(name, array)


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


x, w, bias = random.integers(-2, 3, (128, 160)), random.integers(-2, 3, (192, 160)), random.integers(-9, 9, 192)
y = numpy.maximum(x @ w.T + bias, 0)
save(linear_x=x.astype("f2"), linear_w=w.astype("f2"), linear_bias=bias.astype("f2"), linear_y=y.astype("f2"))

x = random.normal(size=(64, 1000)).astype("f4")
save(softmax_x=x, softmax_y=softmax(x.astype("f8")).astype("f4"))

x, gamma, beta = (random.normal(size=size).astype("f4") for size in ((64, 768), 768, 768))
d = x.astype("f8")
y = (d - d.mean(1, keepdims=True)) / numpy.sqrt(d.var(1, keepdims=True) + 1e-5) * gamma + beta
save(norm_x=x, norm_gamma=gamma, norm_beta=beta, norm_y=y.astype("f4"))

x, w = random.integers(-2, 3, (2, 64, 14, 16)), random.integers(-2, 3, (64, 64, 3, 3))
p = numpy.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
taps = [(i, j) for i in range(3) for j in range(3)]
y = sum(numpy.einsum("nchw,fc->nfhw", p[:, :, i : i + 14, j : j + 16], w[:, :, i, j]) for i, j in taps)
save(conv_x=x.astype("f2"), conv_w=w.astype("f2"), conv_y=y.astype("f4"))

q, k, v = (random.normal(size=(4, 256, 64)).astype("f2") for _ in range(3))
p = softmax(q.astype("f8") @ k.astype("f8").transpose(0, 2, 1) / 8)
save(attention_q=q, attention_k=k, attention_v=v, attention_o=(p @ v.astype("f8")).astype("f2"))
