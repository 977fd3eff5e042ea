//! Is a tensor-memory copy what stage 1 makes? Stage 3 also reads copies that were written by hand.

use tile_layout::{Axis, Iter};

use crate::plan::{DynamicTerm, Refusal, Side, TensorAccess, TensorCopy};
use crate::problem::Space;
use crate::require::memory_base;
use crate::tensor::{LANE, LANE_BITS};

/// Instructions that are written out at most: the tiles of 4 rows of 256 bits that tensor memory holds.
pub const MOST_INSTRUCTIONS: i64 = 2048;

/// Threads of a warpgroup, one beyond the bits of any thread's registers.
const THREAD: i64 = 1 << 32;

impl TensorCopy {
    /// Is the copy what stage 1 makes?
    ///
    /// # Errors
    /// `malformed-tensor-copy`: a number that the instruction or its descriptor does not have; sides in other memories,
    /// invalid, or of other extents than each other; tiles that begin inside 16 bytes; rows and columns that are not
    /// those of the form and the descriptor; another swizzle, or a begin inside its pattern.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.check().map_err(|reason| Refusal::new("malformed-tensor-copy", reason))
    }

    fn check(&self) -> Result<(), String> {
        check_element(self.element_bits)?;
        self.check_numbers()?;
        check_side(&self.src, Space::Shared, |axis| axis == Axis::Memory)?;
        check_side(&self.dst, Space::Tmem, |axis| matches!(axis, Axis::TLane | Axis::TCol))?;
        let (tiles, rest) = split(&self.src, self.tile_iters)?;
        let (tensor_tiles, tensor_rest) = split(&self.dst, self.tile_iters)?;
        same_extents(&[tiles, rest].concat(), &[tensor_tiles, tensor_rest].concat())?;
        few(self.tiles())?;
        self.check_pattern()?;
        let bits = i64::from(self.element_bits);
        let starts = tiles.iter().map(|iter| iter.stride).chain([self.src.layout.offset_on(Axis::Memory)]);
        multiples(
            "the source's tiles begin at bit",
            starts.chain(strides(&self.src)).map(|at| at.wrapping_mul(bits)),
            128,
        )?;
        let starts = tensor_tiles.iter().filter(|iter| iter.axis == Axis::TCol).map(|iter| iter.stride);
        let starts = starts.chain([self.dst.layout.offset_on(Axis::TCol)]).map(|at| at.wrapping_mul(bits));
        multiples("the destination's columns begin at bit", starts, 128)?;
        multiples("the destination's run-time columns count", strides(&self.dst), 4)?;
        self.check_rest(rest, tensor_rest)
    }

    fn check_numbers(&self) -> Result<(), String> {
        if !matches!(self.cta_group, 1 | 2) {
            return Err(format!("got cta_group {}; needed 1 or 2", self.cta_group));
        }
        let fields = [self.descriptor.leading, self.descriptor.stride];
        if let Some(field) = fields.iter().find(|field| !(0..1 << 14).contains(*field)) {
            return Err(format!("got {field} in a field of the descriptor; needed 0 to 16383"));
        }
        let swizzle = self.descriptor.swizzle;
        if (0..4).contains(&swizzle) { Ok(()) } else { Err(format!("got swizzle mode {swizzle}; needed 0 to 3")) }
    }

    /// The layout has the swizzle of the descriptor, and the region begins where its pattern does.
    fn check_pattern(&self) -> Result<(), String> {
        let (mode, unit) = (self.descriptor.swizzle, 128 / self.element_bits);
        let wanted = (mode != 0).then_some((unit.ilog2(), mode, 3, true));
        let swizzle = self.src.layout.swizzle.filter(|swizzle| swizzle.len != 0);
        let got = swizzle.map(|it| (it.per_element, i64::from(it.len), it.atom_len, it.inner));
        if got != wanted {
            return Err(format!("the source {} has not the swizzle of mode {mode}", self.src.layout));
        }
        let pattern = if mode == 0 { 16 } else { 128 << mode };
        if self.src.align_bytes % pattern != 0 {
            let align = self.src.align_bytes;
            return Err(format!("the source's storage is aligned to {align} bytes; needed {pattern}"));
        }
        let elements = i128::from(pattern * 8 / i64::from(self.element_bits));
        let moves = |term: &DynamicTerm| i128::from(term.divisor) * i128::from(term.stride) % elements != 0;
        if memory_base(&self.src) % elements != 0 || self.src.dynamic.iter().any(moves) {
            return Err(format!("the source begins inside a pattern of {pattern} bytes"));
        }
        Ok(())
    }

    /// The rows of one instruction: where the descriptor finds them, and where the form puts them.
    fn check_rest(&self, shared: &[Iter], tensor: &[Iter]) -> Result<(), String> {
        let bits = i64::from(self.element_bits);
        let (rows, columns) = (self.form.rows(), self.form.row_bits() / bits);
        if size(shared) != rows * columns {
            let form = self.form.name();
            return Err(format!("the rest has {} elements; needed {rows} rows of {columns} for {form}", size(shared)));
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
            return Err("the rest of the source is not where the descriptor has it".to_owned());
        }
        let to = walk().map(|(row, column)| lanes[row as usize] + column * bits);
        if !places(tensor, |iter| tensor_unit(iter, bits)).into_iter().eq(to) {
            return Err(format!("the rest of the destination is not where {} puts it", self.form.name()));
        }
        Ok(())
    }
}

