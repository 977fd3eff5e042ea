//! Reductions along a dimension: first of each thread's registers, then among lanes, then among warps.
//!
//! ```text
//!   C of mma.sync, 16 x 8, along columns
//!     registers   r0 + r1, r2 + r3                         the two columns that a lane holds of each row
//!     lanes       xor 1, xor 2                             the four lanes of a row
//!   over 2 warps, 16 x 16
//!     warps       a tile of 16 x 2 in shared memory: each warp writes its part, and all read both
//! ```
//!
//! Every thread that holds an element of the result has computed it from the same terms, in an order that does not depend on
//! the thread; so copies of a result have the same bits. That each result consists of all its terms, once each, is checked
//! for every thread.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use tile_isa::WARP;
use tile_layout::Layout;

use super::coordinates::digits_of;
use super::indices::TermIndices;
use super::operand::{HoldingThreads, RegisterOperand, of_first_thread};
use super::reduced::{ReducedLayouts, WarpTiles};
use crate::distribution::RegisterDistribution;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::require::all_active;

/// A reduction to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReduceProblem {
    /// The tiles that are reduced together, of one shape; at least one.
    pub sources: Vec<RegisterOperand>,
    /// As many results, whose extent along the dimension is 1; one more, the last, where an index is found.
    pub results: Vec<RegisterOperand>,
    /// The dimension.
    pub dim: usize,
    /// Whether the operator is defined for all values, so that threads that hold nothing may compute with what they have.
    pub is_total: bool,
    /// Whether the index of each term along the dimension is carried along with it.
    pub has_index: bool,
    /// The threads that reduce.
    pub threads: Threads,
}

/// A reduction in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducePlan {
    /// Within each warp.
    pub within: RegisterReduction,
    /// Among warps, where the dimension extends over several.
    pub across: Option<AcrossWarps>,
    /// The indices of each thread's own terms, where they are needed.
    pub indices: Option<TermIndices>,
}

/// Warps exchange their results through shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcrossWarps {
    /// The tiles: along the dimension one element for each warp.
    pub tiles: WarpTiles,
    /// What each thread combines of the results of all warps.
    pub combine: RegisterReduction,
}

/// A reduction without memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterReduction {
    /// By result.
    pub steps: Vec<ReducedElement>,
    /// The lanes with which each result is then exchanged, one after the other.
    pub exchanges: Vec<LaneExchange>,
}

impl RegisterReduction {
    /// Whether all lanes of a warp combine what they have.
    pub fn is_among_all_lanes(&self) -> bool {
        all_lanes(0, &self.exchanges).len() as i64 == WARP
    }
}

/// One result of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedElement {
    /// The registers of its terms, one for each source, in the order of their coordinate along the dimension.
    pub terms: Vec<Vec<usize>>,
    /// The registers of the result.
    pub results: Vec<usize>,
}

/// An exchange among lanes, after which they have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneExchange {
    /// With the lane whose number differs in this bit.
    Butterfly {
        /// The bit.
        mask: i64,
    },
    /// With all `extent` lanes that lie `stride` apart, in their order.
    All {
        /// Lanes.
        extent: i64,
        /// From one to the next.
        stride: i64,
    },
}

impl LaneExchange {
    /// The lanes whose values one lane combines, in order.
    pub fn lanes(self, lane: i64) -> Vec<i64> {
        match self {
            LaneExchange::Butterfly { mask } => vec![lane, lane ^ mask],
            LaneExchange::All { extent, stride } => {
                let first = lane - lane / stride % extent * stride;
                (0..extent).map(|digit| first + digit * stride).collect()
            }
        }
    }

    /// The exchanges of an iter on lanes.
    fn of_iter((extent, stride): (i64, i64)) -> Vec<LaneExchange> {
        if extent & (extent - 1) == 0 && stride & (stride - 1) == 0 {
            let masks = std::iter::successors(Some(stride), |mask| Some(mask * 2));
            return masks
                .take_while(|&mask| mask < stride * extent)
                .map(|mask| LaneExchange::Butterfly { mask })
                .collect();
        }
        vec![LaneExchange::All { extent, stride }]
    }
}

