//! `ld` and `st` (PTX ISA 9.7.9.8 to 9.7.9.12).

use super::access::Access;
use super::core::{Core, lanes};
use super::place::{all_bytes, bits_of, bytes_of};
use super::poison::Cause;
use super::problem::{Exec, Locate, invalid};
use super::traffic::Traffic;
use crate::check::Strength;
use crate::code::{IsSpace, Load, Mapa, Order, ParamOffset, Row, SINK, Store, StoreBulk};
use crate::memory::{BLOCK_SHIFT, LOCAL_WINDOW, PARAM_WINDOW, RANK_SHIFT, SHARED_WINDOW, WINDOW_SIZE};
use crate::parse::Space;

/// The strength of an access for the race checker.
pub(crate) fn strength(order: Order, unit: u32) -> Strength {
    order.scope.map_or(Strength::WEAK, |scope| Strength::strong(scope, unit))
}

/// `value` of `bytes` bytes sign-extended to `bits` bits.
pub(crate) fn sign_extend(value: u64, bytes: u32, bits: u32) -> u64 {
    let unused = 64 - 8 * bytes;
    ((value << unused) as i64 >> unused) as u64 & u64::MAX >> (64 - bits)
}

/// The strength of a load for the race checker.
pub(crate) fn load_strength(op: &Load) -> Strength {
    if op.constant { Strength::CONSTANT } else { strength(op.order, op.unit) }
}

/// Whether two lanes have the same address.
fn meets(addresses: &Row, active: u32) -> bool {
    let mut before = None;
    // Addresses mostly ascend.
    let ascends =
        lanes(active).all(|lane| before.replace(addresses[lane]).is_none_or(|before| before < addresses[lane]));
    let again =
        |lane: usize| lanes(active).take_while(|&other| other < lane).any(|other| addresses[other] == addresses[lane]);
    !ascends && lanes(active).any(again)
}

impl Core<'_, '_> {
    pub(crate) fn load(&mut self, op: &Load, active: u32) -> Exec<()> {
        let addresses = self.addresses(&op.addr);
        let (bytes, masked) = (op.bytes(), op.is_masked());
        let alike = op.order.scope.is_none() && !masked && !self.is_early();
        if alike && self.load_together(op, &addresses, active) {
            return Ok(());
        }
        let strength = load_strength(op);
        let mut traffic = Traffic::new(bytes);
        for lane in lanes(active) {
            let mut buffer = [0; 32];
            let mut cause = self.pc;
            let missing = if masked {
                self.load_used(op, lane, addresses[lane], &mut buffer, &mut traffic)?
            } else {
                let access =
                    self.access(lane, (op.space, op.addr.within), addresses[lane], bytes, bytes as u64, strength)?;
                traffic.add(lane, access.place, addresses[lane]);
                let stale = self.draw_stale(&access, bytes);
                if stale.first().is_none_or(|&(at, _)| at != 0) {
                    self.observe(&access, op.order);
                }
                let missing = self.read_register(&access, &mut buffer[..bytes])?;
                stale.iter().for_each(|(at, old)| buffer[*at..at + old.len()].copy_from_slice(old));
                cause = self.kept_cause(&access, missing).unwrap_or(cause);
                missing
            };
            self.fill(op, lane, &buffer[..bytes], (missing, cause));
        }
        self.warp.regs[SINK as usize] = [0; 32];
        self.warp.yields |= op.order.scope.is_some();
        self.count_traffic(&traffic);
        Ok(())
    }

    /// Writes the bytes of a load to one lane's registers; the bytes of `missing` have no value, because of `cause`.
    fn fill(&mut self, op: &Load, lane: usize, bytes: &[u8], (missing, cause): (u32, Cause)) {
        let element = op.element as usize;
        for (i, (part, &d)) in bytes.chunks_exact(element).zip(&op.dst).enumerate() {
            let mut word = [0; 8];
            word[..element].copy_from_slice(part);
            let value = u64::from_le_bytes(word);
            let value = if op.extend == 0 { value } else { sign_extend(value, op.element, op.extend) };
            self.warp.regs[d as usize][lane] = value;
            let holes = bits_of(missing >> (i * element) & all_bytes(element));
            if holes != 0 {
                let holes = if op.extend == 0 { holes } else { sign_extend(holes, op.element, op.extend) };
                let mut row = [0; 32];
                row[lane] = holes;
                self.warp.taint(d, 1 << lane, &row, cause);
            }
        }
    }

