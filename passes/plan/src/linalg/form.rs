//! What an op is, by its loops, the maps of its operands and its body.

use super::refusal::LinalgRefusal;

/// The most elements of a tile: twice what shared memory holds.
pub const MAX_ELEMENTS: i64 = 1 << 19;

/// The extent of a loop that nothing bounds.
pub const UNBOUNDED: i64 = i64::MAX;

/// Loops, each with its factor, that are added.
pub type LoopSum = Vec<(usize, i64)>;

/// The loop of each dimension of each operand; `None` for an operand with a dimension that is not indexed by one loop alone.
pub fn maps(indices: &[Vec<LoopSum>]) -> Vec<Option<Vec<usize>>> {
    let single = |sum: &LoopSum| if let [(number, 1)] = sum[..] { Some(number) } else { None };
    indices.iter().map(|dimensions| dimensions.iter().map(single).collect()).collect()
}

/// A structured op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredOp {
    /// The extent of each loop; of one that is known only at run time, the largest that it may have, or [`UNBOUNDED`]; of one that a tile
    /// is longer than, the tile's.
    pub extents: Vec<i64>,
    /// The most iterations that have elements in memory.
    pub ends: Vec<i64>,
    /// Whether each loop may have fewer iterations than its extent.
    pub is_open: Vec<bool>,
    /// Whether each loop reduces.
    pub reduces: Vec<bool>,
    /// The loop of each dimension of each operand; `None` for one that is not indexed by single loops.
    pub maps: Vec<Option<Vec<usize>>>,
    /// What indexes each dimension of each operand: loops, each with its factor, that are added.
    pub indices: Vec<Vec<LoopSum>>,
    /// Whether products of such elements, added to such results, are done by tiles.
    pub multiplies: bool,
    /// The bits of an element of each operand.
    pub bits: Vec<u32>,
    /// How many of the operands are inputs; the others are results.
    pub inputs: usize,
    /// What the body computes.
    pub body: LinalgBody,
}

/// What the body of an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinalgBody {
    /// The element of an input, which may be converted.
    Element(usize),
    /// One value for all elements, of scalars and constants.
    Uniform,
    /// A function of the elements.
    Function,
    /// The result, combined with a term.
    Combined {
        /// Whether they are added.
        is_sum: bool,
        /// The term.
        term: CombinedTerm,
    },
}

/// What is combined into a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombinedTerm {
    /// The element of an input.
    Element(usize),
    /// The product of the elements of two inputs.
    Product([usize; 2]),
    /// Another function of the elements.
    Function,
}

/// How an op is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinalgForm {
    /// Dimension `i` of the result is that dimension of the input.
    Copy(Vec<usize>),
    /// All elements become one value.
    Fill,
    /// A function of the elements at the same place.
    Map,
    /// Terms that are combined along loops.
    Reduce {
        /// These loops, the outer ones first.
        along: Vec<usize>,
        /// The input whose elements are the terms; `None` where a function of the elements is.
        input: Option<usize>,
    },
    /// A product of matrices.
    Product(ProductLoops),
}

/// The loops of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductLoops {
    /// The rows.
    pub m: usize,
    /// The columns.
    pub n: usize,
    /// The depths.
    pub k: usize,
    /// The inputs with the rows, and with the columns.
    pub factors: [usize; 2],
}

impl StructuredOp {
    /// How the op is done.
    ///
    /// # Errors
    /// Why it is not.
    pub fn form(&self) -> Result<LinalgForm, LinalgRefusal> {
        self.check_loops()?;
        let loops: Vec<usize> = (0..self.reduces.len()).filter(|&number| self.reduces[number]).collect();
        self.check_results(self.reduces.len() - loops.len())?;
        let is_single = |number: &usize| self.extents[*number] == 1 && !self.is_open[*number];
        let maps = self.indexed()?;
        match (&loops[..], self.body) {
            ([], LinalgBody::Uniform) => Ok(LinalgForm::Fill),
            ([], LinalgBody::Element(input)) if self.is_one_to_one(&maps, input) => {
                let of_loop = |number: &usize| maps[input].iter().position(|one| one == number);
                Ok(LinalgForm::Copy(maps[self.inputs].iter().filter_map(of_loop).collect()))
            }
            ([], _) => self.within_tiles().map(|()| LinalgForm::Map),
            (_, LinalgBody::Combined { is_sum: true, term: CombinedTerm::Product(factors) })
                if self.is_product(factors) =>
            {
                self.product(&maps, factors)
            }
            // One term is a function of the elements, the result among them.
            _ if loops.iter().all(is_single) => self.within_tiles().map(|()| LinalgForm::Map),
            (_, LinalgBody::Combined { term, .. }) => {
                self.within_tiles()?;
                let whole = |input: &usize| maps[*input].len() == self.extents.len();
                let input = if let CombinedTerm::Element(input) = term { Some(input).filter(whole) } else { None };
                Ok(LinalgForm::Reduce { along: loops, input })
            }
            _ => Err(LinalgRefusal::NotCombined),
        }
    }

    /// The dimensions that are not indexed by one loop alone.
    pub fn windows(&self) -> impl Iterator<Item = &LoopSum> {
        self.indices.iter().flatten().filter(|sum| !matches!(sum[..], [(_, 1)]))
    }

