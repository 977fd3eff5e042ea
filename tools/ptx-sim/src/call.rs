//! The arguments of a launch, and the device memory that they point to.

use crate::config::{Arg, LaunchConfig, Progress};
use crate::counters::Report;
use crate::history::History;
use crate::interface::Interface;
use crate::launch::{LaunchError, launch, launch_recorded, launch_with};
use crate::memory::{Memory, MemoryError, Pointer};
use crate::module::Module;
use crate::tensor_map::{DerivedMapError, derived_arguments};

/// A launch on a device of its own: memory is placed, arguments are added one by one, and buffers are read when it has
/// ended.
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

    /// New memory without a value, which is no argument yet.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn reserve(&mut self, bytes: usize) -> Result<Buffer, MemoryError> {
        Ok(Buffer { start: self.memory.alloc(bytes)?, bytes })
    }

    /// New memory that holds `bytes`, which is no argument yet.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn place(&mut self, bytes: &[u8]) -> Result<Buffer, MemoryError> {
        Ok(Buffer { start: self.memory.alloc_with(bytes)?, bytes: bytes.len() })
    }

    /// New memory for ranges of the host's, each given by its address and its bytes: ranges that overlap share memory, as
    /// on a GPU. They are no arguments yet.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn place_alike(&mut self, ranges: &[(usize, &[u8])]) -> Result<Vec<Buffer>, MemoryError> {
        let addresses: Vec<_> = ranges.iter().map(|(start, bytes)| *start..start + bytes.len()).collect();
        let starts = self.memory.alloc_alike(&addresses)?;
        let placed = starts.into_iter().zip(ranges).map(|(start, (_, bytes))| {
            self.memory.write(start, bytes)?;
            Ok(Buffer { start, bytes: bytes.len() })
        });
        placed.collect()
    }

    /// Adds a pointer to memory that was placed.
    pub fn pointer(&mut self, buffer: Buffer) {
        self.args.push(Arg::Ptr(buffer.start));
    }

    /// Adds a pointer to new memory that holds `bytes`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn buffer(&mut self, bytes: &[u8]) -> Result<Buffer, MemoryError> {
        let buffer = self.place(bytes)?;
        self.pointer(buffer);
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

    /// Adds the tensor maps that the PTX derives from the arguments so far; see [`derived_arguments`].
    ///
    /// # Errors
    /// As [`derived_arguments`].
    pub fn derived(&mut self, ptx: &str, kernel: &Interface) -> Result<(), DerivedMapError> {
        let given: Vec<_> = self.args.iter().map(word).collect();
        let maps = derived_arguments(ptx, kernel, &given)?;
        self.args.extend(maps.into_iter().map(|map| Arg::Bytes(map.to_vec())));
        Ok(())
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

    /// The same; `progress` is called from time to time and stops the launch by returning false.
    ///
    /// # Errors
    /// As [`launch`].
    pub fn launch_with(
        &mut self,
        module: &Module,
        kernel: &str,
        config: &LaunchConfig,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Report, LaunchError> {
        launch_with(&mut self.memory, module, kernel, config, &self.args, progress)
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

/// The value of an argument, if it is an address or a number of at most 64 bits.
fn word(argument: &Arg) -> Option<u64> {
    let bytes = argument.bytes();
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
    Some(u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_the_host_that_overlap_share_memory() {
        let host: Vec<u8> = (0..12).collect();
        let mut call = Call::new();
        let [all, end, other] =
            call.place_alike(&[(100, &host), (108, &host[8..]), (200, &host[..2])]).unwrap().try_into().unwrap();
        assert_eq!((end.start.0 - all.start.0, end.bytes), (8, 4));
        call.memory.write(end.start, &[90]).unwrap();
        assert_eq!(call.contents(all).unwrap()[8], 90);
        assert_eq!(call.contents(other).unwrap(), [0, 1]);
        assert!(call.args().is_empty());
    }

    #[test]
    fn maps_follow_the_arguments_that_they_are_derived_from() {
        let ptx = ".version 8.3\n.target sm_90a\n.visible .entry k(.param .u64 a, .param .align 64 .b8 m[128]) { ret; }\n\
                   // tensor map of k, parameter 1: base=p0,type=f16,dims=64x64,strides=128,box=64x64\n";
        let kernel = &crate::interfaces(ptx).unwrap()[0];
        let mut call = Call::new();
        let given = call.reserve(64 * 128).unwrap();
        call.pointer(given);
        call.derived(ptx, kernel).unwrap();
        assert!(matches!(call.args(), [Arg::Ptr(_), Arg::Bytes(map)] if map.len() == 128), "{:?}", call.args());
        assert_eq!([Arg::U32(7), Arg::Bytes(vec![0; 9])].map(|argument| word(&argument)), [Some(7), None]);
    }
}
