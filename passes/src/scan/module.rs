//! The module, the functions and the shared memory of kernels.

use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Block, BlockLike, OperationRef, Region, RegionLike, Type, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ops::ScanOp;
use tile_plan::Target;

use super::emit::{Kit, SHARED, Val};
use crate::build::Builder;
use crate::read::{kernel, name};
use crate::walk;

/// The `gpu.module` that a scan names; made, if it is not there.
///
/// # Errors
/// A scan outside a module, or another op of that name.
pub fn find_or_make<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: ScanOp<'c, 'a>,
    target: &Target,
) -> Result<OperationRef<'c, 'a>, String> {
    let (wanted, _) = op.kernel().ok_or("names no kernel")?;
    let host = kernel::ancestors(op.0).find(|parent| name(*parent) == "builtin.module").ok_or("is outside a module")?;
    builder.rewriter.set_attribute(host, "gpu.container_module", builder.context.unit());
    if let Some(found) = walk::symbol(host, &wanted) {
        return match name(found).as_str() {
            "gpu.module" => Ok(found),
            other => Err(format!("names @{wanted}, a '{other}', expected a gpu.module")),
        };
    }
    let before = std::iter::successors(Some(op.0), |op| op.parent_operation())
        .find(|op| op.parent_operation().is_some_and(|parent| parent == host))
        .ok_or("is outside a module")?;
    Ok(builder
        .elsewhere(|rewriter| rewriter.set_insertion_point_before(before), |builder| make(builder, &wanted, target)))
}

fn make<'c: 'a, 'a>(builder: Builder<'c, 'a>, name: &str, target: &Target) -> OperationRef<'c, 'a> {
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let targets = builder.context.array(&[builder.parse(&format!("#nvvm.target<chip = \"{}\">", target.name()))]);
    let module = OperationBuilder::new("gpu.module", builder.location).add_regions([region]);
    builder.insert(module, &[("sym_name", builder.string(name)), ("targets", targets)])
}

/// A kernel to be made.
pub struct Signature<'t, 'c> {
    /// Its name.
    pub name: &'t str,
    /// Types of its parameters.
    pub parameters: &'t [Type<'c>],
    /// How many of the first ones point to memory that no other parameter points to.
    pub pointers: usize,
    /// Threads of a block.
    pub threads: i64,
    /// Blocks that an SM should have room for.
    pub resident: i64,
}

/// Makes a kernel at the end of a `gpu.module`; `body` writes what it does.
///
/// # Errors
/// A name that is taken.
pub fn kernel<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    signature: &Signature<'_, 'c>,
    body: impl FnOnce(Kit<'c, 'a>, &[Val<'c, 'a>]),
) -> Result<(), String> {
    let place = module.region_at(0).and_then(|region| region.first_block()).ok_or("names a module without a body")?;
    if walk::symbol(module, signature.name).is_some() {
        return Err(format!("names kernel @{}, but its module has that symbol already", signature.name));
    }
    builder.elsewhere(
        |rewriter| rewriter.set_insertion_point_to_end(place),
        |builder| {
            let function = function(builder, signature);
            let entry = function.region_at(0).and_then(|region| region.first_block()).expect("it was just made");
            let arguments: Vec<_> = (0..signature.parameters.len())
                .map(|index| Value::from(entry.argument(index).expect("it was just made")))
                .collect();
            builder.rewriter.set_insertion_point_to_end(entry);
            body(Kit::new(builder), &arguments);
            builder.op("gpu.return", &[], &[], &[]);
        },
    );
    Ok(())
}

fn function<'c: 'a, 'a>(builder: Builder<'c, 'a>, signature: &Signature<'_, 'c>) -> OperationRef<'c, 'a> {
    let kit = Kit::new(builder);
    let types = signature.parameters.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let arguments: Vec<_> = signature.parameters.iter().map(|&ty| (ty, builder.location)).collect();
    let region = Region::new();
    region.append_block(Block::new(&arguments));
    let alone = builder.parse("{llvm.noalias}");
    let plain = builder.parse("{}");
    let promises: Vec<_> =
        (0..arguments.len()).map(|index| if index < signature.pointers { alone } else { plain }).collect();
    let attributes = [
        ("sym_name", builder.string(signature.name)),
        ("function_type", builder.type_attribute(kit.parse_type(&format!("({types}) -> ()")))),
        ("gpu.kernel", builder.context.unit()),
        ("nvvm.reqntid", builder.context.i32_array(&[signature.threads as i32, 1, 1])),
        // Left alone, ptxas spills: it saves registers for blocks that shared memory has no room for.
        ("nvvm.maxnreg", builder.context.integer_attribute(32, registers(signature.threads * signature.resident))),
        ("arg_attrs", builder.context.array(&promises)),
    ];
    builder.insert(OperationBuilder::new("gpu.func", builder.location).add_regions([region]), &attributes)
}

/// Registers that each of so many threads of an SM may have. Its warps are dealt out to
/// four partitions with 16384 registers each; registers are allotted in steps of 8, at most 255 to a thread.
fn registers(threads: i64) -> i64 {
    let warps = (threads + 127) / 128;
    (16384 / (32 * warps) / 8 * 8).min(255)
}

/// Makes shared memory of so many bytes beside a kernel; without bytes, the memory that the launch sizes.
pub fn shared<'c: 'a, 'a>(kit: Kit<'c, 'a>, module: OperationRef<'c, 'a>, name: &str, bytes: i64) -> Val<'c, 'a> {
    let place = module.region_at(0).and_then(|region| region.first_block()).expect("the kernel is in it");
    // No more than divides the size: LLVM loads an aligned vector whose last elements are not used.
    let alignment = if bytes == 0 { 128 } else { (bytes & bytes.wrapping_neg()).min(16) };
    let attributes = [
        ("sym_name", kit.builder.string(name)),
        ("global_type", kit.builder.type_attribute(kit.parse_type(&format!("!llvm.array<{bytes} x i8>")))),
        ("linkage", kit.builder.parse(if bytes == 0 { "#llvm.linkage<external>" } else { "#llvm.linkage<internal>" })),
        ("addr_space", kit.builder.context.integer_attribute(32, i64::from(SHARED))),
        ("alignment", kit.builder.i64(alignment)),
    ];
    kit.builder.elsewhere(
        |rewriter| {
            // A module's body is never empty here: the kernel is in it.
            if let Some(first) = place.first_operation() {
                rewriter.set_insertion_point_before(first);
            }
        },
        |builder| {
            let global = OperationBuilder::new("llvm.mlir.global", builder.location).add_regions([Region::new()]);
            builder.insert(global, &attributes)
        },
    );
    let name = ("global_name", kit.builder.parse(&format!("@\"{name}\"")));
    kit.builder.value("llvm.mlir.addressof", &[], kit.pointer(SHARED), &[name])
}
