//! Matches arguments with the kernel's declaration: their number, types and extents, and the numbers that follow a
//! pointer.
//!
//! ```text
//! k(memref<?x?xf16, strided<[?, 1]>>)      in PTX: pointer, rows, columns, leading dimension
//! --arg f16[60x100:128x1]=random           the numbers follow from the buffer: 60, 100, 128
//! --arg f16[60x128]=random --arg u64=60 …  or there is an argument for each parameter of the PTX
//! ```

use thiserror::Error;

use crate::argument::Argument;
use crate::declared::{self, Declared, Memref, Strided};
use crate::input::{ArgumentMismatch, check_one, takes_map};
use crate::placement::Placement;
use crate::tensor::Shape;
use ptx_sim::{Interface, MapPlaces};

/// Arguments that do not match the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BindError {
    /// They do not match the parameters in the PTX.
    #[error(transparent)]
    Parameter(#[from] ArgumentMismatch),
    /// They are too few or too many for the MLIR declaration.
    #[error("got {got} arguments, expected {}: {name}({}), or {parameters} with the numbers of each memref after it",
        types.len(), types.join(", "))]
    Number {
        /// The number of arguments given.
        got: usize,
        /// The kernel.
        name: String,
        /// The declared types.
        types: Vec<String>,
        /// The number of parameters in the PTX.
        parameters: usize,
    },
    /// They are too few, and the PTX does not say how to make the tensor maps that follow.
    #[error("got {got} arguments, expected {}, of which the last {maps} are tensor maps, map(…): the PTX says how to make a map \
        only where its numbers are arguments, their extents and strides, and what arith and index compute of these: {kernel}",
        kernel.params.len())]
    Maps {
        /// The number of arguments given.
        got: usize,
        /// The number of parameters that are maps.
        maps: usize,
        /// The kernel.
        kernel: Box<Interface>,
        /// Where the copy and the tile of a map are that the PTX does not say how to make.
        places: Option<Box<MapPlaces>>,
    },
    /// An argument does not have the declared type.
    #[error("argument {index}: {reason}: it is declared as {declared}")]
    Type {
        /// The index of the argument, counted from 0.
        index: usize,
        /// What is wrong.
        reason: String,
        /// The type.
        declared: String,
        /// The location of the declaration.
        place: String,
    },
}

impl BindError {
    /// The source location of the declaration that the error is about.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Type { place, .. } => Some(place),
            Self::Maps { places: Some(places), .. } => Some(&places.copy),
            _ => None,
        }
    }

    /// The source location of the tile of the map that the error is about.
    pub fn tile(&self) -> Option<&str> {
        if let Self::Maps { places: Some(places), .. } = self { Some(&places.tile) } else { None }
    }

    /// The same error, of the map of a copy.
    #[must_use]
    pub fn of_map(mut self, known: Option<MapPlaces>) -> Self {
        if let Self::Maps { places, .. } = &mut self {
            *places = known.map(Box::new);
        }
        self
    }
}

/// The numbers that follow the pointer of each argument; none where these numbers are arguments themselves.
///
/// # Errors
/// Arguments that do not fit the parameters; with `types`, also those that contradict only the declaration.
pub fn bind(
    kernel: &Interface,
    declared: &[Declared],
    arguments: &[Argument],
    types: bool,
) -> Result<Vec<Vec<u64>>, BindError> {
    let counts: Option<Vec<usize>> = declared.iter().map(Declared::parameters).collect();
    let counts = counts.filter(|counts| counts.iter().sum::<usize>() == kernel.params.len());
    let declared = if counts.is_some() { declared } else { &[] };
    let flat = arguments.len() == kernel.params.len();
    let Some(counts) = counts.filter(|counts| flat || counts.len() == arguments.len()) else {
        return Err(number(kernel, declared, arguments.len()))
            .or_else(|error| if flat { bind_parameters(kernel, arguments) } else { Err(error) });
    };
    let firsts = counts.iter().scan(0, |first, count| Some(std::mem::replace(first, *first + count)));
    let mut numbers = vec![Vec::new(); arguments.len()];
    if flat {
        bind_parameters(kernel, arguments)?;
    }
    for (position, (declared, first)) in declared.iter().zip(firsts).enumerate() {
        let index = if flat { first } else { position };
        check_one(index, &kernel.params[first], &arguments[index])?;
        if let Some(reason) = misfit(declared, &arguments[index], flat).filter(|_| types) {
            let (declared, place) = (declared.text.clone(), declared.place.clone());
            return Err(BindError::Type { index, reason, declared, place });
        }
        if let (false, Some(memref), Argument::Null) = (flat, &declared.memref, &arguments[index]) {
            numbers[index] = vec![0; memref.open_count()];
        }
        if let (false, Some(memref), Argument::Buffer { shape, placement, .. }) =
            (flat, &declared.memref, &arguments[index])
        {
            numbers[index] = memref.open(&shape.extents, &placed(shape, placement.as_ref()));
        }
    }
    Ok(numbers)
}

