//! The other compiler's decision: its map, and its instructions.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The values of a case's variables.
pub(crate) type Vars = BTreeMap<String, i64>;

/// The decision.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Recorded {
    #[serde(default)]
    pub rejected: bool,
    #[serde(default)]
    pub reason_class: String,
    pub verdict: Option<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub instructions: i64,
    pub tensormap: Option<RecordedMap>,
    #[serde(default)]
    coords: Vec<Vec<Value>>,
    #[serde(default)]
    smem_offsets: Vec<Value>,
    issue: Option<RecordedIssue>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordedMap {
    #[serde(rename = "cu_dtype")]
    pub element: String,
    pub global_dim: Vec<Value>,
    pub global_strides: Vec<Value>,
    pub box_dim: Vec<i64>,
    pub swizzle: u32,
    pub l2promotion: u32,
    pub oob_fill: u32,
    #[serde(rename = "base_byte_offset")]
    pub base: Value,
}

#[derive(Clone, Debug, Deserialize)]
struct RecordedIssue {
    #[serde(default)]
    digits: Vec<(i64, i64, Vec<i64>)>,
    #[serde(default)]
    explicit: Vec<(Vec<i64>, i64)>,
}

/// Coordinates of a box, and its place in shared memory in elements.
pub(crate) type Box = (Vec<i64>, i64);

impl Recorded {
    /// All instructions.
    pub(crate) fn boxes(&self, vars: &Vars) -> Option<Vec<Box>> {
        let first = |(at, offset): (&Vec<Value>, &Value)| {
            let at = at.iter().map(|value| evaluate(value, vars)).collect::<Option<Vec<_>>>()?;
            Some((at, evaluate(offset, vars)?))
        };
        let all: Option<Vec<Box>> = self.coords.iter().zip(&self.smem_offsets).map(first).collect();
        let Some(issue) = &self.issue else { return all };
        if !issue.explicit.is_empty() {
            return Some(issue.explicit.clone());
        }
        let mut boxes = vec![all?.first()?.clone()];
        for (count, step, steps) in &issue.digits {
            let moved = |(at, offset): &Box, turn: i64| {
                let at = at.iter().zip(steps).map(|(at, step)| at + turn * step).collect();
                (at, offset + turn * step)
            };
            boxes = boxes.iter().flat_map(|first| (0..*count).map(move |turn| moved(first, turn))).collect();
        }
        Some(boxes)
    }
}

/// The number that a value is: a number, or a product of a variable and a number.
pub(crate) fn evaluate(value: &Value, vars: &Vars) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    value
        .as_str()?
        .split('*')
        .map(str::trim)
        .try_fold(1, |product, part| Some(product * part.parse().ok().or_else(|| vars.get(part).copied())?))
}

/// The number that divides an expression for sure.
pub(crate) fn factor(value: &Value) -> i64 {
    let parts = value.as_str().unwrap_or_default().split('*');
    parts.filter_map(|part| part.trim().parse::<i64>().ok()).product()
}
