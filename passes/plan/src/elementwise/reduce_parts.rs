//! The terms of a reduction part by part: each thread's results accumulate before lanes meet.

use super::operand::TileOperand;
use super::parts::TileParts;
use super::reduce::{ReducePlan, ReducedElement};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// The terms of a part of the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducePart {
    /// Where the part begins.
    pub begin: Vec<i64>,
    /// By result that has terms there.
    pub terms: Vec<PartTerms>,
}

/// The terms of one result in a part, in the order of their coordinate along the dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartTerms {
    /// The number of the result among the steps of the reduction within a warp.
    pub result: usize,
    /// The registers of each term, one for each source; of shared ones, those of the part.
    pub registers: Vec<Vec<usize>>,
    /// The register's part of their indices, where these are needed.
    pub indices: Vec<i64>,
}

impl ReducePlan {
    /// The terms part by part, where the operands have the registers of the whole partition; without parts, all at once. Parts along the
    /// dimension are in its order.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`], and layouts that are not of registers.
    pub fn in_parts(
        &self,
        threads: &Threads,
        sources: &[TileOperand],
        parts: Option<&TileParts>,
    ) -> Result<Vec<ReducePart>, Refusal> {
        let divided = parts.filter(|parts| parts.count() > 1);
        let shared = sources.iter().position(|tile| matches!(tile, TileOperand::Shared(_)));
        let Some((parts, shared)) = divided.zip(shared) else {
            let rank = sources.first().map_or(0, |tile| tile.shape().len());
            return Ok(vec![ReducePart { begin: vec![0; rank], terms: self.terms(|_| true, |_, register| register) }]);
        };
        let whole = sources[shared].in_registers(Some(&parts.whole))?.distribution(threads)?;
        let registers: Vec<_> = sources.iter().map(|tile| parts.registers(tile, threads)).collect::<Result<_, _>>()?;
        let within =
            |source: usize, register: usize| registers[source].as_ref().map_or(register, |known| known[register]);
        let part = |(number, begin): (usize, Vec<i64>)| {
            let is_own = |term: &Vec<usize>| parts.part_of(whole.element(0, term[shared]).unwrap_or(0)) == number;
            ReducePart { begin, terms: self.terms(is_own, within) }
        };
        Ok(parts.begins().into_iter().enumerate().map(part).collect())
    }

    /// The terms that are wanted, by result.
    fn terms(
        &self,
        is_wanted: impl Fn(&Vec<usize>) -> bool,
        register: impl Fn(usize, usize) -> usize,
    ) -> Vec<PartTerms> {
        let of_result = |(result, step): (usize, &ReducedElement)| {
            let wanted = || (0..step.terms.len()).filter(|&term| is_wanted(&step.terms[term]));
            let registers =
                |term: usize| step.terms[term].iter().enumerate().map(|(number, &at)| register(number, at)).collect();
            let parts = self.indices.as_ref().map(|indices| &indices.parts[result]);
            PartTerms {
                result,
                registers: wanted().map(registers).collect(),
                indices: parts.map_or(Vec::new(), |parts| wanted().map(|term| parts[term]).collect()),
            }
        };
        let all = self.within.steps.iter().enumerate().map(of_result);
        all.filter(|terms| !terms.registers.is_empty()).collect()
    }
}
