//! What becomes of an op; copies and fills.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, Rewriter, arguments_of, defining_op};
use tile_dialect::ops::Scope;
use tile_dialect::{CONVERTED, Ctx, Space};
use tile_ops::{Builder, gpu, memref, tile};
use tile_plan::linalg::{HeldRows, LinalgForm, LinalgRefusal, LinalgSchedule, StructuredOp};
use tile_plan::problem::threads::Active;

use super::padding::Padding;
use super::read::{self, StructuredReading};
use super::site::{LoopOrder, Site};
use super::team::{Team, scope, stated_scope};
use super::tiles::{self, memref_type};
use super::{body, copies, map, pads, product, reduce, schedule};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::values::key;
use crate::read::{alias, kernel, name};
use crate::{shim, walk};

/// Converts ops.
pub struct Converter<'r, 'o, 'c, 'a> {
    /// What is known of the kernels.
    pub reader: &'r Reader<'o>,
    /// The options of the pass.
    pub options: &'o LoweringOptions,
    /// How ops are done that do not say it.
    pub schedule: LinalgSchedule,
    /// Makes and erases ops.
    pub rewriter: Rewriter<'c, 'a>,
    /// What each kernel has in registers, by the key of its op.
    rows: Option<&'r HashMap<usize, HeldRows>>,
}

/// An op that may be converted: what it is, and the kernel that it is in.
pub struct LinalgCandidate<'c, 'a> {
    /// The op, read.
    pub reading: StructuredReading<'c, 'a>,
    /// How it is done.
    pub form: LinalgForm,
    /// The kernel.
    pub kernel: OperationRef<'c, 'a>,
    /// The threads that do it together.
    pub scope: Scope,
}

impl LinalgCandidate<'_, '_> {
    /// Whether an op uses a tile in registers where it is: in the order of its dimensions.
    pub fn takes_registers(&self, operand: usize) -> bool {
        let structured = &self.reading.structured;
        match &self.form {
            LinalgForm::Copy(order) => order.is_sorted(),
            LinalgForm::Fill => true,
            LinalgForm::Map => structured.maps[operand] == structured.maps[structured.inputs],
            LinalgForm::Reduce { .. } => {
                let loops = (0..structured.extents.len()).collect::<Vec<_>>();
                operand < structured.inputs && structured.maps[operand].as_ref() == Some(&loops)
            }
            LinalgForm::Product(_) => operand >= structured.inputs,
        }
    }
}

