//! A `tcgen05.mma` after its issue.
//!
//! Instruction descriptors (PTX ISA 9.7.16.4.2):
//!
//! ```text
//! bit  2      sparse               bits 13, 14  A, B negated
//! bit  3      saturate (integers)       15, 16  A, B transposed
//! bits 4–5    type of D                 17–22   N / 8
//!      7–9    type of A                 24–28   M / 16
//!      10–12  type of B                 30–31   shift (`.ws`)
//! ```
//!
//! Rows of D in the lanes of each block's tensor memory (PTX ISA 9.7.16.10.5). Where 128 lanes are more than a block has
//! rows, the columns are cut into as many parts, one below the other:
//!
//! | form | M | rows of a block | lanes | columns |
//! | --- | --- | --- | --- | --- |
//! | one block | 128, 64 | M | all, or 16 of each 32 | N |
//! | pair | 256 | 128 | all | N |
//! | pair | 128 | 64 | rows twice | N / 2 |
//! | `.ws` | 128, 64, 32 | M | rows once, twice, four times | N, N / 2, N / 4 |
//!
//! With scales, bits 4, 5 and 29, 30 are the bytes of the scales of B and of A, and bit 23 is their type, 1 for `ue8m0` and 0
//! for `ue4m3`. Floats of four bits have a number of their own, and in bit 31 a depth other than 64.
//!
//! The first block of a pair, with the even rank, has the first half of the rows of A and D, and of the columns of B.

use super::operand::{Operand, ROW_BYTES};
use super::problem::{Exec, invalid};
use super::region::{Region, Sum};
use super::scales::Scales;
use super::tensor_memory::{cell, lane};
use crate::code::{Element, Form, TensorMmaKind, Total};
use crate::float::{BF16, E4M3, E5M2, F16, TF32};

/// Columns of tensor memory that a row of A takes.
pub(crate) const LEFT_COLUMNS: u64 = ROW_BYTES / 4;

/// The location of A.
#[derive(Debug, Clone)]
pub(crate) enum Left {
    Shared(Operand),
    Tensor(Region),
}

/// A product that has been issued.
#[derive(Debug, Clone)]
pub(crate) struct TensorProduct {
    /// The ranks of its blocks; the first has the first rows of A and columns of B.
    pub(crate) blocks: Vec<usize>,
    pub(crate) instruction: Instruction,
    pub(crate) a: Left,
    pub(crate) b: Operand,
    /// The scales of A and of B.
    pub(crate) scales: Option<[Scales; 2]>,
    pub(crate) sum: Sum,
    /// The lanes of D that are not written.
    pub(crate) kept: u128,
    /// D is divided by two to the power of this before the product is added.
    pub(crate) shift: u32,
    /// Whether the product is added to D; otherwise it overwrites D.
    pub(crate) adds: bool,
    /// The number of the commit that follows it.
    pub(crate) time: u32,
}

impl TensorProduct {
    /// The byte offsets in tensor memory at which the rows of D begin that are written.
    pub(crate) fn writes(&self) -> Vec<usize> {
        let d = &self.sum.region;
        d.beginnings().into_iter().filter(|&at| self.kept >> lane(at) & 1 == 0).collect()
    }

    /// The regions of tensor memory that it reads, in each block; D not included.
    pub(crate) fn reads(&self) -> Vec<Region> {
        let a = if let Left::Tensor(a) = &self.a { Some(*a) } else { None };
        a.into_iter().chain(self.scales.iter().flatten().map(|scales| scales.region)).collect()
    }

    /// The offsets of the pieces of 16 bytes of shared memory that it reads, in each block.
    pub(crate) fn pieces(&self) -> Vec<u64> {
        let mut all = Vec::new();
        self.b.pieces(&mut all);
        if let Left::Shared(a) = &self.a {
            a.pieces(&mut all);
        }
        all
    }

    /// The rank of the block that has an element of D, and the byte offset in its tensor memory.
    pub(crate) fn place(&self, row: u64, column: u64) -> (usize, usize) {
        let (d, below) = (self.sum.region, self.instruction.block_rows());
        let lane = d.lane_of(row % below + below * (column / d.columns));
        (self.blocks[(row / below) as usize], cell(lane, d.column + column % d.columns))
    }
}

