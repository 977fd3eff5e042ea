"""Operands of a domain: what an op is defined for, with the borders of the type among them."""

import random
from fractions import Fraction

from formats import FLOATS, INTEGERS, decode, encode, is_nan, largest, width, wrap


def operand(domain, type_name, count, seed):
    """`count` numbers of a type, as bits."""
    source = random.Random(f"{domain} {type_name} {seed}")
    draw = float_of if type_name in FLOATS else integer_of
    return [draw(domain, type_name, source) for _ in range(count)]


def integer_of(domain, type_name, source):
    size = INTEGERS[type_name]
    border = [0, 1, (1 << size) - 1, 1 << (size - 1), (1 << (size - 1)) - 1]
    if domain == "divisor":
        # The least number divided by -1 is not one of the type.
        return source.choice([1, 2, 3, 7, wrap(-2, type_name), wrap(-3, type_name), source.randrange(1, 1 << (size - 1))])
    if domain == "shift":
        return source.randrange(size)
    if domain == "sparse":
        return source.choice([0, 1 << source.randrange(size), source.getrandbits(size) << source.randrange(size) & ((1 << size) - 1)])
    if domain == "base":
        return wrap(source.choice([-3, -2, -1, 1, 2, 3, 10]), type_name)
    if domain == "exponent":
        return wrap(source.randrange(-3, 6), type_name)
    return source.choice(border) if source.random() < 0.3 else source.getrandbits(size)


def float_of(domain, type_name, source):
    if domain == "ones":
        return encode(source.choice([-1, 0, 0, 1]), type_name)
    if domain == "signs":
        return encode(source.choice([-1, 1]), type_name)
    ranges = {"unit": (-1, 1), "inside": (-0.9, 0.9), "above": (1, 8), "medium": (-20, 20), "small": (-100, 100), "count": (0, 100),
              "near": (-500, 500)}
    if domain in ranges:
        low, high = ranges[domain]
        value = Fraction(source.uniform(low, high))
        # Half of them between two numbers of a narrower type: ties.
        bits = encode(round(value * 8) / Fraction(8) if source.random() < 0.5 else value, type_name)
        inside = low <= decode(bits, type_name) <= high
        return bits if inside and decode(bits, type_name) != 0 else encode(Fraction(high) / 2, type_name)
    special = [0, 1, largest(type_name), largest(type_name) + 1, largest(type_name) + 2, 1 << (width(type_name) - 1)]
    while True:
        bits = source.choice(special) if source.random() < 0.3 else source.getrandbits(width(type_name))
        bits &= (1 << width(type_name)) - 1
        if domain == "bits":
            return bits
        number = decode(bits, type_name)
        if not is_nan(bits, type_name) and not isinstance(number, float) and (domain != "nonzero" or number != 0):
            return bits
