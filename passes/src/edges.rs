//! Splits masked copies in two: a region inside of its buffer is copied without a mask, by the variant that does it best; a
//! region at the edges element by element, or vector by vector, as far as the limits allow.
//!
//! ```mlir
//!   tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked              scf.if %inside {
//!                                                         ──▶           tile.copy %a[%i, 0] [16, 64] to %s scope(cta)
//!                                                                     } else {
//!                                                                       tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked
//!                                                                     }
//! ```
//!
//! Registers that a copy at the edges is the first to write are filled with zeros where nothing is read: they have no value there.
//!
//! All threads of the scope have the same begins and extents, so the branch is uniform.

use melior::ir::operation::OperationLike;
use melior::ir::{TypeLike, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_ops::constant::ConstantNumber;
use tile_ops::{Builder, Draft, constant, scf, tile};

use tile_plan::problem::role::Role;

use crate::contracts;
use crate::emit::{Cmp, Kit};
use crate::read::mask::{self, Bound};
use crate::read::problem::Reader;
use crate::read::ways::{self, Way};

/// Splits the masked copies below the root that may be inside; `false`, after errors, when one is left.
pub fn split(ir: &mut Ir<'_>, reader: &Reader<'_>) -> bool {
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        let copy = CopyOp(op);
        // Errors of a copy are reported where it is lowered.
        if !copy.masked() || reader.read(copy).is_err() {
            continue;
        }
        if let Err(panicked) = guard::quiet(|| take_apart(copy, ir.rewriter())) {
            Diagnostic::error(panicked).emit(op);
            complete = false;
        }
    }
    complete
}

fn take_apart<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let builder = Builder::before(rewriter, copy.0);
    let zeroed = match ways::of(copy) {
        (Way::AtEdges { zeroed }, _) => zeroed,
        (Way::Inside, _) => {
            plain(copy, builder);
            rewriter.erase(copy.0);
            return;
        }
        (Way::Written, _) => return,
    };
    let Some(inside) = inside(&mask::bounds(copy), builder) else { return };
    let branches = scf::r#if(builder, inside, &[], builder.body(&[]), builder.body(&[])).build().operation();
    builder.fill(branches, 0, |_| {
        plain(copy, builder);
        scf::r#yield(builder, &[]).build();
    });
    builder.fill(branches, 1, |_| {
        if !zeroed || with_zeros(copy, builder).is_none() {
            let operands: Vec<_> = copy.0.operands().collect();
            builder.rewriter.insert_clone(copy.0, &operands);
        }
        scf::r#yield(builder, &[]).build();
    });
    rewriter.erase(copy.0);
}

/// The same masked copy, which fills with zeros.
fn with_zeros<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
    let (op, src, dst) = (tile::CopyOp::cast(copy.0)?, copy.written(Role::Src)?, copy.written(Role::Dst)?);
    let element = copy.dst()?.buffer.element();
    let zero = if element.is_integer() { ConstantNumber::Integer(0) } else { ConstantNumber::Float(0.0) };
    let zero = constant::typed(builder, constant::number(element, zero));
    let made = requested(
        tile::copy(
            builder,
            src.buffer,
            &src.values,
            dst.buffer,
            &dst.values,
            &src.offsets,
            &src.sizes,
            &dst.offsets,
            &dst.sizes,
            copy.scope(),
        ),
        (copy, op),
    );
    let made = made.masked(true).filler(zero).build().operation();
    contracts::carry(copy.0, made, builder.rewriter);
    Some(())
}

/// A copy with the requests of another.
fn requested<'c: 'a, 'a>(
    made: Draft<'c, 'a, tile::CopyOp<'c, 'a>>,
    (copy, op): (CopyOp<'c, 'a>, tile::CopyOp<'c, 'a>),
) -> Draft<'c, 'a, tile::CopyOp<'c, 'a>> {
    made.variant(op.variant().as_deref())
        .cache(op.cache().as_deref())
        .l1_evict(op.l1_evict().as_deref())
        .l2_evict(op.l2_evict().as_deref())
        .prefetch_size(op.prefetch_size().as_deref())
        .convert(op.convert().as_deref())
        .reduce(copy.reduce().as_deref())
}

/// Whether all of the regions is inside.
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

/// The same copy without a mask, of regions that are inside.
fn plain<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
    let (op, scope, dst) = (copy.0, copy.scope(), copy.written(Role::Dst)?);
    if let Some(filler) = copy.filler().filter(|_| copy.fills()) {
        let fill = tile::fill(builder, dst.buffer, &dst.values, &dst.offsets, &dst.sizes, scope);
        let fill = fill.filler(constant::filler(builder, filler));
        contracts::carry(op, fill.variant(copy.variant().as_deref()).build().operation(), builder.rewriter);
        return Some(());
    }
    let src = copy.written(Role::Src)?;
    let ([from, to], [src_values, dst_values]) = ([src.buffer, dst.buffer], [&src.values, &dst.values]);
    let ([src_static, src_sizes], [dst_static, dst_sizes]) = ([&src.offsets, &src.sizes], [&dst.offsets, &dst.sizes]);
    let made = if let Some(op) = tile::CopyAsyncOp::cast(op) {
        // The clauses that masked copies do not have are left out.
        tile::copy_async(
            builder,
            from,
            src_values,
            to,
            dst_values,
            &copy.maps(),
            &copy.rows(),
            &copy.filter(),
            src_static,
            src_sizes,
            dst_static,
            dst_sizes,
            scope,
        )
        .barrier(copy.barrier())
        .predicate(copy.predicate())
        .group(op.group())
        .variant(op.variant().as_deref())
        .prefetch_size(op.prefetch_size().as_deref())
        .l2_evict(op.l2_evict().as_deref())
        .direct(op.direct())
        .shape(op.shape().as_deref())
        .multicast(op.multicast().as_deref())
        .cta_group(op.cta_group())
        .convert(op.convert().as_deref())
        .build()
        .operation()
    } else {
        let op = tile::CopyOp::cast(op)?;
        let made =
            tile::copy(builder, from, src_values, to, dst_values, src_static, src_sizes, dst_static, dst_sizes, scope);
        requested(made, (copy, op)).build().operation()
    };
    contracts::carry(op, made, builder.rewriter);
    Some(())
}
