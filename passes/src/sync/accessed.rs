//! The objects of a kernel: their numbers, which of them may be the same memory, and where a memref or a buffer starts in one.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::tile;
use tile_plan::sync::Form;

use crate::read::alias::Root;
use crate::read::name;
use crate::read::place::{self, Anchor};
use crate::sync::kernel::Kernel;
use crate::sync::objects::Object;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Finds the pairs of objects that may be the same memory; `noalias`: whether the caller promises that arguments are not.
    pub(super) fn relate(&mut self, noalias: bool) {
        for (b, later) in self.objects.iter().enumerate() {
            for (a, earlier) in self.objects[..b].iter().enumerate() {
                if earlier.root.may_alias(&later.root, noalias) {
                    self.program.perhaps.push((a, b));
                    let exchanged = self.exchanged(&earlier.root, &later.root);
                    self.program.exchanged.extend(exchanged.map(|number| ((a, b), number)));
                }
            }
        }
        self.program.perhaps.sort_unstable();
    }

    /// The number of the object for some memory; a new one where there is none.
    pub(super) fn object(&mut self, memory: impl Into<Object>) -> usize {
        let memory = memory.into();
        let found = self.objects.iter().position(|it| *it == memory);
        found.unwrap_or_else(|| {
            self.objects.push(memory);
            self.objects.len() - 1
        })
    }

    /// The object of a `tile.alloc`, if something touches it.
    pub fn object_of(&self, alloc: OperationRef<'c, 'a>) -> Option<usize> {
        let memory = Root::of_allocation(alloc.result_at(0)?.into()).into();
        self.objects.iter().position(|it| *it == memory)
    }

    /// The memory of a memref or a pointer, and the byte at which it starts there, for each thread; that is not known where the
    /// threads of a block may have different ones.
    pub(super) fn memory(&mut self, value: Value<'c, 'a>) -> (Root, Option<Form>) {
        let place = place::place(value);
        let start = self.start(place.anchor);
        (place.root, start.and_then(|start| start.plus(&Form::constant(place.bytes))))
    }

    /// The distance of an anchor from the start of its memory.
    pub(super) fn start(&mut self, anchor: Anchor<'c, 'a>) -> Option<Form> {
        let (value, symbol) = match anchor {
            Anchor::Start => return Some(Form::constant(0)),
            Anchor::Pointer(value) => (value, self.terms.address(value, false)),
            Anchor::Element(value) => (value, self.terms.address(value, true)),
        };
        self.learn_uniform(symbol, value);
        self.uniform.get(&symbol)?.as_ref()?;
        self.depends(symbol);
        Some(Form::fixed(symbol))
    }

    /// The memory of a buffer that `tile.view` or `tile.alloc` makes, and the byte at which the buffer starts there.
    pub(super) fn memory_of_buffer(&mut self, buffer: Value<'c, 'a>) -> Option<(Root, Option<Form>)> {
        let op = defining_op(buffer)?;
        BufferType::from_type(buffer.r#type())?;
        match name(op) {
            tile::ViewOp::NAME => Some(self.memory(op.operand_at(0)?)),
            tile::AllocOp::NAME => Some((Root::of_allocation(buffer), Some(Form::constant(0)))),
            _ => None,
        }
    }
}