impl ReduceProblem {
    /// The plan.
    ///
    /// # Errors
    /// A layout along whose dimension threads are neither lanes nor warps, and a result in a thread that does not hold its terms;
    /// the reason says which layout would be one.
    pub fn plan(&self) -> Result<ReducePlan, Refusal> {
        let (Some(source), Some(result)) = (self.sources.first(), self.results.first()) else {
            return Err(Refusal::new("no-result", "there is no result"));
        };
        let layouts = ReducedLayouts::new(&source.layout, &source.shape, self.dim, &source.name)?;
        let suggestion = layouts.result();
        let holding = HoldingThreads::new(&source.distribution(&self.threads)?, &source.name)?;
        if holding.is_part() && !self.is_total {
            return Err(holding.refusal("a reduction with a region", &source.name));
        }
        let exchanges: Vec<LaneExchange> = layouts.lanes().flat_map(LaneExchange::of_iter).collect();
        let warps = if self.is_received_by_others(holding)? {
            Some(layouts.tiles_for_all(&result.layout))
        } else {
            layouts.tiles_of_warps()
        };
        if warps.is_some() || !(exchanges.is_empty() || self.threads.active.in_warps()) {
            all_active(&self.threads)?;
        }
        let Some(tiles) = warps else {
            let within = self.reduction(&self.sources, &self.results, exchanges, &suggestion)?;
            let indices = self.indices(&within, holding)?;
            return Ok(ReducePlan { within, across: None, indices });
        };
        let operands = |layout: &Layout, name: &str| -> Vec<RegisterOperand> {
            let tile = || RegisterOperand { name: name.to_owned(), layout: layout.clone(), shape: tiles.shape.clone() };
            self.results.iter().map(|_| tile()).collect()
        };
        let partial = operands(&tiles.partial, "the results of warps");
        let within = self.reduction(&self.sources, &partial, exchanges, &suggestion)?;
        let gathered = operands(&tiles.gathered, &result.name);
        let combine = self.reduction(&gathered, &self.results, Vec::new(), &suggestion)?;
        let indices = self.indices(&within, holding)?;
        Ok(ReducePlan { within, across: Some(AcrossWarps { tiles, combine }), indices })
    }

    /// Whether threads without terms hold the result, the only one there is.
    fn is_received_by_others(&self, terms: HoldingThreads) -> Result<bool, Refusal> {
        let result = &self.results[0];
        let is_one = result.shape.len() == 1;
        Ok(is_one && HoldingThreads::new(&result.distribution(&self.threads)?, &result.name)?.count > terms.count)
    }

    fn indices(&self, within: &RegisterReduction, holding: HoldingThreads) -> Result<Option<TermIndices>, Refusal> {
        let source = self.sources.first().filter(|_| self.has_index);
        let find = |source: &RegisterOperand| {
            let terms = within.steps.iter().map(|step| step.terms.iter().map(|term| term[0]).collect()).collect();
            TermIndices::new(source, &source.distribution(&self.threads)?, (self.dim, holding.count), terms)
        };
        source.map(find).transpose()
    }

    /// The registers of a reduction of `sources` to `results`.
    fn reduction(
        &self,
        sources: &[RegisterOperand],
        results: &[RegisterOperand],
        exchanges: Vec<LaneExchange>,
        suggestion: &Layout,
    ) -> Result<RegisterReduction, Refusal> {
        let distributions = |operands: &[RegisterOperand]| {
            operands.iter().map(|operand| operand.distribution(&self.threads)).collect::<Result<Vec<_>, _>>()
        };
        let (from, to) = (distributions(sources)?, distributions(results)?);
        let search = ReductionSearch { dim: self.dim, sources, results, from: &from, to: &to, suggestion };
        let reduction = RegisterReduction { steps: search.steps()?, exchanges };
        search.check(&reduction)?;
        Ok(reduction)
    }
}

/// The terms of a result after all exchanges.
struct CombinedTerms {
    /// All of them, in order.
    all: Vec<i64>,
    /// Their coordinates in the dimensions that are kept, where these are the same for all and no term is there twice.
    row: Option<i64>,
}

/// The lanes whose terms one has after all exchanges, in order.
fn all_lanes(lane: i64, exchanges: &[LaneExchange]) -> Vec<i64> {
    let both =
        |lanes: Vec<i64>, exchange: &LaneExchange| lanes.into_iter().flat_map(|lane| exchange.lanes(lane)).collect();
    let mut lanes: Vec<i64> = exchanges.iter().fold(vec![lane], both);
    lanes.sort_unstable();
    lanes
}

/// The registers of one reduction.
struct ReductionSearch<'p> {
    dim: usize,
    sources: &'p [RegisterOperand],
    results: &'p [RegisterOperand],
    from: &'p [RegisterDistribution],
    to: &'p [RegisterDistribution],
    suggestion: &'p Layout,
}

