//! Bounds of run-time begins against every value.

use proptest::prelude::*;
use tile_plan::bounds::{Bounds, KnownBegin, bounds};

fn inside(value: i64, size: i64, limit: i64) -> bool {
    value >= 0 && value + size <= limit
}

proptest! {
    #[test]
    fn decided_exactly(
        (least, more) in (-20i64..40, 0i64..40),
        (divisor, residue) in (1i64..9).prop_flat_map(|divisor| (Just(divisor), 0..divisor)),
        (size, more_limit) in (1i64..10, 0i64..30),
    ) {
        let limit = size + more_limit;
        let begin = KnownBegin { range: (least, least + more), divisor, residue, ..KnownBegin::ANY };
        let values: Vec<i64> = (least..=least + more).filter(|value| value.rem_euclid(divisor) == residue).collect();
        let within = values.iter().filter(|&&value| inside(value, size, limit)).count();
        let expected = match within {
            // Of no value nothing is said.
            _ if values.is_empty() => Bounds::UpTo(limit - size),
            // All are below 0 or all are above: some of both are not proved to be outside.
            0 if values[0] >= 0 || values[values.len() - 1] < 0 => Bounds::Outside {
                begin: (values[0], values[values.len() - 1]),
                thread: None,
                most: limit - size,
            },
            count if count == values.len() => Bounds::Inside,
            _ => Bounds::UpTo(limit - size),
        };
        prop_assert_eq!(bounds(&begin, size, limit), expected);
        let threads = Some((0..).zip(values.iter().copied()).collect());
        let each = bounds(&KnownBegin { threads, ..begin }, size, limit);
        prop_assert_eq!(each == Bounds::Inside, within == values.len());
    }

    #[test]
    fn has_an_answer_to_everything(
        range in (any::<i64>(), any::<i64>()),
        (divisor, residue) in (any::<i64>(), any::<i64>()),
        (size, limit) in (any::<i64>(), any::<i64>()),
    ) {
        let residue = if divisor > 0 { residue.rem_euclid(divisor) } else { 0 };
        let begin = KnownBegin { threads: None, range, divisor, residue };
        let text = bounds(&begin, size, limit).to_string();
        prop_assert!(text.contains("bounds") || text.contains("expected 0 to"), "{}", text);
    }
}

#[test]
fn names_the_thread() {
    let threads = Some(vec![(0, 0), (1, 16), (2, 32)]);
    let found = bounds(&KnownBegin { threads, ..KnownBegin::ANY }, 16, 40);
    assert_eq!(found.to_string(), "begins at 32 in thread 2 of the block, expected 0 to 24");
    let below = bounds(&KnownBegin { range: (-5, -5), ..KnownBegin::ANY }, 16, 40);
    assert_eq!(below.to_string(), "begins at -5, expected 0 to 24");
    assert_eq!(bounds(&KnownBegin::ANY, 16, 40), Bounds::UpTo(24));
}
