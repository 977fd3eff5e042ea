//! Promoted memory becomes tiles: that of a workgroup in shared memory, in a layout that is still to be chosen; the sums of products in
//! registers.
//!
//! Memory that a kernel allocates without a space, or privately, is each thread's own. All ops that use it are done by all threads with
//! the same operands, so that one tile has what each of them would have.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, results_of, uses};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::Scope;
use tile_dialect::{BufferType, Space, memref as memrefs};
use tile_ops::{Builder, builtin, memref};
use tile_plan::linalg::{LinalgForm, LinalgSchedule};

use super::convert::{Converter, LinalgCandidate};
use super::promote::{self, PromotedSet};
use super::site::{self, Site};
use super::team::{self, Team};
use super::tiles::{self, element_of, memref_type};
use super::whole::KernelRows;
use super::{pads, product};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::values::key;
use crate::read::{alias, kernel, name};
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
    let converter = Converter::new(&reader, options, schedule, rewriter);
    let rows = KernelRows::new(&converter, root);
    rows.report();
    let converter = converter.with_registers(&rows.held);
    promote::run(&converter, root, PromotedSet::All);
    for op in walk::matching(root, |name| [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name)) {
        let Some(memory) = op.result_at(0).map(Value::from).and_then(|value| promoted(op, value)) else { continue };
        match tile_type(&converter, &memory) {
            Ok(buffer) => become_tile(&converter, &memory, buffer),
            Err(MemoryStays::Large { bytes, most }) => {
                let text = format!("stays memory: {bytes} bytes, expected at most {most} of shared memory");
                let cause = "memory-large";
                report::emit(op, RemarkKind::Missed, cause, &text, &[]);
            }
            Err(MemoryStays::Used(user)) => report_escape(op, user, "uses it"),
            Err(MemoryStays::Open(user)) => {
                let how = "uses a part of it whose extents are known at run time; expected a copy to it from global memory, or numbers";
                report_escape(op, user, how);
            }
        }
    }
}

fn report_escape(op: OperationRef<'_, '_>, user: OperationRef<'_, '_>, how: &str) {
    let text = format!("stays memory: {} {how}", name(user));
    let cause = "memory-escapes";
    report::emit(op, RemarkKind::Missed, cause, &text, &[("User", name(user).to_owned())]);
}

/// Why memory becomes no tile.
enum MemoryStays<'c, 'a> {
    /// An op uses it that is not converted.
    Used(OperationRef<'c, 'a>),
    /// An op uses a part of it whose extents are known only at run time.
    Open(OperationRef<'c, 'a>),
    /// It has more bytes than a block has.
    Large { bytes: i64, most: i64 },
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
    /// The views of parts of known extents, which may begin anywhere; each after what it views.
    parts: Vec<OperationRef<'c, 'a>>,
    /// The views of parts of extents that are known only at run time, which are copied to.
    open: Vec<OperationRef<'c, 'a>>,
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
    let MemoryUses { users, views, parts, open, frees } = MemoryUses::of(value);
    let kernel = users.first().and_then(|(user, _)| kernel::function(*user))?;
    let is_inside = walk::is_inside(op, kernel);
    let is_its_own = match memrefs::space(memref)? {
        Space::Shared => is_inside || kernel::is_launch(kernel),
        Space::Global => is_inside && memref.memory_space().is_none(),
        Space::Local => is_inside,
        _ => false,
    };
    let is_of_kernel = users.iter().all(|(user, _)| kernel::function(*user) == Some(kernel));
    (is_its_own && is_of_kernel).then_some(PromotedMemory { op, value, kernel, users, views, parts, open, frees })
}

