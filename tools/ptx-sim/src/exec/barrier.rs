//! Barriers of a block (`bar`, `barrier`) and of a cluster (PTX ISA 9.7.13.1, 9.7.13.3).

use super::cluster::Barrier;
use super::core::{Core, Flow, lanes};
use super::problem::{Exec, invalid};
use super::warp::{Warp, WarpState};
use crate::check::{Event, Hub, Know, Threads};
use crate::code::{BarrierOp, BarrierReduce, ClusterBarrier, LANES, Scope};

impl Core<'_, '_> {
    pub(crate) fn barrier(&mut self, op: &BarrierOp, mask: u32, active: u32) -> Exec<Flow> {
        if op.aligned && !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        let id = self.uniform(op.id, active, "the barrier's number")?;
        let id = usize::try_from(id).ok().filter(|&i| i < 16);
        let id = id.ok_or_else(|| invalid("barriers are numbered 0 to 15"))?;
        let expected = self.expected(op, active)?;
        let arriving = active.count_ones();
        let votes = op.reduce.map_or(0, |(_, p)| (self.predicate(p) & active).count_ones());
        let know = if self.env.checks.races { self.publish(active) } else { Know::default() };
        let barrier = &mut self.cta().barriers[id];
        if barrier.threads > 0 && barrier.expected != expected {
            let show = |e: Option<u32>| e.map_or("all threads".into(), |n| format!("{n} threads"));
            let detail = format!("barrier {id} is waiting for {}, got {}", show(barrier.expected), show(expected));
            return Err(invalid(detail));
        }
        barrier.expected = expected;
        barrier.threads += arriving;
        barrier.counted += if op.aligned { LANES as u32 } else { arriving };
        barrier.votes += votes;
        barrier.know.join(&know);
        if let Some(most) = expected.filter(|&e| barrier.counted > e) {
            let detail = format!("{} threads at barrier {id}, which expects {most}", barrier.counted);
            return Err(invalid(detail));
        }
        let round = barrier.round;
        let hub = Hub::Block { block: self.block(), id: id as u32, round };
        self.note(active, |threads| Event::Arrive(threads, hub, Scope::Cta));
        self.tick();
        self.env.changed();
        if active != mask {
            self.split(mask & !active, self.pc + 1);
        }
        let path = &mut self.warp.paths[self.path];
        path.pc = self.pc + 1;
        if op.wait {
            path.state = WarpState::Barrier { id, reduce: op.reduce.map(|r| r.0) };
        }
        self.settle_barrier(id);
        Ok(Flow::Choose)
    }

    fn expected(&self, op: &BarrierOp, active: u32) -> Exec<Option<u32>> {
        let Some(threads) = op.threads else { return Ok(None) };
        let n = self.uniform(threads, active, "the number of threads")?;
        let good = n > 0 && n <= u64::from(self.env.warps) * LANES as u64 && n.is_multiple_of(LANES as u64);
        if good {
            return Ok(Some(n as u32));
        }
        let most = self.env.warps * LANES as u32;
        Err(invalid(format!("got a barrier of {n} threads, expected a multiple of 32 up to {most}")))
    }

    /// Releases a barrier's threads if all have arrived.
    fn settle_barrier(&mut self, id: usize) {
        let live = self.cta().live;
        if !self.cta().barriers[id].complete(live) {
            return;
        }
        let barrier = std::mem::take(&mut self.cta().barriers[id]);
        let cta = &mut self.cluster.ctas[self.rank];
        cta.barriers[id].round = barrier.round + 1;
        let hub = Hub::Block { block: cta.number, id: id as u32, round: barrier.round };
        for warp in cta.warps.iter_mut().chain([&mut self.warp]) {
            wake(warp, id, &barrier, |warp, at, lanes| {
                let threads = Threads { block: cta.number, warp, lanes };
                self.env.note(at, || Event::Leave(threads, hub, Scope::Cta));
            });
        }
        self.env.changed();
    }

    /// Ends threads of this warp; no thread waits for them any longer.
    pub(crate) fn end_threads(&mut self, mask: u32) -> Exec<()> {
        self.warp.end(mask);
        self.cta().live -= mask.count_ones();
        if self.warp.live == 0 {
            self.end_products()?;
        }
        self.check_end(mask)?;
        for id in 0..16 {
            self.settle_barrier(id);
        }
        self.cluster.settle();
        self.env.changed();
        Ok(())
    }

