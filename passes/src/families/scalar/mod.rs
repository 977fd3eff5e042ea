//! Copies element by element, which always work.

mod expand;

use melior::ir::OperationRef;
use tile_dialect::ops::CopyOp;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Elected, Kind, Owner, ScalarCopy, Which};

use super::{Family, StagePlan, Staged};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::{self, did, passed, reduces};

/// The family.
pub struct Elements;

impl Family for Elements {
    fn staged(&self) -> &'static str {
        tile::ScalarCopyOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::Scalar]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        let Aligned::Scalar(plan) = plan else { return None };
        build_scalar(builder, copy, plan)
    }

    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        if let Aligned::Scalar(plan) = plan {
            took_scalar(op, plan);
        }
    }

    /// The op names no variant.
    fn check_variant(&self, _op: OperationRef<'_, '_>) -> Result<(), String> {
        Ok(())
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        Ok(StagePlan::Chosen(Aligned::Scalar(read_scalar(CopyOp(op), reader)?)))
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let plan = read_scalar(CopyOp(staged.op), staged.reader)?;
        let target = staged.reader.target(staged.op)?;
        expand::expand(emit, CopyOp(staged.op), &plan, elected(staged.op), (staged.scope, &target))
    }
}

fn build_scalar<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &ScalarCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (by, threads) = plan.owner.words();
    let (from, to) = (copy.src()?, copy.dst()?);
    // As written in the copy: an offset whose value is known remains an operand.
    let [src_offsets, dst_offsets] = copy.offsets();
    let [src_static, src_sizes, dst_static, dst_sizes] = copy.regions();
    let op = tile::scalar_copy(
        builder,
        from.value,
        &src_offsets,
        to.value,
        &dst_offsets,
        &src_static,
        &src_sizes,
        &dst_static,
        &dst_sizes,
        copy.scope(),
        by,
    );
    let threads = (!threads.is_empty()).then_some(&threads[..]);
    let convert = copy.convert();
    let op = op.threads(threads).convert(convert.as_deref()).masked(plan.mask.is_some());
    let op = op.reduce(copy.reduce().as_deref()).filled(copy.fills());
    Some(op.filler(copy.filler().filter(|_| copy.fills() || plan.mask.is_some())).build().operation())
}

/// The threads that a `tile.scalar_copy` elects; `None` where it elects none, or where the registers' layout determines
/// the owners.
fn elected(op: OperationRef<'_, '_>) -> Option<Elected> {
    let own = tile::ScalarCopyOp::cast(op)?;
    let threads = own.threads();
    match own.by()?.as_str() {
        "elected" => threads.first().copied().map(Elected::ScopeThread),
        "elected_in_block" => Some(Elected::BlockThreads(threads)),
        _ => None,
    }
}

/// A `tile.scalar_copy` as the planner's plan. The op says which threads copy; what each owner of registers copies
/// follows from the layouts.
///
/// # Errors
/// An op whose `by` does not fit its layouts (got and expected), or that cannot be read as a problem.
fn read_scalar(op: CopyOp<'_, '_>, reader: &Reader<'_>) -> Result<ScalarCopy, String> {
    let reading = reader.read(op).map_err(|unreadable| unreadable.reason)?;
    let fallback = tile_plan::variants::by_name("fallback").ok_or("needs the variant 'fallback'")?;
    let Aligned::Scalar(mut plan) =
        fallback.plan(&reading.problem, &reading.target).map_err(|decline| decline.reason)?
    else {
        return Err("is no scalar copy".to_owned());
    };
    let owners = matches!(plan.owner, Owner::Distributed(_));
    let by = tile::ScalarCopyOp::cast(op.0).and_then(|own| own.by()).unwrap_or_default();
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

/// The *passed* remark of an element-by-element copy.
fn took_scalar(op: OperationRef<'_, '_>, plan: &ScalarCopy) {
    let elements: i64 = plan.extents.iter().product();
    let (rounds, who) = match &plan.owner {
        Owner::Distributed(owners) => (
            owners.serial.iter().map(|digit| digit.extent).product(),
            "by the threads that own the elements".to_owned(),
        ),
        Owner::Everyone => (elements, "by each thread".to_owned()),
        Owner::ScopeThread(thread) => (elements, format!("by thread {thread} of the scope")),
        Owner::BlockThreads(threads) => (elements, format!("by threads {threads:?} of the block")),
    };
    let bytes = rounds * i64::from(plan.element_bits.div_ceil(8));
    let bits = [Which::Src, Which::Dst].map(|which| i64::from(plan.bits_of(which)));
    let instructions = report::instructions(plan.effect, [rounds, rounds], bits);
    let mut args = vec![
        ("Variant", "fallback".to_owned()),
        ("VectorBits", plan.element_bits.to_string()),
        ("Rounds", rounds.to_string()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", instructions.clone()),
    ];
    args.extend(reduces(plan.effect));
    args.extend(plan.conversion.map(|conversion| ("Converts", conversion.to_string())));
    passed(op, "fallback", &format!("{} element by element {who}: {instructions}", did(plan.effect)), &args);
}
