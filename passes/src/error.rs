//! Why there is no PTX.

use thiserror::Error;
use tile_plan::{UnknownChip, UnknownFeature};

use crate::diagnostics::{Diagnostic, Severity};

/// Why a text was not parsed, a pipeline not run, or a module not compiled.
///
/// It displays as its first error; [`Error::diagnostics`] has all of them, with locations and notes.
///
/// ```
/// use tile_passes::{Error, Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, "module {}").unwrap();
/// let error = compile(&mut module, &Options::new().chip("sm_9")).unwrap_err();
/// assert!(matches!(error, Error::Chip(_)));
/// assert!(error.to_string().contains("sm_9"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is no valid IR: a parser or a verifier refuses it.
    #[error("{}", first(.diagnostics, "the text is not valid IR"))]
    Malformed {
        /// What they say.
        diagnostics: Vec<Diagnostic>,
    },
    /// A pass refuses the program, as one with a copy that cannot be done.
    #[error("{}", first(.diagnostics, "a pass failed"))]
    Refused {
        /// What the pass says.
        diagnostics: Vec<Diagnostic>,
    },
    /// What the passes left cannot be translated to LLVM IR.
    #[error("{}", first(.diagnostics, "cannot be translated to LLVM IR"))]
    Translation {
        /// What MLIR says.
        diagnostics: Vec<Diagnostic>,
    },
    /// The text of a pipeline cannot be parsed.
    #[error("cannot parse the pass pipeline '{pipeline}': {reason}")]
    Pipeline {
        /// As given.
        pipeline: String,
        /// What MLIR says.
        reason: String,
    },
    /// The module has no `gpu.module`, several of which none was chosen, or not the chosen one.
    #[error("{reason}")]
    GpuModule {
        /// Got and expected.
        reason: String,
    },
    /// A chip that is not in the table.
    #[error(transparent)]
    Chip(#[from] UnknownChip),
    /// A feature that the chip does not have.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// An option of the passes makes no sense.
    #[error("in the options: {reason}")]
    Options {
        /// Got and expected.
        reason: String,
    },
    /// The chip has no instruction for an operation, which LLVM's back end finds.
    #[error("LLVM has no PTX of this program for the chip: {reason}")]
    BackEnd {
        /// What LLVM says.
        reason: String,
    },
    /// LLVM refuses the chip or the code.
    #[error("LLVM: {reason}")]
    Llvm {
        /// What LLVM says.
        reason: String,
    },
}

impl Error {
    /// All diagnostics: errors, and the warnings and remarks before them. Empty for what is wrong with the options.
    ///
    /// ```
    /// use tile_passes::embed;
    ///
    /// let context = embed::context();
    /// let error = embed::parse(&context, "module {\n  tile.allocate\n}").unwrap_err();
    /// assert_eq!(error.diagnostics().len(), 1);
    /// let mut module = embed::parse(&context, "module {}").unwrap();
    /// assert!(embed::run(&mut module, "lower-tile-copies").unwrap_err().diagnostics().is_empty());
    /// ```
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Malformed { diagnostics } | Error::Refused { diagnostics } | Error::Translation { diagnostics } => {
                diagnostics
            }
            _ => &[],
        }
    }

    /// The same with what was said.
    pub(crate) fn with(mut self, said: Vec<Diagnostic>) -> Self {
        if let Error::Malformed { diagnostics } | Error::Refused { diagnostics } | Error::Translation { diagnostics } =
            &mut self
        {
            *diagnostics = said;
        }
        self
    }

    /// A pass fails; what it says is reported to the context.
    pub(crate) fn refused() -> Self {
        Error::Refused { diagnostics: Vec::new() }
    }
}

fn first(diagnostics: &[Diagnostic], otherwise: &str) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    error.map_or_else(|| otherwise.to_owned(), |error| error.to_string().lines().next().unwrap_or_default().to_owned())
}
