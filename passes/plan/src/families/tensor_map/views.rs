//! Plans a copy through tensor maps: sees the tensor in several ways, and takes the one with the fewest instructions.

use tile_isa::mbarrier::MAX_TRANSACTION_BYTES;
use tile_layout::{Axis, Iter, Layout, counted};

use super::boxes::LargestBoxes;
use super::element::MapElement;
use super::form::MapForm;
use super::frame::Frame;
use super::im2col;
use super::pieces::Portion;
use super::pieces::pieces;
use super::plan::{Coordinate, Part, TensorMapCopy};
use super::rows;
use super::swizzle::{BOX_ALIGN, MapSwizzle};
use super::tensor::{Dim, dimensions};
use super::until;
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, Feature};
use crate::problem::operands::Operand;
use crate::problem::overlap::check_one_place_each;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::tensor_map::{MapRequest, OutOfBounds};
use crate::sides::region::region_side;
use crate::sides::require::{full_scope, l2_hint, memory_base, only_requests, unconverted, unreplicated};
use crate::sides::side::Side;
use crate::target::Target;

/// The plan of a copy through tensor maps.
///
/// # Errors
/// What no map can describe, with what was got and what is needed: see [`map`](super::map) for the rules of maps,
/// [`form`](super::form) for those of requests.
pub fn plan(problem: &Problem, request: MapRequest, target: &Target) -> Result<TensorMapCopy, Refusal> {
    explained(problem, request, target).map(|(copy, _)| copy)
}

/// The same plan, and why its boxes are not larger where it has several.
///
/// # Errors
/// As [`plan`].
pub fn explained(
    problem: &Problem,
    request: MapRequest,
    target: &Target,
) -> Result<(TensorMapCopy, Option<Refusal>), Refusal> {
    unconverted(problem)?;
    let form = MapForm::of(problem, request, target)?;
    full_scope(problem)?;
    let honoured = [
        Feature::Completed(Completion::Barrier),
        Feature::Completed(Completion::BulkGroup),
        Feature::Reduce,
        Feature::CtaMask,
        Feature::CtaGroup,
        Feature::TensorMap,
    ];
    only_requests(problem, &honoured)?;
    let l2_evict = l2_hint(problem, "cp.async.bulk.tensor")?;
    let element = element(problem, form, request)?;
    let bytes = i64::from(problem.element.bits / 8);
    let tensor = problem.operand(form.global())?;
    check_tensor(tensor, form.global())?;
    let shared = shared(problem, form, bytes)?;
    if form.reduction().is_none() {
        check_one_place_each(problem)?;
    }
    let swizzle = MapSwizzle::of(shared.side.layout.swizzle, bytes);
    let swizzle = swizzle.map_err(|refusal| Refusal { operand: Some(form.global().other()), ..refusal })?;
    check_storage(shared.align, swizzle, form)?;
    let widens = request.fill == OutOfBounds::Zero && !request.tf32 && !matches!(form, MapForm::Reduce(_));
    let (fill, promotion, shared_end) = (request.fill, request.promotion, shared.end);
    let apart = request.rows || request.until;
    let frame = Frame { form, bytes, element, swizzle, fill, promotion, widens, apart, shared_end };
    let mut larger = None;
    let (parts, rows) = if let Some(walk) = request.im2col {
        (vec![im2col::part(&frame, tensor, walk, (&shared.layout, shared.offset))?], 0)
    } else if request.rows {
        rows::parts(&frame, tensor, request.clips, (&shared.layout, shared.offset), target)?
    } else if request.until {
        (until::parts(&frame, tensor, &shared.layout, shared.offset)?, 0)
    } else {
        let seen = best(&frame, tensor, request.clips, &shared.layout, shared.offset)?;
        larger = seen.larger;
        (seen.parts, 0)
    };
    let global = Side {
        space: tensor.space,
        layout: region_layout(tensor, form.global(), request)?,
        dynamic: Vec::new(),
        strides: tensor.strides.clone(),
        align_bytes: super::swizzle::ATOM_BYTES,
    };
    let cta_group = problem.asynchronous.as_ref().and_then(|requested| requested.cta_group).unwrap_or(1);
    let shared = Side { align_bytes: swizzle.period(), ..shared.side };
    let element_bits = problem.element.bits;
    let until = request.until;
    let copy = TensorMapCopy { form, element_bits, cta_group, l2_evict, rows, until, parts, global, shared };
    check_bytes(&copy, target)?;
    Ok((copy, larger))
}

