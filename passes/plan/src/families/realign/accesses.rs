//! The memory that realigned rows touch, and the requests of their warps.

use tile_isa::{Space, WARP};
use tile_layout::{Eval, Formula};

use super::chunks::{realigned_chunk, row_edge};
use super::plan::{CHUNK_BYTES, RealignedCopy};
use super::rows::RowValues;
use crate::families::family::{Requests, Touches};
use crate::problem::mask::Bounded;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::address::{digits, finish};
use crate::touch::enumeration::{Enumeration, Places};
use crate::touch::{Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{NotCounted, check_count};

impl Touches for RealignedCopy {
    /// All rows, by each thread: which thread has which chunk depends on the addresses of the storages.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let mut accesses = Vec::new();
        for role in Role::ALL {
            let count = self.rows().saturating_mul(by.active().len());
            let side = by.side(role, count, by.moved(role, self.of(role)), |values| self.places(by, role, values))?;
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        Ok(Touched::new(Engine::THREADS, accesses))
    }
}

impl RealignedCopy {
    /// All rows of one side, for each thread that shares the copy.
    fn places(&self, by: &Enumeration<'_>, role: Role, values: &[i64]) -> Result<Places, Refusal> {
        let mut first = Formula::new(|a, [row]| {
            let values = a.constants(values);
            let mut terms = Vec::new();
            digits(a, &self.outer(role), row, &mut terms);
            Ok::<_, Refusal>(vec![finish(a, self.of(role), terms, &values)?])
        })?;
        let firsts: Vec<i64> = (0..self.rows()).map(|row| first.value([row])).collect();
        let active = by.active();
        let sharers = active.iter().filter(|&thread| self.number_of(by.relative(thread)).is_some());
        Ok(sharers.flat_map(|thread| firsts.iter().map(move |&at| (thread, at, at + self.row()))).collect())
    }

    /// A round of a warp, whose lanes have these numbers: what each loads and stores that has anything.
    fn round(
        &self,
        lanes: &[(i64, i64)],
        each: &mut dyn FnMut(Role, i64, Vec<(i64, i64)>),
        access: impl Fn(i64) -> Result<RoundAccess, Refusal>,
        bytes: i64,
    ) -> Result<(), Refusal> {
        let mut accesses = Vec::new();
        for &(lane, number) in lanes {
            let RoundAccess { inside, loads, store } = access(number)?;
            if inside.iter().all(|it| (0..it.extent).contains(&it.place)) {
                accesses.push((lane, loads, store));
            }
        }
        for load in 0..accesses.first().map_or(0, |(_, loads, _)| loads.len()) {
            each(Role::Src, bytes, accesses.iter().map(|(lane, loads, _)| (*lane, loads[load])).collect());
        }
        each(Role::Dst, bytes, accesses.iter().map(|(lane, _, store)| (*lane, *store)).collect());
        Ok(())
    }
}

/// What a thread accesses in a round, where all bounds hold.
struct RoundAccess {
    inside: Vec<Bounded<i64>>,
    loads: Vec<i64>,
    store: i64,
}

impl Requests for RealignedCopy {
    /// Those of storages that begin at multiples of 16 bytes. All of a mask's limits hold that are known at run time alone.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let rounds = self.chunk_rounds().saturating_mul(3).saturating_add(self.edge_rounds().saturating_mul(2));
        check_count(rounds.saturating_mul(by.active().len()))?;
        let [src, dst] = Role::ALL.map(|role| by.typical(role));
        let whole = RealignedCopy { mask: None, ..self.clone() };
        let values = &RowValues { bases: &[0, 0], src: &src, dst: &dst, mask: &[] };
        // Constants alone say what a mask leaves out.
        let plan = if realigned_chunk(&mut Eval, self, (0, 0), values).is_ok() { self } else { &whole };
        let mut ask = |role, bytes, lanes: Vec<(i64, i64)>| {
            if by.is_asked(role) && !lanes.is_empty() {
                each(&WarpRequest { space: Space::Global, bytes, lanes });
            }
        };
        for warp in warps(by) {
            let number = |&thread: &i64| Some((thread % WARP, self.number_of(by.relative(thread))?));
            let lanes: Vec<(i64, i64)> = warp.iter().filter_map(number).collect();
            for round in 0..self.chunk_rounds() {
                let chunk = |number| {
                    let chunk = realigned_chunk(&mut Eval, plan, (round, number), values)?;
                    Ok(RoundAccess { inside: chunk.inside, loads: chunk.loads.to_vec(), store: chunk.store })
                };
                self.round(&lanes, &mut ask, chunk, CHUNK_BYTES)?;
            }
            for round in 0..self.edge_rounds() {
                let edge = |number| {
                    let edge = row_edge(&mut Eval, plan, (round, number), values)?;
                    Ok(RoundAccess { inside: edge.inside, loads: vec![edge.load], store: edge.store })
                };
                self.round(&lanes, &mut ask, edge, self.element_bytes())?;
            }
        }
        Ok(())
    }
}
