//! Locations of instructions of LLVM IR (`cpp/LineInfo.cpp`).

use std::marker::PhantomData;

use inkwell::llvm_sys::debuginfo::{LLVMDILocationGetInlinedAt, LLVMInstructionGetDebugLoc};
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use inkwell::values::{AsValueRef, InstructionValue};
use mlir_sys::MlirStringRef;

use super::text;

/// `TileDebugLocation`.
#[repr(C)]
struct RawDebugLocation {
    line: u32,
    column: u32,
    directory: MlirStringRef,
    file: MlirStringRef,
    function: MlirStringRef,
}

unsafe extern "C" {
    fn tileDebugLocation(location: LLVMMetadataRef) -> RawDebugLocation;
    fn tileSetLine(instruction: LLVMValueRef, line: u32);
}

/// The location of an instruction: alive as long as the instruction's module, and one object for equal locations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugLocation<'m>(LLVMMetadataRef, PhantomData<&'m ()>);

/// What a location states.
pub(crate) struct SourceLine {
    pub line: u32,
    pub column: u32,
    pub path: String,
    pub function: String,
}

impl<'m> DebugLocation<'m> {
    pub(crate) fn of_instruction(instruction: InstructionValue<'m>) -> Option<Self> {
        // SAFETY: the instruction is alive.
        Self::new(unsafe { LLVMInstructionGetDebugLoc(instruction.as_value_ref()) })
    }

    fn new(location: LLVMMetadataRef) -> Option<Self> {
        (!location.is_null()).then_some(Self(location, PhantomData))
    }

    /// The location of the call that was replaced by the code that is there.
    pub(crate) fn call(self) -> Option<Self> {
        // SAFETY: the location is alive as long as the module.
        Self::new(unsafe { LLVMDILocationGetInlinedAt(self.0) })
    }

    pub(crate) fn read(self) -> SourceLine {
        // SAFETY: the location and its strings are alive as long as the module.
        unsafe {
            let RawDebugLocation { line, column, directory, file, function } = tileDebugLocation(self.0);
            let (directory, file) = (text(directory), text(file));
            let is_whole = directory.is_empty() || file.starts_with('/');
            let path = if is_whole { file.to_owned() } else { format!("{directory}/{file}") };
            SourceLine { line, column, path, function: text(function).to_owned() }
        }
    }
}

/// Gives the location of an instruction, which has one, another line.
pub(crate) fn set_line(instruction: InstructionValue<'_>, line: u32) {
    // SAFETY: the instruction is alive, and the context's locations are made by one thread.
    unsafe { tileSetLine(instruction.as_value_ref(), line) }
}
