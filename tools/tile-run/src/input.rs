//! The arguments of a launch, which match what the kernel takes.

use ptx_sim::{BufferMap, Interface, Param, TENSOR_MAP_BYTES};
use thiserror::Error;

use crate::argument::Argument;
use crate::element::{Element, ElementKind};
use crate::placement::Placement;
use crate::tensor::{Shape, Tensor};

/// A kernel argument with its contents.
#[derive(Debug)]
pub enum Input {
    /// Device memory.
    Buffer {
        /// Type and extents.
        shape: Shape,
        /// The contents before the run; `None` for poison.
        contents: Option<Box<Tensor>>,
        /// The placement of the elements; `None` for dense rows.
        placement: Option<Placement>,
        /// The numbers that the kernel takes after the pointer.
        numbers: Vec<u64>,
        /// Whether the kernel takes the pointer; else a tensor map describes the memory.
        is_passed: bool,
    },
    /// A number, by its bits.
    Scalar(Element, u64),
    /// A null pointer, and zeros for the numbers that the kernel takes after it.
    Null {
        /// How many numbers there are.
        numbers: usize,
    },
    /// A tensor map; by its address, if the kernel takes a pointer.
    Map {
        /// The map, and whose memory it describes.
        map: BufferMap,
        /// Whether the kernel takes a pointer to it.
        by_address: bool,
    },
}

/// Arguments that do not match the kernel's parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentMismatch {
    /// There are too few or too many.
    #[error("got {got} arguments, expected {}: {kernel}", kernel.params.len())]
    Number {
        /// The number of arguments given.
        got: usize,
        /// The kernel.
        kernel: Box<Interface>,
    },
    /// One has the wrong type.
    #[error("argument {index}: got {got}, expected {expected} for parameter `{name}`")]
    Type {
        /// The index of the argument, counted from 0.
        index: usize,
        /// The argument.
        got: String,
        /// What the parameter expects.
        expected: String,
        /// The parameter.
        name: String,
    },
}

/// Compares an argument with the parameter that the PTX declares.
///
/// # Errors
/// An argument of another kind or size.
pub fn check_one(index: usize, param: &Param, argument: &Argument) -> Result<(), ArgumentMismatch> {
    let (fits, got) = match argument {
        Argument::Buffer { shape, .. } => (takes_address(param), format!("a buffer {shape}")),
        Argument::Map(map) => {
            let rank = map.map.rank();
            (takes_map(param) || takes_address(param), format!("a tensor map of {rank} dimensions"))
        }
        Argument::Null => (takes_address(param), "a null pointer".into()),
        Argument::Scalar { element, .. } => (takes_number(param, *element), format!("a number of type {element}")),
    };
    if fits {
        return Ok(());
    }
    Err(ArgumentMismatch::Type { index, got, expected: expects(param), name: param.name.clone() })
}

fn takes_address(param: &Param) -> bool {
    !param.array && matches!(param.ty.as_str(), "u64" | "b64" | "s64")
}

/// Whether a parameter has the bytes of a tensor map.
pub fn takes_map(param: &Param) -> bool {
    param.array && param.size == TENSOR_MAP_BYTES as u64
}

/// Whether a parameter accepts a number. LLVM declares parameters by size alone, as an array of bytes where PTX has no
/// parameter of the type (`.b8 p[2]` for f16), or by kind as well; a declared kind must agree.
fn takes_number(param: &Param, element: Element) -> bool {
    let kind = match param.ty.as_bytes().first() {
        Some(b'f') => matches!(element.kind, ElementKind::F32 | ElementKind::F64) || element.name == "f16",
        // Integers, and small floats by their bits.
        Some(b'u' | b's') => element.is_integer() || matches!(element.kind, ElementKind::Small(_)),
        _ => true,
    };
    let form = !param.array || param.ty == "b8";
    kind && form && !param.pointer && param.size == element.bytes as u64
}

