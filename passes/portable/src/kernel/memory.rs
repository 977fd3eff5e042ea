//! Memories as arrays of words or vectors, and accesses to them.
//!
//! Each array has one type. Its elements are as wide as the narrowest access to it, so that copies by 16-byte vectors
//! remain such copies.
//!
//! ```text
//!   all accesses move 4 words      array<vec4<u32>>      m0[i / 4]
//!   one moves a word               array<u32>            m0[i], m0[i + 1], m0[i + 2], m0[i + 3]
//!   one stores part of a word      array<atomic<u32>>    atomicAnd clears its bits, atomicOr sets them
//!   one updates an element         array<atomic<u32>>    atomicAdd and the like, or a loop of compare-and-swap
//! ```
//!
//! Two threads may store to different parts of one word at the same time. A load, insert and store of the whole word
//! could undo the other thread's store in between; the two atomics never touch the other thread's bits, in any order.
//! Bytes keep their offsets in memory, as in PTX, so views of other types and the limit of a block's memory need no
//! rules of their own.

use crate::element::words_type;
use crate::kernel::{Body, PortableKernel, Statement};
use crate::operator::Id;

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelMemory {
    /// The memory that an argument points to.
    Argument,
    /// Shared memory of the block, with this number of bytes.
    Shared(u32),
    /// Private memory of a thread, with this number of bytes.
    Private(u32),
}

/// An access to consecutive elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelAccess {
    /// The index of the memory in [`PortableKernel::memories`].
    pub memory: usize,
    /// The index of the first element.
    pub index: Id,
    /// Bits of an element: 8, 16, 32 or 64.
    pub bits: u32,
    /// The elements.
    pub lanes: Vec<Id>,
    /// Words moved by one instruction; 0 where elements are parts of words.
    chunk: u32,
}

impl KernelAccess {
    /// An access that is aligned to `alignment` bytes.
    pub fn new(memory: usize, index: Id, bits: u32, lanes: Vec<Id>, alignment: u32) -> Self {
        let total = lanes.len() as u32 * bits;
        let aligned = alignment.max(bits / 8).saturating_mul(8).min(128);
        // The largest power of two that divides both.
        let chunk = (1 << (total | aligned | 128).trailing_zeros()) / 32;
        KernelAccess { memory, index, bits, lanes, chunk }
    }

    /// Whether it moves parts of words.
    ///
    /// ```
    /// use tile_portable::kernel::KernelAccess;
    ///
    /// assert!(KernelAccess::new(0, 0, 16, vec![1], 2).is_narrow());
    /// assert!(!KernelAccess::new(0, 0, 16, vec![1, 2], 4).is_narrow());
    /// assert!(KernelAccess::new(0, 0, 16, vec![1, 2], 2).is_narrow());
    /// ```
    pub fn is_narrow(&self) -> bool {
        self.chunk == 0
    }

    fn per_word(&self) -> u32 {
        32 / self.bits.min(32)
    }

    /// Words of an element, at least 1.
    fn words(&self) -> u32 {
        (self.bits / 32).max(1)
    }

    /// The index in the array, whose units have `unit` words, of the access's first unit.
    fn unit_index(&self, unit: u32) -> String {
        let elements = unit * self.per_word();
        match (elements / self.words(), self.words() / elements) {
            (0, times) => format!("v{} * {times}u", self.index),
            (1, _) => format!("v{}", self.index),
            (per, _) => format!("v{} / {per}u", self.index),
        }
    }
}

/// How a memory's array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AccessForm {
    /// The width of its elements, in words.
    pub unit: u32,
    /// Whether the kernel stores to it.
    pub written: bool,
    /// Whether its words are atomic.
    pub atomic: bool,
}

