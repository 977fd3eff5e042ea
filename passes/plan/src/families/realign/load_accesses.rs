//! What realigned loads touch, by which requests, and what they cost.

use tile_isa::{Space, WARP};
use tile_layout::Eval;

use super::cost::shifts;
use super::loads::{RealignedLoad, RealignedLoads, inner, realigned_load};
use super::plan::CHUNK_BYTES;
use crate::families::family::{Cost, Costs, Requests, Touches};
use crate::families::vector::address::vector_address;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;
use crate::touch::enumeration::{Enumeration, Places};
use crate::touch::{Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{NotCounted, check_count};

impl Touches for RealignedLoads {
    /// A vector inside a row is read with less than a chunk before and behind it, wherever chunks begin.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let count = self.vectors.rounds.saturating_mul(by.active().len());
        let moved = by.moved(Role::Src, self.src());
        let read = by.side(Role::Src, count, moved, |values| self.read(by, values))?;
        Ok(Touched::new(Engine::THREADS, read.map(|bytes| (Role::Src, bytes))))
    }
}

impl RealignedLoads {
    /// The elements that each thread may read.
    fn read(&self, by: &Enumeration<'_>, values: &[i64]) -> Result<Places, Refusal> {
        let (copy, mut places) = (&self.vectors, Places::new());
        let around = CHUNK_BYTES / self.element_bytes() - 1;
        for thread in by.active().iter() {
            let Some(t) = copy.number_of(by.relative(thread)).filter(|&t| self.admits(t)) else { continue };
            for f in 0..copy.rounds_of(t) {
                let first = vector_address(&mut Eval, copy, Role::Src, f, t, values)?;
                let around = if self.is_inner((f, t))? { around } else { 0 };
                places.push((thread, first - around, first + copy.vector + around));
            }
        }
        Ok(places)
    }

    fn admits(&self, t: i64) -> bool {
        self.vectors.guards.iter().all(|guard| guard.admits(t))
    }

    fn is_inner(&self, at: (i64, i64)) -> Result<bool, Refusal> {
        let inner = inner(&mut Eval, self, at)?;
        Ok((0..inner.extent).contains(&inner.place))
    }
}

impl Requests for RealignedLoads {
    /// Those of a source that begins at a multiple of 16 bytes.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        if !by.is_asked(Role::Src) {
            return Ok(());
        }
        let (copy, bytes, values) = (&self.vectors, self.element_bytes(), by.typical(Role::Src));
        check_count(copy.rounds.saturating_mul(by.active().len()).saturating_mul(2 + copy.vector))?;
        let mut ask = |bytes, lanes: Vec<(i64, i64)>| {
            if !lanes.is_empty() {
                each(&WarpRequest { space: Space::Global, bytes, lanes });
            }
        };
        for warp in warps(by) {
            let number = |&thread: &i64| Some((thread % WARP, copy.number_of(by.relative(thread))?));
            let lanes = warp.iter().filter_map(number).filter(|&(_, t)| self.admits(t)).collect::<Vec<_>>();
            for f in 0..copy.rounds {
                let (mut chunks, mut ends) = ([Vec::new(), Vec::new()], Vec::new());
                for &(lane, t) in lanes.iter().filter(|&&(_, t)| f < copy.rounds_of(t)) {
                    let load: RealignedLoad<i64> = realigned_load(&mut Eval, self, (f, t), (0, &values))?;
                    if (0..load.inner.extent).contains(&load.inner.place) {
                        let both = chunks.iter_mut().zip(load.chunks);
                        both.for_each(|(requests, chunk)| requests.push((lane, chunk)));
                    } else {
                        ends.push((lane, load.first));
                    }
                }
                chunks.into_iter().for_each(|lanes| ask(CHUNK_BYTES, lanes));
                for step in 0..copy.vector {
                    ask(bytes, ends.iter().map(|&(lane, first)| (lane, first + step * bytes)).collect());
                }
            }
        }
        Ok(())
    }
}

impl Costs for RealignedLoads {
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        let each = 2 + self.vectors.vector + shifts(self.element_bytes());
        Ok(Cost { instructions: self.vectors.rounds.saturating_mul(each), wavefronts: 0 })
    }
}
