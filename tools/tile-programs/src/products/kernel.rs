//! A kernel of products, as text, and what it leaves in memory.

use crate::writing::Lines;

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The depth of a product, which a loop advances by.
pub const STEP: i64 = 64;
/// The tiles of accumulators.
pub const TILES: i64 = 2;
/// Rows of a tile, and threads of the block: one warpgroup.
pub const ROWS: i64 = 64;
pub const THREADS: u32 = 128;
/// The most iterations of a loop.
const MAX_TRIPS: i64 = 6;

/// What an iteration does with accumulators, after the factors have been loaded.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Adds a product, which may be in flight afterwards.
    Product { tile: usize, in_flight: bool },
    /// Stores a tile.
    Store(usize),
    /// Makes a tile zero.
    Fill(usize),
    /// Halves a tile.
    Halve(usize),
    /// Halves the first tile, and adds it to the second.
    Join,
    /// One of the two, by the number of the iteration.
    If(Vec<Statement>, Vec<Statement>),
}

impl Statement {
    /// Whether it contains a product.
    pub fn multiplies(&self) -> bool {
        match self {
            Statement::Product { .. } => true,
            Statement::If(then, otherwise) => then.iter().chain(otherwise).any(Statement::multiplies),
            _ => false,
        }
    }
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Columns of the accumulators.
    pub columns: i64,
    /// The stages of the loop; 0 for a loop that requests none.
    pub stages: i64,
    /// The iterations.
    pub trips: i64,
    /// Conditions hold where the loop's variable is a multiple of it.
    pub period: i64,
    /// An iteration.
    pub body: Vec<Statement>,
}

impl Kernel {
    /// Elements of the depth.
    pub fn depth(&self) -> i64 {
        MAX_TRIPS * STEP
    }

    /// The right factor: each column has a number of its own, and the left factor is one everywhere.
    pub fn column(&self, at: i64) -> u8 {
        (at % 3) as u8 + 1
    }

    /// What the two results have, as multiples of the columns' numbers: the last tile that an iteration has stored, and the first tile
    /// in the end. All are small multiples of powers of two.
    pub fn expected(&self) -> [f32; 2] {
        let mut state = State::default();
        for trip in 0..self.trips {
            state.run(&self.body, (trip * STEP) % self.period == 0);
        }
        [state.stored, state.tiles[0]]
    }

    /// The module, as text.
    pub fn text(&self) -> String {
        let Kernel { columns, stages, .. } = *self;
        let depth = self.depth();
        let mut lines = Lines::default();
        lines.depth = 1;
        let (copy, group) = if stages > 0 { ("copy_async", " group") } else { ("copy", "") };
        lines.line(format!("tile.{copy} %a[0, %i] [{ROWS}, {STEP}] to %sa scope(cta){group} : !left to !a"));
        lines.line(format!("tile.{copy} %b[%i, 0] [{STEP}, {columns}] to %sb scope(cta){group} : !right to !b"));
        self.body.iter().for_each(|statement| self.write(&mut lines, statement));
        let requests = if stages > 0 { format!(" {{tile.stages = {stages} : i64}}") } else { String::new() };
        let body = lines.text;
        format!(
            "!left = !tile.buffer<{ROWS}x{depth}xf16, global>\n\
             !right = !tile.buffer<{depth}x{columns}xf16, global>\n\
             !result = !tile.buffer<{ROWS}x{columns}xf32, global>\n\
             !a = !tile.buffer<{ROWS}x{STEP}xf16, shared, auto>\n\
             !b = !tile.buffer<{STEP}x{columns}xf16, shared, auto>\n\
             !sums = !tile.buffer<{ROWS}x{columns}xf32, local, #tile.fragment<wgmma.c>>\n\
             gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n  \
             gpu.func @{ENTRY}(%A: memref<{ROWS}x{depth}xf16>, %B: memref<{depth}x{columns}xf16>, %S: memref<{ROWS}x{columns}xf32>,\n      \
             %C: memref<{ROWS}x{columns}xf32>, %end: index, %period: index) kernel\n      \
             attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{\n    \
             %c0 = arith.constant 0 : index\n    \
             %c{STEP} = arith.constant {STEP} : index\n    \
             %zero = arith.constant 0.0 : f32\n    \
             %half = arith.constant 0.5 : f32\n    \
             %a = tile.view %A : memref<{ROWS}x{depth}xf16> to !left\n    \
             %b = tile.view %B : memref<{depth}x{columns}xf16> to !right\n    \
             %s = tile.view %S : memref<{ROWS}x{columns}xf32> to !result\n    \
             %c = tile.view %C : memref<{ROWS}x{columns}xf32> to !result\n    \
             %sa = tile.alloc : !a\n    \
             %sb = tile.alloc : !b\n    \
             %t0 = tile.alloc : !sums\n    \
             %t1 = tile.alloc : !sums\n    \
             tile.fill %zero to %t0 scope(cta) : f32 to !sums\n    \
             tile.fill %zero to %t1 scope(cta) : f32 to !sums\n    \
             scf.for %i = %c0 to %end step %c{STEP} {{\n\
             {body}    }}{requests}\n    \
             tile.copy %t0 to %c scope(cta) : !sums to !result\n    \
             gpu.return\n  }}\n}}\n"
        )
    }

