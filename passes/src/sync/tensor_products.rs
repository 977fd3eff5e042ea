//! Products by `tcgen05.mma`: operands in shared memory by their descriptors, A and the sum in tensor memory.

use std::rc::Rc;

use melior::ir::{OperationRef, Value, ValueLike};
use tile_ops::nvvm::{CTAGroupKind, Tcgen05MMAKind};
use tile_ops::{llvm_type, nvvm};
use tile_plan::sync::{Access, Completion, Footprint, Op, Pipe, TensorProduct};
use tile_plan::{Space, ThreadSet};

use crate::read::divisibility;
use crate::sync::copies::access;
use crate::sync::descriptors::Described;
use crate::sync::kernel::Kernel;

/// Operands whose bytes are known where the rows of A, or the columns of B, are next to each other: of 16 bits.
const HALVES: Tcgen05MMAKind = Tcgen05MMAKind::F16;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// A product, which the next `tcgen05.commit` of its thread completes.
    ///
    /// # Errors
    /// What of it is not known.
    pub(super) fn tensor_product(&mut self, op: OperationRef<'c, 'a>, does: &mut Op) -> Result<(), String> {
        let of = nvvm::Tcgen05MMAOp::cast(op).ok_or("its operands are not known")?;
        if of.cta_group() != Some(CTAGroupKind::Cta1) {
            return Err("it is one of two blocks, expected cta_group<cta_1>".to_owned());
        }
        if does.active.len() != 1 {
            return Err(format!("{} threads issue it, expected one", does.active.len()));
        }
        let kind = of.kind().ok_or("its kind is not known")?;
        let instruction = divisibility::of(of.idesc()).constant();
        let product = TensorProduct::new(instruction.ok_or("its instruction descriptor is not a constant")?)?;
        let by = does.active;
        let mut found = Vec::new();
        for (which, value, rows) in [("A", of.matrix_a(), product.rows), ("B", of.matrix_b(), product.columns)] {
            if llvm_type::is_pointer(value.r#type()) {
                let left = self.in_tensor_memory(value, product.left(by), by);
                found.push(Access { pipe: Some(Pipe::Operand), ..left });
                continue;
            }
            let transposed = product.transposed[usize::from(which == "B")];
            let described = Described { rows, transposed, is_of_tensor: true };
            let read = self.described(value, described, does);
            let read = read.map_err(|why| format!("the descriptor of {which} {why}"))?;
            // Where it is not known which bytes are read, it may be any of the tile.
            let known = !transposed || kind == HALVES;
            found.push(if known { read } else { Access { bytes: None, ..read } });
        }
        let sum = self.in_tensor_memory(of.matrix_d(), product.sum(by), by);
        found.push(Access { write: true, pipe: Some(Pipe::Sum(product.pipe(kind as u64))), ..sum });
        for access in found {
            let access = Access { completion: Completion::Commit, through_async_proxy: true, ..access };
            does.accesses.extend(self.at(op, None, access));
        }
        Ok(())
    }

    /// An access of tensor memory from where an address points.
    fn in_tensor_memory(&mut self, address: Value<'c, 'a>, bytes: Footprint, by: ThreadSet) -> Access {
        let (root, first) = self.tensor(address);
        let object = self.object(root);
        let thread = by.iter().next().unwrap_or(0);
        let place = first.map(|form| (Rc::new(bytes.shifted(form.of_thread(thread))), form.shift));
        access(object, Space::Tmem, false, place)
    }
}
