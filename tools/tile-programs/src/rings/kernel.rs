//! A ring, its mistake, and its launch.

use tile_oracle::Rng;

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The most iterations of a loop.
const MAX_TRIPS: i64 = 8;
/// Tiles of the arguments: one for each iteration, and one behind the loop.
pub const TILES: i64 = MAX_TRIPS + 1;
/// Rows and columns of a tile.
pub const SHAPE: [i64; 2] = [16, 32];

/// What is wrong with a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    NoFullWait,
    NoEmptyWait,
    FullParity,
    EmptyParity,
    FullCount,
    EmptyCount,
    FullStage,
    EmptyStage,
    TileStage,
    NoArrival,
    LateStages,
    NoBarrier,
    Order,
    NoWarpSync,
    Laps,
    Late,
    BarrierInArm,
}

impl Mistake {
    const ALL: [Mistake; 17] = [
        Mistake::NoFullWait,
        Mistake::NoEmptyWait,
        Mistake::FullParity,
        Mistake::EmptyParity,
        Mistake::FullCount,
        Mistake::EmptyCount,
        Mistake::FullStage,
        Mistake::EmptyStage,
        Mistake::TileStage,
        Mistake::NoArrival,
        Mistake::LateStages,
        Mistake::NoBarrier,
        Mistake::Order,
        Mistake::NoWarpSync,
        Mistake::Laps,
        Mistake::Late,
        Mistake::BarrierInArm,
    ];

    /// A description.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::NoFullWait => "no wait for a full stage",
            Mistake::NoEmptyWait => "no wait for an empty stage",
            Mistake::FullParity => "the other parity of a full stage",
            Mistake::EmptyParity => "the other parity of an empty stage",
            Mistake::FullCount => "a full stage has one arrival too few",
            Mistake::EmptyCount => "an empty stage has one arrival too few",
            Mistake::FullStage => "a wait for another full stage",
            Mistake::EmptyStage => "a wait for another empty stage",
            Mistake::TileStage => "a read of another stage",
            Mistake::NoArrival => "no arrival",
            Mistake::LateStages => "the last stage has no mbarriers",
            Mistake::NoBarrier => "no barrier behind the initialization",
            Mistake::Order => "an arrival before the read",
            Mistake::NoWarpSync => "the warp is not together again behind a wait",
            Mistake::Laps => "laps of another number of stages",
            Mistake::Late => "a read under a condition behind the arrival",
            Mistake::BarrierInArm => "a barrier under a condition where one is always needed",
        }
    }
}

/// How a loop finds its stage and the parity of the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// By remainder and quotient of the variable.
    Quotient,
    /// Both are carried.
    Carried,
    /// By the remainder, and the parity is carried.
    Both,
}

/// What the readers do in some iterations only, as all of them decide alike by a number that is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sometimes {
    /// They read the stage, which they do not read otherwise.
    Read,
    /// They read the stage once more.
    Again,
    /// They read a half of it or the other one.
    Either,
    /// They exchange something through a tile of their own, by barriers.
    Exchange,
}

/// A ring of stages: one warp copies tiles in bulk, and others read them; or all threads do both.
#[derive(Clone, Debug)]
pub struct Ring {
    /// The number of stages.
    pub stages: i64,
    /// Warps that read.
    pub consumers: i64,
    /// How loops count.
    pub counting: Counting,
    /// The trip count, if `is_known` a constant.
    pub trips: i64,
    /// Whether the compiler knows the trip count.
    pub is_known: bool,
    /// Whether each reading thread arrives, and not one for its warp.
    pub each: bool,
    /// Whether all threads copy and read.
    pub alone: bool,
    /// Whether a single thread copies, and not a warp.
    pub elected: bool,
    /// What the readers do in each `period`th iteration, the first one included.
    pub sometimes: Option<Sometimes>,
    /// Whether one more tile is copied and read behind the loops, at a stage that follows from their trip count.
    pub is_drained_behind: bool,
    /// The mistake.
    pub mistake: Option<Mistake>,
    /// The statements, as text.
    pub body: String,
}

impl Ring {
    /// A ring without statements.
    pub fn new(rng: &mut Rng) -> Self {
        let mistake = (rng.below(100) >= 35).then(|| *rng.one_of(&Mistake::ALL));
        let counting = *rng.one_of(&[Counting::Quotient, Counting::Carried, Counting::Both]);
        let alone = mistake == Some(Mistake::BarrierInArm) || rng.once_in(4);
        let sometimes = match mistake {
            Some(Mistake::Late) => Some(Sometimes::Again),
            Some(Mistake::BarrierInArm) => Some(Sometimes::Exchange),
            _ => rng.once_in(2).then(|| {
                let all = [Sometimes::Read, Sometimes::Again, Sometimes::Either, Sometimes::Exchange];
                *rng.one_of(&all[..if alone { 4 } else { 3 }])
            }),
        };
        Ring {
            stages: *rng.one_of(&[1, 2, 2, 3, 3, 4]),
            consumers: *rng.one_of(&[1, 1, 2]),
            counting: if mistake == Some(Mistake::Laps) { Counting::Quotient } else { counting },
            trips: *rng.one_of(&[1, 2, 3, 5, 7, 8]),
            is_known: rng.below(10) < 4,
            each: rng.once_in(2),
            alone,
            elected: rng.below(10) < 6,
            sometimes,
            is_drained_behind: rng.once_in(3),
            mistake,
            body: String::new(),
        }
    }

