//! Results for people.

use tile_run::cuda::Chip;

use crate::copy_row::Row;
use crate::measure::{least, median, rate};
use crate::programs::BUFFER;
use tile_run::say;

/// Says what is measured, and names the columns.
pub fn head(chip: &Chip, runs: u32, warmups: u32) {
    let ((major, minor), (x, y)) = (chip.capability, chip.driver);
    say!("{}, sm_{major}{minor}, {} multiprocessors, driver for CUDA {x}.{y}", chip.name, chip.multiprocessors);
    say!(
        "{} MiB to another {} MiB; median of {runs} after {warmups}, in turns with cuMemcpyDtoDAsync; GB/s count bytes \
         read and written",
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

/// One kernel's line.
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
