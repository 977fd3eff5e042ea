//! `tile-bench copy`: each program's copy of 1 GiB, next to the driver's.

use anyhow::{Context, Result, ensure};
use tile_run::cuda::{Chip, Gpu, Kernel};
use tile_run::random::Random;

use crate::Common;
use crate::clock::Clock;
use crate::copy_row::{self, Row};
use crate::measure::Buffers;
use crate::programs::{self, ALL, BUFFER, THREADS};
use tile_run::say;

/// Measures all programs, printing each result immediately; `false` if a copy is wrong.
pub fn all(options: &Common) -> Result<bool> {
    let texts = ALL.iter().map(|program| programs::read(&options.ptx, program)).collect::<Result<Vec<_>>>()?;
    let chosen = |kernel: &&programs::Kernel| kernel.name.contains(&options.only);
    ensure!(ALL.iter().flat_map(|p| p.kernels).any(|k| chosen(&k)), "no kernel has `{}` in its name", options.only);
    let mut bench = Bench::new(options)?;
    copy_row::head(&bench.gpu.chip()?, options.runs, options.warmups);
    let mut rows = Vec::new();
    for (program, ptx) in ALL.iter().zip(&texts) {
        let module = bench.gpu.load(ptx).with_context(|| program.name.to_string())?;
        for kernel in program.kernels.iter().filter(chosen) {
            let row = bench.measure(kernel, &module.kernel(kernel.name)?).with_context(|| kernel.name.to_string())?;
            copy_row::row(&row);
            rows.push(row);
        }
    }
    finish(options, &bench.gpu.chip()?, &rows)
}

/// The state that all measurements share.
struct Bench<'a> {
    options: &'a Common,
    gpu: Gpu,
    clock: Clock,
    buffers: Buffers,
}

impl<'a> Bench<'a> {
    fn new(options: &'a Common) -> Result<Self> {
        let gpu = Gpu::open(options.device)?;
        let (clock, buffers) = (Clock::new(&gpu)?, Buffers::new(&gpu, random_bytes(BUFFER))?);
        Ok(Self { options, gpu, clock, buffers })
    }

    fn measure(&mut self, kernel: &programs::Kernel, loaded: &Kernel) -> Result<Row> {
        let (blocks, Common { warmups, runs, .. }) = (kernel.blocks(), self.options);
        Ok(Row {
            name: kernel.name,
            tile: kernel.tile,
            wrong: self.buffers.verify(loaded, blocks)?,
            times: self.buffers.time(&self.gpu, loaded, blocks, *warmups, *runs)?,
            clock: self.clock.megahertz()?,
            resources: loaded.resources(THREADS)?,
        })
    }
}

fn finish(options: &Common, chip: &Chip, rows: &[Row]) -> Result<bool> {
    if let Some(file) = &options.csv {
        std::fs::write(file, copy_row::text(chip, rows)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let wrong = rows.iter().filter(|r| r.wrong.is_some()).count();
    say!("{} of {} kernels copied every byte", rows.len() - wrong, rows.len());
    Ok(wrong == 0)
}

fn random_bytes(count: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let mut bytes = vec![0; count];
    bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random.bits().to_le_bytes()[..chunk.len()]));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_are_as_many_as_asked_for() {
        let bytes = random_bytes(1021);
        assert_eq!(bytes.len(), 1021);
        assert!((0..=255u8).filter(|b| bytes.contains(b)).count() > 200);
    }
}
