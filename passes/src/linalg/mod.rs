//! `--convert-linalg-to-tile`: kernels of `linalg` on memrefs become kernels of tiles, in steps that are passes, too.
//!
//! ```text
//!   scf.forall … #gpu.warp       linalg.… {tile.scope = "warp"}               foralls: iterations become threads, warps or warpgroups
//!   vector.contract %a, %b, %c   linalg.generic                               vectors: what a block has together becomes memory
//!   linalg.matmul %A, %B, %C     scf.for { linalg.matmul %a, %b, %s }         split: ops that tiles do not hold become loops
//!   %w = memref.alloc()          %w = tile.alloc, shared and auto             memory: promoted memory all of whose users are known
//!   memref.copy %a, %w           tile.copy %va[…] to %w                       ops: each becomes copies of its operands and a tile op
//!   linalg.matmul %w, %v, %s     tile.mma %w, %v, %s
//!   scf.for                      scf.for { tile.copy_async … } tile.stages    stages: loops with copies and a product
//! ```
//!
//! [`tile_plan::linalg`] decides what an op is, and which tiles a product has. An op with an operand in other memory loads it to a
//! tile of its own, and stores what it has computed. Barriers are no concern of these steps: what is converted is marked, and
//! `--tile-build` orders it.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | an op, as the planner sees it |
//! | [`affine`] | the maps of its operands |
//! | [`schedule`] | how it is done, as the program states it |
//! | [`choose`] | how a product is done that states nothing |
//! | [`tiles`] | memrefs and the tiles that they stand for |
//! | [`foralls`] | loops whose iterations are threads, warps or warpgroups |
//! | [`team`] | the threads that do an op together |
//! | [`vectors`] | contractions and reductions of vectors |
//! | [`split`] | loops around ops that tiles do not hold |
//! | [`scalars`] | memory without dimensions |
//! | [`factors`] | factors that are computed before their product |
//! | [`body`] | what a body computes, and copies of it |
//! | [`site`] | the tiles of an op's operands |
//! | [`padding`] | what is beyond the memory that a tile is loaded from |
//! | [`pads`] | copies to a part of a tile |
//! | [`copies`] | copies that C++ makes |
//! | [`convert`] | what becomes of an op; copies and fills |
//! | [`map`] | functions of elements |
//! | [`reduce`] | reductions |
//! | [`product`] | products |
//! | [`elements`] | ops that no tile op does, as loops over elements |
//! | [`promote`] | global memory that several ops use |
//! | [`memory`] | memory that becomes tiles |
//! | [`whole`] | the extents of tiles in registers |
//! | [`stages`] | loops that become rings |
//! | [`refuse`] | reports of what stays |

mod affine;
mod body;
mod choose;
mod convert;
mod copies;
mod elements;
mod factors;
mod foralls;
mod map;
mod memory;
mod padding;
mod pads;
mod product;
mod promote;
mod read;
mod reduce;
mod refuse;
mod scalars;
mod schedule;
mod site;
mod split;
mod stages;
mod team;
mod tiles;
mod vectors;
mod whole;

use std::cell::Cell;
use std::ffi::c_void;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirOperation, MlirStringRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter, is_used, results_of};
use tile_dialect::{Ctx, guard, schedule_of, string_ref};
use tile_ops::{builtin, func, gpu, memref};
use tile_plan::linalg::LinalgSchedule;
use tile_plan::target::Target;

use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::shim::{PassOptions, StringCallback, text};
use crate::{bridge, shim, walk};
use convert::Converter;
use promote::PromotedSet;
use refuse::Reports;
use whole::KernelRows;

/// What the pass is asked for: `TileLinalgRequest`.
#[repr(C)]
#[derive(Clone, Copy)]
struct LinalgRequest {
    /// Whether loops over threads, warps and warpgroups become their numbers.
    pub foralls: bool,
    /// Whether vectors become memory.
    pub vectors: bool,
    /// Whether ops that tiles do not hold become loops.
    pub split: bool,
    /// Whether promoted memory becomes tiles.
    pub memory: bool,
    /// Whether ops become those of tiles.
    pub ops: bool,
    /// The most stages of a loop; none where loops stay.
    pub stages: u32,
    /// Whether an op that stays is an error.
    pub strict: bool,
    /// Whether only ops of linalg and `memref.copy` are converted, and the reasons why others stay are kept for errors of later passes.
    pub where_needed: bool,
    /// The threads of a block of functions that state no size and are in no `gpu.module`; 0 where these are no kernels.
    pub block: u32,
    /// What multiplies where no schedule says it.
    pub instruction: MlirStringRef,
    /// How sums are stored where no schedule says it.
    pub epilogue: MlirStringRef,
}

/// `TileProductSizes`.
#[repr(C)]
struct ProductSizes {
    rows: i64,
    columns: i64,
    depths: i64,
    threads: i64,
}

