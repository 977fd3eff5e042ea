//! Execution of kernels on the CPU.

use std::ffi::c_void;
use std::io::Write;

use mlir_sys::MlirStringRef;
use ptx_sim::{Arg, Buffer, Call, Checks, Fault, LaunchConfig, LaunchError, Module, Report, Schedule};

use tile_run::options::Check;

use crate::arguments::{ErrorHandler, list, string_ref, text};
use crate::launch::{RawLaunch, named};

/// `MlirTileSimArgument`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawArgument {
    data: *mut u8,
    bytes: isize,
    is_memory: bool,
}

/// `MlirTileSimCounts`.
#[repr(C)]
pub struct RawCounts {
    opcode: MlirStringRef,
    issued: u64,
    global_bytes: u64,
    shared_bytes: u64,
    sectors: u64,
    wavefronts: u64,
    conflicts: u64,
}

/// `MlirTileSimFault`.
#[repr(C)]
pub struct RawFault {
    kind: MlirStringRef,
    text: MlirStringRef,
    ptx_line: u32,
    file: MlirStringRef,
    line: u64,
    column: u64,
}

/// `MlirTileSimListener`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Listener {
    counts: Option<unsafe extern "C" fn(*const RawCounts, *mut c_void)>,
    fault: Option<unsafe extern "C" fn(*const RawFault, *mut c_void)>,
    user_data: *mut c_void,
}

impl Listener {
    fn hear(&self, report: &Report) {
        let Some(call) = self.counts else { return };
        for (opcode, counts) in report.by_opcode() {
            let raw = RawCounts {
                opcode: string_ref(opcode),
                issued: counts.warps,
                global_bytes: counts.global_bytes,
                shared_bytes: counts.shared_bytes,
                sectors: counts.sectors,
                wavefronts: counts.wavefronts,
                conflicts: counts.bank_conflicts(),
            };
            // SAFETY: the caller's function accepts its own data, and the counts during the call.
            unsafe { call(&raw const raw, self.user_data) }
        }
    }

    fn hear_fault(&self, fault: &Fault) {
        let Some(call) = self.fault else { return };
        let (kind, text) = (fault.kind.to_string(), fault.to_string());
        let place = fault.location.as_ref();
        let raw = RawFault {
            kind: string_ref(&kind),
            text: string_ref(&text),
            ptx_line: fault.line,
            file: string_ref(place.map_or("", |place| &place.file)),
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
        };
        // SAFETY: as above.
        unsafe { call(&raw const raw, self.user_data) }
    }
}

/// Runs a kernel.
///
/// # Safety
/// Strings are null or valid; launch, arguments and listener are null or valid; each argument's data has the stated number
/// of bytes, which nothing else uses during the call; the listener's functions accept its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileSimulate(
    ptx: MlirStringRef,
    kernel: MlirStringRef,
    launch: *const RawLaunch,
    arg_count: isize,
    args: *const RawArgument,
    listener: *const Listener,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (ptx, kernel, args) =
            unsafe { (text("PTX", ptx)?, text("name of the kernel", kernel)?, list("arguments", args, arg_count)?) };
        // SAFETY: as above.
        let launch = unsafe { launch.as_ref() }.ok_or("got a null launch, expected one")?;
        // SAFETY: as above.
        let listener = unsafe { listener.as_ref() };
        // SAFETY: as above.
        let schedule = schedule(unsafe { text("schedule", launch.schedule)? })?;
        // SAFETY: as above.
        let checks = checks(unsafe { text("names of checkers", launch.no_check)? })?;
        let module = parse(ptx)?;
        let interfaces = module.kernels().filter_map(|name| module.kernel(name));
        let interface = named(interfaces, kernel)?;
        let config = LaunchConfig { checks, ..LaunchConfig::of(&launch.complete(interface)?, schedule) };
        let mut device = Device::default();
        // SAFETY: as above.
        unsafe { device.bring(args)? };
        device.call.derived(ptx, interface).map_err(|error| error.to_string())?;
        let report = device.call.launch(&module, kernel, &config);
        // What the kernel prints; a reader that has closed its end of the pipe is no error.
        let mut out = std::io::stdout();
        let _ = out.write_all(device.call.memory.take_printed().as_bytes()).and_then(|()| out.flush());
        let report = report.map_err(|error| {
            if let (LaunchError::Fault(fault), Some(listener)) = (&error, listener) {
                listener.hear_fault(fault);
            }
            error.to_string()
        })?;
        // SAFETY: as above.
        unsafe { device.take_back()? };
        if let Some(listener) = listener {
            listener.hear(&report);
        }
        Ok(true)
    })
}

/// The named schedule, or the default.
fn schedule(name: &str) -> Result<Schedule, String> {
    match name {
        "" => Ok(Schedule::Fair),
        name => name.parse().map_err(|error: ptx_sim::ScheduleError| error.to_string()),
    }
}

/// Every checker but the named ones.
fn checks(off: &str) -> Result<Checks, String> {
    Ok(Check::without(&Check::named(off).map_err(|error| error.to_string())?))
}

/// The module of a text; an error reads as on the command line.
pub fn parse(ptx: &str) -> Result<Module, String> {
    Module::parse(ptx).map_err(|error| format!("the simulator cannot run the PTX: {error}"))
}

/// A call, and the caller's arguments that are in its memory.
#[derive(Default)]
struct Device {
    call: Call,
    brought: Vec<(RawArgument, Buffer)>,
}

impl Device {
    /// Adds the arguments of the launch. Arguments that overlap share memory, as on a GPU.
    ///
    /// # Safety
    /// Each argument's data has the stated number of bytes, which are not changed during the call.
    unsafe fn bring(&mut self, args: &[RawArgument]) -> Result<(), String> {
        let mut contents = Vec::with_capacity(args.len());
        for arg in args {
            // SAFETY: by the function's own contract.
            contents.push(unsafe { list("bytes of an argument", arg.data.cast_const(), arg.bytes)? });
        }
        let memories = args.iter().zip(&contents).filter(|(arg, _)| arg.is_memory);
        let ranges: Vec<_> = memories.map(|(arg, &bytes)| (arg.data.addr(), bytes)).collect();
        let mut buffers = self.call.place_alike(&ranges).map_err(|error| error.to_string())?.into_iter();
        for (arg, bytes) in args.iter().zip(contents) {
            match arg.is_memory.then(|| buffers.next()).flatten() {
                Some(buffer) => {
                    self.brought.push((*arg, buffer));
                    self.call.pointer(buffer);
                }
                None => self.call.number(Arg::Bytes(bytes.to_vec())),
            }
        }
        Ok(())
    }

    /// Copies the bytes that have a value back.
    ///
    /// # Safety
    /// As [`Device::bring`], and nothing reads the memory during the call.
    unsafe fn take_back(&self) -> Result<(), String> {
        for &(arg, buffer) in self.brought.iter().filter(|(arg, _)| arg.bytes > 0) {
            // SAFETY: by the function's own contract.
            let host = unsafe { std::slice::from_raw_parts_mut(arg.data, arg.bytes.unsigned_abs()) };
            self.call.memory.take(buffer.start, host).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