/// The ops that use memory and views of it, as [`PromotedMemory`] has them.
#[derive(Default)]
struct MemoryUses<'c, 'a> {
    users: Vec<(OperationRef<'c, 'a>, usize)>,
    views: Vec<OperationRef<'c, 'a>>,
    parts: Vec<OperationRef<'c, 'a>>,
    open: Vec<OperationRef<'c, 'a>>,
    frees: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> MemoryUses<'c, 'a> {
    fn of(memory: Value<'c, 'a>) -> Self {
        let mut all = MemoryUses::default();
        for (user, operand) in uses(memory) {
            let kind = if name(user) == memref::DeallocOp::NAME {
                &mut all.frees
            } else if tiles::viewed_from_begin(user).is_some() {
                &mut all.views
            } else if pads::viewed_open(user).is_some() {
                &mut all.open
            } else {
                all.add_part_or_user(user, operand);
                continue;
            };
            kind.push(user);
        }
        let viewed = all.views.iter().chain(&all.open).flat_map(|view| results_of(*view)).flat_map(uses);
        all.users.extend(viewed.collect::<Vec<_>>());
        all
    }

    fn add_part_or_user(&mut self, user: OperationRef<'c, 'a>, operand: usize) {
        if tiles::viewed_part(user).is_none() {
            self.users.push((user, operand));
            return;
        }
        self.parts.push(user);
        for (user, operand) in results_of(user).into_iter().flat_map(uses) {
            self.add_part_or_user(user, operand);
        }
    }
}

/// An op that uses memory, with the number of the operand.
type MemoryUser<'c, 'a> = (OperationRef<'c, 'a>, usize, LinalgCandidate<'c, 'a>);

impl<'c: 'a, 'a> PromotedMemory<'c, 'a> {
    /// An op that the tile would not do for what the memory does for, of which views are used: beyond a view that is written the tile has
    /// zeros, or what functions of these are, which matters to products alone.
    fn needs_memory<'u>(&self, users: &'u [MemoryUser<'c, 'a>]) -> Option<&'u MemoryUser<'c, 'a>> {
        let writers: Vec<_> = users.iter().filter(|user| is_written(user)).collect();
        // What one copy of a part alone writes has zeros beyond it in every use.
        if let [(_, _, copy)] = writers[..]
            && matches!(copy.form, LinalgForm::Copy(_))
        {
            return None;
        }
        let has_zeros = writers.iter().any(|user| self.is_view(user));
        if !users.iter().any(|user| matches!(user.2.form, LinalgForm::Product(_))) {
            let is_elsewhere =
                |user: &&MemoryUser<'c, 'a>| !matches!(user.2.form, LinalgForm::Fill) && !self.is_view(user);
            return users.iter().find(|user| has_zeros && is_elsewhere(user));
        }
        users.iter().find(|user| match &user.2.form {
            LinalgForm::Copy(_) => has_zeros && !self.is_view(user),
            LinalgForm::Fill => {
                has_zeros && is_written(user) && !user.2.reading.filled(user.1).is_some_and(tiles::is_zero)
            }
            LinalgForm::Product(_) => !is_written(user) && self.is_open(&user.2) && !has_zeros,
            LinalgForm::Map => has_zeros && !self.is_view(user) || is_written(user) && self.is_factor(users),
            LinalgForm::Reduce { .. } => has_zeros && !self.is_view(user),
        })
    }

    /// The views of parts.
    fn all_parts(&self) -> impl Iterator<Item = &OperationRef<'c, 'a>> {
        self.parts.iter().chain(&self.open)
    }

    /// Whether an op uses a part of extents that are known only at run time.
    fn is_open_part(&self, (_, operand, user): &MemoryUser<'c, 'a>) -> bool {
        let used = key(user.reading.operands[*operand]);
        self.open.iter().flat_map(|view| results_of(*view)).any(|view| key(view) == used)
    }

    /// Whether an op uses a view.
    fn is_view(&self, (_, operand, user): &MemoryUser<'c, 'a>) -> bool {
        let used = key(user.reading.operands[*operand]);
        self.views.iter().flat_map(|view| results_of(*view)).any(|view| key(view) == used)
    }

    /// Whether an op multiplies along a loop that ends where a view does.
    fn is_open(&self, user: &LinalgCandidate<'c, 'a>) -> bool {
        let structured = &user.reading.structured;
        (0..structured.extents.len()).any(|number| structured.reduces[number] && structured.is_open[number])
    }

    /// Whether parts of it are multiplied along depths.
    fn is_factor(&self, users: &[MemoryUser<'c, 'a>]) -> bool {
        let is_product =
            |user: &LinalgCandidate<'c, 'a>| matches!(user.form, LinalgForm::Product(_)) && self.is_open(user);
        users.iter().any(|user| !is_written(user) && is_product(&user.2))
    }
}

