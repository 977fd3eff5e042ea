//! Plans as ops, and back.

use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef, Value};
use tile_dialect::LayoutAttr;
use tile_dialect::ops::{self, CopyOp, StageOp, integers, string};
use tile_plan::{
    Aligned, AlignedCopy, Cache, DynamicTerm, Elected, Guard, MatrixCopy, Owner, ScalarCopy, Side, VectorCopy,
};

use crate::build::Builder;
use crate::read::divisibility;
use crate::read::problem::{Reader, space, values};

/// A list of named attributes.
type Named<'c> = Vec<(&'static str, Attribute<'c>)>;

/// What both sides of a stage op look like.
struct Sides<'c, 'a> {
    operands: Vec<Value<'c, 'a>>,
    attributes: Named<'c>,
}

/// Replaces a `tile.copy` by the op of the variant that took it.
///
/// # Errors
/// A plan that makes no op; the reason has been reported at the op.
pub fn build_aligned<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Aligned,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = (copy.src()?, copy.dst()?);
    let (src_values, dst_values) = (values(&src), values(&dst));
    let scope = ("scope", copy.0.attribute("scope").ok()?);
    let sides = |a: &Side, b: &Side| {
        let first = terms(a, &src_values);
        let second = terms(b, &dst_values);
        build_sides(builder, (src.value, a, first), (dst.value, b, second))
    };
    match plan {
        Aligned::Partition(plan) => {
            let sides = sides(&plan.src, &plan.dst)?;
            Some(finish(builder, "tile.aligned_copy", sides, scope, aligned_attributes(builder, plan)))
        }
        Aligned::Matrix(plan) => {
            let (a, b) = if plan.load { (&plan.shared, &plan.registers) } else { (&plan.registers, &plan.shared) };
            Some(finish(builder, "tile.matrix_copy", sides(a, b)?, scope, matrix_attributes(builder, plan)))
        }
        Aligned::Scalar(plan) => build_scalar(builder, copy, plan),
        // No variant of a synchronous copy plans these.
        Aligned::TensorCopy(_) | Aligned::TensorAccess(_) | Aligned::Bulk(_) => None,
    }
}

/// Replaces a `tile.aligned_copy` by a `tile.vector_copy`.
///
/// # Errors
/// As [`build_aligned`].
pub fn build_vector<'c, 'a>(
    builder: Builder<'c, 'a>,
    op: StageOp<'c, 'a>,
    plan: &VectorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = (op.src()?, op.dst()?);
    let take = |side: &ops::Side<'c, 'a>| side.terms.iter().map(|&(value, ..)| value).collect::<Vec<_>>();
    let (first, second) = (terms(&plan.src, &take(&src)), terms(&plan.dst, &take(&dst)));
    let sides = build_sides(builder, (src.value, &plan.src, first), (dst.value, &plan.dst, second))?;
    let scope = ("scope", op.0.attribute("scope").ok()?);
    let mut attributes = vec![
        ("variant", builder.string(plan.variant)),
        ("rounds", builder.i64(plan.rounds)),
        ("threads", builder.i64(plan.threads)),
        ("vector", builder.i64(plan.vector)),
    ];
    if plan.thread_iters > 0 {
        attributes.push(("thread_iters", builder.i64(plan.thread_iters as i64)));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes.extend(cache(builder, &plan.cache));
    Some(finish(builder, "tile.vector_copy", sides, scope, attributes))
}

/// The run-time values of a side with divisor and stride of each.
fn terms<'c, 'a>(side: &Side, values: &[Value<'c, 'a>]) -> Vec<(Value<'c, 'a>, i64, i64)> {
    side.dynamic.iter().filter_map(|term| Some((*values.get(term.value)?, term.div, term.stride))).collect()
}

type BuiltSide<'c, 'a, 's> = (Value<'c, 'a>, &'s Side, Vec<(Value<'c, 'a>, i64, i64)>);

