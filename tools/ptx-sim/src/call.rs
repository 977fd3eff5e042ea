//! The arguments of a launch, and the device memory that they point to.

use crate::config::{Arg, LaunchConfig};
use crate::counters::Report;
use crate::history::History;
use crate::launch::{LaunchError, launch, launch_recorded};
use crate::memory::{Memory, MemoryError, Pointer};
use crate::module::Module;

/// A launch on a device of its own: the arguments are added one by one, and buffers are read when it has ended.
///
/// ```
/// # use ptx_sim::{Arg, Call, LaunchConfig, Module};
/// # let module = Module::parse("
/// #     .version 8.0
/// #     .target sm_90
/// #     .address_size 64
/// #     .visible .entry store(.param .u64 out, .param .u32 value) {
/// #         .reg .b32 %r<2>;
/// #         .reg .b64 %rd<2>;
/// #         ld.param.b64 %rd1, [out];
/// #         ld.param.b32 %r1, [value];
/// #         st.global.b32 [%rd1], %r1;
/// #         ret;
/// #     }")?;
/// let mut call = Call::new();
/// let out = call.buffer(&[0; 4])?;
/// call.number(Arg::U32(7));
/// call.launch(&module, "store", &LaunchConfig::new(1, 1))?;
/// assert_eq!(call.contents(out)?, [7, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Call {
    /// The memory of the device.
    pub memory: Memory,
    args: Vec<Arg>,
}

/// The memory of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    /// Its first byte.
    pub start: Pointer,
    /// Its number of bytes.
    pub bytes: usize,
}

impl Call {
    /// A call without arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pointer to new memory that holds `bytes`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn buffer(&mut self, bytes: &[u8]) -> Result<Buffer, MemoryError> {
        let buffer = Buffer { start: self.memory.alloc_with(bytes)?, bytes: bytes.len() };
        self.args.push(Arg::Ptr(buffer.start));
        Ok(buffer)
    }

    /// Adds a number, or a pointer to memory that exists.
    pub fn number(&mut self, arg: Arg) {
        self.args.push(arg);
    }

    /// Adds numbers of type `index`.
    pub fn indices(&mut self, numbers: impl IntoIterator<Item = i64>) {
        self.args.extend(numbers.into_iter().map(|number| Arg::U64(number as u64)));
    }

    /// The arguments so far.
    pub fn args(&self) -> &[Arg] {
        &self.args
    }

    /// Runs a kernel with these arguments.
    ///
    /// # Errors
    /// As [`launch`].
    pub fn launch(&mut self, module: &Module, kernel: &str, config: &LaunchConfig) -> Result<Report, LaunchError> {
        launch(&mut self.memory, module, kernel, config, &self.args)
    }

    /// Runs a kernel with these arguments, and writes down what it does.
    ///
    /// # Errors
    /// As [`launch`].
    pub fn record(
        &mut self,
        module: &Module,
        kernel: &str,
        config: &LaunchConfig,
    ) -> Result<(Report, Option<History>), LaunchError> {
        launch_recorded(&mut self.memory, module, kernel, config, &self.args)
    }

    /// What a buffer holds.
    ///
    /// # Errors
    /// If it is not a buffer of this call.
    pub fn contents(&self, buffer: Buffer) -> Result<&[u8], MemoryError> {
        self.memory.peek(buffer.start, buffer.bytes)
    }
}
