//! Promoted memory becomes tiles: that of a workgroup in shared memory, in a layout that is still to be chosen; the sums of products in
//! registers.
//!
//! Memory that a kernel allocates without a space, or privately, is each thread's own. All ops that use it are done by all threads with
//! the same operands, so that one tile has what each of them would have.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, defining_op, results_of, uses};
use tile_dialect::{BufferType, Space, memref as memrefs};
use tile_ops::{Builder, arith, builtin, memref, tile};
use tile_plan::linalg::{LinalgForm, LinalgSchedule};

use super::convert::{Converter, LinalgCandidate};
use super::{product, read};
use super::site;
use super::tiles::{self, element_of, memref_type};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::{report, walk};

/// Makes tiles of the memory at or below the root that only ops use which are converted; remarks name the ops by which other memory
/// escapes.
pub fn run<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    schedule: LinalgSchedule,
    rewriter: Rewriter<'c, 'a>,
) {
    let reader = Reader::new(options);
    let converter = Converter { reader: &reader, options, schedule, rewriter };
    for op in walk::matching(root, |name| [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name)) {
        let Some(memory) = op.result_at(0).map(Value::from).and_then(|value| promoted(op, value)) else { continue };
        match tile_type(&converter, &memory) {
            Ok(buffer) => become_tile(&memory, buffer, rewriter),
            Err(user) => {
                let text = format!("stays memory: {} uses it", name(user));
                let cause = "memory-escapes";
                report::emit(op, RemarkKind::Missed, cause, &text, &[("User", name(user).to_owned())]);
            }
        }
    }
}

/// Memory that may become a tile.
struct PromotedMemory<'c, 'a> {
    op: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    /// The ops that use it or a view of it, each with the number of the operand; not those that free it.
    users: Vec<(OperationRef<'c, 'a>, usize)>,
    /// The views that begin where it does.
    views: Vec<OperationRef<'c, 'a>>,
    /// The ops that free it.
    frees: Vec<OperationRef<'c, 'a>>,
}

/// Memory of a known size that one kernel uses: that of a workgroup, also where it is allocated before a launch, or what is allocated
/// in a kernel.
fn promoted<'c: 'a, 'a>(op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Option<PromotedMemory<'c, 'a>> {
    let memref = memref_type(value).filter(|memref| memref.rank() > 0 && memrefs::has_no_layout(*memref))?;
    let extents = memrefs::extents(memref);
    if extents.iter().any(|&extent| extent < 1) {
        return None;
    }
    let (frees, direct): (Vec<_>, Vec<_>) =
        uses(value).into_iter().partition(|(user, _)| name(*user) == memref::DeallocOp::NAME);
    let (views, mut users): (Vec<_>, Vec<_>) =
        direct.into_iter().partition(|(user, _)| tiles::viewed_from_begin(*user).is_some());
    let views: Vec<_> = views.into_iter().map(|(view, _)| view).collect();
    users.extend(views.iter().flat_map(|view| results_of(*view)).flat_map(uses));
    let kernel = users.first().and_then(|(user, _)| kernel::function(*user))?;
    let is_inside = walk::is_inside(op, kernel);
    let is_its_own = match memrefs::space(memref)? {
        Space::Shared => is_inside || kernel::is_launch(kernel),
        Space::Global => is_inside && memref.memory_space().is_none(),
        Space::Local => is_inside,
        _ => false,
    };
    let is_of_kernel = users.iter().all(|(user, _)| kernel::function(*user) == Some(kernel));
    let frees = frees.into_iter().map(|(free, _)| free).collect();
    (is_its_own && is_of_kernel).then_some(PromotedMemory { op, value, kernel, users, views, frees })
}

