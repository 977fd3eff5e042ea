//! What no layout can do better.
//!
//! Let three accesses move, in one phase, the spaces W1, W2, W3, each as large as all banks and no two the same. If the three share a space
//! `I` of one dimension less and lie in one of one dimension more, they are `I` with `v1`, `v2` and `v1 + v2` added:
//!
//! ```text
//!            I    I+v1   I+v2   I+v1+v2         32 banks; each of the four parts has 16 words
//!   W1       x     x                            one phase: 32 words, so 32 banks
//!   W1                     x      x             the same access, elsewhere in the tile
//!   W2       x             x
//!   W3       x                    x             and I+v1 with I+v2
//! ```
//!
//! Any two parts are in one phase of some access, so no two of their 64 words may be in one bank; but there are 32. So one of the three
//! accesses takes 2 ways at least, whatever the layout is. In all other cases a common complement exists: see
//! `three_spaces_without_a_common_complement`, which goes through all triples of spaces up to dimension 4.
//!
//! Why: choose the vectors of the complement one by one, each outside of W1, W2 and W3, and divide by it. Three proper subspaces cover a
//! space over F2 only if they are its three hyperplanes through one space of two dimensions less. So there is such a vector until the
//! spaces are hyperplanes, and then unless they are those three. Of hyperplanes that come from the last step but one, at least one choice
//! of the vector before leads to others, unless all choices lead there, which is the case above.
//!
//! A single access has conflicts where it does not move along the vectors that are contiguous, and more of its lanes are in different vectors
//! than there are vectors in a line: 32 lanes that read a column of 16-bit elements meet only 8 places if vectors are 16 bytes along rows.
//!
//! Several triples need accesses that hit all of them; the cheapest such set is the bound.

use super::access::{Prepared, XorAccess, sum_of};
use super::phases::WORD_BYTES;
use super::space::{Space, rank};
use super::tile::Tile;

/// The bound where the vectors of one access are contiguous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WavefrontBound {
    /// The access whose vectors are contiguous; those of others are as far as they agree.
    pub vectors_of: usize,
    /// Accesses that have conflicts for themselves, with their ways: their lanes are in too many vectors.
    pub alone: Vec<(usize, i64)>,
    /// Accesses that can not all three be free of conflicts.
    pub triples: Vec<[usize; 3]>,
    /// The fewest wavefronts.
    pub least: i64,
}

/// An access under vectors.
struct VectorAccesses {
    /// What it moves in one phase, if that is as much as all banks.
    space: Option<Space>,
    /// The ways that it takes for itself.
    ways: i64,
    /// Its wavefronts, for itself.
    wavefronts: i64,
}

