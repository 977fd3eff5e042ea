//! The interfaces of the kernels in SPIR-V: names, threads, bindings, required capabilities, and the launch notes that
//! `tile-translate` has added as texts of `OpModuleProcessed`.
//!
//! ```text
//!   tile.subgroup 32           the kernels need full subgroups of 32 threads
//!   tile.epoch 2 16383         word 2 of the numbers is an epoch, at most 16383
//!   tile.argument a.mlir:5:18: memref<?xf32>      source location and type of a declared argument
//! ```

use std::collections::HashMap;

use super::VulkanError;
use crate::declared::Declared;

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Threads of a block.
    pub threads: [u32; 3],
}

/// The kind of a binding of group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// A buffer.
    Storage,
    /// A uniform block of numbers.
    Uniform,
}

/// The epoch that kernels take, which must increase with each launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// The index of its word among the numbers.
    pub word: usize,
    /// The last valid epoch.
    pub last: u64,
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its words.
    pub words: Vec<u32>,
    /// Its kernels, in order.
    pub entries: Vec<Entry>,
    /// The bindings of group 0, numbered from 0.
    pub bindings: Vec<Binding>,
    /// The numbers of the capabilities that it declares.
    pub capabilities: Vec<u32>,
    /// Threads of a subgroup, if its kernels require one size.
    pub subgroup: Option<u32>,
    /// The position and limit of the epoch, if its kernels take one.
    pub epochs: Option<Epochs>,
    /// The declared arguments of its kernel; empty if it does not state them.
    pub arguments: Vec<Declared>,
}

const MAGIC: u32 = 0x0723_0203;
const HEADER: usize = 5;
const ENTRY_POINT: u16 = 15;
const EXECUTION_MODE: u16 = 16;
const CAPABILITY: u16 = 17;
const VARIABLE: u16 = 59;
const MODULE_PROCESSED: u16 = 330;
const DECORATE: u16 = 71;
const LOCAL_SIZE: u32 = 17;
const BINDING: u32 = 33;
const STORAGE_UNIFORM: u32 = 2;
const STORAGE_BUFFER: u32 = 12;

impl Module {
    /// Reads the bytes of a module.
    ///
    /// # Errors
    /// Bytes that are not SPIR-V, or have no kernels.
    pub fn read(bytes: &[u8]) -> Result<Self, VulkanError> {
        let error = |text: &str| VulkanError::Module(text.to_owned());
        let (words, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        if !rest.is_empty() || words.len() < HEADER || words[0] != MAGIC {
            return Err(error("it does not begin as SPIR-V does, expected words of 32 bits, little endian"));
        }
        let (mut entries, mut threads, mut numbers) = (Vec::new(), HashMap::new(), HashMap::new());
        let (mut variables, mut capabilities, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = HEADER;
        while at < words.len() {
            let length = (words[at] >> 16) as usize;
            let Some(operands) = words.get(at + 1..at + length).filter(|_| length > 0) else {
                return Err(error(&format!("the instruction at word {at} leaves the module")));
            };
            match (words[at] as u16, operands) {
                (ENTRY_POINT, [_, id, name @ ..]) => entries.push((*id, text(name))),
                (EXECUTION_MODE, [id, LOCAL_SIZE, x, y, z]) => drop(threads.insert(*id, [*x, *y, *z])),
                (CAPABILITY, [capability]) => capabilities.push(*capability),
                (MODULE_PROCESSED, note) => notes.push(text(note)),
                (DECORATE, [id, BINDING, number]) => drop(numbers.insert(*id, *number)),
                (VARIABLE, [_, id, STORAGE_BUFFER, ..]) => variables.push((*id, Binding::Storage)),
                (VARIABLE, [_, id, STORAGE_UNIFORM, ..]) => variables.push((*id, Binding::Uniform)),
                _ => {}
            }
            at += length;
        }
        let mut bound: Vec<_> =
            variables.iter().filter_map(|(id, binding)| Some((*numbers.get(id)?, *binding))).collect();
        bound.sort_unstable();
        if bound.iter().enumerate().any(|(index, (number, _))| *number as usize != index) {
            return Err(error("its bindings are not numbered from 0 on"));
        }
        let entries: Vec<Entry> =
            entries.into_iter().filter_map(|(id, name)| Some(Entry { name, threads: *threads.get(&id)? })).collect();
        if entries.is_empty() {
            return Err(error("it has no kernel"));
        }
        let (subgroup, epochs) = subgroup_and_epochs(&notes);
        let arguments = arguments(&notes);
        let bindings = bound.into_iter().map(|(_, binding)| binding).collect();
        Ok(Module { words, entries, bindings, capabilities, subgroup, epochs, arguments })
    }
}

/// The text in words, up to its first zero byte.
fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The declared arguments of a kernel; empty if the module does not state them.
fn arguments(notes: &[String]) -> Vec<Declared> {
    let stated = notes.iter().filter_map(|note| note.strip_prefix("tile.argument ")?.split_once(": "));
    stated.map(|(place, r#type)| Declared::new(place, r#type)).collect()
}

/// The notes on the subgroup size and on epochs.
fn subgroup_and_epochs(notes: &[String]) -> (Option<u32>, Option<Epochs>) {
    let words = |name: &str| {
        let text = notes.iter().find_map(|note| note.strip_prefix(name)?.strip_prefix(' '))?;
        text.split(' ').map(|word| word.parse::<u64>().ok()).collect::<Option<Vec<_>>>()
    };
    let subgroup = match words("tile.subgroup").as_deref() {
        Some([size]) => u32::try_from(*size).ok(),
        _ => None,
    };
    let epochs = match words("tile.epoch").as_deref() {
        Some([word, last]) => usize::try_from(*word).ok().map(|word| Epochs { word, last: *last }),
        _ => None,
    };
    (subgroup, epochs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_module_is_refused() {
        let error = |bytes: &[u8]| Module::read(bytes).unwrap_err().to_string();
        assert!(error(b"").contains("does not begin as SPIR-V"));
        assert!(error(b"MLIR text, not words").contains("does not begin as SPIR-V"));
        let header: Vec<u8> = [MAGIC, 0x10500, 0, 1, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(error(&header).contains("it has no kernel"));
        let cut: Vec<u8> = header.iter().copied().chain(0x0009_0011u32.to_le_bytes()).collect();
        assert!(error(&cut).contains("the instruction at word 5 leaves the module"));
        let endless: Vec<u8> = header.iter().copied().chain(0u32.to_le_bytes()).collect();
        assert!(error(&endless).contains("the instruction at word 5 leaves the module"));
    }

    #[test]
    fn notes_are_read_and_others_ignored() {
        let notes = |all: &[&str]| subgroup_and_epochs(&all.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>());
        let epochs = Epochs { word: 2, last: 16383 };
        assert_eq!(notes(&["tile.subgroup 32", "tile.epoch 2 16383"]), (Some(32), Some(epochs)));
        let taken = arguments(&["tile.argument a.mlir:5:18: memref<?xf32>".to_owned(), "tile.arguments".to_owned()]);
        assert_eq!(
            taken.iter().map(|argument| (argument.place.as_str(), argument.text.as_str())).collect::<Vec<_>>(),
            [("a.mlir:5:18", "memref<?xf32>")]
        );
        assert_eq!(notes(&["spirv-opt", "tile.subgroups 32", "tile.epoch two"]), (None, None));
    }
}
