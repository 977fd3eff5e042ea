//! What naga leaves out of SPIR-V.

const HEADER: usize = 5;
const DECORATE: u16 = 71;
const NO_CONTRACTION: u32 = 42;
/// The decorations that names and types of memory have come before the first type.
const FIRST_TYPE: std::ops::RangeInclusive<u16> = 19..=39;
/// OpFAdd, OpFSub, OpFMul, OpFDiv, OpFNegate: a driver may round some of them together otherwise.
const ARITHMETIC: [u16; 5] = [129, 131, 133, 136, 127];

/// Decorates float arithmetic, so that a product and a sum are not made one operation, which rounds once: all devices give the
/// same bits.
pub(crate) fn without_contraction(words: Vec<u32>) -> Vec<u32> {
    let mut results = Vec::new();
    let mut first_type = None;
    let mut at = HEADER;
    while let Some(&word) = words.get(at) {
        let (opcode, length) = (word as u16, (word >> 16) as usize);
        if FIRST_TYPE.contains(&opcode) {
            first_type.get_or_insert(at);
        }
        if ARITHMETIC.contains(&opcode) {
            results.push(words[at + 2]);
        }
        at += length.max(1);
    }
    let decorations = results.into_iter().flat_map(|id| [u32::from(DECORATE) | 3 << 16, id, NO_CONTRACTION]);
    let place = first_type.unwrap_or(words.len());
    let mut decorated = words[..place].to_vec();
    decorated.extend(decorations);
    decorated.extend(&words[place..]);
    decorated
}
