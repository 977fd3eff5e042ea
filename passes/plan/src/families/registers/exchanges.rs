//! Which register digits are exchanged with which bits of the lane id.

use tile_layout::Axis;

use crate::families::registers::places::{ThreadBit, ThreadBitError, thread_bits};
use crate::families::registers::plan::RegisterCopy;
use crate::families::registers::steps::LANE_BITS;

/// Two lists of exchanges, each of which moves every digit that goes from registers to threads. `plan` says where the
/// digits are; its own exchanges are ignored.
///
/// ```text
///   a digit of registers goes to bit 4, the digit there to bit 2, the digit there to registers
///     in a chain      swap with bit 4, then that digit with bit 2           two swaps
///     and shuffled    swap with bit 2, whose digit goes to registers, and a shuffle of bits 4 and 2
/// ```
///
/// # Errors
/// Thread iters that are not bits of the thread id.
pub(super) fn exchange_orders(plan: &RegisterCopy) -> Result<[Vec<(usize, u32)>; 2], ThreadBitError> {
    let from = thread_bits(&plan.src.layout, plan.threads)?;
    let to = thread_bits(&plan.dst.layout, plan.threads)?;
    let moving: Vec<(usize, usize)> = plan
        .src
        .layout
        .shard
        .iter()
        .enumerate()
        .filter(|(_, iter)| iter.axis == Axis::Memory)
        .filter_map(|(digit, _)| Some((digit, to.iter().position(|place| *place == ThreadBit::Digit(digit))?)))
        .collect();
    Ok([in_chains(from.clone(), &to, &moving), apart(from, &to, &moving)])
}

/// Moves each digit to its destination, the digit that was there to its own destination, and so on.
fn in_chains(mut bits: Vec<ThreadBit>, to: &[ThreadBit], moving: &[(usize, usize)]) -> Vec<(usize, u32)> {
    let mut exchanges = Vec::new();
    for &(digit, bit) in moving {
        let (mut digit, mut bit) = (digit, bit);
        while exchanges.len() < bits.len() * 2 {
            exchanges.push((digit, bit as u32));
            let there = std::mem::replace(&mut bits[bit], ThreadBit::Digit(digit));
            let ThreadBit::Digit(other) = there else { break };
            let Some(next) = to.iter().position(|place| *place == there) else { break };
            (digit, bit) = (other, next);
        }
    }
    exchanges
}

/// Moves each digit to a bit that becomes free, its own destination if possible; a shuffle does the rest.
fn apart(mut bits: Vec<ThreadBit>, to: &[ThreadBit], moving: &[(usize, usize)]) -> Vec<(usize, u32)> {
    let left = |place: ThreadBit| match place {
        ThreadBit::Digit(_) => !to.contains(&place),
        ThreadBit::Same | ThreadBit::Fixed(_) => true,
        ThreadBit::Part(_) => false,
    };
    let mut exchanges = Vec::new();
    let mut waiting = Vec::new();
    for &(digit, bit) in moving {
        if left(bits[bit]) {
            bits[bit] = ThreadBit::Digit(digit);
            exchanges.push((digit, bit as u32));
        } else {
            waiting.push(digit);
        }
    }
    for digit in waiting {
        // Prefer a bit of lanes that hold the same words: there a select alone halves the words.
        let lanes = 0..bits.len().min(LANE_BITS);
        let free = lanes.filter(|&bit| left(bits[bit]) && !exchanges.iter().any(|(_, taken)| *taken == bit as u32));
        let Some(bit) = free.min_by_key(|&bit| bits[bit] != ThreadBit::Same) else { continue };
        bits[bit] = ThreadBit::Digit(digit);
        exchanges.push((digit, bit as u32));
    }
    exchanges.sort_by_key(|(digit, _)| *digit);
    exchanges
}
