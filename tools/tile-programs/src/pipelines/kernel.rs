//! A kernel whose loops request stages, as text, and its launch.

use tile_oracle::Rng;

use crate::writing::Element;

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The tiles of the source, and the numbers of sums that are stored.
pub const TILES: i64 = 8;
/// The tiles that a kernel may store.
pub const RESULTS: i64 = 80;

/// How the source and the destination of copies are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// They are two arguments.
    None,
    /// They are one argument.
    Argument,
    /// They are two arguments that may refer to the same memory, and do so in the launch if true.
    Launch(bool),
    /// The source is chosen at run time from the two arguments.
    Chosen,
}

/// The source's shape.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its rows.
    pub rows: i64,
    /// Its columns.
    pub columns: i64,
    /// Elements from one row to the next.
    pub pitch: i64,
    /// Whether the strides are known only at run time.
    pub run_time: bool,
}

impl Source {
    /// Whether its elements lie one after the other.
    pub fn is_dense(&self) -> bool {
        self.pitch == self.columns && !self.run_time
    }

    /// The strides of tiles and of rows.
    pub fn strides(&self) -> [i64; 2] {
        [self.rows * self.pitch, self.pitch]
    }

    /// The number of elements in memory.
    pub fn elements(&self) -> i64 {
        TILES * self.rows * self.pitch
    }
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Threads of the block.
    pub threads: i64,
    /// Rows and columns of a tile.
    pub shape: [i64; 2],
    /// The elements.
    pub element: Element,
    /// The source.
    pub source: Source,
    /// How source and destination are related.
    pub sharing: Sharing,
    /// The values of the arguments of type index.
    pub numbers: Vec<i64>,
    /// The value of the argument `%q`.
    pub flag: bool,
    /// The tiles, as text.
    pub allocations: String,
    /// The statements, as text.
    pub body: String,
}

impl Kernel {
    /// A kernel without statements. In a `lasting` one, all branches are taken, and no memory is shared.
    pub fn new(rng: &mut Rng, lasting: bool) -> Self {
        let element = *rng.one_of(&[Element::F32, Element::F32, Element::I32, Element::F16]);
        let shape = *rng.one_of(&[[16, 32], [8, 64], [32, 32]]);
        let pitch = shape[1] + *rng.one_of(&[0, 0, 0, 8, 16]);
        let source = Source {
            rows: shape[0] + *rng.one_of(&[0, 0, 0, -3, 5]),
            columns: shape[1] - *rng.one_of(&[0, 0, 0, 0, 3]),
            pitch,
            run_time: rng.once_in(5),
        };
        let sharing = match rng.below(32) {
            _ if lasting => Sharing::None,
            0 => Sharing::Argument,
            1 => Sharing::Launch(true),
            2 => Sharing::Launch(false),
            3 => Sharing::Chosen,
            _ => Sharing::None,
        };
        let whole = Source { rows: shape[0], columns: shape[1], pitch: shape[1], run_time: false };
        // The memory of the destination has dense tiles. What is outside the source is not copied, and needs no order.
        let source = if sharing == Sharing::None && !lasting { source } else { whole };
        let (numbers, allocations, body) = (Vec::new(), String::new(), String::new());
        let (threads, flag) = (*rng.one_of(&[32, 64, 128]), lasting || rng.once_in(2));
        Kernel { threads, shape, element, source, sharing, numbers, flag, allocations, body }
    }

    /// Whether tiles are larger than those of the source, so that copies of whole ones are masked.
    pub fn exceeds(&self) -> bool {
        self.source.rows < self.shape[0] || self.source.columns < self.shape[1]
    }

