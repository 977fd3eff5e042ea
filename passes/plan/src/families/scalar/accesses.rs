//! The memory that scalar copies touch, and their cost.

use tile_isa::{Space, WARP};
use tile_layout::Eval;

use crate::families::family::{Cost, Costs, Requests, Touches};
use crate::families::scalar::address::{owned_element, owned_part, region_position, scalar_address};
use crate::families::scalar::plan::{Distributed, MAX_UNROLLED, Owner, ScalarCopy, ScalarSide};
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::target::Target;
use crate::touch::enumeration::{Enumeration, Places};
use crate::touch::{Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{NotCounted, check_count};

impl Touches for ScalarCopy {
    /// Elements, accessed by the threads that own them.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let mut accesses = Vec::new();
        for role in Role::ALL {
            let operand = self.side(role);
            let fixed = operand.begin.iter().all(|begin| matches!(begin, Begin::Const(_)))
                && operand.origin.is_empty()
                && (operand.layout.stride_count() == 0 || !by.strides(role).is_empty());
            let owner_fixed = if let Owner::Distributed(owned) = &self.owner { owned.origin.is_empty() } else { true };
            let moved = (fixed && owner_fixed).then(|| by.unmoved(role));
            let elements = self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            // Which thread owns what depends on where the region starts.
            let vague = moved.is_none() && matches!(self.owner, Owner::Distributed(_));
            let count = if vague { i64::MAX } else { elements.saturating_mul(by.active().len()) };
            let side = by.side(role, count, moved, |values| scalar_places(by, self, operand, (role, values)))?;
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        Ok(Touched::new(Engine::THREADS, accesses))
    }
}

fn scalar_places(
    by: &Enumeration<'_>,
    copy: &ScalarCopy,
    side: &ScalarSide,
    (role, values): (Role, &[i64]),
) -> Result<Places, Refusal> {
    let mut places = Vec::new();
    let copies: Vec<i64> = if role == Role::Dst { side.copies().map(|iter| iter.extent).collect() } else { Vec::new() };
    let known = copy.mask.as_ref().map(Mask::known);
    let mut at = |thread: i64, walk: &[i64]| -> Result<(), Refusal> {
        if known.as_ref().is_some_and(|known| !known.holds(role, walk, &[])) {
            return Ok(());
        }
        for digits in grid(&copies) {
            let first = scalar_address(&mut Eval, side, walk, &digits, values)?;
            places.push((thread, first, first + 1));
        }
        Ok(())
    };
    for thread in by.active().iter() {
        let t = by.relative(thread);
        match &copy.owner {
            Owner::ScopeThread(owner) if *owner != t => {}
            Owner::BlockThreads(owners) if !owners.contains(&thread) => {}
            Owner::Distributed(owned) => {
                for walk in owned_walks(by, copy, owned, t)?.into_iter().flatten() {
                    at(thread, &walk)?;
                }
            }
            _ => grid(&copy.extents).iter().try_for_each(|walk| at(thread, walk))?,
        }
    }
    Ok(places)
}

/// The loop coordinates of the elements that a thread owns; `None` in iterations in which it copies none.
fn owned_walks(
    by: &Enumeration<'_>,
    copy: &ScalarCopy,
    owned: &Distributed,
    t: i64,
) -> Result<Vec<Option<Vec<i64>>>, Refusal> {
    let (part, conditions) = owned_part(&mut Eval, owned, t);
    let extents: Vec<i64> = owned.serial.iter().map(|digit| digit.extent).collect();
    if !conditions.iter().all(|condition| condition.holds()) {
        return Ok(vec![None; grid(&extents).len()]);
    }
    let mut walks = Vec::new();
    let (values, local) = (by.values(owned.local), by.problem.operand(owned.local)?);
    for digits in grid(&extents) {
        let (x, _) = owned_element(&mut Eval, owned, part, &digits, &values)?;
        let place = region_position(&mut Eval, owned, x, &values)?;
        let walk = place.positions.iter().zip(&local.extent).filter(|(_, extent)| **extent != 1);
        let is_inside = place.conditions.iter().all(|condition| condition.holds());
        walks.push(is_inside.then(|| walk.map(|(position, _)| *position).collect()));
    }
    assert!(walks.iter().flatten().all(|walk: &Vec<i64>| walk.len() == copy.extents.len()));
    Ok(walks)
}

impl Requests for ScalarCopy {
    /// Lanes that own elements access one each in an iteration; the destination may have several copies of it. LLVM merges the accesses
    /// of a lane's registers to adjacent elements of shared memory.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let elements = self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        check_count(elements.saturating_mul(by.active().len()))?;
        for warp in warps(by) {
            let mut lanes = Vec::new();
            for thread in warp {
                lanes.push((thread % WARP, self.walks(by, thread)?));
            }
            for role in Role::ALL.into_iter().filter(|&role| by.is_asked(role)) {
                self.side_requests(by, role, &lanes, each)?;
            }
        }
        Ok(())
    }
}

