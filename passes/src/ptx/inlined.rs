//! Calls of functions that have been inlined, in line information.
//!
//! Of such an instruction the back end of LLVM 22 prints the line in the function that was called. From version 7.2 on PTX can state
//! the call, too, as LLVM 23 does, and profilers show it:
//!
//! ```text
//!   .loc 1 8 5                .loc 1 12 5
//!                             .loc 1 8 5, function_name $L__info_string0, inlined_at 1 12 5
//! ```
//!
//! So each location with a call gets a line of its own, by which it is found in the text.

use std::collections::HashMap;

use indexmap::IndexSet;
use inkwell::module::Module;
use inkwell::support::get_llvm_version;

use super::unsigned::instructions;
use crate::shim::debug_location::{DebugLocation, set_line};

/// The version of PTX, times ten, that has `inlined_at`, and the LLVM that prints it.
const FIRST_PTX: u32 = 72;
const FIRST_LLVM: u32 = 23;
/// The line by which the first location is found.
const FIRST_LINE: u32 = 1 << 31;

/// The locations with calls, each found by the line [`FIRST_LINE`] and its index.
pub(super) struct Inlined<'m>(IndexSet<DebugLocation<'m>>);

impl<'m> Inlined<'m> {
    /// Gives the locations of a module that have calls the lines by which [`Self::state`] finds them.
    pub(super) fn mark(module: &Module<'m>, ptx_version: u32) -> Self {
        let mut locations = IndexSet::new();
        let is_needed = ptx_version >= FIRST_PTX && get_llvm_version().0 < FIRST_LLVM;
        for instruction in module.get_functions().filter(|_| is_needed).flat_map(instructions) {
            let location = DebugLocation::of_instruction(instruction);
            if let Some(location) = location.filter(|location| location.call().is_some()) {
                set_line(instruction, FIRST_LINE + locations.insert_full(location).0 as u32);
            }
        }
        Self(locations)
    }

    /// The text that the back end printed of the module, with calls.
    pub(super) fn state(&self, text: String) -> String {
        if self.0.is_empty() {
            return text;
        }
        let mut stating = Stating::new(&text);
        for line in text.split_inclusive('\n') {
            match self.marked(line) {
                Some(&location) => stating.state(location),
                None => stating.copy(line),
            }
        }
        stating.end()
    }

    /// The location whose line a `.loc` has.
    fn marked(&self, line: &str) -> Option<&DebugLocation<'m>> {
        let line: u32 = line.strip_prefix("\t.loc\t")?.split_whitespace().nth(1)?.parse().ok()?;
        self.0.get_index(line.checked_sub(FIRST_LINE)? as usize)
    }
}

/// A text into which locations are written.
struct Stating<'m> {
    /// The paths of `.file` in the order of their numbers, from 1, of which the text has the first.
    files: IndexSet<String>,
    printed_files: usize,
    functions: IndexSet<String>,
    /// What the function stated last of each position: `inlined_at` refers to that, which ptxas wants to precede it.
    stated: HashMap<String, DebugLocation<'m>>,
    text: String,
}

impl<'m> Stating<'m> {
    fn new(text: &str) -> Self {
        let file = |line: &str| Some(line.strip_prefix("\t.file\t")?.trim_end().split_once(' ')?.1.to_owned());
        let files: IndexSet<_> = text.lines().filter_map(file).collect();
        let printed_files = files.len();
        Self { files, printed_files, functions: IndexSet::new(), stated: HashMap::new(), text: String::new() }
    }

    fn copy(&mut self, line: &str) {
        if line.starts_with("$L__func_begin") {
            self.stated.clear();
        }
        self.text.push_str(line);
    }

    fn state(&mut self, location: DebugLocation<'m>) {
        let call = location.call().map(|call| {
            let at = self.position(call);
            if self.stated.get(&at) != Some(&call) {
                self.state(call);
            }
            let name = self.functions.insert_full(location.read().function).0;
            format!(", function_name $L__info_string{name}, inlined_at {at}")
        });
        let at = self.position(location);
        self.text += &format!("\t.loc\t{at}{}\n", call.unwrap_or_default());
        self.stated.insert(at, location);
    }

    fn position(&mut self, location: DebugLocation<'m>) -> String {
        let at = location.read();
        format!("{} {} {}", self.files.insert_full(quoted(&at.path)).0 + 1, at.line, at.column)
    }

    /// The text, with the files and names that it lacks.
    fn end(mut self) -> String {
        for (index, path) in self.files.iter().enumerate().skip(self.printed_files) {
            self.text += &format!("\t.file\t{} {path}\n", index + 1);
        }
        self.text += "\t.section\t.debug_str\n\t{\n";
        for (index, name) in self.functions.iter().enumerate() {
            self.text += &format!("$L__info_string{index}:\n");
            for byte in name.bytes().chain([0]) {
                self.text += &format!(".b8 {byte}\n");
            }
        }
        self.text + "\t}\n"
    }
}

/// A string as LLVM prints it.
fn quoted(path: &str) -> String {
    let character = |byte| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        0x20..=0x7e => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", path.bytes().map(character).collect::<String>())
}
