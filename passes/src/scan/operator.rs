//! Code that combines elements.

use melior::ir::{BlockRef, ValueLike};
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::{CombineKind, ScanOp};

use crate::emit::{EmittedElement, Kit, Val, combined, identity, inlined};

/// The operator of a scan.
#[derive(Clone, Copy)]
pub struct Operator<'c, 'a> {
    /// The element that it combines.
    pub element: EmittedElement<'c>,
    kind: CombineKind,
    body: Option<BlockRef<'c, 'a>>,
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
        Some(Operator { element: EmittedElement(op.element()?), kind: op.kind(), body: op.combine() })
    }

    /// The operator of a region on elements that are one number or, packed, several.
    pub fn of_region(element: EmittedElement<'c>, body: BlockRef<'c, 'a>) -> Self {
        Operator { element, kind: CombineKind::Custom, body: Some(body) }
    }

    /// Whether the operator is known to commute. An operator given as a region is not.
    pub fn commutes(&self) -> bool {
        self.kind != CombineKind::Custom
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
