//! Where tiles of layout `auto` go: the allocations that reach the same values have one layout.
//!
//! ```mlir
//!   %s, %t = tile.alloc                                   one class: %s, %t, %this, %next and the results
//!   scf.for … iter_args(%this = %s, %next = %t) {
//!     %p = tile.permute %this [1, 0]                      a view
//!     tile.copy %p to %r                                  an access
//!     scf.yield %next, %this
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Arguments, Parts, results_of, uses};
use tile_dialect::{BufferType, Space};
use tile_ops::{scf, tile};

use super::uses::TileUse;
use crate::read::values::key;
use crate::read::{alias, name};
use crate::{shim, walk};

/// What an op does with a tile that it takes, by its name or by the accesses that it states.
pub fn use_of(op: OperationRef<'_, '_>) -> TileUse {
    match TileUse::named(name(op)) {
        TileUse::Unknown if shim::stated_accesses(op).is_some() => TileUse::Stated,
        known => known,
    }
}

/// Allocations that reach the same values, with all that is made of them.
#[derive(Default)]
pub struct TileClass<'c, 'a> {
    /// The allocations.
    pub allocs: Vec<OperationRef<'c, 'a>>,
    /// Their results, and the values that loops and branches carry them in.
    pub roots: Vec<Value<'c, 'a>>,
    /// The ops that access them, each once.
    pub accesses: Vec<OperationRef<'c, 'a>>,
    /// The identities of the tiles and of all views of them.
    pub values: HashSet<usize>,
}

impl TileClass<'_, '_> {
    /// Whether a value is one of the tiles, or a view of one.
    pub fn has(&self, value: Value<'_, '_>) -> bool {
        self.values.contains(&key(value))
    }
}

/// The classes of a memory at or below the root; `None`, after errors, where a tile escapes.
pub fn classes<'c: 'a, 'a>(root: OperationRef<'c, 'a>, space: Space) -> Option<Vec<TileClass<'c, 'a>>> {
    let is_of_space = |op: &OperationRef<'c, 'a>| made(*op).is_some_and(|tile| tile.is_auto() && tile.space() == space);
    let allocs = walk::named(root, tile::AllocOp::NAME).into_iter().filter(is_of_space);
    let (mut seen, mut followed, mut complete) = (HashSet::new(), Vec::new(), true);
    for alloc in allocs {
        let Some(result) = alloc.result_at(0) else { continue };
        if seen.contains(&key(result.into())) {
            continue;
        }
        let mut flow = TileFlow { class: TileClass::default(), waiting: vec![result.into()], seen: &mut seen };
        match flow.follow() {
            Ok(()) => followed.push(flow.class),
            Err((use_, why)) => {
                let text = format!("has the layout auto, and cannot be given one: {why}");
                Diagnostic::error(text).note(use_.location(), "it is used here").emit(alloc);
                complete = false;
            }
        }
    }
    complete.then_some(followed)
}

/// Whether an allocation leaves its layout open.
pub fn is_auto(alloc: OperationRef<'_, '_>) -> bool {
    made(alloc).is_some_and(BufferType::is_auto)
}

/// The type of the tile that an op makes.
fn made<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<BufferType<'c>> {
    op.result_at(0).and_then(|result| BufferType::from_type(result.r#type()))
}

struct TileFlow<'s, 'c, 'a> {
    class: TileClass<'c, 'a>,
    waiting: Vec<Value<'c, 'a>>,
    seen: &'s mut HashSet<usize>,
}

/// What a tile escapes to, and why that is one.
type Escape<'c, 'a> = (OperationRef<'c, 'a>, String);

impl<'c: 'a, 'a> TileFlow<'_, 'c, 'a> {
    fn follow(&mut self) -> Result<(), Escape<'c, 'a>> {
        while let Some(root) = self.waiting.pop() {
            if !self.seen.insert(key(root)) {
                continue;
            }
            self.class.roots.push(root);
            match tile_dialect::ir::defining_op(root) {
                Some(op) if name(op) == tile::AllocOp::NAME => self.class.allocs.push(op),
                Some(op) => self.carries(op, root)?,
                None => self.enters(root)?,
            }
            self.uses(root, true)?;
        }
        Ok(())
    }

