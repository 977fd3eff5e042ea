//! Triton's linear layouts: for each bit of a register's, lane's, warp's and block's number, or of an offset in shared memory, the
//! coordinates that it adds by XOR.
//!
//! ```text
//!   {register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}
//!
//!   lane 14 = 2 + 4 + 8    XOR of [0, 4], [1, 0], [2, 0] = (3, 4)    the 8x8 fragment (8, 4, 2) : (4@laneid, 1@laneid, 1)
//! ```

use tile_layout::{Axis, Iter, Layout, Swizzle, canonical::fused};

use super::lexer::{Lexer, Token};
use crate::described::Described;
use crate::error::ToolError;

/// Bits of an axis, as the coordinates that each adds.
type Bases = Vec<Vec<i64>>;

/// The dimensions of the hardware, and the axes here.
const DIMENSIONS: [(&str, Axis); 5] = [
    ("register", Axis::Memory),
    ("lane", Axis::LaneId),
    ("warp", Axis::WarpId),
    ("block", Axis::Cbx),
    ("offset", Axis::Memory),
];

pub(super) fn read(text: &str) -> Result<Described, ToolError> {
    let mut lexer = Lexer::new(text);
    let is_attribute = lexer.take('#');
    if is_attribute {
        match lexer.peek() {
            Token::Word("ttg.linear" | "ttg.shared_linear") => lexer.advance(),
            _ => return Err(lexer.error("'ttg.linear' or 'ttg.shared_linear'")),
        }
        lexer.expect('<')?;
    }
    let start = lexer.at();
    lexer.expect('{')?;
    let mut named: Vec<(Axis, Bases)> = Vec::new();
    while !lexer.take('}') {
        if !named.is_empty() {
            lexer.expect(',')?;
        }
        let known = DIMENSIONS.iter().find(|(name, _)| lexer.peek() == Token::Word(name));
        let (_, axis) = known.ok_or_else(|| lexer.error("'register', 'lane', 'warp', 'block' or 'offset'"))?;
        if named.iter().any(|(other, _)| other == axis) {
            return Err(lexer.error("each dimension once, and 'offset' without 'register'"));
        }
        lexer.advance();
        lexer.expect('=')?;
        named.push((*axis, bases(&mut lexer)?));
    }
    // What else an attribute says, such as an alignment, is no part of the layout.
    if !is_attribute && lexer.peek() != Token::End {
        return Err(lexer.error("the end"));
    }
    if is_attribute && !text.trim_end().ends_with('>') {
        return Err(lexer.refused(text.trim_end().len(), "got the end, expected '>'".to_owned()));
    }
    described(named).map_err(|message| lexer.refused(start, message))
}

/// `[[0, 1], [0, 2]]`.
fn bases(lexer: &mut Lexer<'_>) -> Result<Bases, ToolError> {
    let mut bases: Bases = Vec::new();
    lexer.expect('[')?;
    while !lexer.take(']') {
        if !bases.is_empty() {
            lexer.expect(',')?;
        }
        let mut coordinates = Vec::new();
        lexer.expect('[')?;
        while !lexer.take(']') {
            if !coordinates.is_empty() {
                lexer.expect(',')?;
            }
            let at = lexer.at();
            let coordinate = lexer.number("a coordinate")?;
            if !(0..1 << 30).contains(&coordinate) {
                return Err(lexer.refused(at, format!("got {coordinate}, expected 0 to 2^30")));
            }
            coordinates.push(coordinate);
        }
        bases.push(coordinates);
    }
    Ok(bases)
}

