//! Acquire, release and fences (PTX ISA 8.9, 9.7.13.4).
//!
//! A release pattern is a releasing write, or a fence and a later strong write; an acquire pattern is an acquiring
//! read, or a strong read and a later fence. The scopes of the two patterns must include each other's thread.

use super::access::Access;
use super::cluster::segment;
use super::core::{Core, lanes};
use super::place::MemoryLocation;
use crate::check::{Agent, Event};
use crate::code::{Fence, Order, Scope};

/// Scopes from narrow to wide, as an index.
const SCOPES: [Scope; 4] = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys];

impl Core<'_, '_> {
    fn ordered(&self, place: MemoryLocation) -> bool {
        self.env.checks.races && matches!(place, MemoryLocation::Global { .. } | MemoryLocation::Shared { .. })
    }

    /// A strong read by one lane: observes the releases that the word carries.
    pub(crate) fn observe(&mut self, access: &Access, order: Order) {
        let Some(scope) = order.scope.filter(|_| self.ordered(access.place)) else { return };
        let key = self.key(access.place);
        let block = self.block();
        let mask = 1 << access.lane;
        self.note(mask, |threads| Event::Observe { threads, word: key, scope, acquire: order.acquire });
        for (level, know) in self.env.races.locations.seen(key, block, scope) {
            if order.acquire {
                self.warp.know.update(mask, |_, k| k.join(know));
            } else {
                self.warp.observed[level].update(mask, |_, k| k.join(know));
            }
        }
    }

    /// A strong write by one lane: releases its knowledge, or the knowledge that an earlier fence has prepared.
    pub(crate) fn release(&mut self, access: &Access, order: Order, bytes: usize, carries: bool) {
        let Some(scope) = order.scope.filter(|_| self.ordered(access.place)) else { return };
        let key = self.key(access.place);
        let block = self.block();
        let mut marks = false;
        let release = order.release;
        self.note(1 << access.lane, |threads| Event::Release { threads, word: key, scope, release, carries });
        if !carries {
            self.env.races.locations.write(key, block, scope, None, false);
        }
        if order.release {
            let know = self.publish(1 << access.lane);
            self.env.races.locations.write(key, block, scope, Some(know), true);
            marks = true;
        }
        for (level, released) in SCOPES.iter().zip(&self.warp.released) {
            if let Some(know) = released.get(access.lane) {
                self.env.races.locations.write(key, block, scope.min(*level), Some(know.clone()), true);
                marks = true;
            }
        }
        if marks && let Some(s) = segment(self.env.memory, self.cluster, access.place) {
            s.shadow.mark(access.place.offset(), bytes, &mut self.env.races.overflow);
        }
    }

    pub(crate) fn fence(&mut self, fence: Fence, active: u32) {
        if !self.env.checks.races {
            return;
        }
        match fence {
            Fence::Thread { scope, acquire, release } => self.thread_fence(scope, acquire, release, active),
            Fence::MbarrierInit => self.thread_fence(Scope::Cluster, false, true, active),
            Fence::ProxyAsync => {
                self.note(active, Event::ProxyFence);
                let (agents, time) = (self.agents(Agent::Thread), self.warp.time);
                self.warp.know.update(active, |mask, know| {
                    know.proxy.join(&know.data.clone());
                    know.proxy.raise(agents, mask, time);
                    know.made.join(&know.data.clone());
                    know.made.raise(agents, mask, time);
                });
                self.tick();
            }
            Fence::Nothing => {}
        }
    }

    fn thread_fence(&mut self, scope: Scope, acquire: bool, release: bool, active: u32) {
        let level = scope as usize;
        if acquire && release && scope >= Scope::Gpu {
            self.env.stale.fence(self.block());
        }
        self.note(active, |threads| Event::Fence { threads, scope, acquire, release });
        if acquire {
            for observed in &self.warp.observed[..=level.min(2)] {
                for lane in lanes(active) {
                    if let Some(seen) = observed.get(lane) {
                        self.warp.know.update(1 << lane, |_, k| k.join(seen));
                    }
                }
            }
        }
        if release {
            if scope >= Scope::Cluster {
                let (agents, time) = (self.agents(Agent::Thread), self.warp.time);
                self.warp.know.update(active, |mask, know| know.made.raise(agents, mask, time));
            }
            for lane in lanes(active) {
                let know = self.publish(1 << lane);
                self.warp.released[level].set(1 << lane, &know);
            }
            self.tick();
        }
    }
}
