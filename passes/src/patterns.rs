//! The variants as rewrite patterns for other compilers' drivers.
//!
//! `--tile-align-layouts` tries all variants in one walk, and a copy that none takes is an error. Here each variant is
//! a pattern like any other: with the variant's priority as its benefit, in a set beside other patterns, for the greedy
//! driver, a walk or a conversion. A variant that declines is a match failure with its reason (`--debug-only` shows
//! those); a copy that no pattern takes stays. The passes from `--tile-vectorize-copy` on follow. The variants of products and the
//! strategies of scans on the host are such patterns, too; maps, reductions and scans of tiles, and each op that is written short, are one.

use melior::ir::OperationRef;
use mlir_sys::{MlirContext, MlirRewritePatternSet};
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::{ChainedOp, MmaOp, ScanOp, SortOp};
use tile_dialect::pattern::{self, PatternReach};
use tile_ops::tile::{AllocsOp, BlockOrderOp, ExtentsOp, ReturnIfOp, ViewOp};
use tile_plan::choose::{Plannable, Rule};
use tile_plan::problem::Request;
use tile_plan::scan::strategies;
use tile_plan::variants;

use crate::align;
use crate::allocs;
use crate::block_order;
use crate::chained;
use crate::choose::{Rules, benefit};
use crate::elementwise;
use crate::extents;
use crate::families;
use crate::mma;
use crate::options::LoweringOptions;
use crate::return_if;
use crate::scan;
use crate::sort;
use crate::stated_copies;
use crate::view_promises;
use crate::{Error, Options};

/// Adds one pattern for each variant of `tile.copy`, `tile.copy_async`, `tile.fill` and `tile.mma` and each strategy of `tile.scan`,
/// `tile.chained` and `tile.sort` whose name `wanted` accepts, and one for each of `tile.map`, `tile.reduce`, `tile.total`, `tile.block_scan`, `tile.block_order`,
/// `tile.return_if`, `tile.allocs`, `tile.extents` and `tile.view` with promises that it accepts by these names, and one for ops of other
/// dialects that state a copy, by the name `TileCopyOpInterface`; returns how many. [`Options::variants`] restricts the variants of copies, as in the pass.
///
/// What a map, a reduction or a scan of tiles becomes are loads and stores of registers, shuffles and, where warps meet, copies through
/// shared memory, which the patterns of copies take. A product becomes instructions of NVVM. A `tile.scan` becomes launches, and kernels
/// in the module that it names: the driver runs on an op around both.
///
/// ```
/// use melior::ir::operation::OperationLike;
/// use tile_passes::{Options, embed, patterns};
///
/// let context = embed::context();
/// let module = embed::parse(&context, r#"
/// gpu.module @kernels {
///   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
///     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
///     gpu.return
///   }
/// }"#)?;
/// // SAFETY: the set is of the context, which outlives it; each object is destroyed once.
/// unsafe {
///     let set = mlir_sys::mlirRewritePatternSetCreate(context.to_raw());
///     let added = patterns::populate(set, context.to_raw(), &Options::new(), |name| name == "gmem_smem")?;
///     assert_eq!(added, 1);
///     let frozen = mlir_sys::mlirFreezeRewritePattern(set);
///     let config = mlir_sys::mlirGreedyRewriteDriverConfigCreate();
///     mlir_sys::mlirApplyPatternsAndFoldGreedily(module.to_raw(), frozen, config);
///     mlir_sys::mlirGreedyRewriteDriverConfigDestroy(config);
///     mlir_sys::mlirFrozenRewritePatternSetDestroy(frozen);
///     mlir_sys::mlirRewritePatternSetDestroy(set);
/// }
/// assert!(module.as_operation().to_string().contains("plan<matched \"gmem_smem\""));
/// # Ok::<(), tile_passes::Error>(())
/// ```
///
/// # Errors
/// Options that are not valid; nothing is added then.
///
/// # Safety
/// Set and context are valid, the set is of that context, and the context has the dialects that
/// [`crate::embed::context`] loads.
pub unsafe fn populate(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &Options,
    wanted: impl Fn(&str) -> bool,
) -> Result<usize, Error> {
    let options = options.of_passes()?;
    // SAFETY: as the caller says.
    Ok(unsafe { add_all(set, context, &options, wanted) })
}

/// All patterns: as [`populate`], with the options of the passes.
///
/// # Safety
/// As [`populate`].
pub(crate) unsafe fn add_all(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &LoweringOptions,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    // SAFETY: as the caller says.
    unsafe {
        add_written_out(set, context, &wanted)
            + add_elementwise(set, context, options, &wanted)
            + add_products(set, context, options, &wanted)
            + add_scans(set, context, options, &wanted)
            + add_copies(set, context, options, &wanted)
    }
}

