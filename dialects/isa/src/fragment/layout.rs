//! The layout of a tile: which lane of which warp holds which element in which register, or which lane of tensor memory in which
//! column.

use tile_layout::{Axis, Iter, Layout, fused};

use super::{Fragment, FragmentError, MatrixInstruction, MatrixOperand};
use crate::mma::{MmaShape, ROW_GROUPS, ROW_LANES};
use crate::scope::Scope;
use crate::tcgen05_mma::{ROWS, SCALE_COPIES, SCALE_LANES, SCALES_OF_COLUMN, WARP_LANES};

/// Bits of a register; wider elements have several.
const REGISTER_BITS: u32 = 32;

impl Fragment {
    /// The layout of a tile of that shape, of elements of `bits`.
    ///
    /// # Errors
    /// Elements that the instruction does not have, or sizes that are no multiples of its own: got and expected.
    pub fn layout(self, shape: &[i64], bits: u32) -> Result<Layout, FragmentError> {
        let &[rows, columns] = shape else { return Err(FragmentError::Rank(shape.len())) };
        if !self.widths().contains(&bits) {
            return Err(FragmentError::Width { fragment: self, got: bits });
        }
        if self.instruction == MatrixInstruction::Tcgen05 && !self.operand.is_of_scales() {
            return self.in_tensor_memory([rows, columns], bits);
        }
        let counts = self.instructions([rows, columns], bits)?;
        let warp = self.instruction.of_warp(bits);
        let together = i64::from(REGISTER_BITS / bits).max(1);
        let (rows, columns) = match self.operand {
            MatrixOperand::A => self.left(counts, warp, together),
            MatrixOperand::B => self.right(counts, warp, together),
            MatrixOperand::C => self.sums(counts, warp),
            MatrixOperand::Rows => (self.rows(counts[0], warp.rows_per_lane(), warp.rows_per_lane(), 1), Vec::new()),
            MatrixOperand::Columns => (Vec::new(), self.columns(counts[1], warp.columns_per_lane(), warp)),
            MatrixOperand::ScalesA => return self.scales([rows, columns]),
            MatrixOperand::ScalesB => return self.scales([columns, rows]),
        };
        let shard = [fused(&rows), fused(&columns)].concat();
        Ok(Layout::new(shard).with_replica(self.copies()))
    }

    /// Sums or a left factor in tensor memory: 64 rows in half of each warp's lanes, or any number of 128 rows, one beside the other.
    /// Columns are in units of elements.
    fn in_tensor_memory(self, [rows, columns]: [i64; 2], bits: u32) -> Result<Layout, FragmentError> {
        let [most, fewest] = ROWS;
        self.instructions([rows, columns], bits)?;
        if rows != fewest && rows % most != 0 {
            return Err(FragmentError::Size { fragment: self, dimension: "rows", got: rows, unit: most });
        }
        let rows = if rows == fewest {
            let of_warp = fewest * WARP_LANES / most;
            vec![Iter::new(fewest / of_warp, WARP_LANES, Axis::TLane), Iter::new(of_warp, 1, Axis::TLane)]
        } else {
            vec![Iter::new(rows / most, columns, Axis::TCol), Iter::new(most, 1, Axis::TLane)]
        };
        Ok(Layout::new([fused(&rows), vec![Iter::new(columns, 1, Axis::TCol)]].concat()))
    }

    /// Scales in tensor memory, of rows of A or columns of B: of 32 of them in one column, and of the next in the column beside it. A
    /// column has those of 4 adjacent steps, or of 2, or of one, which divide their number.
    fn scales(self, [lines, steps]: [i64; 2]) -> Result<Layout, FragmentError> {
        if lines > SCALE_LANES && lines % SCALE_LANES != 0 {
            let dimension = if self.operand == MatrixOperand::ScalesA { "rows" } else { "columns" };
            return Err(FragmentError::Size { fragment: self, dimension, got: lines, unit: SCALE_LANES });
        }
        let columns = (lines / SCALE_LANES).max(1);
        let together = [4, 2, 1].into_iter().find(|together| steps % together == 0).unwrap_or(1);
        let of_lines = fused(&[
            Iter::new(columns, SCALES_OF_COLUMN, Axis::TCol),
            Iter::new(lines.min(SCALE_LANES), 1, Axis::TLane),
        ]);
        let of_steps = fused(&[
            Iter::new(steps / together, SCALES_OF_COLUMN * columns, Axis::TCol),
            Iter::new(together, 1, Axis::TCol),
        ]);
        let shard = match self.operand {
            MatrixOperand::ScalesB => [of_steps, of_lines],
            _ => [of_lines, of_steps],
        };
        Ok(Layout::new(shard.concat()).with_replica(vec![Iter::new(SCALE_COPIES, SCALE_LANES, Axis::TLane)]))
    }

