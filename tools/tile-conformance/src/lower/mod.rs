//! Lowering a case's kernel, one stage after the other.

mod diagnostics;
mod plan;

pub use diagnostics::{Said, Severity};
pub use plan::Plan;

use melior::Context;
use melior::ir::{Module, OperationRef};
use tile_layout::counted;
use tile_passes::options::Options;
use tile_passes::read::problem::Reader;
use tile_passes::{embed, ptx, walk};

use crate::kernel::Kernel;
use diagnostics::{Listener, line_of};

/// What became of a copy.
#[derive(Clone, Debug)]
pub enum Lowering {
    /// A stage refused it.
    Refused {
        /// Which stage.
        stage: &'static str,
        /// Everything that was said.
        said: Vec<Said>,
    },
    /// It was planned, and lowered to the end.
    Lowered {
        /// What the IR says is done.
        plan: Box<Plan>,
        /// The program.
        ptx: String,
        /// Warnings and remarks.
        said: Vec<Said>,
    },
    /// It was planned, but not lowered to the end.
    Lost {
        /// Where.
        stage: &'static str,
        /// Why.
        why: String,
        /// Everything that was said.
        said: Vec<Said>,
    },
}

/// A context for any number of kernels, one at a time.
pub struct Compiler {
    context: Context,
    listener: Listener,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a copy did not come through a stage.
enum Stop {
    Refused(&'static str),
    Lost(&'static str, String),
}

impl Compiler {
    /// A context that knows the dialects and passes.
    pub fn new() -> Self {
        let context = embed::context();
        let listener = Listener::new(&context);
        Compiler { context, listener }
    }

    /// Lowers a kernel; `watch` is shown the module after each stage.
    pub fn lower(&self, kernel: &Kernel, mut watch: impl FnMut(&str, &str)) -> Lowering {
        let outcome = self.stages(kernel, &mut watch);
        let said = self.listener.take();
        match outcome {
            Ok((plan, ptx)) => Lowering::Lowered { plan: Box::new(plan), ptx, said },
            Err(Stop::Refused(stage)) => Lowering::Refused { stage, said },
            Err(Stop::Lost(stage, why)) => Lowering::Lost { stage, why, said },
        }
    }

    /// The PTX of a module, all stages at once.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn ptx(&self, text: &str) -> Result<String, String> {
        let printed = embed::parse(&self.context, text).map(|mut module| ptx::print(&mut module, None, None));
        let said = self.listener.take();
        let errors = || said.iter().filter(|said| said.severity == Severity::Error).map(ToString::to_string);
        match printed {
            Some(Ok(ptx)) => Ok(ptx),
            Some(Err(error)) => Err(errors().next().unwrap_or_else(|| error.to_string())),
            None => Err(errors().next().unwrap_or_else(|| "the text is not valid".to_owned())),
        }
    }

    fn stages(&self, kernel: &Kernel, watch: &mut dyn FnMut(&str, &str)) -> Result<(Plan, String), Stop> {
        let mut module = embed::parse(&self.context, &kernel.text).ok_or(Stop::Refused("verifier"))?;
        let mut run = |module: &mut Module<'_>, pass: &'static str| {
            let outcome = embed::run(module, &format!("builtin.module({pass})"));
            watch(pass, &module.as_operation().to_string());
            outcome.map_err(|error| error.to_string())
        };
        run(&mut module, "tile-align-copy").map_err(|_| Stop::Refused("tile-align-copy"))?;
        if !staged(&module, kernel, &["tile.aligned_copy"]).is_empty() {
            run(&mut module, "tile-vectorize-copy").map_err(|_| Stop::Refused("tile-vectorize-copy"))?;
        }
        let plan = read(&module, kernel).map_err(|why| Stop::Lost("tile-vectorize-copy", why))?;
        run(&mut module, "tile-expand-copy").map_err(|why| Stop::Lost("tile-expand-copy", why))?;
        let left = walk::matching(module.as_operation(), |name| name.starts_with("tile."));
        if !left.is_empty() {
            return Err(Stop::Lost("tile-expand-copy", format!("left {} of the dialect", counted(left.len(), "op"))));
        }
        let ptx = ptx::print(&mut module, None, None);
        let ptx = ptx.map_err(|error| Stop::Lost("tile-to-ptx", error.to_string()))?;
        watch("tile-to-ptx", &ptx);
        Ok((plan, ptx))
    }
}

/// The ops of these names that the copy in question became.
fn staged<'c, 'a>(module: &'a Module<'c>, kernel: &Kernel, names: &[&str]) -> Vec<OperationRef<'c, 'a>> {
    let mut ops = walk::matching(module.as_operation(), |name| names.contains(&name));
    ops.retain(|op| {
        use melior::ir::operation::OperationLike;
        line_of(&op.location().to_string()) == Some(kernel.copy_line)
    });
    ops
}

/// The plan that the IR holds.
fn read(module: &Module<'_>, kernel: &Kernel) -> Result<Plan, String> {
    let options = Options::default();
    let reader = Reader::new(&options);
    plan::read_all(&staged(module, kernel, &plan::STAGED), &reader)
}
