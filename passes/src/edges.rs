//! Masked copies in two: the inside of a buffer is copied as if nothing were masked, by whatever variant does it best; the
//! tiles at its edges element by element, or vector by vector, as far as the limits allow.
//!
//! ```mlir
//!   tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked              scf.if %inside {
//!                                                         ──▶           tile.copy %a[%i, 0] [16, 64] to %s scope(cta)
//!                                                                     } else {
//!                                                                       tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked
//!                                                                     }
//! ```
//!
//! All threads of the scope have the same begins and extents, so the branch is uniform.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::{CopyOp, integer, segment, string};
use tile_ops::{Builder, constant, scf, tile};

use crate::emit::{Cmp, Kit};
use crate::read::mask::{self, Bound};
use crate::read::problem::Reader;

/// Takes the copies below the root apart that are masked, and may be inside; `false`, after errors, when one is left.
pub fn split(ir: &mut Ir<'_>, reader: &Reader<'_>) -> bool {
    let masked = |name: &str| name == CopyOp::NAME || name == CopyOp::ASYNC;
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), masked) {
        let copy = CopyOp(op);
        // What is wrong with a copy is said where it is lowered.
        if !copy.masked() || reader.read(copy).is_err() {
            continue;
        }
        if let Err(text) = guard::quiet(|| take_apart(copy, ir.rewriter())) {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
            complete = false;
        }
    }
    complete
}

fn take_apart<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let bounds = mask::bounds(copy);
    let builder = Builder::before(rewriter, copy.0);
    if bounds.is_empty() {
        plain(copy, builder);
        rewriter.erase(copy.0);
        return;
    }
    if bounds.iter().any(|bound| bound.inside() == Some(false)) || is_counted(copy) {
        return;
    }
    let Some(inside) = inside(&bounds, builder) else { return };
    let branches = scf::r#if(builder, inside, &[], builder.body(&[]), builder.body(&[])).build().operation();
    builder.fill(branches, 0, |_| {
        plain(copy, builder);
        scf::r#yield(builder, &[]).build();
    });
    builder.fill(branches, 1, |_| {
        let operands: Vec<_> = copy.0.operands().collect();
        builder.rewriter.insert_clone(copy.0, &operands);
        scf::r#yield(builder, &[]).build();
    });
    rewriter.erase(copy.0);
}

/// Does an mbarrier count who arrives? How often that is depends on the variant, which then is the same for all tiles.
fn is_counted(copy: CopyOp<'_, '_>) -> bool {
    copy.barrier().is_some()
}

/// Is the whole of the regions inside?
fn inside<'c: 'a, 'a>(bounds: &[Bound<'c, 'a>], builder: Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
    let kit = Kit::new(builder);
    let mut all: Option<Value<'c, 'a>> = None;
    for bound in bounds {
        let (begin, extent) = (bound.begin.value(builder), bound.extent.value(builder));
        let last = match bound.extent.known().constant() {
            Some(extent) => constant::index(builder, extent - bound.size),
            None => kit.sub(extent, constant::index(builder, bound.size)),
        };
        let mut holds = kit.cmp(Cmp::Sge, last, begin);
        if bound.begin.known().constant().is_none() {
            holds = kit.and(kit.cmp(Cmp::Sge, begin, constant::index(builder, 0)), holds);
        }
        all = Some(all.map_or(holds, |all| kit.and(all, holds)));
    }
    all
}

/// The same copy, of regions that are inside.
fn plain<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    match tile::CopyOp::cast(copy.0) {
        Some(_) => synchronous(copy, builder),
        None => asynchronous(copy, builder),
    }
}

fn synchronous<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let (op, own) = (copy.0, tile::CopyOp::cast(copy.0)?);
    let plain = tile::copy(
        builder,
        own.src(),
        &segment(op, 1),
        own.dst(),
        &segment(op, 3),
        &own.src_static(),
        &own.src_sizes(),
        &own.dst_static(),
        &own.dst_sizes(),
        own.scope()?,
    );
    let plain = plain
        .variant(string(op, "variant").as_deref())
        .cache(string(op, "cache").as_deref())
        .l1_evict(string(op, "l1_evict").as_deref())
        .l2_evict(string(op, "l2_evict").as_deref())
        .prefetch_size(string(op, "prefetch_size").as_deref())
        .convert(string(op, "convert").as_deref());
    Some(plain.build().operation())
}

fn asynchronous<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let (op, own) = (copy.0, tile::CopyAsyncOp::cast(copy.0)?);
    let plain = tile::copy_async(
        builder,
        own.src(),
        &segment(op, 1),
        own.dst(),
        &segment(op, 3),
        &own.src_static(),
        &own.src_sizes(),
        &own.dst_static(),
        &own.dst_sizes(),
        own.scope()?,
    );
    // The clauses that masked copies do not have are left out.
    let plain = plain
        .barrier(copy.barrier())
        .predicate(copy.predicate())
        .group(copy.group())
        .variant(string(op, "variant").as_deref())
        .prefetch_size(string(op, "prefetch_size").as_deref())
        .l2_evict(string(op, "l2_evict").as_deref())
        .direct(op.has_attribute("direct"))
        .shape(string(op, "shape").as_deref())
        .multicast(string(op, "multicast").as_deref())
        .cta_group(integer(op, "cta_group"))
        .convert(string(op, "convert").as_deref());
    Some(plain.build().operation())
}