/// A bound for the vectors of each access; none where accesses are not linear.
pub(super) fn bounds(tile: &Tile, accesses: &[Prepared<'_>]) -> Vec<WavefrontBound> {
    let linear: Option<Vec<&XorAccess>> = accesses.iter().map(|access| access.linear.as_ref()).collect();
    let Some(linear) = linear.filter(|_| tile.odd == 1) else { return Vec::new() };
    let word_bits = WORD_BYTES.ilog2().saturating_sub(tile.element_log2) as usize;
    let mut bounds: Vec<WavefrontBound> = Vec::new();
    for (index, access) in linear.iter().enumerate() {
        if linear[..index].iter().any(|earlier| earlier.vector == access.vector) {
            continue;
        }
        // What shares a word with less than a word is up to the layout.
        let word = access.vector.get(..word_bits).map(|word| Space::span(word.iter().copied()));
        let of_access = |(other, form)| moved(tile, other, form, &access.vector, word.as_ref());
        let moved: Option<Vec<VectorAccesses>> = accesses.iter().zip(linear.iter().copied()).map(of_access).collect();
        let Some(moved) = moved else { return Vec::new() };
        bounds.push(bound(index, &moved));
    }
    bounds
}

/// What an access moves in one phase where `vector` is contiguous, with what is in the same words.
fn moved(
    tile: &Tile,
    access: &Prepared<'_>,
    linear: &XorAccess,
    vector: &[u32],
    word: Option<&Space>,
) -> Option<VectorAccesses> {
    let agree = linear.vector.iter().zip(vector).take_while(|(one, other)| one == other).count();
    let phase = access.problem.phases.phase(access.problem.element_bytes << agree)?;
    let generators = phase.lanes.iter().filter(|&&lane| lane >> linear.lanes.len() == 0);
    let lanes = generators.clone().map(|&lane| sum_of(&linear.lanes, lane));
    let instructions = access.access.weight.saturating_mul(1 << (linear.vector.len() - agree));
    let wavefronts = instructions.saturating_mul(1 << (linear.lanes.len() - generators.clone().count()));
    let Some(word) = word else { return Some(VectorAccesses { space: None, ways: 1, wavefronts }) };
    let space = Space::span(linear.vector[..agree].iter().copied().chain(lanes)).sum(word);
    // Parts of an element that are words of their own.
    let inside = tile.element_log2.saturating_sub(WORD_BYTES.ilog2()) as usize;
    let is_full = space.dim() - word.dim() + inside == phase.banks.ilog2() as usize;
    let vectors = Space::span(vector.iter().copied());
    let places = (phase.banks * WORD_BYTES).ilog2().saturating_sub(tile.element_log2 + vector.len() as u32);
    let ways = 1 << (space.sum(&vectors).dim() - vectors.dim()).saturating_sub(places as usize);
    Some(VectorAccesses { space: is_full.then_some(space), ways, wavefronts: wavefronts.saturating_mul(ways) })
}

fn bound(vectors_of: usize, moved: &[VectorAccesses]) -> WavefrontBound {
    let mut triples = Vec::new();
    for first in 0..moved.len() {
        for second in first + 1..moved.len() {
            for third in second + 1..moved.len() {
                let spaces = [first, second, third].map(|index| moved[index].space.as_ref());
                let are_free = [first, second, third].iter().all(|&index| moved[index].ways == 1);
                if let [Some(a), Some(b), Some(c)] = spaces
                    && are_free
                    && has_no_common_complement([a, b, c])
                {
                    triples.push([first, second, third]);
                }
            }
        }
    }
    let free: i64 = moved.iter().map(|access| access.wavefronts).fold(0, i64::saturating_add);
    let least = free.saturating_add(cheapest_hit(moved, &triples));
    let alone = moved.iter().map(|access| access.ways).enumerate().filter(|(_, ways)| *ways > 1).collect();
    WavefrontBound { vectors_of, alone, triples, least }
}

/// Whether three spaces of equal dimension are different planes through one line, in a space of one dimension more.
fn has_no_common_complement([a, b, c]: [&Space; 3]) -> bool {
    let dim = a.dim();
    if b.dim() != dim || c.dim() != dim || a == b || b == c || a == c {
        return false;
    }
    let all = rank([a, b, c].into_iter().flat_map(Space::vectors)) as usize;
    // Two of them meet in a space of one dimension less, which the third contains.
    all == dim + 1 && a.intersection(b).vectors().all(|vector| c.reduced(vector) == 0)
}

/// The fewest wavefronts that are added where an access of each triple takes twice as many.
fn cheapest_hit(moved: &[VectorAccesses], triples: &[[usize; 3]]) -> i64 {
    let Some([first, rest @ ..]) = Some(triples).filter(|triples| !triples.is_empty()) else { return 0 };
    let with = |&hit: &usize| {
        let open: Vec<[usize; 3]> = rest.iter().copied().filter(|triple| !triple.contains(&hit)).collect();
        moved[hit].wavefronts.saturating_add(cheapest_hit(moved, &open))
    };
    first.iter().map(with).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All spaces of vectors of that many bits.
    fn spaces(bits: u32) -> Vec<Vec<u32>> {
        let mut known: BTreeSet<Vec<u32>> = BTreeSet::from([vec![0]]);
        let mut open = vec![vec![0]];
        while let Some(space) = open.pop() {
            for vector in (1..1 << bits).filter(|vector| !space.contains(vector)) {
                let mut larger: Vec<u32> = space.iter().flat_map(|other| [*other, other ^ vector]).collect();
                larger.sort_unstable();
                if known.insert(larger.clone()) {
                    open.push(larger);
                }
            }
        }
        known.into_iter().collect()
    }

    #[test]
    fn three_spaces_without_a_common_complement() {
        for bits in 2..=4 {
            let all = spaces(bits);
            let (mut triples, mut without) = (0, 0);
            for size in (1..bits).map(|dim| 1usize << dim) {
                let equal: Vec<&Vec<u32>> = all.iter().filter(|space| space.len() == size).collect();
                let others: Vec<&Vec<u32>> =
                    all.iter().filter(|space| space.len() << size.ilog2() == 1 << bits).collect();
                let is_complement = |a: &[u32], b: &[u32]| a.iter().filter(|vector| b.contains(vector)).count() == 1;
                for (index, a) in equal.iter().enumerate() {
                    for (second, b) in equal.iter().enumerate().skip(index + 1) {
                        let of_two: Vec<_> =
                            others.iter().filter(|other| is_complement(a, other) && is_complement(b, other)).collect();
                        assert!(!of_two.is_empty(), "two spaces always have a common complement");
                        for c in &equal[second + 1..] {
                            let exists = of_two.iter().any(|other| is_complement(c, other));
                            let spaces = [a, b, c].map(|space| Space::span(space.iter().copied()));
                            assert_eq!(has_no_common_complement(spaces.each_ref()), !exists, "{a:?} {b:?} {c:?}");
                            (triples, without) = (triples + 1, without + usize::from(!exists));
                        }
                    }
                }
            }
            assert_eq!((triples, without), [(1, 1), (70, 14), (7455, 175)][bits as usize - 2]);
        }
    }
}
