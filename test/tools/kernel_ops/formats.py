"""Numbers of every element type as bits, decoded exactly and rounded once."""

import math
from fractions import Fraction

# Bits of the exponent and of the mantissa, and whether the largest exponent has infinities: f8E4M3FN has one NaN there instead.
FLOATS = {
    "f64": (11, 52, True),
    "f32": (8, 23, True),
    "f16": (5, 10, True),
    "bf16": (8, 7, True),
    "f8E5M2": (5, 2, True),
    "f8E4M3FN": (4, 3, False),
}
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64, "i128": 128}


def width(type_name):
    if type_name in INTEGERS:
        return INTEGERS[type_name]
    exponent, mantissa, _ = FLOATS[type_name]
    return 1 + exponent + mantissa


def signed(bits, type_name):
    size = INTEGERS[type_name]
    return bits - (1 << size) if bits >> (size - 1) else bits


def wrap(number, type_name):
    return number & ((1 << INTEGERS[type_name]) - 1)


def decode(bits, type_name):
    """A Fraction, or a float that is infinite or NaN."""
    exponent_bits, mantissa_bits, has_infinity = FLOATS[type_name]
    sign = -1 if bits >> (exponent_bits + mantissa_bits) else 1
    exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == (1 << exponent_bits) - 1:
        if has_infinity:
            return math.nan if mantissa else sign * math.inf
        if mantissa == (1 << mantissa_bits) - 1:
            return math.nan
    if exponent == 0:
        return sign * Fraction(mantissa, 1 << mantissa_bits) * Fraction(2) ** (1 - bias)
    return sign * (1 + Fraction(mantissa, 1 << mantissa_bits)) * Fraction(2) ** (exponent - bias)


def largest(type_name):
    exponent_bits, mantissa_bits, has_infinity = FLOATS[type_name]
    magnitude = ((1 << exponent_bits) - 1) << mantissa_bits
    return magnitude - 1 if has_infinity else magnitude + (1 << mantissa_bits) - 2


def encode(number, type_name):
    """The bits of a number, rounded to nearest even; floats of 8 bits saturate."""
    exponent_bits, mantissa_bits, _ = FLOATS[type_name]
    sign_bit = 1 << (exponent_bits + mantissa_bits)
    most = largest(type_name)
    if isinstance(number, float) and math.isnan(number):
        return most + 2 if FLOATS[type_name][2] else most + 1
    sign = sign_bit if number < 0 else 0
    infinity = most if width(type_name) == 8 else most + 1
    if isinstance(number, float) and math.isinf(number):
        return sign | infinity
    number = abs(Fraction(number))
    if number == 0:
        return sign
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = max(exponent_of(number), 1 - bias)
    units = round(number / Fraction(2) ** (exponent - mantissa_bits))
    # An exponent field that counts from the least normal number's; a carry moves into it.
    bits = units + ((exponent + bias - 1) << mantissa_bits)
    return sign | (infinity if bits > most else bits)


def exponent_of(number):
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= number else exponent - 1


def order(bits, type_name):
    """A number of the bits that grows by 1 from one float to the next."""
    sign_bit = 1 << (width(type_name) - 1)
    return -(bits & ~sign_bit) if bits & sign_bit else bits


def is_nan(bits, type_name):
    number = decode(bits, type_name)
    return isinstance(number, float) and math.isnan(number)


def close(got, expected, type_name, ulps):
    """Whether the bits are those of equal numbers, or of floats at most some units in the last place apart."""
    if type_name not in FLOATS:
        return got == expected
    if is_nan(expected, type_name) or is_nan(got, type_name):
        return is_nan(expected, type_name) and is_nan(got, type_name)
    return abs(order(got, type_name) - order(expected, type_name)) <= ulps
