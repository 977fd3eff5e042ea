//! A kernel that copies tiles, as text, and its launch.

use tile_oracle::Rng;

use crate::writing::Element;

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The tiles of the arguments with three dimensions.
pub const TILES: i64 = 8;

/// A tile in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// Its type.
    pub buffer: String,
    /// Whether its elements lie one after the other.
    pub is_dense: bool,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Warps of the block.
    pub warps: i64,
    /// Rows and columns of a tile.
    pub shape: [i64; 2],
    /// The elements.
    pub element: Element,
    /// Tiles of the ring.
    pub stages: i64,
    /// The trip count of loops, if `is_known` a constant.
    pub trips: i64,
    /// Whether the compiler knows the trip count.
    pub is_known: bool,
    /// Whether the extents of the results are known only at run time.
    pub is_open: bool,
    /// The tiles.
    pub tiles: Vec<Tile>,
    /// The statements, as text.
    pub body: String,
}

impl Kernel {
    /// A kernel without statements. One that is `lasting` has loops of several iterations and known extents.
    pub fn new(rng: &mut Rng, lasting: bool) -> Self {
        let mut kernel = Kernel {
            warps: *rng.one_of(&[1, 1, 2, 2, 4]),
            shape: *rng.one_of(&[[16, 32], [8, 64], [32, 32], [16, 64]]),
            element: *rng.one_of(&[Element::F32, Element::F16]),
            stages: 2 + rng.below(3),
            trips: if lasting { 5 } else { *rng.one_of(&[1, 2, 5]) },
            is_known: lasting || rng.below(10) < 7,
            is_open: !lasting && rng.once_in(2),
            tiles: Vec::new(),
            body: String::new(),
        };
        kernel.tiles = (0..1 + rng.below(3)).map(|at| kernel.tile(rng, at)).collect();
        kernel
    }

    fn tile(&self, rng: &mut Rng, at: i64) -> Tile {
        let [rows, columns] = self.shape;
        let with = |strides: String| format!(", #tile.layout<({rows}, {columns}) : {strides}>");
        let mut layouts = vec![String::new(), String::new()];
        layouts.extend([with(format!("({}, 1)", columns + 8)), with(format!("(1, {rows})"))]);
        if columns >= 64 && self.element == Element::F16 {
            layouts.push(with(format!("({columns}, 1), swizzle<base = 3, bits = 3, shift = 3>")));
        }
        let layout = rng.one_of(&layouts);
        let buffer = format!("!tile.buffer<{rows}x{columns}x{}, shared{layout}>", self.element.name());
        Tile { name: format!("%s{at}"), buffer, is_dense: layout.is_empty() }
    }

    /// The type of the tiles of the ring.
    pub fn ring(&self) -> String {
        let [rows, columns] = self.shape;
        format!("!tile.buffer<{}x{rows}x{columns}x{}, shared>", self.stages, self.element.name())
    }

    /// The threads of the block.
    pub fn threads(&self) -> i64 {
        32 * self.warps
    }

    /// The module, as text.
    pub fn text(&self) -> String {
        let ([rows, columns], element) = (self.shape, self.element.name());
        let shape = format!("{rows}x{columns}x{element}");
        let (result, results) = match self.is_open {
            true => (format!("?x?x{element}"), format!("?x?x?x{element}")),
            false => (shape.clone(), format!("{TILES}x{shape}")),
        };
        let Kernel { warps, stages, trips, body, .. } = self;
        let (threads, share) = (self.threads(), rows / warps);
        let initial = |name: &str, buffer: &str| {
            format!(
                "    {name} = tile.alloc : {buffer}\n    tile.fill %zero to {name} scope(cta) : {element} to {buffer}\n"
            )
        };
        let tiles: String = self.tiles.iter().map(|tile| initial(&tile.name, &tile.buffer)).collect();
        let ring = initial("%ring", &self.ring());
        format!(
            "!matrix = !tile.buffer<{shape}, global>\n\
             !matrices = !tile.buffer<{TILES}x{shape}, global>\n\
             !result = !tile.buffer<{result}, global>\n\
             !results = !tile.buffer<{results}, global>\n\
             gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n  \
             llvm.mlir.global internal @phase() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64\n  \
             gpu.func @{ENTRY}(%A: memref<{shape}>, %B: memref<{result}>, %C: memref<{TILES}x{shape}>, \
             %D: memref<{results}>, %trips: index, %f: i32)\n      \
             kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{\n    \
             %a = tile.view %A : memref<{shape}> to !matrix\n    \
             %b = tile.view %B : memref<{result}> to !result\n    \
             %c = tile.view %C : memref<{TILES}x{shape}> to !matrices\n    \
             %d = tile.view %D : memref<{results}> to !results\n    \
             %zero = arith.constant 0.0 : {element}\n    \
             %all = arith.constant -1 : i32\n    \
             %c0 = arith.constant 0 : index\n    \
             %c1 = arith.constant 1 : index\n    \
             %c2 = arith.constant 2 : index\n    \
             %c32 = arith.constant 32 : index\n    \
             %known = arith.constant {trips} : index\n    \
             %edge = arith.muli %trips, %c2 : index\n    \
             %stages = arith.constant {stages} : index\n    \
             %no = arith.constant 0 : i32\n    \
             %flag = arith.cmpi ne, %f, %no : i32\n    \
             %thread = gpu.thread_id x\n    \
             %one = arith.constant 1 : i32\n    \
             %true = arith.constant true\n    \
             %arrived = llvm.mlir.addressof @phase : !llvm.ptr<3>\n    \
             %is_first = arith.cmpi eq, %thread, %c0 : index\n    \
             %warp = arith.divui %thread, %c32 : index\n    \
             %share = arith.constant {share} : index\n    \
             %warp_row = arith.muli %warp, %share : index\n    \
             %warps = arith.constant {warps} : index\n    \
             %next = arith.addi %warp, %c1 : index\n    \
             %turned = arith.remui %next, %warps : index\n    \
             %turned_row = arith.muli %turned, %share : index\n\
             {tiles}{ring}    \
             scf.if %is_first {{\n      \
             nvvm.mbarrier.init %arrived, %one : !llvm.ptr<3>, i32\n    }}\n    \
             gpu.barrier\n\
             {body}    gpu.return\n  }}\n}}\n"
        )
    }

    /// The command that runs the kernel, after its name.
    pub fn launch(&self) -> String {
        let ([rows, columns], element) = (self.shape, self.element.name());
        let one = format!("--arg {element}[{rows}x{columns}]");
        let all = format!("--arg {element}[{TILES}x{rows}x{columns}]");
        format!(
            "tile-opt --tile-check-sync FILE; tile-run FILE --schedule=all {one}=random {one}=zeros {all}=random \
             {all}=zeros --arg i64={} --arg i32=1   (and with i32=0)",
            self.trips
        )
    }
}
