//! Elements as numbers and as bytes.

/// Bytes of a scalar type, by its name in MLIR.
pub fn bytes(r#type: &str) -> usize {
    r#type[1..].parse::<usize>().expect("it has a width") / 8
}

/// A number as bytes of a type; whole and small for floats, so that sums are exact.
pub fn encode(r#type: &str, value: i64) -> Vec<u8> {
    match r#type {
        "f32" => (value as f32).to_le_bytes().to_vec(),
        "f64" => (value as f64).to_le_bytes().to_vec(),
        _ => value.to_le_bytes()[..bytes(r#type)].to_vec(),
    }
}

/// Numbers as bytes, one after the other.
pub fn encoded(r#type: &str, values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|&value| encode(r#type, value)).collect()
}

/// Random numbers.
pub struct Random(pub u64);

impl Random {
    /// The next one of 0 to `below - 1`.
    pub fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Numbers from 1 to 100 of which about `percent` in a hundred are odd.
pub fn odd_in(percent: u64, n: usize) -> Vec<i64> {
    let mut random = Random(n as u64 + percent);
    (0..n).map(|_| 2 * random.below(50) as i64 + i64::from(random.below(100) < percent)).collect()
}

/// Runs of equal numbers, as long as `length` on average; 0 for one run.
pub fn runs_of(length: u64, n: usize) -> Vec<i64> {
    let mut random = Random(n as u64 + length);
    let mut key = 3;
    (0..n)
        .map(|_| {
            if length > 0 && random.below(length) == 0 {
                key = (key + 1 + random.below(7) as i64) % 100;
            }
            key
        })
        .collect()
}
