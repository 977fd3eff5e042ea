//! What bodies compute, by a loop over the elements.

use crate::bodies::{Body, Work};
use crate::inputs::encoded;

/// The results of a body: those of each array, and the total.
#[derive(Debug, PartialEq, Eq)]
pub struct Results {
    /// The elements of each array, as bytes.
    pub arrays: Vec<Vec<u8>>,
    /// The number of elements of the first array.
    pub total: i64,
}

/// The results for elements and, where the body takes them, flags or values.
pub fn expected(body: &Body, elements: &[i64], others: &[i64]) -> Results {
    let is_kept = |&(index, &element): &(usize, &i64)| match body.work {
        Work::SelectFlagged => others[index] != 0,
        _ if body.element.starts_with('f') => element > 0,
        _ => element & 1 == 1,
    };
    let numbered = || elements.iter().enumerate();
    let (kept, rest): (Vec<_>, Vec<_>) = numbered().partition(is_kept);
    let values = |list: Vec<(usize, &i64)>| list.into_iter().map(|(_, &element)| element).collect::<Vec<_>>();
    let (kept, rest) = (values(kept), values(rest));
    let lists: Vec<(&str, Vec<i64>)> = match body.work {
        Work::Select | Work::SelectFlagged => vec![(body.element, kept)],
        Work::Partition => vec![(body.element, kept), (body.element, rest)],
        Work::RunLengthEncode => {
            let (keys, lengths) = by_runs(elements, &vec![1; elements.len()]);
            vec![(body.element, keys), ("i32", lengths)]
        }
        Work::ReduceByKey => {
            let (keys, sums) = by_runs(elements, others);
            vec![(body.element, keys), (body.value, sums)]
        }
    };
    let total = lists[0].1.len() as i64;
    Results { arrays: lists.into_iter().map(|(element, list)| encoded(element, &list)).collect(), total }
}

/// The key of each run, and the sum of its values.
fn by_runs(keys: &[i64], values: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for (&key, &value) in keys.iter().zip(values) {
        match runs.last_mut() {
            Some((last, sum)) if *last == key => *sum = sum.wrapping_add(value),
            _ => runs.push((key, value)),
        }
    }
    runs.into_iter().unzip()
}
