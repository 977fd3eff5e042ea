//! What comes of a compilation besides the PTX.

use std::ffi::c_void;

use crate::raw::{RawArgument, RawKernel, RawRemark, StringRef};

/// Kernels, and what was said of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// The PTX.
    pub ptx: String,
    /// Its kernels, and what a launch must know of each.
    pub kernels: Vec<Kernel>,
    /// How copies and scans are done, and why not otherwise.
    pub remarks: Vec<Remark>,
    /// With their places.
    pub warnings: Vec<String>,
}

/// A kernel, as a launch sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// The name of the entry.
    pub name: String,
    /// Threads of a block that it was compiled for.
    pub threads: Option<[u32; 3]>,
    /// Blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// What is passed, in order.
    pub arguments: Vec<Argument>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// What is passed.
    pub kind: Kind,
    /// What the memory of an address is promised to be aligned to, in bytes.
    pub alignment: Option<u64>,
    /// The type in the `gpu.func`, such as `memref<32x?xf32>`; empty where the module was lowered already.
    pub declared: String,
    /// Which number it is of the memref whose address comes before.
    pub number: Option<Number>,
}

/// What is passed for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A 64-bit address.
    Pointer,
    /// An integer of so many bits.
    Integer(u32),
    /// A float of so many bits.
    Float(u32),
    /// A vector or an aggregate.
    Other,
}

/// A number of a memref that only the run knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Of the first element, in elements.
    Offset,
    /// In a dimension.
    Extent(usize),
    /// In a dimension, in elements.
    Stride(usize),
}

/// How a copy or a scan is done, or why not otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// False: a missed one.
    pub passed: bool,
    /// Its name, such as `gmem_smem`.
    pub name: String,
    /// Its category, such as `tile-copy`.
    pub category: String,
    /// The kernel.
    pub function: String,
    /// Pairs, such as `Instructions` and what they are.
    pub args: Vec<(String, String)>,
}

/// # Safety
/// As that of each function: what is pointed to is valid, and the data is a [`Compiled`] that nothing else uses meanwhile.
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
    // SAFETY: by the function's own contract; a kernel has as many arguments as it says.
    unsafe {
        let raw = &*kernel;
        let arguments = raw.arguments().iter().map(|argument| read(argument)).collect();
        let given = |triple: [u32; 3]| (triple != [0; 3]).then_some(triple);
        let (threads, cluster) = (given(raw.threads), given(raw.cluster));
        compiled(data).kernels.push(Kernel { name: raw.name.to_text(), threads, cluster, arguments });
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
    // SAFETY: by the function's own contract; a remark has as many keys and values as it says.
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
