//! From a `tile.copy` or a `tile.copy_async` to a [`Problem`] on integers, and the run-time values that it numbers.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use melior::ir::{BlockLike, OperationRef, RegionLike, TypeLike, Value};
use rustc_hash::FxHashMap;
use tile_dialect::BufferType;
use tile_dialect::ir::Parts;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{self, CopyOp};
use tile_isa::{Red, Scope};
use tile_layout::Level;
use tile_ops::{scf, tile};
use tile_plan::families::tensor_map::TMA;
use tile_plan::problem::asynchronous::{Asynchronous, CtaMask};
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::Fill;
use tile_plan::problem::operands::{Operand, Operands};
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::uniform::Spread;
use tile_plan::problem::{Element, Problem};
use tile_plan::sync::Bytes;
use tile_plan::target::Target;
use tile_plan::touch::region::of_operand;

use super::conflicts::{self, Write};
use super::error::RoleError;
use super::role;
use super::root::{self, Rooted};
use super::run_time::{self, RunTime};
use super::spread::Evaluator;
use super::storage::is_defined;
use super::values::{self, key};
use super::ways::Way;
use super::{
    Unreadable, activity, alias, alignment, divisibility, kernel, mask, name, target, tensor_map, trips, uniformity,
};
use crate::options::LoweringOptions;
use crate::read::error::ReadError;

/// A copy as the planner sees it.
pub struct ProblemReading {
    /// The problem.
    pub problem: Problem,
    /// The chip to plan for.
    pub target: Target,
    /// Threads of a block that issue an asynchronous copy of thread scope, where known.
    pub issuers: Option<i64>,
}

/// Reads copies; caches what it has found out about each function.
pub struct Reader<'o> {
    options: &'o LoweringOptions,
    leader: Option<i64>,
    functions: RefCell<FxHashMap<usize, Rc<Surroundings>>>,
    /// Alignments of buffers, as far as they have been requested.
    alignments: RefCell<FxHashMap<usize, i64>>,
    /// Names of element types, by the address of the type.
    elements: RefCell<FxHashMap<usize, String>>,
}

struct Surroundings {
    block: Option<[i64; 3]>,
    target: Target,
    evaluator: Evaluator,
    /// Filled where a copy requests the read-only cache.
    writes: OnceCell<Vec<Write>>,
}

impl Surroundings {
    /// The number of threads that share what scope `cta` does at an op, where known.
    fn threads(&self, op: OperationRef<'_, '_>) -> Result<Option<i64>, RoleError> {
        role::block(op, self.block.map(|size| size.iter().product()), &self.evaluator)
    }
}

impl<'o> Reader<'o> {
    /// A reader for one run of a pass.
    pub fn new(options: &'o LoweringOptions) -> Self {
        let (functions, alignments, elements) = Default::default();
        Reader { options, leader: None, functions, alignments, elements }
    }

    /// Forgets what follows from the layouts of tiles, after these have changed.
    pub fn forget_alignments(&self) {
        self.alignments.borrow_mut().clear();
    }

    /// The same reader, as if `elect.sync` elected that lane.
    #[must_use]
    pub fn with_leader(self, lane: i64) -> Self {
        Reader { leader: Some(lane), ..self }
    }

