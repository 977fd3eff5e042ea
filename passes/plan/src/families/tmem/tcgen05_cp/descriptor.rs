//! What a shared memory matrix descriptor can express (PTX ISA, tcgen05 shared memory descriptor and canonical
//! layouts).

use tile_isa::matrix_descriptor::{Field, UNIT_BYTES};
use tile_isa::{SwizzleMode, TmemForm};
use tile_layout::counted;

use crate::families::tmem::copy::Descriptor;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::digits::{cut, follow_stride};
use crate::sides::order::Pair;

/// Elements in 16 bytes, the unit of all fields.
pub(super) fn unit(bits: u32) -> i64 {
    128 / i64::from(bits)
}

/// The mode that permutes chunks as the layout's swizzle does.
///
/// # Errors
/// `swizzle-not-of-descriptor` for a swizzle that no mode has.
pub(super) fn mode(src: &Operand, bits: u32) -> Result<SwizzleMode, Refusal> {
    let Some(swizzle) = src.layout.swizzle.filter(|swizzle| swizzle.len != 0) else { return Ok(SwizzleMode::None) };
    let chunk = unit(bits).ilog2();
    let known = SwizzleMode::of_chunks().find(|mode| mode.number() == i64::from(swizzle.len));
    let fits = swizzle.inner && swizzle.atom_len == 3 && swizzle.per_element == chunk;
    known.filter(|_| fits).ok_or_else(|| {
        let (per_element, len, atom_len) = (swizzle.per_element, swizzle.len, swizzle.atom_len);
        let outer = if swizzle.inner { "" } else { ", outer" };
        let reason = format!(
            "the source has swizzle<base = {per_element}, bits = {len}, shift = {atom_len}{outer}>; a descriptor of {bits}-bit elements has \
             none, swizzle<base = {chunk}, bits = 1, shift = 3>, swizzle<base = {chunk}, bits = 2, shift = 3> and swizzle<base = {chunk}, bits = 3, shift = 3>"
        );
        Refusal::of(Role::Src, "swizzle-not-of-descriptor", reason)
    })
}

/// The descriptor of a tile: groups of 8 rows, `stride` apart; each row has one or two units of 16 bytes, `leading`
/// apart.
pub(super) fn describe(
    rows: &[Pair],
    atom: &[Pair],
    form: TmemForm,
    mode: SwizzleMode,
    bits: u32,
) -> Result<Descriptor, Refusal> {
    let (groups, row) = cut(rows, form.rows().min(8)).unwrap_or_default();
    let (Some(row), Some(group)) = (follow_stride(&row), follow_stride(&groups)) else {
        let reason = format!("the rows of {} lie unevenly in the source; needed groups of 8 even rows", form.name());
        return Err(Refusal::of(Role::Src, "rows-uneven", reason));
    };
    let bytes = i128::from(row) * i128::from(bits) / 8;
    if bytes != i128::from(mode.row_bytes()) {
        let reason = format!("rows {} apart in the source; {mode} needs {}", counted(bytes, "byte"), mode.row_bytes());
        return Err(Refusal::of(Role::Src, "rows-not-of-swizzle", reason));
    }
    Ok(Descriptor {
        leading: leading(atom, form, mode, bits)?,
        stride: field("groups of 8 rows", group, bits)?,
        swizzle: mode.number(),
    })
}

/// The distance between the two halves of a 256-bit row. For a row of 128 bits the field has no effect.
fn leading(atom: &[Pair], form: TmemForm, mode: SwizzleMode, bits: u32) -> Result<i64, Refusal> {
    let unit = unit(bits);
    let (halves, inside) = cut(atom, unit).unwrap_or_default();
    if unit > 1 && follow_stride(&inside) != Some(1) {
        let reason = format!("16 bytes of a row are not {unit} contiguous elements of the source");
        return Err(Refusal::of(Role::Src, "row-not-contiguous", reason));
    }
    if form.row_bits() == 128 {
        return Ok(0);
    }
    let half = follow_stride(&halves).unwrap_or(0);
    let leading = field("halves of a row", half, bits)?;
    if mode != SwizzleMode::None && leading != 1 {
        let apart = counted(half, "element");
        let reason = format!("the halves of a row are {apart} apart in the source; {mode} needs {unit}");
        return Err(Refusal::of(Role::Src, "row-not-contiguous", reason));
    }
    Ok(leading)
}

/// A distance in elements as a field of the descriptor.
fn field(what: &str, distance: i64, bits: u32) -> Result<i64, Refusal> {
    let unit = unit(bits);
    if distance % unit == 0 && (0..=Field::LEADING.max()).contains(&(distance / unit)) {
        return Ok(distance / unit);
    }
    let apart = counted(i128::from(distance) * i128::from(bits) / 8, "byte");
    let largest = UNIT_BYTES * Field::LEADING.max();
    let reason = format!("the {what} are {apart} apart in the source; needed a multiple of 16 up to {largest}");
    Err(Refusal::of(Role::Src, "descriptor-field-out-of-range", reason))
}
