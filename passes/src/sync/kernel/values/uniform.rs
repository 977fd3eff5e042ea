//! Values that are not known, but equal in all threads of a block.
//!
//! ```mlir
//!   %row = memref.load %rows[%block]               equal as long as the kernel runs
//!   scf.for %i = %block to %n step %blocks {       equal within an iteration
//!     %column = memref.load %columns[%i]           likewise
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::ir::{argument_of, defining_op};
use tile_ops::scf;
use tile_plan::bounds::Term;

use super::KernelValues;
use crate::read::{kernel, name};

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// Learns of a symbol whether its value is equal in all threads of a block.
    pub(super) fn learn_uniform(&mut self, symbol: Term, value: Value<'c, 'a>) {
        if self.uniform.contains_key(&symbol) {
            return;
        }
        let loops = self.uniform_within(value);
        if loops.is_some() {
            self.sources.fixed.insert(symbol);
            self.differs_between_blocks(symbol);
        }
        self.uniform.insert(symbol, loops);
    }

    /// The loops whose iterations compute a value anew, if it is equal in all threads of a block each time.
    fn uniform_within(&self, value: Value<'c, 'a>) -> Option<Vec<usize>> {
        let owner = match argument_of(value) {
            Some((block, _)) => block.parent_operation(),
            None => defining_op(value).and_then(|op| op.parent_operation()),
        }?;
        let is = |op: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>| op.to_raw().ptr == other.to_raw().ptr;
        if kernel::ancestors(self.function).any(|around| is(around, owner)) {
            return Some(Vec::new());
        }
        let mut loops = Vec::new();
        for around in std::iter::once(owner).chain(kernel::ancestors(owner)) {
            if is(around, self.function) {
                return self.reader.is_uniform(around, value).then_some(loops);
            }
            match name(around) {
                scf::IfOp::NAME | scf::ExecuteRegionOp::NAME => {}
                _ => loops.push(self.loops.number(around)?),
            }
        }
        None
    }

    /// Records for a fixed value, which may be computed from others, in which loops it varies and whether blocks differ in it.
    pub(super) fn depends(&mut self, value: Term) {
        for symbol in self.terms.question.terms.needs(value).clone() {
            if self.differs.contains(&symbol) {
                self.differs_between_blocks(value);
            }
            let uniform = self.uniform.get(&symbol).into_iter().flatten().flatten();
            let counted = self.sources.loops.get(&symbol).map(|(number, ..)| number);
            let stepped = self.sources.stepped.get(&symbol);
            let carried = self.sources.carried.get(&symbol).map(|(number, _)| number);
            for &number in uniform.chain(counted).chain(stepped).chain(carried) {
                self.loops.varies(number, value);
            }
        }
    }
}