impl<'c: 'a, 'a> PromotedMemory<'c, 'a> {
    /// Whether an op does with the tile what it does with memory of which views are used: beyond a view the tile has zeros, or what
    /// nothing reads.
    fn may_end_earlier(&self, user: &LinalgCandidate<'c, 'a>, operand: usize) -> bool {
        let value = user.reading.operands[operand];
        let is_view = key(value) != key(self.value);
        match &user.form {
            _ if self.views.is_empty() => true,
            LinalgForm::Copy(_) => is_view,
            LinalgForm::Fill(input) => is_zero(user.reading.operands[*input]),
            LinalgForm::Product(_) => true,
            LinalgForm::Map => is_view && !self.is_factor(),
            LinalgForm::Reduce { .. } => false,
        }
    }

    /// Whether it is multiplied.
    fn is_factor(&self) -> bool {
        let is_input = |(user, operand): &(OperationRef<'c, 'a>, usize)| {
            let reading = read::read(*user).and_then(Result::ok);
            reading.is_some_and(|reading| {
                let is_product = matches!(reading.structured.form(), Ok(LinalgForm::Product(_)));
                is_product && *operand < reading.structured.inputs
            })
        };
        self.users.iter().any(is_input)
    }
}

/// Whether a value is the constant 0.
fn is_zero(value: Value<'_, '_>) -> bool {
    let constant = defining_op(value).and_then(arith::ConstantOp::cast);
    constant.is_some_and(|constant| {
        let number = constant.value_attribute().map(|number| number.to_string()).unwrap_or_default();
        number.split(' ').next().and_then(|number| number.parse::<f64>().ok()) == Some(0.0)
    })
}

/// The type of the tile that some memory becomes; or the op that cannot use it.
fn tile_type<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: &PromotedMemory<'c, 'a>,
) -> Result<BufferType<'c>, OperationRef<'c, 'a>> {
    let memref = memref_type(memory.value).ok_or(memory.op)?;
    let (shape, element) = (memrefs::extents(memref), element_of(memref));
    let mut candidates = Vec::new();
    for &(user, operand) in &memory.users {
        let candidate = converter.candidate(user).and_then(Result::ok).ok_or(user)?;
        candidates.push((user, operand, candidate));
    }
    if let Some((user, ..)) = candidates.iter().find(|(_, operand, user)| !memory.may_end_earlier(user, *operand)) {
        return Err(*user);
    }
    let sums = candidates.iter().filter_map(|(user, operand, candidate)| {
        let LinalgForm::Product(loops) = candidate.form else { return None };
        let is_result = *operand >= candidate.reading.structured.inputs;
        let plan =
            is_result.then(|| product::plan(converter, *user, &candidate.reading, loops).ok()).flatten()?;
        site::register_type(memory.op.location(), &plan.plan.sums, &shape, element).ok()
    });
    let sums: Vec<_> = sums.collect();
    let in_registers = sums.first().filter(|first| {
        shape.len() == 2
            && sums.iter().all(|one| one == *first)
            && candidates.iter().all(|(_, operand, user)| takes_registers(user, *operand))
    });
    match in_registers {
        Some(registers) => Ok(*registers),
        None => site::shared_type(memory.op.location(), &shape, element).map_err(|_| memory.op),
    }
}

/// Whether an op uses a tile in registers where it is: in the order of its dimensions.
fn takes_registers(candidate: &LinalgCandidate<'_, '_>, operand: usize) -> bool {
    let structured = &candidate.reading.structured;
    match &candidate.form {
        LinalgForm::Copy(order) => order.is_sorted(),
        LinalgForm::Fill(_) => true,
        LinalgForm::Map => structured.maps[operand] == structured.maps[structured.inputs],
        LinalgForm::Reduce { .. } => false,
        LinalgForm::Product(_) => operand >= structured.inputs,
    }
}

/// Replaces an allocation by a tile that is presented as a memref.
fn become_tile<'c: 'a, 'a>(memory: &PromotedMemory<'c, 'a>, buffer: BufferType<'c>, rewriter: Rewriter<'c, 'a>) {
    let entry = memory.kernel.region_at(0).and_then(|region| region.first_block());
    let Some(first) = entry.and_then(|entry| entry.first_operation()) else { return };
    let builder = Builder { location: memory.op.location(), ..Builder::before(rewriter, first) };
    let tile = tile::alloc(builder, buffer.as_type()).value();
    let present = |r#type| {
        results_of(builtin::unrealized_conversion_cast(builder, &[tile], &[r#type]).build().operation())
    };
    for view in &memory.views {
        let types = results_of(*view).into_iter().map(|result| result.r#type());
        types.for_each(|r#type| rewriter.replace(*view, &present(r#type)));
    }
    memory.frees.iter().for_each(|free| rewriter.erase(*free));
    rewriter.replace(memory.op, &present(memory.value.r#type()));
}