    /// The instructions of each warp, or of each warpgroup, in rows and columns.
    fn instructions(self, shape: [i64; 2], bits: u32) -> Result<[i64; 2], FragmentError> {
        let size = self.instruction.size(self.operand, bits);
        let divided = self.divided();
        let mut counts = [0; 2];
        for (dimension, name) in ["rows", "columns"].into_iter().enumerate() {
            let (got, unit) = (shape[dimension], size[dimension] * divided[dimension]);
            if got < 1 || got % unit != 0 {
                return Err(FragmentError::Size { fragment: self, dimension: name, got, unit });
            }
            let is_reduced = [MatrixOperand::Columns, MatrixOperand::Rows][dimension] == self.operand;
            if is_reduced && got != 1 {
                return Err(FragmentError::Reduced { fragment: self, dimension: name, got });
            }
            counts[dimension] = got / unit;
        }
        Ok(counts)
    }

    /// Among how many warps rows, and columns, are divided.
    fn divided(self) -> [i64; 2] {
        let [rows, columns] = self.scopes;
        match self.operand {
            MatrixOperand::A => [rows, 1],
            MatrixOperand::B => [1, columns],
            MatrixOperand::C => [rows, columns],
            MatrixOperand::Rows | MatrixOperand::ScalesA => [rows, 1],
            MatrixOperand::Columns | MatrixOperand::ScalesB => [1, columns],
        }
    }

    /// A: the warps of one row hold the same.
    fn left(self, [blocks, along]: [i64; 2], warp: MmaShape, together: i64) -> (Vec<Iter>, Vec<Iter>) {
        let (rows, depths) = (warp.rows_per_lane(), warp.depth_per_lane());
        (
            self.rows(blocks, along * depths * rows, rows, together),
            lane_row(along * depths / together, together * rows, together),
        )
    }

    /// B: the warps of one column hold the same.
    fn right(self, [along, blocks]: [i64; 2], warp: MmaShape, together: i64) -> (Vec<Iter>, Vec<Iter>) {
        let depths = along * warp.depth_per_lane();
        let columns = vec![
            self.columns_of_scopes(),
            Iter::memory(blocks, depths),
            Iter::new(ROW_GROUPS, ROW_LANES, Axis::LaneId),
        ];
        (lane_row(depths / together, together, together), columns)
    }

    /// C: each warp holds its own.
    fn sums(self, [blocks, along]: [i64; 2], warp: MmaShape) -> (Vec<Iter>, Vec<Iter>) {
        let (rows, pair) = (warp.rows_per_lane(), warp.columns_per_lane());
        (self.rows(blocks, along * rows * pair, rows, pair), self.columns(along, rows * pair, warp))
    }

    /// Columns of C: of warps, of instructions, of a lane.
    fn columns(self, along: i64, stride: i64, warp: MmaShape) -> Vec<Iter> {
        let mut columns = vec![self.columns_of_scopes()];
        columns.extend(lane_row(along, stride, warp.columns_per_lane()));
        columns
    }

    /// Rows of A or C: of warps, of instructions, of the warps of an instruction, of a lane, of its lanes.
    fn rows(self, blocks: i64, block: i64, rows: i64, together: i64) -> Vec<Iter> {
        let [of_rows, of_columns] = self.scopes;
        vec![
            Iter::new(of_rows, of_columns, self.axis()),
            Iter::memory(blocks, block),
            Iter::new(self.instruction.warps(), 1, Axis::WidInWg),
            Iter::memory(rows, together),
            Iter::new(ROW_GROUPS, ROW_LANES, Axis::LaneId),
        ]
    }

    fn columns_of_scopes(self) -> Iter {
        Iter::new(self.scopes[1], 1, self.axis())
    }

    /// The warps and lanes that hold the same elements.
    fn copies(self) -> Vec<Iter> {
        let [rows, columns] = self.scopes;
        let (of_row, of_column) = (Iter::new(columns, 1, self.axis()), Iter::new(rows, columns, self.axis()));
        let copies = match self.operand {
            MatrixOperand::A => vec![of_row],
            MatrixOperand::B => vec![of_column],
            MatrixOperand::C | MatrixOperand::ScalesA | MatrixOperand::ScalesB => Vec::new(),
            MatrixOperand::Rows => vec![of_row, Iter::new(ROW_LANES, 1, Axis::LaneId)],
            MatrixOperand::Columns => vec![
                of_column,
                Iter::new(self.instruction.warps(), 1, Axis::WidInWg),
                Iter::new(ROW_GROUPS, ROW_LANES, Axis::LaneId),
            ],
        };
        copies.into_iter().filter(|copies| copies.extent != 1).collect()
    }

    /// The axis of warps, or of warpgroups.
    fn axis(self) -> Axis {
        if self.instruction.scope() == Scope::Warp { Axis::WarpId } else { Axis::WgId }
    }
}

/// Elements of a row that the lanes of a group have in turn, `together` adjacent ones each, `count` times.
fn lane_row(count: i64, stride: i64, together: i64) -> Vec<Iter> {
    vec![Iter::memory(count, stride), Iter::new(ROW_LANES, 1, Axis::LaneId), Iter::memory(together, 1)]
}