    pub(crate) fn cluster_barrier(&mut self, op: ClusterBarrier, mask: u32, active: u32) -> Exec<Flow> {
        if op.aligned && !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        let arrived = self.warp.cluster_arrived & active;
        if op.wait && arrived != active {
            return Err(invalid("`barrier.cluster.wait` without an arrival before it"));
        }
        if !op.wait && arrived != 0 {
            return Err(invalid("a second `barrier.cluster.arrive` without a wait between them"));
        }
        if op.wait {
            return Ok(self.cluster_wait(mask, active));
        }
        self.warp.cluster_arrived |= active;
        let generation = self.cluster.barrier.generation;
        lanes(active).for_each(|lane| self.warp.cluster_generation[lane] = generation);
        if op.ordered && self.env.checks.races {
            let know = self.publish(active);
            self.cluster.barrier.gathered.join(&know);
            let hub = self.cluster_hub(generation);
            self.note(active, |threads| Event::Arrive(threads, hub, Scope::Cluster));
            self.tick();
        } else if self.env.checks.races {
            // A relaxed arrival carries the releases of earlier fences, and what is complete.
            for (_, know) in self.warp.know.over(active) {
                self.cluster.barrier.gathered.join(&know.complete(self.env.warps));
            }
            let wide = &self.warp.released[Scope::Cluster as usize..];
            for (_, know) in wide.iter().flat_map(|released| released.over(active)) {
                self.cluster.barrier.gathered.join(know);
            }
            let hub = self.cluster_hub(generation);
            self.note(active, |threads| Event::ArriveRelaxed(threads, hub));
        }
        self.cluster.barrier.arrived += active.count_ones();
        self.cluster.settle();
        self.env.changed();
        Ok(Flow::Next)
    }

    /// The hub of a round of the cluster's barrier.
    fn cluster_hub(&self, generation: u64) -> Hub {
        Hub::Cluster { cluster: self.block() / self.env.shape.ranks.max(1), round: generation as u32 }
    }

    fn cluster_wait(&mut self, mask: u32, active: u32) -> Flow {
        self.warp.cluster_arrived &= !active;
        if active != mask {
            self.split(mask & !active, self.pc + 1);
        }
        let generation = lanes(active).map(|lane| self.warp.cluster_generation[lane]).min().unwrap_or(0);
        let path = &mut self.warp.paths[self.path];
        path.pc = self.pc + 1;
        if self.cluster.barrier.generation != generation {
            self.cluster_released(active, self.pc);
        } else {
            path.state = WarpState::Cluster { generation };
        }
        Flow::Choose
    }

    /// Lanes whose cluster barrier is complete are ordered after all arrivals.
    pub(crate) fn cluster_released(&mut self, mask: u32, at: u32) {
        self.warp.cluster_passed |= mask;
        let know = &self.cluster.barrier.complete;
        self.warp.know.update(mask, |_, k| k.join(know));
        let (threads, hub) = (self.threads(mask), self.cluster_hub(self.cluster.barrier.generation - 1));
        self.env.note(at, || Event::Leave(threads, hub, Scope::Cluster));
    }
}

/// Resumes the lanes of `warp` that wait at barrier `id`.
fn wake(warp: &mut Warp, id: usize, barrier: &Barrier, mut note: impl FnMut(u32, u32, u32)) {
    for i in 0..warp.paths.len() {
        let WarpState::Barrier { id: waits, reduce } = warp.paths[i].state else { continue };
        if waits != id {
            continue;
        }
        let mask = warp.paths[i].mask;
        warp.paths[i].state = WarpState::Ready;
        warp.paths[i].spin.reset();
        warp.know.set(mask, &barrier.know);
        note(warp.index, warp.paths[i].pc - 1, mask);
        match reduce {
            None => {}
            Some(BarrierReduce::Popc(d)) => {
                (0..LANES).filter(|l| mask >> l & 1 == 1).for_each(|l| {
                    warp.regs[d as usize][l] = u64::from(barrier.votes);
                });
            }
            Some(BarrierReduce::And(p)) => set(warp, p, mask, barrier.votes == barrier.threads),
            Some(BarrierReduce::Or(p)) => set(warp, p, mask, barrier.votes > 0),
        }
    }
}

fn set(warp: &mut Warp, p: u32, mask: u32, value: bool) {
    let slot = &mut warp.preds[p as usize];
    *slot = *slot & !mask | if value { mask } else { 0 };
}
