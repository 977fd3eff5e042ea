// Functions of f32 with one rounding, computed on integers: no device need have them.

// A float without its sign: 24 bits with the highest one set, times 2^(exponent - 150).
struct Parts {
  bits: u32,
  exponent: i32,
}

// The parts of a finite float; no bits and the lowest exponent for zero.
fn parts_f32(bits: u32) -> Parts {
  let fraction = bits & 0x7fffffu;
  let exponent = (bits >> 23u) & 255u;
  if (exponent != 0u) {
    return Parts(fraction | 0x800000u, i32(exponent));
  }
  if (fraction == 0u) {
    return Parts(0u, -1000);
  }
  let above = countLeadingZeros(fraction) - 8u;
  return Parts(fraction << above, 1 - i32(above));
}

fn canonical_f32(value: f32) -> f32 {
  return select(value, bitcast<f32>(zero_bits | 0x7fffffffu), is_nan(bitcast<u32>(value)));
}

// A number shifted to the right; its lowest bit says whether any bit set was shifted out.
fn jammed_64(a: vec2<u32>, count: i32) -> vec2<u32> {
  if (count <= 0) {
    return a;
  }
  if (count > 63) {
    return vec2<u32>(select(0u, 1u, (a.x | a.y) != 0u), 0u);
  }
  let shifted = shr_64(a, u32(count));
  let back = shl_64(shifted, u32(count));
  return vec2<u32>(shifted.x | select(0u, 1u, any(back != a)), shifted.y);
}

fn jammed_32(a: u32, count: i32) -> u32 {
  if (count <= 0) {
    return a;
  }
  if (count > 31) {
    return select(0u, 1u, a != 0u);
  }
  let shifted = a >> u32(count);
  return shifted | select(0u, 1u, (shifted << u32(count)) != a);
}

// The float nearest to number * 2^(exponent - 60), ties to even. With `odd`, a float next to it instead, with an odd
// last bit where it is not equal: rounding this to fewer bits rounds the number itself once.
fn packed_f32(sign: u32, number: vec2<u32>, exponent: i32, odd: bool) -> f32 {
  let zeros = select(countLeadingZeros(number.y), 32u + countLeadingZeros(number.x), number.y == 0u);
  let normal = shl_64(number, zeros - 1u);
  let biased = exponent + 129 - i32(zeros - 1u);
  if (biased >= 255) {
    return bitcast<f32>(zero_bits | sign | select(0x7f800000u, 0x7f7fffffu, odd));
  }
  // Seven bits below the last one.
  let all = jammed_32(normal.y | select(0u, 1u, normal.x != 0u), 1 - biased);
  let kept = all >> 7u;
  let rest = all & 127u;
  let up = rest > 64u || (rest == 64u && (kept & 1u) == 1u);
  let last = select(kept + select(0u, 1u, up), kept | select(0u, 1u, rest != 0u), odd);
  return bitcast<f32>(zero_bits | sign | ((u32(max(biased, 1) - 1) << 23u) + last));
}

// a * b + c, rounded once, as packed_f32 does.
fn fused_f32(a: f32, b: f32, c: f32, odd: bool) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  let z = bitcast<u32>(c);
  let large = 0x7f800000u;
  if ((x & large) == large || (y & large) == large) {
    return canonical_f32(a * b + c);
  }
  if ((z & large) == large) {
    return canonical_f32(c);
  }
  let left = parts_f32(x);
  let right = parts_f32(y);
  let third = parts_f32(z);
  let sign = (x ^ y) & 0x80000000u;
  let third_sign = z & 0x80000000u;
  if (left.bits == 0u || right.bits == 0u) {
    return bitcast<f32>(zero_bits | select(z, sign & third_sign, third.bits == 0u));
  }
  let product_exponent = left.exponent + right.exponent - 254;
  let third_exponent = third.exponent - 127;
  let exponent = max(product_exponent, third_exponent);
  let whole = shl_64(mul_64(vec2<u32>(left.bits, 0u), vec2<u32>(right.bits, 0u)), 14u);
  let product = jammed_64(whole, exponent - product_exponent);
  let other = jammed_64(shl_64(vec2<u32>(third.bits, 0u), 37u), exponent - third_exponent);
  if (sign == third_sign) {
    return packed_f32(sign, add_64(product, other), exponent, odd);
  }
  if (all(product == other)) {
    return 0.0;
  }
  if (below_64(product, other)) {
    return packed_f32(third_sign, sub_64(other, product), exponent, odd);
  }
  return packed_f32(sign, sub_64(product, other), exponent, odd);
}

fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
  return fused_f32(a, b, c, false);
}

// For results that are then rounded to 16 bits.
fn fma_odd(a: f32, b: f32, c: f32) -> f32 {
  return fused_f32(a, b, c, true);
}

// The square root, digit by digit.
fn sqrt_f32(value: f32) -> f32 {
  let bits = bitcast<u32>(value);
  if ((bits & 0x7fffffffu) == 0u || bits == 0x7f800000u) {
    return value;
  }
  if (bits > 0x7f800000u) {
    return bitcast<f32>(zero_bits | 0x7fffffffu);
  }
  let parts = parts_f32(bits);
  let odd = (parts.exponent & 1) == 0;
  let radicand = shl_64(vec2<u32>(parts.bits, 0u), select(25u, 26u, odd));
  var root = 0u;
  var rest = 0u;
  for (var place = 0u; place < 25u; place++) {
    rest = (rest << 2u) | (shr_64(radicand, 48u - 2u * place).x & 3u);
    let trial = (root << 2u) | 1u;
    let fits = rest >= trial;
    rest -= select(0u, trial, fits);
    root = (root << 1u) | select(0u, 1u, fits);
  }
  let half = (parts.exponent - 127 - select(0, 1, odd)) / 2;
  return bitcast<f32>(zero_bits | ((u32(half + 126) << 23u) + (root >> 1u) + (root & 1u)));
}

// Halves are rounded away from zero.
fn round_f32(value: f32) -> f32 {
  let whole = trunc(value);
  return canonical_f32(select(whole, whole + sign(value), abs(value - whole) >= 0.5));
}

// Halves are rounded to the even number.
fn round_even_f32(value: f32) -> f32 {
  return canonical_f32(round(value));
}

fn floor_f32(value: f32) -> f32 {
  return canonical_f32(floor(value));
}

fn ceil_f32(value: f32) -> f32 {
  return canonical_f32(ceil(value));
}

fn trunc_f32(value: f32) -> f32 {
  return canonical_f32(trunc(value));
}
