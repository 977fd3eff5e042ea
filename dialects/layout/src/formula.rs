//! Formulas that are recorded once, and then evaluated for many numbers.
//!
//! An address formula looks at a layout, groups and fuses its iters, and only then computes. For thousands of threads and
//! rounds, all of that is the same but the computation:
//!
//! ```text
//!   record     locate(i, j)            ->   v0 = i * 4    v1 = j / 2    v2 = v0 + v1
//!   evaluate   (3, 5), (3, 6), …       ->   14, 15, …
//! ```

use crate::{Eval, IndexArith};

/// A number of a formula that is recorded: the index of where it is kept, and its value where no input changes it.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    at: usize,
    known: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
enum Sign {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Xor,
    And,
    Shl,
    Shr,
}

/// Records what is computed. Numbers that no input changes are computed at once.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// What every number is before the first step: inputs, constants, and results of steps.
    numbers: Vec<i64>,
    /// The sign, the two operands and the result of each step.
    steps: Vec<(Sign, [usize; 2], usize)>,
}

impl Recorder {
    /// Several constants.
    pub fn constants(&mut self, values: &[i64]) -> Vec<Recorded> {
        values.iter().map(|&value| self.constant(value)).collect()
    }

    fn kept(&mut self, value: i64) -> usize {
        self.numbers.push(value);
        self.numbers.len() - 1
    }

    fn step(&mut self, sign: Sign, a: Recorded, b: Recorded) -> Recorded {
        if let Some((a, b)) = a.known.zip(b.known) {
            return self.constant(computed(sign, a, b));
        }
        let (sign, b) = match (sign, b.known.filter(|&b| b > 0 && b.count_ones() == 1)) {
            // Rounded down, as shifts are.
            (Sign::Div, Some(power)) => (Sign::Shr, self.constant(i64::from(power.ilog2()))),
            (Sign::Rem, Some(power)) => (Sign::And, self.constant(power - 1)),
            _ => (sign, b),
        };
        let at = self.kept(0);
        self.steps.push((sign, [a.at, b.at], at));
        Recorded { at, known: None }
    }
}

fn computed(sign: Sign, a: i64, b: i64) -> i64 {
    match sign {
        Sign::Add => Eval.add(a, b),
        Sign::Sub => Eval.sub(a, b),
        Sign::Mul => Eval.mul(a, b),
        Sign::Div => Eval.div(a, b),
        Sign::Rem => Eval.rem(a, b),
        Sign::Xor => Eval.xor(a, b),
        Sign::And => Eval.and(a, b),
        Sign::Shl => Eval.shl(a, b),
        Sign::Shr => Eval.shr(a, b),
    }
}

/// As [`computed`], of each pair of numbers.
fn compute_all(sign: Sign, [a, b]: [&[i64]; 2], results: &mut [i64]) {
    match sign {
        Sign::Add => each(a, b, results, |a, b| Eval.add(a, b)),
        Sign::Sub => each(a, b, results, |a, b| Eval.sub(a, b)),
        Sign::Mul => each(a, b, results, |a, b| Eval.mul(a, b)),
        Sign::Div => each(a, b, results, |a, b| Eval.div(a, b)),
        Sign::Rem => each(a, b, results, |a, b| Eval.rem(a, b)),
        Sign::Xor => each(a, b, results, |a, b| Eval.xor(a, b)),
        Sign::And => each(a, b, results, |a, b| Eval.and(a, b)),
        Sign::Shl => each(a, b, results, |a, b| Eval.shl(a, b)),
        Sign::Shr => each(a, b, results, |a, b| Eval.shr(a, b)),
    }
}

fn each(a: &[i64], b: &[i64], results: &mut [i64], compute: impl Fn(i64, i64) -> i64) {
    for (result, (&a, &b)) in results.iter_mut().zip(a.iter().zip(b)) {
        *result = compute(a, b);
    }
}

impl IndexArith for Recorder {
    type Value = Recorded;

    fn constant(&mut self, value: i64) -> Recorded {
        Recorded { at: self.kept(value), known: Some(value) }
    }

    fn is_constant(&self, a: &Recorded) -> bool {
        a.known.is_some()
    }

    fn add(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Add, a, b)
    }

    fn sub(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Sub, a, b)
    }

    fn mul(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Mul, a, b)
    }

    fn div(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Div, a, b)
    }

    fn rem(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Rem, a, b)
    }

    fn xor(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Xor, a, b)
    }

    fn and(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::And, a, b)
    }

    fn shl(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Shl, a, b)
    }

    fn shr(&mut self, a: Recorded, b: Recorded) -> Recorded {
        self.step(Sign::Shr, a, b)
    }
}

/// A recorded formula of `N` numbers. Its results are those of the same formula over [`Eval`].
#[derive(Clone, Debug)]
pub struct Formula<const N: usize> {
    recorder: Recorder,
    results: Vec<usize>,
    /// The numbers of the recorder for several inputs, `width` of each.
    columns: Vec<i64>,
    width: usize,
}