    /// The block size around an op, where known.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn block(&self, op: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, ReadError> {
        Ok(self.surroundings(function_of(op)?)?.block)
    }

    /// The chip that an op is compiled for.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn target(&self, op: OperationRef<'_, '_>) -> Result<Target, ReadError> {
        Ok(self.surroundings(function_of(op)?)?.target)
    }

    /// The widest access, in bits.
    pub fn max_vector_bits(&self) -> u32 {
        self.options.max_vector_bits
    }

    /// The threads that share a copy of that scope at an op.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn threads(&self, op: OperationRef<'_, '_>, scope: Scope) -> Result<Threads, ReadError> {
        let function = function_of(op)?;
        let around = self.surroundings(function)?;
        let active = activity::active(op, function, &around.evaluator, scope.level());
        Ok(Threads { scope, block: around.threads(op)?, active })
    }

    /// The trip counts of a counted loop, as [`trips::counts`] gives them.
    pub fn trips(&self, op: OperationRef<'_, '_>) -> Option<Vec<i64>> {
        let around = self.surroundings(function_of(op).ok()?).ok()?;
        trips::counts(op, &around.evaluator)
    }

    /// Why the threads of a block may go round a loop differently: the value that decides it, and how it differs.
    pub fn parts(&self, loop_op: OperationRef<'_, '_>) -> Option<String> {
        let around = self.surroundings(function_of(loop_op).ok()?).ok()?;
        let block = around.block.map(|size| size.iter().product());
        let condition = || loop_op.region_at(0)?.first_block()?.terminator()?.operand_at(0);
        let (what, decide) = match name(loop_op) {
            scf::WhileOp::NAME => ("a condition", condition().into_iter().collect()),
            _ => ("a loop bound", values::bounds(loop_op)),
        };
        let agree = |value| uniformity::agree(what, value, &Threads::all(Scope::Cta, block), &around.evaluator);
        decide.into_iter().find_map(|value| Some(agree(value).err()?.reason))
    }

    /// The problem that a copy poses.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn read<'c: 'a, 'a>(&self, copy: CopyOp<'c, 'a>) -> Result<ProblemReading, Unreadable<'c>> {
        self.read_way(copy, Way::Written)
    }

    /// The problem that one of the [ways](super::ways) of a copy poses.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read_way<'c: 'a, 'a>(&self, copy: CopyOp<'c, 'a>, way: Way) -> Result<ProblemReading, Unreadable<'c>> {
        let through_maps = tensor_map::is_requested(copy);
        let function = function_of(copy.0)?;
        let around = self.surroundings(function)?;
        let sides = copy.sides().ok_or(ReadError::Region)?;
        sides.iter().try_for_each(|(_, side)| is_defined(side.value, function))?;
        let scope = copy.scope();
        let threads = around.threads(copy.0).map_err(|error| error.to_string())?;
        if scope == Scope::Cta && threads.is_none() {
            return Err(ReadError::UnknownBlockSize.into());
        }
        let active = activity::active(copy.0, function, &around.evaluator, scope.level());
        let threads = Threads { scope, block: threads, active };
        uniformity::check(copy, &sides, &threads, &around.evaluator)?;
        conflicts::sides(copy)?;
        sides.iter().try_for_each(|(_, side)| run_time::check_extents(side.value))?;
        let bounds = if way == Way::Inside { Vec::new() } else { mask::bounds(copy) };
        let mut operands = Operands::default();
        for (role, side) in &sides {
            let masked = bounds.iter().filter(|bound| bound.role == *role).map(|bound| bound.dimension);
            let masked: Vec<usize> = masked.collect();
            let open = self.open_operand(side, *role, &masked)?;
            // A map has the extents of the tensor; addresses, those of the region.
            let is_mapped = through_maps && side.buffer.space() == tile_dialect::Space::Global;
            let operand = if is_mapped {
                Operand { extent_divisors: tensor_map::extent_divisors(side.value), ..open }
            } else {
                open.closed(*role, &masked).map_err(ReadError::from)?
            };
            operands = operands.with(*role, operand);
        }
        let (first, last) = sides.first().zip(sides.last()).ok_or(ReadError::Region)?;
        let mut problem = Problem::with_operands(operands, self.element(first.1.buffer)?, threads);
        problem.conversion = ops::conversion(copy.0, first.1.buffer, last.1.buffer)?;
        problem.effect = effect(copy.fills(), copy.reduce().filter(|_| !copy.is_async()), last.1.buffer)?;
        problem.mask = mask::mask(copy, &bounds, &last.1.region.extents());
        if let Some(mask) = problem.mask.as_mut().filter(|_| way == Way::AtEdges { zeroed: true }) {
            mask.fill = Some(Fill::Zero);
        }
        problem.forced = copy.variant().or_else(|| through_maps.then(|| TMA.to_owned()));
        problem.allowed.clone_from(&self.options.variants);
        problem.cache = ops::cache(copy.0)?;
        let src =
            sides.iter().find(|(role, side)| *role == Role::Src && side.buffer.space() == tile_dialect::Space::Global);
        if let Some((_, src)) = src.filter(|_| problem.cache.nc) {
            let writes = around.writes.get_or_init(|| conflicts::writes(function));
            conflicts::read_only(src, writes, alias::noalias(function, self.options.noalias)?)?;
        }
        problem.asynchronous = (copy.is_async() || through_maps).then(|| asynchronous(copy, function));
        if let Some(requested) = problem.asynchronous.as_mut().filter(|_| through_maps) {
            requested.tensor_map = Some(tensor_map::request(copy, problem.mask.is_some())?);
        }
        problem.max_vector_bits = self.options.max_vector_bits;
        let reach = || activity::active(copy.0, function, &around.evaluator, Level::Cta);
        let issuers = match (problem.asynchronous.is_some() && scope == Scope::Thread).then(reach) {
            Some(Active::All) => problem.threads.block,
            Some(Active::Known(threads)) => Some(threads.len()),
            Some(Active::Unknown { .. }) | None => None,
        };
        Ok(ProblemReading { problem, target: around.target, issuers })
    }

    /// Checks that all threads of the scopes that call a function together pass it the same `value`, a memref.
    ///
    /// # Errors
    /// Why they may not; as [`Reader::read`].
    pub fn agree<'c>(
        &self,
        call: OperationRef<'c, '_>,
        value: Value<'c, '_>,
        scope: Scope,
    ) -> Result<(), Unreadable<'c>> {
        let function = function_of(call)?;
        let around = self.surroundings(function)?;
        let active = activity::active(call, function, &around.evaluator, scope.level());
        let threads = Threads { scope, block: around.threads(call).map_err(|error| error.to_string())?, active };
        uniformity::agree(
            "a memref, or a number of a tile, for a function with copies",
            value,
            &threads,
            &around.evaluator,
        )
    }

    /// Whether all threads of a block are known to have the same `value` in a kernel.
    pub fn is_uniform(&self, function: OperationRef<'_, '_>, value: Value<'_, '_>) -> bool {
        self.is_uniform_in(function, value, Scope::Cta)
    }

    /// Whether all threads of each scope are known to have the same `value` in a kernel.
    pub fn is_uniform_in(&self, function: OperationRef<'_, '_>, value: Value<'_, '_>, scope: Scope) -> bool {
        self.surroundings(function).is_ok_and(|around| {
            let block = around.block.map(|size| size.iter().product());
            uniformity::agree("", value, &Threads::all(scope, block), &around.evaluator).is_ok()
        })
    }

    /// Whether it is known which `value` each thread of a block has in a kernel.
    pub fn is_known(&self, function: OperationRef<'_, '_>, value: Value<'_, '_>) -> bool {
        let spread = self.surroundings(function).map(|around| around.evaluator.evaluate(value));
        matches!(spread, Ok(Spread::Each(_) | Spread::Constant(_)))
    }

    /// Whether a value in a kernel is the number of each thread's group of `size` threads that follow each other.
    pub fn is_group_number(&self, function: OperationRef<'_, '_>, value: Value<'_, '_>, size: i64) -> bool {
        match self.surroundings(function).map(|around| around.evaluator.evaluate(value)) {
            Ok(Spread::Each(numbers)) => (0..).zip(numbers.iter()).all(|(thread, &number)| number == thread / size),
            _ => false,
        }
    }

    fn surroundings(&self, function: OperationRef<'_, '_>) -> Result<Rc<Surroundings>, ReadError> {
        let key = function.to_raw().ptr as usize;
        if let Some(known) = self.functions.borrow().get(&key) {
            return Ok(known.clone());
        }
        let block = divisibility::block::size(function)?;
        let target = target::resolve(function, self.options.chip.as_ref())?;
        let evaluator = Evaluator::new(function, block, target.subgroup(), self.leader);
        let around = Rc::new(Surroundings { block, target, evaluator, writes: OnceCell::new() });
        self.functions.borrow_mut().insert(key, around.clone());
        Ok(around)
    }

    /// An operand whose open dimensions are open.
    fn open_operand(&self, operand: &ops::Operand<'_, '_>, role: Role, masked: &[usize]) -> Result<Operand, ReadError> {
        let Rooted { root, operand, values, .. } = root::find(operand, role, |dimension| masked.contains(&dimension))?;
        let strides = run_time::strides(root).into_iter().zip(values.len()..);
        Ok(Operand {
            strides: strides.map(|(stride, value)| run_time::stride(value, stride.known())).collect(),
            align_bytes: self.alignment(root),
            ..operand
        })
    }

    /// A whole buffer, or a view of one.
    ///
    /// # Errors
    /// A view that cannot be resolved: got and expected.
    pub fn whole(&self, buffer: Value<'_, '_>) -> Result<Operand, ReadError> {
        let Rooted { root, operand, .. } = root::find(&ops::Operand::whole(buffer)?, Role::Src, |_| false)?;
        Ok(Operand { align_bytes: self.alignment(root), ..operand })
    }

    /// The bytes of a region that an op which is not planned accesses: each of the threads touches all of them, or may.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn region(
        &self,
        op: OperationRef<'_, '_>,
        (role, operand): (Role, &ops::Operand<'_, '_>),
        threads: ThreadSet,
    ) -> Result<Bytes, ReadError> {
        let element = self.element(operand.buffer)?;
        Ok(of_operand((role, self.open_operand(operand, role, &[])?), element, &self.target(op)?, threads))
    }

    /// Proven alignment of a buffer's first element, in bytes.
    pub fn alignment(&self, buffer: Value<'_, '_>) -> i64 {
        let known = self.alignments.borrow().get(&key(buffer)).copied();
        known.unwrap_or_else(|| {
            let alignment = alignment::of_buffer(buffer);
            self.alignments.borrow_mut().insert(key(buffer), alignment);
            alignment
        })
    }

    /// The elements of a buffer.
    ///
    /// # Errors
    /// A type that has no width.
    pub fn element(&self, buffer: BufferType<'_>) -> Result<Element, ReadError> {
        let scalar = buffer.element();
        let bits = bit_width(scalar).ok_or_else(|| ReadError::Width(scalar.to_string()))?;
        let mut names = self.elements.borrow_mut();
        Ok(Element::new(bits, names.entry(scalar.to_raw().ptr as usize).or_insert_with(|| scalar.to_string()).as_str()))
    }
}

