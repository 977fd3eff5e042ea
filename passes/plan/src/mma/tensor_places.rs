//! Where the elements of a tile in tensor memory are, and whether these are the lanes and columns of instructions.

use tile_isa::tcgen05_mma::lane;
use tile_layout::Axis;

use crate::mma::problem::MmaOperand;
use crate::problem::refusal::Refusal;
use crate::touch::TENSOR_COLUMN_BYTES;

/// Bits of a column.
const COLUMN_BITS: i64 = 8 * TENSOR_COLUMN_BYTES;

/// A lane of tensor memory, and a column, in elements.
pub(super) type TensorPlace = (i64, i64);

/// The lane and the column of each element of a tile.
pub(super) struct TensorPlaces<'p> {
    /// What messages call the tile.
    name: &'static str,
    operand: &'p MmaOperand,
    places: [Vec<i64>; 2],
}

impl<'p> TensorPlaces<'p> {
    pub(super) fn new(name: &'static str, operand: &'p MmaOperand) -> Self {
        TensorPlaces { name, operand, places: [Axis::TLane, Axis::TCol].map(|axis| operand.layout.places_on(axis)) }
    }

    /// Rows and columns of the tile.
    pub(super) fn shape(&self) -> [i64; 2] {
        self.operand.shape
    }

    /// The lane and the column of an element.
    pub(super) fn place(&self, [row, column]: [i64; 2]) -> TensorPlace {
        let element = (row * self.operand.shape[1] + column) as usize;
        let [lane, column] = self.places.each_ref().map(|all| all.get(element).copied().unwrap_or(0));
        (lane, column)
    }

    /// What is added to the address of the tile for the place of an element: lanes are in the upper 16 bits, below them columns of
    /// 32 bits.
    pub(super) fn address(&self, element: [i64; 2]) -> i64 {
        let (lane, column) = self.place(element);
        (lane << 16) | (column * i64::from(self.operand.number.bits()) / COLUMN_BITS)
    }

    /// Requires every element to be in one place.
    pub(super) fn check_single(&self) -> Result<(), Refusal> {
        if self.operand.layout.replica.iter().any(|iter| iter.extent != 1 && iter.stride != 0) {
            return Err(mismatch(format!("{} holds every element several times; needed once", self.name)));
        }
        Ok(())
    }

    /// Requires an element to be in one of some lanes.
    pub(super) fn check_lane(&self, element: [i64; 2], lanes: &[i64]) -> Result<(), Refusal> {
        if lanes.contains(&self.place(element).0) {
            return Ok(());
        }
        let lanes: Vec<_> = lanes.iter().map(i64::to_string).collect();
        Err(mismatch(format!("{}; needed lane {}", self.got(element), lanes.join(" or "))))
    }

    /// Requires an element to be where a column of 32 bits begins.
    pub(super) fn check_column(&self, element: [i64; 2]) -> Result<(), Refusal> {
        let column = self.place(element).1;
        let per_column = (COLUMN_BITS / i64::from(self.operand.number.bits())).max(1);
        if column % per_column != 0 {
            let got = self.got(element);
            return Err(mismatch(format!("{got}; needed a multiple of {per_column} elements, which 32 bits hold")));
        }
        Ok(())
    }

    /// `element (0, 1) of a is in lane 0, column 1`.
    pub(super) fn got(&self, element: [i64; 2]) -> String {
        format!("element {:?} of {} is {}", (element[0], element[1]), self.name, named(self.place(element)))
    }

    /// Requires an instruction's part of the tile to be in its lanes, one column after the other.
    pub(super) fn check_part(&self, [row, column]: [i64; 2], [rows, columns]: [i64; 2]) -> Result<(), Refusal> {
        let (first_lane, first_column) = self.place([row, column]);
        for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
            let element = [row + r, column + c];
            let wanted = (first_lane + lane(rows, r), first_column + c);
            if self.place(element) != wanted {
                let (got, wanted) = (self.got(element), named(wanted));
                return Err(mismatch(format!("{got}; an instruction of {rows} rows has it {wanted}")));
            }
        }
        Ok(())
    }
}

pub(super) fn mismatch(reason: String) -> Refusal {
    Refusal::new("fragment-mismatch", reason)
}

/// `in lane 3, column 4`.
pub(super) fn named((lane, column): TensorPlace) -> String {
    format!("in lane {lane}, column {column}")
}