impl<const N: usize> Formula<N> {
    /// Records a formula, which may have several results.
    ///
    /// ```
    /// use tile_layout::{Axis, Layout, LayoutError};
    /// use tile_layout::formula::Formula;
    /// let fragment = Layout::parse("(8, 4, 2) : (4@laneid, 1@laneid, 1)")?;
    /// let mut lane = Formula::new(|a, at: [_; 2]| {
    ///     let mut location = fragment.locate(a, &at, &[8, 8])?;
    ///     Ok::<_, LayoutError>(location.remove(&Axis::LaneId).into_iter().collect())
    /// })?;
    /// assert_eq!((lane.value([3, 5]), lane.value([3, 6])), (14, 15));
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// Those of the formula.
    pub fn new<E>(formula: impl FnOnce(&mut Recorder, [Recorded; N]) -> Result<Vec<Recorded>, E>) -> Result<Self, E> {
        let mut recorder = Recorder { numbers: vec![0; N], steps: Vec::new() };
        let inputs = std::array::from_fn(|at| Recorded { at, known: None });
        let results = formula(&mut recorder, inputs)?;
        let results = results.into_iter().map(|result| result.at).collect();
        Ok(Formula { recorder, results, columns: Vec::new(), width: 0 })
    }

    /// The results for some inputs.
    pub fn values(&mut self, inputs: [i64; N]) -> impl Iterator<Item = i64> {
        let Recorder { numbers, steps } = &mut self.recorder;
        numbers[..N].copy_from_slice(&inputs);
        for &(sign, [a, b], at) in &*steps {
            numbers[at] = computed(sign, numbers[a], numbers[b]);
        }
        self.results.iter().map(|&at| numbers[at])
    }

    /// The first result for some inputs; 0 where there is none.
    pub fn value(&mut self, inputs: [i64; N]) -> i64 {
        self.values(inputs).next().unwrap_or(0)
    }

    /// As [`Formula::value`] for each of several inputs, step by step for all of them: faster than one after the other.
    pub fn column(&mut self, inputs: &[[i64; N]]) -> &[i64] {
        if self.width != inputs.len() || self.columns.is_empty() {
            self.width = inputs.len();
            self.columns.clear();
            self.columns.extend(self.recorder.numbers.iter().flat_map(|&number| vec![number; inputs.len()]));
            self.columns.resize(self.columns.len() + self.width, 0);
        }
        for (place, input) in inputs.iter().enumerate() {
            input.iter().enumerate().for_each(|(number, value)| self.columns[number * self.width + place] = *value);
        }
        for &(sign, operands, at) in &self.recorder.steps {
            // A result is kept behind what it is computed from.
            let (known, rest) = self.columns.split_at_mut(at * self.width);
            let operands = operands.map(|at| &known[at * self.width..(at + 1) * self.width]);
            compute_all(sign, operands, &mut rest[..self.width]);
        }
        // Behind the numbers are zeros, for a formula without results.
        let at = self.results.first().copied().unwrap_or(self.recorder.numbers.len());
        &self.columns[at * self.width..(at + 1) * self.width]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A formula in which every sign has operands that are inputs, results and constants.
    fn every_sign<A: IndexArith>(a: &mut A, [x, y]: [A::Value; 2], signs: &[u8]) -> Vec<A::Value> {
        let mut all = vec![x, y, a.constant(5), a.constant(-3), a.constant(2)];
        for (number, &sign) in signs.iter().enumerate() {
            let one = all[number * 7 % all.len()].clone();
            let other = all[(number * 3 + usize::from(sign)) % all.len()].clone();
            all.push(match sign % 12 {
                0 => a.add(one, other),
                1 => a.sub(one, other),
                2 => a.mul(one, other),
                3 => a.div(one, other),
                4 => a.rem(one, other),
                5 => a.xor(one, other),
                6 => a.and(one, other),
                7 => a.shl(one, other),
                8 => a.shr(one, other),
                9 => a.scale(one, i64::from(sign / 12)),
                10 => a.floor_div(one, i64::from(sign / 12)),
                _ => a.sum(vec![one, other], i64::from(sign / 12)),
            });
        }
        all
    }

    proptest! {
        #[test]
        fn what_is_recorded_is_what_is_evaluated(
            signs in prop::collection::vec(any::<u8>(), 1..24),
            inputs in prop::collection::vec((-40i64..40, any::<i64>()), 1..8),
        ) {
            let record = |a: &mut Recorder, at| Ok::<_, ()>(every_sign(a, at, &signs));
            let mut formula = Formula::new(record).unwrap();
            let rows: Vec<[i64; 2]> = inputs.iter().map(|&(x, y)| [x, y]).collect();
            for count in [rows.len(), rows.len() / 2] {
                let alone: Vec<i64> = rows[..count].iter().map(|&row| formula.value(row)).collect();
                prop_assert_eq!(formula.column(&rows[..count]), alone);
            }
            for (x, y) in inputs {
                let expected = every_sign(&mut Eval, [x, y], &signs);
                prop_assert_eq!(formula.value([x, y]), expected[0]);
                prop_assert_eq!(formula.values([x, y]).collect::<Vec<_>>(), expected);
            }
        }
    }
}
