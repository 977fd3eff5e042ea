//! What `tile-translate` has written into SPIR-V for those who launch it: texts of `OpModuleProcessed`.
//!
//! ```text
//!   tile.subgroup 32           all subgroups have 32 threads, each of which is one of the block's
//!   tile.epoch 2 16383         word 2 of the numbers is an epoch, at most 16383
//!   tile.argument a.mlir:5:18: memref<?xf32>      what a kernel is declared to take, and where: one for each argument
//! ```

use crate::declared::Declared;

/// Where kernels take an epoch, which each launch has a larger one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// Its word among the numbers.
    pub word: usize,
    /// The last one.
    pub last: u64,
}

/// What a kernel is declared to take; nothing where the module does not say.
pub(super) fn arguments(notes: &[String]) -> Vec<Declared> {
    let stated = notes.iter().filter_map(|note| note.strip_prefix("tile.argument ")?.split_once(": "));
    stated.map(|(place, r#type)| Declared::new(place, r#type)).collect()
}

/// Threads of a subgroup, and epochs.
pub(super) fn read(notes: &[String]) -> (Option<u32>, Option<Epochs>) {
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
    fn notes_are_read_and_others_ignored() {
        let notes = |all: &[&str]| read(&all.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>());
        let epochs = Epochs { word: 2, last: 16383 };
        assert_eq!(notes(&["tile.subgroup 32", "tile.epoch 2 16383"]), (Some(32), Some(epochs)));
        let taken = arguments(&["tile.argument a.mlir:5:18: memref<?xf32>".to_owned(), "tile.arguments".to_owned()]);
        assert_eq!(
            taken.iter().map(|it| (it.place.as_str(), it.text.as_str())).collect::<Vec<_>>(),
            [("a.mlir:5:18", "memref<?xf32>")]
        );
        assert_eq!(notes(&["spirv-opt", "tile.subgroups 32", "tile.epoch two"]), (None, None));
    }
}
