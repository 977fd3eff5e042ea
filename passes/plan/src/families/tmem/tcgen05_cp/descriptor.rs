//! What a shared memory matrix descriptor can express (PTX ISA, tcgen05 shared memory descriptor and canonical
//! layouts).

use std::fmt;

use tile_isa::TmemForm;
use tile_layout::counted;

use crate::families::tmem::copy::Descriptor;
use crate::problem::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::sides::digits::{cut, follow_stride};
use crate::sides::order::Pair;

/// Largest value of the leading and the stride field, in units of 16 bytes.
const LARGEST_FIELD: i64 = (1 << 14) - 1;

/// Elements in 16 bytes, the unit of all fields.
pub(super) fn unit(bits: u32) -> i64 {
    128 / i64::from(bits)
}

/// A swizzle mode: rows of `16 << mode` bytes, in groups of 8.
///
/// ```text
///   mode   row bytes   pattern bytes   16-byte chunks exchanged
///   0        16            16           none
///   1        32           256           2
///   2        64           512           4
///   3       128          1024           8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode(i64);

impl Mode {
    /// The mode that permutes chunks as the layout's swizzle does.
    ///
    /// # Errors
    /// `swizzle-not-of-descriptor` for a swizzle that no mode has.
    pub(super) fn of(src: &Operand, bits: u32) -> Result<Mode, Refusal> {
        let Some(swizzle) = src.layout.swizzle.filter(|swizzle| swizzle.len != 0) else { return Ok(Mode(0)) };
        let chunk = unit(bits).ilog2();
        if swizzle.inner && swizzle.atom_len == 3 && swizzle.per_element == chunk && swizzle.len <= 3 {
            return Ok(Mode(i64::from(swizzle.len)));
        }
        let (per_element, len, atom_len) = (swizzle.per_element, swizzle.len, swizzle.atom_len);
        let outer = if swizzle.inner { "" } else { ", outer" };
        let reason = format!(
            "the source has swizzle<{per_element}, {len}, {atom_len}{outer}>; a descriptor of {bits}-bit elements has \
             none, swizzle<{chunk}, 1, 3>, swizzle<{chunk}, 2, 3> and swizzle<{chunk}, 3, 3>"
        );
        Err(Refusal::of(Which::Src, "swizzle-not-of-descriptor", reason))
    }

    /// The mode for rows `bytes` bytes apart.
    fn of_row(bytes: i128) -> Option<Mode> {
        (0..4).map(Mode).find(|mode| i128::from(mode.row_bytes()) == bytes)
    }

    /// The mode's number in the descriptor: 0 to 3.
    fn number(self) -> i64 {
        self.0
    }

    /// Bytes between adjacent rows of a group of 8.
    fn row_bytes(self) -> i64 {
        16 << self.0
    }

    /// Bytes after which the pattern repeats: 8 rows; 16 bytes without swizzle.
    pub(super) fn pattern_bytes(self) -> i64 {
        if self.0 == 0 { 16 } else { 8 * self.row_bytes() }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("a descriptor without swizzle"),
            _ => write!(f, "the {}-byte swizzle", self.row_bytes()),
        }
    }
}

/// The descriptor of a tile: groups of 8 rows, `stride` apart; each row has one or two units of 16 bytes, `leading`
/// apart.
pub(super) fn describe(
    rows: &[Pair],
    atom: &[Pair],
    form: TmemForm,
    mode: Mode,
    bits: u32,
) -> Result<Descriptor, Refusal> {
    let (groups, row) = cut(rows, form.rows().min(8)).unwrap_or_default();
    let (Some(row), Some(group)) = (follow_stride(&row), follow_stride(&groups)) else {
        let reason = format!("the rows of {} lie unevenly in the source; needed groups of 8 even rows", form.name());
        return Err(Refusal::of(Which::Src, "rows-uneven", reason));
    };
    let bytes = i128::from(row) * i128::from(bits) / 8;
    if Mode::of_row(bytes) != Some(mode) {
        let reason = format!("rows {} apart in the source; {mode} needs {}", counted(bytes, "byte"), mode.row_bytes());
        return Err(Refusal::of(Which::Src, "rows-not-of-swizzle", reason));
    }
    Ok(Descriptor {
        leading: leading(atom, form, mode, bits)?,
        stride: field("groups of 8 rows", group, bits)?,
        swizzle: mode.number(),
    })
}

/// The distance between the two halves of a 256-bit row. For a row of 128 bits the field has no effect.
fn leading(atom: &[Pair], form: TmemForm, mode: Mode, bits: u32) -> Result<i64, Refusal> {
    let unit = unit(bits);
    let (halves, inside) = cut(atom, unit).unwrap_or_default();
    if unit > 1 && follow_stride(&inside) != Some(1) {
        let reason = format!("16 bytes of a row are not {unit} contiguous elements of the source");
        return Err(Refusal::of(Which::Src, "row-not-contiguous", reason));
    }
    if form.row_bits() == 128 {
        return Ok(0);
    }
    let half = follow_stride(&halves).unwrap_or(0);
    let leading = field("halves of a row", half, bits)?;
    if mode.number() != 0 && leading != 1 {
        let apart = counted(half, "element");
        let reason = format!("the halves of a row are {apart} apart in the source; {mode} needs {unit}");
        return Err(Refusal::of(Which::Src, "row-not-contiguous", reason));
    }
    Ok(leading)
}

/// A distance in elements as a field of the descriptor.
fn field(what: &str, distance: i64, bits: u32) -> Result<i64, Refusal> {
    let unit = unit(bits);
    if distance % unit == 0 && (0..=LARGEST_FIELD).contains(&(distance / unit)) {
        return Ok(distance / unit);
    }
    let apart = counted(i128::from(distance) * i128::from(bits) / 8, "byte");
    let largest = 16 * LARGEST_FIELD;
    let reason = format!("the {what} are {apart} apart in the source; needed a multiple of 16 up to {largest}");
    Err(Refusal::of(Which::Src, "descriptor-field-out-of-range", reason))
}
