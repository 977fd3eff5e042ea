//! A kernel's maps are prefetched at its entry, by one thread, so that the first box does not wait for 128 bytes of parameters.
//!
//! ```text
//!   copies through %m                                        prefetched
//!   at the entry, in a loop, by some of the threads          yes
//!   in some turns of a loop                                  yes
//!   where an argument, a block id or a load says so          no: the launch may not use it
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_dialect::ops::PlannedOp;
use tile_isa::Scope;
use tile_ops::llvm_type::Space;
use tile_ops::{Builder, builtin, interface, nvvm, scf};

use crate::emit::error::EmitError;
use crate::emit::{Emit, Function, Kit, Sum};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::values::{key, operands};
use crate::read::{kernel, name};

/// The maps of one kernel that its copies use in every launch.
pub struct KernelMaps<'c, 'a> {
    /// One of the copies.
    pub copy: OperationRef<'c, 'a>,
    /// The kernel.
    pub kernel: OperationRef<'c, 'a>,
    maps: Vec<Value<'c, 'a>>,
}

/// The maps to prefetch in each kernel that has planned copies among `copies`.
pub fn find<'c: 'a, 'a>(copies: &[OperationRef<'c, 'a>], options: &LoweringOptions) -> Vec<KernelMaps<'c, 'a>> {
    // Where one thread of a warp is elected, it does not matter which.
    let reader = Reader::new(options).with_leader(0);
    let mut kernels: Vec<KernelMaps<'c, 'a>> = Vec::new();
    for &copy in copies {
        let maps = PlannedOp(copy).maps();
        let Some(kernel) = kernel::function(copy).filter(|&function| !maps.is_empty() && kernel::is_entry(function))
        else {
            continue;
        };
        if !is_always_reached(copy, kernel, &reader) {
            continue;
        }
        let place = kernels.iter().position(|known| known.kernel == kernel).unwrap_or_else(|| {
            kernels.push(KernelMaps { copy, kernel, maps: Vec::new() });
            kernels.len() - 1
        });
        let known = &mut kernels[place].maps;
        for map in maps.into_iter().filter(|&map| is_argument_of(map, kernel)) {
            if !known.iter().any(|&other| key(other) == key(map)) {
                known.push(map);
            }
        }
    }
    kernels.retain(|known| !known.maps.is_empty());
    kernels
}

fn is_argument_of(value: Value<'_, '_>, kernel: OperationRef<'_, '_>) -> bool {
    argument_of(value).is_some_and(|(block, _)| block.parent_operation() == Some(kernel))
}

/// Whether some thread reaches an op in every launch: what is around it decides between threads, or between turns of a loop.
fn is_always_reached(op: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>, reader: &Reader<'_>) -> bool {
    let mut inside = op;
    for outer in kernel::ancestors(op) {
        let entry = outer.regions().any(|region| region.first_block() == inside.block());
        let decides: Vec<Value<'_, '_>> = match name(outer) {
            scf::IfOp::NAME | scf::IndexSwitchOp::NAME => operands(outer),
            _ => Vec::new(),
        };
        let every_launch = |&value: &Value<'_, '_>| reader.is_known(kernel, value) || is_of_turns(value);
        if !entry || !decides.iter().all(every_launch) {
            return false;
        }
        if outer == kernel {
            return true;
        }
        inside = outer;
    }
    false
}

/// Whether a value follows from the counter of a loop, or from what a loop carries.
fn is_of_turns(value: Value<'_, '_>) -> bool {
    let (mut waiting, mut met) = (vec![value], HashSet::new());
    while let Some(next) = waiting.pop() {
        if !met.insert(key(next)) {
            continue;
        }
        match (defining_op(next), argument_of(next)) {
            (Some(by), _) => waiting.extend(operands(by)),
            (None, Some((block, _))) => {
                if block.parent_operation().is_some_and(|around| !interface::is_function(around)) {
                    return true;
                }
            }
            (None, None) => {}
        }
    }
    false
}

/// Prefetches maps at the start of their kernel, by its first thread.
///
/// # Errors
/// Those of the emitter.
pub fn write<'c: 'a, 'a>(
    function: &Function<'c, 'a>,
    builder: Builder<'c, 'a>,
    maps: &KernelMaps<'c, 'a>,
) -> Result<(), EmitError> {
    let Some(thread) = function.thread_in(builder, Scope::Cta) else { return Ok(()) };
    // What the condition needs comes before it.
    function.constant(builder, 0);
    let mut outcome = Ok(());
    function.at_start(builder, |builder| {
        let mut emit = Emit::new(builder, function);
        let first = emit.equal(Sum::value(thread), 0);
        outcome = emit.when_true(first, |emit| {
            maps.maps.iter().for_each(|&map| prefetch(emit.kit, map));
            Ok(())
        });
        first
    });
    outcome
}

fn prefetch<'c: 'a, 'a>(kit: Kit<'c, 'a>, map: Value<'c, 'a>) {
    let pointer = builtin::unrealized_conversion_cast(kit.builder, &[map], &[kit.pointer(Space::Generic)]).build();
    if let Some(pointer) = pointer.operation().result_at(0) {
        nvvm::prefetch(kit.builder, pointer.into()).tensormap(true).build();
    }
}
