//! Verifies a choice by enumeration. Nothing here is shared with the choice but the problem, the table of phases, and layouts.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thiserror::Error;
use tile_layout::{Axis, Layout};

use super::certificate::{AccessCost, Certificate, LayoutChoice, WavefrontBound};
use super::phases::{Phase, WORD_BYTES};
use super::problem::{LayoutFamily, LayoutProblem, SharedAccess};

/// What is wrong with a choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// A layout that does not keep the elements of the tile apart.
    #[error("elements {first} and {second} are both at address {address}")]
    Overlap {
        /// An element.
        first: i64,
        /// Another.
        second: i64,
        /// Their address, in elements.
        address: i64,
    },
    /// An address outside of what the layout is said to span.
    #[error("element {element} is at address {address}, expected 0 to {}", span - 1)]
    Span {
        /// The element.
        element: i64,
        /// Its address, in elements.
        address: i64,
        /// The elements spanned.
        span: i64,
    },
    /// A cost that is not what the lanes take.
    #[error("access {access}: got {got:?}, expected {expected:?}")]
    Cost {
        /// The access.
        access: usize,
        /// The cost that the choice has.
        got: Option<AccessCost>,
        /// The cost by enumeration.
        expected: Option<AccessCost>,
    },
    /// A certificate that says more than is true.
    #[error("'{certificate}' is not proved: {reason}")]
    Certificate {
        /// The certificate, as text.
        certificate: String,
        /// What fails.
        reason: CertificateError,
    },
}

/// Why a certificate is not proved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CertificateError {
    /// An access that takes more wavefronts than without conflicts, though it is said to have none.
    #[error("access {access} takes {wavefronts} wavefronts, expected the {ideal} of one without conflicts")]
    Conflict {
        /// The access.
        access: usize,
        /// Its wavefronts.
        wavefronts: i64,
        /// Its wavefronts without conflicts.
        ideal: i64,
    },
    /// An access whose vectors no bound is for.
    #[error("there is no bound for the vectors of access {access}")]
    NoBound {
        /// The access.
        access: usize,
    },
    /// A bound that is less than what the choice takes.
    #[error("got {wavefronts} wavefronts, while the bound is {bound}")]
    AboveBound {
        /// The wavefronts of all accesses.
        wavefronts: i64,
        /// What the bound proves.
        bound: i64,
    },
    /// A certificate about an engine's modes, for a problem without an engine.
    #[error("no engine is asked for")]
    NoEngine,
    /// A layout of the engine that takes fewer wavefronts.
    #[error("{layout} takes {got} wavefronts, fewer than the {chosen} of the choice")]
    BetterMode {
        /// The layout.
        layout: Box<Layout>,
        /// Its wavefronts.
        got: i64,
        /// Those of the choice.
        chosen: i64,
    },
    /// An extent that is no power of two, where bounds need one.
    #[error("got an extent of {extent}, expected a power of two")]
    Extent {
        /// The extent.
        extent: i64,
    },
    /// An access for whose vectors there are no phases.
    #[error("access {access} has no phases")]
    NoPhases {
        /// The access.
        access: usize,
    },
    /// An access that a bound names and the problem does not have.
    #[error("got access {access} in a bound, expected 0 to {}", *accesses as i64 - 1)]
    NoAccess {
        /// The number that the bound has.
        access: usize,
        /// The number of accesses of the problem.
        accesses: usize,
    },
    /// Three accesses that need no more banks than there are.
    #[error("accesses {accesses:?} need {words} different banks, expected more than {banks}")]
    Triple {
        /// The accesses.
        accesses: [usize; 3],
        /// The words that need different banks.
        words: usize,
        /// The banks that there are.
        banks: i64,
    },
    /// An access that takes fewer ways for itself than a bound says.
    #[error("access {access} takes {ways} ways for itself, not {claimed}")]
    Alone {
        /// The access.
        access: usize,
        /// The ways that it takes.
        ways: i64,
        /// The ways in the bound.
        claimed: i64,
    },
}

/// Verifies the layout, the costs and the certificate of a choice.
///
/// # Errors
/// The first that is wrong.
pub fn check(problem: &LayoutProblem, choice: &LayoutChoice) -> Result<(), CheckError> {
    let addresses = choice.layout.places_on(Axis::Memory);
    let mut holders = FxHashMap::default();
    for (element, &address) in (0..).zip(&addresses) {
        if !(0..choice.elements).contains(&address) {
            return Err(CheckError::Span { element, address, span: choice.elements });
        }
        if let Some(first) = holders.insert(address, element) {
            return Err(CheckError::Overlap { first, second: element, address });
        }
    }
    for (index, access) in problem.accesses.iter().enumerate() {
        let (got, expected) = (choice.costs.get(index).copied(), enumerated(problem, access, &addresses));
        if got != expected {
            return Err(CheckError::Cost { access: index, got, expected });
        }
    }
    certified(problem, choice)
        .map_err(|reason| CheckError::Certificate { certificate: choice.certificate.to_string(), reason })
}

