//! `--convert-linalg-to-tile`: kernels of `linalg` on memrefs become kernels of tiles, in three steps that are passes, too.
//!
//! ```text
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
//! | [`body`] | what a body computes, and copies of it |
//! | [`site`] | the tiles of an op's operands |
//! | [`copies`] | copies that C++ makes |
//! | [`convert`] | copies, fills, maps and reductions |
//! | [`product`] | products |
//! | [`memory`] | memory that becomes tiles |
//! | [`stages`] | loops that become rings |
//! | [`refuse`] | reports of what stays |

mod body;
mod convert;
mod copies;
mod memory;
mod product;
mod read;
mod refuse;
mod site;
mod stages;

use std::cell::Cell;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::MlirOperation;
use tile_dialect::Ctx;
use tile_dialect::ir::{Ir, Rewriter, is_used, results_of};
use tile_ops::{builtin, func, gpu};

use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::shim::PassOptions;
use crate::{bridge, shim, walk};
use convert::Converter;
use refuse::Reports;

/// What the pass is asked for: `TileLinalgRequest`.
#[repr(C)]
#[derive(Clone, Copy)]
struct LinalgRequest {
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
}

#[unsafe(no_mangle)]
extern "C" fn tileConvertLinalg(op: MlirOperation, options: PassOptions, request: LinalgRequest) -> bool {
    bridge::pass(op, options, |ir, options| {
        bridge::begin(ir, options);
        run(ir, options, &request)
    })
}

/// Does the steps that are asked for; `false` after errors.
fn run(ir: &mut Ir<'_>, options: &LoweringOptions, request: &LinalgRequest) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    if request.block > 0 {
        state_block(root, request.block, rewriter);
    }
    if request.memory {
        memory::run(root, options, rewriter);
    }
    let has_failed = Cell::new(false);
    let reports = Reports { is_strict: request.strict, keeps_reasons: request.where_needed, rewriter, has_failed };
    if request.ops {
        shim::attribute_workgroup_memory(root);
        convert_ops(root, options, &reports);
    }
    if request.stages > 0 {
        stages::run(root, options, request.stages, rewriter);
    }
    !reports.has_failed.get()
}

/// Converts the ops at or below the root.
fn convert_ops<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &LoweringOptions, reports: &Reports<'c, 'a>) {
    let (reader, rewriter) = (Reader::new(options), reports.rewriter);
    let converter = Converter { reader: &reader, options, rewriter };
    let candidates = walk::matching(root, |_| true).into_iter().filter(|op| read::read(*op).is_some());
    for op in candidates.collect::<Vec<_>>() {
        if let Err(refusal) = converter.run(op) {
            reports.stays(op, &refusal);
        }
    }
    let casts = walk::named(root, builtin::UnrealizedConversionCastOp::NAME).into_iter();
    let is_unused = |op: &OperationRef<'c, 'a>| {
        site::tile_of_cast(*op).is_some() && results_of(*op).into_iter().all(|value| !is_used(value))
    };
    casts.filter(is_unused).for_each(|cast| rewriter.erase(cast));
    reports.check_left(root);
}

/// Makes functions with ops of linalg kernels of blocks of that size, where nothing else is one in them.
fn state_block<'c: 'a, 'a>(root: OperationRef<'c, 'a>, threads: u32, rewriter: Rewriter<'c, 'a>) {
    let size = [i32::try_from(threads).unwrap_or(i32::MAX), 1, 1];
    let ops = walk::matching(root, |_| true).into_iter().filter(|op| shim::structured(*op).is_some());
    for function in ops.filter_map(kernel::function).collect::<Vec<_>>() {
        let is_stated = function.has_attribute(gpu::attribute::KNOWN_BLOCK_SIZE);
        let has_launch = !walk::named(function, gpu::LaunchOp::NAME).is_empty();
        if name(function) == func::FuncOp::NAME && !has_launch && !is_stated {
            rewriter.set_attribute(function, gpu::attribute::KNOWN_BLOCK_SIZE, Ctx::of(function).i32_array(&size));
        }
    }
}
