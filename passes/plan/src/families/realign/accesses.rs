//! The memory that realigned rows touch, and the requests of their warps.

use tile_isa::WARP;
use tile_layout::formula::{Recorded, Recorder};
use tile_layout::{Eval, Formula, IndexArith};

use super::chunks::{realigned_chunk, row_edge};
use super::filled::{FilledBytes, filled_chunk, filled_element};
use super::plan::{CHUNK_BYTES, RealignedCopy};
use super::rows::{RowValues, row_start};
use crate::families::family::{Requests, Touches};
use crate::problem::mask::Bounded;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::touch::enumeration::{Enumeration, Places, joined};
use crate::touch::{Bytes, Collective, Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{NotCounted, check_count};

impl Touches for RealignedCopy {
    /// Which thread has which chunk depends on the addresses of the storages: every thread may read and write all rows, but one writes
    /// each byte.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let active = by.active().len();
        let moved = |role| by.moved(role, self.of(role));
        let rows = self.rows().saturating_mul(active);
        let read = by.side(Role::Src, rows, moved(Role::Src), |values| self.read(by, values))?;
        let filled = self.filled_chunk_rounds().saturating_add(self.filled_element_rounds());
        let copied = self.chunk_rounds().saturating_add(self.edge_rounds());
        let stores = copied.saturating_add(filled).saturating_mul(active);
        let written = by.side(Role::Dst, stores, moved(Role::Dst), |values| self.written(by, values))?;
        let written = written.map(|bytes| Bytes { collective: Collective::Block, ..bytes });
        let accesses = [(Role::Src, read), (Role::Dst, written)];
        Ok(Touched::new(Engine::THREADS, accesses.into_iter().filter_map(|(role, bytes)| Some((role, bytes?)))))
    }
}

impl RealignedCopy {
    /// All rows of the source, for each thread that shares the copy.
    fn read(&self, by: &Enumeration<'_>, values: &[i64]) -> Result<Places, Refusal> {
        let mut first = Formula::new(|a, [row]| {
            let values = a.constants(values);
            Ok::<_, Refusal>(vec![row_start(a, self, Role::Src, (row, &values))?])
        })?;
        let swizzle = self.src.layout.swizzle.filter(|swizzle| swizzle.len != 0);
        let mut runs = Vec::new();
        for row in 0..self.rows() {
            let begin = first.value([row]);
            let end = begin + self.row();
            match swizzle {
                Some(swizzle) => runs.extend((begin..end).map(|at| swizzle.apply(at)).map(|at| (at, at + 1))),
                None => runs.push((begin, end)),
            }
        }
        let runs = joined(runs);
        let active = by.active();
        let sharers = active.iter().filter(|&thread| self.number_of(by.relative(thread)).is_some());
        Ok(sharers.flat_map(|thread| runs.iter().map(move |&(begin, end)| (thread, begin, end))).collect())
    }

    /// The chunks and the ends of rows that are stored, as those of each thread that shares the copy.
    fn written(&self, by: &Enumeration<'_>, values: &[i64]) -> Result<Places, Refusal> {
        let src = by.values(Role::Src);
        let plan = &self.with_constant_mask((&src, values));
        let mut places = plan.stores(by, (&src, values), (plan.chunk_rounds(), CHUNK_BYTES), |a, place, values| {
            let chunk = realigned_chunk(a, plan, place, values)?;
            Ok((chunk.store, chunk.inside))
        })?;
        let element = plan.element_bytes();
        places.extend(plan.stores(by, (&src, values), (plan.edge_rounds(), element), |a, place, values| {
            let edge = row_edge(a, plan, place, values)?;
            Ok((edge.store, edge.inside))
        })?);
        places.extend(plan.stores(
            by,
            (&src, values),
            (plan.filled_chunk_rounds(), CHUNK_BYTES),
            |a, place, values| {
                let chunk = filled_chunk(a, plan, place, values)?;
                Ok((chunk.store, chunk.inside))
            },
        )?);
        places.extend(plan.stores(
            by,
            (&src, values),
            (plan.filled_element_rounds(), element),
            |a, place, values| {
                let filled = filled_element(a, plan, place, values)?;
                Ok((filled.store, filled.inside))
            },
        )?);
        let (active, runs) = (by.active(), joined(places.into_iter().map(|(_, begin, end)| (begin, end)).collect()));
        let sharers = active.iter().filter(|&thread| self.number_of(by.relative(thread)).is_some());
        Ok(sharers.flat_map(|thread| runs.iter().map(move |&(begin, end)| (thread, begin, end))).collect())
    }

