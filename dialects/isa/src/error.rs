//! Why an instruction does not exist, or cannot do what is asked.

use thiserror::Error;
use tile_layout::{Axis, Layout, counted};

use crate::access::{MAX_THREADS, element_widths};
use crate::bulk::MAX_BYTES;
use crate::{MAX_INSTRUCTIONS, Rounds};

/// What was got, and what the PTX ISA allows there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IsaError {
    /// A word that is not one of those known.
    #[error("got {name} = \"{value}\", expected {}", listed(.known))]
    #[expect(missing_docs, reason = "they are in the message")]
    Word { name: String, value: String, known: Vec<String> },
    /// Elements that have none of the widths [`ELEMENT_BITS`](crate::ELEMENT_BITS).
    #[error("got elements of {}, expected {}", counted(*.0, "bit"), element_widths())]
    ElementBits(u32),
    /// An access width that the instructions do not have for such elements.
    #[error("got forced_bits = {bits} for elements of {}, expected one of {}", counted(*.element_bits, "bit"), joined(.allowed))]
    #[expect(missing_docs, reason = "they are in the message")]
    ForcedBits { bits: i64, element_bits: u32, allowed: Vec<u32> },
    /// More threads than a block may have, or none.
    #[error("got {}, expected 1 to {MAX_THREADS}", counted(*.0, "thread"))]
    Threads(i64),
    /// Threads that are not elected like that.
    #[error("got threads {threads:?} by \"{by}\", expected {least} to {most} of them, each from 0 to {}", MAX_THREADS - 1)]
    #[expect(missing_docs, reason = "they are in the message")]
    Elected { by: String, threads: Vec<i64>, least: usize, most: usize },
    /// Digits that are exchanged with lanes, where there is no such digit or lane.
    #[error("got exchanges {pairs:?}, expected pairs of a digit below {digits} and a power of two below {MAX_THREADS}")]
    #[expect(missing_docs, reason = "they are in the message")]
    DigitExchanges { pairs: Vec<i64>, digits: usize },
    /// More digits in a word than fit.
    #[error("got packed = {packed} of {digits} digits, with elements of {element_bits} bits, expected {}", up_to(*.most))]
    #[expect(missing_docs, reason = "they are in the message")]
    Packed { packed: usize, digits: usize, element_bits: u32, most: usize },
    /// More threads in the last round than in the others, or none.
    #[error("got last_threads = {last}, expected 1 to {threads}")]
    #[expect(missing_docs, reason = "they are in the message")]
    LastThreads { last: i64, threads: i64 },
    /// Rounds that do not add up to the elements.
    #[error("got rounds x threads x vector = {}, expected {} in all", in_rounds(.rounds), counted(*.elements, "element"))]
    #[expect(missing_docs, reason = "they are in the message")]
    Rounds { rounds: Rounds, elements: i64 },
    /// An exchange between another number of lanes.
    #[error("got an exchange between {}, expected 2, 4 or 8", counted(*.0, "lane"))]
    ExchangeLanes(i64),
    /// An exchange in which a lane may have no part.
    #[error("got an exchange between lanes and a predicate or a mask, expected one of them")]
    ExchangeDecided,
    /// An exchange in rounds that are no multiple of its lanes.
    #[error("got an exchange between {lanes} lanes in {}, expected a multiple of {lanes}", counted(*.rounds, "round"))]
    #[expect(missing_docs, reason = "they are in the message")]
    ExchangeRounds { lanes: i64, rounds: i64 },
    /// An exchange in parts of warps.
    #[error("got an exchange between lanes of {}, {last} of them in the last round, expected whole warps in all", counted(*.threads, "thread"))]
    #[expect(missing_docs, reason = "they are in the message")]
    ExchangeThreads { threads: i64, last: i64 },
    /// Numbers of loads and stores that do not divide the vector.
    #[error("got accesses {accesses:?}, expected a number of loads and one of stores that divide the vector of {}", counted(*.vector, "element"))]
    #[expect(missing_docs, reason = "they are in the message")]
    Accesses { accesses: Vec<i64>, vector: i64 },
    /// Several accesses of a vector that is moved as it is.
    #[error("got accesses {0:?} of a copy that neither converts nor reduces, expected none")]
    SeveralAccesses(Vec<i64>),
    /// Other chunks in the source than in the destination.
    #[error("got chunks {src:?} in the source and {dst:?} in the destination, expected the same")]
    #[expect(missing_docs, reason = "they are in the message")]
    Chunks { src: Vec<i64>, dst: Vec<i64> },
    /// More bytes than an mbarrier counts.
    #[error("got {0} bytes, expected at most {MAX_BYTES}, which an mbarrier counts")]
    Bytes(i128),
    /// A side of a bulk copy that is not in memory.
    #[error("got axis '{axis}' in the {side}'s layout {layout}, expected memory only")]
    #[expect(missing_docs, reason = "they are in the message")]
    ChunkAxis { axis: Axis, side: &'static str, layout: Box<Layout> },
    /// A side whose last iter, an extent and a stride, is not contiguous.
    #[error("got last iter {} in the {side}'s layout, expected a chunk of stride 1", iter(.last))]
    #[expect(missing_docs, reason = "they are in the message")]
    ChunkStride { last: Option<(i64, i64)>, side: &'static str },
    /// Chunks that are no multiple of 16 bytes.
    #[error("got chunks of {} of {bits} bits, {} bytes, expected a multiple of 16", counted(*.chunk, "element"), i128::from(*.chunk) * i128::from(*.bits) / 8)]
    #[expect(missing_docs, reason = "they are in the message")]
    ChunkBytes { chunk: i64, bits: u32 },
    /// Chunks that a swizzle breaks up.
    #[error("got chunks of {} in the {side}, expected no more than the {kept} that its swizzle keeps together", counted(*.chunk, "element"))]
    #[expect(missing_docs, reason = "they are in the message")]
    ChunkSwizzle { chunk: i64, side: &'static str, kept: i64 },
    /// Memories between which there is no such copy.
    #[error("got {src} to {dst}, expected {expected}")]
    #[expect(missing_docs, reason = "they are in the message")]
    Memories { src: String, dst: String, expected: &'static str },
    /// A clause that the instruction does not have.
    #[error("got {0}, expected none")]
    Surplus(&'static str),
    /// A clause that the instruction needs.
    #[error("got no {0}, expected one")]
    Missing(&'static str),
    /// An option of copies between other memories.
    #[error("got {option}, expected it for copies {copies} global memory only")]
    #[expect(missing_docs, reason = "they are in the message")]
    Option { option: &'static str, copies: &'static str },
    /// A reduction that does not support elements of this type.
    #[error("got {reduction} of elements of type {element}; allowed: {}", joined(.allowed))]
    #[expect(missing_docs, reason = "they are in the message")]
    Reduced { reduction: String, element: String, allowed: Vec<&'static str> },
    /// Elements of a type that has no conversions.
    #[error("got elements of type {element} in a copy that converts, expected one of {}", joined(.known))]
    #[expect(missing_docs, reason = "they are in the message")]
    Converted { element: String, known: Vec<&'static str> },
    /// A clause `convert(…)` with an unknown word.
    #[error("got convert({word}), expected one of {}", joined(.known))]
    #[expect(missing_docs, reason = "they are in the message")]
    ConvertWord { word: String, known: Vec<&'static str> },
    /// A clause `convert(…)` that does not fit the types.
    #[error("got convert({word}) in a copy of {from} to {to}{because}")]
    #[expect(missing_docs, reason = "they are in the message")]
    ConvertClause { word: &'static str, from: String, to: String, because: &'static str },
    /// Integers that may be signed or not.
    #[error(
        "converts {from} to {to} without the signedness of the integers, expected convert(signed) or convert(unsigned)"
    )]
    #[expect(missing_docs, reason = "they are in the message")]
    Signedness { from: &'static str, to: &'static str },
    /// Types between which there is no conversion.
    #[error("cannot convert {from} to {to}; what {fp8} converts to and from: {}", joined(.partners))]
    #[expect(missing_docs, reason = "they are in the message")]
    Unconverted { from: &'static str, to: &'static str, fp8: &'static str, partners: Vec<&'static str> },
    /// Text of another form.
    #[error("got '{got}', expected {expected}")]
    #[expect(missing_docs, reason = "they are in the message")]
    Text { got: String, expected: &'static str },
    /// Extents that no copy by matrices has.
    #[error("got shape {0:?}, expected [warps, 8, 4, instructions, 1 or 2 or 4, 2]")]
    MatrixShape(Vec<i64>),
    /// Matrices of another number of elements.
    #[error("got shape {extents:?}, expected {} in all", counted(*.elements, "element"))]
    #[expect(missing_docs, reason = "they are in the message")]
    MatrixElements { extents: Vec<i64>, elements: i64 },
    /// Numbers that do not fit the fields of a matrix descriptor.
    #[error("got descriptor {0:?}, expected two offsets below 16384 and a swizzle mode from 0 to 3")]
    Descriptor(Vec<i64>),
    /// A shape of tensor memory repeated too often.
    #[error("got num {num}, expected a power of two from 1 to {most} for {shape}")]
    #[expect(missing_docs, reason = "they are in the message")]
    TmemNum { num: i64, most: i64, shape: &'static str },
    /// A shape without this multicast.
    #[error("got shape {shape} with {multicast}, expected one of {}", joined(.known))]
    #[expect(missing_docs, reason = "they are in the message")]
    TmemForm { shape: String, multicast: String, known: Vec<String> },
    /// `tcgen05.cp` for another number of CTAs.
    #[error("got cta_group = {0}, expected 1 or 2")]
    CtaGroup(i64),
    /// More leading iters than a layout has.
    #[error("got {name} {count}, expected at most {most}, the iters of the layouts")]
    #[expect(missing_docs, reason = "they are in the message")]
    LeadingIters { name: String, count: usize, most: usize },
    /// Leading iters that number other instructions on one side.
    #[error("got leading extents {src:?} and {dst:?}, expected the same")]
    #[expect(missing_docs, reason = "they are in the message")]
    LeadingExtents { src: Vec<i64>, dst: Vec<i64> },
    /// More instructions than tensor memory has room for.
    #[error("got leading extents {0:?}, expected at most {MAX_INSTRUCTIONS} instructions")]
    Instructions(Vec<i64>),
}

impl From<IsaError> for String {
    fn from(error: IsaError) -> Self {
        error.to_string()
    }
}

fn joined<T: ToString>(words: &[T]) -> String {
    words.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// `"a"`, or `one of a, b`.
fn listed(known: &[String]) -> String {
    match known {
        [only] => format!("\"{only}\""),
        _ => format!("one of {}", joined(known)),
    }
}

fn up_to(most: usize) -> String {
    if most == 0 { "none".to_owned() } else { format!("1 to {most}") }
}

fn in_rounds(&Rounds { rounds, threads, last, vector }: &Rounds) -> String {
    let in_last = if last == threads { String::new() } else { format!(" with {last} threads in the last round") };
    format!("{:?}{in_last}", [rounds, threads, vector])
}

fn iter(last: &Option<(i64, i64)>) -> String {
    last.map_or("none".to_owned(), |(extent, stride)| format!("({extent}) : ({stride})"))
}