    /// The loops that index an operand.
    pub fn loops(&self, operand: usize) -> Vec<usize> {
        let mut loops: Vec<usize> = self.indices[operand].iter().flatten().map(|(number, _)| *number).collect();
        loops.sort_unstable();
        loops.dedup();
        loops
    }

    /// The op on a part of so many iterations of each loop, 0 for all of them: loops of one iteration index nothing together with others.
    pub fn part(&self, sizes: &[i64]) -> Self {
        let mut part = self.clone();
        let split = part.extents.iter_mut().zip(sizes).filter(|(_, size)| **size > 0);
        split.for_each(|(extent, size)| *extent = *size);
        for sum in part.indices.iter_mut().flatten().filter(|sum| sum.len() > 1) {
            sum.retain(|(number, _)| part.extents[*number] > 1);
        }
        part.maps = maps(&part.indices);
        part
    }

    fn check_loops(&self) -> Result<(), LinalgRefusal> {
        for (number, &extent) in self.extents.iter().enumerate() {
            if extent < 1 {
                return Err(LinalgRefusal::Empty { number, extent });
            }
            if extent == UNBOUNDED {
                return Err(LinalgRefusal::Unbounded { number });
            }
        }
        Ok(())
    }

    /// Requires all elements that are computed to fit tiles.
    fn within_tiles(&self) -> Result<(), LinalgRefusal> {
        let elements = self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        if elements > MAX_ELEMENTS {
            return Err(LinalgRefusal::TooLarge { elements, most: MAX_ELEMENTS });
        }
        Ok(())
    }

    /// Requires each result to be indexed by every parallel loop once.
    fn check_results(&self, parallel: usize) -> Result<(), LinalgRefusal> {
        let results = self.maps.iter().skip(self.inputs).enumerate();
        let is_indexed = |map: &Vec<usize>| {
            let mut seen = self.reduces.clone();
            map.len() == parallel && map.iter().all(|&number| !std::mem::replace(&mut seen[number], true))
        };
        let mut other = results.filter(|(_, map)| !map.as_ref().is_some_and(is_indexed));
        other.next().map_or(Ok(()), |(result, _)| Err(LinalgRefusal::ResultMap { result, parallel }))
    }

    /// The maps, each of which names a loop at most once.
    fn indexed(&self) -> Result<Vec<&[usize]>, LinalgRefusal> {
        let is_distinct = |map: &Vec<usize>| map.iter().enumerate().all(|(at, number)| !map[..at].contains(number));
        let map = |(operand, map): (usize, &'_ Option<Vec<usize>>)| {
            let is_taken = map.as_ref().is_some_and(is_distinct);
            is_taken.then_some(()).ok_or(LinalgRefusal::OperandMap { operand })
        };
        self.maps.iter().enumerate().try_for_each(map)?;
        Ok(self.maps.iter().flatten().map(Vec::as_slice).collect())
    }

    /// Whether the only result has each element of an input once.
    fn is_one_to_one(&self, maps: &[&[usize]], input: usize) -> bool {
        maps.len() == self.inputs + 1 && self.inputs == 1 && maps[input].len() == self.extents.len()
    }

    /// Whether two inputs are factors: each has loops of the result that the other lacks.
    pub(super) fn is_product(&self, [a, b]: [usize; 2]) -> bool {
        let has_loops = |one: usize, other: usize| {
            let is_alone = |number: &&usize| {
                self.extents[**number] > 1 && !self.reduces[**number] && !self.loops(other).contains(number)
            };
            self.loops(one).iter().any(|number| is_alone(&number))
        };
        self.multiplies && a != b && self.indices.len() == self.inputs + 1 && has_loops(a, b) && has_loops(b, a)
    }

    fn product(&self, maps: &[&[usize]], [a, b]: [usize; 2]) -> Result<LinalgForm, LinalgRefusal> {
        let (mut rows, mut columns, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        for number in (0..self.extents.len()).filter(|&number| self.extents[number] > 1) {
            match (self.reduces[number], maps[a].contains(&number), maps[b].contains(&number)) {
                (true, true, true) => depths.push(number),
                (false, true, false) => rows.push(number),
                (false, false, true) => columns.push(number),
                (false, ..) => return Err(LinalgRefusal::Batch { extent: self.extents[number] }),
                (true, ..) => return Err(LinalgRefusal::NotCombined),
            }
        }
        // Loops of one iteration may be any of them.
        let single = (0..self.extents.len()).find(|&number| self.reduces[number] && depths.is_empty());
        depths.extend(single);
        match (&rows[..], &columns[..], &depths[..]) {
            (&[m], &[n], &[k]) => {
                let rows_first = maps[self.inputs].iter().find(|number| [m, n].contains(number)) == Some(&m);
                let [[m, n], factors] = if rows_first { [[m, n], [a, b]] } else { [[n, m], [b, a]] };
                Ok(LinalgForm::Product(ProductLoops { m, n, k, factors }))
            }
            (_, _, [_, _, ..]) => Err(LinalgRefusal::ReductionLoops { loops: depths.len() }),
            _ => {
                let extra = rows.get(1).or(columns.get(1)).copied().unwrap_or_default();
                Err(LinalgRefusal::Batch { extent: self.extents[extra] })
            }
        }
    }
}
