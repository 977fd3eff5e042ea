//! Measured times of schedules, one in a line of a file; and the schedules that are worth measuring.

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

/// A schedule of a product that a program has, which is worth measuring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProductCandidate {
    /// The function that the product is in.
    pub function: String,
    /// The product's place in its file, as `product.mlir:4:10`.
    pub place: String,
    /// The chip: `sm_90a`.
    pub chip: String,
    /// Rows, columns and depths of the product.
    pub size: [i64; 3],
    /// The elements of the factors and of the sums.
    pub elements: [String; 3],
    /// The schedule, as programs write it.
    pub schedule: String,
    /// The estimated time, in microseconds.
    pub estimate: f64,
}

impl ProductRecord {
    /// The records of a file, of which each line that is not blank has one.
    ///
    /// # Errors
    /// The number of the first line that `parse` refuses, counted from 1, and its error.
    pub fn of_lines<E>(text: &str, parse: impl Fn(&str) -> Result<Self, E>) -> Result<Vec<Self>, (usize, E)> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        lines.map(|(line, number)| parse(line).map_err(|error| (number, error))).collect()
    }

    /// Adds a record, in place of one of the same product and schedule on the same GPU.
    pub fn replace(self, all: &mut Vec<ProductRecord>) {
        let is_same = |record: &ProductRecord| {
            (&record.chip, &record.gpu, record.size, &record.elements, &record.schedule)
                == (&self.chip, &self.gpu, self.size, &self.elements, &self.schedule)
        };
        match all.iter().position(is_same) {
            Some(place) => all[place] = self,
            None => all.push(self),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(gpu: &str, schedule: &str, measured: f64) -> ProductRecord {
        ProductRecord {
            chip: "sm_90a".to_owned(),
            gpu: gpu.to_owned(),
            driver: "13.0".to_owned(),
            date: "2026-11-30".to_owned(),
            size: [64; 3],
            elements: ["f16", "f16", "f32"].map(str::to_owned),
            schedule: schedule.to_owned(),
            estimate: 2.0,
            measured,
        }
    }

    #[test]
    fn a_record_replaces_that_of_the_same_schedule_on_the_same_gpu() {
        let mut all = vec![record("one", "a", 3.0), record("one", "b", 4.0)];
        record("one", "b", 2.5).replace(&mut all);
        record("two", "b", 9.0).replace(&mut all);
        assert_eq!(all, [record("one", "a", 3.0), record("one", "b", 2.5), record("two", "b", 9.0)]);
        let best = |size| ProductRecord::best(&all, "sm_90a", size, ["f16", "f16", "f32"]).map(|best| best.measured);
        assert_eq!((best([64; 3]), best([32; 3])), (Some(2.5), None));
    }
}