/// A lane, and the loop coordinates of its element in each iteration.
type LaneWalks = (i64, Vec<Option<Vec<i64>>>);

impl ScalarCopy {
    /// The loop coordinates of a thread's element in each iteration; none at all for a thread that copies nothing.
    fn walks(&self, by: &Enumeration<'_>, thread: i64) -> Result<Vec<Option<Vec<i64>>>, Refusal> {
        let t = by.relative(thread);
        match &self.owner {
            Owner::ScopeThread(owner) if *owner != t => Ok(Vec::new()),
            Owner::BlockThreads(owners) if !owners.contains(&thread) => Ok(Vec::new()),
            Owner::Distributed(owned) => owned_walks(by, self, owned, t),
            _ => Ok(grid(&self.extents).into_iter().map(Some).collect()),
        }
    }

    fn side_requests(
        &self,
        by: &Enumeration<'_>,
        role: Role,
        lanes: &[LaneWalks],
        each: &mut dyn FnMut(&WarpRequest),
    ) -> Result<(), NotCounted> {
        let (side, values, bytes) = (self.side(role), by.typical(role), i64::from(by.problem.bits_of(role) / 8));
        let replicas: Vec<i64> = side.copies().map(|iter| iter.extent).collect();
        let copies = grid(if role == Role::Dst { &replicas } else { &[] });
        let iterations = lanes.iter().map(|(_, walks)| walks.len()).max().unwrap_or(0);
        let mut requests: Vec<WarpRequest> = Vec::new();
        for at in 0..iterations {
            for digits in &copies {
                let mut request = WarpRequest { space: by.problem.operand(role)?.space, bytes, lanes: Vec::new() };
                for (lane, walks) in lanes {
                    if let Some(Some(walk)) = walks.get(at) {
                        let first = scalar_address(&mut Eval, side, walk, digits, &values)?;
                        request.lanes.push((*lane, first.saturating_mul(bytes)));
                    }
                }
                if !request.lanes.is_empty() {
                    requests.push(request);
                }
            }
        }
        let most = if self.is_merged(role, iterations) { side.align_bytes.min(MAX_MERGED_BYTES) } else { bytes };
        let mut rest = requests.as_slice();
        while let Some(first) = rest.first() {
            let count = merged(rest, most / bytes);
            each(&WarpRequest { bytes: bytes * count as i64, ..first.clone() });
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Whether LLVM sees that accesses of a lane are adjacent: in straight code without conditions, at addresses without a swizzle.
    fn is_merged(&self, role: Role, iterations: usize) -> bool {
        let is_moved = self.mask.is_none() && self.conversion.is_none() && self.effect == Effect::Stored;
        let is_straight = iterations as i64 <= MAX_UNROLLED && matches!(self.owner, Owner::Distributed(_));
        let is_shared = self.side(role).space == Space::Shared;
        is_moved && is_straight && is_shared && self.side(role).layout.swizzle.is_none_or(|swizzle| swizzle.len == 0)
    }
}

/// The bytes of the widest access that LLVM makes of several.
const MAX_MERGED_BYTES: i64 = 16;

/// How many of the first requests, at most `most`, are one: of the same lanes, each at adjacent bytes from a multiple of all on.
fn merged(requests: &[WarpRequest], most: i64) -> usize {
    let first = &requests[0];
    let follows = |(other, number): (&WarpRequest, i64)| {
        let pairs = || other.lanes.iter().zip(&first.lanes);
        other.lanes.len() == first.lanes.len()
            && pairs().all(|(lane, before)| *lane == (before.0, before.1 + number * first.bytes))
    };
    let adjacent = requests.iter().zip(0..most.max(1)).take_while(|pair| follows(*pair)).count().max(1);
    let is_aligned = |count: &usize| first.lanes.iter().all(|(_, byte)| byte % (first.bytes * *count as i64) == 0);
    let powers = std::iter::successors(Some(1usize << adjacent.ilog2()), |count| (*count > 1).then_some(count / 2));
    powers.into_iter().find(is_aligned).unwrap_or(1)
}

/// All coordinates of a loop nest.
fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        let extend = |walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat());
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// Instructions of an element: an address, a condition, and an access.
const INSTRUCTIONS: i64 = 3;

/// Wavefronts of an access of a warp, whose lanes may access any addresses.
const WAVEFRONTS: i64 = 8;

impl Costs for ScalarCopy {
    /// The cost of all elements that a thread copies.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        let extents: Vec<i64> = match &self.owner {
            Owner::Distributed(owned) => owned.serial.iter().map(|digit| digit.extent).collect(),
            _ => self.extents.clone(),
        };
        let elements = extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let (instructions, wavefronts) = (elements.saturating_mul(INSTRUCTIONS), elements.saturating_mul(WAVEFRONTS));
        Ok(Cost { instructions, wavefronts })
    }
}