/// The phase in which a lane is, as the least lane of it.
fn phase_of(phase: &Phase, lane: usize) -> usize {
    let sums = (0..1usize << phase.lanes.len()).map(|chosen| {
        let picked = phase.lanes.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
        picked.fold(lane, |sum, (_, generator)| sum ^ generator)
    });
    sums.min().unwrap_or(lane)
}

/// The cost of an access: of the widest parts of vectors that are contiguous and aligned in every lane.
fn enumerated(problem: &LayoutProblem, access: &SharedAccess, addresses: &[i64]) -> Option<AccessCost> {
    let size = problem.element_bytes;
    let vector = access.lanes.iter().map(Vec::len).max()? as i64;
    let bytes_at = |element: i64| Some(addresses.get(usize::try_from(element).ok()?)? * size);
    let is_run = |lane: &[i64], width: i64| {
        let place = |(index, &element): (usize, &i64)| {
            let start = lane.get(index - index % width as usize)?;
            let offset = index as i64 % width * size;
            Some(bytes_at(*start)? % (width * size) == 0 && bytes_at(element)? == bytes_at(*start)? + offset)
        };
        lane.iter().enumerate().all(|entry| place(entry) == Some(true))
    };
    let fits = |width: &i64| {
        problem.phases.phase(width * size).is_some() && access.lanes.iter().all(|lane| is_run(lane, *width))
    };
    let width = std::iter::successors(Some(vector), |width| (width % 2 == 0).then_some(width / 2)).find(fits)?;
    // Words by phase and bank, for each part of the vector.
    let phase = problem.phases.phase(width * size)?;
    let mut words: BTreeMap<(usize, usize), BTreeMap<i64, BTreeSet<i64>>> = BTreeMap::new();
    for (number, lane) in access.lanes.iter().enumerate() {
        for (place, &element) in lane.iter().enumerate() {
            let first = bytes_at(element)?;
            let banks = words.entry((phase_of(phase, number), place / width as usize)).or_default();
            for word in first / WORD_BYTES..=(first + size - 1) / WORD_BYTES {
                banks.entry(word % phase.banks).or_default().insert(word);
            }
        }
    }
    let ways = words.values().map(|banks| banks.values().map(BTreeSet::len).max().unwrap_or(0) as i64).sum::<i64>();
    let whole = problem.phases.phase(vector * size)?;
    let busy = access.lanes.iter().enumerate().filter(|(_, lane)| !lane.is_empty());
    let phases: BTreeSet<usize> = busy.map(|(number, _)| phase_of(whole, number)).collect();
    Some(AccessCost {
        wavefronts: access.weight * ways,
        ideal: access.weight * phases.len() as i64,
        bytes: width * size,
    })
}

fn certified(problem: &LayoutProblem, choice: &LayoutChoice) -> Result<(), CertificateError> {
    let total: i64 = choice.costs.iter().map(|cost| cost.wavefronts).sum();
    match &choice.certificate {
        Certificate::NoConflicts => {
            let conflict = choice.costs.iter().enumerate().find(|(_, cost)| cost.wavefronts != cost.ideal);
            conflict.map_or(Ok(()), |(access, &AccessCost { wavefronts, ideal, .. })| {
                Err(CertificateError::Conflict { access, wavefronts, ideal })
            })
        }
        Certificate::Unavoidable { bounds } => {
            for (index, access) in problem.accesses.iter().enumerate() {
                let same =
                    |bound: &&WavefrontBound| problem.accesses.get(bound.vectors_of).map(steps) == Some(steps(access));
                let bound = bounds.iter().find(same);
                let bound = bound.ok_or(CertificateError::NoBound { access: index })?;
                let bound = least(problem, bound)?;
                if total > bound {
                    return Err(CertificateError::AboveBound { wavefronts: total, bound });
                }
            }
            Ok(())
        }
        Certificate::LeastOfModes { .. } => {
            let LayoutFamily::Modes { layouts, .. } = &problem.family else {
                return Err(CertificateError::NoEngine);
            };
            for layout in layouts {
                let addresses = layout.places_on(Axis::Memory);
                let costs =
                    problem.accesses.iter().map(|access| Some(enumerated(problem, access, &addresses)?.wavefronts));
                let other: Option<i64> = costs.sum();
                if let Some(got) = other.filter(|&other| other < total)
                    && problem.max_elements.is_none_or(|most| layout.memory_span() <= most)
                {
                    let layout = Box::new(layout.clone());
                    return Err(CertificateError::BetterMode { layout, got, chosen: total });
                }
            }
            Ok(())
        }
        Certificate::LeastOfTried { .. } => Ok(()),
    }
}

/// The distances of a vector's elements from its first one, by XOR of their numbers.
fn steps(access: &SharedAccess) -> Vec<i64> {
    let lane = access.lanes.iter().find(|lane| !lane.is_empty());
    lane.map(|lane| lane.iter().map(|element| element ^ lane[0]).collect()).unwrap_or_default()
}