/// The form and the fields of an instruction descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub(crate) form: Form,
    /// Rows of A and of D.
    pub(crate) rows: u64,
    /// Columns of B and of D.
    pub(crate) columns: u64,
    /// The types of A and of B.
    pub(crate) inputs: [Element; 2],
    pub(crate) total: Total,
    /// Whether exactly one of A and B is negated.
    pub(crate) negative: bool,
    /// Whether A, and B, is stored with consecutive rows (for B: columns) adjacent in memory.
    pub(crate) transposed: [bool; 2],
}

/// A type and its number in an instruction descriptor.
type Numbered<T> = (u64, &'static str, T);

/// The types of A and B that a kind has. Those of `f8f6f4` have types of 6 and 4 bits too, which are not supported.
fn inputs(kind: TensorMmaKind) -> &'static [Numbered<Element>] {
    const U8: Element = Element::Integer { bits: 8, signed: false };
    const S8: Element = Element::Integer { bits: 8, signed: true };
    match kind {
        TensorMmaKind::F16 => &[(0, "f16", Element::Float(F16)), (1, "bf16", Element::Float(BF16))],
        TensorMmaKind::Tf32 => &[(2, "tf32", Element::Float(TF32))],
        TensorMmaKind::F8f6f4 | TensorMmaKind::Mxf8f6f4 => {
            &[(0, "e4m3", Element::Float(E4M3)), (1, "e5m2", Element::Float(E5M2))]
        }
        TensorMmaKind::Mxf4 | TensorMmaKind::Mxf4nvf4 => &[(1, "e2m1", Element::E2m1)],
        TensorMmaKind::I8 => &[(0, "u8", U8), (1, "s8", S8)],
    }
}

/// The types of D that products of a kind can be summed in.
fn totals(kind: TensorMmaKind, inputs: [Element; 2], saturates: bool) -> Vec<Numbered<Total>> {
    let (half, single) = ((0, "f16", Total::F16), (1, "f32", Total::F32));
    match kind {
        // The field is one of the numbers of a byte.
        _ if kind.is_scaled() => (0..4).map(|byte| (byte, "f32", Total::F32)).collect(),
        TensorMmaKind::F16 if inputs == [Element::Float(F16); 2] => vec![half, single],
        TensorMmaKind::F8f6f4 => vec![half, single],
        TensorMmaKind::I8 => vec![(2, "s32", Total::S32 { saturates })],
        _ => vec![single],
    }
}

/// The type with a number, or what is expected instead.
fn numbered<T: Copy>(number: u64, all: &[Numbered<T>]) -> Result<T, String> {
    let known = all.iter().find(|entry| entry.0 == number);
    let names = || all.iter().map(|(n, name, _)| format!("{n} ({name})")).collect::<Vec<_>>().join(" or ");
    known.map(|entry| entry.2).ok_or_else(names)
}

/// The numbers of rows that a form has.
fn heights(form: Form, kind: TensorMmaKind) -> &'static [u64] {
    match form {
        Form::Block if kind.is_scaled() => &[128],
        Form::Block => &[64, 128],
        Form::Pair => &[128, 256],
        Form::Stationary => &[32, 64, 128],
    }
}

/// What N must be with M rows, if it is not that. For pairs the ISA and libraries differ; this is what both allow.
fn other_width(form: Form, kind: TensorMmaKind, rows: u64, columns: u64) -> Option<String> {
    let step = match (form, rows) {
        (Form::Stationary, _) => {
            return (![64, 128, 256].contains(&columns)).then(|| "64, 128 or 256".to_string());
        }
        (Form::Pair, _) => 32,
        (Form::Block, _) if kind.is_scaled() => 8,
        (Form::Block, 64) if kind != TensorMmaKind::I8 || columns <= 24 => 8,
        (Form::Block, _) => 16,
    };
    let fits = columns > 0 && columns <= 256 && columns.is_multiple_of(step);
    (!fits).then(|| format!("a multiple of {step} up to 256"))
}

