//! Moves maps out of kernels: to the host, which passes them as arguments.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts, Rewriter, argument_of, defining_op, operand_name, results_of};
use tile_ops::{gpu, tile};

use super::argument;
use super::error::MapError;
use crate::launches::{self, kernel_launches};
use crate::read::values::key;
use crate::read::{effects, kernel, name};
use crate::{shim, walk};

/// Moves every map in a kernel below the root to the host; `false`, after errors, where one describes what only the kernel knows.
pub fn run(ir: &mut Ir<'_>) -> bool {
    let mut shared = HashMap::new();
    walk::named(ir.root(), tile::TensorMapOp::NAME).into_iter().fold(true, |complete, map| {
        let Some(function) = kernel::function(map) else { return complete };
        let moved = match name(function) {
            gpu::LaunchOp::NAME => before_launch(map, function, ir.rewriter()),
            _ if kernel::is_entry(function) => to_argument(ir, map, function, &mut shared),
            gpu::GPUFuncOp::NAME => Err(MapError::InFunction),
            // Code of the host.
            _ => Ok(()),
        };
        moved.map_err(|reason| Diagnostic::error(reason).emit(map)).is_ok() && complete
    })
}

/// Checks that the host can make a tile of a kernel, too.
///
/// # Errors
/// A value that only the kernel knows.
pub fn check_tile<'c: 'a, 'a>(tile: Value<'c, 'a>) -> Result<(), MapError> {
    let Some(made) = defining_op(tile) else { return Ok(()) };
    let Some(function) = kernel::function(made) else { return Ok(()) };
    let launch = function.to_raw().ptr as usize;
    match name(function) {
        gpu::LaunchOp::NAME => Slice::of(made, |value| kernel::is_captured(value, launch)).map(drop),
        _ if kernel::is_entry(function) => Slice::of(made, |value| number_in(value, function).is_some()).map(drop),
        _ => Ok(()),
    }
}

/// The number of an argument of a kernel.
fn number_in<'c: 'a, 'a>(value: Value<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<usize> {
    let (block, number) = argument_of(value)?;
    (block.parent_operation() == Some(kernel)).then_some(number)
}

/// Maps of kernels that are arguments already, by the kernel and what makes them.
type Shared<'c, 'a> = HashMap<(usize, String), Value<'c, 'a>>;

/// Makes a map an argument of its kernel, and has each launch make it.
///
/// # Errors
/// A tile that does not follow from the kernel's arguments.
fn to_argument<'c: 'a, 'a>(
    ir: &'a Ir<'c>,
    map: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    shared: &mut Shared<'c, 'a>,
) -> Result<(), MapError> {
    let number = |value: Value<'c, 'a>| number_in(value, kernel);
    let slice = Slice::of(map, |value| number(value).is_some()).map_err(hinted)?;
    let result = map.result_at(0).ok_or(MapError::Malformed)?;
    let key = (kernel.to_raw().ptr as usize, slice.text());
    let argument = match shared.get(&key) {
        Some(&known) => known,
        None => {
            let argument = shim::append_argument(kernel, result.r#type(), argument::location(map));
            argument::describe(ir.rewriter(), kernel, argument, map);
            for launch in kernel_launches(ir.root(), kernel) {
                let operands: Vec<_> = launches::arguments(launch).collect();
                let leaf = |value| number(value).and_then(|number| operands.get(number).copied());
                let made = slice.clone_before(launch, leaf, ir.rewriter()).ok_or(MapError::Arguments)?;
                shim::set_kernel_operands(launch, &[operands, vec![made]].concat());
            }
            shared.insert(key, argument);
            argument
        }
    };
    ir.rewriter().replace(map, &[argument]);
    Ok(())
}

/// Why a map stays in the kernel, and what describes such a tile there.
fn hinted(error: MapError) -> MapError {
    MapError::Hint(Box::new(error))
}

/// Moves a map in front of the launch that it is in.
///
/// # Errors
/// A tile that is made in the launch from what only the kernel knows.
fn before_launch<'c: 'a, 'a>(
    map: OperationRef<'c, 'a>,
    launch: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Result<(), MapError> {
    let launch_key = launch.to_raw().ptr as usize;
    let slice = Slice::of(map, |value| kernel::is_captured(value, launch_key)).map_err(hinted)?;
    let made = slice.clone_before(launch, Some, rewriter).ok_or(MapError::Malformed)?;
    rewriter.replace(map, &[made]);
    Ok(())
}

/// A map, and the ops that make its tile, operands first.
struct Slice<'c, 'a> {
    ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Slice<'c, 'a> {
    /// The ops from the leaves to a map.
    ///
    /// # Errors
    /// A value that is neither a leaf nor the same on the host.
    fn of(map: OperationRef<'c, 'a>, is_leaf: impl Fn(Value<'c, 'a>) -> bool) -> Result<Self, MapError> {
        let mut slice = Slice { ops: Vec::new() };
        slice.visit(map, &is_leaf)?;
        Ok(slice)
    }

    fn visit(&mut self, op: OperationRef<'c, 'a>, is_leaf: &impl Fn(Value<'c, 'a>) -> bool) -> Result<(), MapError> {
        if self.ops.contains(&op) {
            return Ok(());
        }
        for operand in op.operands().filter(|&operand| !is_leaf(operand)) {
            let by = defining_op(operand).filter(|&by| by.region_count() == 0 && effects::is_portable(by));
            let by = by.ok_or_else(|| {
                MapError::OfKernel(defining_op(operand).map_or_else(|| operand_name(operand), |by| name(by).to_owned()))
            })?;
            self.visit(by, is_leaf)?;
        }
        self.ops.push(op);
        Ok(())
    }

    /// A text that is the same for another slice that makes the same map.
    fn text(&self) -> String {
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut text = String::new();
        for op in &self.ops {
            // Results of the slice by the number of the op, leaves by their address.
            let operands: Vec<_> =
                op.operands().map(|value| numbers.get(&key(value)).copied().ok_or(key(value))).collect();
            let results = results_of(*op);
            let types: Vec<_> = results.iter().map(|result| result.r#type().to_string()).collect();
            let attributes: Vec<_> = op
                .attributes()
                .map(|(name, value)| (name.as_string_ref().as_str().map(str::to_owned), value.to_string()))
                .collect();
            text += &format!("{} {operands:?} {types:?} {attributes:?}\n", name(*op));
            let count = numbers.len();
            numbers.extend(results.into_iter().enumerate().map(|(place, result)| (key(result), count + place)));
        }
        text
    }

    /// Copies the ops, with other values for the leaves; the map.
    fn clone_before(
        &self,
        op: OperationRef<'c, 'a>,
        leaf: impl Fn(Value<'c, 'a>) -> Option<Value<'c, 'a>>,
        rewriter: Rewriter<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        rewriter.set_insertion_point_before(op);
        let mut made: HashMap<usize, Value<'c, 'a>> = HashMap::new();
        let mut last = None;
        for &original in &self.ops {
            let operand = |value: Value<'c, 'a>| made.get(&key(value)).copied().or_else(|| leaf(value));
            let operands: Option<Vec<_>> = original.operands().map(operand).collect();
            let copy = rewriter.insert_clone(original, &operands?);
            let results = results_of(copy);
            made.extend(results_of(original).into_iter().map(key).zip(results.iter().copied()));
            last = results.first().copied();
        }
        last
    }
}