fn element(problem: &Problem, form: MapForm, request: MapRequest) -> Result<MapElement, Refusal> {
    let moved = MapElement::moved(&problem.element)?;
    match form {
        MapForm::Reduce(_) if request.tf32 => {
            Err(Refusal::new("tf32-reduced", "got a reduction of elements that are rounded to tf32"))
        }
        MapForm::Reduce(reduction) => MapElement::reduced(reduction),
        _ if request.tf32 && moved != MapElement::Float32 => {
            let reason = format!("got tf32 of elements of type {}; needed f32", problem.element.name);
            Err(Refusal::new("tf32-needs-f32", reason))
        }
        _ if request.tf32 => Ok(MapElement::TFloat32),
        _ => Ok(moved),
    }
}

/// Requires a tensor that a map can begin at: what else moves its elements is not in a map.
fn check_tensor(tensor: &Operand, role: Role) -> Result<(), Refusal> {
    tensor
        .layout
        .validate()
        .or_else(|error| if tensor.layout.is_open() { Ok(()) } else { Err(error) })
        .map_err(|error| Refusal::of(role, "invalid-layout", error.to_string()))?;
    unreplicated(tensor, role)?;
    let (rank, begins, extents) = (tensor.shape.len(), tensor.begin.len(), tensor.extent.len());
    if (begins, extents) != (rank, rank) {
        let reason = format!("got {begins} begins and {extents} extents of a tensor of rank {rank}");
        return Err(Refusal::of(role, "region-rank-differs", reason));
    }
    if let Some(swizzle) = tensor.layout.swizzle.filter(|swizzle| swizzle.len != 0) {
        let reason = format!("the tensor has {swizzle}; a map has strides only");
        return Err(Refusal::of(role, "tensor-swizzled", reason));
    }
    if !tensor.origin.is_empty()
        || tensor.layout.offset.iter().any(|(&axis, &value)| axis != Axis::Memory && value != 0)
    {
        let reason =
            "the tensor begins at a run-time place of its storage; needed one that begins where the host knows";
        return Err(Refusal::of(role, "tensor-begins-at-run-time", reason));
    }
    if tensor.align_bytes % super::swizzle::ATOM_BYTES != 0 {
        let reason = format!("the tensor is aligned to {}; needed 16", counted(tensor.align_bytes, "byte"));
        return Err(Refusal::of(role, "storage-alignment", reason));
    }
    Ok(())
}

/// The region in shared memory.
struct SharedRegion {
    side: Side,
    layout: Layout,
    /// The start, with run-time terms at their residues.
    offset: i64,
    /// Elements of the buffer, from the storage's first one.
    end: i64,
    align: i64,
}

fn shared(problem: &Problem, form: MapForm, bytes: i64) -> Result<SharedRegion, Refusal> {
    let role = form.global().other();
    let operand = problem.operand(role)?;
    operand.layout.validate().map_err(|error| Refusal::of(role, "invalid-layout", error.to_string()))?;
    unreplicated(operand, role)?;
    let side = region_side(operand, role)?;
    for term in &side.dynamic {
        let step = term.stride.saturating_mul(term.divisor).saturating_mul(bytes);
        if term.axis != Axis::Memory || step % BOX_ALIGN != 0 {
            let reason = format!(
                "the region moves by {step} bytes of a run-time value in shared memory; needed a multiple of {BOX_ALIGN}"
            );
            return Err(Refusal::of(role, "box-not-128-bytes", reason));
        }
    }
    let offset = i64::try_from(memory_base(&side)).unwrap_or(i64::MAX);
    if offset.saturating_mul(bytes) % BOX_ALIGN != 0 {
        let reason = format!(
            "the region begins {} bytes into shared storage; needed a multiple of {BOX_ALIGN}",
            offset.saturating_mul(bytes)
        );
        return Err(Refusal::of(role, "box-not-128-bytes", reason));
    }
    let end = operand.layout.span(Axis::Memory);
    Ok(SharedRegion { layout: side.layout.clone(), side, offset, end, align: operand.align_bytes })
}

