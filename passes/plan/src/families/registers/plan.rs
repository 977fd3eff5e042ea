//! The plan of a copy that stays in registers.

use serde::{Deserialize, Serialize};
use tile_isa::lanes::{check_digit_exchanges, check_packed};
use tile_isa::{Conversion, Space, check_element_bits, check_threads};
use tile_layout::{Axis, Iter};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::family::{Cost, CostComparison, Costs, Family, Requests, Touches};
use crate::families::registers::schedule::{DigitMoves, malformed, steps};
use crate::families::registers::steps::{Steps, of_steps};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::problem::{Problem, bits_of};
use crate::sides::chain::thread_stride;
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::is_default;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Engine, NotFollowed, Touched};
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;

/// The most registers of a thread that a plan names on one side.
pub const MAX_REGISTERS: i64 = 1024;

/// Moves each element from the register that holds it in the source to that of the destination, without memory.
///
/// Both layouts count the same elements by the same digits. A digit is a part of the register index or of the thread
/// id; what no digit moves is in the replica, or in the offset:
///
/// ```text
///   warp, 16x2: an element a lane, the two rows of each pair in lanes 16 apart   ->   a pair of rows a lane
///     source        (8, 2, 2) : (1@laneid, 16@laneid, 8@laneid)
///     destination   (8, 2, 2) : (1@laneid, 1, 8@laneid) + R(2 : 16@laneid)
/// ```
///
/// Digits that move from lanes to registers are exchanged with digits that move from registers to lanes
/// ([`RegisterCopy::exchanges`]); one shuffle then brings every word to its lane, unless all are there already.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterCopy {
    /// Threads of the scope.
    pub threads: i64,
    /// Width of an element of the source.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// The conversion of an element; `None` where it is moved as it is.
    #[serde(rename = "convert", default, skip_serializing_if = "is_default")]
    pub conversion: Option<Conversion>,
    /// Trailing digits that share a word of 32 bits, where elements are narrower and lanes exchange them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub packed: usize,
    /// Register digits of two positions, each with the bit of the lane id that it is exchanged with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exchanges: Vec<(usize, u32)>,
    /// The cost of the plan, and that of scratch; empty for a plan that was written by hand.
    #[serde(rename = "costs", default, skip_serializing_if = "is_default")]
    pub weighed: CostComparison,
    /// The source: digits on one thread axis and on the register axis.
    pub src: Side,
    /// The destination.
    pub dst: Side,
}

impl Family for RegisterCopy {
    fn variant(&self) -> &'static str {
        "shuffle"
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.check()
    }

    fn conversion(&self) -> Option<Conversion> {
        self.conversion
    }
}

impl Carried for RegisterCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if role == Role::Src { &self.src } else { &self.dst };
        Some(CarriedSide::of(side, self.bits_of(role)))
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.each_value(ValueList::Of(Role::Src), visit);
        self.dst.each_value(ValueList::Of(Role::Dst), visit);
    }
}

impl Requests for RegisterCopy {
    /// None: it accesses no memory.
    fn requests(&self, _by: &Enumeration<'_>, _each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        Ok(())
    }
}

impl Costs for RegisterCopy {
    /// The cost of selects and shuffles.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        let steps = self.steps()?;
        Ok(of_steps(self.words(), &steps))
    }
}

impl Touches for RegisterCopy {
    fn touched(&self, _by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        Ok(Touched::new(Engine::THREADS, []))
    }
}

impl RegisterCopy {
    /// One of the two sides.
    pub fn side(&self, role: Role) -> &Side {
        if role == Role::Src { &self.src } else { &self.dst }
    }

    /// Width of an element of one side.
    pub fn bits_of(&self, role: Role) -> u32 {
        bits_of(self.element_bits, self.conversion, role)
    }

    /// Whether elements are converted before lanes exchange them, so that the narrower ones are moved.
    pub fn converts_first(&self) -> bool {
        self.bits_of(Role::Dst) <= self.bits_of(Role::Src)
    }

    /// Width of an element while lanes exchange it.
    pub fn moved_bits(&self) -> u32 {
        self.bits_of(Role::Src).min(self.bits_of(Role::Dst))
    }

    /// Elements that share a word.
    pub fn elements_of_word(&self) -> i64 {
        1 << self.packed.min(8)
    }

    /// Words of 32 bits per element; one per group of elements that share a word.
    pub fn words(&self) -> i64 {
        i64::from(self.moved_bits().div_ceil(32))
    }

    /// Selects and shuffles, in order.
    ///
    /// # Errors
    /// `malformed-register-copy`: exchanges that do not bring the digits to where the destination has them.
    pub fn steps(&self) -> Result<Steps, Refusal> {
        steps(&DigitMoves {
            src: &self.src.layout,
            dst: &self.dst.layout,
            threads: self.threads,
            packed: self.packed,
            exchanges: &self.exchanges,
        })
    }