/// Binds one argument to each parameter of the PTX.
fn bind_parameters(kernel: &Interface, arguments: &[Argument]) -> Result<Vec<Vec<u64>>, BindError> {
    for (index, (param, argument)) in kernel.params.iter().zip(arguments).enumerate() {
        check_one(index, param, argument)?;
    }
    Ok(vec![Vec::new(); arguments.len()])
}

fn number(kernel: &Interface, declared: &[Declared], got: usize) -> BindError {
    let parameters = kernel.params.len();
    let maps = kernel.params.iter().rev().take_while(|param| takes_map(param)).count();
    if maps > 0 && got < parameters {
        return BindError::Maps { got, maps, kernel: Box::new(kernel.clone()), places: None };
    }
    if declared.len() == parameters || declared.is_empty() {
        return ArgumentMismatch::Number { got, kernel: Box::new(kernel.clone()) }.into();
    }
    let types = declared.iter().map(|declared| declared.text.clone()).collect();
    BindError::Number { got, name: kernel.name.clone(), types, parameters }
}

fn placed(shape: &Shape, placement: Option<&Placement>) -> Placement {
    placement.cloned().unwrap_or_else(|| Placement::dense(&shape.extents))
}

/// The reason why an argument does not have its declared type.
fn misfit(declared: &Declared, argument: &Argument, flat: bool) -> Option<String> {
    match (argument, &declared.memref) {
        (Argument::Scalar { element, .. }, None) => (!declared.takes_any_number()
            && !declared::holds(&declared.text, *element))
        .then(|| format!("got a number of type {element}, expected {}", declared.text)),
        (Argument::Buffer { shape, placement, .. }, Some(memref)) => {
            if !declared::holds(&memref.element, shape.element) {
                return Some(format!("got a buffer {shape}, expected elements of type {}", memref.element));
            }
            let exact = !flat || placement.is_some();
            match (exact, memref.open_count()) {
                (false, 0) => too_few(memref, shape),
                (false, _) => None,
                (true, _) if flat && memref.open_count() > 0 => None,
                (true, _) => other_extents(memref, shape).or_else(|| other_strides(memref, shape, placement.as_ref())),
            }
        }
        _ => None,
    }
}

/// The reason why a buffer's size does not fit a type without a `?`: dense elements need exactly as many, strided ones
/// at least as many.
fn too_few(memref: &Memref, shape: &Shape) -> Option<String> {
    let extents: Vec<usize> = memref.extents.iter().copied().collect::<Option<_>>()?;
    let got = shape.elements();
    let Some(Strided { strides, offset: Some(offset) }) = &memref.strided else {
        let expected = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))?;
        return (got != expected).then(|| format!("got a buffer {shape} of {got} elements, expected {expected}"));
    };
    let strides: Vec<usize> = strides.iter().copied().collect::<Option<_>>()?;
    let last = extents.iter().zip(strides).map(|(extent, stride)| stride * extent.saturating_sub(1)).sum::<usize>();
    let expected = offset + last + 1;
    (got < expected).then(|| format!("got a buffer {shape} of {got} elements, expected at least {expected}"))
}

fn other_extents(memref: &Memref, shape: &Shape) -> Option<String> {
    let (got, expected) = (shape.extents.len(), memref.extents.len());
    if got != expected {
        return Some(format!("got a buffer {shape} of {got} dimensions, expected {expected}"));
    }
    let pairs = shape.extents.iter().zip(&memref.extents).enumerate();
    let mut others = pairs.filter_map(|(dimension, (&got, expected))| {
        expected.filter(|&expected| expected != got).map(|expected| (dimension, got, expected))
    });
    let (dimension, got, expected) = others.next()?;
    Some(format!("got a buffer {shape} with extent {got} of dimension {dimension}, expected {expected}"))
}

