//! Why compilation fails.

use thiserror::Error;
use tile_plan::target::UnknownChip;
use tile_plan::target::features::UnknownFeature;

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
    /// The text is not valid IR: a parser or a verifier refuses it.
    #[error("{}", first(.diagnostics, "the text is not valid IR"))]
    Malformed {
        /// Their diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
    /// A pass refuses the program, for example one with a copy that cannot be done.
    #[error("{}", first(.diagnostics, "a pass failed"))]
    Refused {
        /// The pass's diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
    /// The result of the passes cannot be translated to LLVM IR.
    #[error("{}", first(.diagnostics, "cannot be translated to LLVM IR"))]
    Translation {
        /// MLIR's diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
    /// The text of a pipeline cannot be parsed.
    #[error("cannot parse the pass pipeline '{pipeline}': {reason}")]
    Pipeline {
        /// The text, as given.
        pipeline: String,
        /// MLIR's message.
        reason: String,
    },
    /// The module has no `gpu.module`, or several of which none was chosen, or not the chosen one.
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
    /// An option of the passes is not valid.
    #[error("in the options: {reason}")]
    Options {
        /// Got and expected.
        reason: String,
    },
    /// LLVM's back end finds that the chip has no instruction for an operation.
    #[error("LLVM cannot compile this program for the chip: {reason}")]
    BackEnd {
        /// LLVM's message.
        reason: String,
    },
    /// LLVM refuses the chip or the code.
    #[error("LLVM: {reason}")]
    Llvm {
        /// LLVM's message.
        reason: String,
    },
}

impl Error {
    /// All diagnostics: errors, and the warnings and remarks before them. Empty for errors in the options.
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

    /// The same error, with the given diagnostics.
    pub(crate) fn with(mut self, heard: Vec<Diagnostic>) -> Self {
        if let Error::Malformed { diagnostics } | Error::Refused { diagnostics } | Error::Translation { diagnostics } =
            &mut self
        {
            *diagnostics = heard;
        }
        self
    }

    /// A pass has failed; its diagnostics have been reported to the context.
    pub(crate) fn refused() -> Self {
        Error::Refused { diagnostics: Vec::new() }
    }
}

fn first(diagnostics: &[Diagnostic], otherwise: &str) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    error.map_or_else(|| otherwise.to_owned(), |error| error.to_string().lines().next().unwrap_or_default().to_owned())
}
