//! Spaces over F2: vectors are the bits of a number, added by XOR.

/// Vectors that are independent, each with its leading bit alone among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Space {
    basis: Vec<u32>,
}

impl Space {
    pub(super) fn span(vectors: impl IntoIterator<Item = u32>) -> Self {
        let mut space = Space::default();
        vectors.into_iter().for_each(|vector| {
            space.add(vector);
        });
        space
    }

    /// Adds a vector; whether the space grows.
    pub(super) fn add(&mut self, vector: u32) -> bool {
        let rest = self.reduced(vector);
        if rest == 0 {
            return false;
        }
        let lead = 1 << rest.ilog2();
        self.basis.iter_mut().filter(|other| **other & lead != 0).for_each(|other| *other ^= rest);
        self.basis.push(rest);
        self.basis.sort_unstable();
        true
    }

    /// What remains of a vector modulo the space.
    pub(super) fn reduced(&self, vector: u32) -> u32 {
        self.basis.iter().fold(vector, |rest, basis| rest.min(rest ^ basis))
    }

    /// Vectors that span it.
    pub(super) fn vectors(&self) -> impl Iterator<Item = u32> {
        self.basis.iter().copied()
    }

    pub(super) fn dim(&self) -> usize {
        self.basis.len()
    }

    pub(super) fn sum(&self, other: &Space) -> Space {
        let mut sum = self.clone();
        other.basis.iter().for_each(|&vector| {
            sum.add(vector);
        });
        sum
    }

    /// The intersection: pairs (v, v) of one and (w, 0) of the other, reduced until the left is 0 (Zassenhaus).
    pub(super) fn intersection(&self, other: &Space) -> Space {
        let double = |vector: &u32| (u64::from(*vector) << 32) | u64::from(*vector);
        let left = |vector: &u32| u64::from(*vector) << 32;
        let mut rows: Vec<u64> = Vec::new();
        let mut common = Space::default();
        for row in self.basis.iter().map(double).chain(other.basis.iter().map(left)) {
            let rest = rows.iter().fold(row, |rest, other| rest.min(rest ^ other));
            match u32::try_from(rest) {
                Ok(inside) => {
                    common.add(inside);
                }
                Err(_) => {
                    rows.push(rest);
                    rows.sort_unstable_by(|a, b| b.cmp(a));
                }
            }
        }
        common
    }
}

/// The dimension of the span.
pub(super) fn rank(vectors: impl Iterator<Item = u32>) -> u32 {
    // The vector whose leading bit is the index.
    let mut leading = [0u32; u32::BITS as usize];
    let mut rank = 0;
    for mut vector in vectors {
        while vector != 0 {
            let slot = &mut leading[vector.ilog2() as usize];
            if *slot == 0 {
                *slot = vector;
                rank += 1;
                break;
            }
            vector ^= *slot;
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(space: &Space) -> Vec<u32> {
        let mut all = vec![0];
        for &vector in &space.basis {
            all.extend(all.clone().into_iter().map(|other| other ^ vector));
        }
        all.sort_unstable();
        all
    }

    /// Every pair of spans of three vectors of four bits.
    #[test]
    fn sums_and_intersections_are_those_of_the_elements() {
        for seed in 0..1u32 << 12 {
            let (a, b) = (Space::span([seed & 15, seed >> 4 & 15]), Space::span([seed >> 8, seed >> 6 & 15]));
            let (in_a, in_b) = (elements(&a), elements(&b));
            let common: Vec<u32> = in_a.iter().copied().filter(|vector| in_b.contains(vector)).collect();
            assert_eq!(elements(&a.intersection(&b)), common);
            let sum = elements(&a.sum(&b));
            assert!(in_a.iter().chain(&in_b).all(|vector| sum.contains(vector)));
            assert_eq!(a.dim() + b.dim(), a.sum(&b).dim() + a.intersection(&b).dim());
            assert_eq!(rank(in_a.into_iter().chain(in_b)) as usize, a.sum(&b).dim());
        }
    }
}