impl TensorAccess {
    /// Is the access what stage 1 makes?
    ///
    /// # Errors
    /// `malformed-tensor-access`: a number that the instruction does not have; sides in other places, invalid, or of
    /// other extents than each other; instructions that begin inside a register or a column, or at a lane that the warp
    /// does not reach; threads and registers that are not those of the shape.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.check().map_err(|reason| Refusal::new("malformed-tensor-access", reason))
    }

    fn check(&self) -> Result<(), String> {
        check_element(self.element_bits)?;
        if self.num < 1 || self.num.count_ones() != 1 || self.num > 128 / self.shape.registers() {
            let most = 128 / self.shape.registers();
            return Err(format!("got {} times {}; needed a power of two up to {most}", self.num, self.shape.name()));
        }
        check_side(&self.tmem, Space::Tmem, |axis| matches!(axis, Axis::TLane | Axis::TCol))?;
        check_side(&self.registers, Space::Local, |axis| matches!(axis, Axis::Memory | Axis::TidInWg))?;
        if !self.registers.dynamic.is_empty() {
            return Err("the registers begin at a run-time value".to_owned());
        }
        let (first, rest) = split(&self.registers, self.instruction_iters)?;
        let (tensor_first, tensor_rest) = split(&self.tmem, self.instruction_iters)?;
        same_extents(&[first, rest].concat(), &[tensor_first, tensor_rest].concat())?;
        few(self.instructions())?;
        self.check_starts(first, tensor_first)?;
        self.check_rest(rest, tensor_rest)
    }

    fn check_starts(&self, registers: &[Iter], tensor: &[Iter]) -> Result<(), String> {
        let bits = i64::from(self.element_bits);
        if registers.iter().any(|iter| iter.axis != Axis::Memory) || self.registers.layout.offset_on(Axis::TidInWg) != 0
        {
            return Err("the instructions are numbered by threads; needed registers".to_owned());
        }
        let starts = registers.iter().map(|iter| iter.stride).chain([self.registers.layout.offset_on(Axis::Memory)]);
        multiples("the registers begin at bit", starts.map(|at| at.wrapping_mul(bits)), 32)?;
        let columns = tensor.iter().filter(|iter| iter.axis == Axis::TCol).map(|iter| iter.stride);
        let columns = columns.chain([self.tmem.layout.offset_on(Axis::TCol)]);
        multiples("the columns begin at bit", columns.map(|at| at.wrapping_mul(bits)), 32)?;
        let lanes: Vec<Iter> = tensor.iter().filter(|iter| iter.axis == Axis::TLane).copied().collect();
        let first = self.tmem.layout.offset_on(Axis::TLane);
        let last =
            lanes.iter().fold(first, |last, iter| last.saturating_add(iter.stride.saturating_mul(iter.extent - 1)));
        let all = lanes.iter().map(|iter| iter.stride).chain([first]);
        multiples("warp 0 begins at lane", all, self.shape.lanes())?;
        let known = self.tmem.dynamic.iter().all(|term| term.stride.saturating_abs() < LANE);
        if known && first >= 0 && last < 32 && lanes.iter().all(|iter| iter.stride >= 0) {
            return Ok(());
        }
        Err(format!("warp 0 begins at lanes {first} to {last}, or at a run-time lane; it reaches lanes 0 to 31"))
    }

    /// The registers of one instruction of all four warps.
    fn check_rest(&self, registers: &[Iter], tensor: &[Iter]) -> Result<(), String> {
        let bits = i64::from(self.element_bits);
        let needed = 128 * self.words() * 32 / bits;
        if size(registers) != needed {
            return Err(format!("the rest has {} elements; one instruction moves {needed}", size(registers)));
        }
        let mut held = places(registers, |iter| if iter.axis == Axis::Memory { bits } else { THREAD });
        let moved = places(tensor, |iter| tensor_unit(iter, bits));
        let place = |held: &i64| {
            let (thread, bit) = (held / THREAD, held % THREAD);
            let (lane, column) = self.shape.place(thread % 128, bit / 32);
            lane * LANE_BITS + column * 32 + bit % 32
        };
        if !held.iter().map(place).eq(moved) {
            return Err(format!("the rest is no fragment of {}", self.shape.name()));
        }
        held.sort_unstable();
        let each = (0..128).flat_map(|thread| (0..needed / 128).map(move |element| thread * THREAD + element * bits));
        if held.into_iter().eq(each) { Ok(()) } else { Err("the rest is not every register once".to_owned()) }
    }
}

