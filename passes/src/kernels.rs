//! `--tile-prepare-kernels`: what a kernel's caller promises about its memref arguments.
//! `--tile-finish-kernels`: dynamic shared memory that the launch sizes.

use melior::ir::attribute::{ArrayAttribute, DictionaryAttribute};
use melior::ir::block::BlockArgument;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, BlockLike, Identifier, OperationRef, RegionLike, ShapedTypeLike, ValueLike};
use tile_dialect::Ctx;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::memref::{DYNAMIC, bit_width, dictionary_entry, extents, strides_and_offset};
use tile_dialect::ops::integer;

use crate::options::Options;
use crate::read::name;
use crate::{shim, walk};

/// Marks the memref arguments of every kernel below the root; `false`, after errors, when one cannot be passed.
pub fn prepare(ir: &mut Ir<'_>, options: &Options) -> bool {
    let kernels = walk::matching(ir.root(), |name| matches!(name, "gpu.func" | "func.func"));
    kernels.into_iter().filter(|op| op.has_attribute("gpu.kernel")).fold(true, |complete, kernel| {
        let outcome = prepare_kernel(ir.rewriter(), kernel, options);
        outcome.map_err(|reason| Diagnostic::error(reason).emit(kernel)).is_ok() && complete
    })
}

/// Makes shared arrays of no elements external.
pub fn finish(ir: &mut Ir<'_>) {
    for global in walk::named(ir.root(), "llvm.mlir.global") {
        let shared = tile_dialect::ops::integer(global, "addr_space") == Some(3);
        let empty =
            global.attribute("global_type").is_ok_and(|array| array.to_string().starts_with("!llvm.array<0 x "));
        if let (true, true, Some(external)) =
            (shared, empty, Ctx::of(global).parse_attribute("#llvm.linkage<external>"))
        {
            ir.rewriter().set_attribute(global, "linkage", external);
        }
    }
}

fn prepare_kernel<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    options: &Options,
) -> Result<(), String> {
    let Some(body) = kernel.regions().next().and_then(|region| region.first_block()) else { return Ok(()) };
    let given = kernel.attribute("arg_attrs").ok().and_then(|list| ArrayAttribute::try_from(list).ok());
    let inputs = crate::read::alignment::inputs(kernel);
    let mut attributes = Vec::with_capacity(inputs);
    for index in 0..inputs {
        let r#type = body.argument(index).map_err(|error| error.to_string())?.r#type();
        let own = given.and_then(|list| list.element(index).ok());
        attributes.push(match MemRefType::try_from(r#type) {
            Ok(memref) => {
                check_bare(index, memref)?;
                promised(kernel, own, options, alignment(memref, options.argument_bytes))
            }
            Err(_) => own.unwrap_or_else(|| Ctx::of(kernel).dictionary(&[])),
        });
    }
    let list = Ctx::of(kernel).array(&attributes);
    rewriter.set_attribute(kernel, "arg_attrs", list);
    align_shared(kernel);
    Ok(())
}

/// Gives workgroup memory the alignment that the body says it has. A `gpu.launch` cannot state it on its attributions,
/// so that outlining leaves it in the body alone.
fn align_shared(kernel: OperationRef<'_, '_>) {
    for op in walk::named(kernel, "memref.assume_alignment") {
        let (Ok(memory), Some(alignment)) = (op.operand(0), integer(op, "alignment")) else { continue };
        let Ok(argument) = BlockArgument::try_from(memory) else { continue };
        if argument.owner().parent_operation() == Some(kernel) && name(kernel) == "gpu.func" {
            shim::align_workgroup_attribution(kernel, argument.argument_number(), alignment);
        }
    }
}

/// A kernel takes a memref as one pointer: everything else about it must be in the type.
fn check_bare(index: usize, memref: MemRefType<'_>) -> Result<(), String> {
    let known =
        strides_and_offset(memref).is_some_and(|(strides, offset)| offset != DYNAMIC && !strides.contains(&DYNAMIC));
    if known && !extents(memref).contains(&DYNAMIC) {
        return Ok(());
    }
    Err(format!(
        "has argument {index} of type {memref}, expected static extents, strides and offset: \
         a kernel takes a memref as one pointer"
    ))
}

/// What LLVM may be told of a memref's alignment, in bytes.
///
/// No more than divides its size: LLVM loads an aligned vector where its last elements are not asked for, and those
/// must be the memref's own. Our loads and stores state their alignment by themselves.
fn alignment(memref: MemRefType<'_>, promised: i64) -> i64 {
    let (strides, offset) = strides_and_offset(memref).unwrap_or_default();
    let reach = |(extent, stride): (i64, i64)| (extent - 1).max(0).saturating_mul(stride.saturating_abs());
    let elements = extents(memref).into_iter().zip(strides).map(reach).fold(offset + 1, i64::saturating_add);
    let bytes = elements.saturating_mul(i64::from(bit_width(memref.element()).unwrap_or(8).div_ceil(8)));
    promised.min(bytes & bytes.wrapping_neg()).max(1)
}

/// The argument's own attributes and what is promised of every memref.
fn promised<'c>(
    kernel: OperationRef<'c, '_>,
    own: Option<Attribute<'c>>,
    options: &Options,
    alignment: i64,
) -> Attribute<'c> {
    let context = Ctx::of(kernel);
    let has = |name| own.is_some_and(|own| dictionary_entry(own, name).is_some());
    let mut entries = own.and_then(|own| DictionaryAttribute::try_from(own).ok()).map(entries).unwrap_or_default();
    if options.noalias && !has("llvm.noalias") {
        entries.push((context.identifier("llvm.noalias"), context.unit()));
    }
    if !has("llvm.align") {
        entries.push((context.identifier("llvm.align"), context.integer_attribute(64, alignment)));
    }
    context.dictionary(&entries)
}

fn entries<'c>(dictionary: DictionaryAttribute<'c>) -> Vec<(Identifier<'c>, Attribute<'c>)> {
    (0..dictionary.len()).filter_map(|index| dictionary.element(index).ok()).collect()
}