/// Requires storage in which the layout's swizzle, which counts from the first element, is that of the addresses.
fn check_storage(align: i64, swizzle: MapSwizzle, form: MapForm) -> Result<(), Refusal> {
    let needed = swizzle.period();
    if align % needed == 0 {
        return Ok(());
    }
    let after = if swizzle == MapSwizzle::None { "the alignment of a box" } else { "after which its swizzle repeats" };
    let reason = format!("the shared buffer is aligned to {}; needed {needed}, {after}", counted(align, "byte"));
    Err(Refusal::of(form.global().other(), "storage-alignment", reason))
}

/// The iters of the region in the tensor, in the region's order, without its start; of pixels, the channels of one.
fn region_layout(tensor: &Operand, role: Role, request: MapRequest) -> Result<Layout, Refusal> {
    if request.im2col.is_some() {
        return Ok(Layout::row_major(&tensor.extent[tensor.extent.len() - 1..]));
    }
    match dimensions(tensor, role, request.clips) {
        Ok(dims) => {
            Ok(Layout::new(dims.iter().map(|dim| Iter::new(dim.extent, dim.stride, dim.axis)).collect::<Vec<_>>()))
        }
        Err(_) => Ok(Layout { offset: Default::default(), ..region_side(tensor, role)?.layout }),
    }
}

/// The boxes of a view, and why there is not one.
struct SeenBoxes {
    parts: Vec<Part>,
    larger: Option<Refusal>,
}

impl SeenBoxes {
    fn count(&self) -> i64 {
        self.parts.iter().fold(0, |all, part| all.saturating_add(part.boxes()))
    }
}

