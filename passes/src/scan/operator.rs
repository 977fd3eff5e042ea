//! Code that combines elements.

use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ir::{Parts, arguments_of, defining_op};
use tile_dialect::ops::{CombineKind, ScanOp};
use tile_ops::arith;

use crate::emit::{EmittedElement, Kit, Val, combined, identity, inlined};
use crate::read::name;

/// The operator of a scan.
#[derive(Clone, Copy)]
pub struct Operator<'c, 'a> {
    /// The element that it combines.
    pub element: EmittedElement<'c>,
    kind: CombineKind,
    body: Option<BlockRef<'c, 'a>>,
    commutes: bool,
}

/// Ops of two operands that commute.
const COMMUTING: [&str; 10] = [
    arith::AddIOp::NAME,
    arith::AddFOp::NAME,
    arith::MulIOp::NAME,
    arith::AndIOp::NAME,
    arith::OrIOp::NAME,
    arith::XOrIOp::NAME,
    arith::MinSIOp::NAME,
    arith::MinUIOp::NAME,
    arith::MaxSIOp::NAME,
    arith::MaxUIOp::NAME,
];

/// Whether a region combines each number of its left argument with that of its right one, in either order, by one of these ops.
fn combines_by(body: BlockRef<'_, '_>, ops: &[&str]) -> bool {
    let arguments = arguments_of(body);
    let (left, right) = arguments.split_at(arguments.len() / 2);
    left.iter().zip(right).enumerate().all(|(index, (&left, &right))| {
        let op = body.terminator().and_then(|end| end.operand_at(index)).and_then(defining_op);
        op.is_some_and(|op| {
            let operands = [op.operand_at(0), op.operand_at(1)];
            let is = |pair: [_; 2]| operands == pair.map(Some);
            ops.contains(&name(op)) && (is([left, right]) || is([right, left]))
        })
    })
}

/// An element that may be missing, as there is nothing before the first one.
#[derive(Clone, Copy)]
pub struct Maybe<'c, 'a> {
    /// The element; an arbitrary value where it is missing.
    pub value: Val<'c, 'a>,
    /// A bit that says whether it is present; `None` where it always is.
    pub there: Option<Val<'c, 'a>>,
}

impl<'c, 'a> Maybe<'c, 'a> {
    /// An element that is always present.
    pub fn always(value: Val<'c, 'a>) -> Self {
        Maybe { value, there: None }
    }

    /// An element that is present where the bit is set.
    pub fn where_set(value: Val<'c, 'a>, bit: Val<'c, 'a>) -> Self {
        Maybe { value, there: Some(bit) }
    }
}

impl<'c: 'a, 'a> Operator<'c, 'a> {
    /// The operator of an op whose verifier has run.
    pub fn new(op: ScanOp<'c, 'a>) -> Option<Self> {
        let (kind, body) = (op.kind(), op.combine());
        let commutes = kind != CombineKind::Custom;
        Some(Operator { element: EmittedElement(op.element()?), kind, body, commutes })
    }

    /// The operator of a region on elements that are one number or, packed, several.
    pub fn of_region(element: EmittedElement<'c>, body: BlockRef<'c, 'a>) -> Self {
        Operator { element, kind: CombineKind::Custom, body: Some(body), commutes: combines_by(body, &COMMUTING) }
    }

    /// Whether the operator is known to commute.
    pub fn commutes(&self) -> bool {
        self.commutes
    }

    /// Whether the operator is a region that adds integers.
    pub fn adds(&self) -> bool {
        self.body.is_some_and(|body| combines_by(body, &[arith::AddIOp::NAME]))
    }

    /// `left` combined with `right`.
    pub fn combine(&self, kit: Kit<'c, 'a>, left: Val<'c, 'a>, right: Val<'c, 'a>) -> Val<'c, 'a> {
        match self.body {
            Some(body) => {
                let arguments = arguments_of(body);
                let numbers: Vec<_> = arguments[..arguments.len() / 2].iter().map(ValueLike::r#type).collect();
                let given = [left, right].map(|payload| self.element.numbers(kit, payload, &numbers)).concat();
                self.element.of_numbers(kit, &inlined(kit, body, &given))
            }
            None => combined(kit, self.kind, self.element.0.float, left, right),
        }
    }

    /// The same where the left one may be missing.
    pub fn after(&self, kit: Kit<'c, 'a>, left: Maybe<'c, 'a>, right: Val<'c, 'a>) -> Val<'c, 'a> {
        let both = self.combine(kit, left.value, right);
        left.there.map_or(both, |there| kit.select(there, both, right))
    }

    /// The same where both may be missing.
    pub fn join(&self, kit: Kit<'c, 'a>, left: Maybe<'c, 'a>, right: Maybe<'c, 'a>) -> Maybe<'c, 'a> {
        let both = self.after(kit, left, right.value);
        let Some(there) = right.there else { return Maybe::always(both) };
        let value = kit.select(there, both, left.value);
        Maybe { value, there: left.there.map(|left| kit.or(left, there)) }
    }

    /// The identity, with which an exclusive scan without an initial value starts.
    pub fn identity(&self, kit: Kit<'c, 'a>) -> Option<Val<'c, 'a>> {
        identity(kit, self.kind, self.element.0)
    }
}
