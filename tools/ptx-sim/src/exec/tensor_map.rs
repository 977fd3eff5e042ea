//! Tensor maps in memory: reading them, and changing them on the device (PTX ISA 9.7.9.28, 9.7.9.29, 9.7.13.4).
//!
//! `tensormap.replace` and the copy of a map are accesses of the generic proxy, of all 128 bytes. Uses of a map go through a
//! proxy of its own, which sees a change only after a release and an acquire (see `check::map_order`).

use super::access::Access;
use super::cluster::segment;
use super::core::{Core, Flow, lanes};
use super::place::MemoryLocation;
use super::problem::{Exec, invalid};
use crate::check::{Agent, Clock, Conflict, Event, Know, MapFence, Strength};
use crate::code::{Addr, MapOp, Scope};
use crate::parse::Space;
use crate::tensor_map::{MapField, TENSOR_MAP_BYTES, TensorMap, replace};

/// The alignment of a tensor map in memory, in bytes.
const MAP_ALIGN: u64 = 64;
/// The same, of a map that a warp copies, and of one that is acquired.
const WIDE_ALIGN: u64 = 128;
/// The most bytes that are read at once.
const PIECE: usize = 32;

/// The bytes of a map.
type MapBytes = [u8; TENSOR_MAP_BYTES];

impl Core<'_, '_> {
    pub(crate) fn map_op(&mut self, op: &MapOp, mask: u32, active: u32) -> Exec<Flow> {
        let target = &self.env.program.target;
        if matches!(op, MapOp::Replace { .. }) && !target.ends_with(['a', 'f']) {
            return Err(invalid(format!("got the target {target}, expected sm_90a or a later one with `a` or `f`")));
        }
        match op {
            MapOp::Replace { space, addr, field, value } => {
                let (addresses, values) = (self.addresses(addr), self.row(*value));
                lanes(active).try_for_each(|lane| {
                    let map = self.access(
                        lane,
                        (*space, addr.within),
                        addresses[lane],
                        TENSOR_MAP_BYTES,
                        MAP_ALIGN,
                        Strength::WEAK,
                    )?;
                    self.replace_field(&map, *field, values[lane])
                })?;
            }
            MapOp::Copy { dst, src, scope } => {
                if !self.converged(mask, active) {
                    return Ok(Flow::Choose);
                }
                self.copy_map(dst, src, *scope, active)?;
            }
            MapOp::Release(scope) => self.release_maps(*scope, active, 0),
            MapOp::Acquire { addr, scope } => {
                let addresses = self.addresses(addr);
                lanes(active).try_for_each(|lane| self.acquire_map(addresses[lane], *scope, lane))?;
            }
        }
        Ok(Flow::Next)
    }

    fn replace_field(&mut self, map: &Access, field: MapField, value: u64) -> Exec<()> {
        if !matches!(map.place, MemoryLocation::Global { .. } | MemoryLocation::Shared { .. }) {
            let place = Self::memory_name(map.place);
            let detail = format!("got a tensor map in {place}, expected global memory, or shared memory of the block");
            return Err(map.blame(invalid(detail)));
        }
        let mut bytes = [0; TENSOR_MAP_BYTES];
        self.read_map(map, &mut bytes)?;
        replace(&mut bytes, field, value).map_err(|why| map.blame(invalid(why.to_string())))?;
        self.write(map, &bytes)
    }

    /// Reads a map through the generic proxy; returns the bytes of each piece that have no value.
    fn read_map(&mut self, map: &Access, bytes: &mut MapBytes) -> Exec<[u32; TENSOR_MAP_BYTES / PIECE]> {
        let mut missing = [0; TENSOR_MAP_BYTES / PIECE];
        for (number, piece) in bytes.chunks_exact_mut(PIECE).enumerate() {
            missing[number] = self.read(&Access { place: map.place.moved(number * PIECE), ..*map }, piece)?;
        }
        Ok(missing)
    }

    /// All lanes read the map, and the first one writes it for all of them.
    fn copy_map(&mut self, dst: &Addr, src: &Addr, scope: Scope, active: u32) -> Exec<()> {
        let (to, from) = (self.same_address(dst, active)?, self.same_address(src, active)?);
        let mut bytes = [0; TENSOR_MAP_BYTES];
        let mut missing = Default::default();
        for lane in lanes(active) {
            let place = (Space::Shared, src.within);
            let map = self.access(lane, place, from, TENSOR_MAP_BYTES, WIDE_ALIGN, Strength::WEAK)?;
            missing = self.read_map(&map, &mut bytes)?;
        }
        let first = active.trailing_zeros() as usize;
        let map = self.access(first, Space::Global, to, TENSOR_MAP_BYTES, WIDE_ALIGN, Strength::WEAK)?;
        self.write(&map, &bytes)?;
        for (number, &holes) in missing.iter().enumerate().filter(|(_, holes)| **holes != 0) {
            self.forget(&Access { place: map.place.moved(number * PIECE), ..map }, holes);
        }
        let counts = &mut self.env.counts[self.pc as usize];
        counts.global_bytes += TENSOR_MAP_BYTES as u64;
        counts.shared_bytes += TENSOR_MAP_BYTES as u64;
        self.note(active, Event::Meet);
        self.release_maps(scope, active, 1 << first);
        Ok(())
    }