    /// The type of tiles of the source, as a global buffer.
    pub fn source_buffer(&self) -> &'static str {
        if self.sharing == Sharing::Argument { "!results" } else { "!matrices" }
    }

    /// The module, as text.
    pub fn text(&self) -> String {
        let [rows, columns] = self.shape;
        let element = self.element.name();
        let Source { rows: own_rows, columns: own_columns, run_time, .. } = self.source;
        let shape = format!("{TILES}x{own_rows}x{own_columns}x{element}");
        let strides = self.source.strides().map(|n| if run_time { "?".to_owned() } else { n.to_string() }).join(", ");
        let (memref, buffer) = match self.source.is_dense() {
            true => (format!("memref<{shape}>"), format!("!tile.buffer<{shape}, global>")),
            false => {
                let layout = format!("#tile.layout<({TILES}, {own_rows}, {own_columns}) : ({strides}, 1)>");
                (
                    format!("memref<{shape}, strided<[{strides}, 1]>>"),
                    format!("!tile.buffer<{shape}, global, {layout}>"),
                )
            }
        };
        let results = format!("memref<{RESULTS}x{rows}x{columns}x{element}>");
        let sums = format!("memref<{TILES}x128x{element}>");
        let numbers: String = (0..self.numbers.len()).map(|at| format!(", %n{at}: index")).collect();
        let promises = if matches!(self.sharing, Sharing::Launch(_)) { ", tile.noalias = false" } else { "" };
        let zero = if self.element == Element::I32 { "0" } else { "0.0" };
        let source = match self.sharing {
            Sharing::Argument => "%c = tile.view %D : !memref_d to !results".to_owned(),
            Sharing::Chosen => format!(
                "%first = memref.subview %D[0, 0, 0] [{TILES}, {rows}, {columns}] [1, 1, 1] : {results} to {strided}\n    \
                 %first_of_c = memref.cast %C : {memref} to {strided}\n    \
                 %chosen = arith.select %q, %first, %first_of_c : {strided}\n    \
                 %c = tile.view %chosen : {strided} to !matrices",
                strided = format_args!("memref<{shape}, strided<[{strides}, 1]>>"),
            ),
            // A vector needs aligned rows.
            _ if run_time => format!(
                "%base, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %C : {memref} -> \
                 memref<{element}>, index, index, index, index, index, index, index\n    \
                 %s0 = tile.assume %strides#0 divisible_by 8 : index\n    \
                 %s1 = tile.assume %strides#1 divisible_by 8 : index\n    \
                 %c = tile.view %C strides(%s0, %s1) : {memref} to !matrices"
            ),
            _ => format!("%c = tile.view %C : {memref} to !matrices"),
        };
        let source = source.replace("!memref_d", &results);
        let (threads, share) = (self.threads, rows * 32 / self.threads);
        let (allocations, body) = (&self.allocations, &self.body);
        format!(
            "!matrices = {buffer}\n!results = !tile.buffer<{RESULTS}x{rows}x{columns}x{element}, global>\n\
             gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n  \
             gpu.func @{ENTRY}(%C: {memref}, %D: {results}, %E: {sums}, %q: i1{numbers})\n      \
             workgroup(%scratch: memref<128x{element}, #gpu.address_space<workgroup>>) kernel\n      \
             attributes {{known_block_size = array<i32: {threads}, 1, 1>{promises}}} {{\n    \
             {source}\n    \
             %d = tile.view %D : {results} to !results\n    \
             %zero = arith.constant {zero} : {element}\n    \
             %c0 = arith.constant 0 : index\n    \
             %c1 = arith.constant 1 : index\n    \
             %c32 = arith.constant 32 : index\n    \
             %share = arith.constant {share} : index\n    \
             %thread = gpu.thread_id x\n    \
             %warp = arith.divui %thread, %c32 : index\n    \
             %warp_row = arith.muli %warp, %share : index\n\
             {allocations}{body}    gpu.return\n  }}\n}}\n"
        )
    }

    /// The command that runs the kernel, after its name.
    pub fn launch(&self) -> String {
        let ([rows, columns], element) = (self.shape, self.element.name());
        let source = &self.source;
        let strides = if source.run_time { source.strides().to_vec() } else { Vec::new() };
        let indices: String = strides.iter().chain(&self.numbers).map(|n| format!(" --arg i64={n}")).collect();
        // Strides follow the source, and the other numbers the flag.
        let (first, last) = indices.split_at(strides.iter().map(|n| format!(" --arg i64={n}").len()).sum());
        let same = if self.sharing == Sharing::Launch(true) {
            "(The first two arguments are the same memory when tile-programs runs it.)\n"
        } else {
            ""
        };
        format!(
            "tile-opt --tile-pipeline FILE -o RING; tile-run RING --schedule=all \
             --arg {element}[{}]=random{first} --arg {element}[{RESULTS}x{rows}x{columns}]=zeros \
             --arg {element}[{TILES}x128]=zeros --arg i8={}{last}\n{same}",
            source.elements(),
            u8::from(self.flag),
        )
    }
}