    /// The register of each value that a thread holds on one side, in the order of the register digits, the last one
    /// fastest.
    pub fn registers(&self, role: Role) -> Vec<i64> {
        let layout = &self.side(role).layout;
        let held = layout.shard.iter().filter(|iter| iter.axis == Axis::Memory);
        combinations(held.copied(), layout.offset_on(Axis::Memory))
    }

    /// The distance of each copy of a destination element from the first copy, in registers.
    pub fn copies(&self) -> Vec<i64> {
        combinations(self.dst.layout.replica.iter().filter(|iter| iter.axis == Axis::Memory).copied(), 0)
    }

    /// For each exchange, the digit and the distance of the two lanes.
    pub fn exchange_numbers(&self) -> Vec<i64> {
        let distance = |bit| 1i64.checked_shl(bit).filter(|distance| *distance > 0).unwrap_or(0);
        self.exchanges.iter().flat_map(|&(digit, bit)| [digit as i64, distance(bit)]).collect()
    }

    fn check(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        self.src.validate("source").map_err(malformed)?;
        self.dst.validate("destination").map_err(malformed)?;
        check_threads(self.threads).map_err(malformed)?;
        self.check_digits()?;
        for (role, side) in [(Role::Src, &self.src), (Role::Dst, &self.dst)] {
            if side.space != Space::Local || !side.dynamic.is_empty() || side.layout.swizzle.is_some() {
                return Err(malformed(format!("the {role} is not in registers with static indices")));
            }
            self.check_registers(role, side)?;
        }
        check_digit_exchanges(&self.exchange_numbers(), self.src.layout.shard.len()).map_err(malformed)?;
        self.check_packed()?;
        self.steps().map(|_| ())
    }

    fn check_digits(&self) -> Result<(), Refusal> {
        let extents = |side: &Side| side.layout.shard.iter().map(|iter| iter.extent).collect::<Vec<_>>();
        let (from, to) = (extents(&self.src), extents(&self.dst));
        if from == to {
            Ok(())
        } else {
            Err(malformed(format!("got digits {from:?} and {to:?}; needed the same on both sides")))
        }
    }

    /// Requires at most [`MAX_REGISTERS`] registers, none of them below the first.
    fn check_registers(&self, role: Role, side: &Side) -> Result<(), Refusal> {
        let held = |iters: &[Iter]| -> i64 {
            let held = iters.iter().filter(|iter| iter.axis == Axis::Memory);
            held.fold(1i64, |all, iter| all.saturating_mul(iter.extent))
        };
        let count = held(&side.layout.shard).saturating_mul(held(&side.layout.replica));
        if count > MAX_REGISTERS {
            return Err(malformed(format!(
                "a thread of the {role} has {count} elements; needed {MAX_REGISTERS} at most"
            )));
        }
        let strange = side.layout.axes().find(|axis| *axis != Axis::Memory && thread_stride(*axis).is_none());
        if let Some(axis) = strange {
            return Err(malformed(format!("the {role} counts on axis '{axis}'; needed threads or registers")));
        }
        match self.registers(role).into_iter().find(|register| *register < 0) {
            Some(register) => Err(malformed(format!("the {role} has an element in register {register}"))),
            None => Ok(()),
        }
    }

    /// Requires digits that share a word to stay in registers, and the word to have room for them.
    fn check_packed(&self) -> Result<(), Refusal> {
        let count = self.src.layout.shard.len();
        check_packed(self.packed, count, self.moved_bits()).map_err(malformed)?;
        let first = count.saturating_sub(self.packed);
        let stays = |digit: usize| {
            let iters = [self.src.layout.shard[digit], self.dst.layout.shard[digit]];
            let moved = self.exchanges.iter().any(|(exchanged, _)| *exchanged == digit);
            !moved && iters.iter().all(|iter| iter.axis == Axis::Memory && iter.extent == 2)
        };
        match (first..count).find(|&digit| !stays(digit)) {
            Some(digit) => Err(malformed(format!(
                "digit {digit} shares a word; needed a digit of two positions that stays in registers"
            ))),
            None => Ok(()),
        }
    }
}

/// `first` plus the offset at every combination of coordinates of the iters, the last iter fastest.
fn combinations(iters: impl Iterator<Item = Iter>, first: i64) -> Vec<i64> {
    iters.fold(vec![first], |places, iter| {
        let next =
            |place: i64| (0..iter.extent).map(move |digit| place.saturating_add(digit.saturating_mul(iter.stride)));
        places.into_iter().flat_map(next).collect()
    })
}
