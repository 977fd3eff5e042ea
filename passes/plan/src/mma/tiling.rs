//! Tiles in registers, cut into single instructions: the rows, columns and depths that each instruction takes, by the registers in which
//! every thread holds its share.
//!
//! An instruction fixes which lanes hold which elements of *its* rows, columns and depths, but not which rows, columns and
//! depths of the tile these are. So any of a tile's rows can be the instruction's row `r`, if the lanes that hold it are those
//! of row `r`, in A as in C; likewise columns, in B as in C, and depths, in A as in B. All layouts for which there is such an
//! assignment are found:
//!
//! ```text
//!   m16n8k16, lane 4 g + t           rows      of A and C with lanes 4 g … 4 g + 3          2 of each g to an instruction
//!                                    columns   of B with lanes 4 g …, of C with t = g / 2   1 of each g
//!                                    depths    of A and B with t                            4 of each t
//! ```
//!
//! Thread 0 gives the registers. That all other threads hold in the same registers what an instruction expects is then checked
//! element by element, so a tiling that is returned is right.

use std::collections::{HashMap, HashSet};

use crate::problem::refusal::Refusal;

use crate::distribution::{Cell, RegisterDistribution};

/// The most instructions of a warp, or of a thread: all of them are written out.
pub const MAX_INSTRUCTIONS: usize = 1 << 14;

/// The shares of the lanes in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneShares {
    /// Groups of lanes with different rows of A and C, and different columns of B.
    pub groups: usize,
    /// Lanes of a group: they have different depths of A and B, and different columns of C.
    pub members: usize,
    /// Rows of a lane.
    pub rows: usize,
    /// Columns of C of a lane.
    pub columns: usize,
    /// Depths of a lane.
    pub depth: usize,
}

impl LaneShares {
    /// An instruction of one thread: one element of each operand.
    pub const THREAD: LaneShares = LaneShares { groups: 1, members: 1, rows: 1, columns: 1, depth: 1 };

    /// The lanes of an instruction.
    pub fn lanes(self) -> usize {
        self.groups * self.members
    }
}

/// The registers of every thread, by instruction-sized rows, columns and depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterTiling {
    /// Rows of a thread, in order.
    pub rows: usize,
    /// Depths of a thread.
    pub depth: usize,
    /// Columns of B of a thread.
    pub columns: usize,
    /// Columns of C for each of B.
    pub columns_of_c: usize,
    /// The registers of A, by row, then depth.
    a: Vec<usize>,
    /// The registers of B, by depth, then column.
    b: Vec<usize>,
    /// The registers of C, by row, then column of B, then column of C.
    c: Vec<usize>,
}

/// The operands of a product.
pub struct RegisterOperands<'d> {
    /// The left factor.
    pub a: &'d RegisterDistribution,
    /// The right factor.
    pub b: &'d RegisterDistribution,
    /// The sum.
    pub c: &'d RegisterDistribution,
    /// The terms of each sum.
    pub depth: usize,
}

impl RegisterTiling {
    /// The tiling of operands whose layouts agree with the instruction's.
    ///
    /// # Errors
    /// The first element that is not where the instruction expects it.
    pub fn new(operands: &RegisterOperands<'_>, shares: LaneShares) -> Result<Self, Refusal> {
        let tiling = TilingSearch { operands, shares }.tiling()?;
        TilingCheck { operands, shares, tiling: &tiling }.run()?;
        Ok(tiling)
    }

    /// The register of A with that row and depth.
    pub fn a(&self, row: usize, depth: usize) -> usize {
        self.a[row * self.depth + depth]
    }

    /// The register of B with that depth and column.
    pub fn b(&self, depth: usize, column: usize) -> usize {
        self.b[depth * self.columns + column]
    }

    /// The register of C with that row and that column, `part` of those of a column of B.
    pub fn c(&self, row: usize, column: usize, part: usize) -> usize {
        self.c[(row * self.columns + column) * self.columns_of_c + part]
    }
}

/// Finds the registers of thread 0.
struct TilingSearch<'o, 'd> {
    operands: &'o RegisterOperands<'d>,
    shares: LaneShares,
}