    /// An address that the lanes of a warp give together.
    fn same_address(&self, addr: &Addr, active: u32) -> Exec<u64> {
        let base = self.uniform(addr.base, active, "the address of a tensor map")?;
        Ok(base.wrapping_add_signed(addr.offset))
    }

    /// Releases the accesses of lanes, and those before them; what the lanes of `written` have just done, all have.
    fn release_maps(&mut self, scope: Scope, active: u32, written: u32) {
        if !self.env.checks.races {
            return;
        }
        let (block, agents, time) = (self.block(), self.agents(Agent::Thread), self.warp.time);
        self.warp.know.update(active, |mask, know| {
            know.raise(agents, written, time);
            let mut accesses = know.data.clone();
            accesses.raise(agents, mask, time);
            know.maps.release((block, scope), &accesses);
        });
        self.tick();
    }

    fn acquire_map(&mut self, address: u64, scope: Scope, lane: usize) -> Exec<()> {
        let map = self.map_access(Space::Generic, address, WIDE_ALIGN, lane)?;
        let (key, block, cluster) = (self.key(map.place), self.block(), self.env.shape.ranks);
        if self.env.checks.races {
            self.warp.know.update(1 << lane, |_, know| know.maps.acquire((block, scope), key, cluster));
        }
        Ok(())
    }

    fn map_access(&self, space: Space, address: u64, align: u64, lane: usize) -> Exec<Access> {
        let access = self.access(lane, space, address, TENSOR_MAP_BYTES, align, Strength::WEAK)?;
        if matches!(access.place, MemoryLocation::Global { .. } | MemoryLocation::KernelParam { .. }) {
            return Ok(access);
        }
        let place = Self::memory_name(access.place);
        let detail = format!("got a tensor map in {place}, expected global memory, constants or kernel parameters");
        Err(access.blame(invalid(detail)))
    }

    /// Reads a tensor map for a copy, as its proxy sees it; also returns the access, of which the copy is the reader.
    pub(super) fn tensor_map(&mut self, space: Space, address: u64, lane: usize) -> Exec<(TensorMap, Access)> {
        let access = self.map_access(space, address, MAP_ALIGN, lane)?;
        self.check_visible(&access)?;
        let mut bytes = [0; TENSOR_MAP_BYTES];
        let offset = access.place.offset();
        match segment(self.env.memory, self.cluster, access.place) {
            Some(s) => bytes.copy_from_slice(&s.data[offset..offset + TENSOR_MAP_BYTES]),
            None => bytes.copy_from_slice(&self.env.params[offset..offset + TENSOR_MAP_BYTES]),
        }
        let map = TensorMap::decode(&bytes).map_err(|why| access.blame(invalid(why.to_string())))?;
        Ok((map, access))
    }

    /// Checks that a map has a value, that the thread is ordered after its last change, and that fences make this visible.
    fn check_visible(&mut self, map: &Access) -> Exec<()> {
        for at in (0..TENSOR_MAP_BYTES).step_by(PIECE) {
            if matches!(map.place, MemoryLocation::Global { .. }) {
                self.check_written(&Access { place: map.place.moved(at), ..*map }, PIECE)?;
            }
        }
        let (checks, key, block, cluster) = (self.env.checks, self.key(map.place), self.block(), self.env.shape.ranks);
        let none = Know::default();
        let know = self.warp.know.get(map.lane).unwrap_or(&none);
        let (acquired, released) = (know.maps.acquired(block, key), know.maps.released(block, cluster));
        let Some(s) = segment(self.env.memory, self.cluster, map.place).filter(|_| checks.races && checks.proxy) else {
            return Ok(());
        };
        let mut unseen =
            |by: &Clock| s.shadow.unseen(map.place.offset(), TENSOR_MAP_BYTES, by, &mut self.env.races.overflow);
        let Some(conflict) = unseen(&acquired) else { return Ok(()) };
        let lacks = if unseen(&released).is_some() { MapFence::Release } else { MapFence::Acquire };
        Err(map.blame(self.env.race(Conflict { map: Some(lacks), ..conflict })))
    }

    /// Counts a prefetch of a map as a read by its thread: nothing completes it.
    pub(super) fn prefetch_map(&mut self, space: Space, address: u64, lane: usize) -> Exec<()> {
        let (_, access) = self.tensor_map(space, address, lane)?;
        self.read_map(&access, &mut [0; TENSOR_MAP_BYTES]).map(drop)
    }
}
