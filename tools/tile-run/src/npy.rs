//! Reads and writes arrays in numpy's file format, version 1 to 3.
//!
//! ```text
//! \x93NUMPY 1 0 <length> {'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }   \n <bytes, row-major>
//! ```
//! The file is read here, because crates for it bring a parser of Python's literals with sixteen crates below it, and have
//! no elements but Rust's own types.
//!
//! numpy has no types for bf16 and the 8-bit floats: they are stored as unsigned integers of their size, and can also
//! be read from the raw bytes (`V2`, `V1`) that the ml_dtypes package writes.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::element::{Element, ElementKind};
use crate::float::Format;
use crate::tensor::{Shape, Tensor};

/// Why a file is not the expected array.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct NpyError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug, Error)]
enum Problem {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("this is not an .npy file: {0}")]
    Format(&'static str),
    #[error("got elements of type `{got}`, expected {expected} for {element}")]
    Type { got: String, expected: String, element: Element },
    #[error("got shape ({got}), expected ({expected})")]
    Shape { got: String, expected: String },
    #[error("got Fortran order, expected C order (numpy.ascontiguousarray)")]
    Fortran,
    #[error("got {got} bytes of data, expected {expected}")]
    Length { got: usize, expected: usize },
}

/// Reads an array, which must have the type and extents of `shape`.
pub fn read(path: &Path, shape: &Shape) -> Result<Tensor, NpyError> {
    let inner = || parse(fs::read(path)?, shape);
    let bytes = inner().map_err(|problem| NpyError { path: path.into(), problem })?;
    Ok(Tensor::new(shape.clone(), bytes))
}

/// Reads an array, which must have the extents of `shape`; if the shape's elements are floats, the file may have any of
/// numpy's float types.
pub fn read_float(path: &Path, shape: &Shape) -> Result<Tensor, NpyError> {
    let inner = || {
        let file = fs::read(path)?;
        let shape = float_shape(&file, shape)?;
        parse(file, &shape).map(|bytes| Tensor::new(shape, bytes))
    };
    inner().map_err(|problem| NpyError { path: path.into(), problem })
}

/// The shape with the file's elements, where both are floats; else the shape itself.
fn float_shape(file: &[u8], shape: &Shape) -> Result<Shape, Problem> {
    let (start, end) = dictionary(file)?;
    let text = std::str::from_utf8(&file[start..end]).map_err(|_| Problem::Format("its header is not text"))?;
    let descr = quoted(value(text, "descr")?)?;
    let floats = ["f16", "f32", "f64"].into_iter().filter_map(|name| name.parse::<Element>().ok());
    let float = floats.into_iter().find(|float| names(*float).iter().any(|name| name == descr));
    let float = float.filter(|_| !shape.element.is_integer());
    // Only the size of the elements changes, by a factor of at most 8: no file is as large as what is rejected here.
    let with = |element| Shape::new(element, shape.extents.clone()).map_err(|_| Problem::Format("it is too large"));
    float.map_or(Ok(shape.clone()), with)
}

/// Writes an array; elements without a value keep whatever bits they have.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), NpyError> {
    let mut bytes = header(&tensor.shape);
    bytes.extend_from_slice(&tensor.bytes);
    fs::write(path, bytes).map_err(|e| NpyError { path: path.into(), problem: e.into() })
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// numpy's names of a type; the first is the one that is written.
fn names(element: Element) -> Vec<String> {
    let size = element.bytes;
    let order = if size == 1 { '|' } else { '<' };
    match element.kind {
        ElementKind::Signed => vec![format!("{order}i{size}")],
        ElementKind::Unsigned => vec![format!("{order}u{size}")],
        ElementKind::Bit => vec!["|b1".into()],
        ElementKind::F32 | ElementKind::F64 | ElementKind::Small(Format::F16) => vec![format!("{order}f{size}")],
        ElementKind::Small(_) => vec![format!("{order}u{size}"), format!("|V{size}"), format!("<V{size}")],
    }
}

fn tuple(extents: &[usize]) -> String {
    let extents: Vec<String> = extents.iter().map(usize::to_string).collect();
    if extents.len() == 1 { format!("{},", extents[0]) } else { extents.join(", ") }
}

/// The magic, version 1.0 and the dictionary, padded to a multiple of 64 bytes as in numpy.
fn header(shape: &Shape) -> Vec<u8> {
    let descr = &names(shape.element)[0];
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}", tuple(&shape.extents));
    let fixed = MAGIC.len() + 4;
    let padded = (fixed + text.len() + 1).next_multiple_of(64) - fixed;
    text.push_str(&" ".repeat(padded - 1 - text.len()));
    text.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    // 32 extents of 20 digits are far below version 1's limit of 65535 bytes.
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.bytes());
    out
}

/// The data of a file, after checking that it holds an array of `shape`.
fn parse(mut file: Vec<u8>, shape: &Shape) -> Result<Vec<u8>, Problem> {
    let (start, end) = dictionary(&file)?;
    let text = std::str::from_utf8(&file[start..end]).map_err(|_| Problem::Format("its header is not text"))?;
    let descr = quoted(value(text, "descr")?)?;
    let expected = names(shape.element);
    if !expected.iter().any(|e| e == descr) {
        return Err(Problem::Type { got: descr.into(), expected: expected.join(" or "), element: shape.element });
    }
    let (got, extents) = (extents(value(text, "shape")?)?, &shape.extents);
    if got != *extents {
        return Err(Problem::Shape { got: tuple(&got), expected: tuple(extents) });
    }
    if value(text, "fortran_order")?.starts_with("True") && extents.len() > 1 {
        return Err(Problem::Fortran);
    }
    file.drain(..end);
    if file.len() != shape.bytes() {
        return Err(Problem::Length { got: file.len(), expected: shape.bytes() });
    }
    Ok(file)
}

