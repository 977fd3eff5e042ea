//! Writes maps: all loads of a part, then the region for each element, then all stores. So a result may overlap a source where all of it is
//! one part.

use std::collections::HashMap;

use melior::ir::{BlockRef, TypeLike, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::defining_op;
use tile_dialect::ops::MapOp;
use tile_layout::{IndexArith, counted};
use tile_ops::arith;
use tile_plan::elementwise::{CoordinateLimit, MapPart, MapPlan, MapProblem, MapStep, TileParts};
use tile_plan::target::Target;

use super::overlap::WrittenEarly;
use super::packed::PackedFunction;
use super::read::{MapReading, PartedPlan};
use super::{MAPS, division};
use crate::emit::error::EmitError;
use crate::emit::{Cmp, Emit, Kit, RegisterTile, Sum, inlined};

/// A map, and the registers of the part that is written.
pub struct MapWriter<'p, 'c, 'a> {
    body: BlockRef<'c, 'a>,
    problem: &'p MapProblem,
    /// The thread's parts of the coordinates.
    bases: Vec<Sum<'c, 'a>>,
    /// Whether the thread computes anything; none where all do.
    holding: Option<Value<'c, 'a>>,
    /// Whether the chip rounds two numbers to a 32-bit register at once.
    rounds: bool,
}

impl<'p, 'c: 'a, 'a> MapWriter<'p, 'c, 'a> {
    /// Writes what all parts have in common.
    ///
    /// # Errors
    /// An op without a region.
    pub fn new(
        emit: &mut Emit<'c, 'a, '_>,
        op: MapOp<'c, 'a>,
        (problem, plan): (&'p MapProblem, &MapPlan),
        target: &Target,
    ) -> Result<Self, EmitError> {
        let kit = emit.kit;
        let body = op.body().ok_or(EmitError::Operands)?;
        let thread = emit.function.thread_in(kit.builder, op.scope()).map_or_else(|| emit.constant(0), Sum::value);
        let rank = problem.results[0].shape.len();
        let bases = plan.coordinates.as_ref().map_or(Vec::new(), |coordinates| {
            (0..rank).map(|dimension| coordinates.of_thread(emit, thread, dimension)).collect()
        });
        let holding = plan.holding.is_part().then(|| {
            let (thread, count) = (emit.materialize(thread), emit.number(plan.holding.count as i64));
            kit.cmp(Cmp::Ult, thread, count)
        });
        Ok(MapWriter { body, problem, bases, holding, rounds: target.rounds_pairs() })
    }

    /// Writes a part at the insertion point, whose sources and results are in these registers.
    ///
    /// # Errors
    /// Operands that are no tiles in registers.
    pub fn write(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        part: &MapPart,
        [sources, dests]: [&[Value<'c, 'a>]; 2],
    ) -> Result<(), EmitError> {
        let kit = emit.kit;
        let tiles = |values: &[Value<'c, 'a>]| {
            values.iter().map(|&value| RegisterTile::of(kit.builder, value)).collect::<Option<Vec<_>>>()
        };
        let (sources, dests) = tiles(sources).zip(tiles(dests)).ok_or(EmitError::NotInRegisters)?;
        let coordinates: Vec<Vec<Value<'c, 'a>>> =
            part.steps.iter().map(|step| coordinates_of(emit, &self.bases, step)).collect();
        let packed = packed(self.body, &sources, &dests).filter(|_| !self.problem.has_coordinates);
        let mut coordinates = coordinates.as_slice();
        for steps in part.groups() {
            let (own, rest) = coordinates.split_at(steps.len());
            coordinates = rest;
            let inside = steps[0].checks.iter().map(|check| is_below(emit, &self.bases, check));
            let conditions: Vec<_> = self.holding.into_iter().chain(inside).collect();
            let compute = || match &packed {
                Some(function) => in_pairs(kit, steps, function, &sources, &dests),
                None => one_by_one(kit, (steps, self.rounds), self.body, (&sources, &dests), own),
            };
            match conditions.into_iter().reduce(|all, next| kit.and(all, next)) {
                Some(condition) => _ = kit.when(condition, |_| compute()),
                None => compute(),
            }
        }
        Ok(())
    }
}

/// The coordinates that a step's region takes.
fn coordinates_of<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    bases: &[Sum<'c, 'a>],
    step: &MapStep,
) -> Vec<Value<'c, 'a>> {
    let parts = bases.iter().zip(&step.coordinates);
    parts
        .map(|(&base, &part)| {
            let sum = if part == 0 {
                base
            } else {
                let part = emit.constant(part);
                emit.add(base, part)
            };
            emit.materialize(sum)
        })
        .collect()
}

/// Whether a thread's part of a coordinate is below an extent.
fn is_below<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, bases: &[Sum<'c, 'a>], check: &CoordinateLimit) -> Value<'c, 'a> {
    let (own, end) = (emit.materialize(bases[check.dimension]), emit.number(check.extent));
    emit.kit.cmp(Cmp::Ult, own, end)
}

/// The function on pairs, where it has such a form: of 16-bit floats only.
fn packed<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    sources: &[RegisterTile<'c, 'a>],
    dests: &[RegisterTile<'c, 'a>],
) -> Option<PackedFunction<'c, 'a>> {
    let element = dests.first()?.element;
    let is_one = sources.iter().chain(dests).all(|tile| tile.element == element);
    PackedFunction::of(body, element).filter(|_| is_one)
}

