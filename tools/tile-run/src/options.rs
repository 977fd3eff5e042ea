//! The command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, ValueEnum};
use ptx_sim::{Checks, Schedule};
use thiserror::Error;
use tile_cli::Shell;

use crate::argument::Argument;
use crate::named::{Expected, Numbered, Pair};
use crate::tolerance::Bound;
use ptx_sim::Dim3;

/// Runs one kernel, in the simulator or on a GPU, and checks what it left in memory.
#[derive(Debug, Parser)]
#[command(name = "tile-run", version, after_help = AFTER)]
pub struct Options {
    /// A .ptx file, or an .mlir file, which tile-translate translates; for Vulkan an .spv file, or an .mlir file with
    /// scans.
    pub file: PathBuf,
    /// The kernel, of an .mlir file the only one that is compiled; optional if there is only one. For Vulkan also a scan.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Blocks in x, y and z.
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1")]
    pub grid: Dim3,
    /// Threads of a block [default: as in the PTX].
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub block: Option<Dim3>,
    /// Blocks of a cluster [default: as in the PTX].
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub cluster: Option<Dim3>,
    /// Bytes of dynamic shared memory [default: what the kernel needs, if known, else 0].
    #[arg(long, value_name = "BYTES")]
    pub shared: Option<u32>,
    /// The next kernel argument.
    #[arg(long = "arg", value_name = "TYPE[EXTENTS]=CONTENTS|TYPE=NUMBER|map(…)")]
    pub arguments: Vec<Argument>,
    /// Memory that is no argument, but that of a tensor map: buffers, counted after the arguments.
    #[arg(long, value_name = "TYPE[EXTENTS]=CONTENTS")]
    pub memory: Vec<Argument>,

    /// Check that these two buffer arguments, counted from 0, are equal after the run: bit for bit, or within --rtol
    /// and --atol.
    #[arg(long, value_name = "A,B")]
    pub expect_equal: Vec<Pair>,
    /// Check that buffer argument K equals the file after the run: bit for bit, or within a tolerance.
    #[arg(long, value_name = "K=FILE.npy[,rtol=R][,atol=A]")]
    pub expect: Vec<Expected>,
    /// The relative tolerance: the allowed deviation as a fraction of the expected number.
    #[arg(long, value_name = "R")]
    pub rtol: Option<Bound>,
    /// The absolute tolerance: the allowed deviation regardless of the expected number.
    #[arg(long, value_name = "A")]
    pub atol: Option<Bound>,
    /// Check that buffer argument K is unchanged after the run.
    #[arg(long, value_name = "K")]
    pub expect_unchanged: Vec<usize>,
    /// Write buffer argument K to a file after the run.
    #[arg(long, value_name = "K=FILE.npy")]
    pub write: Vec<Numbered>,
    /// Print buffer argument K after the run: of more than 1000 elements the first and last three along each dimension.
    #[arg(long, value_name = "K")]
    pub print: Vec<usize>,
    /// Print all elements of arguments with --print.
    #[arg(long, requires = "print")]
    pub print_all: bool,
    /// Simulator: print one JSON document instead, with what was found, counted and compared, and all elements of --print.
    #[arg(long)]
    pub json: bool,

    /// Where to run: sim, cuda or cuda:N, vulkan or vulkan:N.
    #[arg(long, default_value = "sim")]
    pub device: ExecutionTarget,
    /// GPU: after the first run, time this many more, next to the driver's copy of as many bytes, and print medians.
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub time: Option<u32>,
    /// GPU: the bytes that the kernel reads and writes, for --time [default: all elements of all buffers, once].
    #[arg(long, value_name = "BYTES", requires = "time")]
    pub bytes: Option<usize>,
    /// The chip of the PTX for an .mlir file [default: the one that the module names]; for Vulkan the target, such as
    /// vulkan1.2-64.
    #[arg(long)]
    pub chip: Option<String>,
    /// The passes that compile an .mlir file, such as 'lower-tile-copy,tile-to-nvvm' or 'tile-build{order=false}'
    /// [default: tile-build].
    #[arg(long, value_name = "PIPELINE")]
    pub passes: Option<String>,
    /// The seed of random contents and schedules that state none.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,

