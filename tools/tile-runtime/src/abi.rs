//! The functions that the host program calls, with upstream's names and types (`mlir/lib/ExecutionEngine`,
//! CudaRuntimeWrappers). None of them unwinds.
//!
//! Streams and events are only names: everything happens in the order of the calls.

use std::ffi::{CStr, c_char, c_void};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::without_provenance_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ptx_sim::{Dim3, Interface, Launch};

use crate::arguments;
use crate::device::{Device, Failure};
use crate::gpu::Cuda;
use crate::settings::{DeviceKind, Settings};
use crate::sim::Simulator;

/// The device, from the first call to the end of the program.
static DEVICE: Mutex<RuntimeState> = Mutex::new(RuntimeState::Unopened);

enum RuntimeState {
    Unopened,
    Open(Box<dyn Device>),
    /// The program is ending: the driver may be gone before the destructors of the program run.
    Closed,
}

fn device() -> MutexGuard<'static, RuntimeState> {
    // A thread that failed while holding the lock has ended the program.
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of any stream or event.
const NAME: usize = 1;

fn open() -> Result<Box<dyn Device>, Failure> {
    let settings = Settings::of_process()?;
    let device: Box<dyn Device> = match settings.device {
        DeviceKind::Simulator => Box::new(Simulator::new(&settings)),
        DeviceKind::Cuda => Box::new(Cuda::new(&settings)?),
    };
    // Registered after the driver's own exit function, so that it runs before that.
    // SAFETY: `close` does not unwind.
    if unsafe { libc::atexit(close) } != 0 {
        return Err(Failure::Setting("no function can be registered for the end of the program".to_owned()));
    }
    Ok(device)
}

/// At the end of the program: waits for what still runs, and reports errors.
extern "C" fn close() {
    let outcome = catch_unwind(AssertUnwindSafe(|| match std::mem::replace(&mut *device(), RuntimeState::Closed) {
        RuntimeState::Open(mut device) => device.wait(),
        RuntimeState::Unopened | RuntimeState::Closed => Ok(()),
    }));
    if let Ok(Err(failure)) = outcome {
        say(&failure);
        // SAFETY: it does not return. The program is already ending, with another status.
        unsafe { libc::_exit(1) }
    }
}

fn say(reason: &dyn Display) {
    eprintln!("tile-runtime: error: {reason}");
}

/// Runs an operation on the device. `mgpu…` functions return no errors, so a failure ends the program.
pub(crate) fn with<R>(work: impl FnOnce(&mut dyn Device) -> Result<R, Failure>) -> R {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut state = device();
        if matches!(*state, RuntimeState::Unopened) {
            *state = RuntimeState::Open(open()?);
        }
        match &mut *state {
            RuntimeState::Open(device) => work(&mut **device),
            _ => Err(Failure::Ended),
        }
    }));
    match outcome {
        Ok(Ok(result)) => return result,
        Ok(Err(failure)) => say(&failure),
        Err(_) => say(&"an error in the runtime itself"),
    }
    *device() = RuntimeState::Closed;
    std::process::exit(1)
}

fn handle(number: usize) -> *mut c_void {
    without_provenance_mut(number)
}

/// The text of a module, without trailing zeros.
fn text(bytes: &[u8]) -> Result<&str, Failure> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let ptx = std::str::from_utf8(&bytes[..end]).ok().filter(|text| text.contains(".version"));
    ptx.ok_or_else(|| Failure::Module("got a binary, expected PTX (--tile-embed-ptx, or format=isa)".to_owned()))
}

/// # Safety
/// `data` points to `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuModuleLoad(data: *const c_void, bytes: usize) -> *mut c_void {
    with(|device| {
        if data.is_null() {
            return Err(Failure::Null { what: "a module", bytes });
        }
        // SAFETY: the caller's.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), bytes) };
        device.load(text(bytes)?).map(handle)
    })
}