/// The start and end of the dictionary in the file.
fn dictionary(file: &[u8]) -> Result<(usize, usize), Problem> {
    let cut = Problem::Format("its header is cut off");
    if !file.starts_with(MAGIC) {
        return Err(Problem::Format("it does not begin with \\x93NUMPY"));
    }
    let (start, length) = match file.get(6..12) {
        Some(&[1, _, a, b, ..]) => (10, usize::from(u16::from_le_bytes([a, b]))),
        Some(&[2 | 3, _, a, b, c, d]) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        Some(_) => return Err(Problem::Format("its version is not 1, 2 or 3")),
        None => return Err(cut),
    };
    let end = length.checked_add(start).filter(|&end| end <= file.len());
    end.map(|end| (start, end)).ok_or(cut)
}

/// The text after `'key':` in the dictionary.
fn value<'a>(text: &'a str, key: &str) -> Result<&'a str, Problem> {
    let name = format!("'{key}':");
    let (_, rest) = text.split_once(&name).ok_or(Problem::Format("its header lacks descr, fortran_order or shape"))?;
    Ok(rest.trim_start())
}

fn quoted(text: &str) -> Result<&str, Problem> {
    let inner = text.strip_prefix('\'').and_then(|t| t.split_once('\''));
    inner.map(|(inner, _)| inner).ok_or(Problem::Format("its descr is not a plain type"))
}

fn extents(text: &str) -> Result<Vec<usize>, Problem> {
    let bad = || Problem::Format("its shape is not a tuple of numbers");
    let (inner, _) = text.strip_prefix('(').and_then(|t| t.split_once(')')).ok_or_else(bad)?;
    let digits = inner.split(',').map(str::trim).filter(|t| !t.is_empty());
    digits.map(|t| t.parse().map_err(|_| bad())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(ty: &str, extents: &[usize]) -> Shape {
        Shape::new(ty.parse().unwrap(), extents.to_vec()).unwrap()
    }

    fn file(ty: &str, extents: &[usize]) -> Vec<u8> {
        let shape = shape(ty, extents);
        let mut file = header(&shape);
        file.extend((0..shape.bytes()).map(|b| b as u8));
        file
    }

    fn error(file: Vec<u8>, ty: &str, extents: &[usize]) -> String {
        parse(file, &shape(ty, extents)).unwrap_err().to_string()
    }

    #[test]
    fn headers_are_numpys() {
        // The header that numpy 2.1 writes for zeros((2, 3), "float32").
        let numpy = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        let ours = header(&shape("f32", &[2, 3]));
        assert!(ours.starts_with(numpy) && ours.ends_with(b" \n") && ours.len() == 128);
        let text = String::from_utf8_lossy(&header(&shape("u8", &[7]))[10..]).into_owned();
        assert!(text.starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }"), "{text}");
    }

    #[test]
    fn arrays_round_trip() {
        for ty in ["i8", "u16", "f16", "bf16", "f32", "f64", "f8E4M3FN"] {
            for extents in [&[5][..], &[2, 3], &[2, 1, 4]] {
                let data = parse(file(ty, extents), &shape(ty, extents)).unwrap();
                assert!(data.iter().enumerate().all(|(i, &b)| b == i as u8), "{ty} {extents:?}");
            }
        }
    }

    #[test]
    fn other_versions_and_raw_bytes_are_read() {
        let text = b"{'shape': (2,), 'fortran_order': False, 'descr': '<V2'}";
        let mut file = b"\x93NUMPY\x02\x00".to_vec();
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(text);
        file.extend([1, 2, 3, 4]);
        assert_eq!(parse(file, &shape("bf16", &[2])).unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn floats_of_another_type_are_read_as_they_are() {
        let read = |ty: &str, other: &str| float_shape(&file(other, &[2, 3]), &shape(ty, &[2, 3])).unwrap();
        assert_eq!(read("f16", "f64"), shape("f64", &[2, 3]));
        assert_eq!(read("bf16", "f32"), shape("f32", &[2, 3]));
        assert_eq!((read("bf16", "u16"), read("i32", "f32")), (shape("bf16", &[2, 3]), shape("i32", &[2, 3])));
    }

    proptest::proptest! {
        /// Whatever a file holds, reading gives an array or an error.
        #[test]
        fn broken_files_are_errors(at in 0usize..128, byte: u8, cut in 0usize..160) {
            let mut broken = file("f32", &[2, 3]);
            broken[at] = byte;
            broken.truncate(cut);
            if let Ok(data) = parse(broken, &shape("f32", &[2, 3])) {
                proptest::prop_assert_eq!(data.len(), 24);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(error(file("f64", &[2]), "f32", &[2]), "got elements of type `<f8`, expected <f4 for f32");
        assert_eq!(error(file("f32", &[2, 3]), "f32", &[6]), "got shape (2, 3), expected (6,)");
        let mut long = file("f32", &[2]);
        long.push(0);
        assert_eq!(error(long, "f32", &[2]), "got 9 bytes of data, expected 8");
        let fortran = String::from_utf8_lossy(&file("u8", &[2, 2])[6..]).replace("False", "True ");
        let fortran = [MAGIC, fortran.as_bytes()].concat();
        assert!(error(fortran, "u8", &[2, 2]).starts_with("got Fortran order"));
        assert!(error(b"PK".to_vec(), "u8", &[1]).contains("does not begin with"));
        for cut in 6..128 {
            assert!(error(file("f32", &[2])[..cut].to_vec(), "f32", &[2]).contains("cut off"), "{cut}");
        }
    }
}