/// Whether an op writes the memory.
fn is_written((_, operand, user): &MemoryUser<'_, '_>) -> bool {
    *operand >= user.reading.structured.inputs
}

/// Whether an op copies global memory to a part, in the order of the dimensions.
fn is_copied_to(candidate: &LinalgCandidate<'_, '_>, operand: usize) -> bool {
    let LinalgForm::Copy(order) = &candidate.form else { return false };
    let [from, _] = candidate.reading.operands[..] else { return false };
    let is_global = memref_type(from).and_then(memrefs::space) == Some(Space::Global);
    operand == 1 && order.is_sorted() && is_global && !alias::is_made_in(from, candidate.kernel)
}

/// The type of the tile that some memory becomes.
fn tile_type<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: &PromotedMemory<'c, 'a>,
) -> Result<BufferType<'c>, MemoryStays<'c, 'a>> {
    let unknown = || MemoryStays::Used(memory.op);
    let memref = memref_type(memory.value).ok_or_else(unknown)?;
    let (shape, element) = (memrefs::extents(memref), element_of(memref));
    let mut candidates = Vec::new();
    for &(user, operand) in &memory.users {
        let candidate = converter.candidate(user).and_then(Result::ok).ok_or(MemoryStays::Used(user))?;
        candidates.push((user, operand, candidate));
    }
    // What each thread allocates is one tile for those that do the same with it.
    let scope = team::scope(memory.op);
    let is_shared = memrefs::space(memref) == Some(Space::Shared);
    let is_other = |user: &&MemoryUser<'c, 'a>| !is_shared && user.2.scope != scope;
    if let Some((user, ..)) = candidates.iter().find(is_other) {
        return Err(MemoryStays::Used(*user));
    }
    // Registers have no addresses.
    if let Some(part) = memory.all_parts().next().filter(|_| !is_shared && scope == Scope::Thread) {
        return Err(MemoryStays::Used(*part));
    }
    let is_open = |user: &&MemoryUser<'c, 'a>| memory.is_open_part(user);
    if let Some((user, ..)) = candidates.iter().filter(is_open).find(|user| !is_copied_to(&user.2, user.1)) {
        return Err(MemoryStays::Open(*user));
    }
    let other = if memory.views.is_empty() { None } else { memory.needs_memory(&candidates) };
    if let Some((user, ..)) = other {
        return Err(MemoryStays::Used(*user));
    }
    let sums = candidates.iter().filter_map(|(user, operand, candidate)| {
        let LinalgForm::Product(loops) = candidate.form else { return None };
        let is_result = *operand >= candidate.reading.structured.inputs;
        let plan = is_result
            .then(|| product::plan((converter.reader, &converter.schedule), *user, &candidate.reading, loops).ok())
            .flatten()?;
        Some(plan.plan.sums)
    });
    let sums: Vec<_> = sums.collect();
    let is_in_registers = sums.first().is_some_and(|first| {
        shape.len() == 2
            && memory.all_parts().next().is_none()
            && sums.iter().all(|one| one == first)
            && candidates.iter().all(|(_, operand, user)| user.takes_registers(*operand))
    });
    let whole = converter
        .whole(memory.kernel)
        .filter(|_| !is_shared && scope == Scope::Cta && memory.all_parts().next().is_none());
    if let Some(held) = whole.and_then(|whole| held_shape(whole, shape.len(), &candidates)) {
        return site::open_registers(memory.op.location(), &held, element).map_err(|_| unknown());
    }
    if is_in_registers {
        return site::open_registers(memory.op.location(), &shape, element).map_err(|_| unknown());
    }
    let bits = bit_width(element).unwrap_or_default();
    let bytes = shape.iter().fold(i64::from(bits), |all, &extent| all.saturating_mul(extent)) / 8;
    let first = memory.users.first().map_or(memory.op, |(user, _)| *user);
    let scope = if is_shared { Scope::Cta } else { scope };
    let most = Team::new(converter.reader, first, scope).map_err(|_| unknown())?.shared_bytes;
    if bytes > most {
        return Err(MemoryStays::Large { bytes, most });
    }
    site::working_type(memory.op.location(), scope, &shape, element).map_err(|_| unknown())
}