    /// Simulator: also run the kernel without each of its synchronizing instructions; it is an error if no check
    /// notices the deletion of one that orders accesses. Best used with --schedule=all and expectations.
    #[arg(long)]
    pub delete_sync: bool,
    /// Simulator: the schedule, which decides which warps make progress; several run at once, on as many processors as there are.
    #[arg(long, value_name = "SCHEDULE", value_delimiter = ',', default_value = "fair")]
    pub schedule: Vec<Schedules>,
    /// Checks to switch on: equal-stores, which is on for .mlir files only.
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    pub check: Vec<Check>,
    /// Checks to switch off. For arguments: types (element types, extents and strides declared in the MLIR). For the
    /// simulator: uninit, race, proxy, leak, equal-stores; all stands for these five.
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    pub no_check: Vec<Check>,
    /// Simulator: the maximum number of instructions that all warps of the launch together may issue; one more is a
    /// fault.
    #[arg(long, value_name = "NUMBER", default_value_t = 1 << 36)]
    pub max_steps: u64,

    /// Print the completions of the options for a shell: bash, zsh, fish, elvish or powershell.
    #[arg(long, value_name = "SHELL", hide = true, exclusive = true)]
    pub completions: Option<Shell>,
    /// Print the manual page.
    #[arg(long, hide = true, exclusive = true)]
    pub man: bool,
}

const AFTER: &str = "\
Types: i1 i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 f8E4M3FN f8E5M2.
Of memref<...xf8E8M0FNU>: u8, exponents with a bias of 127.
Contents: random (any finite number), uniform(LOW,HIGH), normal(MEAN,DEVIATION), each optionally with :SEED, iota, zeros,
  ones, poison (no value), or an .npy file. Random numbers are rounded to the nearest of the type and stay within its
  range; uniform integers are whole numbers from LOW to below HIGH.
Tensor maps: map(base=ARGUMENT[+BYTES],type=TYPE,dims=EXTENTS,box=EXTENTS) of the memory of a buffer argument, counted from
  0, with extents and strides as in 64x512, the innermost dimension first; optionally strides=BYTES, element_strides=STEPS,
  swizzle=32|64|128, promotion=64|128|256, fill=nan. Pixels of images have channels=COUNT,pixels=COUNT,lower=CORNER,upper=CORNER
  in place of box. Their types: u8 u16 u32 i32 u64 i64 f16 f32 f64 bf16 f32ftz tf32 tf32ftz.
Tolerances: |got - expected| <= A + R * |expected|, as in numpy's allclose; a missing one is 0; without any, bits are
  compared. With one, floats of any type can be compared with an .npy file of f16, f32 or f64.
Schedules: fair, random, random:SEED, one-block-at-a-time, reversed, starve:BLOCK; all is one of each.
Exit status: 0 all is as expected; 1 the kernel did something wrong, or left other values; 2 nothing was run.

  tile-run test/Seeds/gmem_smem.mlir --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1";

/// The device that a PTX kernel runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// The simulator.
    Sim,
    /// The GPU with this number.
    Cuda(usize),
}

impl FromStr for Device {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = "expected sim, cuda or cuda:N";
        match text.split_once(':') {
            None if text == "sim" => Ok(Self::Sim),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", number)) => number.parse().map(Self::Cuda).map_err(|_| error),
            _ => Err(error),
        }
    }
}

/// The device that a kernel runs on, which also determines the kernel's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionTarget {
    /// A device for PTX.
    Ptx(Device),
    /// The Vulkan device with this number, for SPIR-V.
    Vulkan(usize),
}

impl FromStr for ExecutionTarget {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = "expected sim, cuda, cuda:N, vulkan or vulkan:N";
        match text.split_once(':') {
            None if text == "vulkan" => Ok(Self::Vulkan(0)),
            Some(("vulkan", number)) => number.parse().map(Self::Vulkan).map_err(|_| error),
            _ => text.parse().map(Self::Ptx).map_err(|_| error),
        }
    }
}

/// One or more schedules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedules {
    /// A fully specified schedule.
    One(Schedule),
    /// A random schedule with the run's seed.
    Random,
    /// One of each kind.
    All,
}

impl FromStr for Schedules {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            "random" => Ok(Self::Random),
            _ => text.parse().map(Self::One).map_err(|e: ptx_sim::ScheduleError| e.to_string()),
        }
    }
}

impl Schedules {
    /// The schedules, with `seed` for random ones.
    pub fn each(self, seed: u64) -> Vec<Schedule> {
        match self {
            Schedules::One(schedule) => vec![schedule],
            Schedules::Random => vec![Schedule::Random(seed)],
            Schedules::All => vec![
                Schedule::Fair,
                Schedule::Random(seed),
                Schedule::OneBlockAtATime,
                Schedule::Reversed,
                Schedule::Starve(0),
            ],
        }
    }
}