/// The patterns of ops that are written out before copies are read: the order of tiles, ends of kernels, promises of views, several tiles
/// and extents.
///
/// # Safety
/// As [`populate`].
pub(crate) unsafe fn add_written_out(
    set: MlirRewritePatternSet,
    context: MlirContext,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    type WriteOut = for<'c, 'a> fn(OperationRef<'c, 'a>, Rewriter<'c, 'a>) -> bool;
    let ops: [(&str, &[&str], WriteOut); 5] = [
        (AllocsOp::NAME, &allocs::MADE, |op, rewriter| allocs::replace(op, rewriter)),
        (ExtentsOp::NAME, &extents::MADE, |op, rewriter| extents::replace(op, rewriter)),
        (BlockOrderOp::NAME, &block_order::MADE, |op, rewriter| block_order::replace(op, rewriter)),
        (ReturnIfOp::NAME, &return_if::MADE, |op, rewriter| return_if::replace(op, rewriter)),
        (ViewOp::NAME, &view_promises::MADE, |op, rewriter| view_promises::replace(op, rewriter)),
    ];
    let wanted = ops.into_iter().filter(|(name, ..)| wanted(name));
    wanted
        .map(|(name, makes, write_out)| {
            let write_out: Box<pattern::Match> = Box::new(move |op, rewriter| {
                write_out(op, rewriter).then_some(()).ok_or_else(|| "is not written short".to_owned())
            });
            // SAFETY: as the caller says.
            unsafe { pattern::add_to(set, context, (name, 1), makes, (PatternReach::Parent, write_out)) };
        })
        .count()
}

/// The patterns of maps, reductions and scans of tiles.
///
/// # Safety
/// As [`populate`].
unsafe fn add_elementwise(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &LoweringOptions,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    let wanted = elementwise::OPS.into_iter().filter(|op| wanted(op));
    wanted
        .map(|op| {
            let pattern = elementwise::pattern_of(options.clone());
            // SAFETY: as the caller says.
            unsafe { pattern::add_to(set, context, (op, 1), &elementwise::MADE, (PatternReach::Parent, pattern)) };
        })
        .count()
}

/// The patterns of copies and fills: as [`populate`], with the options of the passes.
///
/// # Safety
/// As [`populate`].
pub(crate) unsafe fn add_copies(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &LoweringOptions,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    let add_request = |request: Request| {
        let rules = Rules { op: request.op(), rules: variants::by_request(request), makes: &families::MADE };
        let pattern = |variant| align::pattern_of(variant, options.clone());
        // SAFETY: as the caller says.
        unsafe { add_rules(set, context, (&rules, PatternReach::Parent), &wanted, pattern) }
    };
    // SAFETY: as the caller says.
    let stated = unsafe { add_stated_copies(set, &wanted) };
    stated + Request::ALL.into_iter().map(add_request).sum::<usize>()
}

/// The pattern of ops that state a copy.
///
/// # Safety
/// As [`populate`].
unsafe fn add_stated_copies(set: MlirRewritePatternSet, wanted: impl Fn(&str) -> bool) -> usize {
    let wanted = wanted(stated_copies::NAME);
    if wanted {
        let replace: Box<pattern::Match> =
            Box::new(|op, rewriter| stated_copies::replace(op, rewriter).map_err(|error| error.to_string()));
        // SAFETY: as the caller says.
        unsafe { pattern::add_to_stated_copies(set, (PatternReach::Parent, replace)) };
    }
    usize::from(wanted)
}

/// The patterns of products.
///
/// # Safety
/// As [`populate`].
unsafe fn add_products(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &LoweringOptions,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    let rules = Rules { op: MmaOp::NAME, rules: tile_plan::mma::all(), makes: &mma::MADE };
    // SAFETY: as the caller says.
    unsafe {
        add_rules(set, context, (&rules, PatternReach::Parent), wanted, |variant| {
            mma::pattern_of(variant, options.clone())
        })
    }
}

/// The patterns of scans, other passes over arrays and sorts on the host.
///
/// # Safety
/// As [`populate`].
unsafe fn add_scans(
    set: MlirRewritePatternSet,
    context: MlirContext,
    options: &LoweringOptions,
    wanted: impl Fn(&str) -> bool,
) -> usize {
    let scans = Rules { op: ScanOp::NAME, rules: strategies::all(), makes: &scan::MADE };
    let passes = Rules { op: ChainedOp::NAME, rules: tile_plan::chained::all(), makes: &scan::MADE };
    let sorts = Rules { op: SortOp::NAME, rules: tile_plan::sort::all(), makes: &scan::MADE };
    let all = PatternReach::All;
    // SAFETY: as the caller says.
    unsafe {
        add_rules(set, context, (&scans, all), &wanted, |strategy| scan::pattern_of(strategy, options.clone()))
            + add_rules(set, context, (&passes, all), &wanted, |strategy| {
                chained::pattern_of(strategy, options.clone())
            })
            + add_rules(set, context, (&sorts, all), &wanted, |strategy| sort::pattern_of(strategy, options.clone()))
    }
}

/// A pattern for each rule whose name is wanted, with its priority as its benefit; how many there are.
///
/// # Safety
/// As [`populate`].
unsafe fn add_rules<P: Plannable, R: Rule<P> + ?Sized + 'static>(
    set: MlirRewritePatternSet,
    context: MlirContext,
    (rules, reach): (&Rules<R>, PatternReach),
    wanted: impl Fn(&str) -> bool,
    pattern: impl Fn(&'static R) -> Box<pattern::Match>,
) -> usize {
    let wanted = rules.rules.iter().filter(|rule| wanted(rule.name()));
    wanted
        .map(|&rule| {
            let pattern = (reach, pattern(rule));
            // SAFETY: as the caller says.
            unsafe { pattern::add_to(set, context, (rules.op, benefit(rule)), rules.makes, pattern) };
        })
        .count()
}