fn build_sides<'c, 'a>(
    builder: Builder<'c, 'a>,
    src: BuiltSide<'c, 'a, '_>,
    dst: BuiltSide<'c, 'a, '_>,
) -> Option<Sides<'c, 'a>> {
    let mut operands = Vec::new();
    let mut sizes = Vec::new();
    let mut attributes = Vec::new();
    for ((value, side, terms), (terms_name, layout_name)) in
        [src, dst].into_iter().zip([("srcTerms", "srcLayout"), ("dstTerms", "dstLayout")])
    {
        operands.push(value);
        operands.extend(terms.iter().map(|&(value, ..)| value));
        sizes.extend([1, terms.len()]);
        let numbers: Vec<i64> = terms.iter().flat_map(|&(_, divisor, stride)| [divisor, stride]).collect();
        attributes.push((terms_name, builder.list(&numbers)));
        attributes.push((layout_name, LayoutAttr::new(builder.location, &side.layout)?.as_attribute()));
    }
    attributes.push(builder.segments(&sizes));
    Some(Sides { operands, attributes })
}

fn finish<'c, 'a>(
    builder: Builder<'c, 'a>,
    name: &str,
    sides: Sides<'c, 'a>,
    scope: (&'static str, Attribute<'c>),
    attributes: Named<'c>,
) -> OperationRef<'c, 'a> {
    let mut all = sides.attributes;
    all.push(scope);
    all.extend(attributes);
    builder.op(name, &sides.operands, &[], &all)
}

fn aligned_attributes<'c>(builder: Builder<'c, '_>, plan: &AlignedCopy) -> Named<'c> {
    let mut attributes = vec![("variant", builder.string(plan.variant)), ("threads", builder.i64(plan.threads))];
    if plan.thread_iters > 0 {
        attributes.push(("thread_iters", builder.i64(plan.thread_iters as i64)));
    }
    if let Some(bits) = plan.forced_bits {
        attributes.push(("forced_bits", builder.i64(i64::from(bits))));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes.extend(cache(builder, &plan.cache));
    attributes
}

fn matrix_attributes<'c>(builder: Builder<'c, '_>, plan: &MatrixCopy) -> Named<'c> {
    let mut attributes = vec![
        ("variant", builder.string("ldstmatrix")),
        ("shape", builder.list(&plan.shape)),
        ("row_stride", builder.i64(plan.row_stride)),
    ];
    if plan.trans {
        attributes.push(("transposed", builder.context.unit()));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes
}

fn guards<'c>(builder: Builder<'c, '_>, guards: &[Guard]) -> Option<(&'static str, Attribute<'c>)> {
    let numbers: Vec<i64> = guards.iter().flat_map(|guard| [guard.div, guard.extent]).collect();
    (!numbers.is_empty()).then(|| ("guards", builder.list(&numbers)))
}

fn cache<'c>(builder: Builder<'c, '_>, cache: &Cache) -> Named<'c> {
    let nc = cache.nc.then(|| "nc".to_owned());
    let options = [
        ("cache", nc.as_ref()),
        ("l1_evict", cache.l1_evict.as_ref()),
        ("l2_evict", cache.l2_evict.as_ref()),
        ("prefetch_size", cache.prefetch_size.as_ref()),
    ];
    options.into_iter().filter_map(|(name, value)| Some((name, builder.string(value?)))).collect()
}

fn build_scalar<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &ScalarCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (by, threads) = match &plan.owner {
        Owner::Everyone => ("everyone", Vec::new()),
        Owner::ScopeThread(thread) => ("elected", vec![*thread]),
        Owner::BlockThreads(threads) => ("elected_in_block", threads.clone()),
        Owner::Distributed(_) => ("owners", Vec::new()),
    };
    let mut attributes = vec![("by", builder.string(by))];
    if !threads.is_empty() {
        attributes.push(("threads", builder.list(&threads)));
    }
    for name in ["srcStatic", "srcSizes", "dstStatic", "dstSizes", "scope", "operandSegmentSizes"] {
        attributes.push((name, copy.0.attribute(name).ok()?));
    }
    let operands: Vec<_> = copy.0.operands().collect();
    Some(builder.op("tile.scalar_copy", &operands, &[], &attributes))
}

/// The owner that a `tile.scalar_copy` names, unless registers say who owns what.
pub fn elected(op: OperationRef<'_, '_>) -> Option<Elected> {
    let threads = integers(op, "threads");
    match string(op, "by")?.as_str() {
        "elected" => threads.first().copied().map(Elected::ScopeThread),
        "elected_in_block" => Some(Elected::BlockThreads(threads)),
        _ => None,
    }
}

