// Floats of 64 bits, as two words, low one first.

fn f64_value(bits: vec2<u32>) -> f64 {
  return bitcast<f64>((u64(bits.y) << 32u) | u64(bits.x));
}

fn f64_bits(value: f64) -> vec2<u32> {
  let bits = bitcast<u64>(value);
  return vec2<u32>(u32(bits & 0xfffffffflu), u32(bits >> 32u));
}

fn order_64(bits: vec2<u32>) -> vec2<u32> {
  return bits ^ select(vec2<u32>(0u, 0u), vec2<u32>(0xffffffffu, 0x7fffffffu), bits.y >= 0x80000000u);
}

fn is_nan_64(bits: vec2<u32>) -> bool {
  let high = bits.y & 0x7fffffffu;
  return high > 0x7ff00000u || (high == 0x7ff00000u && bits.x != 0u);
}

fn extreme_64(a: vec2<u32>, b: vec2<u32>, first: bool) -> f64 {
  if (is_nan_64(a) || is_nan_64(b)) {
    return f64_value(vec2<u32>(zero_bits, 0x7ff80000u));
  }
  return f64_value(select(b, a, first));
}

fn min_f64(a: f64, b: f64) -> f64 {
  let x = f64_bits(a);
  let y = f64_bits(b);
  return extreme_64(x, y, less_64(order_64(x), order_64(y)));
}

fn max_f64(a: f64, b: f64) -> f64 {
  let x = f64_bits(a);
  let y = f64_bits(b);
  return extreme_64(x, y, less_64(order_64(y), order_64(x)));
}

fn maxnum_f64(a: f64, b: f64) -> f64 {
  let x = f64_bits(a);
  let y = f64_bits(b);
  return max_f64(select(a, b, is_nan_64(x)), select(b, a, is_nan_64(y)));
}

fn minnum_f64(a: f64, b: f64) -> f64 {
  let x = f64_bits(a);
  let y = f64_bits(b);
  return min_f64(select(a, b, is_nan_64(x)), select(b, a, is_nan_64(y)));
}
