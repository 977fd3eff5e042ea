//! The plan of copies through `ldmatrix` and `stmatrix`, with its invariants, its rows and its registers.

use serde::{Deserialize, Serialize};
use tile_isa::matrix::{LANE_BITS, MATRIX_ROWS, ROW_LANES, TRANSPOSED_BITS, matrix_loads};
use tile_isa::{MatrixShape, WARP};
use tile_layout::{AddressStep, Axis, Eval, Fusion, IndexArith, Iter, Layout};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::family::Family;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::address::{digits, finish};
use crate::sides::chain::on_threads;
use crate::sides::side::{Guard, Side, check_guards};
use crate::sides::width::legal;
use crate::text::is_default;

/// Matrices of 8 rows of 16 bytes between shared memory and the registers of warps.
///
/// Both layouts are over `shape = [warps, 8, 4, steps, num, held]`; iters of each part multiply to its extent. A lane holds 4 bytes
/// of a row: 2 elements of 16 bits, which the instruction may transpose, or 4 of 8 bits or 1 of 32, which it may not.
/// Warp `w`, lane `l`, step `s` of the copy:
///
/// ```text
///   shared row address   position (w, 0, 0, s, l/8 where num > 1, 0), plus (l mod 8) * row_stride
///   register i < num     position (0, 0, 0, s, i, 0) / held, in 32-bit registers
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixCopy {
    /// True for shared → registers (`ldmatrix`), false for registers → shared (`stmatrix`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub load: bool,
    /// Whether each matrix is transposed.
    #[serde(rename = "transposed", default, skip_serializing_if = "is_default")]
    pub trans: bool,
    /// Matrices per instruction: 1, 2 or 4.
    pub num: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// `[threads/32, 8, 4, M/(held num), num, held]` with `M` elements per thread.
    pub shape: [i64; 6],
    /// Elements between adjacent rows of a matrix in shared memory, before the swizzle.
    pub row_stride: i64,
    /// Warps that take part; all of them where the list is empty. Whole warps only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guards: Vec<Guard>,
    /// The shared side.
    pub shared: Side,
    /// The register side.
    pub registers: Side,
}

impl Family for MatrixCopy {
    fn variant(&self) -> &'static str {
        "ldstmatrix"
    }

    fn verify(&self) -> Result<(), Refusal> {
        MatrixCopy::verify(self)
    }
}

impl Carried for MatrixCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if self.load == (role == Role::Src) { &self.shared } else { &self.registers };
        Some(CarriedSide::of(side, self.bits()))
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        let (shared, registers) = if self.load { (Role::Src, Role::Dst) } else { (Role::Dst, Role::Src) };
        self.shared.each_value(ValueList::Of(shared), visit);
        self.registers.each_value(ValueList::Of(registers), visit);
    }
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-matrix-copy", reason.to_string())
}

impl MatrixCopy {
    /// Instructions per warp.
    pub fn steps(&self) -> i64 {
        self.shape[3]
    }

    /// Elements of a row that a lane holds, in one register.
    pub fn lane_elements(&self) -> i64 {
        self.shape[5].max(1)
    }

    /// Elements of a row of a matrix.
    pub fn row_elements(&self) -> i64 {
        ROW_LANES * self.lane_elements()
    }

    /// Width of an element.
    pub fn bits(&self) -> u32 {
        LANE_BITS / u32::try_from(self.lane_elements()).unwrap_or(LANE_BITS).min(LANE_BITS)
    }

    /// The PTX instruction: `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`.
    pub fn instruction(&self) -> String {
        let name = if self.load { "ldmatrix" } else { "stmatrix" };
        let trans = if self.trans { ".trans" } else { "" };
        format!("{name}.sync.aligned.m8n8.x{}{trans}.shared.b16", self.num)
    }
}

impl MatrixCopy {
    /// Checks that the rows of the matrices are contiguous and aligned, and that the registers are those of the
    /// instruction.
    ///
    /// # Errors
    /// `malformed-matrix-copy`, or the cause for which a row is illegal.
    pub fn verify(&self) -> Result<(), Refusal> {
        let (shared, registers) = if self.load { (Role::Src, Role::Dst) } else { (Role::Dst, Role::Src) };
        self.check_shape()?;
        check_guards(&self.guards).map_err(malformed)?;
        self.shared.validate(shared.name()).map_err(malformed)?;
        self.registers.validate(registers.name()).map_err(malformed)?;
        let (row, held) = (self.row_stride, self.lane_elements());
        if self.trans && self.bits() != TRANSPOSED_BITS {
            return Err(malformed(format!(
                "got transposed elements of {} bits, expected {TRANSPOSED_BITS}",
                self.bits()
            )));
        }
        let shared_parts = if self.trans {
            [Iter::memory(8, 1), Iter::memory(4, row.saturating_mul(2)), Iter::memory(2, row)]
        } else {
            [Iter::memory(8, row), Iter::memory(4, held), Iter::memory(held, 1)]
        };
        self.holds(&self.shared, shared, shared_parts)?;
        let lane = |extent, stride| Iter::new(extent, stride, Axis::LaneId);
        self.holds(&self.registers, registers, [lane(8, 4), lane(4, 1), Iter::memory(held, 1)])?;
        let bytes = i64::from(self.bits() / 8);
        legal(&self.rows(), shared, self.row_elements(), 128, bytes)?;
        legal(&self.lane_registers(), registers, held, LANE_BITS, bytes)
    }

