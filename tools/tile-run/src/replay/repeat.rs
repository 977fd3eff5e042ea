//! Repeats one launch in the simulator or on a GPU; and decides by a program's `.target` whether a GPU can run it.

use ptx_sim::{
    Arg, BufferMap, Call, Checks, LaunchConfig, Module, Pointer, RecordedArg, RecordedBuffer, Recording, Schedule,
};

use crate::cuda::{Buffer, Chip, CudaError, Gpu};
use crate::options::Device;

/// The initial value of bytes without a value.
const PATTERN: u8 = 0xcd;

/// The device on which launches are repeated.
pub(super) enum Machine {
    Sim,
    Cuda(Gpu, Chip),
}

/// The outcome of a launch.
pub(super) enum Outcome {
    /// It left these buffers, in the order of the arguments.
    Left(Vec<Vec<u8>>),
    /// The program is not for this chip.
    OtherChip,
    /// It did not run to completion.
    Failed(String),
}

impl Machine {
    pub(super) fn open(device: Device) -> Result<Self, CudaError> {
        match device {
            Device::Sim => Ok(Self::Sim),
            Device::Cuda(number) => {
                let gpu = Gpu::open(number)?;
                let chip = gpu.chip()?;
                Ok(Self::Cuda(gpu, chip))
            }
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Sim => "in the simulator".into(),
            Self::Cuda(_, chip) => format!("on {}", chip.name),
        }
    }

    /// Whether an error has made the device unusable for all later work.
    pub(super) fn lost(&self) -> bool {
        match self {
            Self::Sim => false,
            Self::Cuda(gpu, _) => gpu.wait().is_err(),
        }
    }

    pub(super) fn repeat(&self, recording: &Recording) -> Outcome {
        match self {
            Self::Sim => simulated(recording).map_or_else(Outcome::Failed, Outcome::Left),
            Self::Cuda(_, chip) if !target(&recording.ptx).is_some_and(|t| runs(t, chip.capability)) => {
                Outcome::OtherChip
            }
            Self::Cuda(gpu, _) => on_gpu(gpu, recording).map_or_else(|e| Outcome::Failed(e.to_string()), Outcome::Left),
        }
    }
}

/// The initial contents of a buffer.
fn contents(buffer: &RecordedBuffer) -> Vec<u8> {
    buffer.before.iter().map(|byte| byte.unwrap_or(PATTERN)).collect()
}

/// Repeats in the simulator, without the checkers, which the recorded run has passed or had switched off.
fn simulated(recording: &Recording) -> Result<Vec<Vec<u8>>, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let module = Module::parse(&recording.ptx).map_err(|e| text(&e))?;
    let mut call = Call::new();
    let place = |arg: &RecordedArg| match arg {
        RecordedArg::Buffer(buffer) => call.place(&contents(buffer)).map(Some),
        _ => Ok(None),
    };
    let places = recording.args.iter().map(place).collect::<Result<Vec<_>, _>>().map_err(|e| text(&e))?;
    let starts: Vec<_> = places.iter().map(|place| place.map(|buffer| buffer.start)).collect();
    for (arg, start) in recording.args.iter().zip(&starts) {
        call.number(match arg {
            RecordedArg::Value(bytes) => Arg::Bytes(bytes.clone()),
            RecordedArg::Buffer(_) => Arg::Ptr(start.unwrap_or(Pointer(0))),
            RecordedArg::Map(map) => Arg::Map(map.at(buffer_of(map, &starts).0).map_err(|e| text(&e))?),
        });
    }
    let config = LaunchConfig { checks: Checks::NONE, ..LaunchConfig::of(&recording.launch, Schedule::Fair) };
    call.launch(&module, &recording.kernel, &config).map_err(|e| text(&e))?;
    let left = places.into_iter().flatten().map(|buffer| call.contents(buffer).map(<[u8]>::to_vec));
    left.collect::<Result<_, _>>().map_err(|e| text(&e))
}

/// The start of the buffer of a tensor map.
fn buffer_of(map: &BufferMap, starts: &[Option<Pointer>]) -> Pointer {
    starts.get(map.buffer).copied().flatten().unwrap_or(Pointer(0))
}

fn on_gpu(gpu: &Gpu, recording: &Recording) -> Result<Vec<Vec<u8>>, CudaError> {
    let module = gpu.load(&recording.ptx)?;
    let kernel = module.kernel(&recording.kernel)?;
    let (mut buffers, mut starts): (Vec<Buffer>, Vec<Option<Pointer>>) = Default::default();
    for arg in &recording.args {
        let RecordedArg::Buffer(recorded) = arg else {
            starts.push(None);
            continue;
        };
        let mut buffer = gpu.alloc(recorded.before.len())?;
        buffer.upload(&contents(recorded))?;
        starts.push(Some(Pointer(buffer.address())));
        buffers.push(buffer);
    }
    let value = |(arg, start): (&RecordedArg, &Option<Pointer>)| match arg {
        RecordedArg::Value(bytes) => Ok(bytes.clone()),
        RecordedArg::Buffer(_) => Ok(start.map_or(0, |start| start.0).to_ne_bytes().to_vec()),
        RecordedArg::Map(map) => {
            let map = map.at(buffer_of(map, &starts).0).map_err(|error| CudaError::Kernel(error.to_string()))?;
            gpu.encode(&map).map(Vec::from)
        }
    };
    let values = recording.args.iter().zip(&starts).map(value).collect::<Result<Vec<_>, _>>()?;
    kernel.launch_values(&recording.launch, &values)?;
    let left = buffers.iter().zip(recording.buffers()).map(|(buffer, recorded)| {
        let mut bytes = vec![0; recorded.before.len()];
        buffer.download(&mut bytes).map(|()| bytes)
    });
    left.collect()
}

/// The `.target` of a PTX text.
fn target(ptx: &str) -> Option<&str> {
    let rest = ptx.lines().find_map(|line| line.trim_start().strip_prefix(".target"))?;
    rest.trim().split([',', ' ', '/']).next()
}

/// Whether a GPU of this compute capability runs programs for `target`: `sm_80` runs on 8.0 and later, `sm_100f` on
/// 10.0 and later of its family (10.x), `sm_90a` only on 9.0.
fn runs(target: &str, capability: (i32, i32)) -> bool {
    let Some(name) = target.strip_prefix("sm_") else { return false };
    let digits = name.trim_end_matches(['a', 'f']);
    let Ok(number) = digits.parse::<i32>() else { return false };
    let wanted = (number / 10, number % 10);
    match &name[digits.len()..] {
        "" => wanted <= capability,
        "f" => wanted.0 == capability.0 && wanted <= capability,
        "a" => wanted == capability,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found() {
        let text = "//\n.version 8.6\n\t.target sm_90a, debug\n.address_size 64";
        assert_eq!(target(text), Some("sm_90a"));
        assert_eq!(target(".version 8.6"), None);
    }

    #[test]
    fn later_chips_run_portable_programs_only() {
        for (name, capability, wanted) in [
            ("sm_80", (9, 0), true),
            ("sm_90", (9, 0), true),
            ("sm_90a", (9, 0), true),
            ("sm_90a", (10, 0), false),
            ("sm_100", (9, 0), false),
            ("sm_100f", (10, 3), true),
            ("sm_103f", (10, 0), false),
            ("sm_100a", (10, 3), false),
            ("compute_90", (9, 0), false),
        ] {
            assert_eq!(runs(name, capability), wanted, "{name} on {capability:?}");
        }
    }
}