    fn write(&self, lines: &mut Lines, statement: &Statement) {
        match statement {
            Statement::Product { tile, in_flight } => {
                let group = if *in_flight { " group" } else { "" };
                lines.line(format!("tile.mma %sa, %sb, %t{tile} scope(cta){group} : !a, !b, !sums"));
            }
            Statement::Store(tile) => lines.line(format!("tile.copy %t{tile} to %s scope(cta) : !sums to !result")),
            Statement::Fill(tile) => lines.line(format!("tile.fill %zero to %t{tile} scope(cta) : f32 to !sums")),
            Statement::Halve(tile) => {
                lines.line(format!("tile.map %t{tile} to %t{tile} scope(cta) : !sums to !sums {{"));
                lines.line("^bb0(%x: f32):");
                lines.line("  %h = arith.mulf %x, %half : f32");
                lines.line("  tile.yield %h : f32");
                lines.line("}");
            }
            Statement::Join => {
                lines.line("tile.map %t0, %t1 to %t0, %t1 scope(cta) : !sums, !sums to !sums, !sums {");
                lines.line("^bb0(%x: f32, %y: f32):");
                lines.line("  %h = arith.mulf %x, %half : f32");
                lines.line("  %j = arith.addf %y, %h : f32");
                lines.line("  tile.yield %h, %j : f32, f32");
                lines.line("}");
            }
            Statement::If(then, otherwise) => self.write_condition(lines, then, otherwise),
        }
    }

    fn write_condition(&self, lines: &mut Lines, then: &[Statement], otherwise: &[Statement]) {
        let rest = lines.value("arith.remui %i, %period : index");
        let holds = lines.value(format!("arith.cmpi eq, {rest}, %c0 : index"));
        lines.line(format!("scf.if {holds} {{"));
        lines.depth += 1;
        then.iter().for_each(|statement| self.write(lines, statement));
        lines.depth -= 1;
        if !otherwise.is_empty() {
            lines.line("} else {");
            lines.depth += 1;
            otherwise.iter().for_each(|statement| self.write(lines, statement));
            lines.depth -= 1;
        }
        lines.line("}");
    }

    /// The command that runs the kernel.
    pub fn launch(&self) -> String {
        let (columns, depth) = (self.columns, self.depth());
        let [end, period] = [self.trips * STEP, self.period];
        format!(
            "tile-run FILE --passes='tile-build{{maps=false}}' --schedule=all --arg f16[{ROWS}x{depth}]=ones --arg f16[{depth}x{columns}]=ones \
             --arg f32[{ROWS}x{columns}]=zeros --arg f32[{ROWS}x{columns}]=zeros --arg i64={end} --arg i64={period}\n"
        )
    }
}

/// What the tiles and the stored one have.
#[derive(Default)]
struct State {
    tiles: [f32; TILES as usize],
    stored: f32,
}

impl State {
    fn run(&mut self, body: &[Statement], holds: bool) {
        for statement in body {
            match statement {
                Statement::Product { tile, .. } => self.tiles[*tile] += STEP as f32,
                Statement::Store(tile) => self.stored = self.tiles[*tile],
                Statement::Fill(tile) => self.tiles[*tile] = 0.0,
                Statement::Halve(tile) => self.tiles[*tile] *= 0.5,
                Statement::Join => {
                    self.tiles[0] *= 0.5;
                    self.tiles[1] += self.tiles[0];
                }
                Statement::If(then, otherwise) => self.run(if holds { then } else { otherwise }, holds),
            }
        }
    }
}
