//! The extents of the tiles that maps and reductions of a kernel without products have in registers.
//!
//! ```text
//!   4 x 1000 over 128 threads      tiles of 4 x 1024: loads and stores are masked, and what is reduced has neutral elements beyond 1000
//! ```

use thiserror::Error;
use tile_isa::registers::REGISTER_BITS;
use tile_layout::{OPEN, gcd};

use super::division::{DivisionError, TileDivision};
use super::form::{LinalgForm, StructuredOp};

/// The most registers of 32 bits that a thread holds of a tile.
const MAX_REGISTERS: i64 = 64;

/// Why the rows of a kernel without products are not in registers.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowsRefusal {
    /// They are not divided.
    #[error(transparent)]
    Division(#[from] DivisionError),
    /// A thread has too many.
    #[error("got {0} registers of a thread for each tile, expected at most {MAX_REGISTERS}")]
    Registers(i64),
    /// What an op does beyond an edge is not defined.
    #[error(
        "got {got} elements, of which threads have {held}, and {op}, which is not defined for all elements beyond; expected another op"
    )]
    Undefined {
        /// The extents.
        got: String,
        /// Those that threads divide.
        held: String,
        /// The op.
        op: String,
    },
}

/// The extents of what a kernel computes, and those of its tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldRows {
    /// Iterations of the loops.
    pub shape: Vec<i64>,
    /// The extents of the tiles, which are those, or larger ones.
    pub held: Vec<i64>,
}

impl HeldRows {
    /// Those that threads divide.
    ///
    /// # Errors
    /// A thread would have too many elements, or the threads are not known.
    ///
    /// ```
    /// use tile_isa::Scope;
    /// use tile_plan::linalg::{HeldRows, RowsRefusal, TileDivision};
    /// use tile_plan::problem::threads::Threads;
    ///
    /// let rows = |shape: &[i64], threads| {
    ///     let threads = Threads::all(Scope::Cta, Some(threads));
    ///     HeldRows::new(&TileDivision { shape, bits: [32, 16], reduced: &[1], threads: &threads, run: 0 })
    /// };
    /// assert_eq!(rows(&[3, 1000], 128).unwrap().held, [3, 1024]);
    /// assert_eq!(rows(&[4, 5000], 128), Err(RowsRefusal::Registers(160)));
    /// ```
    pub fn new(division: &TileDivision<'_>) -> Result<Self, RowsRefusal> {
        let shape = division.shape.to_vec();
        let held = division.padded()?;
        // Vectors are not longer than they would be without what is beyond.
        let elements = TileDivision { shape: &held, run: division.vector_run(), ..*division }.held()?;
        let registers = elements.saturating_mul(i64::from(division.bits[0])) / REGISTER_BITS;
        if registers > MAX_REGISTERS {
            return Err(RowsRefusal::Registers(registers));
        }
        Ok(HeldRows { shape, held })
    }

    /// Whether the tiles have elements beyond the loops.
    pub fn is_padded(&self) -> bool {
        self.shape != self.held
    }
}

/// What divides the places at which rows begin and end in memory, in elements: those along the last dimension, if that is contiguous. What is
/// not known until run time ([`OPEN`]) is no limit, and without limits it is 0.
///
/// ```
/// use tile_layout::OPEN;
/// use tile_plan::linalg::run_of_rows;
///
/// assert_eq!(run_of_rows(&[4, 1000], &[1000, 1]), 1000);
/// assert_eq!(run_of_rows(&[8, 96], &[1004, 1]), 4);
/// assert_eq!(run_of_rows(&[OPEN, OPEN], &[OPEN, 1]), 0);
/// assert_eq!(run_of_rows(&[4, 5], &[1, 4]), 0);
/// ```
pub fn run_of_rows(extents: &[i64], strides: &[i64]) -> i64 {
    let (Some((1, rows)), Some(length)) = (strides.split_last(), extents.last()) else { return 0 };
    let row_lengths = rows.iter().chain([length]).filter(|&&elements| elements != OPEN);
    row_lengths.fold(0, |run, &elements| gcd(run, elements))
}

impl StructuredOp {
    /// The op with the extents of tiles in registers, if it has the loops of these rows in their order.
    ///
    /// ```
    /// use tile_plan::linalg::form::maps;
    /// use tile_plan::linalg::{HeldRows, LinalgBody, StructuredOp};
    ///
    /// let loops = |order: [usize; 2]| order.iter().map(|&number| vec![(number, 1)]).collect::<Vec<_>>();
    /// let map = |result| {
    ///     let indices = vec![loops([0, 1]), loops(result)];
    ///     StructuredOp {
    ///         extents: vec![4, 1000],
    ///         ends: vec![4, 1000],
    ///         is_open: vec![false; 2],
    ///         reduces: vec![false; 2],
    ///         maps: maps(&indices),
    ///         indices,
    ///         multiplies: false,
    ///         bits: vec![32; 2],
    ///         inputs: 1,
    ///         body: LinalgBody::Function,
    ///     }
    /// };
    /// let rows = HeldRows { shape: vec![4, 1000], held: vec![4, 1024] };
    /// let held = map([0, 1]).held(&rows).unwrap();
    /// assert_eq!((held.extents, held.is_open), (vec![4, 1024], vec![false, true]));
    /// assert_eq!(map([1, 0]).held(&rows), None);
    /// ```
    pub fn held(&self, rows: &HeldRows) -> Option<Self> {
        let is_in_order = match self.form().ok()? {
            LinalgForm::Map => self.maps[self.inputs].as_ref().is_some_and(|map| map.is_sorted()),
            LinalgForm::Reduce { .. } => true,
            LinalgForm::Copy(order) => order.is_sorted(),
            LinalgForm::Fill | LinalgForm::Product(_) => false,
        };
        if self.ends != rows.shape || !is_in_order {
            return None;
        }
        let mut held = self.clone();
        held.extents.clone_from(&rows.held);
        let beyond = rows.held.iter().zip(&rows.shape).map(|(held, end)| held != end);
        held.is_open.iter_mut().zip(beyond).for_each(|(is_open, beyond)| *is_open |= beyond);
        Some(held)
    }
}
