//! What SPIR-V says of its kernels: names, threads, bindings, and what they need of a device.

use std::collections::HashMap;

use super::VulkanError;
use super::notes::{self, Epochs};
use crate::declared::Declared;

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Threads of a block.
    pub threads: [u32; 3],
}

/// What a binding of group 0 takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// A buffer.
    Storage,
    /// Numbers.
    Uniform,
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its words.
    pub words: Vec<u32>,
    /// Its kernels, in its order.
    pub entries: Vec<Entry>,
    /// Bindings of group 0, from 0 on.
    pub bindings: Vec<Binding>,
    /// Numbers of the capabilities that it declares.
    pub capabilities: Vec<u32>,
    /// Threads of a subgroup, where its kernels are for one size.
    pub subgroup: Option<u32>,
    /// Where its kernels take an epoch, and up to which one.
    pub epochs: Option<Epochs>,
    /// What its kernel is declared to take; nothing where it does not say.
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
    /// Bytes that are no SPIR-V, or have no kernels.
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
        let (subgroup, epochs) = notes::read(&notes);
        let arguments = notes::arguments(&notes);
        let bindings = bound.into_iter().map(|(_, binding)| binding).collect();
        Ok(Module { words, entries, bindings, capabilities, subgroup, epochs, arguments })
    }
}

/// A text of words, up to its first zero byte.
fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
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
}
