//! Expectations that must hold after a run.

use thiserror::Error;

use crate::compare::{Difference, difference};
use crate::input::Input;
use crate::npy::{self, NpyError};
use crate::options::Options;
use crate::tensor::{Shape, Tensor};
use crate::tolerance::Tolerance;

/// An expectation that must hold after a run.
#[derive(Debug)]
pub enum Expectation {
    /// Argument `got` holds the same values as argument `expected`.
    Equal {
        /// Counted from 0.
        expected: usize,
        /// Counted from 0.
        got: usize,
        /// The allowed deviation; `None` requires equal bits.
        tolerance: Option<Tolerance>,
    },
    /// The argument holds a given tensor.
    Holds {
        /// Counted from 0.
        got: usize,
        /// A description of the tensor, for messages.
        origin: String,
        /// The tensor, with the extents of the argument, and, without a tolerance, its type.
        expected: Tensor,
        /// The allowed deviation; `None` requires equal bits.
        tolerance: Option<Tolerance>,
    },
}

/// An expectation that does not make sense for the arguments.
#[derive(Debug, Error)]
pub enum ExpectError {
    /// The argument is a scalar or does not exist.
    #[error("{option} {argument}: argument {argument} is not a buffer")]
    NoBuffer {
        /// The option that names it.
        option: &'static str,
        /// Counted from 0.
        argument: usize,
    },
    /// Two buffers cannot be compared.
    #[error("--expect-equal {a},{b}: got {} and {}, expected the same type and extents", shapes[0], shapes[1])]
    Shapes {
        /// Counted from 0.
        a: usize,
        /// Counted from 0.
        b: usize,
        /// The shapes of both.
        shapes: Box<[Shape; 2]>,
    },
    /// A buffer without a value cannot stay unchanged.
    #[error("--expect-unchanged {0}: argument {0} is poison and holds nothing before the run")]
    Poison(usize),
    /// The file cannot be read as the argument.
    #[error(transparent)]
    File(#[from] NpyError),
}

/// The type and extents of a buffer argument that an option names.
pub fn shape<'a>(inputs: &'a [Input], argument: usize, option: &'static str) -> Result<&'a Shape, ExpectError> {
    match inputs.get(argument) {
        Some(Input::Buffer { shape, .. }) => Ok(shape),
        _ => Err(ExpectError::NoBuffer { option, argument }),
    }
}

/// The expectations of a command line, checked against the arguments.
pub fn expectations(options: &Options, inputs: &[Input]) -> Result<Vec<Expectation>, ExpectError> {
    let mut all = Vec::new();
    let tolerance = Tolerance::of(options.rtol, options.atol);
    for pair in &options.expect_equal {
        let (a, b) = (shape(inputs, pair.0, "--expect-equal")?, shape(inputs, pair.1, "--expect-equal")?);
        if a != b {
            let shapes = Box::new([a.clone(), b.clone()]);
            return Err(ExpectError::Shapes { a: pair.0, b: pair.1, shapes });
        }
        all.push(Expectation::Equal { expected: pair.0, got: pair.1, tolerance });
    }
    for numbered in &options.expect {
        let (file, got) = (&numbered.file, numbered.argument);
        let (shape, tolerance) = (shape(inputs, got, "--expect")?, numbered.tolerance.or(tolerance));
        let expected = if tolerance.is_some() { npy::read_float(file, shape) } else { npy::read(file, shape) }?;
        let origin = format!("what {} holds", file.display());
        all.push(Expectation::Holds { got, origin, expected, tolerance });
    }
    for &got in &options.expect_unchanged {
        shape(inputs, got, "--expect-unchanged")?;
        let Input::Buffer { contents: Some(before), .. } = &inputs[got] else { return Err(ExpectError::Poison(got)) };
        let (origin, expected) = ("what it held before the run".into(), before.as_ref().clone());
        all.push(Expectation::Holds { got, origin, expected, tolerance: None });
    }
    Ok(all)
}

impl Expectation {
    /// Compares the arguments after the run, `left`, with the expectation; `None` where it holds.
    pub fn check(&self, left: &[Option<Tensor>]) -> Option<Difference> {
        let buffer = |argument: usize| left.get(argument).and_then(Option::as_ref);
        match self {
            Self::Equal { expected, got, tolerance } => difference(buffer(*got)?, buffer(*expected)?, *tolerance),
            Self::Holds { got, expected, tolerance, .. } => difference(buffer(*got)?, expected, *tolerance),
        }
    }

    /// The argument that is checked.
    pub fn argument(&self) -> usize {
        match self {
            Self::Equal { got, .. } | Self::Holds { got, .. } => *got,
        }
    }

    /// A description of the expected values.
    pub fn what(&self) -> String {
        let (what, tolerance) = match self {
            Self::Equal { expected, tolerance, .. } => (format!("what argument {expected} holds"), tolerance),
            Self::Holds { origin, tolerance, .. } => (origin.clone(), tolerance),
        };
        tolerance.map_or(what.clone(), |tolerance| format!("{what} up to {tolerance}"))
    }
}