impl TilingSearch<'_, '_> {
    fn tiling(&self) -> Result<RegisterTiling, Refusal> {
        let RegisterOperands { a, b, c, .. } = *self.operands;
        let rows = distinct(c, 0, |(row, _)| row);
        let Some(&first) = rows.first() else { return Err(nothing("c")) };
        let depths = distinct(a, 0, |(row, depth)| if row == first { depth } else { -1 });
        let depths: Vec<i64> = depths.into_iter().filter(|&depth| depth >= 0).collect();
        // The lanes that hold the columns that thread 0 has of C.
        let lanes = (0..self.shares.columns).map(|part| part * self.shares.members);
        let columns: Vec<Vec<i64>> = lanes.map(|lane| self.columns(lane)).collect();
        let count = columns[0].len();
        let sizes =
            [("row", rows.len(), self.shares.rows), ("depth", depths.len(), self.shares.depth), ("column", count, 1)];
        for (what, got, unit) in sizes {
            if got == 0 || got % unit != 0 {
                let reason =
                    format!("thread 0 holds elements of {got} {what}s of a product; needed a multiple of {unit}");
                return Err(Refusal::new("fragment-too-small", reason));
            }
        }
        let instructions: usize = sizes.iter().map(|(_, got, unit)| got / unit).product();
        if instructions > MAX_INSTRUCTIONS {
            let lanes = self.shares.lanes();
            let reason = format!(
                "every {} would execute {instructions} instructions; at most {MAX_INSTRUCTIONS} are written out",
                if lanes == 1 { "thread" } else { "warp" }
            );
            return Err(Refusal::new("too-many-instructions", reason));
        }
        let [in_a, in_b, in_c] = [("a", a), ("b", b), ("c", c)].map(|(name, tile)| FirstThread::new(name, tile));
        let mut tiling = RegisterTiling {
            rows: rows.len(),
            depth: depths.len(),
            columns: count,
            columns_of_c: self.shares.columns,
            a: Vec::new(),
            b: Vec::new(),
            c: Vec::new(),
        };
        for &row in &rows {
            for &depth in &depths {
                tiling.a.push(in_a.register((row, depth))?);
            }
            for column in 0..count {
                for of_lane in &columns {
                    let column = of_lane.get(column).copied().unwrap_or(-1);
                    tiling.c.push(in_c.register((row, column))?);
                }
            }
        }
        for &depth in &depths {
            for &column in &columns[0] {
                tiling.b.push(in_b.register((depth, column))?);
            }
        }
        Ok(tiling)
    }

    /// The columns of B that a lane holds and that thread 0 has in C.
    fn columns(&self, lane: usize) -> Vec<i64> {
        let wanted = distinct(self.operands.c, 0, |(_, column)| column);
        let held = distinct(self.operands.b, lane, |(_, column)| column);
        held.into_iter().filter(|column| wanted.contains(column)).collect()
    }
}

/// The coordinates of a thread's elements, in the order of its registers.
fn distinct(tile: &RegisterDistribution, thread: usize, coordinate: impl Fn(Cell) -> i64) -> Vec<i64> {
    let mut seen = HashSet::new();
    tile.held(thread).map(|(_, cell)| coordinate(cell)).filter(|&coordinate| seen.insert(coordinate)).collect()
}

/// The registers of thread 0, by the elements that they hold.
struct FirstThread {
    name: &'static str,
    registers: HashMap<Cell, usize>,
}

impl FirstThread {
    fn new(name: &'static str, tile: &RegisterDistribution) -> Self {
        FirstThread { name, registers: tile.held(0).map(|(register, cell)| (cell, register)).collect() }
    }

    fn register(&self, wanted: Cell) -> Result<usize, Refusal> {
        self.registers.get(&wanted).copied().ok_or_else(|| {
            let ((row, column), name) = (wanted, self.name);
            let reason =
                format!("thread 0 does not hold element ({row}, {column}) of {name}, of which its product needs it");
            Refusal::new("fragment-mismatch", reason)
        })
    }
}

fn nothing(name: &str) -> Refusal {
    Refusal::new("fragment-mismatch", format!("thread 0 holds no element of {name}"))
}

/// Checks every element of every thread.
struct TilingCheck<'o, 'd> {
    operands: &'o RegisterOperands<'d>,
    shares: LaneShares,
    tiling: &'o RegisterTiling,
}

impl TilingCheck<'_, '_> {
    fn run(&self) -> Result<(), Refusal> {
        let (lanes, threads) = (self.shares.lanes(), self.operands.c.threads());
        (0..threads / lanes).try_for_each(|number| self.instruction(number * lanes))
    }

    /// The lanes from `first` on.
    fn instruction(&self, first: usize) -> Result<(), Refusal> {
        self.rows(first)?;
        self.depths(first)?;
        self.columns(first)?;
        self.is_whole(first)
    }

