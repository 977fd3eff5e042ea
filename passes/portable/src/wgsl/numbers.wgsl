// Integers of 64 bits as two words, low one first, and floats of 16 bits as f32.

// Zero, but no compiler can know it.
var<private> zero_bits: u32;

fn add_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn sub_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn mul_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  // The product of the low words, by halves.
  let al = a.x & 0xffffu;
  let ah = a.x >> 16u;
  let bl = b.x & 0xffffu;
  let bh = b.x >> 16u;
  let low = al * bl;
  let middle = ah * bl + (low >> 16u);
  let cross = al * bh + (middle & 0xffffu);
  let high = ah * bh + (middle >> 16u) + (cross >> 16u);
  return vec2<u32>((cross << 16u) | (low & 0xffffu), high + a.x * b.y + a.y * b.x);
}

fn below_64(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn less_64(a: vec2<u32>, b: vec2<u32>) -> bool {
  let sign = vec2<u32>(0u, 0x80000000u);
  return below_64(a ^ sign, b ^ sign);
}

fn shl_64(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  if ((count & 32u) != 0u) {
    return vec2<u32>(0u, a.x << n);
  }
  return vec2<u32>(a.x << n, (a.y << n) | ((a.x >> 1u) >> (31u - n)));
}

fn shr_64(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  if ((count & 32u) != 0u) {
    return vec2<u32>(a.y >> n, 0u);
  }
  return vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), a.y >> n);
}

fn sar_64(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  let high = bitcast<i32>(a.y);
  if ((count & 32u) != 0u) {
    return vec2<u32>(bitcast<u32>(high >> n), bitcast<u32>(high >> 31u));
  }
  return vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), bitcast<u32>(high >> n));
}

// The halves are exact, so the sum is rounded once.
fn i32_value(bits: u32) -> f32 {
  return f32(bitcast<i32>(bits) >> 16u) * 65536.0 + f32(bits & 0xffffu);
}

fn u32_value(bits: u32) -> f32 {
  return f32(bits >> 16u) * 65536.0 + f32(bits & 0xffffu);
}

fn f16_value(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let exponent = (bits >> 10u) & 31u;
  let fraction = bits & 0x3ffu;
  if (exponent == 0u) {
    return bitcast<f32>(sign | bitcast<u32>(f32(fraction) * 0.000000059604644775390625));
  }
  if (exponent == 31u) {
    return bitcast<f32>(sign | 0x7f800000u | (fraction << 13u));
  }
  return bitcast<f32>(sign | ((exponent + 112u) << 23u) | (fraction << 13u));
}

// Rounds to nearest, ties to even.
fn f16_bits(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  let sign = (bits >> 16u) & 0x8000u;
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) {
    return 0x7fffu;
  }
  if (size >= 0x47800000u) {
    return sign | 0x7c00u;
  }
  if (size >= 0x38800000u) {
    return sign | ((size + 0xfffu + ((size >> 13u) & 1u) - 0x38000000u) >> 13u);
  }
  return sign | u32(round(bitcast<f32>(size) * 16777216.0));
}

fn bf16_bits(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return 0x7fffu;
  }
  return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

// Maps the bits of a float to an integer with the same order, -0 below +0.
fn order(bits: u32) -> i32 {
  let number = bitcast<i32>(bits);
  return number ^ ((number >> 31u) & 0x7fffffff);
}

fn is_nan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn extreme(a: u32, b: u32, first: bool) -> f32 {
  if (is_nan(a) || is_nan(b)) {
    return bitcast<f32>(zero_bits | 0x7fffffffu);
  }
  return bitcast<f32>(select(b, a, first));
}

fn min_f32(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  return extreme(x, y, order(x) < order(y));
}

fn max_f32(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  return extreme(x, y, order(x) > order(y));
}

// The larger number: of two NaNs, a NaN.
fn maxnum_f32(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  return max_f32(select(a, b, is_nan(x)), select(b, a, is_nan(y)));
}

fn minnum_f32(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  return min_f32(select(a, b, is_nan(x)), select(b, a, is_nan(y)));
}