impl Instruction {
    pub(crate) fn decode(bits: u64, kind: TensorMmaKind, form: Form) -> Exec<Self> {
        let field = |at: u32, width: u32| bits >> at & ((1 << width) - 1);
        let fault = |what: String| invalid(format!("the instruction descriptor {bits:#010x} {what}"));
        if field(2, 1) != 0 {
            return Err(fault("says that A is sparse, which is not supported".into()));
        }
        // Only integers saturate, and only other numbers are negated.
        let zeros: &[(u32, u32)] = match kind {
            TensorMmaKind::I8 => &[(6, 1), (13, 2), (23, 1), (29, 1), (30, 2)],
            TensorMmaKind::Mxf8f6f4 => &[(3, 1), (6, 1), (31, 1)],
            TensorMmaKind::Mxf4 | TensorMmaKind::Mxf4nvf4 => &[(3, 1), (6, 1), (12, 1), (15, 2), (31, 1)],
            _ => &[(3, 1), (6, 1), (23, 1), (29, 1), (30, 2)],
        };
        for &(at, width) in zeros {
            if field(at, width) != 0 {
                return Err(fault(format!("has {:#b} from bit {at} on, expected 0", field(at, width))));
            }
        }
        let wrong = |name: &str, at: u32, width: u32, expected: String| {
            fault(format!("has type {} for {name}, expected {expected}", field(at, width)))
        };
        let a = numbered(field(7, 3), inputs(kind)).map_err(|types| wrong("A", 7, 3, types))?;
        let b = numbered(field(10, 3), inputs(kind)).map_err(|types| wrong("B", 10, 3, types))?;
        let totals = totals(kind, [a, b], field(3, 1) == 1);
        let total = numbered(field(4, 2), &totals).map_err(|types| wrong("D", 4, 2, types))?;
        let transposed = [field(15, 1) == 1, field(16, 1) == 1];
        if kind == TensorMmaKind::Tf32 && transposed != [false; 2] {
            return Err(fault("transposes an operand of tf32, which is not supported".into()));
        }
        let (rows, columns) = (16 * field(24, 5), 8 * field(17, 6));
        if !heights(form, kind).contains(&rows) {
            let all: Vec<String> = heights(form, kind).iter().map(u64::to_string).collect();
            return Err(fault(format!("has M = {rows}, expected {}", all.join(" or "))));
        }
        if let Some(expected) = other_width(form, kind, rows, columns) {
            return Err(fault(format!("has N = {columns} with M = {rows}, expected {expected}")));
        }
        let negative = field(13, 1) != field(14, 1);
        Ok(Self { form, rows, columns, inputs: [a, b], total, negative, transposed })
    }

    /// Blocks that have a part of A, B and D each.
    fn blocks(&self) -> u64 {
        if self.form == Form::Pair { 2 } else { 1 }
    }

    /// Rows of A and of D in one block.
    pub(crate) fn block_rows(&self) -> u64 {
        self.rows / self.blocks()
    }

    /// Columns of B in one block.
    pub(crate) fn block_columns(&self) -> u64 {
        self.columns / self.blocks()
    }

    /// The parts of D's columns that a block has in different lanes.
    pub(crate) fn parts(&self) -> u64 {
        if self.form == Form::Block { 1 } else { 128 / self.block_rows() }
    }

