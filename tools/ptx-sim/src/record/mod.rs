//! Launches in files: a program, its arguments, and the memory that the simulator left, so that they can be repeated
//! elsewhere.
//!
//! ```
//! # use ptx_sim::{Arg, LaunchConfig, Memory, Module, Recording, launch};
//! let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {
//!     .reg .b64 %rd1; ld.param.b64 %rd1, [p]; st.global.b16 [%rd1+2], 7; ret; }";
//! let mut memory = Memory::new();
//! let args = [Arg::Ptr(memory.alloc(4)?)];
//! let config = LaunchConfig::new(1, 1);
//! let mut recording = Recording::before(text, "k", &config, &args, &memory)?;
//! launch(&mut memory, &Module::parse(text)?, "k", &config, &args)?;
//! recording.finish(&args, &memory)?;
//! let copy = Recording::parse(&recording.to_string())?;
//! assert_eq!(copy, recording);
//! // The kernel gives a value to the last two bytes of four.
//! assert_eq!(copy.buffers().next().unwrap().after, [None, None, Some(7), Some(0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod reader;
mod text;

pub use reader::RecordingError;

use crate::config::{Arg, LaunchConfig};
use crate::memory::{Memory, MemoryError, Pointer};
use crate::needs::Launch;
use crate::tensor_map::{BufferMap, TensorMap, TiledMap};

/// A launch with its memory before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The program.
    pub ptx: String,
    /// Its kernel.
    pub kernel: String,
    /// Its shape.
    pub launch: Launch,
    /// Arguments in the order of the kernel's parameters.
    pub args: Vec<RecordedArg>,
}

/// An argument of a recorded launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedArg {
    /// The bytes of a value that is not an address.
    Value(Vec<u8>),
    /// The address of device memory.
    Buffer(RecordedBuffer),
    /// A tensor map of memory in a buffer.
    Map(BufferMap),
}

/// A buffer, byte by byte; none for a byte without a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedBuffer {
    /// Before the launch.
    pub before: Vec<Option<u8>>,
    /// After it.
    pub after: Vec<Option<u8>>,
}

impl Recording {
    /// Records a launch with the memory that the kernel will find.
    ///
    /// # Errors
    /// A pointer among `args` is not the start of an allocation of `memory`, or a tensor map is not of memory to which one
    /// of them points.
    pub fn before(
        ptx: &str,
        kernel: &str,
        config: &LaunchConfig,
        args: &[Arg],
        memory: &Memory,
    ) -> Result<Self, MemoryError> {
        let launch = config.launch();
        let (ptx, kernel) = (ptx.to_string(), kernel.to_string());
        let recorded = |arg: &Arg| match arg {
            Arg::Ptr(p) => {
                let before = contents(memory, *p)?;
                Ok(RecordedArg::Buffer(RecordedBuffer { before, after: Vec::new() }))
            }
            Arg::Map(map) => map_of_buffer(args, map, memory).map(RecordedArg::Map),
            value => Ok(RecordedArg::Value(value.bytes())),
        };
        let args = args.iter().map(recorded).collect::<Result<_, _>>()?;
        Ok(Self { ptx, kernel, launch, args })
    }

    /// Adds the memory that the kernel has left; `args` and `memory` are those of [`Recording::before`].
    ///
    /// # Errors
    /// `args` and `memory` are not those of [`Recording::before`].
    pub fn finish(&mut self, args: &[Arg], memory: &Memory) -> Result<(), MemoryError> {
        for (recorded, arg) in self.args.iter_mut().zip(args) {
            if let (RecordedArg::Buffer(buffer), Arg::Ptr(place)) = (recorded, arg) {
                buffer.after = contents(memory, *place)?;
            }
        }
        Ok(())
    }

    /// The buffers, in the order of the arguments.
    pub fn buffers(&self) -> impl Iterator<Item = &RecordedBuffer> {
        self.args.iter().filter_map(|arg| match arg {
            RecordedArg::Buffer(buffer) => Some(buffer),
            RecordedArg::Value(_) | RecordedArg::Map(_) => None,
        })
    }
}

/// A tensor map, by the argument that points to its memory.
fn map_of_buffer(args: &[Arg], map: &TensorMap, memory: &Memory) -> Result<BufferMap, MemoryError> {
    let base = map.arguments().base;
    let missing = MemoryError::OutOfBounds { address: base, bytes: 1 };
    let offset = |arg: &Arg| {
        let Arg::Ptr(start) = arg else { return None };
        let bytes = memory.allocated(*start)? as u64;
        base.checked_sub(start.0).filter(|&offset| offset < bytes)
    };
    let mut buffers = args.iter().map(offset).enumerate().filter_map(|(buffer, offset)| Some((buffer, offset?)));
    let (buffer, offset) = buffers.next().ok_or_else(|| missing.clone())?;
    let fields = TiledMap { base: offset, ..map.arguments().clone() };
    // Buffers start at multiples of 256, so that the offset has the alignment of the address.
    TensorMap::tiled(fields).map(|map| BufferMap { buffer, map }).map_err(|_| missing)
}

/// The bytes of the allocation that starts at `place`.
fn contents(memory: &Memory, place: Pointer) -> Result<Vec<Option<u8>>, MemoryError> {
    let bytes = memory.allocated(place).ok_or(MemoryError::OutOfBounds { address: place.0, bytes: 0 })?;
    let data = memory.peek(place, bytes)?;
    let one = |(i, &byte)| Ok(memory.is_initialized(place.offset(i as u64), 1)?.then_some(byte));
    data.iter().enumerate().map(one).collect()
}