/// How each memory's array is declared.
pub(super) fn forms(kernel: &PortableKernel) -> Vec<AccessForm> {
    let mut forms = vec![AccessForm { unit: 4, written: false, atomic: false }; kernel.memories.len()];
    walk(&kernel.body, &mut |access, does| {
        let form = &mut forms[access.memory];
        let is_own = matches!(kernel.memories[access.memory], KernelMemory::Private(_));
        form.unit = form.unit.min(access.chunk.max(1));
        form.written |= does != MemoryUse::Load;
        form.atomic |= does == MemoryUse::Update || (does == MemoryUse::Store && access.is_narrow() && !is_own);
    });
    forms
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MemoryUse {
    Load,
    Store,
    Update,
}

fn walk(body: &Body, see: &mut dyn FnMut(&KernelAccess, MemoryUse)) {
    for statement in &body.statements {
        match statement {
            Statement::Load(access) => see(access, MemoryUse::Load),
            Statement::Store(access) => see(access, MemoryUse::Store),
            Statement::Update(access, _) => see(access, MemoryUse::Update),
            Statement::If { bodies, .. } => bodies.iter().for_each(|body| walk(body, see)),
            Statement::For(all) => walk(&all.body, see),
            Statement::While(all) => [&all.before, &all.after].into_iter().for_each(|body| walk(body, see)),
            Statement::Let(..) | Statement::Barrier => {}
        }
    }
}

/// The lines of a load.
pub(super) fn load(access: &KernelAccess, form: AccessForm, fresh: usize) -> Vec<String> {
    let (bits, unit) = (access.bits, form.unit);
    let loaded = |place: &str| match form.atomic {
        true => format!("atomicLoad(&m{}[{place}])", access.memory),
        false => format!("m{}[{place}]", access.memory),
    };
    if access.is_narrow() {
        let lane = |(place, lane): (u32, &Id)| {
            let (word, shift) = narrow(access, place);
            format!("let v{lane} = extractBits({}, {shift}, {bits}u);", loaded(&word))
        };
        return (0..).zip(&access.lanes).map(lane).collect();
    }
    let mut lines = vec![format!("let at{fresh} = {};", access.unit_index(unit))];
    let total = access.lanes.len() as u32 * bits / 32;
    let part = |part: u32| format!("let w{fresh}_{part} = {};", loaded(&format!("at{fresh} + {part}u")));
    lines.extend((0..total / unit).map(part));
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

/// The lines of a store.
pub(super) fn store(access: &KernelAccess, form: AccessForm, fresh: usize) -> Vec<String> {
    let (memory, bits, unit) = (access.memory, access.bits, form.unit);
    if access.is_narrow() {
        let lane = |(place, lane): (u32, &Id)| {
            let (word, shift) = narrow(access, place);
            if !form.atomic {
                return vec![format!("m{memory}[{word}] = insertBits(m{memory}[{word}], v{lane}, {shift}, {bits}u);")];
            }
            let ones = u32::MAX >> (32 - bits);
            let clears = format!("atomicAnd(&m{memory}[{word}], ~({ones}u << ({shift})));");
            vec![clears, format!("atomicOr(&m{memory}[{word}], v{lane} << ({shift}));")]
        };
        return (0..).zip(&access.lanes).flat_map(lane).collect();
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
        match form.atomic {
            true => format!("atomicStore(&m{memory}[at{fresh} + {part}u], {value});"),
            false => format!("m{memory}[at{fresh} + {part}u] = {value};"),
        }
    }));
    lines
}

/// An element that is updated: the word that holds it, and its bits there.
pub(super) struct Updated {
    /// `m0[v3]`
    pub word: String,
    /// Its first bit and number of bits, where it is a part of the word: `(v3 % 2u) * 16u, 16u`.
    pub part: Option<String>,
}

/// The element of an access of one lane.
pub(super) fn updated(access: &KernelAccess) -> Updated {
    let memory = access.memory;
    if !access.is_narrow() {
        return Updated { word: format!("m{memory}[v{}]", access.index), part: None };
    }
    let (word, shift) = narrow(access, 0);
    Updated { word: format!("m{memory}[{word}]"), part: Some(format!("{shift}, {}u", access.bits)) }
}

/// The word that holds an element narrower than a word, and the element's first bit in it.
fn narrow(access: &KernelAccess, place: u32) -> (String, String) {
    let (index, per, bits) = (access.index, access.per_word(), access.bits);
    let element = if place == 0 { format!("v{index}") } else { format!("(v{index} + {place}u)") };
    (format!("{element} / {per}u"), format!("({element} % {per}u) * {bits}u"))
}

/// A word packed from several values.
fn joined(lanes: &[Id], bits: u32) -> String {
    let shifted = |(place, lane): (u32, &Id)| match place {
        0 => format!("v{lane}"),
        _ => format!("(v{lane} << {}u)", place * bits),
    };
    (0..).zip(lanes).map(shifted).collect::<Vec<_>>().join(" | ")
}