    fn lane(&self, first: usize, group: usize, member: usize) -> usize {
        first + group * self.shares.members + member
    }

    /// The lanes of an instruction.
    fn lanes(&self, first: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let LaneShares { groups, members, .. } = self.shares;
        (0..groups)
            .flat_map(move |group| (0..members).map(move |member| (group, member, self.lane(first, group, member))))
    }

    /// The row of a group of lanes.
    fn row(&self, first: usize, group: usize, row: usize) -> Option<i64> {
        Some(self.operands.c.cell(self.lane(first, group, 0), self.tiling.c(row, 0, 0))?.0)
    }

    /// The depth of the lanes with that place in their group.
    fn depth(&self, first: usize, member: usize, depth: usize) -> Option<i64> {
        Some(self.operands.a.cell(self.lane(first, 0, member), self.tiling.a(0, depth))?.1)
    }

    /// The column of a group of lanes.
    fn column(&self, first: usize, group: usize, column: usize) -> Option<i64> {
        Some(self.operands.b.cell(self.lane(first, group, 0), self.tiling.b(0, column))?.1)
    }

    /// All of A.
    fn rows(&self, first: usize) -> Result<(), Refusal> {
        for (group, member, lane) in self.lanes(first) {
            for row in 0..self.tiling.rows {
                for depth in 0..self.tiling.depth {
                    let wanted = self.row(first, group, row).zip(self.depth(first, member, depth));
                    self.holds(("a", self.operands.a), lane, self.tiling.a(row, depth), wanted)?;
                }
            }
        }
        Ok(())
    }

    /// All of B.
    fn depths(&self, first: usize) -> Result<(), Refusal> {
        for (group, member, lane) in self.lanes(first) {
            for depth in 0..self.tiling.depth {
                for column in 0..self.tiling.columns {
                    let wanted = self.depth(first, member, depth).zip(self.column(first, group, column));
                    self.holds(("b", self.operands.b), lane, self.tiling.b(depth, column), wanted)?;
                }
            }
        }
        Ok(())
    }

    /// All of C.
    fn columns(&self, first: usize) -> Result<(), Refusal> {
        for (group, member, lane) in self.lanes(first) {
            for row in 0..self.tiling.rows {
                for column in 0..self.tiling.columns {
                    for part in 0..self.shares.columns {
                        let holder = member * self.shares.columns + part;
                        let wanted = self.row(first, group, row).zip(self.column(first, holder, column));
                        self.holds(("c", self.operands.c), lane, self.tiling.c(row, column, part), wanted)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn holds(
        &self,
        (name, tile): (&str, &RegisterDistribution),
        thread: usize,
        register: usize,
        wanted: Option<Cell>,
    ) -> Result<(), Refusal> {
        let got = tile.cell(thread, register);
        if got.is_some() && got == wanted {
            return Ok(());
        }
        let cell = |cell: Option<Cell>| cell.map_or("none".to_owned(), |(row, column)| format!("({row}, {column})"));
        let reason = format!(
            "register {register} of thread {thread} holds element {} of {name}; the instruction needs {} there",
            cell(got),
            cell(wanted)
        );
        Err(Refusal::new("fragment-mismatch", reason))
    }

    /// Whether the instructions of these lanes compute all their elements of C, of all terms.
    fn is_whole(&self, first: usize) -> Result<(), Refusal> {
        let mut depths: Vec<i64> = (0..self.shares.members)
            .flat_map(|member| (0..self.tiling.depth).filter_map(move |depth| self.depth(first, member, depth)))
            .collect();
        depths.sort_unstable();
        depths.dedup();
        let (got, needed) = (depths.len(), self.operands.depth);
        if got != needed || self.shares.members * self.tiling.depth != needed {
            let reason =
                format!("threads {first} to {} hold {got} of {needed} depths of a", first + self.shares.lanes() - 1);
            return Err(Refusal::new("depth-not-held", reason));
        }
        let multiplied = self.tiling.rows * self.tiling.columns * self.shares.columns;
        for (_, _, lane) in self.lanes(first) {
            let held = self.operands.c.held(lane).count();
            if held != multiplied {
                let reason =
                    format!("thread {lane} holds {held} elements of c, of which instructions compute {multiplied}");
                return Err(Refusal::new("fragment-mismatch", reason));
            }
        }
        Ok(())
    }
}
