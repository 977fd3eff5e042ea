//! Measured times of schedules, one in a line of a file.

use serde::{Deserialize, Serialize};

/// What a product took by one schedule on one GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProductRecord {
    /// The chip that the kernel was compiled for: `sm_90a`.
    pub chip: String,
    /// The name of the GPU.
    pub gpu: String,
    /// The CUDA version of its driver.
    pub driver: String,
    /// The day, as `2026-11-30`.
    pub date: String,
    /// Rows, columns and depths of the product.
    pub size: [i64; 3],
    /// The elements of the factors and of the sums.
    pub elements: [String; 3],
    /// The schedule, as programs write it.
    pub schedule: String,
    /// The estimated time, in microseconds.
    pub estimate: f64,
    /// The measured time, in microseconds.
    pub measured: f64,
}

impl ProductRecord {
    /// The fastest record of a product on a chip.
    pub fn best<'a>(
        all: &'a [ProductRecord],
        chip: &str,
        size: [i64; 3],
        elements: [&str; 3],
    ) -> Option<&'a ProductRecord> {
        let is_same = |record: &&ProductRecord| {
            record.chip == chip && record.size == size && record.elements.each_ref().map(String::as_str) == elements
        };
        all.iter().filter(is_same).min_by(|one, other| one.measured.total_cmp(&other.measured))
    }
}