impl ReductionSearch<'_> {
    /// The coordinates of an element in all dimensions but the one that is reduced.
    fn kept(&self, element: i64, shape: &[i64]) -> i64 {
        let inside: i64 = shape[self.dim + 1..].iter().product();
        element / (inside * shape[self.dim]) * inside + element % inside
    }

    fn kept_of_source(&self, element: i64) -> i64 {
        self.kept(element, &self.sources[0].shape)
    }

    fn kept_of_result(&self, element: i64) -> i64 {
        self.kept(element, &self.results[0].shape)
    }

    /// The results of thread 0, and the registers of their terms.
    fn steps(&self) -> Result<Vec<ReducedElement>, Refusal> {
        let mut terms: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for (_, element) in self.from[0].elements(0) {
            terms.entry(self.kept_of_source(element)).or_default().push(element);
        }
        terms.values_mut().for_each(|terms| terms.sort_unstable());
        let (sources, results): (Vec<_>, Vec<_>) =
            (self.from.iter().map(of_first_thread).collect(), self.to.iter().map(of_first_thread).collect());
        let step = |(_, result): (usize, i64)| {
            let terms = terms.get(&self.kept_of_result(result)).ok_or_else(|| self.elsewhere(0, result))?;
            let registers = |&term: &i64| {
                let all = sources.iter().map(|registers| registers.get(&term).copied());
                all.collect::<Option<Vec<usize>>>().ok_or_else(|| self.apart(0, term))
            };
            let held = results.iter().map(|registers| registers.get(&result).copied());
            Ok(ReducedElement {
                terms: terms.iter().map(registers).collect::<Result<_, _>>()?,
                results: held.collect::<Option<_>>().ok_or_else(|| self.elsewhere(0, result))?,
            })
        };
        self.to[0].elements(0).map(step).collect()
    }

    /// Checks that every result of every thread consists of all its terms, once each, wherever these are.
    fn check(&self, reduction: &RegisterReduction) -> Result<(), Refusal> {
        let lanes: Vec<Vec<i64>> = (0..WARP).map(|lane| all_lanes(lane, &reduction.exchanges)).collect();
        let (mut parts, mut combined) = (HashMap::<i64, Vec<i64>>::new(), HashMap::new());
        for thread in 0..self.to[0].threads() {
            let (warp, lanes) = (thread as i64 / WARP, &lanes[thread % WARP as usize]);
            for (number, step) in reduction.steps.iter().enumerate() {
                let Some(result) = self.to[0].element(thread, step.results[0]) else { continue };
                let agree = self.to.iter().zip(&step.results).all(|(to, &at)| to.element(thread, at) == Some(result));
                let terms = match combined.entry((number, warp, lanes)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(self.combined((warp, lanes), step)?),
                };
                let is_whole = terms.row == Some(self.kept_of_result(result));
                if !agree || !is_whole || parts.get(&result).is_some_and(|known| *known != terms.all) {
                    return Err(self.elsewhere(thread, result));
                }
                parts.entry(result).or_insert_with(|| terms.all.clone());
            }
            let held = self.to[0].elements(thread).count();
            if let Some((_, result)) = self.to[0].elements(thread).next().filter(|_| held > reduction.steps.len()) {
                return Err(self.elsewhere(thread, result));
            }
        }
        self.all_once(parts)
    }

    /// Checks that the results of each row have all of its terms.
    fn all_once(&self, parts: HashMap<i64, Vec<i64>>) -> Result<(), Refusal> {
        let mut rows: BTreeMap<i64, (i64, Vec<i64>)> = BTreeMap::new();
        for (result, terms) in parts {
            let row = rows.entry(self.kept_of_result(result)).or_insert((result, Vec::new()));
            row.1.extend(terms);
        }
        let needed = self.sources[0].shape[self.dim];
        for (result, mut terms) in rows.into_values() {
            let all = terms.len();
            terms.sort_unstable();
            terms.dedup();
            if terms.len() != all || all as i64 != needed {
                return Err(self.elsewhere(0, result));
            }
        }
        Ok(())
    }

    /// The terms that lanes of a warp have together.
    fn combined(&self, (warp, lanes): (i64, &[i64]), step: &ReducedElement) -> Result<CombinedTerms, Refusal> {
        let mut all = Vec::new();
        for thread in lanes.iter().map(|lane| warp * WARP + lane) {
            for term in &step.terms {
                let element = self.from[0].element(thread as usize, term[0]);
                let agree = self.from.iter().zip(term).all(|(from, &at)| from.element(thread as usize, at) == element);
                let element = element.ok_or_else(|| self.missing(thread, term[0]))?;
                if !agree {
                    return Err(self.apart(thread as usize, element));
                }
                all.push(element);
            }
        }
        all.sort_unstable();
        let row = all.first().map(|&term| self.kept_of_source(term));
        let is_whole = all.windows(2).all(|pair| pair[0] != pair[1])
            && all.iter().all(|&term| Some(self.kept_of_source(term)) == row);
        Ok(CombinedTerms { row: row.filter(|_| is_whole), all })
    }

    fn elsewhere(&self, thread: usize, result: i64) -> Refusal {
        let RegisterOperand { name, shape, .. } = &self.results[0];
        let reason = format!(
            "thread {thread} does not have the terms of element {:?} of {name}, which it holds in the layout that {name} has; \
             needed #tile.layout<{}>, or one with the same rows in each thread",
            digits_of(result, shape),
            self.suggestion
        );
        Refusal::new("result-elsewhere", reason)
    }

    fn apart(&self, thread: usize, term: i64) -> Refusal {
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        let reason = format!(
            "thread {thread} does not hold element {:?} of all of {}, or not in the registers in which thread 0 does",
            digits_of(term, &self.sources[0].shape),
            names.join(", ")
        );
        Refusal::new("operand-elsewhere", reason)
    }

    fn missing(&self, thread: i64, register: usize) -> Refusal {
        let name = &self.sources[0].name;
        let reason = match self.from[0].threads() {
            threads if thread as usize >= threads => {
                format!("lanes exchange what they have of {name}: got {threads} threads, needed whole warps")
            }
            _ => format!("register {register} of thread {thread} holds no element of {name}, that of thread 0 does"),
        };
        Refusal::new("registers-partly-held", reason)
    }
}
