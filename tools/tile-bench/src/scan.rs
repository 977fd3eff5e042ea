//! `tile-bench scan`: scans, next to the driver's copy of the same bytes.

use anyhow::{Context, Result, anyhow, ensure};
use ptx_sim::{Dim3, Launch};
use tile_bench::length::Length;
use tile_bench::values::Values;
use tile_plan::target::Target;
use tile_run::cuda::{Buffer, Gpu, Kernel};

use crate::Common;
use crate::scan_row::{self, Row};
use crate::scans::{ALL, Scan, Start};

/// The scans to measure, and the number of runs.
#[derive(Debug, clap::Args)]
pub struct ScanBenchOptions {
    #[command(flatten)]
    common: Common,
    /// Numbers of elements.
    #[arg(long, value_delimiter = ',', default_value = "2^20,2^24,2^24+3,2^28,2^30")]
    n: Vec<Length>,
    /// The chip of the PTX.
    #[arg(long, default_value = "sm_90a")]
    chip: String,
}

/// Measures all scans, printing and writing each result immediately; `false` if a scan is wrong.
pub fn all(options: &ScanBenchOptions) -> Result<bool> {
    let target = Target::parse(&options.chip)?;
    let chosen: Vec<&Scan> = ALL.iter().filter(|scan| scan.name.contains(&options.common.only)).collect();
    ensure!(!chosen.is_empty(), "no scan has `{}` in its name", options.common.only);
    let gpu = Gpu::open(options.common.device)?;
    let mut lines = scan_row::HEAD.to_owned();
    let mut right = true;
    scan_row::head();
    for scan in chosen {
        for row in lengths(options, &gpu, scan, &target)? {
            let row = row?;
            row.print();
            lines.push_str(&row.line());
            right &= row.wrong.is_none();
            if let Some(file) = &options.common.csv {
                std::fs::write(file, &lines).with_context(|| format!("cannot write {}", file.display()))?;
            }
        }
    }
    Ok(right)
}

/// Measures one scan with every length, warm and cold.
fn lengths<'a>(
    options: &'a ScanBenchOptions,
    gpu: &'a Gpu,
    scan: &'a Scan,
    target: &'a Target,
) -> Result<impl Iterator<Item = Result<Row>> + 'a> {
    let sm_count = u32::try_from(gpu.chip()?.sm_count)?;
    let file = options.common.ptx.join(scan.name).with_extension("ptx");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let module = gpu.load(&text).with_context(|| scan.name.to_string())?;
    let values = Values::new(scan.element, scan.exclusive);
    Ok(options.n.iter().flat_map(move |&length| {
        let both = || -> Result<[Row; 2]> {
            let start = scan.start(target, length.0, sm_count);
            let start = start.ok_or_else(|| anyhow!("{} is not a single kernel", scan.name))?;
            let mut bench = Bench::new(gpu, scan, length, &values, start, target)?;
            let kernel = module.kernel(scan.name)?;
            let mut measure = |cold| bench.measure(options, &kernel, scan.name, cold);
            Ok([measure(false)?, measure(true)?])
        };
        match both() {
            Ok(rows) => rows.map(Ok).into_iter().collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        }
    }))
}

/// The buffers of one scan of one length.
struct Bench<'a> {
    gpu: &'a Gpu,
    from: Buffer,
    to: Buffer,
    workspace: Buffer,
    /// Filled before a cold run: larger than the L2.
    junk: Buffer,
    values: &'a Values,
    length: Length,
    start: Start,
    epoch: u64,
}

const JUNK: usize = 512 << 20;

impl<'a> Bench<'a> {
    fn new(
        gpu: &'a Gpu,
        scan: &Scan,
        length: Length,
        values: &'a Values,
        start: Start,
        target: &Target,
    ) -> Result<Self> {
        let bytes = length.0 * values.bytes();
        let mut from = gpu.alloc(bytes)?;
        let period = values.period();
        for at in (0..bytes).step_by(period.len()) {
            from.upload_at(at, &period[..period.len().min(bytes - at)])?;
        }
        let plan = scan.plan(target).ok_or_else(|| anyhow!("{} has no plan", scan.name))?;
        let room = usize::try_from(plan.workspace().bytes(i64::try_from(length.0)?))?;
        let mut workspace = gpu.alloc(room)?;
        workspace.fill(0)?;
        let (to, junk) = (gpu.alloc(bytes)?, gpu.alloc(JUNK)?);
        Ok(Bench { gpu, from, to, workspace, junk, values, length, start, epoch: 0 })
    }

    /// The first wrong result.
    fn first_wrong(&self) -> Result<Option<usize>> {
        let bytes = self.length.0 * self.values.bytes();
        let mut got = vec![0; self.values.period().len().min(bytes)];
        for at in (0..bytes).step_by(got.len()) {
            let piece = got.len().min(bytes - at);
            self.to.download_at(at, &mut got[..piece])?;
            if let Some(wrong) = self.values.first_wrong(&got[..piece]) {
                return Ok(Some(at / self.values.bytes() + wrong));
            }
        }
        Ok(None)
    }

    fn measure(&mut self, options: &ScanBenchOptions, kernel: &Kernel, name: &'static str, cold: bool) -> Result<Row> {
        let resources = kernel.resources(self.start.threads)?;
        self.to.fill(0xcd)?;
        self.run(kernel)?;
        let wrong = self.first_wrong()?;
        let (mut driver, mut ours) = (Vec::new(), Vec::new());
        for round in 0..options.common.warmups.saturating_add(options.common.runs) {
            self.chill(cold, round)?;
            let theirs = self.gpu.time(|| self.gpu.copy(&mut self.to, &self.from))?;
            self.chill(cold, round)?;
            self.epoch += 1;
            let time = self.gpu.time(|| self.run_again(kernel))?;
            if round >= options.common.warmups {
                driver.push(theirs);
                ours.push(time);
            }
        }
        let bytes = 2 * self.values.bytes() * self.length.0;
        let (registers, local) = (resources.registers, resources.local);
        Ok(Row { name, length: self.length, cold, bytes, driver, ours, registers, local, wrong })
    }

    fn chill(&mut self, cold: bool, round: u32) -> Result<()> {
        if cold {
            self.junk.fill(round as u8)?;
        }
        Ok(())
    }

    fn run(&mut self, kernel: &Kernel) -> Result<()> {
        self.epoch += 1;
        Ok(self.run_again(kernel)?)
    }

    /// Launches with the current epoch.
    fn run_again(&self, kernel: &Kernel) -> Result<(), tile_run::cuda::CudaError> {
        let [grid, block] = [self.start.blocks, self.start.threads].map(|x| Dim3([x, 1, 1]));
        let launch = Launch { grid, block, cluster: None, dynamic_shared: self.start.shared };
        let addresses = [self.from.address(), self.to.address(), self.workspace.address()];
        kernel.launch(&launch, &[addresses[0], addresses[1], addresses[2], self.length.0 as u64, self.epoch])
    }
}
