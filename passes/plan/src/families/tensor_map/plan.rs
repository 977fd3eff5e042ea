//! The plan of a copy through tensor maps: its maps, and the boxes that one thread issues.

use serde::{Deserialize, Serialize};
use tile_isa::Space;
use tile_isa::clause::ClauseError;
use tile_layout::{Axis, IndexArith};

use super::form::{GATHERED_ROWS, MapForm, TMA};
use super::map::TensorMap;
use super::swizzle::BOX_ALIGN;
use crate::families::carried::{Carried, CarriedClauses, CarriedError, CarriedSide};
use crate::families::family::{Cost, Costs, Family, PlanReduction, Requests};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse, missing};
use crate::sides::address::finish;
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::{is_default, is_one, one};

/// Boxes of a tensor in global memory, each moved by one instruction, which one elected thread issues.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorMapCopy {
    /// The form of instruction.
    pub form: MapForm,
    /// Width of an element of the tensor.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// CTAs whose mbarrier a load may complete: 2 of a pair.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub cta_group: i64,
    /// `L2::…` eviction priority of the accesses to global memory, as PTX spells it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub l2_evict: Option<String>,
    /// Rows that an instruction names by their numbers: 4 of a gather or scatter, 1 of a box of a row. Coordinate 1 then counts
    /// these rows, which are operands. 0 where boxes have all their coordinates.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rows: i64,
    /// Whether rows from a run-time row on are outside: see [`TensorMap::until`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub until: bool,
    /// The boxes of each map; part `i` takes map operand `i`.
    pub parts: Vec<Part>,
    /// The region in the tensor, in its order and without its start: addresses are the map's matter.
    pub global: Side,
    /// The region in shared memory, in the region's order.
    pub shared: Side,
}

/// The boxes of one map.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The map.
    pub map: TensorMap,
    /// The coordinates of the first box, innermost first.
    pub at: Vec<Coordinate>,
    /// Where the first box is in shared memory, in elements of the tensor from the storage's first one; run-time terms of
    /// the shared side are added.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: i64,
    /// The loops over further boxes, outermost first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loops: Vec<BoxLoop>,
}

/// A coordinate of a box: `constant + scale * floor(value / div)`, in elements of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coordinate {
    /// The part that is known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub constant: i64,
    /// The run-time part.
    #[serde(default, skip_serializing_if = "is_default")]
    pub moving: Option<Moving>,
}

/// The run-time part of a coordinate: `scale * floor(value / div)`, whose quotient is ≡ `residue` (mod `divisor`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// Index into the run-time values of the tensor's operand.
    pub value: usize,
    /// At least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub div: i64,
    /// At least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: i64,
    /// At least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: i64,
    /// In `0..divisor`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub residue: i64,
}

/// A loop over boxes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxLoop {
    /// Its number of turns.
    pub count: i64,
    /// Elements of the tensor from one box to the next in shared memory.
    pub offset: i64,
    /// The same for each coordinate, in elements of the map.
    pub steps: Vec<i64>,
}

/// One instruction: the box's coordinates, and its place in shared memory in elements of the tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue<V> {
    /// Innermost first.
    pub coordinates: Vec<V>,
    /// From the storage's first element.
    pub offset: V,
}

impl Part {
    /// The number of instructions.
    pub fn boxes(&self) -> i64 {
        self.loops.iter().fold(1, |all, turn| all.saturating_mul(turn.count))
    }

    /// Instruction `number`, below [`Part::boxes`]. `global` and `shared` are the run-time values of both sides.
    ///
    /// # Errors
    /// `missing-value` when there are too few.
    pub fn issue<A: IndexArith>(
        &self,
        a: &mut A,
        number: A::Value,
        shared: &Side,
        [global, shared_values]: [&[A::Value]; 2],
    ) -> Result<Issue<A::Value>, Refusal> {
        let turns = self.turns(a, number);
        let mut coordinates = Vec::with_capacity(self.at.len());
        for (dim, at) in self.at.iter().enumerate() {
            let start = at.value(a, global)?;
            let steps = self.loops.iter().map(|turn| turn.steps.get(dim).copied().unwrap_or(0));
            coordinates.push(add_steps(a, start, steps.zip(&turns)));
        }
        let plain = tile_layout::Layout::default().with_offset(Axis::Memory, self.offset);
        let begin = finish(a, &Side { layout: plain, ..shared.clone() }, Vec::new(), shared_values)?;
        let offset = add_steps(a, begin, self.loops.iter().map(|turn| turn.offset).zip(&turns));
        Ok(Issue { coordinates, offset })
    }

