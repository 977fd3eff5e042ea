//! The results of a compilation besides the PTX.

use std::ffi::c_void;

use crate::raw::{RawArgument, RawKernel, RawRemark, StringRef};

/// Compiled kernels, with the remarks and warnings about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// The PTX.
    pub ptx: String,
    /// Its kernels, with what a launch needs to know about each.
    pub kernels: Vec<Kernel>,
    /// How copies and scans are lowered, and what prevented other ways.
    pub remarks: Vec<Remark>,
    /// Warnings, with their locations.
    pub warnings: Vec<String>,
}

/// A kernel, as a launch sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// The name of the entry.
    pub name: String,
    /// The threads of a block that it was compiled for.
    pub threads: Option<[u32; 3]>,
    /// The blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of static shared memory that it uses, and functions that it calls.
    pub static_shared: u64,
    /// Bytes of dynamic shared memory that a launch must give it.
    pub dynamic_shared: u64,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// The kind of value that is passed.
    pub kind: Kind,
    /// The promised alignment of the memory of an address, in bytes.
    pub alignment: Option<u64>,
    /// The type in the `gpu.func`, such as `memref<32x?xf32>`; empty where the module was lowered already.
    pub declared: String,
    /// The run-time number that it is of the memref whose address precedes it.
    pub number: Option<Number>,
}

/// The kind of value that is passed for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A 64-bit address.
    Pointer,
    /// An integer of this many bits.
    Integer(u32),
    /// A float of this many bits.
    Float(u32),
    /// A vector or an aggregate.
    Other,
}

/// A number of a memref that is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// The offset of the first element, in elements.
    Offset,
    /// The extent of a dimension.
    Extent(usize),
    /// The stride of a dimension, in elements.
    Stride(usize),
}

/// How a copy or a scan is lowered, or what prevented another way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// False for a missed remark.
    pub passed: bool,
    /// Its name, such as `gmem_smem`.
    pub name: String,
    /// Its category, such as `tile-copy`.
    pub category: String,
    /// The kernel.
    pub function: String,
    /// Pairs of a key, such as `Instructions`, and a value.
    pub args: Vec<(String, String)>,
}

/// # Safety
/// As for the functions below: pointers are valid, and the data is a [`Compiled`] that nothing else uses meanwhile.
unsafe fn compiled<'a>(data: *mut c_void) -> &'a mut Compiled {
    // SAFETY: by the function's own contract.
    unsafe { &mut *data.cast::<Compiled>() }
}

/// # Safety
/// See [`compiled`].
pub unsafe extern "C" fn on_ptx(text: StringRef, data: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe { compiled(data).ptx.push_str(&text.to_text()) }
}

/// # Safety
/// See [`compiled`].
pub unsafe extern "C" fn on_warning(text: StringRef, data: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe { compiled(data).warnings.push(text.to_text()) }
}

/// # Safety
/// See [`compiled`].
pub unsafe extern "C" fn on_kernel(kernel: *const RawKernel, data: *mut c_void) {
    // SAFETY: by the function's own contract; a kernel has the stated number of arguments.
    unsafe {
        let raw = &*kernel;
        let arguments = raw.arguments().iter().map(|argument| read(argument)).collect();
        let given = |triple: [u32; 3]| (triple != [0; 3]).then_some(triple);
        let (threads, cluster) = (given(raw.threads), given(raw.cluster));
        compiled(data).kernels.push(Kernel {
            name: raw.name.to_text(),
            threads,
            cluster,
            static_shared: raw.static_shared,
            dynamic_shared: raw.dynamic_shared,
            arguments,
        });
    }
}

/// # Safety
/// The type's text is valid.
unsafe fn read(raw: &RawArgument) -> Argument {
    let dimension = usize::try_from(raw.dimension).unwrap_or(0);
    Argument {
        kind: match raw.kind {
            1 => Kind::Pointer,
            2 => Kind::Integer(raw.bits),
            3 => Kind::Float(raw.bits),
            _ => Kind::Other,
        },
        alignment: (raw.alignment != 0).then_some(raw.alignment),
        // SAFETY: by the function's own contract.
        declared: unsafe { raw.declared.to_text() },
        number: match raw.number {
            1 => Some(Number::Offset),
            2 => Some(Number::Extent(dimension)),
            3 => Some(Number::Stride(dimension)),
            _ => None,
        },
    }
}

/// # Safety
/// See [`compiled`].
pub unsafe extern "C" fn on_remark(remark: *const RawRemark, data: *mut c_void) {
    // SAFETY: by the function's own contract; a remark has the stated number of keys and values.
    unsafe {
        let raw = &*remark;
        compiled(data).remarks.push(Remark {
            passed: raw.passed,
            name: raw.name.to_text(),
            category: raw.category.to_text(),
            function: raw.function.to_text(),
            args: raw.pairs().map(|(key, value)| (key.to_text(), value.to_text())).collect(),
        });
    }
}