/// The text comes without its size: upstream ends it with a zero.
///
/// # Safety
/// `data` points to bytes that end in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuModuleLoadJIT(data: *const c_char, _level: i32) -> *mut c_void {
    with(|device| {
        if data.is_null() {
            return Err(Failure::Null { what: "a module", bytes: 0 });
        }
        // SAFETY: the caller's.
        device.load(text(unsafe { CStr::from_ptr(data) }.to_bytes())?).map(handle)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuModuleUnload(module: *mut c_void) {
    // Called from a destructor of the program: the module was freed with the device.
    if !matches!(*device(), RuntimeState::Closed) {
        with(|device| device.unload(module.addr()));
    }
}

/// # Safety
/// `name` points to a string that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuModuleGetFunction(module: *mut c_void, name: *const c_char) -> *mut c_void {
    with(|device| {
        if name.is_null() {
            return Err(Failure::Null { what: "the name of a kernel", bytes: 0 });
        }
        // SAFETY: the caller's.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        device.kernel(module.addr(), &name).map(handle)
    })
}

/// The host's extents, checked to fit 32 bits.
fn extents(kernel: &str, what: &str, given: [isize; 3]) -> Result<Dim3, Failure> {
    let [x, y, z] = given;
    let narrow = |_| {
        let reason = format!("got {what} of {x}x{y}x{z}, expected numbers of 32 bits");
        Failure::Launch { kernel: kernel.to_owned(), reason }
    };
    match (u32::try_from(x), u32::try_from(y), u32::try_from(z)) {
        (Ok(x), Ok(y), Ok(z)) => Ok(Dim3([x, y, z])),
        (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => Err(narrow(error)),
    }
}

/// The host's bytes of dynamic shared memory, checked not to be negative.
fn dynamic_shared(kernel: &str, given: i32) -> Result<u32, Failure> {
    u32::try_from(given).map_err(|_| {
        let reason = format!("got {given} bytes of dynamic shared memory, expected 0 or more");
        Failure::Launch { kernel: kernel.to_owned(), reason }
    })
}

/// The shape of a launch.
struct Shape {
    cluster: Option<[isize; 3]>,
    grid: [isize; 3],
    block: [isize; 3],
    dynamic_shared: i32,
}

/// # Safety
/// As [`mgpuLaunchKernel`].
unsafe fn launch(kernel: *mut c_void, shape: &Shape, parameters: *mut *mut c_void, count: usize) {
    with(|device| {
        let Interface { name, params, .. } = device.interface(kernel.addr())?.clone();
        let sizes: Vec<usize> = params.iter().map(|param| param.size as usize).collect();
        let launch = Launch {
            grid: extents(&name, "a grid", shape.grid)?,
            block: extents(&name, "a block", shape.block)?,
            cluster: shape.cluster.map(|cluster| extents(&name, "a cluster", cluster)).transpose()?,
            dynamic_shared: dynamic_shared(&name, shape.dynamic_shared)?,
        };
        // SAFETY: the caller's.
        let arguments = unsafe { arguments::read(&name, parameters.cast_const().cast(), count, &sizes)? };
        device.launch(kernel.addr(), &launch, &arguments)
    });
}

/// # Safety
/// `parameters` points to `count` pointers, each to an argument of the kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuLaunchKernel(
    kernel: *mut c_void,
    grid_x: isize,
    grid_y: isize,
    grid_z: isize,
    block_x: isize,
    block_y: isize,
    block_z: isize,
    dynamic_shared: i32,
    _stream: *mut c_void,
    parameters: *mut *mut c_void,
    _extra: *mut *mut c_void,
    count: usize,
) {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    // SAFETY: the caller's.
    unsafe { launch(kernel, &Shape { cluster: None, grid, block, dynamic_shared }, parameters, count) }
}

/// # Safety
/// As [`mgpuLaunchKernel`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuLaunchClusterKernel(
    kernel: *mut c_void,
    cluster_x: isize,
    cluster_y: isize,
    cluster_z: isize,
    grid_x: isize,
    grid_y: isize,
    grid_z: isize,
    block_x: isize,
    block_y: isize,
    block_z: isize,
    dynamic_shared: i32,
    _stream: *mut c_void,
    parameters: *mut *mut c_void,
    _extra: *mut *mut c_void,
    count: usize,
) {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let cluster = Some([cluster_x, cluster_y, cluster_z]);
    // SAFETY: the caller's.
    unsafe { launch(kernel, &Shape { cluster, grid, block, dynamic_shared }, parameters, count) }
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuStreamCreate() -> *mut c_void {
    handle(NAME)
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuStreamDestroy(_stream: *mut c_void) {}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuStreamSynchronize(_stream: *mut c_void) {
    with(|device| device.wait());
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuStreamWaitEvent(_stream: *mut c_void, _event: *mut c_void) {}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuEventCreate() -> *mut c_void {
    handle(NAME)
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuEventDestroy(_event: *mut c_void) {}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuEventSynchronize(_event: *mut c_void) {
    with(|device| device.wait());
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuEventRecord(_event: *mut c_void, _stream: *mut c_void) {}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuMemAlloc(bytes: u64, _stream: *mut c_void, shared_with_host: bool) -> *mut c_void {
    with(|device| {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let address = device.alloc(bytes, shared_with_host)?;
        Ok(std::ptr::with_exposed_provenance_mut(address as usize))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuMemFree(memory: *mut c_void, _stream: *mut c_void) {
    with(|device| if memory.is_null() { Ok(()) } else { device.free(memory.addr() as u64) });
}

/// # Safety
/// Each address that belongs to the host has `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemcpy(to: *mut c_void, from: *mut c_void, bytes: usize, _stream: *mut c_void) {
    with(|device| match bytes {
        0 => Ok(()),
        _ if to.is_null() || from.is_null() => Err(Failure::Null { what: "a copy", bytes }),
        // SAFETY: the caller's.
        _ => unsafe { device.copy(to.expose_provenance() as u64, from.expose_provenance() as u64, bytes) },
    });
}

/// # Safety
/// If the address belongs to the host, it has `count` times 4 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemset32(to: *mut c_void, value: u32, count: usize, _stream: *mut c_void) {
    // SAFETY: the caller's.
    unsafe { fill(to, &value.to_le_bytes(), count) }
}

/// # Safety
/// If the address belongs to the host, it has `count` times 2 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemset16(to: *mut c_void, value: u16, count: usize, _stream: *mut c_void) {
    // SAFETY: the caller's.
    unsafe { fill(to, &value.to_le_bytes(), count) }
}

/// # Safety
/// If the address belongs to the host, it has `count` times the bytes of the pattern.
unsafe fn fill(to: *mut c_void, pattern: &[u8], count: usize) {
    with(|device| match count {
        0 => Ok(()),
        _ if to.is_null() => Err(Failure::Null { what: "a fill", bytes: pattern.len() * count }),
        // SAFETY: the caller's.
        _ => unsafe { device.fill(to.expose_provenance() as u64, pattern, count) },
    });
}

/// # Safety
/// `bytes` bytes are alive until [`mgpuMemHostUnregister`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemHostRegister(memory: *mut c_void, bytes: u64) {
    with(|device| match usize::try_from(bytes).unwrap_or(usize::MAX) {
        0 => Ok(()),
        bytes if memory.is_null() => Err(Failure::Null { what: "memory of the host", bytes }),
        // SAFETY: the caller's.
        bytes => unsafe { device.register(memory.expose_provenance() as u64, bytes) },
    });
}

/// # Safety
/// `descriptor` points to the descriptor of a memref of `rank` dimensions, which is alive until
/// [`mgpuMemHostUnregisterMemRef`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemHostRegisterMemRef(rank: i64, descriptor: *mut c_void, element: i64) {
    with(|device| {
        let rank = usize::try_from(rank).unwrap_or(0);
        // SAFETY: the caller's.
        let (address, bytes) = unsafe { arguments::covered(rank, descriptor.cast_const().cast(), element) };
        // SAFETY: the caller's.
        if bytes == 0 { Ok(()) } else { unsafe { device.register(address, bytes) } }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuMemHostUnregister(memory: *mut c_void) {
    with(|device| device.unregister(memory.addr() as u64));
}

/// # Safety
/// As [`mgpuMemHostRegisterMemRef`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mgpuMemHostUnregisterMemRef(rank: i64, descriptor: *mut c_void, element: i64) {
    with(|device| {
        let rank = usize::try_from(rank).unwrap_or(0);
        // SAFETY: the caller's.
        let (address, bytes) = unsafe { arguments::covered(rank, descriptor.cast_const().cast(), element) };
        if bytes == 0 { Ok(()) } else { device.unregister(address) }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn mgpuSetDefaultDevice(_device: i32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_dynamic_shared_memory_are_not_negative() {
        assert_eq!(dynamic_shared("copy", 4096).ok(), Some(4096));
        let refused = dynamic_shared("copy", -1).expect_err("a negative number");
        assert!(refused.to_string().contains("got -1 bytes of dynamic shared memory, expected 0 or more"), "{refused}");
    }
}
