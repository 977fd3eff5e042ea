//! The kernels of a sort, and their launches.
//!
//! ```text
//!   passes      1               2                            4
//!   keys go     ins ▶ outs      ins ▶ workspace ▶ outs       ins ▶ workspace ▶ outs ▶ workspace ▶ outs
//! ```

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::memref::{self, DYNAMIC};
use tile_dialect::ops::{SortOp, kernel_names};
use tile_ops::Builder;
use tile_plan::scan::tile::VECTOR_BYTES;
use tile_plan::sort::{DIGITS, HISTOGRAM_THREADS, SortPlan};

use super::error::SortKernelError;
use super::histogram;
use super::kernel::{MovedArray, SortElements, SortKernel};
use super::key::KeyOrder;
use super::read::SortReading;
use super::words::Pass;
use crate::emit::{Kit, Val};
use crate::scan::host::{Arguments, Grid, Launch};
use crate::scan::module::{self, Signature};

/// Writes the kernels into the module that the op names, and their launches in place of the op.
///
/// # Errors
/// A module that cannot hold the kernels, a name that is taken, or a workspace that is too small.
pub fn lower<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: SortOp<'c, 'a>,
    reading: &SortReading,
    plan: &SortPlan,
) -> Result<(), SortKernelError> {
    check_workspace(op, plan)?;
    let module = module::find_or_make(builder, op.0, &reading.target)?;
    let (module_name, name) = kernel_names(op.0).unwrap_or_default();
    let kit = Kit::new(builder);
    let arrays = [op.sources(), op.dests(), vec![op.workspace()]].concat();
    let arguments = Arguments::new(kit, &arrays, op.epoch(), &[])?.for_elements(kit);
    let kernels = SortKernels { builder, module, plan, reading };
    let (tile, histogram) = (&plan.tile, &plan.histogram);
    let counted = Signature {
        name: &format!("{name}_histogram"),
        parameters: &arguments.types(),
        read_only: op.sources().len(),
        threads: HISTOGRAM_THREADS,
        resident: 1,
        dynamic_shared: histogram.shared_bytes,
    };
    kernels.write(&counted, |kit, kernel, arrays| histogram::body(kit, kernel, arrays.given))?;
    let elements = HISTOGRAM_THREADS * (VECTOR_BYTES / reading.problem.key_bytes);
    let mut launches = vec![launch(&counted, Grid::Between(elements, Some(histogram.blocks)))];
    let names: Vec<_> = (0..plan.passes).map(|digit| format!("{name}_{digit}")).collect();
    for (digit, name) in names.iter().enumerate() {
        let sorted =
            Signature { name, threads: DIGITS, resident: tile.resident, dynamic_shared: tile.rooms().bytes, ..counted };
        kernels.write(&sorted, |kit, kernel, arrays| {
            let [from, to] = arrays.of_pass(plan.passes, digit as i64);
            Pass { kernel, digit: digit as i64, from, to }.body(kit);
        })?;
        launches.push(launch(&sorted, Grid::PerElements(tile.elements())));
    }
    arguments.launch(kit, &module_name, &launches);
    Ok(())
}

/// Refuses a workspace that is known to be too small.
fn check_workspace(op: SortOp<'_, '_>, plan: &SortPlan) -> Result<(), SortKernelError> {
    let array = |value: Value<'_, '_>| {
        let memref = MemRefType::try_from(value.r#type()).ok()?;
        let bytes = i64::from(memref::bit_width(memref.element())? / 8);
        Some((memref::extents(memref)[0], bytes)).filter(|&(extent, _)| extent != DYNAMIC)
    };
    let (Some((extent, bytes)), Some((n, _))) = (array(op.workspace()), array(op.sources()[0])) else {
        return Ok(());
    };
    let (got, tile) = (extent.saturating_mul(bytes), plan.tile.elements());
    let expected = plan.workspace.bytes(n, tile);
    if got < expected { Err(SortKernelError::Workspace { got, expected, n, tile }) } else { Ok(()) }
}

fn launch<'t>(signature: &Signature<'t, '_>, grid: Grid) -> Launch<'t> {
    let Signature { name, threads, dynamic_shared, .. } = *signature;
    Launch { name, grid, threads, dynamic_shared }
}

/// The kernels of a sort that are being written.
struct SortKernels<'k, 'c, 'a> {
    builder: Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    plan: &'k SortPlan,
    reading: &'k SortReading,
}

/// The arrays between which passes move elements.
struct SortArrays<'c, 'a> {
    given: SortElements<'c, 'a>,
    between: SortElements<'c, 'a>,
    sorted: SortElements<'c, 'a>,
}

impl<'c: 'a, 'a> SortArrays<'c, 'a> {
    /// Where a pass gets elements from, and where it puts them. The last one writes the results.
    fn of_pass(&self, passes: i64, digit: i64) -> [SortElements<'c, 'a>; 2] {
        let is_to_results = (passes - digit) % 2 == 1;
        let to = if is_to_results { self.sorted } else { self.between };
        let from = if is_to_results { self.between } else { self.sorted };
        let to = SortElements { are_given: digit + 1 == passes, ..to };
        [if digit == 0 { self.given } else { SortElements { are_given: false, ..from } }, to]
    }
}

impl<'c: 'a, 'a> SortKernels<'_, 'c, 'a> {
    fn write(
        &self,
        signature: &Signature<'_, 'c>,
        body: impl FnOnce(Kit<'c, 'a>, SortKernel<'_, 'c, 'a>, SortArrays<'c, 'a>),
    ) -> Result<(), SortKernelError> {
        module::kernel(self.builder, self.module, signature, |kit, values| {
            let shared = module::shared(kit, self.module, &format!("__{}_shared", signature.name), 0);
            let (arrays, rest) = values.split_at(values.len() - 3);
            let order = KeyOrder::new(&self.reading.problem);
            let kernel = SortKernel::new(kit, (self.plan, order), [rest[0], rest[1], rest[2]], shared);
            let (given, sorted) = arrays.split_at(arrays.len() / 2);
            let [keys, values] = kernel.between(kit);
            let between = SortElements { keys, values: (given.len() > 1).then_some(values), are_given: false };
            let (given, sorted) = (self.elements(given), self.elements(sorted));
            body(kit, kernel, SortArrays { given, between, sorted });
        })?;
        Ok(())
    }

    fn elements(&self, arrays: &[Val<'c, 'a>]) -> SortElements<'c, 'a> {
        let problem = &self.reading.problem;
        let array = |(&first, bytes)| MovedArray { first, bytes };
        let values = arrays.get(1).zip(problem.value_bytes).map(array);
        SortElements { keys: MovedArray { first: arrays[0], bytes: problem.key_bytes }, values, are_given: true }
    }
}
