//! Lowering a case's kernel, one stage after the other.

mod diagnostics;
mod plan;

pub use diagnostics::{Said, Severity};
pub use plan::LoweredPlan;

use melior::Context;
use melior::ir::{Module, OperationRef};
use tile_dialect::ir;
use tile_layout::counted;
use tile_passes::{Diagnostic, Options, ShaderLanguage, compile, compile_portable, embed, inspect};
use tile_plan::families::copy_plan::CopyPlan;

use crate::kernel::Kernel;
use diagnostics::line_of;

/// The outcome of lowering a copy.
#[derive(Clone, Debug)]
pub enum Lowering {
    /// A stage refused it.
    Refused {
        /// The stage.
        stage: &'static str,
        /// All diagnostics.
        heard: Vec<Said>,
    },
    /// It was planned, and lowered to the end.
    Lowered {
        /// The plan in the IR.
        plan: Box<LoweredPlan>,
        /// The program.
        ptx: String,
        /// Warnings and remarks.
        heard: Vec<Said>,
    },
    /// It was planned, but not lowered to the end.
    Lost {
        /// The stage.
        stage: &'static str,
        /// The reason.
        why: String,
        /// All diagnostics.
        heard: Vec<Said>,
    },
}

/// A context for any number of kernels, one at a time.
pub struct Compiler {
    context: Context,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

/// The reason that a copy did not pass a stage.
enum Stop {
    Refused(&'static str),
    Lost(&'static str, String),
}

impl Compiler {
    /// A context that knows the dialects and passes.
    pub fn new() -> Self {
        Compiler { context: embed::context() }
    }

    /// Lowers a kernel; `watch` is called with the module after each stage.
    pub fn lower(&self, kernel: &Kernel, mut watch: impl FnMut(&str, &str)) -> Lowering {
        let mut messages = Vec::new();
        match self.stages(kernel, &mut watch, &mut messages) {
            Ok((plan, ptx)) => Lowering::Lowered { plan: Box::new(plan), ptx, heard: messages },
            Err(Stop::Refused(stage)) => Lowering::Refused { stage, heard: messages },
            Err(Stop::Lost(stage, why)) => Lowering::Lost { stage, why, heard: messages },
        }
    }

    /// The PTX of a module, all stages in one call.
    ///
    /// # Errors
    /// The compiler's diagnostics.
    pub fn ptx(&self, text: &str) -> Result<String, String> {
        let mut module = embed::parse(&self.context, text).map_err(|error| first(&error))?;
        compile(&mut module, &Options::new().as_written()).map(|ptx| ptx.text).map_err(|error| first(&error))
    }

    /// The SPIR-V for the one scan of a text, for a portable target.
    ///
    /// # Errors
    /// The compiler's diagnostics.
    pub fn spirv(&self, text: &str, target: &str) -> Result<Vec<u8>, String> {
        let module = embed::parse(&self.context, text).map_err(|error| first(&error))?;
        compile_portable(&module, ShaderLanguage::SpirV, Some(target), None).map_err(|error| all(&error))
    }

    fn stages(
        &self,
        kernel: &Kernel,
        watch: &mut dyn FnMut(&str, &str),
        messages: &mut Vec<Said>,
    ) -> Result<(LoweredPlan, String), Stop> {
        let parsed = embed::parse(&self.context, &kernel.text);
        let mut module = parsed.map_err(|error| {
            hear(messages, error.diagnostics());
            Stop::Refused("verifier")
        })?;
        let mut run = |module: &mut Module<'_>, pass: &'static str| {
            let outcome = embed::run(module, &format!("builtin.module({pass})"));
            watch(pass, &module.as_operation().to_string());
            match outcome {
                Ok(diagnostics) => {
                    hear(messages, &diagnostics);
                    Ok(())
                }
                Err(error) => {
                    hear(messages, error.diagnostics());
                    Err(error.to_string())
                }
            }
        };
        run(&mut module, "tile-align-layouts").map_err(|_| Stop::Refused("tile-align-layouts"))?;
        let is_matched = |op: &OperationRef<'_, '_>| matches!(inspect::plan(*op), Some(CopyPlan::Partition(_)));
        if of_copy(kernel, inspect::planned(module.as_operation())).iter().any(is_matched) {
            run(&mut module, "tile-vectorize-copy").map_err(|_| Stop::Refused("tile-vectorize-copy"))?;
        }
        let planned = of_copy(kernel, inspect::planned(module.as_operation()));
        let plan = plan::read_all(&planned).map_err(|why| Stop::Lost("tile-vectorize-copy", why))?;
        run(&mut module, "tile-expand-copy").map_err(|why| Stop::Lost("tile-expand-copy", why))?;
        let left = ir::matching(module.as_operation(), |name| name.starts_with("tile."));
        if !left.is_empty() {
            return Err(Stop::Lost("tile-expand-copy", format!("left {} of the dialect", counted(left.len(), "op"))));
        }
        let ptx = compile(&mut module, &Options::new().as_written()).map_err(|error| {
            hear(messages, error.diagnostics());
            Stop::Lost("tile-to-ptx", error.to_string())
        })?;
        hear(messages, &ptx.diagnostics);
        watch("tile-to-ptx", &ptx.text);
        Ok((plan, ptx.text))
    }
}

/// Keeps the compiler's diagnostics.
fn hear(messages: &mut Vec<Said>, diagnostics: &[Diagnostic]) {
    messages.extend(diagnostics.iter().map(Said::from));
}

/// An error with all its diagnostics and notes.
fn all(error: &tile_passes::Error) -> String {
    let lines: Vec<String> = error.diagnostics().iter().map(ToString::to_string).collect();
    format!("{error}\n{}", lines.join("\n"))
}

/// The first error, with its notes, as the report prints it.
fn first(error: &tile_passes::Error) -> String {
    let errors = error.diagnostics().iter().map(Said::from).find(|message| message.severity == Severity::Error);
    errors.map_or_else(|| error.to_string(), |message| message.to_string())
}

/// The ops into which the copy in question was lowered.
fn of_copy<'c, 'a>(kernel: &Kernel, mut ops: Vec<OperationRef<'c, 'a>>) -> Vec<OperationRef<'c, 'a>> {
    ops.retain(|op| {
        use melior::ir::operation::OperationLike;
        line_of(&op.location().to_string()) == Some(kernel.copy_line)
    });
    ops
}
