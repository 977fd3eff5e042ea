//! Ops with regions: branches, loops, atomic updates.

use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::{Parts, arguments_of, is_used, results_of};
use tile_ops::{memref, scf};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::Scalar;
use tile_portable::kernel::{Body, Carried, KernelMemory, Loop, PassedOn, Statement, While};

use super::reader::PortableReader;
use super::values::{self, Id};
use crate::error::Error;

impl PortableReader {
    /// Reads a branch, a loop or an atomic update; `false` for other ops.
    pub(super) fn control(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Error> {
        if scf::IfOp::cast(op).is_some() {
            self.branch(op)?;
        } else if let Some(all) = scf::ForOp::cast(op) {
            self.r#for(op, all)?;
        } else if let Some(all) = scf::WhileOp::cast(op) {
            self.r#while(op, all)?;
        } else if let Some(update) = memref::GenericAtomicRMWOp::cast(op) {
            self.update(op, update)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The statements of an op's region, and the values that it yields.
    fn body(&mut self, op: OperationRef<'_, '_>, region: usize) -> Result<Body, Error> {
        let around = std::mem::take(&mut self.statements);
        let block = op.region_at(region).and_then(|region| region.first_block());
        let yields = block.map_or(Ok(Vec::new()), |block| self.statements(block))?;
        Ok(Body { statements: std::mem::replace(&mut self.statements, around), yields })
    }

    fn branch(&mut self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let refused = |refusal: Refusal| super::declined(op, &refusal);
        let condition = self.operand(op, 0).map_err(refused)?[0];
        let bodies = [self.body(op, 0)?, self.body(op, 1)?];
        let results = self.declare(&results_of(op)).map_err(refused)?;
        self.statements.push(Statement::If { condition, results, bodies });
        Ok(())
    }

    /// Reads an atomic update of an element that threads share, whose result nothing uses.
    fn update<'c: 'a, 'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        update: memref::GenericAtomicRMWOp<'c, 'a>,
    ) -> Result<(), Error> {
        let refused = |refusal: Refusal| super::declined(op, &refusal);
        let lanes = self.taken(op, 0)?.into_iter().map(|(id, _)| id).collect();
        let access = self.elements(update.memref(), update.indices(), lanes, None).map_err(refused)?;
        kernels::atomic(access.bits, &self.target).map_err(refused)?;
        let is_shared = !matches!(self.memories[access.memory], KernelMemory::Private(_));
        if is_used(update.result()) || !is_shared {
            return Err(refused(self.unknown(op)));
        }
        let body = self.body(op, 0)?;
        self.statements.push(Statement::Update(access, body));
        Ok(())
    }

    fn r#for<'c: 'a, 'a>(&mut self, op: OperationRef<'c, 'a>, all: scf::ForOp<'c, 'a>) -> Result<(), Error> {
        let refused = |refusal: Refusal| super::declined(op, &refusal);
        let mut range = [0; 3];
        for (place, value) in range.iter_mut().zip([all.lower_bound(), all.upper_bound(), all.step()]) {
            *place = self.id(value).map_err(refused)?;
        }
        let (scalar, _) = values::scalar_type(all.lower_bound(), &self.target).map_err(refused)?;
        if scalar.bits() != 32 {
            return Err(refused(kernels::operation("a loop over numbers of other than 32 bits", &self.target)));
        }
        let firsts = self.flat(all.init_args()).map_err(refused)?;
        let inside = self.taken(op, 0)?;
        let [(counter, _), inside @ ..] = inside.as_slice() else { return Err(Error::refused()) };
        let body = self.body(op, 0)?;
        let results = self.declare(&results_of(op)).map_err(refused)?;
        let carried = inside.iter().zip(firsts).zip(results);
        let carried =
            carried.map(|((&(inside, scalar), first), (result, _))| Carried { scalar, first, inside, result });
        let (carried, signed) = (carried.collect(), !all.unsigned_cmp());
        self.statements.push(Statement::For(Box::new(Loop {
            counter: *counter,
            scalar,
            range,
            signed,
            carried,
            body,
        })));
        Ok(())
    }

    /// Declares new values for the block arguments of a region.
    fn taken(&mut self, op: OperationRef<'_, '_>, region: usize) -> Result<Vec<(Id, Scalar)>, Error> {
        let block = op.region_at(region).and_then(|region| region.first_block()).ok_or_else(Error::refused)?;
        self.declare(&arguments_of(block)).map_err(|refusal| super::declined(op, &refusal))
    }

    /// Reads a `while` loop. The first region ends with the condition and the values that it passes on.
    fn r#while<'c: 'a, 'a>(&mut self, op: OperationRef<'c, 'a>, all: scf::WhileOp<'c, 'a>) -> Result<(), Error> {
        let refused = |refusal: Refusal| super::declined(op, &refusal);
        let firsts = self.flat(all.inits()).map_err(refused)?;
        let carried = self.taken(op, 0)?.into_iter().map(|(inside, _)| inside).zip(firsts).collect();
        let mut before = self.body(op, 0)?;
        if before.yields.is_empty() {
            return Err(Error::refused());
        }
        let condition = before.yields.remove(0);
        let inside = self.taken(op, 1)?;
        let after = self.body(op, 1)?;
        let results = self.declare(&results_of(op)).map_err(refused)?;
        let given = inside.into_iter().zip(results);
        let given = given.map(|((inside, scalar), (result, _))| PassedOn { scalar, inside, result }).collect();
        self.statements.push(Statement::While(Box::new(While { carried, before, condition, given, after })));
        Ok(())
    }
}
