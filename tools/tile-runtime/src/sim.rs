//! The simulator as a device.

use std::collections::BTreeMap;
use std::io::Write;

use ptx_sim::{
    Arg, Checks, Interface, Launch, LaunchConfig, Memory, MemoryError, Module, Pointer, Report, Schedule,
    TENSOR_MAP_BYTES, TensorMap, TiledMap,
};

use crate::device::{Device, Failure, Table};
use crate::settings::Settings;

/// The limit of memory, in bytes, that is saved so that a launch can be repeated under another schedule.
const MAX_KEPT: usize = 1 << 30;

/// `ptx-sim`, and the memory of the host that kernels may use.
pub(crate) struct Simulator {
    memory: Memory,
    modules: Table<Module>,
    schedules: Vec<Schedule>,
    report: bool,
    /// The sizes of the host's memory ranges that kernels may use, by address.
    registered: BTreeMap<u64, usize>,
    /// The ranges that are allocated here.
    shared: BTreeMap<u64, Box<[u64]>>,
}

impl Simulator {
    pub fn new(settings: &Settings) -> Self {
        Simulator {
            memory: Memory::new(),
            modules: Table::new(),
            schedules: settings.schedules.clone(),
            report: settings.report,
            registered: BTreeMap::new(),
            shared: BTreeMap::new(),
        }
    }

    /// Runs a kernel under each schedule, from the same memory.
    fn run(&mut self, name: &str, module: &Module, launch: &Launch, args: &[Arg]) -> Result<(), Failure> {
        let failed = |reason: String| Failure::Launch { kernel: name.to_owned(), reason };
        let before = (self.schedules.len() > 1).then(|| self.memory.contents(MAX_KEPT));
        if let Some(None) = before {
            return Err(failed(format!("got more than {MAX_KEPT} bytes of memory, expected only one schedule")));
        }
        for (number, &schedule) in self.schedules.iter().enumerate() {
            if let (1.., Some(Some(before))) = (number, &before) {
                self.memory.restore(before);
            }
            let config = LaunchConfig { checks: Checks::ALL, ..LaunchConfig::of(launch, schedule) };
            let report = ptx_sim::launch(&mut self.memory, module, name, &config, args);
            // Under every schedule the text is the same.
            let printed = self.memory.take_printed();
            if number == 0 {
                print(&printed);
            }
            let report = report.map_err(|error| failed(format!("schedule {schedule}: {error}")))?;
            if self.report {
                say(name, launch, schedule, &report);
            }
        }
        Ok(())
    }

    /// Copies the host's registered memory to the device.
    fn read_host(&mut self) -> Result<(), MemoryError> {
        for (&address, &bytes) in &self.registered {
            // SAFETY: the caller that registered the range promised that it is alive, and that nothing else uses it now.
            let host = unsafe { std::slice::from_raw_parts(pointer(address).cast_const(), bytes) };
            self.memory.write(Pointer(address), host)?;
        }
        Ok(())
    }

    /// Copies the device's bytes that have a value to the host's registered memory.
    fn write_host(&self) -> Result<(), MemoryError> {
        for (&address, &bytes) in &self.registered {
            // SAFETY: as in `read_host`.
            let host = unsafe { std::slice::from_raw_parts_mut(pointer(address), bytes) };
            self.memory.take(Pointer(address), host)?;
        }
        Ok(())
    }
}

