//! Which threads of a block reach an op, by the conditions around it.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, as_argument};
use tile_isa::{WARP, WARPGROUP};
use tile_layout::Level;
use tile_ops::{affine, builtin, gpu, interface, scf, tile};
use tile_plan::problem::threads::{Active, ThreadSet};
use tile_plan::problem::uniform::Spread;

use super::kernel::{self, ancestors};
use super::spread::Evaluator;
use super::{joins, name, trips, values};
use crate::walk;

/// The effect of one enclosing op on the threads that reach its inside.
enum Effect {
    /// Each scope enters as a whole, or not at all.
    None,
    /// Exactly these threads enter.
    Only(ThreadSet),
    /// It is not known which threads enter, and why.
    Unknown(String),
}

/// The threads of a scope of `level` that reach `op`, an op in `function`.
pub fn active(op: OperationRef<'_, '_>, function: OperationRef<'_, '_>, evaluator: &Evaluator, level: Level) -> Active {
    let mut known: Option<ThreadSet> = None;
    let mut unknown = None;
    let mut inside = op;
    for outer in ancestors(op) {
        let effects = [enclosing(outer, inside, evaluator, level), jumps(outer, inside, evaluator, level)];
        for effect in effects {
            match effect {
                Effect::None => {}
                Effect::Only(threads) => known = Some(known.map_or(threads, |known| known.intersect(&threads))),
                Effect::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        if outer.to_raw().ptr == function.to_raw().ptr {
            break;
        }
        inside = outer;
    }
    match (known, unknown) {
        // Where one condition lets no thread in, no other matters.
        (Some(threads), _) if threads.is_empty() => Active::Known(threads),
        (_, Some(why)) => {
            let in_warps = level > Level::Warp && active(op, function, evaluator, Level::Warp).in_warps();
            Active::Unknown { why, in_warps }
        }
        (known, None) => known.map_or(Active::All, Active::Known),
    }
}

/// The effect of `outer`, where that is structured control flow around `inside`.
fn enclosing(outer: OperationRef<'_, '_>, inside: OperationRef<'_, '_>, evaluator: &Evaluator, level: Level) -> Effect {
    match name(outer) {
        scf::IfOp::NAME => {
            let Some(condition) = outer.operand_at(0) else { return Effect::None };
            let taken = i64::from(region_index(outer, inside) == 0);
            decided(condition, taken, evaluator, level)
        }
        scf::ForOp::NAME | affine::AffineForOp::NAME => rounds(outer, evaluator, level),
        affine::AffineIfOp::NAME => all_uniform(outer.operands(), "a condition", evaluator, level),
        scf::IndexSwitchOp::NAME => switched(outer, region_index(outer, inside), evaluator, level),
        scf::WhileOp::NAME => while_condition(outer, region_index(outer, inside), evaluator, level),
        scf::ExecuteRegionOp::NAME | gpu::GPUModuleOp::NAME | builtin::ModuleOp::NAME => Effect::None,
        gpu::LaunchOp::NAME => after_ends(outer, inside, evaluator),
        _ if interface::is_function(outer) => after_ends(outer, inside, evaluator),
        other => Effect::Unknown(format!("'{other}' around the copy is not understood")),
    }
}

/// The effect of a `tile.return_if` before an op, which has to become an `scf.if` first.
fn after_ends(outer: OperationRef<'_, '_>, inside: OperationRef<'_, '_>, evaluator: &Evaluator) -> Effect {
    let is_return = |op| name(op) == tile::ReturnIfOp::NAME;
    if evaluator.has_returns(outer) && walk::before(inside).unwrap_or_default().into_iter().any(is_return) {
        let what = tile::ReturnIfOp::NAME;
        return Effect::Unknown(format!("'{what}' before the copy is no 'scf.if' yet: its pattern comes first"));
    }
    Effect::None
}

fn region_index(outer: OperationRef<'_, '_>, inside: OperationRef<'_, '_>) -> usize {
    inside.block().and_then(|block| kernel::region_of(outer, block)).unwrap_or(0)
}

fn decided(condition: Value<'_, '_>, taken: i64, evaluator: &Evaluator, level: Level) -> Effect {
    let known = evaluator.evaluate(condition);
    only(&known, |value| value == taken).unwrap_or_else(|level_of| match level_of >= level {
        true => Effect::None,
        false => Effect::Unknown(format!("the condition {} differs between threads of the scope", text(condition))),
    })
}

/// The threads with a value that `enters`.
///
/// # Errors
/// The level at which a value that is not known is uniform.
fn only(value: &Spread, enters: impl Fn(i64) -> bool) -> Result<Effect, Level> {
    match value {
        Spread::Each(values) => Ok(of_threads(values, enters)),
        Spread::Constant(value) => Ok(of_threads(&[*value], enters)),
        Spread::Uniform(known) => Err(*known),
    }
}

/// The same for a value for each thread, or a single one for all.
fn of_threads(values: &[i64], enters: impl Fn(i64) -> bool) -> Effect {
    let threads: ThreadSet = (0i64..).zip(values).filter(|(_, value)| enters(**value)).map(|(t, _)| t).collect();
    match threads.len() {
        count if count == values.len() as i64 => Effect::None,
        _ => Effect::Only(threads),
    }
}

/// A counted loop. Threads that enter it stay together as long as they go round equally often.
fn rounds(outer: OperationRef<'_, '_>, evaluator: &Evaluator, level: Level) -> Effect {
    let alike = |trips: &Vec<i64>| {
        let size = match level {
            Level::Thread => 1,
            Level::Warp => WARP as usize,
            Level::Warpgroup => WARPGROUP as usize,
            Level::Cta | Level::Cluster | Level::Grid => trips.len(),
        };
        let mut groups = trips.chunks(size.max(1)).map(|group| group.iter().filter(|&&count| count > 0));
        groups.all(|mut entering| entering.next().is_none_or(|first| entering.all(|count| count == first)))
    };
    match trips::counts(outer, evaluator).filter(alike) {
        Some(trips) => of_threads(&trips, |count| count > 0),
        None => all_uniform(values::bounds(outer).into_iter(), "a loop bound", evaluator, level),
    }
}

/// An arm of a switch: the first one is taken by the threads with none of the cases.
fn switched(outer: OperationRef<'_, '_>, arm: usize, evaluator: &Evaluator, level: Level) -> Effect {
    let Some((switch, value)) = scf::IndexSwitchOp::cast(outer).zip(outer.operand_at(0)) else { return Effect::None };
    let cases = switch.cases();
    let takes = |value: i64| cases.iter().position(|case| *case == value).map_or(0, |case| case + 1) == arm;
    match evaluator.evaluate(value) {
        Spread::Constant(value) => of_threads(&[value], takes),
        _ => uniform(value, "a switch", evaluator, level),
    }
}

fn all_uniform<'c, 'a>(
    mut values: impl Iterator<Item = Value<'c, 'a>>,
    what: &str,
    evaluator: &Evaluator,
    level: Level,
) -> Effect {
    values
        .find_map(|value| match uniform(value, what, evaluator, level) {
            Effect::None => None,
            other => Some(other),
        })
        .unwrap_or(Effect::None)
}

fn uniform(value: Value<'_, '_>, what: &str, evaluator: &Evaluator, level: Level) -> Effect {
    if evaluator.evaluate(value).level() >= level {
        Effect::None
    } else {
        Effect::Unknown(format!("{what} around the copy, {}, differs between threads of the scope", text(value)))
    }
}

fn while_condition(outer: OperationRef<'_, '_>, region: usize, evaluator: &Evaluator, level: Level) -> Effect {
    let condition = outer
        .regions()
        .next()
        .and_then(|before| before.first_block()?.terminator()?.operand_at(0).map(|c| evaluator.evaluate(c)));
    match condition {
        Some(Spread::Constant(0)) if region == 1 => Effect::Only(ThreadSet::new()),
        Some(known) if known.level() >= level => Effect::None,
        _ => Effect::Unknown(
            "the condition of an scf.while around the copy differs between threads of the scope".to_owned(),
        ),
    }
}

/// The effect of branches between the blocks of the region that contains `inside`. Nothing branches to an entry block.
fn jumps(outer: OperationRef<'_, '_>, inside: OperationRef<'_, '_>, evaluator: &Evaluator, level: Level) -> Effect {
    let Some(region) = outer.region_at(region_index(outer, inside)) else { return Effect::None };
    let mut next = region.first_block();
    if next.is_some_and(|entry| Some(entry.to_raw().ptr) == inside.block().map(|block| block.to_raw().ptr)) {
        return Effect::None;
    }
    while let Some(block) = next {
        let branch = block.terminator().filter(|op| op.successor_count() > 1);
        let parts = |branch| joins::decides(branch).into_iter().any(|value| evaluator.evaluate(value).level() < level);
        if let Some(branch) = branch.filter(|&branch| parts(branch)) {
            return Effect::Unknown(format!(
                "the branch '{}' before the copy may diverge within the scope",
                name(branch)
            ));
        }
        next = block.next_in_region();
    }
    Effect::None
}

/// A value, as diagnostics name it.
pub fn text(value: Value<'_, '_>) -> String {
    if let Some(op) = tile_dialect::ir::defining_op(value) {
        // A pass makes the parts of a tile, somebody has written the tile.
        return tile::PartsOp::cast(op).map_or_else(|| format!("'{}'", name(op)), |parts| text(parts.source()));
    }
    let Some(argument) = as_argument(value) else { return "an argument".to_owned() };
    match argument.owner().parent_operation() {
        Some(function) if interface::is_function(function) && !kernel::is_entry(function) => {
            "an argument of a function that is not a kernel".to_owned()
        }
        _ => "an argument".to_owned(),
    }
}