    /// The elements that each thread stores in some rounds.
    fn stores(
        &self,
        by: &Enumeration<'_>,
        (src, dst): (&[i64], &[i64]),
        (rounds, bytes): (i64, i64),
        store: impl Fn(&mut Recorder, RoundAndThread, &RowValues<'_, Recorded>) -> Result<RecordedStore, Refusal>,
    ) -> Result<Places, Refusal> {
        let mut formula = Formula::new(|a, [round, thread]| {
            let (bases, src, dst) = ([a.constant(0), a.constant(0)], a.constants(src), a.constants(dst));
            let values = RowValues { bases: &bases, src: &src, dst: &dst, mask: &[] };
            let (at, inside) = store(a, (round, thread), &values)?;
            Ok::<_, Refusal>(
                std::iter::once(at).chain(inside.into_iter().flat_map(|bound| [bound.place, bound.extent])).collect(),
            )
        })?;
        let (element, mut places) = (self.element_bytes(), Vec::new());
        for thread in by.active().iter() {
            let Some(number) = self.number_of(by.relative(thread)) else { continue };
            for round in 0..rounds {
                let evaluated: Vec<i64> = formula.values([round, number]).collect();
                if evaluated[1..].chunks(2).all(|bound| (0..bound[1]).contains(&bound[0])) {
                    places.push((thread, evaluated[0] / element, (evaluated[0] + bytes) / element));
                }
            }
        }
        Ok(places)
    }

    /// The plan itself where constants say what its mask leaves out, else one that leaves out nothing.
    fn with_constant_mask(&self, (src, dst): (&[i64], &[i64])) -> RealignedCopy {
        let values = RowValues { bases: &[0, 0], src, dst, mask: &[] };
        let is_known = realigned_chunk(&mut Eval, self, (0, 0), &values).is_ok();
        RealignedCopy { mask: self.mask.clone().filter(|_| is_known), ..self.clone() }
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
            if inside.iter().all(|bound| (0..bound.extent).contains(&bound.place)) {
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

/// A round and the number of a thread.
type RoundAndThread = (Recorded, Recorded);

/// Where a thread stores in a round, and what must be within bounds for it to do so.
type RecordedStore = (Recorded, Vec<Bounded<Recorded>>);

/// What a thread accesses in a round, where all bounds hold.
struct RoundAccess {
    inside: Vec<Bounded<i64>>,
    loads: Vec<i64>,
    store: i64,
}

impl RoundAccess {
    fn of(FilledBytes { inside, store }: FilledBytes<i64>) -> Self {
        RoundAccess { inside, loads: Vec::new(), store }
    }
}

impl Requests for RealignedCopy {
    /// Those of storages that begin at multiples of 16 bytes. All of a mask's limits hold that are known at run time alone.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let filled = self.filled_chunk_rounds().saturating_add(self.filled_element_rounds());
        let rounds = self.chunk_rounds().saturating_mul(3).saturating_add(self.edge_rounds().saturating_mul(2));
        let rounds = rounds.saturating_add(filled);
        check_count(rounds.saturating_mul(by.active().len()))?;
        let [src, dst] = Role::ALL.map(|role| by.typical(role));
        let values = &RowValues { bases: &[0, 0], src: &src, dst: &dst, mask: &[] };
        let plan = &self.with_constant_mask((&src, &dst));
        let mut ask = |role, bytes, lanes: Vec<(i64, i64)>| {
            if by.is_asked(role) && !lanes.is_empty() {
                each(&WarpRequest { space: plan.of(role).space, bytes, lanes });
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
            for round in 0..self.filled_chunk_rounds() {
                let filled = |number| Ok(RoundAccess::of(filled_chunk(&mut Eval, plan, (round, number), values)?));
                self.round(&lanes, &mut ask, filled, CHUNK_BYTES)?;
            }
            for round in 0..self.filled_element_rounds() {
                let filled = |number| Ok(RoundAccess::of(filled_element(&mut Eval, plan, (round, number), values)?));
                self.round(&lanes, &mut ask, filled, self.element_bytes())?;
            }
        }
        Ok(())
    }
}
