//! A PTX module as embedders see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::code::{Param, Program};
use crate::parse::ParseError;
use crate::{decode, parse};

/// A parsed and decoded PTX module.
///
/// ```
/// # use ptx_sim::Module;
/// let module = Module::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }")?;
/// assert_eq!(module.kernels().next(), Some("k"));
/// assert_eq!(module.params("k").unwrap()[0].size, 8);
/// # Ok::<(), ptx_sim::ParseError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Module {
    pub(crate) program: Arc<Program>,
    /// Distinguishes modules, so that each has its own variables in memory.
    pub(crate) id: u64,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Module {
    /// Parses PTX text. Anything that the simulator cannot execute is an error with line and column.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        let program = Arc::new(decode::decode(&parse::parse(source)?)?);
        Ok(Self { program, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// The names of the kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.program.kernels.iter().map(|k| k.name.as_str())
    }

    /// The parameters of a kernel.
    pub fn params(&self, kernel: &str) -> Option<&[Param]> {
        self.program.kernels.iter().find(|k| k.name == kernel).map(|k| k.params.as_slice())
    }

    /// The block size in x, y and z that a kernel requires.
    pub fn required_threads(&self, kernel: &str) -> Option<[u32; 3]> {
        self.program.kernels.iter().find(|k| k.name == kernel)?.bounds.threads
    }

    /// The PTX version that the module states, such as (8, 4).
    pub fn version(&self) -> (u32, u32) {
        self.program.version
    }

    /// The target that the module states, such as `sm_90a`.
    pub fn target(&self) -> &str {
        &self.program.target
    }
}