/// The layout of some bases.
fn described(named: Vec<(Axis, Bases)>) -> Result<Described, String> {
    let rank = named.iter().flat_map(|(_, bases)| bases).map(Vec::len).max().unwrap_or(1);
    if let Some(other) = named.iter().flat_map(|(_, bases)| bases).find(|basis| basis.len() != rank) {
        return Err(format!("got a basis of {} coordinates beside one of {rank}, expected as many", other.len()));
    }
    let all = |dimension: usize| named.iter().flat_map(|(_, bases)| bases).fold(0, |all, basis| all | basis[dimension]);
    let bits: Vec<u32> = (0..rank).map(|dimension| i64::BITS - all(dimension).leading_zeros()).collect();
    let total: u32 = bits.iter().sum();
    if total > 60 {
        return Err(format!("got coordinates of {total} bits together, expected at most 60"));
    }
    let number =
        |basis: &Vec<i64>| basis.iter().zip(&bits).fold(0i64, |number, (coordinate, bits)| number << bits | coordinate);
    let mut layout = Layout::default();
    // The axis and the stride of each bit of an element's number.
    let mut holders: Vec<Option<(Axis, i64)>> = vec![None; total as usize];
    for (axis, bases) in &named {
        let columns: Vec<i64> = bases.iter().map(number).collect();
        let (columns, swizzle) = if *axis == Axis::Memory { without_swizzle(columns)? } else { (columns, None) };
        layout.swizzle = layout.swizzle.or(swizzle);
        for (column, bit) in columns.into_iter().zip(0..) {
            match column.count_ones() {
                0 => layout.replica.push(Iter::new(2, 1 << bit, *axis)),
                1 if holders[column.trailing_zeros() as usize].is_none() => {
                    holders[column.trailing_zeros() as usize] = Some((*axis, 1 << bit));
                }
                1 => return Err("got two bases for one bit of a coordinate, expected one".to_owned()),
                _ => {
                    return Err(
                        "got a basis of several bits, expected an order of bits with at most one swizzle".to_owned()
                    );
                }
            }
        }
    }
    let mut first = total;
    for bits in &bits {
        let iters: Option<Vec<Iter>> = (first - bits..first)
            .rev()
            .map(|bit| holders[bit as usize].map(|(axis, stride)| Iter::new(2, stride, axis)))
            .collect();
        let iters = iters.ok_or("got a bit of a coordinate that no basis has, expected one for each")?;
        layout.shard.extend(if iters.is_empty() { vec![Iter::memory(1, 1)] } else { fused(&iters) });
        first -= bits;
    }
    Ok(Described { layout, shape: bits.iter().map(|bits| 1 << bits).collect() })
}

/// Bases of one bit each, and the swizzle by which some of them have another. Bit `b` of an address, one of those that are XORed into
/// lower ones, adds what bit `b` and bit `b - shift` of the address before the swizzle add.
fn without_swizzle(columns: Vec<i64>) -> Result<(Vec<i64>, Option<Swizzle>), String> {
    let mixed: Vec<usize> = (0..columns.len()).filter(|&bit| columns[bit].count_ones() > 1).collect();
    let (Some(&from), Some(&last)) = (mixed.first(), mixed.last()) else { return Ok((columns, None)) };
    let bits = last + 1 - from;
    for shift in bits..=from {
        let mut plain = columns.clone();
        (from..=last).for_each(|bit| plain[bit] ^= columns[bit - shift]);
        let swizzle = Swizzle::new((from - shift) as u32, bits as u32, shift as u32, true).ok();
        if plain.iter().all(|column| column.count_ones() <= 1)
            && let Some(swizzle) = swizzle
        {
            return Ok((plain, Some(swizzle)));
        }
    }
    Err("got bases of several bits, expected an order of bits with at most one swizzle".to_owned())
}