    /// Whether this is the mistake.
    pub fn has(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    /// The threads of the block.
    pub fn threads(&self) -> i64 {
        32 * (1 + self.consumers)
    }

    /// The trip counts with which it is executed.
    pub fn all_trips(&self) -> Vec<i64> {
        if self.is_known { vec![self.trips] } else { vec![0, self.trips, MAX_TRIPS] }
    }

    /// The periods with which it is executed.
    pub fn all_periods(&self) -> &[i64] {
        if self.sometimes.is_some() { &[1, 2, 3, MAX_TRIPS] } else { &[1] }
    }

    /// The module, as text.
    pub fn text(&self) -> String {
        let Ring { stages, trips, body, .. } = self;
        let [rows, columns] = SHAPE;
        let (memory, threads, share) = (format!("{TILES}x{rows}x{columns}xf32"), self.threads(), rows / self.consumers);
        let mbarriers = |name: &str| {
            format!(
                "  llvm.mlir.global internal @{name}() {{addr_space = 3 : i32, alignment = 8 : i64}} : \
                 !llvm.array<{stages} x i64>\n"
            )
        };
        let (full, empty) = (mbarriers("full_stages"), mbarriers("empty_stages"));
        format!(
            "!matrices = !tile.buffer<{memory}, global>\n\
             !ring = !tile.buffer<{stages}x{rows}x{columns}xf32, shared>\n\
             !half = !tile.buffer<1x{rows}x{columns}xf32, shared>\n\
             gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n{full}{empty}  \
             gpu.func @{ENTRY}(%A: memref<{memory}>, %B: memref<{memory}>, %given: index, %period: index)\n      \
             kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{\n    \
             %a = tile.view %A : memref<{memory}> to !matrices\n    \
             %b = tile.view %B : memref<{memory}> to !matrices\n    \
             %s = tile.alloc : !ring\n    \
             %x = tile.alloc : !half\n    \
             %nothing = arith.constant 0.0 : f32\n    \
             tile.fill %nothing to %s scope(cta) : f32 to !ring\n    \
             nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}\n    \
             gpu.barrier\n    \
             %full = llvm.mlir.addressof @full_stages : !llvm.ptr<3>\n    \
             %empty = llvm.mlir.addressof @empty_stages : !llvm.ptr<3>\n    \
             %c0 = arith.constant 0 : index\n    \
             %c1 = arith.constant 1 : index\n    \
             %c32 = arith.constant 32 : index\n    \
             %trips = arith.maxsi %given, %c0 : index\n    \
             %known = arith.constant {trips} : index\n    \
             %zero = arith.constant 0 : i32\n    \
             %all = arith.constant -1 : i32\n    \
             %true = arith.constant true\n    \
             %t = gpu.thread_id x\n    \
             %is_first = arith.cmpi eq, %t, %c0 : index\n    \
             %brings = arith.cmpi ult, %t, %c32 : index\n    \
             %reads = arith.cmpi uge, %t, %c32 : index\n    \
             %warp = arith.divui %t, %c32 : index\n    \
             %lane = arith.remui %t, %c32 : index\n    \
             %lane0 = arith.cmpi eq, %lane, %c0 : index\n    \
             %reader = arith.subi %warp, %c1 : index\n    \
             %rows = arith.constant {share} : index\n    \
             %begin = arith.muli %reader, %rows : index\n\
             {body}    gpu.return\n  }}\n}}\n"
        )
    }

    /// The command that runs the kernel, after its name.
    pub fn launch(&self) -> String {
        let [rows, columns] = SHAPE;
        let memory = format!("--arg f32[{TILES}x{rows}x{columns}]");
        let trips: Vec<String> = self.all_trips().iter().map(i64::to_string).collect();
        let periods: Vec<String> = self.all_periods().iter().map(i64::to_string).collect();
        format!(
            "tile-opt --tile-check-sync FILE; tile-run FILE --schedule=all {memory}=random {memory}=zeros \
             --arg i64=T --arg i64=P, T = {}, P = {}",
            trips.join(", "),
            periods.join(", ")
        )
    }
}
