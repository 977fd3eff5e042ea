//! Which digits of registers change places with which bits of a lane's number.

use tile_layout::Axis;

use crate::families::registers::places::{Place, places};
use crate::families::registers::plan::RegisterCopy;
use crate::families::registers::steps::LANE_BITS;

/// The ways to bring every digit that is a register, and will be in threads, there. `plan` says where the digits are; its
/// exchanges are not looked at.
///
/// ```text
///   a digit of registers goes to bit 4, the digit there to bit 2, the digit there to registers
///     in a chain      swap with bit 4, then that digit with bit 2           two swaps
///     and shuffled    swap with bit 2, whose digit goes to registers, and a shuffle of bits 4 and 2
/// ```
///
/// # Errors
/// Threads that are no bits.
pub(super) fn ways(plan: &RegisterCopy) -> Result<[Vec<(usize, u32)>; 2], String> {
    let from = places(&plan.src.layout, plan.threads)?;
    let to = places(&plan.dst.layout, plan.threads)?;
    let moving: Vec<(usize, usize)> = plan
        .src
        .layout
        .shard
        .iter()
        .enumerate()
        .filter(|(_, iter)| iter.axis == Axis::Memory)
        .filter_map(|(digit, _)| Some((digit, to.iter().position(|place| *place == Place::Digit(digit))?)))
        .collect();
    Ok([in_chains(from.clone(), &to, &moving), apart(from, &to, &moving)])
}

/// Each digit to where it belongs, what was there to where that belongs, and so on.
fn in_chains(mut bits: Vec<Place>, to: &[Place], moving: &[(usize, usize)]) -> Vec<(usize, u32)> {
    let mut exchanges = Vec::new();
    for &(digit, bit) in moving {
        let (mut digit, mut bit) = (digit, bit);
        while exchanges.len() < bits.len() * 2 {
            exchanges.push((digit, bit as u32));
            let there = std::mem::replace(&mut bits[bit], Place::Digit(digit));
            let Place::Digit(other) = there else { break };
            let Some(next) = to.iter().position(|place| *place == there) else { break };
            (digit, bit) = (other, next);
        }
    }
    exchanges
}

/// Each digit to a bit that is left by what is there, its own one if that is; a shuffle does the rest.
fn apart(mut bits: Vec<Place>, to: &[Place], moving: &[(usize, usize)]) -> Vec<(usize, u32)> {
    let left = |place: Place| match place {
        Place::Digit(_) => !to.contains(&place),
        Place::Same | Place::Fixed(_) => true,
        Place::Part(_) => false,
    };
    let mut exchanges = Vec::new();
    let mut waiting = Vec::new();
    for &(digit, bit) in moving {
        if left(bits[bit]) {
            bits[bit] = Place::Digit(digit);
            exchanges.push((digit, bit as u32));
        } else {
            waiting.push(digit);
        }
    }
    for digit in waiting {
        // Words that lanes hold alike are halved by a select alone.
        let lanes = 0..bits.len().min(LANE_BITS);
        let free = lanes.filter(|&bit| left(bits[bit]) && !exchanges.iter().any(|(_, taken)| *taken == bit as u32));
        let Some(bit) = free.min_by_key(|&bit| bits[bit] != Place::Same) else { continue };
        bits[bit] = Place::Digit(digit);
        exchanges.push((digit, bit as u32));
    }
    exchanges.sort_by_key(|(digit, _)| *digit);
    exchanges
}