/// A description of the argument that a parameter expects.
fn expects(param: &Param) -> String {
    if takes_map(param) {
        return "a tensor map".into();
    }
    if param.array {
        return match param.size {
            2 => "a number of type f16, bf16, i16 or u16".into(),
            bytes => format!("an aggregate of {bytes} bytes, which cannot be passed here,"),
        };
    }
    let number = format!("a number of type .{}", param.ty);
    match takes_address(param) {
        true if param.pointer => "a buffer".into(),
        true => format!("a buffer or {number}"),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::bind;
    use ptx_sim::interfaces;

    fn message(params: &str, arguments: &[&str]) -> Option<String> {
        let kernel = interfaces(&format!(".entry k({params}) {{}}")).unwrap().remove(0);
        let arguments: Vec<Argument> = arguments.iter().map(|a| a.parse().unwrap()).collect();
        bind(&kernel, &[], &arguments, true).err().map(|e| e.to_string())
    }

    #[test]
    fn arguments_that_fit() {
        assert_eq!(message(".param .u64 .ptr .align 16 a, .param .b64 b", &["f32[4]=zeros", "u8[1]=ones"]), None);
        assert_eq!(message(".param .u32 n, .param .f32 x, .param .b16 h", &["i32=4", "f32=1.5", "bf16=1"]), None);
        assert_eq!(message("", &[]), None);
        for (ty, scalars) in [
            (".u8 n", &["i1=1", "i8=-3", "u8=3", "f8E4M3FN=1.5", "f8E5M2=2"][..]),
            (".align 2 .b8 n[2]", &["f16=3", "bf16=3", "u16=16896", "i16=-3"]),
            (".b16 n", &["f16=3", "bf16=3", "i16=-3"]),
            (".f32 n", &["f32=1.5"]),
            (".align 4 .b8 n[4]", &["f32=1.5", "i32=-3"]),
            (".u64 n", &["i64=-3", "u64=3", "index=3"]),
            (".f64 n", &["f64=0.5"]),
        ] {
            for &scalar in scalars {
                assert_eq!(message(&format!(".param {ty}"), &[scalar]), None, "{ty} {scalar}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let both = ".param .u64 .ptr .align 16 a, .param .u32 n";
        assert_eq!(message(both, &["i32=4"]).unwrap(), "got 1 arguments, expected 2: k(buffer, u32)");
        assert_eq!(
            message(both, &["f32[2]=ones", "f32=4"]).unwrap(),
            "argument 1: got a number of type f32, expected a number of type .u32 for parameter `n`"
        );
        assert!(message(both, &["i64=4", "i32=4"]).unwrap().contains("expected a buffer for parameter `a`"));
        assert!(message(both, &["f32[2]=ones", "f32[2]=ones"]).unwrap().starts_with("argument 1: got a buffer f32[2]"));
        assert!(message(both, &["f32[2]=ones", "i64=4"]).is_some());
        assert_eq!(message(both, &["null", "i32=4"]), None);
        assert!(message(both, &["f32[2]=ones", "null"]).unwrap().contains("got a null pointer, expected a number"));
        assert!(message(".param .b8 s[12]", &["i64=4"]).unwrap().contains("aggregate of 12 bytes"));
        let map = "map(base=0,type=u8,dims=16,box=16)";
        assert_eq!(message(".param .u64 p, .param .align 64 .b8 m[128]", &["u8[16]=ones", map]), None);
        assert_eq!(message(".param .u64 p, .param .u64 m", &["u8[16]=ones", map]), None);
        assert_eq!(
            message(".param .b8 m[128]", &["u8[16]=ones"]).unwrap(),
            "argument 0: got a buffer u8[16], expected a tensor map for parameter `m`"
        );
        assert_eq!(
            message(".param .b8 m[64]", &[map]).unwrap(),
            "argument 0: got a tensor map of 1 dimensions, expected an aggregate of 64 bytes, which cannot be passed here, for \
             parameter `m`"
        );
    }
}
