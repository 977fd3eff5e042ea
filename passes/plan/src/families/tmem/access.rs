//! Tensor memory to registers and back through `tcgen05.ld` and `tcgen05.st`.

use serde::{Deserialize, Serialize};
use tile_isa::{Space, TmemShape, WARP, WARPGROUP, check_element_bits, check_instructions};
use tile_layout::{Axis, Iter, counted};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::family::{Cost, Costs, Family, Requests};
use crate::families::tmem::region::{
    COLUMN_BITS, LANE, LANE_BITS, check_side, multiples, places, same_extents, size, split, tensor_unit,
};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::is_default;

/// Instructions of the four warps of a warpgroup between tensor memory and their registers.
///
/// Both layouts are over `[instructions…, rest…]`, with the same extents. The first `instruction_iters` iters number
/// the instructions that each warp issues; the remainder is what one instruction of all four warps moves. Instruction
/// `i` starts at the lane and column of position `i` in tensor memory, in the warp's quarter of the lanes, and at the
/// register of position `i`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TmemAccess {
    /// True for tensor memory → registers (`tcgen05.ld`), false for registers → tensor memory (`tcgen05.st`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub load: bool,
    /// What one instruction moves at `.x1`.
    pub shape: TmemShape,
    /// Repeat count (`.x1` to `.x128`), a power of two.
    pub num: i64,
    /// Width of an element.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// Leading iters that number the instructions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub instruction_iters: usize,
    /// The tensor-memory side. Run-time terms are in its address units: 1 is a column of 32 bits, `1 << 16` a lane.
    pub tmem: Side,
    /// The register side; 32-bit register `r` holds the elements from `r * 32 / element_bits` on.
    pub registers: Side,
}

impl Requests for TmemAccess {}

impl Costs for TmemAccess {
    /// The cost of tensor-memory loads or stores, which have their own pipe.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.instructions(), wavefronts: 0 })
    }
}

impl Family for TmemAccess {
    fn variant(&self) -> &'static str {
        "tcgen05_ldst"
    }

    fn verify(&self) -> Result<(), Refusal> {
        TmemAccess::verify(self)
    }
}

impl Carried for TmemAccess {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if self.load == (role == Role::Src) { &self.tmem } else { &self.registers };
        Some(CarriedSide::of(side, self.element_bits))
    }

    fn is_asynchronous(&self) -> bool {
        true
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        let (tmem, registers) = if self.load { (Role::Src, Role::Dst) } else { (Role::Dst, Role::Src) };
        self.tmem.each_value(ValueList::Of(tmem), visit);
        self.registers.each_value(ValueList::Of(registers), visit);
    }
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-tmem-access", reason.to_string())
}

impl TmemAccess {
    /// Instructions per warp.
    pub fn instructions(&self) -> i64 {
        self.tmem
            .layout
            .shard
            .iter()
            .take(self.instruction_iters)
            .fold(1i64, |all, iter| all.saturating_mul(iter.extent))
    }

    /// 32-bit registers that one instruction moves per thread.
    pub fn words(&self) -> i64 {
        self.num * self.shape.registers()
    }

    /// The PTX instruction: `tcgen05.ld.sync.aligned.32x32b.x4.b32`.
    pub fn instruction(&self) -> String {
        let name = if self.load { "ld" } else { "st" };
        format!("tcgen05.{name}.sync.aligned.{}.x{}.b32", self.shape.name(), self.num)
    }
}

/// Distance between consecutive threads of the warpgroup, in bits; larger than the registers of any thread.
const THREAD: i64 = 1 << 32;

