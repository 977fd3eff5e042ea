//! What a launch needs to know about a kernel, in C's form, and all other results of a compilation.

use std::ffi::c_void;

use melior::Context;
use mlir_sys::{MlirContext, MlirStringRef};
use ptx_sim::{Dim3, Interface, Param};
use tile_passes::{Argument, ArgumentType, Kernel, MemrefNumber, Options, Ptx, Severity, embed};

use crate::arguments::{ErrorHandler, StringCallback, emit, string_ref, text};
use crate::compile::{RawOptions, named, printed, read};

/// `MlirTileRemarkCallback`; only C++ accesses the remark.
type RemarkCallback = Option<unsafe extern "C" fn(*const c_void, *mut c_void)>;

unsafe extern "C" {
    // `cpp/Remarks.cpp`
    fn mlirTileSetRemarkCallback(
        context: MlirContext,
        call: RemarkCallback,
        user_data: *mut c_void,
        on_error: ErrorHandler,
    ) -> bool;
}

/// `MlirTileArgument`.
#[repr(C)]
pub struct RawArgument {
    kind: i32,
    bits: u32,
    alignment: u64,
    declared: MlirStringRef,
    number: i32,
    dimension: isize,
}

/// `MlirTileKernel`.
#[repr(C)]
pub struct RawKernel {
    name: MlirStringRef,
    threads: [u32; 3],
    cluster: [u32; 3],
    static_shared: u64,
    dynamic_shared: u64,
    arg_count: isize,
    args: *const RawArgument,
}

/// `MlirTileKernelCallback`.
pub type KernelCallback = Option<unsafe extern "C" fn(*const RawKernel, *mut c_void)>;

/// `MlirTileCompileListener`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Listener {
    ptx: StringCallback,
    kernel: KernelCallback,
    remark: RemarkCallback,
    warning: StringCallback,
    user_data: *mut c_void,
}

impl RawKernel {
    /// The kernel of a PTX text, with its parameters.
    pub fn of_ptx(kernel: &Interface, args: &[RawArgument]) -> Self {
        let extents = |given: Option<Dim3>| given.map_or([0; 3], |extents| extents.0);
        RawKernel {
            name: string_ref(&kernel.name),
            threads: extents(kernel.needs.threads),
            cluster: extents(kernel.needs.cluster),
            static_shared: 0,
            dynamic_shared: u64::from(kernel.needs.dynamic_shared),
            arg_count: args.len() as isize,
            args: args.as_ptr(),
        }
    }

    /// Passes the kernel to the caller's function, if there is one.
    ///
    /// # Safety
    /// The function accepts the data; the arguments are alive.
    pub unsafe fn pass(&self, call: KernelCallback, user_data: *mut c_void) {
        if let Some(call) = call {
            // SAFETY: by the function's own contract.
            unsafe { call(&raw const *self, user_data) }
        }
    }
}

impl RawArgument {
    /// A parameter of a PTX text, with the text of its type.
    pub fn of_param(param: &Param, declared: &str) -> Self {
        let (kind, bits) = match param.ty.as_bytes().first() {
            _ if param.array => (0, 0),
            _ if param.pointer => (1, 64),
            Some(b'f') => (3, param.size as u32 * 8),
            _ => (2, param.size as u32 * 8),
        };
        RawArgument { kind, bits, alignment: 0, declared: string_ref(declared), number: 0, dimension: 0 }
    }

    fn of(argument: &Argument) -> Self {
        let (kind, bits) = match argument.r#type {
            ArgumentType::Pointer => (1, 64),
            ArgumentType::Integer { bits } => (2, bits),
            ArgumentType::Float { bits } => (3, bits),
            ArgumentType::TensorMap => (4, 1024),
            _ => (0, 0),
        };
        let (number, dimension) = match argument.number {
            None => (0, 0),
            Some(MemrefNumber::Offset) => (1, 0),
            Some(MemrefNumber::Extent(dimension)) => (2, dimension),
            Some(MemrefNumber::Stride(dimension)) => (3, dimension),
        };
        RawArgument {
            kind,
            bits,
            alignment: argument.alignment.unwrap_or(0),
            declared: string_ref(argument.declared.as_deref().unwrap_or_default()),
            number,
            dimension: dimension as isize,
        }
    }
}

impl Listener {
    fn hear(&self, ptx: &Ptx) {
        emit(self.ptx, self.user_data, &ptx.text);
        ptx.kernels.iter().for_each(|kernel| self.hear_kernel(kernel));
        let warnings = ptx.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
        warnings.for_each(|diagnostic| emit(self.warning, self.user_data, &diagnostic.to_string()));
    }

    fn hear_kernel(&self, kernel: &Kernel) {
        let args: Vec<RawArgument> = kernel.arguments.iter().map(RawArgument::of).collect();
        let raw = RawKernel {
            name: string_ref(&kernel.name),
            threads: kernel.required_threads.or(kernel.max_threads).unwrap_or_default(),
            cluster: kernel.cluster.unwrap_or_default(),
            static_shared: kernel.static_shared,
            dynamic_shared: kernel.dynamic_shared,
            arg_count: args.len() as isize,
            args: args.as_ptr(),
        };
        // SAFETY: the caller's function accepts its own data, and the kernel during the call.
        unsafe { raw.pass(self.kernel, self.user_data) }
    }
}

/// Compiles a text, and reports more than the PTX.
///
/// # Safety
/// Strings are null or valid; options and listener are null or valid; the listener's functions accept its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileCompileTextWith(
    source: MlirStringRef,
    name: MlirStringRef,
    options: *const RawOptions,
    listener: *const Listener,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (source, name, options) = unsafe { (text("text", source)?, text("name", name)?, read(options)?) };
        // SAFETY: as above.
        let listener = unsafe { listener.as_ref() }.ok_or("got a null listener, expected one")?;
        let context = embed::context();
        listen(&context, listener, on_error)?;
        let compiled = compile(&context, source, named(name), &options)?;
        listener.hear(&compiled);
        Ok(true)
    })
}

fn listen(context: &Context, listener: &Listener, on_error: ErrorHandler) -> Result<(), String> {
    // SAFETY: the context is alive; the listener's function accepts its data during the compilation, within the call.
    let heard = listener.remark.is_none()
        || unsafe { mlirTileSetRemarkCallback(context.to_raw(), listener.remark, listener.user_data, on_error) };
    if heard { Ok(()) } else { Err("cannot listen to remarks".to_owned()) }
}

fn compile(context: &Context, source: &str, name: &str, options: &Options) -> Result<Ptx, String> {
    let mut module = embed::parse_named(context, source, name).map_err(printed)?;
    tile_passes::compile(&mut module, options).map_err(printed)
}