    /// The digits of an instruction's number in the loops.
    fn turns<A: IndexArith>(&self, a: &mut A, number: A::Value) -> Vec<A::Value> {
        let mut inner = 1;
        let mut turns = Vec::with_capacity(self.loops.len());
        for (index, turn) in self.loops.iter().enumerate().rev() {
            let mut digit = number.clone();
            if inner != 1 {
                let inside = a.constant(inner);
                digit = a.div(digit, inside);
            }
            if index != 0 {
                let count = a.constant(turn.count);
                digit = a.rem(digit, count);
            }
            turns.push(digit);
            inner *= turn.count;
        }
        turns.reverse();
        turns
    }
}

/// `start` and the steps, each times its digit.
fn add_steps<'v, A: IndexArith>(
    a: &mut A,
    start: A::Value,
    steps: impl Iterator<Item = (i64, &'v A::Value)>,
) -> A::Value
where
    A::Value: 'v,
{
    let mut sum = start;
    for (step, digit) in steps.filter(|(step, _)| *step != 0) {
        let step = a.constant(step);
        let moved = a.mul(digit.clone(), step);
        sum = a.add(sum, moved);
    }
    sum
}

impl Coordinate {
    /// The coordinate, given the run-time values of the tensor's operand.
    fn value<A: IndexArith>(&self, a: &mut A, values: &[A::Value]) -> Result<A::Value, Refusal> {
        let constant = a.constant(self.constant);
        let Some(Moving { value, div, scale, .. }) = self.moving else { return Ok(constant) };
        let mut moved = values.get(value).cloned().ok_or_else(|| missing("run-time value", value))?;
        if div != 1 {
            // A region may start before the tensor.
            moved = a.floor_div(moved, div);
        }
        if scale != 1 {
            let scale = a.constant(scale);
            moved = a.mul(moved, scale);
        }
        Ok(if self.constant == 0 { moved } else { a.add(moved, constant) })
    }
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-tensor-map-copy", reason.to_string())
}

impl TensorMapCopy {
    /// The number of instructions.
    pub fn instructions(&self) -> i64 {
        self.parts.iter().fold(0, |all, part| all.saturating_add(part.boxes()))
    }

    /// The bytes by which the copy completes an mbarrier: those of whole boxes, outside of the tensor, too.
    pub fn bytes(&self) -> i64 {
        let box_bytes = |part: &Part| part.map.box_bytes().saturating_mul(self.rows.max(1));
        let bytes = |part: &Part| part.boxes().saturating_mul(box_bytes(part));
        self.parts.iter().fold(0, |all, part| all.saturating_add(bytes(part)))
    }

    /// The number of rows that are operands.
    pub fn named_rows(&self) -> i64 {
        let last = |part: &Part| {
            let turns = part.loops.iter().map(|turn| (turn.count - 1).saturating_mul(*turn.steps.get(1).unwrap_or(&0)));
            turns.fold(part.at.get(1).map_or(0, |at| at.constant), i64::saturating_add).saturating_add(self.rows)
        };
        self.parts.iter().map(last).max().filter(|_| self.rows != 0).unwrap_or(0)
    }

    /// The instruction for the boxes of a part, as PTX spells it.
    pub fn instruction(&self, part: &Part) -> String {
        self.form.instruction(&part.map, self.cta_group, self.rows)
    }

