//! `tile.chained`.

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, BlockRef, OperationRef, RegionLike, Type, Value};

use super::scan::{ScanElement, attribute_type};
use super::segment;
use crate::context::Ctx;
use crate::ir::Parts;

/// A `tile.chained`.
#[derive(Clone, Copy, Debug)]
pub struct ChainedOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> ChainedOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.chained";

    /// The arrays that are read, at least one.
    pub fn sources(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 0)
    }

    /// The arrays of results.
    pub fn dests(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 1)
    }

    /// The arrays whose first elements are results for all elements.
    pub fn totals(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 2)
    }

    /// The array whose first element is the number of elements.
    pub fn length(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 3).first().copied()
    }

    /// Numbers that are passed to the regions.
    pub fn values(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 4)
    }

    /// The states of tiles, which blocks exchange.
    pub fn workspace(self) -> Value<'c, 'a> {
        segment(self.0, 5)[0]
    }

    /// The number of the launch, an i32.
    pub fn epoch(self) -> Value<'c, 'a> {
        segment(self.0, 6)[0]
    }

    /// The payload before the first element, number by number.
    pub fn init(self) -> Vec<Attribute<'c>> {
        let init = self.0.attribute("init").ok().and_then(|init| ArrayAttribute::try_from(init).ok());
        init.map_or_else(Vec::new, |init| (0..init.len()).filter_map(|index| init.element(index).ok()).collect())
    }

    /// The types of the numbers of a payload.
    pub fn payload(self) -> Vec<Type<'c>> {
        self.init().into_iter().map(attribute_type).collect()
    }

    /// Whether regions see the elements next to an element.
    pub fn has_halo(self) -> bool {
        self.0.has_attribute("halo")
    }

    /// Whether places do not follow each other.
    pub fn is_scattered(self) -> bool {
        self.0.has_attribute("scattered")
    }

    /// The region that computes the payload of one element.
    pub fn summary(self) -> Option<BlockRef<'c, 'a>> {
        self.block(0)
    }

    /// The region that combines two payloads.
    pub fn combine(self) -> Option<BlockRef<'c, 'a>> {
        self.block(1)
    }

    /// The region that computes the results for one element.
    pub fn emit(self) -> Option<BlockRef<'c, 'a>> {
        self.block(2)
    }

    /// The region that computes the results for all elements.
    pub fn finish(self) -> Option<BlockRef<'c, 'a>> {
        self.block(3)
    }

    fn block(self, region: usize) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(region)?.first_block()
    }

    /// The element in which the numbers of a payload travel: the number itself, or for several of them a vector of integers as
    /// wide as the widest, as many as the next power of two.
    ///
    /// ```text
    ///   i32            i32
    ///   (i32, f32)     vector<2xi32>
    ///   (i32, f64)     vector<2xi64>
    ///   (i8, i8, i16)  vector<4xi16>
    /// ```
    ///
    /// `None` for no numbers, and for what is no number.
    pub fn packed(self) -> Option<ScanElement<'c>> {
        let numbers: Vec<_> = self.payload().into_iter().map(ScanElement::new).collect::<Option<_>>()?;
        match &numbers[..] {
            [] => None,
            [only] => Some(*only),
            several => {
                let bits = several.iter().map(|number| number.bits()).max()?;
                let lanes = several.len().next_power_of_two() as u64;
                ScanElement::new(Type::vector(&[lanes], Ctx::of(self.0).integer(bits)))
            }
        }
    }
}
