//! Shared memory to tensor memory through `tcgen05.cp`.

use serde::{Deserialize, Serialize};
use tile_isa::matrix_descriptor::DescriptorError;
use tile_isa::tmem_copy::check_cta_group;
use tile_isa::{MatrixDescriptor, Space, TmemForm, check_element_bits, check_instructions, matrix_descriptor};
use tile_layout::{Axis, Iter, counted};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::family::{Cost, Costs, Family, Requests};
use crate::families::tmem::region::{LANE_BITS, check_side, multiples, places, same_extents, size, split, tensor_unit};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{DynamicTerm, ValueList, ValueUse};
use crate::sides::require::memory_base;
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::is_default;

/// The fields of a shared memory matrix descriptor that are the same for every tile of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// Leading dimension offset, in units of 16 bytes.
    pub leading: i64,
    /// Stride dimension offset, in units of 16 bytes: the distance between groups of 8 rows.
    pub stride: i64,
    /// Swizzle mode: 0 none, 1 of 32, 2 of 64, 3 of 128 bytes.
    pub swizzle: i64,
}

impl Descriptor {
    /// The descriptor of a matrix at address 0.
    ///
    /// # Errors
    /// A number that does not fit its field: got and expected.
    pub fn matrix(&self) -> Result<MatrixDescriptor, DescriptorError> {
        matrix_descriptor::named(&[self.leading, self.stride, self.swizzle])
    }
}

/// One `tcgen05.cp` per tile, issued by one thread.
///
/// Both layouts are over `[tiles…, rows…, atom…]`, with the same extents. The first `tile_iters` iters number the
/// tiles, one instruction each; the remainder is what one instruction moves. Offsets of the shared side count elements
/// before the swizzle, which is in the descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TmemCopy {
    /// What one instruction moves.
    pub form: TmemForm,
    /// 1, or 2 for a pair of CTAs.
    pub cta_group: i64,
    /// The fields of the descriptor other than the address.
    pub descriptor: Descriptor,
    /// Width of an element.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// Leading iters that number the tiles.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tile_iters: usize,
    /// The side in shared memory. Run-time terms count elements.
    pub src: Side,
    /// The side in tensor memory. Run-time terms are in its address units: 1 is a column of 32 bits, `1 << 16` a lane.
    pub dst: Side,
}

impl Requests for TmemCopy {}

impl Costs for TmemCopy {
    /// An instruction for each tile, which one thread issues.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.tiles(), wavefronts: 0 })
    }
}

impl Family for TmemCopy {
    fn variant(&self) -> &'static str {
        "tcgen05_cp"
    }

    fn verify(&self) -> Result<(), Refusal> {
        TmemCopy::verify(self)
    }
}

impl Carried for TmemCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if role == Role::Src { &self.src } else { &self.dst };
        Some(CarriedSide::of(side, self.element_bits))
    }

    fn is_asynchronous(&self) -> bool {
        true
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.each_value(ValueList::Of(Role::Src), visit);
        self.dst.each_value(ValueList::Of(Role::Dst), visit);
    }
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-tmem-copy", reason.to_string())
}

impl TmemCopy {
    /// Number of instructions, one per tile.
    pub fn tiles(&self) -> i64 {
        self.src.layout.shard.iter().take(self.tile_iters).fold(1i64, |all, iter| all.saturating_mul(iter.extent))
    }

    /// The PTX instruction: `tcgen05.cp.cta_group::1.32x128b.warpx4`.
    pub fn instruction(&self) -> String {
        format!("tcgen05.cp.cta_group::{}.{}", self.cta_group, self.form.name())
    }
}

