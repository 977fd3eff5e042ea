//! Results of scans.

use tile_bench::length::Length;
use tile_run::say;

use crate::measure::{least, median};

/// One scan of one length.
pub struct Row {
    /// The scan.
    pub name: &'static str,
    /// The number of elements.
    pub length: Length,
    /// Whether the L2 was flushed before.
    pub cold: bool,
    /// Bytes read and written.
    pub bytes: usize,
    /// Milliseconds of the driver's copy.
    pub driver: Vec<f32>,
    /// Milliseconds of the scan.
    pub ours: Vec<f32>,
    /// Registers of a thread.
    pub registers: i32,
    /// Bytes of local memory of a thread.
    pub local: i32,
    /// The first wrong element, if any.
    pub wrong: Option<usize>,
}

/// Prints the names of the columns.
pub fn head() {
    say!(
        "{:24} {:>8} {:>5} {:>9} {:>9} {:>8} {:>9} {:>9} {:>5}  check",
        "scan",
        "n",
        "",
        "ms",
        "least ms",
        "GB/s",
        "memcpy ms",
        "% memcpy",
        "regs"
    );
}

/// The header line of the CSV file.
pub const HEAD: &str =
    "scan,n,cache,median_ms,least_ms,gb_per_s,memcpy_median_ms,percent_of_memcpy,registers,local_bytes,check\n";

impl Row {
    fn cells(&self) -> [String; 8] {
        let (ours, driver) = (median(&self.ours), median(&self.driver));
        [
            self.length.to_string(),
            if self.cold { "cold" } else { "warm" }.to_owned(),
            format!("{ours:.4}"),
            format!("{:.4}", least(&self.ours)),
            format!("{:.1}", self.bytes as f64 / ours / 1e6),
            format!("{driver:.4}"),
            format!("{:.1}", 100.0 * driver / ours),
            self.registers.to_string(),
        ]
    }

    fn check(&self) -> String {
        self.wrong.map_or_else(|| "ok".to_owned(), |at| format!("WRONG from element {at}"))
    }

    /// Prints the row.
    pub fn print(&self) {
        let [length, cache, ours, least, rate, driver, percent, registers] = self.cells();
        let (name, check) = (self.name, self.check());
        say!(
            "{name:24} {length:>8} {cache:>5} {ours:>9} {least:>9} {rate:>8} {driver:>9} {percent:>9} {registers:>5}  {check}"
        );
    }

    /// The row as a line of the CSV file.
    pub fn line(&self) -> String {
        format!("{},{},{},{}\n", self.name, self.cells().join(","), self.local, self.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_cell_for_each_name() {
        let row = Row {
            name: "scan_i32",
            length: Length(1 << 28),
            cold: false,
            bytes: 1 << 31,
            driver: vec![0.5],
            ours: vec![0.52, 0.51, 0.53],
            registers: 126,
            local: 0,
            wrong: Some(3),
        };
        assert_eq!(row.line().split(',').count(), HEAD.split(',').count());
        assert_eq!(row.line(), "scan_i32,2^28,warm,0.5200,0.5100,4129.8,0.5000,96.2,126,0,WRONG from element 3\n");
    }
}
