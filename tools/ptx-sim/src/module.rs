//! A PTX module as embedders see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::code::Program;
use crate::interface::Interface;
use crate::parse::ParseError;
use crate::{decode, parse};

/// A parsed and decoded PTX module.
///
/// ```
/// # use ptx_sim::Module;
/// let module = Module::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }")?;
/// assert_eq!(module.kernels().next(), Some("k"));
/// assert_eq!(module.kernel("k").unwrap().params[0].size, 8);
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
        Self::decoded(&parse::parse(source)?)
    }

    /// The same with one of the kernels alone, so that others may contain what the simulator cannot execute.
    pub fn parse_kernel(source: &str, name: &str) -> Result<Self, ParseError> {
        let mut ast = parse::parse(source)?;
        ast.functions.retain(|function| !function.kernel || function.name == name);
        Self::decoded(&ast)
    }

    fn decoded(ast: &parse::ast::Ast) -> Result<Self, ParseError> {
        let program = Arc::new(decode::decode(ast)?);
        Ok(Self { program, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// The names of the kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.program.kernels.iter().map(|k| k.interface.name.as_str())
    }

    /// What a kernel takes, and needs of its launch.
    pub fn kernel(&self, name: &str) -> Option<&Interface> {
        self.program.kernels.iter().map(|k| &k.interface).find(|interface| interface.name == name)
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