impl TmemCopy {
    /// Checks the invariants of the plans that stage 1 makes.
    ///
    /// # Errors
    /// `malformed-tmem-copy`: a number that the instruction or its descriptor does not have; sides in other memories,
    /// invalid, or with extents that differ; tiles that do not start at multiples of 16 bytes; rows and columns that
    /// are not those of the form and the descriptor; another swizzle, or a start inside its pattern.
    pub fn verify(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        self.check_numbers()?;
        check_side(&self.src, Space::Shared, |axis| axis == Axis::Memory).map_err(malformed)?;
        check_side(&self.dst, Space::Tmem, |axis| matches!(axis, Axis::TLane | Axis::TCol)).map_err(malformed)?;
        check_instructions("tile_iters", self.tile_iters, &self.src.layout, &self.dst.layout).map_err(malformed)?;
        let (tiles, rest) = split(&self.src, self.tile_iters);
        let (tensor_tiles, tensor_rest) = split(&self.dst, self.tile_iters);
        same_extents(&[tiles, rest].concat(), &[tensor_tiles, tensor_rest].concat()).map_err(malformed)?;
        self.check_pattern()?;
        let bits = i64::from(self.element_bits);
        let starts = tiles.iter().map(|iter| iter.stride).chain([self.src.layout.offset_on(Axis::Memory)]);
        multiples(
            "the source's tiles begin at bit",
            starts.chain(strides(&self.src)).map(|at| at.wrapping_mul(bits)),
            128,
        )
        .map_err(malformed)?;
        let starts = tensor_tiles.iter().filter(|iter| iter.axis == Axis::TCol).map(|iter| iter.stride);
        let starts = starts.chain([self.dst.layout.offset_on(Axis::TCol)]).map(|at| at.wrapping_mul(bits));
        multiples("the destination's columns begin at bit", starts, 128).map_err(malformed)?;
        multiples("the destination's run-time columns count", strides(&self.dst), 4).map_err(malformed)?;
        self.check_rest(rest, tensor_rest)
    }

    fn check_numbers(&self) -> Result<(), Refusal> {
        check_cta_group(self.cta_group).map_err(malformed)?;
        self.descriptor.matrix().map_err(malformed)?;
        Ok(())
    }

    /// Requires the layout to have the swizzle of the descriptor, and the region to start at a multiple of its pattern.
    fn check_pattern(&self) -> Result<(), Refusal> {
        let (mode, unit) = (self.descriptor.swizzle, 128 / self.element_bits);
        let wanted = (mode != 0).then_some((unit.ilog2(), mode, 3, true));
        let swizzle = self.src.layout.swizzle.filter(|swizzle| swizzle.len != 0);
        let got = swizzle.map(|swizzle| (swizzle.per_element, i64::from(swizzle.len), swizzle.atom_len, swizzle.inner));
        if got != wanted {
            return Err(malformed(format!("the source {} does not have the swizzle of mode {mode}", self.src.layout)));
        }
        let pattern = if mode == 0 { 16 } else { 128 << mode };
        if self.src.align_bytes % pattern != 0 {
            let align = self.src.align_bytes;
            return Err(malformed(format!(
                "the source's storage is aligned to {}; needed {pattern}",
                counted(align, "byte")
            )));
        }
        let elements = i128::from(pattern * 8 / i64::from(self.element_bits));
        let moves = |term: &DynamicTerm| i128::from(term.divisor) * i128::from(term.stride) % elements != 0;
        if memory_base(&self.src) % elements != 0 || self.src.dynamic.iter().any(moves) {
            return Err(malformed(format!("the source begins inside a pattern of {pattern} bytes")));
        }
        Ok(())
    }

    /// Checks the rows of one instruction: that they are where the descriptor finds them, and where the form puts them.
    fn check_rest(&self, shared: &[Iter], tensor: &[Iter]) -> Result<(), Refusal> {
        let bits = i64::from(self.element_bits);
        let (rows, columns) = (self.form.rows(), self.form.row_bits() / bits);
        if size(shared) != rows * columns {
            let form = self.form.name();
            let elements = counted(size(shared), "element");
            return Err(malformed(format!("the rest has {elements}; needed {rows} rows of {columns} for {form}")));
        }
        let lanes = places(&lane_iters(self.form.lanes()), |_| LANE_BITS);
        let unit = 128 / bits;
        let descriptor = self.descriptor;
        let across = if descriptor.swizzle == 0 { descriptor.leading } else { 1 };
        let place = |row: i64, column: i64| {
            let units = row / 8 * descriptor.stride + ((row % 8) << descriptor.swizzle) + column / unit * across;
            units * unit + column % unit
        };
        let walk = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        if !places(shared, |_| 1).into_iter().eq(walk().map(|(row, column)| place(row, column))) {
            return Err(malformed("the rest of the source is not where the descriptor has it"));
        }
        let to = walk().map(|(row, column)| lanes[row as usize] + column * bits);
        if !places(tensor, |iter| tensor_unit(iter, bits)).into_iter().eq(to) {
            return Err(malformed(format!("the rest of the destination is not where {} puts it", self.form.name())));
        }
        Ok(())
    }
}

fn lane_iters(lanes: &[(i64, i64)]) -> Vec<Iter> {
    lanes.iter().map(|&(extent, stride)| Iter::new(extent, stride, Axis::TLane)).collect()
}

fn strides(side: &Side) -> impl Iterator<Item = i64> + '_ {
    side.dynamic.iter().map(|term| term.stride)
}