    pub(crate) fn store(&mut self, op: &Store, active: u32) -> Exec<()> {
        if op.masked {
            return self.store_masked(op, active);
        }
        let addresses = self.addresses(&op.addr);
        let element = op.element as usize;
        let bytes = element * op.src.len();
        let meet = op.order.scope.is_none() && !self.env.checks.equal_stores && meets(&addresses, active);
        if op.order.scope.is_none() && !meet && self.store_together(op, &addresses, active) {
            return Ok(());
        }
        let strength = strength(op.order, op.unit);
        let (mut buffers, mut holes) = ([[0u8; 32]; 32], [0; 32]);
        for (i, &src) in op.src.iter().enumerate() {
            let row = self.row(src);
            for lane in lanes(active) {
                buffers[lane][i * element..][..element].copy_from_slice(&row[lane].to_le_bytes()[..element]);
            }
            if self.undefined_lanes(src) & active != 0 {
                let undefined = self.undefined_row(src);
                let bytes = |lane: usize| bytes_of(undefined[lane]) & all_bytes(element);
                lanes(active).for_each(|lane| holes[lane] |= bytes(lane) << (i * element));
            }
        }
        let mut traffic = Traffic::new(bytes);
        let stored = |lane: usize| (addresses[lane], buffers[lane], holes[lane]);
        let equals = |lane: usize| {
            let equal = |other: &usize| meet && holes[lane] == 0 && stored(*other) == stored(lane);
            lanes(active).filter(equal).fold(0, |mask, other| mask | 1 << other)
        };
        for lane in lanes(active) {
            let access =
                self.access(lane, (op.space, op.addr.within), addresses[lane], bytes, bytes as u64, strength)?;
            let access = Access { equals: equals(lane), ..access };
            self.write(&access, &buffers[lane][..bytes])?;
            if holes[lane] != 0 {
                self.forget(&access, holes[lane]);
            }
            self.release(&access, op.order, bytes, false);
            traffic.add(lane, access.place, addresses[lane]);
        }
        if op.order.release {
            self.tick();
        }
        self.count_traffic(&traffic);
        Ok(())
    }

    /// `st.bulk`: each lane zeroes its own range of shared memory.
    pub(crate) fn store_bulk(&mut self, op: &StoreBulk, active: u32) -> Exec<()> {
        let (addresses, sizes) = (self.addresses(&op.addr), self.row(op.size));
        for lane in lanes(active) {
            let bytes = sizes[lane] as usize;
            if bytes == 0 || !bytes.is_multiple_of(8) || bytes > self.env.shared_bytes {
                return Err(invalid(format!(
                    "got a size of {bytes} bytes, expected a multiple of 8 inside shared memory"
                )))
                .lane(lane);
            }
            let access = self.access(lane, (op.space, op.addr.within), addresses[lane], bytes, 8, Strength::WEAK)?;
            self.write(&access, &vec![0; bytes])?;
        }
        Ok(())
    }

    /// Copies an argument or a result between call parameters.
    pub(crate) fn copy_param(&mut self, dst: ParamOffset, src: ParamOffset, bytes: u64, active: u32) {
        let (dst, src, bytes) = (self.param(dst), self.param(src), bytes as usize);
        self.warp.call_params.grow(dst + bytes);
        for lane in lanes(active) {
            self.warp.call_params.copy(lane, src, dst, bytes);
        }
    }

    pub(crate) fn is_space(&mut self, op: IsSpace, active: u32) {
        let row = self.row(op.a);
        let own_rank = self.rank as u64 + 1;
        let inside = |a: u64, base: u64| a.wrapping_sub(base) < WINDOW_SIZE;
        let rank = |a: u64| self.to_shared(a).map(|shared| shared >> RANK_SHIFT);
        let holds = |a: u64| match op.space {
            Space::SharedCluster => inside(a, SHARED_WINDOW),
            Space::Shared => inside(a, SHARED_WINDOW) && rank(a).is_ok_and(|rank| rank == 0 || rank == own_rank),
            Space::Local => inside(a, LOCAL_WINDOW),
            Space::Param => inside(a, PARAM_WINDOW),
            Space::Const => self.env.memory.find(a, 1).is_some_and(|(i, _)| self.env.memory.allocations[i].read_only),
            Space::Global | Space::Generic => a < SHARED_WINDOW,
        };
        let value = lanes(active).fold(0, |m, lane| m | u32::from(holds(row[lane])) << lane);
        self.set_predicate(op.dst, active, value);
    }

    /// `mapa`: the same offset in another block's shared memory; `getctarank`: the rank of the block that owns the
    /// memory.
    pub(crate) fn mapa(&mut self, op: Mapa, active: u32) -> Exec<()> {
        let a = self.row(op.a);
        let own_rank = self.rank as u64;
        let ranks = u64::from(self.env.shape.ranks);
        let wanted = op.rank.map(|rank| self.row(rank));
        let inside = |a: u64| a.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE;
        let mut out = [0; 32];
        for lane in lanes(active) {
            let is_shared = if op.window { a[lane] >> BLOCK_SHIFT == 0 } else { inside(a[lane]) };
            if !is_shared {
                return Err(invalid("the address is not in shared memory")).lane(lane);
            }
            let address = if op.window { a[lane] } else { self.to_shared(a[lane]).map_err(invalid).lane(lane)? };
            out[lane] = match wanted {
                None => (address >> RANK_SHIFT).checked_sub(1).unwrap_or(own_rank),
                Some(rank) if rank[lane] < ranks => {
                    a[lane] - address + ((rank[lane] + 1) << RANK_SHIFT | address & ((1 << RANK_SHIFT) - 1))
                }
                Some(rank) => return Err(invalid(format!("got rank {} of {ranks} blocks", rank[lane]))).lane(lane),
            };
        }
        self.put(op.dst, active, &out);
        Ok(())
    }
}