/// A checker that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Check {
    /// Reads of uninitialized bytes.
    Uninit,
    /// Races, and copies that are never waited for.
    Race,
    /// Missing proxy fences.
    Proxy,
    /// Tensor memory that is not freed, and copies that are not complete, at the end.
    Leak,
    /// Stores of the same value to the same address by lanes of one instruction.
    EqualStores,
    /// All of these.
    All,
    /// The element types, extents and strides of arguments.
    Types,
}

impl Options {
    /// The schedules to run under, in order.
    pub fn schedules(&self) -> Vec<Schedule> {
        self.schedule.iter().flat_map(|schedules| schedules.each(self.seed)).collect()
    }

    /// Whether arguments are compared with what the MLIR declares.
    pub fn checks_types(&self) -> bool {
        !self.no_check.contains(&Check::Types)
    }

    /// The checkers that stay on.
    pub fn checks(&self) -> Checks {
        let all = Check::without(&self.no_check);
        // Other compilers rely on such stores; kernels of this one are held to what its own check of order demands.
        let is_ir = self.file.extension().is_some_and(|extension| extension == "mlir");
        Checks { equal_stores: all.equal_stores && (is_ir || self.check.contains(&Check::EqualStores)), ..all }
    }
}

/// A name that no checker has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got checker `{name}`, expected uninit, race, proxy, leak, equal-stores or all")]
pub struct UnknownCheck {
    /// The name.
    pub name: String,
}

impl Check {
    /// Every checker but some.
    pub fn without(off: &[Check]) -> Checks {
        let on = |check| !off.contains(&check) && !off.contains(&Check::All);
        Checks {
            init: on(Check::Uninit),
            races: on(Check::Race),
            proxy: on(Check::Proxy),
            leaks: on(Check::Leak),
            equal_stores: on(Check::EqualStores),
        }
    }

    /// Checkers by their names on the command line, separated by commas.
    ///
    /// # Errors
    /// The first name that no checker has.
    pub fn named(names: &str) -> Result<Vec<Check>, UnknownCheck> {
        let check = |name| Check::from_str(name, false).map_err(|_| UnknownCheck { name: str::to_owned(name) });
        names.split(',').filter(|name| !name.is_empty()).map(check).collect()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sim => f.write_str("the simulator"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from([&["tile-run", "a.ptx"], arguments].concat())
    }

    #[test]
    fn the_command_line_is_consistent() {
        <Options as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn schedules_and_checks() {
        let options = parse(&["--schedule", "random,starve:3", "--seed", "9", "--no-check", "race,uninit"]).unwrap();
        assert_eq!(options.schedules(), [Schedule::Random(9), Schedule::Starve(3)]);
        let checks = options.checks();
        assert!(!checks.races && !checks.init && checks.proxy && checks.leaks);
        assert_eq!(parse(&["--schedule=all"]).unwrap().schedules().len(), 5);
        assert_eq!(parse(&["--no-check=all"]).unwrap().checks(), Checks::NONE);
        assert_eq!(parse(&[]).unwrap().schedules(), [Schedule::Fair]);
        assert_eq!(parse(&[]).unwrap().checks(), Checks::default());
        assert_eq!(parse(&["--check=equal-stores"]).unwrap().checks(), Checks::ALL);
        let mlir = |arguments: &[&str]| Options::try_parse_from([&["tile-run", "a.mlir"], arguments].concat()).unwrap();
        assert_eq!(mlir(&[]).checks(), Checks::ALL);
        assert_eq!(mlir(&["--no-check=equal-stores"]).checks(), Checks::default());
    }

    #[test]
    fn devices() {
        assert_eq!("cuda:2".parse(), Ok(Device::Cuda(2)));
        assert_eq!("vulkan".parse(), Ok(ExecutionTarget::Vulkan(0)));
        assert_eq!("vulkan:3".parse(), Ok(ExecutionTarget::Vulkan(3)));
        assert_eq!("cuda:1".parse(), Ok(ExecutionTarget::Ptx(Device::Cuda(1))));
        assert!("vulkan:x".parse::<ExecutionTarget>().is_err() && "metal".parse::<ExecutionTarget>().is_err());
        assert!("gpu".parse::<Device>().is_err() && "cuda:x".parse::<Device>().is_err());
    }

    #[test]
    fn wrong_words_are_refused() {
        for wrong in
            [&["--grid=0"][..], &["--arg=x"], &["--schedule=x"], &["--no-check=x"], &["--shared=-1"], &["--rtol=-1"]]
        {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