impl TmemAccess {
    /// Checks the invariants of the plans that stage 1 makes.
    ///
    /// # Errors
    /// `malformed-tmem-access`: a number that the instruction does not have; sides in other memories, invalid, or with
    /// extents that differ; instructions that start inside a register or a column, or at a lane that the warp does not
    /// reach; threads and registers that are not those of the shape.
    pub fn verify(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        self.shape.check_num(self.num).map_err(malformed)?;
        check_side(&self.tmem, Space::Tmem, |axis| matches!(axis, Axis::TLane | Axis::TCol)).map_err(malformed)?;
        check_side(&self.registers, Space::Local, |axis| matches!(axis, Axis::Memory | Axis::TidInWg))
            .map_err(malformed)?;
        if !self.registers.dynamic.is_empty() {
            return Err(malformed("the registers begin at a run-time value"));
        }
        let (registers, tensor) = (&self.registers.layout, &self.tmem.layout);
        check_instructions("instruction_iters", self.instruction_iters, registers, tensor).map_err(malformed)?;
        let (first, rest) = split(&self.registers, self.instruction_iters);
        let (tensor_first, tensor_rest) = split(&self.tmem, self.instruction_iters);
        same_extents(&[first, rest].concat(), &[tensor_first, tensor_rest].concat()).map_err(malformed)?;
        self.check_starts(first, tensor_first)?;
        self.check_rest(rest, tensor_rest)
    }

    fn check_starts(&self, registers: &[Iter], tensor: &[Iter]) -> Result<(), Refusal> {
        let bits = i64::from(self.element_bits);
        if registers.iter().any(|iter| iter.axis != Axis::Memory) || self.registers.layout.offset_on(Axis::TidInWg) != 0
        {
            return Err(malformed("the instructions are numbered by threads; needed registers"));
        }
        let starts = registers.iter().map(|iter| iter.stride).chain([self.registers.layout.offset_on(Axis::Memory)]);
        multiples("the registers begin at bit", starts.map(|at| at.wrapping_mul(bits)), COLUMN_BITS)
            .map_err(malformed)?;
        let columns = tensor.iter().filter(|iter| iter.axis == Axis::TCol).map(|iter| iter.stride);
        let columns = columns.chain([self.tmem.layout.offset_on(Axis::TCol)]);
        multiples("the columns begin at bit", columns.map(|at| at.wrapping_mul(bits)), COLUMN_BITS)
            .map_err(malformed)?;
        let lanes: Vec<Iter> = tensor.iter().filter(|iter| iter.axis == Axis::TLane).copied().collect();
        let first = self.tmem.layout.offset_on(Axis::TLane);
        let last =
            lanes.iter().fold(first, |last, iter| last.saturating_add(iter.stride.saturating_mul(iter.extent - 1)));
        let all = lanes.iter().map(|iter| iter.stride).chain([first]);
        multiples("warp 0 begins at lane", all, self.shape.lanes()).map_err(malformed)?;
        let known = self.tmem.dynamic.iter().all(|term| term.stride.saturating_abs() < LANE);
        if known && first >= 0 && last < WARP && lanes.iter().all(|iter| iter.stride >= 0) {
            return Ok(());
        }
        Err(malformed(format!(
            "warp 0 begins at lanes {first} to {last}, or at a run-time lane; it reaches lanes 0 to 31"
        )))
    }

    /// Checks what one instruction of all four warps moves: the fragment of the shape, and every register once.
    fn check_rest(&self, registers: &[Iter], tensor: &[Iter]) -> Result<(), Refusal> {
        let bits = i64::from(self.element_bits);
        let needed = WARPGROUP * self.words() * COLUMN_BITS / bits;
        if size(registers) != needed {
            return Err(malformed(format!(
                "the rest has {}; one instruction moves {needed}",
                counted(size(registers), "element")
            )));
        }
        let mut held = places(registers, |iter| if iter.axis == Axis::Memory { bits } else { THREAD });
        let moved = places(tensor, |iter| tensor_unit(iter, bits));
        let place = |held: &i64| {
            let (thread, bit) = (held / THREAD, held % THREAD);
            let (lane, column) = self.shape.place(thread % WARPGROUP, bit / COLUMN_BITS);
            lane * LANE_BITS + column * COLUMN_BITS + bit % COLUMN_BITS
        };
        if !held.iter().map(place).eq(moved) {
            return Err(malformed(format!("the rest is no fragment of {}", self.shape.name())));
        }
        held.sort_unstable();
        let each = (0..WARPGROUP)
            .flat_map(|thread| (0..needed / WARPGROUP).map(move |element| thread * THREAD + element * bits));
        if held.into_iter().eq(each) { Ok(()) } else { Err(malformed("the rest is not every register once")) }
    }
}
