//! The bounds and steps of loops.

use tile_oracle::Rng;

/// The end of the variables of loops of about ten iterations.
pub const LASTING: i64 = 26;

/// The bounds and the step of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The first value of the variable.
    pub first: i64,
    /// The end, exclusive.
    pub end: i64,
    /// The step.
    pub step: i64,
}

impl Bounds {
    /// Random bounds; no iteration's variable plus the step exceeds 64 bits, which `scf.for` does not allow.
    pub fn draw(rng: &mut Rng) -> Self {
        let trips = *rng.one_of(&[0, 0, 1, 1, 2, 3, 4, 5, 7, 8]);
        match rng.below(10) {
            // Near the ends of 64 bits.
            0 => {
                let step = *rng.one_of(&[1, 2, 5]);
                let end = i64::MAX - step - rng.below(3);
                Bounds { first: end - trips * step + rng.below(step), end, step }
            }
            1 => {
                let step = *rng.one_of(&[1, 5]);
                let first = i64::MIN + rng.below(2);
                Bounds { first, end: first + trips * step, step }
            }
            2 => {
                let (step, trips) = (1 << 62, trips.min(3));
                let first = i64::MIN + rng.below(3);
                Bounds {
                    first,
                    end: first.saturating_add(trips.min(1) * (1 << 62)).saturating_add((trips - 1).max(0) << 62),
                    step,
                }
            }
            // A difference of bounds that does not fit 64 bits.
            3 if trips == 0 => Bounds { first: 1 + rng.below(3), end: i64::MIN, step: *rng.one_of(&[1, 3, 1 << 62]) },
            3 => Bounds { first: 0, end: 1 + rng.below(9), step: i64::MAX },
            _ => {
                let (first, step) = (*rng.one_of(&[0, 0, 0, 3, 8, -5]), *rng.one_of(&[1, 1, 2, 5]));
                let end = first + trips * step - if trips > 0 { rng.below(step) } else { *rng.one_of(&[0, 1, 9]) };
                Bounds { first, end, step }
            }
        }
    }

    /// Bounds of a loop of about ten iterations, whose variable stays below [`LASTING`].
    pub fn lasting(rng: &mut Rng) -> Self {
        let (first, step, trips) = (*rng.one_of(&[0, 0, 3]), *rng.one_of(&[1, 1, 2]), *rng.one_of(&[9, 11]));
        Bounds { first, end: first + trips * step - rng.below(step), step }
    }

    /// Whether the variable is a small number that may be the number of a result.
    pub fn is_small(self) -> bool {
        self.first >= 0 && self.end < super::kernel::RESULTS - 10 && self.step < 10
    }
}
