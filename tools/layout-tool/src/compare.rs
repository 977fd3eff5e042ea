//! Whether two layouts hold the same elements at the same places.

use tile_layout::{Layout, LayoutError, Location};

use crate::described::Described;
use crate::error::ToolError;

/// The most elements that are compared.
pub const MAX_ELEMENTS: i64 = 1 << 22;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every element is at the same place.
    Equal,
    /// The tiles are different.
    Shapes(Vec<i64>, Vec<i64>),
    /// The first element that is at different places, by its coordinates, and both places.
    Differ(Vec<i64>, String, String),
    /// The first copies are the same, and others are not.
    Replicas,
}

/// Compares two layouts element by element.
///
/// # Errors
/// More elements than anybody waits for.
pub fn compare(a: &Described, b: &Described) -> Result<Comparison, ToolError> {
    if a.shape != b.shape {
        return Ok(Comparison::Shapes(a.shape.clone(), b.shape.clone()));
    }
    if a.layout.size() > MAX_ELEMENTS {
        return Err(ToolError::Refused(format!(
            "got {} elements to compare, expected at most {MAX_ELEMENTS}",
            a.layout.size()
        )));
    }
    let canonical = |layout: &Layout| layout.canonicalize(tile_layout::Fusion::None);
    for element in 0..a.layout.size() {
        let at = coordinates(&a.shape, element);
        let [left, right] = [a, b].map(|side| located(&side.layout, &at, &side.shape));
        let (left, right) = (left?, right?);
        if without_zeros(&left) != without_zeros(&right) {
            return Ok(Comparison::Differ(at, place(&left), place(&right)));
        }
    }
    let same = canonical(&a.layout).replica == canonical(&b.layout).replica;
    Ok(if same { Comparison::Equal } else { Comparison::Replicas })
}

/// The coordinates of an element by its row-major number.
pub fn coordinates(shape: &[i64], element: i64) -> Vec<i64> {
    let mut rest = element;
    let mut at: Vec<i64> = shape
        .iter()
        .rev()
        .map(|extent| {
            let digit = rest % extent;
            rest /= extent;
            digit
        })
        .collect();
    at.reverse();
    at
}

/// The place of an element.
///
/// # Errors
/// A layout of another shape.
pub fn located(layout: &Layout, at: &[i64], shape: &[i64]) -> Result<Location<i64>, ToolError> {
    let of_layout = |error: LayoutError| ToolError::Layout { text: layout.to_string(), error };
    layout.apply(at, shape).map_err(of_layout)
}

fn without_zeros(location: &Location<i64>) -> Location<i64> {
    location.iter().filter(|(_, value)| **value != 0).map(|(axis, value)| (*axis, *value)).collect()
}

/// `address 72`, `laneid 3, register 1`.
fn place(location: &Location<i64>) -> String {
    let is_memory = location.keys().all(|axis| !axis.is_thread());
    let one = |(axis, value): (&tile_layout::Axis, &i64)| match axis {
        tile_layout::Axis::Memory if is_memory => format!("address {value}"),
        tile_layout::Axis::Memory => format!("register {value}"),
        axis => format!("{axis} {value}"),
    };
    location.iter().rev().map(one).collect::<Vec<_>>().join(", ")
}