fn function_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, ReadError> {
    kernel::function(op).ok_or(ReadError::NoFunction)
}

/// The root of an operand's buffer, and the operand's run-time values by their number in the problem: those of its origin, those
/// of its region's start, then its strides.
///
/// # Errors
/// As [`root::find`].
pub fn values<'c: 'a, 'a>(
    operand: &ops::Operand<'c, 'a>,
    role: Role,
) -> Result<(Value<'c, 'a>, Vec<RunTime<'c, 'a>>), ReadError> {
    let Rooted { root, mut values, .. } = root::find(operand, role, |_| true)?;
    values.extend(run_time::strides(root));
    Ok((root, values))
}

/// The effect of a copy on an element of the destination.
///
/// # Errors
/// An operator that its type does not have.
pub fn effect(fills: bool, reduce: Option<String>, dst: BufferType<'_>) -> Result<Effect, ReadError> {
    match reduce {
        _ if fills => Ok(Effect::Filled),
        Some(word) => Ok(Effect::Reduced(Red::of(&word, &dst.element().to_string())?)),
        None => Ok(Effect::Stored),
    }
}

/// The CTAs that a mask names.
fn cta_mask(mask: Value<'_, '_>, function: OperationRef<'_, '_>) -> CtaMask {
    let cluster = divisibility::block::cluster(function);
    CtaMask {
        bits: divisibility::infer(mask).constant().map(|bits| bits as u16),
        cluster: cluster.and_then(|size| size.iter().try_fold(1i64, |count, &extent| count.checked_mul(extent))),
    }
}

/// The features that a `tile.copy_async` requests.
fn asynchronous(copy: CopyOp<'_, '_>, function: OperationRef<'_, '_>) -> Asynchronous {
    let request = tile::CopyAsyncOp::cast(copy.0);
    Asynchronous {
        remote_cta: copy.remote_cta().is_some(),
        cta_mask: copy.cta_mask().map(|mask| cta_mask(mask, function)),
        predicated: copy.predicate().is_some(),
        zero_fill: copy.zero_fills(),
        direct: request.is_some_and(|request| request.direct()),
        reduce: copy.reduce(),
        shape: request.and_then(|request| request.shape()),
        multicast: request.and_then(|request| request.multicast()),
        cta_group: request.and_then(|request| request.cta_group()),
        ..Asynchronous::new(copy.completion())
    }
}