#[unsafe(no_mangle)]
extern "C" fn tileConvertLinalg(op: MlirOperation, options: PassOptions, request: LinalgRequest) -> bool {
    bridge::pass(op, options, |ir, options| {
        if request.block > 0 {
            state_block(ir.root(), request.block, ir.rewriter());
        }
        bridge::begin(ir, options) && run(ir, options, &request)
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileProductSizes(
    op: MlirOperation,
    chip: MlirStringRef,
    sizes: *mut ProductSizes,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes a valid op, a valid string, and memory for the sizes.
    let (op, chip) = unsafe { (OperationRef::from_raw(op), text(chip)) };
    let outcome = guard::quiet(|| product_sizes(op, chip))
        .unwrap_or_else(|panic| Err(format!("made the compiler fail: {panic}")));
    // SAFETY: as above; the callback takes the string during the call.
    unsafe {
        match outcome {
            Ok(chosen) => *sizes = chosen,
            Err(reason) => {
                say(string_ref(&reason), user_data);
                return false;
            }
        }
    }
    true
}

/// The tiles that the schedule of an op states, else those that a chip multiplies best.
fn product_sizes(op: OperationRef<'_, '_>, chip: &str) -> Result<ProductSizes, String> {
    let target = Target::parse(chip).map_err(|error| error.to_string())?;
    let reading = read::on_any(op).ok_or_else(|| format!("got {}, expected a product of linalg", name(op)))?;
    let reading = reading.map_err(|refusal| refusal.to_string())?;
    let factors = reading.factors().ok_or_else(|| format!("got {}, expected a product of linalg", name(op)))?;
    let stated = schedule_of(op).map_err(|mistake| mistake.to_string())?;
    if let Some((LinalgSchedule { tile: Some([rows, columns, depths]), threads: Some(threads), .. }, _)) = stated {
        return Ok(ProductSizes { rows, columns, depths, threads });
    }
    let problem = product::problem(&reading, factors, 0).map_err(|refusal| refusal.to_string())?;
    let ([rows, columns, depths], threads) =
        problem.tiles_of_blocks(&target).ok_or_else(|| format!("{target} multiplies no such elements"))?;
    Ok(ProductSizes { rows, columns, depths, threads })
}

/// Does the steps that are asked for; `false` after errors.
fn run(ir: &mut Ir<'_>, options: &LoweringOptions, request: &LinalgRequest) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    // SAFETY: C++ passes strings that outlive the call.
    let (instruction, epilogue) = unsafe { (text(request.instruction), text(request.epilogue)) };
    let schedule = match schedule::of_words(instruction, epilogue) {
        Ok(schedule) => schedule,
        Err(reason) => {
            Diagnostic::error(reason).emit(root);
            return false;
        }
    };
    let has_failed = Cell::new(false);
    let reports = Reports { is_strict: request.strict, keeps_reasons: request.where_needed, rewriter, has_failed };
    if request.foralls {
        foralls::run(root, options, &reports);
    }
    if request.vectors {
        vectors::run(root, options, &reports);
    }
    if request.split || request.memory || request.ops {
        let reader = Reader::new(options);
        scalars::run(&Converter::new(&reader, options, schedule, rewriter), root);
    }
    if request.split {
        let reader = Reader::new(options);
        let converter = Converter::new(&reader, options, schedule, rewriter);
        promote::run(&converter, root, PromotedSet::Sums);
        split::run(root, options, schedule, rewriter);
    }
    if request.memory {
        memory::run(root, options, schedule, rewriter);
    }
    if request.ops {
        shim::attribute_workgroup_memory(root);
        convert_ops(root, options, schedule, &reports);
    }
    if request.stages > 0 {
        stages::run(root, options, request.stages, rewriter);
    }
    !reports.has_failed.get()
}

/// Converts the ops at or below the root.
fn convert_ops<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    schedule: LinalgSchedule,
    reports: &Reports<'c, 'a>,
) {
    let (reader, rewriter) = (Reader::new(options), reports.rewriter);
    let converter = Converter::new(&reader, options, schedule, rewriter);
    let rows = KernelRows::new(&converter, root);
    let converter = converter.with_registers(&rows.held);
    let candidates = walk::matching(root, |_| true).into_iter().filter(|op| read::read(*op).is_some());
    for op in candidates.collect::<Vec<_>>() {
        if let Err(refusal) = converter.run(op)
            && !converter.write_loops(op, &refusal)
        {
            reports.stays(op, &refusal);
        }
    }
    pads::erase_unused(root, rewriter);
    let casts = walk::named(root, builtin::UnrealizedConversionCastOp::NAME).into_iter();
    let is_unused = |op: &OperationRef<'c, 'a>| {
        tiles::tile_of_cast(*op).is_some() && results_of(*op).into_iter().all(|value| !is_used(value))
    };
    casts.filter(is_unused).for_each(|cast| rewriter.erase(cast));
    reports.check_left(root);
}

/// Makes functions with ops of linalg kernels of blocks of that size, where nothing else is one in them.
fn state_block<'c: 'a, 'a>(root: OperationRef<'c, 'a>, threads: u32, rewriter: Rewriter<'c, 'a>) {
    let size = [i32::try_from(threads).unwrap_or(i32::MAX), 1, 1];
    let is_of_vectors = |op: OperationRef<'c, 'a>| vectors::ANCHORS.contains(&name(op));
    let ops = walk::matching(root, |_| true).into_iter();
    let ops =
        ops.filter(|op| shim::structured(*op).is_some() || is_of_vectors(*op) || name(*op) == memref::CopyOp::NAME);
    for function in ops.filter_map(kernel::function).collect::<Vec<_>>() {
        let is_stated = function.has_attribute(gpu::attribute::KNOWN_BLOCK_SIZE);
        let has_launch = !walk::named(function, gpu::LaunchOp::NAME).is_empty();
        if name(function) == func::FuncOp::NAME && !has_launch && !is_stated {
            rewriter.set_attribute(function, gpu::attribute::KNOWN_BLOCK_SIZE, Ctx::of(function).i32_array(&size));
        }
    }
}
