//! Memories as arrays of words or of vectors, and accesses to them.
//!
//! An array has one type: its elements are as wide as the narrowest access to it, so that copies by vectors of 16 bytes stay that.
//!
//! ```text
//!   all accesses move 4 words      array<vec4<u32>>      m0[i / 4]
//!   one moves a word               array<u32>            m0[i], m0[i + 1], m0[i + 2], m0[i + 3]
//! ```

use crate::element::words_type;
use crate::kernel::{Body, Kernel, Statement};
use crate::operator::Id;

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// What an argument points to.
    Argument,
    /// Of the block, of so many bytes.
    Shared(u32),
    /// Of a thread, of so many bytes.
    Private(u32),
}

/// An access to elements that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which memory.
    pub memory: usize,
    /// The first element's number.
    pub index: Id,
    /// Bits of an element: 8, 16, 32 or 64.
    pub bits: u32,
    /// The elements.
    pub lanes: Vec<Id>,
    /// Words that are moved at once; none where elements are parts of words.
    chunk: u32,
}

impl Access {
    /// An access that is aligned to so many bytes.
    pub fn new(memory: usize, index: Id, bits: u32, lanes: Vec<Id>, alignment: u32) -> Self {
        let total = lanes.len() as u32 * bits;
        let aligned = alignment.max(bits / 8).saturating_mul(8).min(128);
        // The largest power of two that divides both.
        let chunk = (1 << (total | aligned | 128).trailing_zeros()) / 32;
        Access { memory, index, bits, lanes, chunk }
    }

    /// Does it move parts of words? Two threads must not store to parts of one word.
    ///
    /// ```
    /// use tile_portable::kernel::Access;
    ///
    /// assert!(Access::new(0, 0, 16, vec![1], 2).is_narrow());
    /// assert!(!Access::new(0, 0, 16, vec![1, 2], 4).is_narrow() && Access::new(0, 0, 16, vec![1, 2], 2).is_narrow());
    /// ```
    pub fn is_narrow(&self) -> bool {
        self.chunk == 0
    }

    fn per_word(&self) -> u32 {
        32 / self.bits.min(32)
    }

    /// Words of an element, or 1.
    fn words(&self) -> u32 {
        (self.bits / 32).max(1)
    }

    /// The number of the first unit of the array.
    fn unit_index(&self, unit: u32) -> String {
        let elements = unit * self.per_word();
        match (elements / self.words(), self.words() / elements) {
            (0, times) => format!("v{} * {times}u", self.index),
            (1, _) => format!("v{}", self.index),
            (per, _) => format!("v{} / {per}u", self.index),
        }
    }
}

/// How wide the elements of each memory's array are, in words.
pub(super) fn units(kernel: &Kernel) -> Vec<u32> {
    let mut units = vec![4; kernel.memories.len()];
    walk(&kernel.body, &mut |access, _| {
        units[access.memory] = units[access.memory].min(access.chunk.max(1));
    });
    units
}

/// Which memories are stored to.
pub(super) fn written(kernel: &Kernel) -> Vec<bool> {
    let mut written = vec![false; kernel.memories.len()];
    walk(&kernel.body, &mut |access, stores| written[access.memory] |= stores);
    written
}

fn walk(body: &Body, see: &mut dyn FnMut(&Access, bool)) {
    for statement in &body.statements {
        match statement {
            Statement::Load(access) => see(access, false),
            Statement::Store(access) => see(access, true),
            Statement::If { bodies, .. } => bodies.iter().for_each(|body| walk(body, see)),
            Statement::For(all) => walk(&all.body, see),
            Statement::Let(..) | Statement::Barrier => {}
        }
    }
}

/// The lines of a load.
pub(super) fn load(access: &Access, unit: u32, fresh: usize) -> Vec<String> {
    let (memory, bits) = (access.memory, access.bits);
    if access.is_narrow() {
        let lane = |(place, lane): (u32, &Id)| {
            let (word, shift) = narrow(access, place);
            format!("let v{lane} = extractBits(m{memory}[{word}], {shift}, {bits}u);")
        };
        return (0..).zip(&access.lanes).map(lane).collect();
    }
    let mut lines = vec![format!("let at{fresh} = {};", access.unit_index(unit))];
    let total = access.lanes.len() as u32 * bits / 32;
    lines.extend((0..total / unit).map(|part| format!("let w{fresh}_{part} = m{memory}[at{fresh} + {part}u];")));
    let word = |word: u32| match unit {
        1 => format!("w{fresh}_{word}"),
        _ => format!("w{fresh}_{}[{}]", word / unit, word % unit),
    };
    lines.extend((0..).zip(&access.lanes).map(|(place, lane)| {
        let value = match bits {
            64 => format!("vec2<u32>({}, {})", word(2 * place), word(2 * place + 1)),
            32 => word(place),
            _ => format!("extractBits({}, {}u, {bits}u)", word(place * bits / 32), place * bits % 32),
        };
        format!("let v{lane} = {value};")
    }));
    lines
}

/// The lines of a store. Parts of words are only stored to memory of a thread.
pub(super) fn store(access: &Access, unit: u32, fresh: usize) -> Vec<String> {
    let (memory, bits) = (access.memory, access.bits);
    if access.is_narrow() {
        let lane = |(place, lane): (u32, &Id)| {
            let (word, shift) = narrow(access, place);
            format!("m{memory}[{word}] = insertBits(m{memory}[{word}], v{lane}, {shift}, {bits}u);")
        };
        return (0..).zip(&access.lanes).map(lane).collect();
    }
    let words: Vec<String> = match bits {
        64 => access.lanes.iter().flat_map(|lane| [format!("v{lane}.x"), format!("v{lane}.y")]).collect(),
        32 => access.lanes.iter().map(|lane| format!("v{lane}")).collect(),
        _ => access.lanes.chunks(access.per_word() as usize).map(|lanes| joined(lanes, bits)).collect(),
    };
    let mut lines = vec![format!("let at{fresh} = {};", access.unit_index(unit))];
    lines.extend(words.chunks(unit as usize).enumerate().map(|(part, words)| {
        let value = match unit {
            1 => words[0].clone(),
            _ => format!("{}({})", words_type(unit), words.join(", ")),
        };
        format!("m{memory}[at{fresh} + {part}u] = {value};")
    }));
    lines
}

/// The word of a part of one, and where that begins in it.
fn narrow(access: &Access, place: u32) -> (String, String) {
    let (index, per, bits) = (access.index, access.per_word(), access.bits);
    let element = if place == 0 { format!("v{index}") } else { format!("(v{index} + {place}u)") };
    (format!("{element} / {per}u"), format!("({element} % {per}u) * {bits}u"))
}

/// A word of several values.
fn joined(lanes: &[Id], bits: u32) -> String {
    let shifted = |(place, lane): (u32, &Id)| match place {
        0 => format!("v{lane}"),
        _ => format!("(v{lane} << {}u)", place * bits),
    };
    (0..).zip(lanes).map(shifted).collect::<Vec<_>>().join(" | ")
}