/// A `tile.aligned_copy` as the planner's plan.
pub fn read_aligned(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<AlignedCopy> {
    let variant = tile_plan::variants::by_name(&op.variant())?.name();
    let (src, dst) = (op.src()?, op.dst()?);
    let element = tile_dialect::memref::bit_width(src.buffer.element())?;
    let integer = |name| op.integer(name);
    Some(AlignedCopy {
        variant,
        threads: integer("threads")?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        element_bits: element,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        forced_bits: integer("forced_bits").and_then(|bits| u32::try_from(bits).ok()),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.vector_copy` as the planner's plan.
pub fn read_vector(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<VectorCopy> {
    let variant = tile_plan::variants::by_name(&op.variant())?.name();
    let (src, dst) = (op.src()?, op.dst()?);
    let integer = |name| op.integer(name);
    Some(VectorCopy {
        variant,
        rounds: integer("rounds")?,
        threads: integer("threads")?,
        vector: integer("vector")?,
        element_bits: tile_dialect::memref::bit_width(src.buffer.element())?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.matrix_copy` as the planner's plan.
pub fn read_matrix(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<MatrixCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let load = src.buffer.space() == tile_dialect::Space::Shared;
    let (shared, registers) = if load { (&src, &dst) } else { (&dst, &src) };
    let shape: [i64; 6] = integers(op.0, "shape").try_into().ok()?;
    Some(MatrixCopy {
        load,
        trans: op.0.has_attribute("transposed"),
        num: shape[4],
        threads: shape[0].checked_mul(32)?,
        shape,
        row_stride: op.integer("row_stride")?,
        shared: read_side(shared, reader),
        registers: read_side(registers, reader),
        guards: read_guards(op.0),
    })
}

/// A `tile.scalar_copy` as the planner's plan. Who copies is on the op; what each owner of registers copies follows
/// from the layouts.
///
/// # Errors
/// An op that names an owner where the layouts need another, or that poses no problem: got and expected.
pub fn read_scalar(op: CopyOp<'_, '_>, reader: &Reader<'_>) -> Result<ScalarCopy, String> {
    let reading = reader.read(op)?;
    let fallback = tile_plan::variants::by_name("fallback").ok_or("needs the variant 'fallback'")?;
    let Aligned::Scalar(mut plan) =
        fallback.plan(&reading.problem, &reading.target).map_err(|decline| decline.reason)?
    else {
        return Err("is no scalar copy".to_owned());
    };
    let owners = matches!(plan.owner, Owner::Distributed(_));
    let by = string(op.0, "by").unwrap_or_default();
    if owners != (by == "owners") {
        let expected = if owners { "\"owners\", for a tile that is spread over threads" } else { "no \"owners\"" };
        return Err(format!("got by \"{by}\", expected {expected}"));
    }
    if !owners {
        plan.owner = match elected(op.0) {
            Some(Elected::ScopeThread(thread)) => Owner::ScopeThread(thread),
            Some(Elected::BlockThreads(threads)) => Owner::BlockThreads(threads),
            None => Owner::Everyone,
        };
    }
    Ok(plan)
}

fn read_side(side: &ops::Side<'_, '_>, reader: &Reader<'_>) -> Side {
    let term = |(value, &(of, div, stride)): (usize, &(Value<'_, '_>, i64, i64))| {
        let (divisor, residue) = divisibility::of(of).floor_div(div).parts();
        DynamicTerm { value, div, stride, divisor, residue }
    };
    Side {
        space: space(side.buffer.space()),
        layout: side.layout.clone(),
        dynamic: side.terms.iter().enumerate().map(term).collect(),
        align_bytes: reader.alignment(side.value),
    }
}

fn read_guards(op: OperationRef<'_, '_>) -> Vec<Guard> {
    integers(op, "guards").chunks_exact(2).map(|pair| Guard { div: pair[0], extent: pair[1] }).collect()
}

fn read_cache(op: OperationRef<'_, '_>) -> Option<Cache> {
    let names = ["cache", "l1_evict", "l2_evict", "prefetch_size"];
    let given: Vec<(&str, String)> = names.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    Cache::from_options(given.iter().map(|(name, value)| (*name, value.as_str()))).ok()
}