    /// D from a lane and a column of tensor memory on: the same in each block.
    pub(crate) fn region(&self, lane: u64, column: u64) -> Region {
        Region { lane, rows: self.block_rows() * self.parts(), column, columns: self.columns / self.parts() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let bits = 1 << 4 | 1 << 10 | 1 << 14 | 1 << 16 | (24 / 8) << 17 | (64 / 16) << 24;
        let (inputs, transposed) = ([F16, BF16].map(Element::Float), [false, true]);
        let form = Form::Block;
        let want = Instruction { form, rows: 64, columns: 24, inputs, total: Total::F32, negative: true, transposed };
        assert_eq!(Instruction::decode(bits, TensorMmaKind::F16, Form::Block).ok(), Some(want));
        assert!(Instruction::decode(bits, TensorMmaKind::Tf32, Form::Block).is_err());
        let small = 2 << 7 | 2 << 10 | 1 << 4 | (16 / 8) << 17 | (128 / 16) << 24;
        assert!(
            Instruction::decode(small, TensorMmaKind::Tf32, Form::Block).is_ok()
                && Instruction::decode(small, TensorMmaKind::F16, Form::Block).is_err()
        );
        let integers = 1 << 3 | 2 << 4 | 1 << 7 | (24 / 8) << 17 | (64 / 16) << 24;
        let inputs = [true, false].map(|signed| Element::Integer { bits: 8, signed });
        let (total, transposed) = (Total::S32 { saturates: true }, [false; 2]);
        let want = Instruction { form, rows: 64, columns: 24, inputs, total, negative: false, transposed };
        assert_eq!(Instruction::decode(integers, TensorMmaKind::I8, Form::Block).ok(), Some(want));
        assert!(Instruction::decode(1 << 10 | (128 / 16) << 24 | 2 << 17, TensorMmaKind::F8f6f4, Form::Block).is_ok());
    }

    #[test]
    fn shapes_of_pairs_and_with_b_kept() {
        let decode = |form: Form, rows: u64, columns: u64| {
            Instruction::decode(1 << 4 | (columns / 8) << 17 | (rows / 16) << 24, TensorMmaKind::F16, form)
        };
        let region = |form, rows, columns| decode(form, rows, columns).map(|instruction| instruction.region(0, 8)).ok();
        let lanes = |columns: u64| Some(Region { lane: 0, rows: 128, column: 8, columns });
        assert_eq!(region(Form::Pair, 256, 64), lanes(64));
        assert_eq!(region(Form::Pair, 128, 64), lanes(32));
        assert_eq!(region(Form::Stationary, 64, 64), lanes(32));
        assert_eq!(region(Form::Stationary, 32, 256), lanes(64));
        assert_eq!(region(Form::Stationary, 128, 128), lanes(128));
        let detail = |form, rows, columns| decode(form, rows, columns).map_err(|p| p.detail.clone());
        for (form, rows, columns, part) in [
            (Form::Pair, 64, 64, "M = 64, expected 128 or 256"),
            (Form::Pair, 128, 48, "N = 48 with M = 128, expected a multiple of 32 up to 256"),
            (Form::Stationary, 256, 64, "M = 256, expected 32 or 64 or 128"),
            (Form::Stationary, 64, 32, "N = 32 with M = 64, expected 64, 128 or 256"),
        ] {
            assert!(detail(form, rows, columns).is_err_and(|detail| detail.contains(part)), "{part}");
        }
    }

    #[test]
    fn refuses_what_is_not_allowed() {
        let decode =
            |bits: u64, kind: TensorMmaKind| Instruction::decode(bits, kind, Form::Block).map_err(|p| p.detail.clone());
        let detail = |bits: u64| decode(bits, TensorMmaKind::F16);
        let good = 1 << 4 | (32 / 8) << 17 | (128 / 16) << 24;
        assert!(detail(good).is_ok());
        for (bits, part) in [
            (good | 1 << 2, "sparse"),
            (good | 1 << 23, "from bit 23"),
            (good | 1 << 30, "from bit 30"),
            (good | 2 << 7, "type 2 for A"),
            (good | 2 << 4, "type 3 for D"),
            (good ^ 1 << 4 | 1 << 7, "type 0 for D, expected 1 (f32)"),
            (good | 1 << 17, "N = 40 with M = 128, expected a multiple of 16"),
            (good & !(63 << 17), "N = 0"),
            (good | 60 << 17, "N = 480"),
            (good | 1 << 24, "M = 144"),
        ] {
            assert!(detail(bits).is_err_and(|detail| detail.contains(part)), "{part}");
        }
        for (bits, kind, part) in [
            (good | 3 << 7, TensorMmaKind::F8f6f4, "type 3 for A, expected 0 (e4m3) or 1 (e5m2)"),
            (good | 1 << 3, TensorMmaKind::F8f6f4, "from bit 3"),
            (good, TensorMmaKind::I8, "type 1 for D, expected 2 (s32)"),
            (good ^ 3 << 4 | 1 << 14, TensorMmaKind::I8, "has 0b10 from bit 13"),
            (good | 1 << 7 | 1 << 10 | 1 << 31, TensorMmaKind::Mxf4, "has 0b1 from bit 31 on"),
            (good | 1 << 7 | 1 << 10 | 1 << 15, TensorMmaKind::Mxf4nvf4, "has 0b1 from bit 15 on"),
            (good | 1 << 10, TensorMmaKind::Mxf4, "type 0 for A, expected 1 (e2m1)"),
            (good | 1 << 23 | 1 << 31, TensorMmaKind::Mxf8f6f4, "from bit 31"),
            (1 << 23 | 1 << 17 | (64 / 16) << 24, TensorMmaKind::Mxf8f6f4, "M = 64, expected 128"),
            (
                2 << 4 | (40 / 8) << 17 | (64 / 16) << 24,
                TensorMmaKind::I8,
                "N = 40 with M = 64, expected a multiple of 16",
            ),
        ] {
            assert!(decode(bits, kind).is_err_and(|detail| detail.contains(part)), "{part}");
        }
    }
}
