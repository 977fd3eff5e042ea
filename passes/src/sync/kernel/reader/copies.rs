//! The bytes that tile copies touch, thread by thread, by the plan that the lowering will make.

use melior::ir::OperationRef;
use tile_dialect::Space;
use tile_dialect::ops::CopyOp;
use tile_isa::red::Operator;
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::{Active, ThreadSet};
use tile_plan::sync::{
    Access, Act, Alternative, Arrives, Bytes, Completion, Effect, Engine, Item, Op, Pipe, Queue, Touched,
};

use super::KernelReader;
use super::operations::completion;
use crate::effects::inherent;
use crate::effects::mbarriers::is_of_ring;
use crate::read::ways::{self, Way};
use crate::sync::kernel::addresses::Peer;
use crate::sync::kernel::completions::Arrival;
use crate::sync::kernel::plans;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// A copy, or a fill.
    pub(super) fn copy(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let copy = CopyOp(op);
        let mut does = self.threads.reaching(op);
        // No thread reaches it; it is erased.
        if does.active.is_empty() {
            return Vec::new();
        }
        let (touched, other) = match self.plans(copy) {
            Ok(plans) => plans,
            Err(why) => {
                self.failures.refuse(op, why);
                return vec![self.push(op, does)];
            }
        };
        let engine = touched.engine;
        let completion = self.completion(copy, &touched, &does);
        let alternative = |number| other.is_some().then_some(Alternative { number, scope: copy.scope() });
        self.operands(copy, &mut does, (completion, engine), &touched.accesses, alternative(0));
        if let Some(other) = &other {
            let completion = self.completion(copy, other, &does);
            self.operands(copy, &mut does, (completion, other.engine), &other.accesses, alternative(1));
        }
        if let Some(barrier) = copy.barrier() {
            let by = self.arrival_of(&engine, &does);
            let brought = (engine.arrives == Arrives::Others).then(|| brought(&touched, &by));
            let act = match brought {
                None => Act::Arrive { by, count: 1, bytes: 0, releases: engine.arrives == Arrives::Issuer },
                Some(bytes) => Act::Arrive { by, count: 0, bytes: -bytes.unwrap_or(0), releases: false },
            };
            if brought == Some(None) {
                self.failures.refuse(op, "is not followed: how many bytes each of its threads brings is not known");
            }
            let destinations = self.destinations(copy, by);
            if destinations.is_empty() {
                self.failures.error(op, "got a cta_mask of 0, expected one that names a block of the cluster");
            }
            for (number, (to, by)) in destinations.into_iter().enumerate() {
                let act = match &act {
                    Act::Arrive { count, bytes, releases, .. } => {
                        Act::Arrive { by, count: *count, bytes: *bytes, releases: *releases }
                    }
                    other => other.clone(),
                };
                let touched = self.mbarrier(op, (barrier, to), false, by);
                // The bytes that it brings are counted with their arrival, not when it is issued.
                let counts = (engine.arrives == Arrives::Others).then_some(Completion::Arrival(number));
                let counted = |access: Access| Access { completion: counts.unwrap_or(access.completion), ..access };
                does.accesses.extend(touched.into_iter().map(counted));
                self.acts(op, &mut does, (barrier, to), act);
            }
        }
        if !copy.maps().is_empty() {
            let by = self.arrival_of(&engine, &does);
            self.reads_of_maps(copy, &mut does, (by, completion));
        }
        does.effects.extend(copy.completion().closes().map(Effect::Commit));
        self.communicates(op, &mut does);
        self.of_registers(copy, &mut does, completion);
        if engine.queue == Some(Queue::TmemCopy) {
            self.commits.issued(self.program.next());
        }
        vec![self.push(op, does)]
    }

    /// Adds a copy's accesses to registers that something asynchronous writes.
    fn of_registers(&mut self, copy: CopyOp<'c, 'a>, does: &mut Op, completion: Completion) {
        for (role, operand) in [(Role::Src, copy.src()), (Role::Dst, copy.dst())] {
            let Some(operand) = operand.filter(|operand| operand.buffer.space() == Space::Local) else { continue };
            let write = role == Role::Dst;
            let loads = write && completion == Completion::Group(Queue::TmemLoad);
            let completion = if loads { completion } else { Completion::Now };
            let access = self.addresses.registers(operand.value, &does.active);
            does.accesses.extend(access.into_iter().map(|access| Access { write, completion, ..access }));
        }
    }

    /// Adds a copy's accesses to its operands, for one of the ways in which it may be done.
    fn operands(
        &mut self,
        copy: CopyOp<'c, 'a>,
        does: &mut Op,
        (completion, engine): (Completion, Engine),
        accesses: &[(Role, Bytes)],
        alternative: Option<Alternative>,
    ) {
        for (role, bytes) in accesses {
            let Some(operand) = copy.operand(*role) else { continue };
            let access = self.addresses.side((*role, &operand), bytes.clone());
            let copied = access.space == tile_isa::Space::Tmem && engine.queue == Some(Queue::TmemCopy);
            let (pipe, through_async_proxy) = (copied.then_some(Pipe::Copy), engine.async_proxy);
            let access = Access { completion, through_async_proxy, alternative, pipe, ..access };
            let writes = *role == Role::Dst;
            let reduces = copy.reduce().filter(|_| writes);
            let access =
                Access { atomic: reduces.is_some(), reduction: reduces.and_then(|word| Operator::of(&word)), ..access };
            if copy.cta_mask().is_none() {
                let peer = copy.remote_cta().map(Peer::Value).filter(|_| writes);
                does.accesses.extend(self.at(copy.0, peer, access));
                continue;
            }
            // What each receiver gets is read and written by the time that its own mbarrier says so.
            let receivers = self.destinations(copy, does.issuing_threads(&access));
            for (number, (peer, by)) in receivers.into_iter().enumerate() {
                let bytes = access.bytes.as_ref().map(|bytes| bytes.of_threads(&by).into());
                let access = Access { bytes, completion: Completion::Arrival(number), ..access.clone() };
                does.accesses.extend(self.at(copy.0, peer.filter(|_| writes), access));
            }
        }
    }

    /// The blocks on whose mbarriers a copy completes, each with the threads that copy there; `None` stands for their own block.
    fn destinations(&mut self, copy: CopyOp<'c, 'a>, by: ThreadSet) -> Vec<(Option<Peer<'c, 'a>>, ThreadSet)> {
        let Some(mask) = copy.cta_mask() else { return vec![(copy.remote_cta().map(Peer::Value), by)] };
        match self.addresses.ranks_of_mask(mask, &by) {
            Some(ranks) => ranks.into_iter().map(|(rank, by)| (Some(Peer::Rank(rank)), by)).collect(),
            None => vec![(Some(Peer::Unknown), by)],
        }
    }

    /// The threads that arrive on the mbarrier of a copy.
    fn arrival_of(&self, engine: &Engine, does: &Op) -> ThreadSet {
        match engine.arrives {
            Arrives::Issuer | Arrives::Others => {
                does.accesses.iter().map(|access| does.issuing_threads(access)).next().unwrap_or(does.active)
            }
            Arrives::Threads => does.active,
        }
    }

    /// The bytes that a copy touches in the way in which it is done, and in the other one if there are two.
    fn plans(&self, copy: CopyOp<'c, 'a>) -> Result<(Touched, Option<Touched>), String> {
        // A copy of a ring gets an mbarrier, and is then done as it is written.
        let (way, other) = if is_of_ring(copy) { (Way::Written, None) } else { ways::of(copy) };
        Ok((self.plan(copy, way)?, other.map(|way| self.plan(copy, way)).transpose()?))
    }

    /// The bytes that a copy touches, by the plan that the lowering will make. Copies with equal problems are planned
    /// once.
    fn plan(&self, copy: CopyOp<'c, 'a>, way: Way) -> Result<Touched, String> {
        let reading = self.threads.reader().read_way(copy, way);
        let mut reading = reading.map_err(|error| format!("is not followed: {}", error.reason))?;
        if let Some(asked) = reading.problem.asynchronous.as_mut().filter(|_| is_of_ring(copy)) {
            asked.completion = tile_plan::problem::asynchronous::Completion::Barrier;
        }
        if let Some(set) = self.threads.narrowed().filter(|set| !set.is_empty()) {
            reading.problem.threads.active = Active::Known(set);
        }
        let touched = plans::touched(reading.problem, reading.target)?;
        if inherent::is_marked(copy.0) && touched.engine == Engine::TCGEN05 {
            return Ok(Touched { engine: Engine::AWAITED_TCGEN05, ..touched });
        }
        Ok(touched)
    }

    /// When the accesses of a copy are complete.
    fn completion(&mut self, copy: CopyOp<'c, 'a>, touched: &Touched, does: &Op) -> Completion {
        let completion = completion(touched.engine);
        if !matches!(completion, Completion::Group(_)) {
            return completion;
        }
        if copy.cta_mask().is_some() {
            return Completion::Arrival(0);
        }
        let Some(barrier) = copy.barrier() else {
            return if is_of_ring(copy) { Completion::Arrival(0) } else { completion };
        };
        let arrivals = match touched.engine.arrives {
            Arrives::Issuer | Arrives::Others => {
                let footprints = touched.accesses.iter().filter_map(|(_, bytes)| bytes.footprint.as_ref());
                let issuers = footprints.flat_map(|footprint| footprint.segments()).map(|segment| segment.threads);
                issuers.reduce(|all, threads| all.union(&threads)).map_or(0, |all| all.len())
            }
            Arrives::Threads => does.active.len(),
        };
        match self.arrives(copy.0, barrier, does, Arrival { arrivals, bytes: 0 }) {
            Some(phase) => Completion::Phase(phase),
            None => Completion::Never,
        }
    }
}

/// The number of bytes that each of the given threads brings, if it is the same for all.
fn brought(touched: &Touched, by: &ThreadSet) -> Option<i64> {
    if touched.counted.is_some() {
        return touched.counted;
    }
    let footprint = touched.of(Role::Dst)?.footprint.as_ref()?;
    let all: i64 = footprint.segments().iter().map(|part| (part.end - part.begin) * part.threads.len()).sum();
    all.checked_div(by.len()).filter(|each| each * by.len() == all)
}