    /// Checks that `shape`, `num` and `threads` agree with each other and with the number of elements.
    fn check_shape(&self) -> Result<(), Refusal> {
        let (src, dst) = if self.load { (&self.shared, &self.registers) } else { (&self.registers, &self.shared) };
        matrix_loads(src.space.name(), dst.space.name()).map_err(malformed)?;
        let shape = MatrixShape::of(&self.shape, self.shared.layout.size()).map_err(malformed)?;
        if (shape.matrices, shape.threads()) == (self.num, self.threads) {
            return Ok(());
        }
        let (num, threads) = (self.num, self.threads);
        Err(malformed(format!("got shape {:?} for {threads} threads and instructions of {num} matrices", self.shape)))
    }

    /// Checks that dimensions 1, 2 and 5 of the shape have these iters.
    fn holds(&self, side: &Side, role: Role, parts: [Iter; 3]) -> Result<(), Refusal> {
        let (grouped, seps) = self.groups(side)?;
        for (part, needed) in [1, 2, 5].into_iter().zip(parts) {
            // Any thread axis will do, as all count threads: lanes of a warpgroup may be on `tid_in_wg`.
            let lane = |iter: &Iter| on_threads(*iter).map_or(*iter, |iter| Iter { axis: Axis::LaneId, ..iter });
            let iters: Vec<Iter> = grouped.shard[seps[part]..seps[part + 1]].iter().map(lane).collect();
            let fused = Layout::new(iters).canonicalize(Fusion::None);
            if fused.shard.iter().ne([needed].iter().filter(|needed| needed.extent != 1)) {
                let reason = format!("dimension {part} of the {role} is {fused}; needed {needed}");
                return Err(Refusal::of(role, "malformed-matrix-copy", reason));
            }
        }
        Ok(())
    }

    /// The shared side as rows.
    fn rows(&self) -> Side {
        self.outer(&self.shared, &[Iter::memory(8, self.row_stride), Iter::memory(self.row_elements(), 1)])
    }

    /// The register side as registers of 32 bits.
    fn lane_registers(&self) -> Side {
        self.outer(&self.registers, &[Iter::memory(self.lane_elements(), 1)])
    }

    /// The iters of a side for warps, steps and matrices, then `inner`; iters on threads are left out.
    fn outer(&self, side: &Side, inner: &[Iter]) -> Side {
        let (grouped, seps) = self.groups(side).unwrap_or((side.layout.clone(), vec![0; 7]));
        let outer = [0, 3, 4].into_iter().flat_map(|part| &grouped.shard[seps[part]..seps[part + 1]]);
        let memory = outer.filter(|iter| iter.axis == Axis::Memory);
        let shard = memory.chain(inner).copied().collect();
        Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() }
    }

    fn groups(&self, side: &Side) -> Result<(Layout, Vec<usize>), Refusal> {
        side.layout.group(&self.shape).map_err(malformed)
    }
}

/// The row address that thread `t` passes to the matrix instruction of `step`.
///
/// # Errors
/// `missing-value` when `values` is too short; `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_address<A: IndexArith>(
    a: &mut A,
    copy: &MatrixCopy,
    t: A::Value,
    step: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.shared.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let mut terms = Vec::new();
    let (lanes, rows, num) = (a.constant(WARP), a.constant(MATRIX_ROWS), a.constant(copy.num));
    let warp = a.div(t.clone(), lanes.clone());
    digits(a, group(0), warp, &mut terms);
    digits(a, group(3), step, &mut terms);
    let lane = a.rem(t, lanes);
    if copy.num != 1 {
        let matrix = a.div(lane.clone(), rows.clone());
        let matrix = a.rem(matrix, num);
        digits(a, group(4), matrix, &mut terms);
    }
    let row = a.rem(lane, rows);
    terms.push(AddressStep::new(copy.row_stride, Axis::Memory, row));
    finish(a, &copy.shared, terms, values)
}

/// The 32-bit register of matrix `matrix` in `step`: its lowest bits are element `lane_elements * register` of the thread's storage.
///
/// # Errors
/// `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_register(copy: &MatrixCopy, step: i64, matrix: i64) -> Result<i64, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.registers.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let (mut terms, eval) = (Vec::new(), &mut Eval);
    digits(eval, group(3), step, &mut terms);
    digits(eval, group(4), matrix, &mut terms);
    Ok(finish(eval, &copy.registers, terms, &[])? / copy.lane_elements())
}

fn matrix_groups(layout: &Layout, copy: &MatrixCopy) -> Result<(Layout, Vec<usize>), Refusal> {
    layout.group(&copy.shape).map_err(malformed)
}
