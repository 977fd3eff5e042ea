//! Results of copies: the measurements of one, its printed line, and the CSV of all.

use tile_run::cuda::{Chip, Resources};
use tile_run::say;

use crate::measure::{Times, least, median, rate};
use crate::programs::{BUFFER, THREADS};

/// A kernel's results.
#[derive(Debug)]
pub struct Row {
    /// The kernel.
    pub name: &'static str,
    /// Bytes that one block copies.
    pub tile: usize,
    /// The timed runs.
    pub times: Times,
    /// The resources of the kernel as assembled by the driver.
    pub resources: Resources,
    /// The clock rate of the SMs in MHz.
    pub clock: f64,
    /// The first wrong byte, if any.
    pub wrong: Option<usize>,
}

impl Row {
    /// Bytes that the blocks on one SM load before they store: the tiles of all of them.
    pub fn in_flight(&self) -> usize {
        self.tile * usize::try_from(self.resources.resident).unwrap_or(0)
    }
}

/// Prints what is measured, and the names of the columns.
pub fn head(chip: &Chip, runs: u32, warmups: u32) {
    let ((major, minor), (x, y)) = (chip.capability, chip.driver);
    say!("{}, sm_{major}{minor}, {} SMs, driver for CUDA {x}.{y}", chip.name, chip.sm_count);
    say!(
        "{} MiB to another {} MiB; median of {runs} after {warmups}, alternating with cuMemcpyDtoDAsync; GB/s count \
         bytes read and written",
        BUFFER >> 20,
        BUFFER >> 20
    );
    say!(
        "{:18} {:>5} {:>9} {:>9} {:>7} {:>7} {:>9} {:>5} {:>6} {:>7} {:>6}  check",
        "kernel",
        "tile",
        "ms",
        "least ms",
        "GB/s",
        "memcpy",
        "% memcpy",
        "regs",
        "blocks",
        "KiB/SM",
        "MHz"
    );
}

/// Prints one kernel's line.
pub fn row(row: &Row) {
    let (ours, driver) = (median(&row.times.ours), median(&row.times.driver));
    let check = row.wrong.map_or_else(|| "ok".into(), |at| format!("WRONG from byte {at}"));
    say!(
        "{:18} {:>5} {ours:>9.4} {:>9.4} {:>7.1} {:>7.1} {:>9.1} {:>5} {:>6} {:>7} {:>6.0}  {check}",
        row.name,
        row.tile,
        least(&row.times.ours),
        rate(ours),
        rate(driver),
        100.0 * driver / ours,
        row.resources.registers,
        row.resources.resident,
        row.in_flight() / 1024,
        row.clock,
    );
}

const HEAD: &str = "kernel,tile_bytes,threads,buffer_bytes,median_ms,least_ms,gb_per_s,memcpy_median_ms,memcpy_least_ms,\
                    memcpy_gb_per_s,percent_of_memcpy,registers,local_bytes,shared_bytes,blocks_per_sm,\
                    bytes_in_flight_per_sm,sm_mhz,check,device,capability,driver";

/// A head line and one line for each kernel.
pub fn text(chip: &Chip, rows: &[Row]) -> String {
    let lines = rows.iter().map(|row| line(chip, row));
    std::iter::once(HEAD.to_string()).chain(lines).map(|l| l + "\n").collect()
}

fn line(chip: &Chip, row: &Row) -> String {
    let (ours, driver) = (median(&row.times.ours), median(&row.times.driver));
    let (least_ours, least_driver) = (least(&row.times.ours), least(&row.times.driver));
    let resources = &row.resources;
    let cells = [
        row.name.into(),
        row.tile.to_string(),
        THREADS.to_string(),
        BUFFER.to_string(),
        format!("{ours:.6}"),
        format!("{least_ours:.6}"),
        format!("{:.1}", rate(ours)),
        format!("{driver:.6}"),
        format!("{least_driver:.6}"),
        format!("{:.1}", rate(driver)),
        format!("{:.2}", 100.0 * driver / ours),
        resources.registers.to_string(),
        resources.local.to_string(),
        resources.shared.to_string(),
        resources.resident.to_string(),
        row.in_flight().to_string(),
        format!("{:.0}", row.clock),
        row.wrong.map_or("ok".into(), |at| format!("wrong from byte {at}")),
        chip.name.replace(',', " "),
        format!("{}.{}", chip.capability.0, chip.capability.1),
        format!("{}.{}", chip.driver.0, chip.driver.1),
    ];
    cells.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Times;
    use tile_run::cuda::Resources;

    #[test]
    fn every_line_has_a_cell_for_each_name() {
        let chip = Chip { name: "A, B".into(), capability: (9, 0), sm_count: 132, driver: (13, 0) };
        let resources = Resources { registers: 15, local: 0, shared: 4096, resident: 8 };
        let times = Times { driver: vec![0.5], ours: vec![0.505, 0.51, 0.5] };
        let row = Row { name: "k", tile: 4096, times, resources, clock: 1980.4, wrong: None };
        let text = text(&chip, &[row]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].split(',').count(), lines[1].split(',').count());
        assert!(lines[1].starts_with("k,4096,256,1073741824,0.505000,0.500000,4252.4,0.500000,"), "{}", lines[1]);
        assert!(lines[1].ends_with(",99.01,15,0,4096,8,32768,1980,ok,A  B,9.0,13.0"), "{}", lines[1]);
    }
}
