//! A launch: its shape, and arguments that match the kernel.

use std::fmt;
use std::str::FromStr;

use ptx_sim::{LaunchConfig, Schedule};
use thiserror::Error;

use crate::argument::Argument;
use crate::element::{Element, Kind};
use crate::placement::Placement;
use crate::signature::{Param, Signature};
use crate::tensor::{Shape, Tensor};

/// Extents in x, y and z: `4,2` is 4x2x1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dim3(pub [u32; 3]);

/// A text that is not a [`Dim3`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected one to three numbers from 1, as in 4,2,1")]
pub struct Dim3Error;

impl FromStr for Dim3 {
    type Err = Dim3Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<u32> = text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| Dim3Error)?;
        if numbers.len() > 3 || numbers.contains(&0) {
            return Err(Dim3Error);
        }
        let mut extents = [1; 3];
        extents[..numbers.len()].copy_from_slice(&numbers);
        Ok(Self(extents))
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "{x}x{y}x{z}")
    }
}

/// The shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Blocks of a cluster; `None` leaves it to the kernel.
    pub cluster: Option<Dim3>,
    /// Bytes of dynamic shared memory of a block.
    pub dynamic_shared: u32,
}

impl Launch {
    /// The launch in the simulator, under a schedule and with all checks.
    pub fn config(&self, schedule: Schedule) -> LaunchConfig {
        LaunchConfig {
            grid: self.grid.0,
            block: self.block.0,
            cluster: self.cluster.map(|cluster| cluster.0),
            dynamic_shared: self.dynamic_shared,
            schedule,
            ..LaunchConfig::new(1, 1)
        }
    }
}

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
    },
    /// A number, by its bits.
    Scalar(Element, u64),
}

/// Arguments that do not match the kernel's parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentMismatch {
    /// There are too few or too many.
    #[error("got {got} arguments, expected {}: {signature}", signature.params.len())]
    Number {
        /// The number of arguments given.
        got: usize,
        /// The kernel.
        signature: Signature,
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
        Argument::Scalar { element, .. } => (takes_number(param, *element), format!("a number of type {element}")),
    };
    if fits {
        return Ok(());
    }
    Err(ArgumentMismatch::Type { index, got, expected: param.expects(), name: param.name.clone() })
}

fn takes_address(param: &Param) -> bool {
    !param.array && matches!(param.ty.as_str(), "u64" | "b64" | "s64")
}

/// Whether a parameter accepts a number. LLVM declares parameters by size alone, or by kind as well; a declared kind
/// must agree.
fn takes_number(param: &Param, element: Element) -> bool {
    let kind = match param.ty.as_bytes().first() {
        Some(b'f') => matches!(element.kind, Kind::F32 | Kind::F64) || element.name == "f16",
        Some(b'u' | b's') => element.is_integer(),
        _ => true,
    };
    kind && !param.array && !param.pointer && param.bytes == element.bytes
}

impl Param {
    /// A description of the argument that the parameter expects.
    fn expects(&self) -> String {
        if self.array {
            return format!("an aggregate of {} bytes, which cannot be passed here,", self.bytes);
        }
        let number = format!("a number of type .{}", self.ty);
        match takes_address(self) {
            true if self.pointer => "a buffer".into(),
            true => format!("a buffer or {number}"),
            false => number,
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.params.iter().map(|p| match (p.pointer, p.array) {
            (true, _) => "buffer".into(),
            (_, true) => format!("{} bytes", p.bytes),
            _ => p.ty.clone(),
        });
        write!(f, "{}({})", self.name, types.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::bind;
    use crate::signature::kernels;

    fn message(params: &str, arguments: &[&str]) -> Option<String> {
        let signature = kernels(&format!(".entry k({params}) {{}}")).unwrap().remove(0);
        let arguments: Vec<Argument> = arguments.iter().map(|a| a.parse().unwrap()).collect();
        bind(&signature, &[], &arguments, true).err().map(|e| e.to_string())
    }

    #[test]
    fn dimensions() {
        assert_eq!("4,2".parse(), Ok(Dim3([4, 2, 1])));
        for text in ["", "0", "1,2,3,4", "4x2", "-1"] {
            assert_eq!(text.parse::<Dim3>(), Err(Dim3Error), "{text}");
        }
    }

    #[test]
    fn arguments_that_fit() {
        assert_eq!(message(".param .u64 .ptr .align 16 a, .param .b64 b", &["f32[4]=zeros", "u8[1]=ones"]), None);
        assert_eq!(message(".param .u32 n, .param .f32 x, .param .b16 h", &["i32=4", "f32=1.5", "bf16=1"]), None);
        assert_eq!(message("", &[]), None);
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
        assert!(message(".param .b8 s[8]", &["i64=4"]).unwrap().contains("aggregate of 8 bytes"));
    }
}