fn other_strides(memref: &Memref, shape: &Shape, placement: Option<&Placement>) -> Option<String> {
    let got = placed(shape, placement);
    let dense = Placement::dense(&shape.extents);
    let dense = Strided { strides: dense.strides.into_iter().map(Some).collect(), offset: Some(0) };
    let expected = memref.strided.as_ref().unwrap_or(&dense);
    if let Some(expected) = expected.offset.filter(|&expected| expected != got.offset) {
        return Some(format!("got offset {}, expected {expected}", got.offset));
    }
    let pairs = got.strides.iter().zip(&expected.strides).enumerate();
    // The stride of an extent of 1 does not matter.
    let pairs = pairs.filter(|(dimension, _)| shape.extents[*dimension] > 1);
    let mut others = pairs.filter_map(|(dimension, (&got, expected))| {
        expected.filter(|&expected| expected != got).map(|expected| (dimension, got, expected))
    });
    let (dimension, got, expected) = others.next()?;
    Some(format!("got stride {got} of dimension {dimension}, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared;
    use ptx_sim::interfaces;

    /// The numbers, or the error.
    fn bound(types: &[&str], params: &str, arguments: &[&str]) -> Result<Vec<Vec<u64>>, String> {
        let comments: String = types.iter().map(|ty| format!("// argument of k at a.mlir:1:2: {ty}\n")).collect();
        let ptx = format!(".entry k({params}) {{}}\n{comments}");
        let arguments: Vec<Argument> = arguments.iter().map(|a| a.parse().unwrap()).collect();
        let declared = declared::arguments(&ptx, "k");
        bind(&interfaces(&ptx).unwrap()[0], &declared, &arguments, true).map_err(|error| error.to_string())
    }

    const POINTER: &str = ".param .u64 .ptr .align 16 a";
    const OPEN: &str = ".param .u64 .ptr a, .param .u64 o, .param .u64 m, .param .u64 n, .param .u64 s";

    #[test]
    fn numbers_follow_from_the_buffer_or_are_arguments() {
        let open = ["memref<?x?xf16, strided<[?, 1], offset: ?>>"];
        assert_eq!(bound(&open, OPEN, &["f16[60x100:128x1+8]=random"]), Ok(vec![vec![8, 60, 100, 128]]));
        assert_eq!(bound(&open, OPEN, &["f16[60x100]=random"]), Ok(vec![vec![0, 60, 100, 100]]));
        let flat = ["f16[60x128]=zeros", "u64=0", "u64=60", "u64=100", "u64=128"];
        assert_eq!(bound(&open, OPEN, &flat), Ok(vec![vec![]; 5]));
        assert_eq!(
            bound(&open, OPEN, &["f16[60x128]=zeros", "u64=0"]).unwrap_err(),
            "got 2 arguments, expected 1: k(memref<?x?xf16, strided<[?, 1], offset: ?>>), or 5 with the numbers of each \
             memref after it"
        );
        let error = bound(&open, OPEN, &["f16[60x100:1x60]=zeros"]).unwrap_err();
        assert!(
            error.starts_with("argument 0: got stride 60 of dimension 1, expected 1: it is declared as "),
            "{error}"
        );
    }

    #[test]
    fn a_map_of_unknown_numbers_is_an_argument() {
        let params = ".param .u64 .ptr a, .param .align 64 .b8 m[128]";
        let error = bound(&["memref<4x8xf16>"], params, &["f16[4x8]=zeros"]).unwrap_err();
        assert!(
            error.starts_with("got 1 arguments, expected 2, of which the last 1 are tensor maps, map(…): "),
            "{error}"
        );
    }

    #[test]
    fn elements_and_extents_are_those_of_the_type() {
        let fixed = |argument: &str| bound(&["memref<4x8xf16>"], POINTER, &[argument]);
        assert_eq!(fixed("f16[4x8]=zeros"), Ok(vec![vec![]]));
        assert_eq!(fixed("f16[32]=zeros"), Ok(vec![vec![]]));
        assert_eq!(
            fixed("f32[4x8]=zeros").unwrap_err(),
            "argument 0: got a buffer f32[4x8], expected elements of type f16: it is declared as memref<4x8xf16>"
        );
        assert!(fixed("f16[4x9]=zeros").unwrap_err().contains("got a buffer f16[4x9] of 36 elements, expected 32"));
        let padded = |argument: &str| bound(&["memref<4x8xf16, strided<[10, 1]>>"], POINTER, &[argument]);
        assert!(padded("f16[4x8:10x1]=zeros").is_ok() && padded("f16[4x10]=zeros").is_ok());
        assert!(padded("f16[4x8]=zeros").unwrap_err().contains("expected at least 38"));
        assert!(padded("f16[4x8:12x1]=zeros").unwrap_err().contains("got stride 12 of dimension 0, expected 10"));
        let rows = |argument: &str| bound(&["memref<?x8xf16>"], ".param .u64 a, .param .u64 m", &[argument]);
        assert_eq!(rows("f16[3x8]=zeros"), Ok(vec![vec![3]]));
        assert!(rows("f16[3x9]=zeros").unwrap_err().contains("with extent 9 of dimension 1, expected 8"));
        assert!(rows("f16[24]=zeros").unwrap_err().contains("of 1 dimensions, expected 2"));
    }

    #[test]
    fn numbers_have_the_declared_kind() {
        let number = |ty: &str, param: &str, argument: &str| bound(&[ty], param, &[argument]);
        assert!(number("index", ".param .u64 n", "i64=4").is_ok());
        assert!(
            number("i32", ".param .b32 n", "f32=4").unwrap_err().contains("got a number of type f32, expected i32")
        );
        assert!(number("bf16", ".param .b16 x", "f16=4").is_err() && number("bf16", ".param .b16 x", "bf16=4").is_ok());
        assert!(number("!llvm.ptr<1>", ".param .u64 .ptr a", "f32[4]=ones").is_ok());
        let none: [&str; 0] = [];
        assert_eq!(bound(&none, POINTER, &["f32[4]=ones"]), Ok(vec![vec![]]));
    }
}
