//! The memory that accesses are of: as a whole, or through the run-time strides of a buffer; and which of it may overlap.

use std::collections::{BTreeMap, HashMap};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Type, TypeLike, Value};
use tile_dialect::ir::{Parts, arguments_of};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::bounds::Term;
use tile_plan::sync::RemoteBlock;

use crate::read::alias::{self, Root};
use crate::read::values::{key, operands};

/// Memory that accesses are of.
#[derive(Clone, Debug)]
pub struct Object {
    /// The memory.
    pub root: Root,
    /// What gives its offsets, where these are known only at run time.
    pub pitch: Option<Pitch>,
    /// What selects the part of it that an access touches, where that is unknown, but another one each time.
    pub selection: Option<Selection>,
    /// The swizzle of the tile that it is, in bytes, where all accesses are compared by their bytes before it.
    pub swizzle: Option<Swizzle>,
}

/// Coordinates of a buffer that an op selects, others in each of its executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The op that promises so, by its result.
    pub op: usize,
    /// The number of the buffer's coordinates.
    pub coordinates: usize,
    /// The dimension.
    pub dimension: usize,
    /// How many coordinates belong to each execution.
    pub width: i64,
}

/// The swizzle follows from the memory, and only accesses through the tile state it.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.pitch == other.pitch && self.selection == other.selection
    }
}

impl From<Root> for Object {
    fn from(root: Root) -> Self {
        Object { root, pitch: None, selection: None, swizzle: None }
    }
}

/// What is known of a buffer with run-time strides before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferForm {
    /// The extent and the stride of each dimension; an extent that is known only at run time is [`OPEN`](tile_layout::OPEN), and
    /// an assumed number stands for such a stride.
    Plain(Vec<(i64, i64)>),
    /// Another type, by its address.
    Other(usize),
}

impl BufferForm {
    /// The form of a buffer of a type and a layout, whose run-time strides are assumed to be these.
    pub fn new(r#type: Type<'_>, (layout, shape): (&Layout, &[i64]), assumed: &[i64]) -> Self {
        let whole = layout.offset.values().all(|&at| at == 0) && layout.swizzle.is_none_or(|swizzle| swizzle.len == 0);
        let dimension = |(iter, &extent): (&Iter, &i64)| match iter.axis {
            _ if iter.extent != extent => None,
            Axis::Memory => Some((extent, iter.stride)),
            axis => Some((extent, assumed.get(axis.stride_index()?)?.checked_mul(iter.stride)?)),
        };
        let plain = whole && layout.replica.is_empty() && layout.shard.len() == shape.len();
        let all = plain.then(|| layout.shard.iter().zip(shape).map(dimension).collect::<Option<_>>()).flatten();
        all.map_or(BufferForm::Other(r#type.to_raw().ptr as usize), BufferForm::Plain)
    }
}

/// The form of a buffer with its run-time strides and extents: two buffers of one memory that agree in these are the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// Type, layout and shape.
    pub form: BufferForm,
    /// The strides, then the extents.
    pub numbers: Vec<Term>,
    /// The bytes that stand for the strides.
    pub strides: Vec<i64>,
}

impl Pitch {
    /// A byte, as a user reads it.
    ///
    /// ```text
    ///   3 * 2^40 + 10, a stride of 2^40        byte 10 after 3 * s0
    /// ```
    pub fn byte_text(&self, byte: i64) -> String {
        let mut steps = Vec::new();
        let rest = self.strides.iter().enumerate().fold(byte, |rest, (index, &stride)| {
            let count = rest.saturating_add(stride / 2).div_euclid(stride);
            if count != 0 {
                steps.push(format!("{count} * s{index}"));
            }
            rest - count * stride
        });
        if steps.is_empty() { format!("byte {rest}") } else { format!("byte {rest} after {}", steps.join(" + ")) }
    }
}

/// The number of the first object that belongs to another block; a kernel has fewer of its own.
const REMOTE_OBJECT_BASE: usize = 1 << (usize::BITS - 1);

/// The objects of a kernel, by their numbers.
#[derive(Default)]
pub struct Objects {
    all: Vec<Object>,
    /// Values by which loops exchange memory, each with the number of its loop.
    exchanged: HashMap<usize, usize>,
    /// Coordinates of buffers: the buffer, and its layout and shape as views of it have them.
    coordinates: Vec<(usize, Layout, Vec<i64>)>,
    /// Objects in the memory of other blocks: the object's number there, and which block it is.
    remote: BTreeMap<usize, (usize, RemoteBlock)>,
}

/// The pairs of objects that may be the same memory, the smaller number first; and the loops within whose iterations such a pair is
/// distinct.
#[derive(Default)]
pub struct Relations {
    /// The pairs, sorted.
    pub may_alias: Vec<(usize, usize)>,
    /// The numbers of the loops.
    pub exchanged: BTreeMap<(usize, usize), usize>,
}

impl Objects {
    /// The number of the object for some memory; a new one where there is none.
    pub fn number(&mut self, memory: impl Into<Object>) -> usize {
        let memory = memory.into();
        match self.all.iter().position(|known| *known == memory) {
            Some(number) => {
                self.all[number].swizzle = self.all[number].swizzle.or(memory.swizzle);
                number
            }
            None => {
                self.all.push(memory);
                self.all.len() - 1
            }
        }
    }

