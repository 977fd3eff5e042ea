//! Loops around ops that tiles do not hold: which of an op's loops have how many iterations in a part.

use super::form::{CombinedTerm, LinalgBody, LinalgForm, StructuredOp, UNBOUNDED};

/// Of the shared memory of a block, the part that the tiles of one op may fill once it is split: other ops have tiles, too.
const SHARE: i64 = 4;

/// The most elements that are copied at once.
const MAX_COPIED: i64 = 1 << 16;

/// What bounds the tiles of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitRoom {
    /// The shared memory of a block, in bytes.
    pub shared_bytes: i64,
    /// The rows, columns and depths that are multiplied at once, of a product.
    pub product: Option<[i64; 3]>,
    /// Whether the chip multiplies the product as it is.
    pub is_multiplied: bool,
    /// Whether the op is part of one that was split.
    pub is_part: bool,
}

/// What is done to an op that tiles do not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitStep {
    /// Loops over parts: how many iterations of each of the op's loops a part has, 0 for all of them.
    Parts(Vec<i64>),
    /// As [`Parts`](Self::Parts), of reductions: the result is kept in memory of that shape meanwhile.
    Reduction {
        /// The shape of the result.
        shape: Vec<i64>,
        /// The iterations of a part.
        sizes: Vec<i64>,
    },
    /// Loops of one iteration are dropped.
    Units,
}

impl StructuredOp {
    /// What is done to the op first; `None` where tiles hold it, or nothing helps.
    pub fn split(&self, room: &SplitRoom) -> Option<SplitStep> {
        if self.extents.iter().any(|&extent| extent < 1) || self.is_held(room) {
            return None;
        }
        let sizes = self.sizes(room);
        let parts = |reduces: bool| -> Option<Vec<i64>> {
            let size = |number: usize| {
                let is_split = self.reduces[number] == reduces && sizes[number] < self.extents[number];
                if is_split { sizes[number] } else { 0 }
            };
            let parts: Vec<i64> = (0..sizes.len()).map(size).collect();
            parts.iter().any(|&size| size > 0).then_some(parts)
        };
        if let Some(parts) = parts(false) {
            return Some(SplitStep::Parts(parts));
        }
        let has_units = (0..sizes.len()).any(|number| self.extents[number] == 1 && !self.is_open[number]);
        if has_units && (room.is_part || self.windows().next().is_some() || self.form().is_err()) {
            return Some(SplitStep::Units);
        }
        let result = self.maps.get(self.inputs)?.as_ref()?;
        let shape = result.iter().map(|&number| self.extents[number]).collect();
        parts(true).map(|sizes| SplitStep::Reduction { shape, sizes })
    }

    /// Whether tiles hold the op as it is.
    fn is_held(&self, room: &SplitRoom) -> bool {
        let fits = self.bytes(&self.extents) <= room.shared_bytes;
        match self.form() {
            Ok(LinalgForm::Product(_)) => fits && room.is_multiplied,
            // A thread copies its elements without a loop, and from memory to memory without a tile.
            Ok(LinalgForm::Copy(_)) => {
                self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent)) <= MAX_COPIED
            }
            Ok(_) => fits,
            Err(_) => false,
        }
    }

    /// The bytes of the tiles of parts of that size.
    fn bytes(&self, sizes: &[i64]) -> i64 {
        let elements = |loops: &[usize]| loops.iter().fold(1i64, |all, &number| all.saturating_mul(sizes[number]));
        let bytes = |loops: &[usize], bits: u32| elements(loops).saturating_mul(i64::from(bits)) / 8;
        // Sums of products are in registers.
        let is_product = matches!(self.body, LinalgBody::Combined { is_sum: true, term: CombinedTerm::Product(factors) } if self.is_product(factors));
        let count = if is_product { self.inputs } else { self.indices.len() };
        let operand = |operand: usize| bytes(&self.loops(operand), self.bits[operand]);
        let operands = (0..count).map(operand).fold(0i64, i64::saturating_add);
        let is_computed = match self.body {
            LinalgBody::Combined { term, .. } => !is_product && !matches!(term, CombinedTerm::Element(_)),
            _ => false,
        };
        let all: Vec<usize> = (0..sizes.len()).collect();
        let bits = self.bits.iter().max().copied().unwrap_or_default();
        let terms = if is_computed { bytes(&all, bits) } else { 0 };
        operands.saturating_add(terms)
    }

    /// The iterations of each loop that a part has.
    fn sizes(&self, room: &SplitRoom) -> Vec<i64> {
        let mut sizes = self.extents.clone();
        for window in self.windows() {
            // One loop may remain where it steps by single elements.
            let is_kept = |&&(number, factor): &&(usize, i64)| factor == 1 && !self.reduces[number];
            let kept = window.iter().filter(is_kept).max_by_key(|(number, _)| self.extents[*number]);
            let others = window.iter().filter(|(number, _)| kept.is_none_or(|(one, _)| one != number));
            others.for_each(|(number, _)| sizes[*number] = 1);
        }
        match (self.body, room.product) {
            (LinalgBody::Combined { is_sum: true, term: CombinedTerm::Product(factors) }, Some(product))
                if self.is_product(factors) =>
            {
                self.limit_product(&mut sizes, factors, product)
            }
            _ => self.limit_bytes(&mut sizes, room.shared_bytes / SHARE),
        }
        sizes
    }

    /// One loop each of rows, columns and depths, the longest, of as many as are multiplied at once.
    fn limit_product(&self, sizes: &mut [i64], [a, b]: [usize; 2], product: [i64; 3]) {
        let kind = |number: usize| match (self.loops(a).contains(&number), self.loops(b).contains(&number)) {
            (true, false) if !self.reduces[number] => Some(0),
            (false, true) if !self.reduces[number] => Some(1),
            (true, true) if self.reduces[number] => Some(2),
            _ => None,
        };
        for (place, most) in product.into_iter().enumerate() {
            let of_kind = |number: &usize| kind(*number) == Some(place) && sizes[*number] > 1;
            let longest = (0..sizes.len()).filter(of_kind).max_by_key(|&number| sizes[number]);
            let others: Vec<usize> =
                (0..sizes.len()).filter(|number| of_kind(number) && Some(*number) != longest).collect();
            others.into_iter().for_each(|number| sizes[number] = 1);
            if let Some(longest) = longest {
                sizes[longest] = sizes[longest].min(most);
            }
        }
        (0..sizes.len()).filter(|&number| kind(number).is_none()).for_each(|number| sizes[number] = 1);
    }

    /// Parts of at most so many bytes: the loops that are last in some operand, which are contiguous in memory, remain longest.
    fn limit_bytes(&self, sizes: &mut [i64], most: i64) {
        let is_last = |number: usize| self.maps.iter().flatten().any(|map| map.last() == Some(&number));
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&number| (self.reduces[number], is_last(number)));
        // Lengths are powers of two, so that parts begin where vectors do.
        for &number in &order {
            while self.bytes(sizes) > most && sizes[number] > 1 {
                let is_shortened = !is_last(number) || sizes[number] > 64;
                if !is_shortened {
                    break;
                }
                sizes[number] = if sizes[number] == UNBOUNDED { 1 << 20 } else { previous_power(sizes[number]) };
            }
        }
        for &number in &order {
            while self.bytes(sizes) > most && sizes[number] > 1 {
                sizes[number] = previous_power(sizes[number]);
            }
            if sizes[number] == UNBOUNDED {
                sizes[number] = 1;
            }
        }
    }
}

/// The largest power of two that is less.
fn previous_power(number: i64) -> i64 {
    1 << (number - 1).ilog2()
}