/// The boxes of the view with the fewest.
fn best(frame: &Frame, tensor: &Operand, clips: bool, shared: &Layout, offset: i64) -> Result<SeenBoxes, Refusal> {
    let base = tensor.layout.offset_on(Axis::Memory);
    let declared = match dimensions(tensor, frame.form.global(), clips) {
        Ok(dims) => dims,
        Err(refusal) => return as_region(frame, tensor, shared, offset).map_err(|_| refusal),
    };
    let (itself, own_base) = at_start(&declared, base);
    let (whole, own_whole) = (joined(&declared), joined(&itself));
    // A view that is another one has no fewer boxes.
    let views = [
        (&declared, base, true),
        (&whole, base, whole != declared),
        (&itself, own_base, itself != declared),
        (&own_whole, own_base, own_whole != itself),
    ];
    let mut fewest: Option<SeenBoxes> = None;
    let mut refused = None;
    for (dims, base, _) in views.into_iter().filter(|(.., other)| *other) {
        match seen(frame, dims.clone(), base, shared, offset) {
            Ok(seen) if seen.count() == 1 => return Ok(seen),
            Ok(seen) if fewest.as_ref().is_none_or(|best| seen.count() < best.count()) => fewest = Some(seen),
            Ok(_) => {}
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    fewest.ok_or_else(|| refused.unwrap_or_else(|| Refusal::new("map-rank", "the region has no dimension")))
}

/// The boxes of one view.
fn seen(frame: &Frame, dims: Vec<Dim>, base: i64, shared: &Layout, offset: i64) -> Result<SeenBoxes, Refusal> {
    let mut portions = Vec::new();
    let pieces = pieces(&dims, &shared.shard)?;
    Portion { pieces, dims, offset }.cut(frame, &mut portions);
    let mut seen = SeenBoxes { parts: Vec::with_capacity(portions.len()), larger: None };
    for portion in &portions {
        let LargestBoxes { part, larger } = frame.part(portion, base)?;
        seen.parts.push(part);
        seen.larger = seen.larger.or(larger);
    }
    Ok(seen)
}

/// The dimensions with those as one that continue each other, where the region takes all of the inner one.
fn joined(dims: &[Dim]) -> Vec<Dim> {
    let mut joined: Vec<Dim> = Vec::with_capacity(dims.len());
    for &inner in dims {
        let whole = inner.size == Some(inner.extent) && inner.at.multiple() == 0 && inner.axis == Axis::Memory;
        match joined.last_mut() {
            Some(outer)
                if whole
                    && outer.axis == Axis::Memory
                    && inner.stride.checked_mul(inner.extent) == Some(outer.stride) =>
            {
                let size = outer.size.map(|size| size.saturating_mul(inner.extent));
                let extent = outer.extent * inner.extent;
                *outer = Dim { size, extent, at: outer.at.times(inner.extent), ..*outer };
                outer.stride = inner.stride;
            }
            Some(_) if inner.size == Some(1) && inner.at.multiple() == 0 => {}
            _ => joined.push(inner),
        }
    }
    joined
}

/// The dimensions of a tensor that starts where the region does, and has its extents, as far as these are known, and where
/// it starts.
fn at_start(dims: &[Dim], base: i64) -> (Vec<Dim>, i64) {
    let mut moved = base;
    let mut started = Vec::with_capacity(dims.len());
    for &dim in dims {
        if !dim.inside || dim.at.moving.is_some() || dim.axis != Axis::Memory {
            started.push(dim);
            continue;
        }
        moved = moved.saturating_add(dim.at.constant.saturating_mul(dim.stride));
        if dim.extent != 1 {
            started.push(Dim { size: Some(dim.extent), at: Coordinate::fixed(0), ..dim });
        }
    }
    (started, moved)
}

/// The boxes of a region that no dimensions describe, as a tensor of its own: its start is known.
fn as_region(frame: &Frame, tensor: &Operand, shared: &Layout, offset: i64) -> Result<SeenBoxes, Refusal> {
    let role = frame.form.global();
    let side = region_side(tensor, role)?;
    if tensor.begin.iter().any(|begin| matches!(begin, Begin::Dynamic { .. })) || !side.dynamic.is_empty() {
        return Err(Refusal::of(role, "region-straddles-iters", "the region begins at a run-time place"));
    }
    let dim = |(dimension, iter): (usize, &Iter)| Dim {
        size: Some(iter.extent),
        multiple: 1,
        stride: iter.stride,
        axis: iter.axis,
        at: Coordinate::fixed(0),
        extent: iter.extent,
        inside: true,
        declared: dimension,
    };
    let dims = side.layout.shard.iter().enumerate().map(dim).collect();
    seen(frame, dims, side.layout.offset_on(Axis::Memory), shared, offset)
}

/// Requires a box that shared memory can hold, and bytes that an mbarrier counts.
fn check_bytes(copy: &TensorMapCopy, target: &Target) -> Result<(), Refusal> {
    let most = target.shared_bytes();
    let boxed = copy.parts.iter().map(|part| part.map.box_bytes()).max().unwrap_or(0);
    // That an engine takes larger boxes where none goes to shared memory is documented nowhere.
    if boxed > most {
        return Err(Refusal::new("box-exceeds-shared", format!("a box has {boxed} bytes; shared memory has {most}")));
    }
    if copy.bytes() > MAX_TRANSACTION_BYTES && matches!(copy.form, MapForm::Load | MapForm::Multicast) {
        let reason = format!("the boxes have {} bytes; an mbarrier counts {MAX_TRANSACTION_BYTES}", copy.bytes());
        return Err(Refusal::new("too-many-bytes", reason));
    }
    Ok(())
}