    /// Checks the invariants of the plans that the planner makes.
    ///
    /// # Errors
    /// The cause of a map that is not legal; `malformed-tensor-map-copy`: sides that do not fit the form, parts whose
    /// coordinates, steps or places do not fit their map.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.parts.iter().try_for_each(|part| part.map.check())?;
        self.check()
    }

    fn check(&self) -> Result<(), Refusal> {
        self.global.validate("tensor").map_err(malformed)?;
        if self.global.space != Space::Global {
            return Err(malformed(format!("got a tensor in {} memory, expected global", self.global.space.name())));
        }
        if self.shared.space != Space::Shared {
            return Err(malformed(format!("got {} for boxes, expected shared", self.shared.space.name())));
        }
        self.shared.validate("shared region").map_err(malformed)?;
        if !matches!(self.cta_group, 1 | 2) {
            return Err(malformed(format!("got cta_group = {}, expected 1 or 2", self.cta_group)));
        }
        let fits = matches!(self.rows, 0 | 1) || self.rows == GATHERED_ROWS && self.form.reduction().is_none();
        if !fits {
            return Err(malformed(format!("got instructions that name {} rows, expected 0, 1 or 4", self.rows)));
        }
        if self.parts.is_empty() {
            return Err(malformed("got no part, expected one for each map"));
        }
        self.parts.iter().try_for_each(|part| self.check_part(part))
    }

    fn check_part(&self, part: &Part) -> Result<(), Refusal> {
        let rank = part.map.dims.len();
        let lists = part.loops.iter().map(|turn| turn.steps.len()).chain([part.at.len()]);
        if let Some(got) = lists.into_iter().find(|&got| got != rank) {
            return Err(malformed(format!("got {got} coordinates for a map of {rank} dimensions")));
        }
        if let Some(turn) = part.loops.iter().find(|turn| turn.count < 1) {
            return Err(malformed(format!("got a loop of {} turns, expected 1 or more", turn.count)));
        }
        let is_row = |part: &Part| rank == 2 && part.map.dims[1].boxed == 1 && part.at[1].moving.is_none();
        let steps = part.loops.iter().filter_map(|turn| turn.steps.get(1).copied());
        let counts = || part.at.iter().skip(1).map(|at| at.constant).chain(steps).any(|count| count < 0);
        if self.rows != 0 && (!is_row(part) || counts()) {
            return Err(malformed("got boxes of named rows, expected boxes of one row of a matrix, counted from 0"));
        }
        if self.walks_pixels() && (self.rows != 0 || self.until || self.parts.len() != 1) {
            return Err(malformed(
                "got pixels of images with rows, an end or several maps, expected one map of pixels",
            ));
        }
        if self.until && (self.rows != 0 || part.map.until().is_none()) {
            return Err(malformed("got an end at run time, expected boxes of a map that counts rows from it"));
        }
        let moving = || part.at.iter().filter_map(|at| at.moving);
        if let Some(moving) = moving().find(|moving| moving.div < 1 || moving.scale < 1 || moving.divisor < 1) {
            return Err(malformed(format!(
                "got div {}, scale {} and divisor {}, expected 1 or more",
                moving.div, moving.scale, moving.divisor
            )));
        }
        let places = part.loops.iter().map(|turn| turn.offset).chain([part.offset]);
        let bytes = i64::from(self.element_bits / 8).max(1);
        match places.into_iter().map(|place| place.saturating_mul(bytes)).find(|place| place % BOX_ALIGN != 0) {
            Some(place) => Err(malformed(format!(
                "got a box {place} bytes from the start of shared storage, expected a multiple of {BOX_ALIGN}"
            ))),
            None => Ok(()),
        }
    }
}

impl Family for TensorMapCopy {
    fn variant(&self) -> &'static str {
        TMA
    }

    /// Loads fill what is outside of the tensor, and stores leave it out.
    fn is_masked(&self) -> bool {
        true
    }

    fn verify(&self) -> Result<(), Refusal> {
        TensorMapCopy::verify(self)
    }

    fn reduces(&self, element: &str) -> Option<PlanReduction> {
        let reduction = self.form.reduction();
        reduction.map(|reduction| PlanReduction { by: reduction.suffix(), fits: reduction.takes(element) })
    }
}

impl Requests for TensorMapCopy {}

impl Costs for TensorMapCopy {
    /// An instruction for each box, which one thread issues.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.instructions(), wavefronts: 0 })
    }
}

impl Carried for TensorMapCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if role == self.form.global() { &self.global } else { &self.shared };
        Some(CarriedSide::of(side, self.element_bits))
    }

    fn check_clauses(&self, clauses: CarriedClauses) -> Result<(), CarriedError> {
        CarriedClauses { barrier: false, cta_mask: false, ..clauses }.none()?;
        let loads = matches!(self.form, MapForm::Load | MapForm::Multicast);
        match (clauses.barrier, loads, clauses.cta_mask, self.form == MapForm::Multicast) {
            (false, true, ..) => Err(ClauseError::Missing("mbarrier").into()),
            (true, false, ..) => Err(ClauseError::Surplus("an mbarrier").into()),
            (.., false, true) => Err(ClauseError::Missing("cta_mask").into()),
            (.., true, false) => Err(ClauseError::Surplus("a cta_mask").into()),
            _ => Ok(()),
        }
    }

    fn is_asynchronous(&self) -> bool {
        true
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        let global = self.form.global();
        for moving in self.parts.iter_mut().flat_map(|part| &mut part.at).filter_map(|at| at.moving.as_mut()) {
            let Moving { div, divisor, residue, .. } = *moving;
            visit(ValueUse { list: ValueList::Of(global), index: &mut moving.value, div, divisor, residue });
        }
        self.global.each_value(ValueList::Of(global), visit);
        self.shared.each_value(ValueList::Of(global.other()), visit);
    }
}
