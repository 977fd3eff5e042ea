//! Elements of tiles that are combined: by an operator, and between lanes.

use melior::ir::{BlockRef, Value, ValueLike};
use tile_dialect::ops::{CombineKind, ScanElement, Scope};
use tile_ops::{Builder, arith};

use crate::emit::{Emit, EmittedElement, Kit, RegisterTile, combined, inlined};

/// Elements that are combined together, one of each tile.
pub type Elements<'c, 'a> = Vec<Value<'c, 'a>>;

/// What combines them.
#[derive(Clone, Copy)]
pub struct Operator<'c, 'a> {
    /// The operator's name.
    pub kind: CombineKind,
    /// The region of a custom one.
    pub body: Option<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Operator<'c, 'a> {
    /// The left elements combined with the right ones.
    pub fn combine(self, kit: Kit<'c, 'a>, left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]) -> Elements<'c, 'a> {
        if let Some(body) = self.body {
            return inlined(kit, body, &[left, right].concat());
        }
        let is_float = |value: Value<'c, 'a>| scalar(value).is_some_and(|scalar| scalar.float);
        let pairs = left.iter().zip(right);
        pairs.map(|(&left, &right)| combined(kit, self.kind, is_float(left), left, right)).collect()
    }
}

/// Elements after a shuffle of 32-bit numbers.
pub fn shuffled<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    elements: &[Value<'c, 'a>],
    shuffle: &dyn Fn(Value<'c, 'a>) -> Value<'c, 'a>,
) -> Elements<'c, 'a> {
    let moved = |&value: &Value<'c, 'a>| match scalar(value) {
        // All targets shuffle numbers of 32 bits as they are.
        Some(scalar) if scalar.bits() != 32 => EmittedElement(scalar).shuffled(kit, value, shuffle),
        _ => shuffle(value),
    };
    elements.iter().map(moved).collect()
}

/// The lane's number, of 32 bits.
pub fn lane<'c: 'a, 'a>(emit: &Emit<'c, 'a, '_>) -> Value<'c, 'a> {
    let kit = emit.kit;
    let lane = emit.function.thread_in(kit.builder, Scope::Warp);
    lane.map_or_else(|| kit.i32(0), |lane| arith::index_cast(kit.builder, lane, kit.int_type(32)).value())
}

/// Tiles in registers; `None` if a value is none.
pub fn register_tiles<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    values: Vec<Value<'c, 'a>>,
) -> Option<Vec<RegisterTile<'c, 'a>>> {
    values.into_iter().map(|value| RegisterTile::of(builder, value)).collect()
}

/// The type of a value as a number.
pub fn scalar<'c>(value: Value<'c, '_>) -> Option<ScanElement<'c>> {
    ScanElement::new(value.r#type())
}