fn one_by_one<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    (steps, rounds): (&[MapStep], bool),
    body: BlockRef<'c, 'a>,
    (sources, dests): (&[RegisterTile<'c, 'a>], &[RegisterTile<'c, 'a>]),
    coordinates: &[Vec<Value<'c, 'a>>],
) {
    let mut loaded: HashMap<(usize, usize), Value<'c, 'a>> = HashMap::new();
    let mut load = |source: usize, register: usize| {
        *loaded.entry((source, register)).or_insert_with(|| sources[source].load(register))
    };
    let elements: Vec<Vec<_>> = steps
        .iter()
        .map(|step| step.sources.iter().enumerate().map(|(source, &register)| load(source, register)).collect())
        .collect();
    let computed = elements.into_iter().zip(coordinates);
    let computed: Vec<_> = computed.map(|(own, at)| inlined(kit, body, &[own, at.clone()].concat())).collect();
    let mut computed = computed.into_iter();
    for group in MapPlan::pairs(steps) {
        let values: Vec<Vec<_>> = computed.by_ref().take(group.len()).collect();
        for (at, dest) in dests.iter().enumerate() {
            let stored = || group.iter().zip(&values).for_each(|(step, out)| dest.store(out[at], step.results[at]));
            let pair = rounds.then(|| values.iter().map(|out| rounded(out[at])).collect::<Option<Vec<_>>>()).flatten();
            match pair.as_deref() {
                Some(&[low, high]) => dest.store_vector(kit.rounded(low, high, dest.element), group[0].results[at]),
                _ => stored(),
            }
        }
    }
}

/// The `f32` that a value of 16 bits rounds.
fn rounded<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (rounds, to) = (arith::TruncFOp::cast(defining_op(value)?)?, value.r#type());
    let is_pairwise = (to.is_f16() || to.is_bf16()) && rounds.r#in().r#type().is_f32();
    (is_pairwise && rounds.roundingmode().is_none()).then(|| rounds.r#in())
}

fn in_pairs<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    steps: &[MapStep],
    function: &PackedFunction<'c, 'a>,
    sources: &[RegisterTile<'c, 'a>],
    dests: &[RegisterTile<'c, 'a>],
) {
    let groups = MapPlan::pairs(steps);
    let load = |group: &[MapStep]| -> Vec<Value<'c, 'a>> {
        let registers = |source: usize| group.iter().map(move |step| step.sources[source]).collect::<Vec<_>>();
        let one = |(source, tile): (usize, &RegisterTile<'c, 'a>)| match registers(source)[..] {
            [first, second] if first != second => tile.vector(&[first, second]),
            [first, _] => function.both(kit, tile.load(first)),
            _ => tile.load(group[0].sources[source]),
        };
        sources.iter().enumerate().map(one).collect()
    };
    let elements: Vec<_> = groups.iter().map(|group| load(group)).collect();
    let compute = |(group, own): (&&[MapStep], Vec<Value<'c, 'a>>)| match group.len() {
        1 => inlined(kit, function.body(), &own),
        _ => function.of_pairs(kit, &own),
    };
    let computed: Vec<_> = groups.iter().zip(elements).map(compute).collect();
    for (group, values) in groups.iter().zip(computed) {
        for ((dest, &register), value) in dests.iter().zip(&group[0].results).zip(values) {
            if group.len() == 1 { dest.store(value, register) } else { dest.store_vector(value, register) }
        }
    }
}

/// The *passed* remark, and a *missed* one where all of a large tile is in registers at once.
pub fn remark_chosen(op: MapOp<'_, '_>, reading: &MapReading, chosen: &PartedPlan<MapProblem, MapPlan>) {
    let PartedPlan { parts, problem, plan } = chosen;
    let elements = counted(plan.steps.len() as i64, "element");
    let mut args = vec![("Elements", plan.steps.len().to_string()), ("Threads", plan.holding.count.to_string())];
    args.extend(parts.iter().map(|parts| ("Partition", parts.whole.layout.to_string())));
    args.extend(parts.iter().map(|parts| ("Parts", parts.count().to_string())));
    let mut text = format!(
        "each of {} computes {elements} of {}",
        counted(plan.holding.count as i64, "thread"),
        problem.results[0].name
    );
    text += &parts.as_ref().map(in_parts).unwrap_or_default();
    MAPS.emit(op.0, RemarkKind::Passed, "map", &text, &args);
    division::remark_repeated(op, &plan.steps);
    if let Some((overlap, wanted)) = reading.overlap.as_ref().zip(reading.parts_without_overlap(parts.as_ref())) {
        let WrittenEarly { result, other } = overlap;
        let text = format!(
            "all elements are in registers at once, not in {wanted} parts: {result} may overlap {other}, which would be overwritten \
             before it is read"
        );
        MAPS.emit(op.0, RemarkKind::Missed, "parts-overlap", &text, &[("Parts", wanted.to_string())]);
    }
}

/// How many parts there are, for remarks; nothing where there is one.
pub fn in_parts(parts: &TileParts) -> String {
    if parts.count() > 1 { format!(", in {} parts", parts.count()) } else { String::new() }
}
