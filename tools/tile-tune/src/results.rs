//! Which candidates of a product have the same results: most of them are right.

use std::fmt;

use tile_run::element::Element;

/// What a candidate has written: the number of an argument, its elements' type, and its memory.
pub type Written = Vec<(usize, Element, Vec<u8>)>;

/// Results of several candidates.
#[derive(Debug, Default)]
pub struct CandidateResults {
    /// Those that differ from each other, and the candidates that have them.
    different: Vec<(Written, Vec<usize>)>,
}

/// An element in which a candidate differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The number of the argument.
    argument: usize,
    /// The place in its memory, in elements.
    element: usize,
    got: f64,
    expected: f64,
    /// How many differ.
    count: usize,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deviation { argument, element, got, expected, count } = self;
        write!(
            f,
            "{count} elements of argument {argument} differ from those of most others, the first at {element}: got {got}, expected {expected}"
        )
    }
}

impl CandidateResults {
    /// Adds what a candidate has written.
    pub fn add(&mut self, candidate: usize, written: Written, depths: i64) {
        match self.different.iter_mut().find(|(known, _)| deviation(&written, known, depths).is_none()) {
            Some((_, candidates)) => candidates.push(candidate),
            None => self.different.push((written, vec![candidate])),
        }
    }

    /// The candidates whose results differ from those that most have, each with the first element; of as many, the first have it.
    pub fn deviating(&self, depths: i64) -> Vec<(usize, Deviation)> {
        let most = self.different.iter().map(|(_, candidates)| candidates.len()).max().unwrap_or_default();
        let Some((right, _)) = self.different.iter().find(|(_, candidates)| candidates.len() == most) else {
            return Vec::new();
        };
        let differing =
            self.different.iter().filter_map(|(written, all)| Some((deviation(written, right, depths)?, all)));
        differing
            .flat_map(|(deviation, all)| all.iter().map(move |candidate| (*candidate, deviation.clone())))
            .collect()
    }
}

/// How far an element may be off: of its size, and whatever that is. Sums of so many products of normally distributed numbers have
/// the root of it as their deviation, and differ by their order; results are rounded to their type.
fn tolerance(element: Element, depths: i64) -> [f64; 2] {
    let relative = match element.bytes {
        1 => 0.25,
        2 => 1.0 / 64.0,
        _ => 1.0 / 1024.0,
    };
    if element.is_integer() { [0.0; 2] } else { [relative, (depths as f64).sqrt() / 128.0] }
}

/// The first element in which results differ, if any does.
fn deviation(got: &Written, expected: &Written, depths: i64) -> Option<Deviation> {
    let places = |written: &Written| written.iter().map(|(argument, ..)| *argument).collect::<Vec<_>>();
    if places(got) != places(expected) {
        let argument = places(got).into_iter().chain(places(expected)).min()?;
        return Some(Deviation { argument, element: 0, got: f64::NAN, expected: f64::NAN, count: 0 });
    }
    got.iter().zip(expected).find_map(|((argument, element, got), (_, _, expected))| {
        let (count, first) = differing(*element, got, expected, tolerance(*element, depths))?;
        let at = |bytes: &[u8]| element.number(element.bits(&bytes[first * element.bytes..]));
        Some(Deviation { argument: *argument, element: first, got: at(got), expected: at(expected), count })
    })
}

/// How many elements differ, and the first.
fn differing(element: Element, got: &[u8], expected: &[u8], tolerance: [f64; 2]) -> Option<(usize, usize)> {
    if got == expected {
        return None;
    }
    // Formats of few bits are decoded by a table: a result may have millions of elements.
    let table: Vec<f64> =
        if element.bytes <= 2 { (0..=element.mask()).map(|bits| element.number(bits)).collect() } else { Vec::new() };
    let number = |bytes: &[u8]| {
        let bits = element.bits(bytes);
        table.get(bits as usize).copied().unwrap_or_else(|| element.number(bits))
    };
    let [relative, absolute] = tolerance;
    let is_same = |got: f64, expected: f64| {
        got == expected
            || got.is_nan() && expected.is_nan()
            || (got - expected).abs() <= absolute + relative * expected.abs()
    };
    let pairs = got.chunks_exact(element.bytes).zip(expected.chunks_exact(element.bytes)).enumerate();
    let mut wrong = pairs.filter(|(_, (got, expected))| got != expected && !is_same(number(got), number(expected)));
    let (first, _) = wrong.next()?;
    Some((1 + wrong.count(), first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(numbers: [f32; 3]) -> Written {
        vec![(2, "f32".parse().unwrap(), numbers.map(f32::to_le_bytes).concat())]
    }

    #[test]
    fn what_most_have_is_right() {
        let mut results = CandidateResults::default();
        for (candidate, last) in [(0, 9.0), (1, 3.0), (3, 3.001)] {
            results.add(candidate, floats([1.0, -2.0, last]), 64);
        }
        let [(0, deviation)] = &results.deviating(64)[..] else { panic!("one deviates") };
        assert_eq!(
            deviation.to_string(),
            "1 elements of argument 2 differ from those of most others, the first at 2: got 9, expected 3"
        );
        results.add(4, Vec::new(), 64);
        assert_eq!(results.deviating(64).iter().map(|(candidate, _)| *candidate).collect::<Vec<_>>(), [0, 4]);
    }

    #[test]
    fn integers_are_exact_and_nan_is_nan() {
        let numbers = |name: &str, numbers: &[u8]| vec![(0, name.parse().unwrap(), numbers.to_vec())];
        assert_eq!(deviation(&numbers("i8", &[1, 2]), &numbers("i8", &[1, 2]), 4), None);
        assert!(deviation(&numbers("i8", &[1, 3]), &numbers("i8", &[1, 2]), 1 << 20).is_some());
        let nan = floats([f32::NAN, -f32::NAN, 1.0]);
        assert_eq!(deviation(&nan, &floats([-f32::NAN, f32::NAN, 1.0]), 1), None);
        assert!(deviation(&nan, &floats([1.0; 3]), 1 << 20).is_some());
        assert!(deviation(&floats([f32::INFINITY, 0.0, 0.0]), &floats([0.0; 3]), 1).is_some());
    }
}
