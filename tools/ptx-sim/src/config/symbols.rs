//! Addresses of a module's variables.

use super::LaunchConfig;
use crate::code::{KernelCode, Program, Symbol};
use crate::decode::function_address;
use crate::memory::{Memory, MemoryError, Pointer};
use crate::module::Module;
use crate::parse::Space;

/// The shared memory of a block, variable by variable.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables {
    /// The first byte and the one after the last, by symbol; none if it is not a shared variable of this kernel.
    pub(crate) by_symbol: Vec<Option<(u64, u64)>>,
    /// The same ranges in order of address, with the symbol; dynamic shared memory has none.
    pub(crate) all: Vec<(u64, u64, Option<u32>)>,
}

impl Variables {
    /// The range of the variable that contains an offset.
    pub(crate) fn around(&self, offset: u64) -> Option<(u64, u64)> {
        let next = self.all.partition_point(|&(start, ..)| start <= offset);
        let (start, end, _) = self.all[..next].last()?;
        (offset < *end).then_some((*start, *end))
    }
}

/// The addresses of the variables of a launch.
#[derive(Debug, Clone)]
pub(crate) struct Symbols {
    /// The address of each symbol; in shared memory its offset.
    pub(crate) addresses: Vec<u64>,
    /// Shared memory of a block, in bytes.
    pub(crate) shared_bytes: u64,
    pub(crate) variables: Variables,
    /// The memory through which a grid of a cooperative launch synchronizes; 0 if the kernel does not ask for it.
    pub(crate) workspace: u64,
}

/// Assigns every symbol its address.
pub(crate) fn place_symbols(
    memory: &mut Memory,
    module: &Module,
    kernel: &KernelCode,
    config: &LaunchConfig,
) -> Result<Symbols, MemoryError> {
    let program = &*module.program;
    let mut addresses = vec![0; program.symbols.len()];
    let mut variables = Variables { by_symbol: vec![None; addresses.len()], all: Vec::new() };
    let mut end = 0u64;
    let shared = |s: &Symbol| matches!(s.space, Space::Shared | Space::SharedCluster);
    for &index in kernel.symbols.iter().filter(|&&i| shared(&program.symbols[i as usize])) {
        let symbol = &program.symbols[index as usize];
        let Some(size) = symbol.size else { continue };
        addresses[index as usize] = end.next_multiple_of(symbol.align);
        let start = addresses[index as usize];
        end = start.saturating_add(size);
        variables.by_symbol[index as usize] = Some((start, end));
        variables.all.push((start, end, Some(index)));
    }
    // Dynamic shared memory comes last; all its names have the same address.
    let dynamic = program.symbols.iter().filter(|s| shared(s) && s.size.is_none());
    let align = dynamic.map(|s| s.align).max().unwrap_or(1).max(16);
    let start = if config.dynamic_shared > 0 { end.next_multiple_of(align) } else { end };
    let shared_bytes = start.saturating_add(config.dynamic_shared.into());
    for (index, symbol) in program.symbols.iter().enumerate() {
        if shared(symbol) && symbol.size.is_none() {
            addresses[index] = start;
            variables.by_symbol[index] = Some((start, shared_bytes));
        }
    }
    if config.dynamic_shared > 0 {
        variables.all.push((start, shared_bytes, None));
    }
    place_globals(memory, module, program, &mut addresses)?;
    let workspace = if program.cooperates { memory.alloc_with(&[0; WORKSPACE])?.0 } else { 0 };
    Ok(Symbols { addresses, shared_bytes, variables, workspace })
}

/// Bytes of the memory through which a grid synchronizes: its size, and the barrier (CUDA C++, `cooperative_groups`).
const WORKSPACE: usize = 64;

/// Allocates and initializes the module's variables, on the first launch of their module only.
fn place_globals(
    memory: &mut Memory,
    module: &Module,
    program: &Program,
    addresses: &mut [u64],
) -> Result<(), MemoryError> {
    let mut fresh = Vec::new();
    for (index, symbol) in program.symbols.iter().enumerate() {
        if !matches!(symbol.space, Space::Global | Space::Const) {
            continue;
        }
        let key = (module.id, index as u32);
        addresses[index] = match memory.symbols.get(&key) {
            Some(&address) => address,
            None => {
                let size = symbol.size.unwrap_or(0) as usize;
                let pointer = memory.alloc_aligned(size, symbol.align)?;
                let mut bytes = symbol.init.clone();
                bytes.resize(size, 0);
                memory.write(pointer, &bytes)?;
                memory.symbols.insert(key, pointer.0);
                fresh.push(index);
                pointer.0
            }
        };
    }
    for index in fresh {
        let symbol = &program.symbols[index];
        for r in &symbol.relocations {
            let variable = program.symbols.iter().position(|s| s.name == r.symbol).map(|i| addresses[i]);
            let function = || program.functions.get(&r.symbol).map(|&index| function_address(index));
            let target = variable.or_else(function).unwrap_or(0);
            let value = target.wrapping_add_signed(r.addend);
            memory.write(Pointer(addresses[index] + r.offset), &value.to_le_bytes())?;
        }
        let (allocation, _) = memory.find(addresses[index], 0).unwrap_or_default();
        memory.allocations[allocation].read_only = symbol.space == Space::Const;
    }
    Ok(())
}
