//! What naga leaves out of SPIR-V.

const HEADER: usize = 5;
const DECORATE: u16 = 71;
const NO_CONTRACTION: u32 = 42;
/// The decorations that names and types of memory have come before the first type.
const FIRST_TYPE: std::ops::RangeInclusive<u16> = 19..=39;
/// OpFAdd, OpFSub, OpFMul, OpFDiv, OpFNegate: a driver may round some of them together otherwise.
const ARITHMETIC: [u16; 5] = [129, 131, 133, 136, 127];

/// OpDecorate to OpGroupMemberDecorate: they are behind what is about the module as a whole.
const DECORATIONS: std::ops::RangeInclusive<u16> = 71..=75;
const MODULE_PROCESSED: u32 = 330;

/// Adds texts about the module.
pub(crate) fn with_notes(words: Vec<u32>, notes: &[String]) -> Vec<u32> {
    let place = instructions(&words)
        .find(|&(_, opcode)| DECORATIONS.contains(&opcode) || FIRST_TYPE.contains(&opcode))
        .map_or(words.len(), |(at, _)| at);
    let noted = notes.iter().flat_map(|note| {
        // With a zero byte at least.
        let mut text = note.clone().into_bytes();
        text.resize((text.len() + 1).next_multiple_of(4), 0);
        let text = text.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        [MODULE_PROCESSED | (text.len() as u32 + 1) << 16].into_iter().chain(text).collect::<Vec<_>>()
    });
    words[..place].iter().copied().chain(noted).chain(words[place..].iter().copied()).collect()
}

/// Where each instruction is, and what it is.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u16)> {
    let next = |at: usize| {
        let length = (*words.get(at)? >> 16) as usize;
        Some(at + length.max(1))
    };
    std::iter::successors(Some(HEADER), move |&at| next(at)).map_while(|at| Some((at, *words.get(at)? as u16)))
}

/// Decorates float arithmetic, so that a product and a sum are not made one operation, which rounds once: all devices give the
/// same bits.
pub(crate) fn without_contraction(words: Vec<u32>) -> Vec<u32> {
    let arithmetic = instructions(&words).filter(|(_, opcode)| ARITHMETIC.contains(opcode));
    let results: Vec<u32> = arithmetic.map(|(at, _)| words[at + 2]).collect();
    let first_type = instructions(&words).find(|(_, opcode)| FIRST_TYPE.contains(opcode)).map(|(at, _)| at);
    let decorations = results.into_iter().flat_map(|id| [u32::from(DECORATE) | 3 << 16, id, NO_CONTRACTION]);
    let place = first_type.unwrap_or(words.len());
    let mut decorated = words[..place].to_vec();
    decorated.extend(decorations);
    decorated.extend(&words[place..]);
    decorated
}