    /// Whether the memory of an object of this block is of unknown origin.
    pub fn is_unknown(&self, object: usize) -> bool {
        self.all.get(object).is_some_and(|object| object.root.is_unknown())
    }

    /// The number that stands for an object of another block.
    pub fn remote(&mut self, object: usize, peer: RemoteBlock) -> usize {
        let number = REMOTE_OBJECT_BASE + self.remote.len();
        self.remote.insert(number, (object, peer));
        number
    }

    /// The number of a buffer's coordinates. A permuted or reshaped view has others than the buffer itself.
    pub fn coordinates(&mut self, buffer: Value<'_, '_>, layout: &Layout, shape: &[i64]) -> usize {
        let new = (key(buffer), layout.clone(), shape.to_vec());
        self.coordinates.iter().position(|known| *known == new).unwrap_or_else(|| {
            self.coordinates.push(new);
            self.coordinates.len() - 1
        })
    }

    /// Records the values by which an `scf.for` of this number exchanges memory: distinct allocations that it carries and hands on
    /// in another order.
    ///
    /// ```mlir
    ///   scf.for … iter_args(%p = %s, %q = %t) {        one of %s and %t each, but never the same in one iteration
    ///     …
    ///     scf.yield %q, %p
    /// ```
    pub fn exchange(&mut self, op: OperationRef<'_, '_>, number: usize) {
        let Some(body) = op.region_at(0).and_then(|region| region.first_block()) else { return };
        let Some(end) = body.terminator() else { return };
        let (arguments, yields) = (arguments_of(body), operands(end));
        let carried = arguments.iter().skip(1).zip(op.operands().skip(3)).zip(yields);
        let mut members: Vec<(usize, usize, Root)> = carried
            .filter(|((_, first), _)| alias::is_address(*first))
            .map(|((argument, first), next)| (key(*argument), key(next), alias::root(first)))
            .filter(|(.., first)| matches!(first, Root::Made(..)))
            .collect();
        // Each hands on the memory of another, or its own.
        while let Some(at) = members.iter().position(|(_, next, _)| !members.iter().any(|(key, ..)| key == next)) {
            members.remove(at);
        }
        let mut nexts: Vec<usize> = members.iter().map(|(_, next, _)| *next).collect();
        nexts.sort_unstable();
        nexts.dedup();
        let distinct = |at: usize| members[..at].iter().all(|(.., other)| *other != members[at].2);
        if nexts.len() == members.len() && (0..members.len()).all(distinct) {
            self.exchanged.extend(members.iter().map(|(key, ..)| (*key, number)));
        }
    }

    /// The loop that exchanges the memory of two objects, so that they are distinct within one iteration.
    fn exchanged(&self, a: &Root, b: &Root) -> Option<usize> {
        let number = |root: &Root| match root {
            Root::OneOf(value, _) => self.exchanged.get(value).copied(),
            _ => None,
        };
        number(a).filter(|exchanges| a != b && number(b) == Some(*exchanges))
    }

    /// Which objects may be the same memory; `noalias`: whether the caller promises that arguments are not.
    pub fn relations(&self, noalias: bool) -> Relations {
        let mut relations = Relations::default();
        for (b, later) in self.all.iter().enumerate() {
            for (a, earlier) in self.all[..b].iter().enumerate() {
                if earlier.root.may_alias(&later.root, noalias) {
                    relations.may_alias.push((a, b));
                    let exchanged = self.exchanged(&earlier.root, &later.root);
                    relations.exchanged.extend(exchanged.map(|number| ((a, b), number)));
                }
            }
        }
        relations.may_alias.sort_unstable();
        relations
    }

    /// The objects of this block, and those in the memory of other blocks.
    pub fn finish(self) -> (Vec<Object>, BTreeMap<usize, (usize, RemoteBlock)>) {
        (self.all, self.remote)
    }
}
