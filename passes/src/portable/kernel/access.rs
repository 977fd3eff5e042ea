//! Loads and stores.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_ops::{memref, vector};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::kernel::{KernelAccess, Statement};

use super::reader::PortableReader;
use super::values::{self, Id, KnownValue};

impl PortableReader {
    /// Reads a load or a store of consecutive elements; `false` for other ops.
    pub(super) fn access(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        if let Some(load) = memref::LoadOp::cast(op) {
            self.load(load.result(), load.memref(), load.indices(), load.alignment())?;
        } else if let Some(load) = vector::LoadOp::cast(op) {
            self.load(load.result(), load.base(), load.indices(), load.alignment())?;
        } else if let Some(store) = memref::StoreOp::cast(op) {
            self.store(store.value_operand(), store.memref(), store.indices(), store.alignment())?;
        } else if let Some(store) = vector::StoreOp::cast(op) {
            self.store(store.value_to_store(), store.base(), store.indices(), store.alignment())?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn load<'c: 'a, 'a>(
        &mut self,
        result: Value<'c, 'a>,
        memref: Value<'c, 'a>,
        indices: impl Iterator<Item = Value<'c, 'a>>,
        alignment: Option<i64>,
    ) -> Result<(), Refusal> {
        let (_, count) = values::scalar_type(result, &self.target)?;
        let lanes: Vec<Id> = (0..count).map(|_| self.fresh()).collect();
        let access = self.elements(memref, indices, lanes.clone(), alignment)?;
        self.statements.push(Statement::Load(access));
        self.know(result, KnownValue::Lanes(lanes));
        Ok(())
    }

    fn store<'c: 'a, 'a>(
        &mut self,
        value: Value<'c, 'a>,
        memref: Value<'c, 'a>,
        indices: impl Iterator<Item = Value<'c, 'a>>,
        alignment: Option<i64>,
    ) -> Result<(), Refusal> {
        let lanes = self.lanes(value)?;
        let access = self.elements(memref, indices, lanes, alignment)?;
        self.statements.push(Statement::Store(access));
        Ok(())
    }

    /// The access to consecutive elements of a memref, starting at the indices.
    pub(super) fn elements<'c: 'a, 'a>(
        &mut self,
        memref: Value<'c, 'a>,
        indices: impl Iterator<Item = Value<'c, 'a>>,
        lanes: Vec<Id>,
        alignment: Option<i64>,
    ) -> Result<KernelAccess, Refusal> {
        let view = self.view(memref)?;
        let mut terms = Vec::new();
        for index in indices {
            terms.push(self.term(index)?);
        }
        if terms.len() != view.strides.len() {
            return Err(kernels::r#type(&memref.r#type().to_string(), &self.target));
        }
        let index = self.element_number(&view, &terms)?;
        let alignment = alignment.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(1);
        Ok(KernelAccess::new(view.memory, index, view.bits, lanes, alignment))
    }
}