impl<'r, 'o, 'c: 'a, 'a> Converter<'r, 'o, 'c, 'a> {
    /// A converter that keeps no tiles of maps and reductions in registers.
    pub fn new(
        reader: &'r Reader<'o>,
        options: &'o LoweringOptions,
        schedule: LinalgSchedule,
        rewriter: Rewriter<'c, 'a>,
    ) -> Self {
        Converter { reader, options, schedule, rewriter, rows: None }
    }

    /// The same, with what each kernel has in registers, by the key of its op.
    #[must_use]
    pub fn with_registers(self, rows: &'r HashMap<usize, HeldRows>) -> Self {
        Converter { rows: Some(rows), ..self }
    }

    /// What a kernel has in registers.
    pub fn rows(&self, kernel: OperationRef<'c, 'a>) -> Option<&HeldRows> {
        self.rows?.get(&walk::key(kernel))
    }

    /// The extents of the tiles of maps and reductions that a kernel has in registers.
    pub fn whole(&self, kernel: OperationRef<'c, 'a>) -> Option<&[i64]> {
        self.rows(kernel).map(|rows| &rows.held[..])
    }

    /// The memory that a value of a kernel is of.
    pub fn root(&self, kernel: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> alias::Root {
        match alias::root(value) {
            // Outlining makes an argument of the kernel of it.
            alias::Root::Borrowed(key, _) if kernel::is_launch(kernel) => alias::Root::Argument(key),
            root => root,
        }
    }

    /// Whether the arguments of a kernel that it writes overlap no others.
    pub fn noalias(&self, kernel: OperationRef<'c, 'a>) -> bool {
        alias::noalias(kernel, self.options.noalias).unwrap_or(false)
    }

    /// Reads an op, and checks that the threads of its scope may share what it does; `None` for one that is not converted.
    pub fn candidate(&self, op: OperationRef<'c, 'a>) -> Option<Result<LinalgCandidate<'c, 'a>, LinalgRefusal>> {
        Some(read::read(op)?.and_then(|mut reading| {
            let kernel = self.shared(op, &reading)?;
            let form = reading.structured.form()?;
            self.check_memory(kernel, &reading)?;
            let scope = scope(op);
            let rows = self.rows(kernel).filter(|_| scope == Scope::Cta);
            if let Some(held) = rows.and_then(|rows| held(&reading, rows)) {
                reading.structured = held;
            }
            Ok(LinalgCandidate { reading, form, kernel, scope })
        }))
    }

    /// The kernel of an op that all threads of its scope do with the same operands.
    ///
    /// # Errors
    /// They do not, or it is in no kernel.
    pub fn shared(
        &self,
        op: OperationRef<'c, 'a>,
        reading: &StructuredReading<'c, 'a>,
    ) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
        self.shared_by(op, reading, stated_scope(op)?)
    }

    /// The kernel of an op that all threads of a scope do with the same operands.
    ///
    /// # Errors
    /// As [`shared`](Self::shared).
    pub fn shared_by(
        &self,
        op: OperationRef<'c, 'a>,
        reading: &StructuredReading<'c, 'a>,
        scope: Scope,
    ) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
        let kernel = self.reached_by_all(op, scope)?;
        let captured = reading.body.map(body::captured).unwrap_or_default();
        let differs = |value: &Value<'c, 'a>| self.differs(kernel, *value, scope);
        if let Some(number) = reading.operands.iter().position(differs) {
            return Err(LinalgRefusal::Differs { what: format!("operand {number}"), scope });
        }
        if captured.iter().any(differs) {
            return Err(LinalgRefusal::Differs { what: "a value that the body uses".to_owned(), scope });
        }
        Ok(kernel)
    }

    /// The kernel of an op that all threads of a scope reach.
    ///
    /// # Errors
    /// They do not, or it is in no kernel.
    pub fn reached_by_all(
        &self,
        op: OperationRef<'c, 'a>,
        scope: Scope,
    ) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
        let kernel = self.kernel(op)?;
        self.reader.block(op).ok().flatten().ok_or(LinalgRefusal::BlockSize)?;
        let threads = self.reader.threads(op, scope).map_err(|_| LinalgRefusal::BlockSize)?;
        matches!(threads.active, Active::All).then_some(kernel).ok_or(LinalgRefusal::Divergent { scope })
    }

    /// How an op is done, as far as that is stated.
    ///
    /// # Errors
    /// What states it is no schedule.
    pub fn schedule(&self, op: OperationRef<'c, 'a>) -> Result<LinalgSchedule, LinalgRefusal> {
        schedule::of(op, &self.schedule)
    }

    /// Whether threads of a scope may have different values. What a thread allocates, or tiles, is no difference: the threads would
    /// have the same in it.
    pub fn differs(&self, kernel: OperationRef<'c, 'a>, value: Value<'c, 'a>, scope: Scope) -> bool {
        let differs = |value| !self.reader.is_uniform_in(kernel, value, scope);
        let Some(made) = defining_op(value).filter(|_| memref_type(value).is_some()) else {
            return differs(value);
        };
        if [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name(made)) || tiles::tile(value).is_some() {
            return false;
        }
        let Some(source) = alias::viewed(value) else { return differs(value) };
        let numbers = (0..made.operand_count())
            .filter_map(|index| made.operand_at(index))
            .filter(|operand| key(*operand) != key(source));
        numbers.into_iter().any(differs) || self.differs(kernel, source, scope)
    }

    /// Requires memory that the threads of a block share, and results that do not overlap other operands in another order.
    fn check_memory(
        &self,
        kernel: OperationRef<'c, 'a>,
        reading: &StructuredReading<'c, 'a>,
    ) -> Result<(), LinalgRefusal> {
        let noalias = self.noalias(kernel);
        let inputs = reading.structured.inputs;
        let root = |value| self.root(kernel, value);
        let is_memref = |value: &Value<'c, 'a>| memref_type(*value).is_some();
        for (result, to) in reading.operands.iter().enumerate().skip(inputs).filter(|(_, value)| is_memref(value)) {
            for (operand, from) in reading.operands.iter().enumerate().filter(|(_, value)| is_memref(value)) {
                let maps = &reading.structured.maps;
                let is_same = key(*from) == key(*to) && maps[operand] == maps[result];
                let is_apart =
                    operand == result || is_same && operand < inputs || !root(*from).may_alias(&root(*to), noalias);
                if !is_apart {
                    return Err(LinalgRefusal::MayAlias { input: operand, result: result - inputs });
                }
            }
        }
        Ok(())
    }

    /// Converts an op.
    ///
    /// # Errors
    /// Why it stays; then nothing is changed.
    pub fn run(&self, op: OperationRef<'c, 'a>) -> Result<(), LinalgRefusal> {
        let Some(candidate) = self.candidate(op) else { return Ok(()) };
        // Copies between memories that stay are read with their run-time extents, and may convert.
        let is_tile = |value| tiles::tile(value).is_some() || pads::open_part(value).is_some();
        let is_plain = |index| op.operand_at(index).is_some_and(|value| !is_tile(value));
        if shim::is_element_copy(op) && is_plain(0) && is_plain(1) {
            let kernel = self.kernel(op)?;
            let made = copies::make_copy(op);
            let is_other = match &candidate {
                Ok(candidate) => !matches!(candidate.form, LinalgForm::Copy(_)),
                Err(refusal) => matches!(refusal, LinalgRefusal::ResultMap { .. } | LinalgRefusal::OperandMap { .. }),
            };
            if made.is_ok() || !is_other {
                self.replace(op, kernel, Some(made?));
                return Ok(());
            }
        }
        let candidate = candidate?;
        let site = self.site(op, candidate.kernel, candidate.scope)?;
        let (last, first) = (walk::last_before(op), site.entry.first_operation());
        match self.write(&site, &candidate) {
            Ok(()) => self.replace(op, candidate.kernel, walk::last_before(op)),
            Err(refusal) => {
                self.undo(op, last, first);
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Where the code of an op goes.
    pub fn site(
        &self,
        op: OperationRef<'c, 'a>,
        kernel: OperationRef<'c, 'a>,
        scope: Scope,
    ) -> Result<Site<'_, 'c, 'a>, LinalgRefusal> {
        let entry = kernel.region_at(0).and_then(|region| region.first_block()).ok_or(LinalgRefusal::NotAKernel)?;
        let (epilogue, team) = (self.schedule(op)?.epilogue, Team::new(self.reader, op, scope)?);
        let whole = self.whole(kernel).filter(|_| scope == Scope::Cta);
        Ok(Site { builder: Builder::before(self.rewriter, op), entry, op, epilogue, team, whole })
    }

    /// The kernel around an op.
    pub(super) fn kernel(&self, op: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
        let kernel = kernel::function(op).ok_or(LinalgRefusal::NotAKernel)?;
        let has_size = || self.reader.block(op).is_ok_and(|size| size.is_some());
        let is_one = kernel::is_launch(kernel) || name(kernel) == gpu::GPUFuncOp::NAME || has_size();
        is_one.then_some(kernel).ok_or(LinalgRefusal::NotAKernel)
    }

    /// Erases an op in whose place something was made.
    fn replace(&self, op: OperationRef<'c, 'a>, kernel: OperationRef<'c, 'a>, made: Option<OperationRef<'c, 'a>>) {
        if let Some(made) = made {
            self.mark(kernel, made);
        }
        self.rewriter.erase(op);
    }

    /// States that what was made in a kernel has to be ordered. Outlining keeps attributes of the ops in a launch, not of the launch.
    pub(super) fn mark(&self, kernel: OperationRef<'c, 'a>, made: OperationRef<'c, 'a>) {
        let marked = if kernel::is_launch(kernel) { made } else { kernel };
        self.rewriter.set_attribute(marked, CONVERTED, Ctx::of(marked).unit());
    }

    /// Erases what was made before an op, after the op that came before it then, and before the one that was first in the kernel.
    fn undo(&self, op: OperationRef<'c, 'a>, last: Option<OperationRef<'c, 'a>>, first: Option<OperationRef<'c, 'a>>) {
        while let Some(made) = walk::last_before(op).filter(|made| Some(*made) != last) {
            self.rewriter.erase(made);
        }
        while let Some(made) = first.and_then(walk::last_before) {
            self.rewriter.erase(made);
        }
    }

    fn write(&self, site: &Site<'_, 'c, 'a>, candidate: &LinalgCandidate<'c, 'a>) -> Result<(), LinalgRefusal> {
        let reading = &candidate.reading;
        match &candidate.form {
            LinalgForm::Copy(order) => copy(site, reading, order),
            LinalgForm::Fill => fill(site, reading),
            LinalgForm::Map => {
                let block = reading.body.ok_or(LinalgRefusal::NotCombined)?;
                let loops = reading.structured.maps[reading.structured.inputs].clone().unwrap_or_default();
                map::write(site, reading, block, &loops)
            }
            LinalgForm::Reduce { along, input } => reduce::write(site, reading, along, *input),
            LinalgForm::Product(loops) => product::write((self.reader, &self.schedule), site, reading, *loops),
        }
    }
}

/// An op with the extents of tiles in registers. Where all its tiles are in shared memory, it keeps the extents that these have.
fn held(reading: &StructuredReading<'_, '_>, rows: &HeldRows) -> Option<StructuredOp> {
    let held = reading.structured.held(rows)?;
    let space = |value: &Value<'_, '_>| Some(tiles::buffer(tiles::tile(*value)?)?.space());
    let spaces: Vec<Option<Space>> = reading.operands.iter().map(space).collect();
    let is_longer = held.extents != reading.structured.extents;
    // Statistics of rows are few, and not of all loops.
    let is_whole = |map: &Option<Vec<usize>>| map.as_ref().is_some_and(|map| map.len() == held.extents.len());
    let has_whole = || spaces.iter().zip(&held.maps).any(|(space, map)| space.is_some() && is_whole(map));
    let stays = is_longer && !spaces.contains(&Some(Space::Local)) && has_whole();
    (!stays).then_some(held)
}

/// The dimensions of an operand, in the order of loops.
fn order(reading: &StructuredReading<'_, '_>, operand: usize, loops: &[usize]) -> LoopOrder {
    LoopOrder::new(&reading.structured, operand, loops)
}

fn copy<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    dimensions: &[usize],
) -> Result<(), LinalgRefusal> {
    let [from, to] = reading.operands[..] else { return Err(LinalgRefusal::Tensors) };
    match (tiles::tile(from), tiles::tile(to)) {
        (Some(tile), Some(to)) if key(tile) == key(to) => {}
        (Some(tile), Some(to)) => site.copy_tile(site.permuted(tile, dimensions)?, to, None)?,
        (Some(tile), None) => {
            let loops = reading.structured.maps[1].clone().unwrap_or_default();
            site.store(to, site.permuted(tile, dimensions)?, &order(reading, 1, &loops))?;
        }
        (None, Some(tile)) => {
            let loops = reading.structured.maps[1].clone().unwrap_or_default();
            // Products add no zeros; of ones, every function has a value.
            let padding = if site.whole.is_some() { Padding::One } else { Padding::Zero };
            site.load(from, tile, &order(reading, 0, &loops), padding)?;
        }
        (None, None) => pads::write(site, from, pads::open_part(to).ok_or(LinalgRefusal::Tensors)?)?,
    }
    Ok(())
}

fn fill<'c: 'a, 'a>(site: &Site<'_, 'c, 'a>, reading: &StructuredReading<'c, 'a>) -> Result<(), LinalgRefusal> {
    let block = reading.body.ok_or(LinalgRefusal::NotCombined)?;
    let scalars: Vec<_> = arguments_of(block).into_iter().zip(reading.operands.iter().copied()).collect();
    let values = body::copied(site.builder, block, &scalars, |_| None, &body::yielded(block));
    let fill = |tile, value| {
        tile::fill(site.builder, tile, &[], &[], &[], site.team.scope).filler(value).build();
    };
    for (operand, value) in (reading.structured.inputs..reading.operands.len()).zip(values) {
        let memref = reading.operands[operand];
        if let Some(tile) = tiles::tile(memref) {
            fill(tile, value);
            continue;
        }
        let loops = reading.structured.maps[operand].clone().unwrap_or_default();
        let order = order(reading, operand, &loops);
        let tile = site.operand(memref, &order, None)?;
        fill(tile, value);
        site.finish(memref, tile, &order)?;
    }
    Ok(())
}
