//! Draws kernels of copies.

use tile_oracle::Rng;

/// The name of the kernel.
pub const ENTRY: &str = "copies";

/// A kernel of copies from one matrix to another, through shared memory.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The type of the elements.
    pub element: &'static str,
    /// Rows and columns of the region.
    pub size: [i64; 2],
    /// Rows and columns of both matrices, and where the region begins in the source.
    pub whole: [i64; 2],
    /// See above.
    pub begin: [i64; 2],
    /// Threads of the block.
    pub threads: i64,
    /// The layout of the tile in shared memory.
    pub shared: String,
    /// The fragment through which a tile of 16-bit elements goes.
    pub fragment: Option<&'static str>,
    /// Whether the first copy is a `cp.async`.
    pub is_async: bool,
}

/// Kernel number `number` of a seed.
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut rng = Rng::new(seed, number);
    let mut element = *rng.one_of(&["i8", "f16", "f32", "f64"]);
    let fragment = rng.once_in(3).then(|| *rng.one_of(&["mma.m16n8k16.a", "mma.m16n8k16.c"]));
    let threads = if fragment.is_some() { 32 } else { *rng.one_of(&[32, 64, 96, 128, 256]) };
    let size = match fragment {
        Some(_) => {
            element = "f16";
            [16 * (1 + rng.below(3)), 16 * (1 + rng.below(4))]
        }
        None => [1 + rng.below(40), *rng.one_of(&[8, 16, 24, 32, 48, 64, 65, 100])],
    };
    let begin = [rng.below(4), *rng.one_of(&[0, 0, 1, 4, 8, 16])];
    let whole = [size[0] + begin[0] + rng.below(3), size[1] + begin[1] + *rng.one_of(&[0, 0, 1, 8, 16])];
    let shared = shared(&mut rng, size);
    let is_async = rng.once_in(3);
    Kernel { element, size, whole, begin, threads, shared, fragment, is_async }
}

/// A layout in shared memory.
fn shared(rng: &mut Rng, [rows, columns]: [i64; 2]) -> String {
    let pad = *rng.one_of(&[0, 1, 2, 4, 8]);
    let swizzle = |rng: &mut Rng| format!("swizzle<base = {}, bits = {}, shift = 3>", rng.below(4), 1 + rng.below(3));
    match rng.below(6) {
        0 => format!("({rows}, {columns}) : (1, {})", rows + pad),
        1 | 2 if columns % 8 == 0 => format!("({rows}, {columns}) : ({columns}, 1), {}", swizzle(rng)),
        _ => format!("({rows}, {columns}) : ({}, 1)", columns + pad),
    }
}

impl Kernel {
    /// The module.
    pub fn text(&self) -> String {
        let Kernel { element, size: [rows, columns], whole: [all_rows, all_columns], begin, threads, .. } = self;
        let (memory, tile) =
            (format!("memref<{all_rows}x{all_columns}x{element}>"), format!("{rows}x{columns}x{element}"));
        let out = format!("memref<{tile}>");
        let region = format!("[{}, {}] [{rows}, {columns}]", begin[0], begin[1]);
        let word = if self.is_async { "tile.copy_async" } else { "tile.copy" };
        let group = if self.is_async { " group" } else { "" };
        let wait = if self.is_async { "    nvvm.cp.async.wait.group 0\n" } else { "" };
        let last = match self.fragment {
            Some(_) => {
                "    %r = tile.alloc : !fragment\n    tile.copy %s to %r scope(cta) : !shared to !fragment\n    \
                        tile.copy %r to %b scope(cta) : !fragment to !out\n"
            }
            None => "    tile.copy %s to %b scope(cta) : !shared to !out\n",
        };
        let fragment = self
            .fragment
            .map_or(String::new(), |name| format!("!fragment = !tile.buffer<{tile}, local, #tile.fragment<{name}>>\n"));
        format!(
            "!matrix = !tile.buffer<{all_rows}x{all_columns}x{element}, global>\n\
             !shared = !tile.buffer<{tile}, shared, #tile.layout<{}>>\n\
             !out = !tile.buffer<{tile}, global>\n\
             {fragment}\
             gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n  \
               gpu.func @{ENTRY}(%A: {memory}, %B: {out}) kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{\n    \
                 %a = tile.view %A : {memory} to !matrix\n    \
                 %b = tile.view %B : {out} to !out\n    \
                 %s = tile.alloc : !shared\n    \
                 {word} %a{region} to %s scope(cta){group} : !matrix to !shared\n\
             {wait}    \
                 gpu.barrier\n\
             {last}    \
                 gpu.return\n  \
               }}\n\
             }}\n",
            self.shared
        )
    }

    /// The command that runs the kernel.
    pub fn launch(&self) -> String {
        let [rows, columns] = self.whole;
        let element = if self.element == "i8" { "u8" } else { self.element };
        let [out_rows, out_columns] = self.size;
        format!(
            "tile-run FILE --arg {element}[{rows}x{columns}]=random --arg {element}[{out_rows}x{out_columns}]=poison\n\
             tile-opt FILE --tile-report-memory"
        )
    }

    /// Bytes of an element.
    pub fn bytes(&self) -> i64 {
        match self.element {
            "i8" => 1,
            "f16" => 2,
            "f32" => 4,
            _ => 8,
        }
    }
}
