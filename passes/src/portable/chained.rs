//! A pass over arrays.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, Module, OperationRef, ValueLike};
use tile_dialect::ir::{Ir, Parts, arguments_of, is_used};
use tile_dialect::ops::{ChainedOp, ScanElement, kernel_names};
use tile_plan::chained::{ChainedPlan, select};
use tile_plan::target::Target;
use tile_portable::chained::{Chained, ChainedRegion, FIRST_NUMBER};
use tile_portable::kernel::Body;
use tile_portable::{PortableElement, PortableProgram, Scalar};

use super::kernel::{PortableReader, declined, lanes};
use super::{constant, planned, refuse};
use crate::chained::{CHAINED, ChainedKernelError, read, remark_chosen};
use crate::error::Error;
use crate::options::LoweringOptions;
use crate::{math, walk};

/// The program of a pass whose verifier has run.
///
/// # Errors
/// A pass that no strategy takes, or an op in its regions for which the target has no form, at that op.
pub(super) fn program(op: OperationRef<'_, '_>, target: Target) -> Result<PortableProgram, Error> {
    let problem =
        read::problem(ChainedOp(op), &LoweringOptions::default()).map_err(|error| refuse(op, error.to_string()))?;
    let (plan, strategy) = planned(op, &CHAINED, &problem, select(&problem, &target))?;
    let lowered = lowered(op)?;
    let same = |inside: &OperationRef<'_, '_>| kernel_names(*inside) == kernel_names(op);
    let inside = walk::named(lowered.as_operation(), ChainedOp::NAME).into_iter().find(same);
    let passes = read_passes(ChainedOp(inside.ok_or_else(Error::refused)?), &plan, target)?;
    let program = tile_portable::chained::program(&passes, target);
    let program = program.map_err(|error| refuse(op, error.to_string()))?;
    remark_chosen(op, strategy, &plan);
    Ok(program)
}

/// A module with the function around a pass, without elementary functions.
fn lowered<'c>(op: OperationRef<'c, '_>) -> Result<Module<'c>, Error> {
    let inside = |op: &OperationRef<'c, '_>| op.parent_operation().is_some();
    let around = std::iter::successors(Some(op), |op| op.parent_operation().filter(inside)).last().unwrap_or(op);
    let mut module = Module::new(op.location());
    module.body().append_operation((*around).clone());
    match Ir::with(&mut module, math::run) {
        true => Ok(module),
        false => Err(Error::refused()),
    }
}

fn read_passes<'p>(op: ChainedOp<'_, '_>, plan: &'p ChainedPlan, target: Target) -> Result<Chained<'p>, Error> {
    let no_number = || refuse(op.0, ChainedKernelError::NoNumber.to_string());
    let element = |element: Option<ScanElement<'_>>| -> Option<PortableElement> {
        let (scalar, lanes) = lanes(element?.r#type, &target).ok()?;
        Some(PortableElement { scalar, lanes: lanes as u32 })
    };
    let elements = |arrays: Vec<_>| -> Result<Vec<PortableElement>, Error> {
        arrays.into_iter().map(|array| element(read::element(array)).ok_or_else(no_number)).collect()
    };
    let payload = element(op.packed()).ok_or_else(no_number)?;
    let numbers = op.payload().into_iter().map(|number| element(ScanElement::new(number)));
    let numbers: Vec<_> = numbers.collect::<Option<_>>().ok_or_else(no_number)?;
    let init = numbers.iter().zip(op.init()).map(|(number, init)| constant::bits(init, *number)?.first().copied());
    let mut init: Vec<u64> = init.collect::<Option<_>>().ok_or_else(no_number)?;
    init.resize(payload.lanes as usize, 0);
    let mut words = FIRST_NUMBER;
    let count = op.values().len();
    let mut region = |block: Option<BlockRef<'_, '_>>, values: usize| match block {
        None => Ok(ChainedRegion::default()),
        Some(block) => region(op, (block, values), target, &mut words),
    };
    let [summary, combine, emit, finish] =
        [(op.summary(), count), (op.combine(), 0), (op.emit(), count), (op.finish(), count)]
            .map(|(block, values)| region(block, values));
    let place = op.emit().and_then(|block| block.terminator()?.operand_at(1));
    Ok(Chained {
        name: kernel_names(op.0).unwrap_or_default().1,
        plan,
        payload,
        numbers: numbers.into_iter().map(|number| number.scalar).collect(),
        init,
        sources: elements(op.sources())?,
        dests: elements(op.dests())?,
        totals: elements(op.totals())?,
        length: op.length().map(|length| elements(vec![length])).transpose()?.map(|all| all[0].scalar),
        has_halo: op.has_halo(),
        place: place.and_then(|place| lanes(place.r#type(), &target).ok()).map_or(Scalar::I32, |(scalar, _)| scalar),
        summary: summary?,
        combine: combine?,
        emit: emit?,
        finish: finish?,
        words,
    })
}

/// A region, the last `values` of whose arguments are numbers that launches pass; `words` becomes the number of their words.
fn region(
    op: ChainedOp<'_, '_>,
    (block, values): (BlockRef<'_, '_>, usize),
    target: Target,
    words: &mut u32,
) -> Result<ChainedRegion, Error> {
    let refused = |refusal| declined(op.0, &refusal);
    let mut reader = PortableReader::of_region(target, FIRST_NUMBER);
    let all = arguments_of(block);
    let (elements, numbers) = all.split_at(all.len() - values);
    let mut arguments = Vec::new();
    for argument in elements {
        let ids = reader.declare(&[*argument]).map_err(refused)?;
        arguments.extend(ids.into_iter().map(|(id, _)| is_used(*argument).then_some(id)));
    }
    numbers.iter().try_for_each(|number| reader.number(*number)).map_err(refused)?;
    let yields = reader.statements(block)?;
    *words = (*words).max(reader.numbers);
    Ok(ChainedRegion { arguments, body: Body { statements: reader.into_statements(), yields } })
}
