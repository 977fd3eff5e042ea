//! Sums that are packed from the registers of a tile, and put back there: operations that move nothing.

use std::cell::RefCell;
use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use rustc_hash::FxHashMap;
use tile_dialect::ir::{Parts, defining_op, results_of, uses};
use tile_ops::{llvm, memref, scf};

use super::{accumulator, is_product, is_product_name, register};
use crate::read::name;
use crate::read::values::key;

/// The register that each field of a struct is loaded from: the tile, and the number; `None` where that is no register of a tile.
type Fields = FxHashMap<Vec<i64>, Option<(usize, i64)>>;

/// What packs sums and takes them apart. Each chain of operations is followed once, so this must not outlive a change of the IR.
#[derive(Default)]
pub struct PackedSums {
    /// The fields of packed structs, by the value.
    fields: RefCell<FxHashMap<usize, Rc<Fields>>>,
    /// Operations, and whether nothing but products uses their results and what these are packed into.
    packed: RefCell<FxHashMap<usize, bool>>,
}

impl PackedSums {
    /// Whether an operation packs registers of a tile for a product, or puts sums back in the registers that they were packed from.
    pub fn keeps(&self, op: OperationRef<'_, '_>) -> bool {
        match name(op) {
            memref::LoadOp::NAME => register(op, 0).is_some() && self.is_packed(op),
            memref::StoreOp::NAME => {
                op.operand_at(0).and_then(defining_op).is_some_and(|extract| self.is_put_back(extract, op))
            }
            llvm::ExtractValueOp::NAME => {
                let users = results_of(op).into_iter().flat_map(uses);
                users.into_iter().all(|(user, operand)| operand == 0 && self.is_put_back(op, user))
            }
            _ => false,
        }
    }

    /// The accumulators that an operation reads, which is neither a product nor a loop.
    pub fn read_accumulators(&self, op: OperationRef<'_, '_>) -> Vec<usize> {
        let hands_on = name(op) == scf::YieldOp::NAME
            && op.parent_operation().is_some_and(|parent| name(parent) == scf::ForOp::NAME);
        if hands_on || is_product(op) || name(op) == scf::ForOp::NAME {
            return Vec::new();
        }
        let mut accumulators: Vec<usize> = op.operands().filter_map(accumulator).collect();
        accumulators.dedup();
        if !accumulators.is_empty() && self.keeps(op) {
            return Vec::new();
        }
        accumulators
    }

    /// Whether nothing but products uses a value and what it is packed into.
    fn is_packed(&self, op: OperationRef<'_, '_>) -> bool {
        let (mut at, mut chain) = (op, Vec::new());
        let is_packed = loop {
            if let Some(&known) = self.packed.borrow().get(&address(at)) {
                break known;
            }
            chain.push(address(at));
            let users: Vec<_> = results_of(at).into_iter().flat_map(uses).collect();
            let [(user, operand)] = users[..] else { break false };
            match name(user) {
                llvm::InsertValueOp::NAME => at = user,
                name => break is_product_name(name) && operand == 0,
            }
        };
        self.packed.borrow_mut().extend(chain.into_iter().map(|op| (op, is_packed)));
        is_packed
    }

    /// Whether an `llvm.extractvalue` takes from a sum what the store puts back in its register.
    fn is_put_back<'c: 'a, 'a>(&self, extract: OperationRef<'c, 'a>, store: OperationRef<'c, 'a>) -> bool {
        let same = || {
            let at = llvm::ExtractValueOp::cast(extract)?.position();
            let mut sums = extract.operand_at(0)?;
            while let Some(product) = defining_op(sums).filter(|op| is_product(*op)) {
                sums = product.operand_at(0)?;
            }
            let taken = (*self.fields(sums).get(&at)?)?;
            let (kept, put) = register(store, 1)?;
            Some(taken == (key(kept), put))
        };
        same().unwrap_or(false)
    }

    /// The fields of a struct, as far as they are inserted.
    fn fields(&self, packed: Value<'_, '_>) -> Rc<Fields> {
        if let Some(known) = self.fields.borrow().get(&key(packed)) {
            return Rc::clone(known);
        }
        let (mut fields, mut at) = (Fields::default(), defining_op(packed));
        while let Some(insert) = at.and_then(llvm::InsertValueOp::cast) {
            let loaded = || register(defining_op(insert.value_operand())?, 0).map(|(tile, number)| (key(tile), number));
            fields.entry(insert.position()).or_insert_with(loaded);
            at = defining_op(insert.container());
        }
        let fields = Rc::new(fields);
        self.fields.borrow_mut().insert(key(packed), Rc::clone(&fields));
        fields
    }
}

fn address(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}
