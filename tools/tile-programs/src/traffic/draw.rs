//! Draws kernels of copies.

use tile_oracle::Rng;

/// The name of the kernel.
pub const ENTRY: &str = "copies";

/// A layout in shared memory.
#[derive(Clone, Debug)]
pub enum SharedLayout {
    /// One that the compiler chooses.
    Auto,
    /// The strides of rows and of columns, and a swizzle as text.
    Strides([i64; 2], String),
}

impl SharedLayout {
    /// The text for a tile of that size; of its transpose, if it is turned.
    fn text(&self, [rows, columns]: [i64; 2], is_turned: bool) -> String {
        match self {
            SharedLayout::Auto => "auto".to_owned(),
            SharedLayout::Strides([down, along], swizzle) if is_turned => {
                format!("#tile.layout<({columns}, {rows}) : ({along}, {down}){swizzle}>")
            }
            SharedLayout::Strides([down, along], swizzle) => {
                format!("#tile.layout<({rows}, {columns}) : ({down}, {along}){swizzle}>")
            }
        }
    }
}

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
    pub shared: SharedLayout,
    /// The layout of the registers through which the tile leaves, if any.
    pub registers: Option<String>,
    /// Whether the tile leaves as columns.
    pub is_turned: bool,
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
    let registers = match fragment {
        Some(name) => Some(format!("#tile.fragment<{name}>")),
        None => vectors_of_lanes(&mut rng, size),
    };
    let is_turned = registers.is_none() && rng.once_in(3);
    Kernel { element, size, whole, begin, threads, shared, registers, is_turned, is_async }
}

/// Rows of which each lane has short vectors, one behind the other or among those of other lanes.
fn vectors_of_lanes(rng: &mut Rng, [rows, columns]: [i64; 2]) -> Option<String> {
    let vector = *rng.one_of(&[1, 2, 4]);
    let lanes = *rng.one_of(&[8, 16, 32]);
    if !rng.once_in(3) || columns % (vector * lanes) != 0 {
        return None;
    }
    let (rounds, held) = (columns / (vector * lanes), columns / lanes);
    Some(match rng.once_in(2) {
        true => format!("#tile.layout<({rows}, {lanes}, {rounds}, {vector}) : ({held}, 1@tx, {vector}, 1)>"),
        false => format!("#tile.layout<({rows}, {rounds}, {lanes}, {vector}) : ({held}, {vector}, 1@tx, 1)>"),
    })
}

/// A layout in shared memory.
fn shared(rng: &mut Rng, [rows, columns]: [i64; 2]) -> SharedLayout {
    let pad = *rng.one_of(&[0, 1, 2, 4, 8]);
    let swizzle = |rng: &mut Rng| format!(", swizzle<base = {}, bits = {}, shift = 3>", rng.below(4), 1 + rng.below(3));
    match rng.below(8) {
        0 => SharedLayout::Strides([1, rows + pad], String::new()),
        1 | 2 if columns % 8 == 0 => SharedLayout::Strides([columns, 1], swizzle(rng)),
        3..6 => SharedLayout::Strides([columns + pad, 1], String::new()),
        _ => SharedLayout::Auto,
    }
}

impl Kernel {
    /// Where the compiler chooses the layout, the same kernel with rows and with columns without gaps.
    pub fn with_plain_layouts(&self) -> Vec<Kernel> {
        let [rows, columns] = self.size;
        let is_auto = matches!(self.shared, SharedLayout::Auto);
        let with = |strides| Kernel { shared: SharedLayout::Strides(strides, String::new()), ..self.clone() };
        [[columns, 1], [1, rows]].into_iter().filter(|_| is_auto).map(with).collect()
    }

    /// The module.
    pub fn text(&self) -> String {
        let Kernel { element, size: [rows, columns], whole: [all_rows, all_columns], begin, threads, .. } = self;
        let (memory, tile) =
            (format!("memref<{all_rows}x{all_columns}x{element}>"), format!("{rows}x{columns}x{element}"));
        let out_tile = if self.is_turned { format!("{columns}x{rows}x{element}") } else { tile.clone() };
        let out = format!("memref<{out_tile}>");
        let region = format!("[{}, {}] [{rows}, {columns}]", begin[0], begin[1]);
        let word = if self.is_async { "tile.copy_async" } else { "tile.copy" };
        let group = if self.is_async { " group" } else { "" };
        let wait = if self.is_async { "    nvvm.cp.async.wait.group 0\n" } else { "" };
        let last = match &self.registers {
            Some(_) => {
                "    %r = tile.alloc : !registers\n    tile.copy %s to %r scope(cta) : !shared to !registers\n    \
                        tile.copy %r to %b scope(cta) : !registers to !out\n"
            }
            None if self.is_turned => {
                "    %t = tile.permute %s [1, 0] : !shared to !turned\n    tile.copy %t to %b scope(cta) : !turned to !out\n"
            }
            None => "    tile.copy %s to %b scope(cta) : !shared to !out\n",
        };
        let registers = self
            .registers
            .as_ref()
            .map_or(String::new(), |layout| format!("!registers = !tile.buffer<{tile}, local, {layout}>\n"));
        let [shared, turned] = [false, true].map(|is_turned| self.shared.text(self.size, is_turned));
        format!(
            "!matrix = !tile.buffer<{all_rows}x{all_columns}x{element}, global>\n\
             !shared = !tile.buffer<{tile}, shared, {shared}>\n\
             !turned = !tile.buffer<{columns}x{rows}x{element}, shared, {turned}>\n\
             !out = !tile.buffer<{out_tile}, global>\n\
             {registers}\
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
             }}\n"
        )
    }

    /// The command that runs the kernel.
    pub fn launch(&self) -> String {
        let [all_rows, all_columns] = self.whole;
        let element = if self.element == "i8" { "u8" } else { self.element };
        let [rows, columns] = self.size;
        let [out_rows, out_columns] = if self.is_turned { [columns, rows] } else { [rows, columns] };
        format!(
            "tile-run FILE --arg {element}[{all_rows}x{all_columns}]=random --arg {element}[{out_rows}x{out_columns}]=poison\n\
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