/// The extents of a tile that has memory of fewer dimensions in registers: 1 in each dimension of a kernel's maps and reductions that the
/// memory lacks. `None` where ops disagree on these, or need another order.
///
/// ```text
///   whole 4x1024, %m : memref<4xf32> with the map (i, j) -> (i)      4x1
/// ```
fn held_shape(whole: &[i64], rank: usize, users: &[MemoryUser<'_, '_>]) -> Option<Vec<i64>> {
    let mut loops: Option<&Vec<usize>> = None;
    for (_, operand, user) in users {
        let structured = &user.reading.structured;
        let map = structured.maps[*operand].as_ref()?;
        match &user.form {
            LinalgForm::Fill => continue,
            LinalgForm::Map | LinalgForm::Reduce { .. } if structured.extents == whole => {}
            LinalgForm::Copy(order) if rank == whole.len() && order.is_sorted() => {}
            _ => return None,
        }
        if !map.is_sorted() || map.len() != rank || loops.is_some_and(|known| known != map) {
            return None;
        }
        // The dimensions of the tiles of a map are those of its result.
        let result = structured.maps[structured.inputs].as_ref();
        let is_whole = |result: &Vec<usize>| result.len() == whole.len() && result.is_sorted();
        if user.form == LinalgForm::Map && !result.is_some_and(is_whole) {
            return None;
        }
        loops = Some(map);
    }
    let loops = loops?;
    Some((0..whole.len()).map(|number| if loops.contains(&number) { whole[number] } else { 1 }).collect())
}

/// Replaces an allocation by a tile that is presented as a memref, and so are its parts.
fn become_tile<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: &PromotedMemory<'c, 'a>,
    buffer: BufferType<'c>,
) {
    let rewriter = converter.rewriter;
    let is_shared = memref_type(memory.value).and_then(memrefs::space) == Some(Space::Shared);
    let scope = if is_shared { Scope::Cta } else { team::scope(memory.op) };
    let entry = memory.kernel.region_at(0).and_then(|region| region.first_block());
    let Some(first) = entry.and_then(|entry| entry.first_operation()) else { return };
    // That of a workgroup may be allocated before a launch.
    let before = if scope == Scope::Cta { first } else { memory.op };
    let Ok(site) = converter.site(first, memory.kernel, scope) else { return };
    let builder = Builder { location: memory.op.location(), ..Builder::before(rewriter, before) };
    let Ok(tile) = (Site { builder, ..site }).alloc(buffer) else { return };
    let present = |builder, values: &[_], r#type| {
        results_of(builtin::unrealized_conversion_cast(builder, values, &[r#type]).build().operation())
    };
    for view in memory.views.iter().filter_map(|view| memref::SubViewOp::cast(*view)) {
        let builder = Builder::before(rewriter, view.operation());
        let values: Vec<_> = std::iter::once(tile).chain(view.sizes()).collect();
        rewriter.replace(view.operation(), &present(builder, &values, view.result().r#type()));
    }
    for view in memory.parts.iter().filter_map(|view| memref::SubViewOp::cast(*view)) {
        let builder = Builder::before(rewriter, view.operation());
        let values: Vec<_> = view.offsets().collect();
        let viewed = tiles::tile(view.source()).unwrap_or(tile);
        let part = site::part(builder, viewed, (&values, &view.static_offsets()), &view.static_sizes());
        let shape = memref_type(view.result()).map(memrefs::extents).unwrap_or_default();
        if let Ok(part) = part.and_then(|part| (Site { builder, ..site }).reshaped(part, &shape)) {
            rewriter.replace(view.operation(), &present(builder, &[part], view.result().r#type()));
        }
    }
    memory.frees.iter().for_each(|free| rewriter.erase(*free));
    rewriter.replace(memory.op, &present(builder, &[tile], memory.value.r#type()));
}