/// The fewest wavefronts that a bound proves, each of its triples verified.
fn least(problem: &LayoutProblem, bound: &WavefrontBound) -> Result<i64, CertificateError> {
    if let Some(&extent) = problem.shape.iter().find(|extent| extent.count_ones() != 1) {
        return Err(CertificateError::Extent { extent });
    }
    let vector = problem.accesses.get(bound.vectors_of).map(steps).unwrap_or_default();
    let groups: Vec<Grouped> = problem
        .accesses
        .iter()
        .enumerate()
        .map(|(index, access)| grouped(problem, access, &vector).ok_or(CertificateError::NoPhases { access: index }))
        .collect::<Result<_, _>>()?;
    let accesses = groups.len();
    let group = |access: usize| groups.get(access).ok_or(CertificateError::NoAccess { access, accesses });
    for triple in &bound.triples {
        let three: Vec<&Grouped> = triple.iter().map(|&access| group(access)).collect::<Result<_, _>>()?;
        let (words, banks) = conflicting(problem, &three, &vector);
        if words <= banks as usize {
            return Err(CertificateError::Triple { accesses: *triple, words, banks });
        }
    }
    for &(access, ways) in &bound.alone {
        let group_ways = group(access)?.ways;
        if group_ways < ways {
            return Err(CertificateError::Alone { access, ways: group_ways, claimed: ways });
        }
    }
    let free: i64 = groups.iter().map(|group| group.wavefronts).sum();
    let sets = 0..1u32 << groups.len().min(31);
    let hits = sets.filter(|set| bound.triples.iter().all(|triple| triple.iter().any(|access| set >> access & 1 == 1)));
    let cost = |set: u32| {
        (0..groups.len()).filter(|access| set >> access & 1 == 1).map(|access| groups[access].wavefronts).sum::<i64>()
    };
    Ok(free + hits.map(cost).min().unwrap_or(0))
}

/// An access where a vector is contiguous.
struct Grouped {
    /// The elements of one phase.
    elements: BTreeSet<i64>,
    /// The ways that it takes for itself: elements at the same place of different vectors are in as many banks as lines have vectors.
    ways: i64,
    /// Its wavefronts with these.
    wavefronts: i64,
    banks: i64,
}

fn grouped(problem: &LayoutProblem, access: &SharedAccess, vector: &[i64]) -> Option<Grouped> {
    let moved = steps(access);
    let mut width = 1;
    while width * 2 <= moved.len() && width * 2 <= vector.len() && moved[..width * 2] == vector[..width * 2] {
        width *= 2;
    }
    let phase = problem.phases.phase(width as i64 * problem.element_bytes)?;
    let busy = || access.lanes.iter().enumerate().filter(|(_, lane)| !lane.is_empty());
    let first = busy().filter(|(number, _)| phase_of(phase, *number) == 0);
    let elements: BTreeSet<i64> = first.flat_map(|(_, lane)| lane[..width].iter().copied()).collect();
    let mut vectors: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
    for element in &elements {
        let start = vector.iter().map(|step| element ^ step).min()?;
        vectors.entry(vector.iter().position(|step| start ^ step == *element)?).or_default().insert(start);
    }
    let places = phase.banks * WORD_BYTES / (vector.len() as i64 * problem.element_bytes);
    let different = vectors.values().map(BTreeSet::len).max()? as i64;
    let ways = ((different + places - 1) / places.max(1)).max(1);
    let phases: BTreeSet<usize> = busy().map(|(number, _)| phase_of(phase, number)).collect();
    let wavefronts = access.weight * ways * (phases.len() * moved.len() / width) as i64;
    Some(Grouped { elements, ways, wavefronts, banks: phase.banks })
}

/// A number of words any two of which one of the accesses moves in one phase, somewhere in the tile; and the banks that there are. Words are
/// named by their least element.
fn conflicting(problem: &LayoutProblem, accesses: &[&Grouped], vector: &[i64]) -> (usize, i64) {
    let in_word = (WORD_BYTES / problem.element_bytes).max(1) as usize;
    let per_element = (problem.element_bytes / WORD_BYTES).max(1) as usize;
    let word = |element: i64| vector.iter().take(in_word).map(|step| element ^ step).min().unwrap_or(element);
    let mut together = BTreeSet::new();
    for access in accesses {
        let pairs = access.elements.iter().flat_map(|a| access.elements.iter().map(move |b| a ^ b));
        together.extend(pairs.map(word));
    }
    let mut words: Vec<i64> = Vec::new();
    for element in 0..problem.shape.iter().product() {
        let is_apart = |other: &i64| *other != element && together.contains(&word(element ^ other));
        if word(element) == element && words.iter().all(is_apart) {
            words.push(element);
        }
    }
    (words.len() * per_element, accesses.iter().map(|access| access.banks).max().unwrap_or(0))
}