/// The bases of a layout.
pub(super) fn write(described: &Described) -> Result<String, ToolError> {
    let layout = &described.layout;
    let refused = |what: String| {
        ToolError::Refused(format!(
            "got {what} in '{layout}', expected what a linear layout has: extents and strides that are powers of two, no offset"
        ))
    };
    let (grouped, ends) =
        layout.group(&described.shape).map_err(|error| ToolError::Layout { text: layout.to_string(), error })?;
    if let Some((axis, offset)) = layout.offset.iter().find(|(_, value)| **value != 0) {
        return Err(refused(format!("the offset {offset} on '{axis}'")));
    }
    let rank = described.shape.len();
    // The bases of register (or offset), lane, warp and block.
    let mut bases: [Bases; 4] = Default::default();
    let mut held = |iter: &Iter, step: i64, basis: Vec<i64>| -> Result<(), ToolError> {
        let (place, bit) = place(iter.axis, step).ok_or_else(|| refused(format!("the iter {iter}")))?;
        let slots: &mut Bases = &mut bases[place];
        if slots.len() <= bit {
            slots.resize(bit + 1, vec![0; rank]);
        }
        if slots[bit].iter().any(|&coordinate| coordinate != 0) {
            return Err(refused(format!("the iter {iter}, which meets another,")));
        }
        slots[bit] = basis;
        Ok(())
    };
    for (dimension, ends) in ends.windows(2).enumerate() {
        let mut coordinate = 1;
        for iter in grouped.shard[ends[0]..ends[1]].iter().rev() {
            if iter.extent.count_ones() != 1 {
                return Err(refused(format!("the iter {iter}")));
            }
            for bit in 0..iter.extent.trailing_zeros() {
                let mut basis = vec![0; rank];
                basis[dimension] = coordinate;
                coordinate *= 2;
                let step = iter.stride.checked_mul(1 << bit).ok_or_else(|| refused(format!("the iter {iter}")))?;
                held(iter, step, basis)?;
            }
        }
    }
    for iter in &layout.replica {
        if iter.extent.count_ones() != 1 {
            return Err(refused(format!("the replica {iter}")));
        }
        for bit in 0..iter.extent.trailing_zeros() {
            held(iter, iter.stride.saturating_mul(1 << bit), vec![0; rank])?;
        }
    }
    let in_memory = layout.axes().all(|axis| axis == Axis::Memory);
    if in_memory {
        if let Some(gap) = bases[0].iter().position(|basis| basis.iter().all(|&coordinate| coordinate == 0)) {
            return Err(refused(format!("a gap of {} elements", 1i64 << gap.min(60))));
        }
    } else {
        // A warp has 5 bits of lanes, whether the layout names all or not.
        let lanes = tile_isa::WARP.ilog2() as usize;
        let missing = lanes.saturating_sub(bases[1].len());
        bases[1].extend(vec![vec![0; rank]; missing]);
    }
    let swizzled = |bit: usize| -> Vec<i64> {
        let moved = layout.swizzle.map_or(1 << bit, |swizzle| swizzle.apply(1 << bit));
        let chosen = (0..bases[0].len()).filter(|other| moved >> other & 1 == 1);
        chosen.fold(vec![0; rank], |sum, other| sum.iter().zip(&bases[0][other]).map(|(a, b)| a ^ b).collect())
    };
    let memory: Bases = (0..bases[0].len()).map(swizzled).collect();
    let list = |name: &str, bases: &Bases| {
        let basis = |basis: &Vec<i64>| format!("[{}]", basis.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
        format!("{name} = [{}]", bases.iter().map(basis).collect::<Vec<_>>().join(", "))
    };
    if in_memory {
        return Ok(format!("{{{}}}", list("offset", &memory)));
    }
    let [_, lane, warp, block] = &bases;
    let lists = [list("register", &memory), list("lane", lane), list("warp", warp), list("block", block)];
    Ok(format!("{{{}}}", lists.join(", ")))
}

/// The dimension of the hardware, and its bit, that a step on an axis is.
fn place(axis: Axis, step: i64) -> Option<(usize, usize)> {
    let bit = step.trailing_zeros() as usize;
    let lanes = tile_isa::WARP.ilog2() as usize;
    let warps = (tile_isa::WARPGROUP / tile_isa::WARP).ilog2() as usize;
    let basis = match axis {
        Axis::Memory => (0, bit),
        Axis::LaneId => (1, bit),
        Axis::Tx | Axis::TidInWg if bit < lanes => (1, bit),
        Axis::Tx | Axis::TidInWg => (2, bit - lanes),
        Axis::WarpId | Axis::WidInWg => (2, bit),
        Axis::WgId => (2, bit + warps),
        Axis::Cbx => (3, bit),
        _ => return None,
    };
    (step > 0 && step.count_ones() == 1).then_some(basis)
}