fn check_element(bits: u32) -> Result<(), String> {
    let known = matches!(bits, 8 | 16 | 32 | 64 | 128);
    if known { Ok(()) } else { Err(format!("elements have {bits} bits; needed 8, 16, 32, 64 or 128")) }
}

fn check_side(side: &Side, space: Space, allowed: impl Fn(Axis) -> bool) -> Result<(), String> {
    if side.space != space {
        return Err(format!("a side is in {} memory; needed {space}", side.space));
    }
    side.layout.validate().map_err(|error| error.to_string())?;
    if let Some(axis) = side.layout.axes().into_iter().find(|axis| !allowed(*axis)) {
        return Err(format!("the {space} side has the axis '{axis}'"));
    }
    if side.align_bytes < 1 || side.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
        return Err("an alignment or a divisor is below 1".to_owned());
    }
    Ok(())
}

/// The digits that number instructions, and the rest.
fn split(side: &Side, count: usize) -> Result<(&[Iter], &[Iter]), String> {
    let shard = &side.layout.shard;
    shard
        .split_at_checked(count)
        .ok_or_else(|| format!("{count} digits number instructions; there are {}", shard.len()))
}

fn few(count: i64) -> Result<(), String> {
    if count <= MOST_INSTRUCTIONS {
        Ok(())
    } else {
        Err(format!("{count} instructions; needed {MOST_INSTRUCTIONS} at most"))
    }
}

fn same_extents(one: &[Iter], other: &[Iter]) -> Result<(), String> {
    let [one, other] = [one, other].map(|iters| iters.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    if one == other { Ok(()) } else { Err(format!("one side counts {one:?}, the other {other:?}")) }
}

fn multiples(what: &str, mut numbers: impl Iterator<Item = i64>, of: i64) -> Result<(), String> {
    match numbers.find(|number| number % of != 0) {
        Some(number) => Err(format!("{what} {number}; needed multiples of {of}")),
        None => Ok(()),
    }
}

fn strides(side: &Side) -> impl Iterator<Item = i64> + '_ {
    side.dynamic.iter().map(|term| term.stride)
}

/// Number of elements; those of one instruction are few.
fn size(iters: &[Iter]) -> i64 {
    iters.iter().fold(1i64, |size, iter| size.saturating_mul(iter.extent))
}

fn tensor_unit(iter: &Iter, bits: i64) -> i64 {
    if iter.axis == Axis::TLane { LANE_BITS } else { bits }
}

fn lane_iters(lanes: &[(i64, i64)]) -> Vec<Iter> {
    lanes.iter().map(|&(extent, stride)| Iter::new(extent, stride, Axis::TLane)).collect()
}

/// The place of each position, in order; a stride counts in `unit`s of its iter.
fn places(iters: &[Iter], unit: impl Fn(&Iter) -> i64) -> Vec<i64> {
    let mut places = vec![0i64];
    for iter in iters {
        let step = iter.stride.saturating_mul(unit(iter));
        let next = |place: i64| (0..iter.extent).map(move |digit| place.saturating_add(step.saturating_mul(digit)));
        places = places.into_iter().flat_map(next).collect();
    }
    places
}