/// Prints what a kernel has printed. A reader that has closed its end of the pipe is no error.
fn print(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn say(name: &str, launch: &Launch, schedule: Schedule, report: &Report) {
    let (grid, block, issued) = (launch.grid, launch.block, report.total.warps);
    eprintln!("{name}: {grid} blocks of {block} threads, schedule {schedule}: {issued} warp instructions");
}

/// A pointer to memory of the host, from its address.
fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

fn during(what: &'static str) -> impl Fn(MemoryError) -> Failure {
    move |error| Failure::Memory { what, error }
}

impl Device for Simulator {
    fn load(&mut self, ptx: &str) -> Result<usize, Failure> {
        let module = Module::parse(ptx).map_err(|error| Failure::Module(error.to_string()))?;
        Ok(self.modules.add(module))
    }

    fn unload(&mut self, module: usize) -> Result<(), Failure> {
        self.modules.remove(module)
    }

    fn kernel(&mut self, module: usize, name: &str) -> Result<usize, Failure> {
        let kernels: Vec<&str> = self.modules.module(module)?.kernels().collect();
        if !kernels.contains(&name) {
            return Err(Failure::Kernel { got: name.to_owned(), has: kernels.join(", ") });
        }
        Ok(self.modules.number(module, name))
    }

    fn interface(&self, kernel: usize) -> Result<&Interface, Failure> {
        let (module, name) = self.modules.kernel(kernel)?;
        module.kernel(name).ok_or(Failure::Handle { what: "kernel", got: kernel })
    }

    fn launch(&mut self, kernel: usize, launch: &Launch, arguments: &[Vec<u8>]) -> Result<(), Failure> {
        self.read_host().map_err(during("reading the host's memory"))?;
        let args: Vec<Arg> = arguments.iter().cloned().map(Arg::Bytes).collect();
        let (module, name) = self.modules.kernel(kernel)?;
        let (module, name) = (module.clone(), name.to_owned());
        self.run(&name, &module, launch, &args)?;
        self.write_host().map_err(during("writing the host's memory"))
    }

    fn encode(&mut self, map: TiledMap) -> Result<[u8; TENSOR_MAP_BYTES], Failure> {
        let map = TensorMap::tiled(map).map_err(|error| Failure::TensorMap(error.to_string()))?;
        Ok(map.encode())
    }

    fn alloc(&mut self, bytes: usize, shared: bool) -> Result<u64, Failure> {
        if !shared {
            return Ok(self.memory.alloc(bytes).map_err(during("allocating"))?.0);
        }
        let mut memory = vec![0u64; bytes.div_ceil(8).max(1)].into_boxed_slice();
        let address = memory.as_mut_ptr().expose_provenance() as u64;
        self.memory.map(Pointer(address), bytes).map_err(during("allocating"))?;
        self.registered.insert(address, bytes);
        self.shared.insert(address, memory);
        Ok(address)
    }

    fn free(&mut self, address: u64) -> Result<(), Failure> {
        if self.shared.contains_key(&address) {
            self.unregister(address)?;
            self.shared.remove(&address);
            return Ok(());
        }
        self.memory.free(Pointer(address)).map_err(during("freeing"))
    }

    unsafe fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<(), Failure> {
        let (target, source) = (Pointer(to), Pointer(from));
        let failed = during("copying");
        match (self.memory.gave(target), self.memory.gave(source)) {
            (true, true) => self.memory.copy(target, source, bytes).map_err(failed),
            (true, false) => {
                // SAFETY: the caller's.
                let host = unsafe { std::slice::from_raw_parts(pointer(from).cast_const(), bytes) };
                self.memory.write(target, host).map_err(failed)
            }
            (false, true) => {
                let device = self.memory.peek(source, bytes).map_err(failed)?;
                // SAFETY: the caller's; the simulator's memory does not overlap memory of the host program.
                unsafe { std::ptr::copy_nonoverlapping(device.as_ptr(), pointer(to), bytes) };
                Ok(())
            }
            (false, false) => {
                // SAFETY: the caller's.
                unsafe { std::ptr::copy(pointer(from).cast_const(), pointer(to), bytes) };
                Ok(())
            }
        }
    }

    unsafe fn fill(&mut self, to: u64, pattern: &[u8], count: usize) -> Result<(), Failure> {
        let bytes = pattern.repeat(count);
        if self.memory.gave(Pointer(to)) {
            return self.memory.write(Pointer(to), &bytes).map_err(during("filling"));
        }
        // SAFETY: the caller's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer(to), bytes.len()) };
        Ok(())
    }

    unsafe fn register(&mut self, address: u64, bytes: usize) -> Result<(), Failure> {
        self.memory.map(Pointer(address), bytes).map_err(during("registering memory of the host"))?;
        self.registered.insert(address, bytes);
        Ok(())
    }

    fn unregister(&mut self, address: u64) -> Result<(), Failure> {
        self.memory.free(Pointer(address)).map_err(during("unregistering memory of the host"))?;
        self.registered.remove(&address);
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}