    /// Follows the uses of a tile, which is a whole one, or a view.
    fn uses(&mut self, value: Value<'c, 'a>, whole: bool) -> Result<(), Escape<'c, 'a>> {
        self.class.values.insert(key(value));
        for (op, number) in uses(value) {
            match use_of(op) {
                TileUse::View => {
                    for result in results_of(op) {
                        self.uses(result, false)?;
                    }
                }
                use_ if use_.accesses(alias::space(value)) => {
                    if !self.class.accesses.contains(&op) {
                        self.class.accesses.push(op);
                    }
                }
                TileUse::Carried if whole => self.passes(op, number)?,
                TileUse::Carried => {
                    return Err((
                        op,
                        "a view of it is carried by a loop or a branch; expected the tile itself".to_owned(),
                    ));
                }
                TileUse::Bytes => {
                    return Err((
                        op,
                        format!("'{}' needs its bytes in order; expected a tile with a layout", name(op)),
                    ));
                }
                _ => {
                    let allowed = "copies, fills, products, maps, reductions, views, scf.for and scf.if";
                    return Err((op, format!("'{}' takes it; expected {allowed} only", name(op))));
                }
            }
        }
        Ok(())
    }

    /// A tile that is operand `number` of a loop, or of what ends a body.
    fn passes(&mut self, op: OperationRef<'c, 'a>, number: usize) -> Result<(), Escape<'c, 'a>> {
        let (around, place) = match name(op) {
            scf::ForOp::NAME => (op, number.checked_sub(LOOP_BOUNDS)),
            _ => (op.parent_operation().ok_or_else(|| (op, "it is in no op".to_owned()))?, Some(number)),
        };
        let result = place.and_then(|place| around.result_at(place));
        let result = result.ok_or_else(|| (op, "it is no value that the op carries".to_owned()))?;
        self.waiting.push(result.into());
        Ok(())
    }

    /// All that a result of a loop or a branch may be.
    fn carries(&mut self, op: OperationRef<'c, 'a>, result: Value<'c, 'a>) -> Result<(), Escape<'c, 'a>> {
        let place = results_of(op).iter().position(|other| key(*other) == key(result)).unwrap_or_default();
        if ![scf::ForOp::NAME, scf::IfOp::NAME].contains(&name(op)) {
            return Err((op, format!("'{}' carries it; expected scf.for or scf.if", name(op))));
        }
        for region in op.regions() {
            let Some(body) = region.first_block() else { continue };
            if name(op) == scf::ForOp::NAME {
                self.waiting.extend(body.argument_at(place + 1).map(Value::from));
            }
            let yielded = body.terminator().and_then(|last| last.operand_at(place));
            self.waiting.extend(yielded);
        }
        if name(op) == scf::ForOp::NAME {
            self.waiting.extend(op.operand_at(LOOP_BOUNDS + place));
        }
        Ok(())
    }

    /// A value that a block receives.
    fn enters(&mut self, argument: Value<'c, 'a>) -> Result<(), Escape<'c, 'a>> {
        let Some((block, place)) = tile_dialect::ir::argument_of(argument) else { return Ok(()) };
        let Some(op) = block.parent_operation() else { return Ok(()) };
        match place.checked_sub(1).and_then(|place| op.result_at(place)) {
            Some(result) if name(op) == scf::ForOp::NAME => {
                self.waiting.push(result.into());
                Ok(())
            }
            _ => Err((op, format!("'{}' passes it in; expected a tile that the kernel allocates", name(op)))),
        }
    }
}

/// The operands of an `scf.for` before those that it carries: its bounds and its step.
const LOOP_BOUNDS: usize = 3;
