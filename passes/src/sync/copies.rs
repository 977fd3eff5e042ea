//! The bytes that tile copies touch, thread by thread, by the plan that the lowering will make.

use std::rc::Rc;

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, Operand, integer};
use tile_dialect::{STAGES, Space};
use tile_ops::tile;
use tile_plan::sync::{
    Access, Act, Arrives, Bytes, Completion, Effect, Engine, Footprint, Item, Op, Pipe, Queue, Shift, Touched, Way,
};
use tile_plan::{Active, ThreadSet, Which, variants};

use crate::read::alias;
use crate::read::problem;
use crate::read::run_time;
use crate::read::{kernel, name};
use crate::sync::interblock;
use crate::sync::kernel::Kernel;
use crate::sync::objects::Object;
use crate::sync::phases::Arrival;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// A copy, or a fill.
    pub(super) fn copy(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let copy = CopyOp(op);
        let mut does = self.reached(op);
        // No thread reaches it; it is erased.
        if does.active.is_empty() {
            return Vec::new();
        }
        let touched = match self.plan(copy) {
            Ok(touched) => touched,
            Err(why) => {
                self.refuse(op, why);
                return vec![self.push(op, does)];
            }
        };
        let engine = touched.engine;
        let completion = self.completion(copy, &touched, &does);
        match &touched.inside {
            None => self.sides(copy, &mut does, (completion, engine), touched.sides.clone(), None),
            Some(inside) => {
                if copy.barrier().is_some() && inside.engine != engine {
                    self.refuse(op, "is not followed: the threads that arrive depend on where its region lies");
                }
                // An mbarrier completes the copy whichever way it is done.
                let other = match copy.barrier() {
                    None => self.completion(copy, inside, &does),
                    Some(_) => completion,
                };
                let way = |number| Some(Way { number, scope: copy.scope() });
                self.sides(copy, &mut does, (completion, engine), touched.sides.clone(), way(0));
                self.sides(copy, &mut does, (other, inside.engine), inside.sides.clone(), way(1));
            }
        }
        if let Some(barrier) = copy.barrier() {
            let (by, at) = (self.arrival_of(&engine, &does), (barrier, copy.remote_cta()));
            does.accesses.extend(self.mbarrier(op, at, false, by));
            let brought = (engine.arrives == Arrives::Others).then(|| brought(&touched, &by));
            let act = match brought {
                None => Act::Arrive { by, count: 1, bytes: 0, releases: engine.arrives == Arrives::Issuer },
                Some(bytes) => Act::Arrive { by, count: 0, bytes: -bytes.unwrap_or(0), releases: false },
            };
            if brought == Some(None) {
                self.refuse(op, "is not followed: how many bytes each of its threads brings is not known");
            }
            self.acts(op, &mut does, at, act);
        }
        if copy.group() {
            does.effects.push(Effect::Commit(Queue::CpAsync));
        }
        if copy.bulk_group() {
            does.effects.push(Effect::Commit(Queue::Bulk));
        }
        does.effects.extend(interblock::of_accesses(op, &does.accesses));
        self.of_registers(copy, &mut does, completion);
        if engine.queue == Some(Queue::TmemCopy) {
            self.issued(self.program.ops.len());
        }
        vec![self.push(op, does)]
    }

    /// Adds a copy's accesses to registers that something asynchronous writes.
    fn of_registers(&mut self, copy: CopyOp<'c, 'a>, does: &mut Op, completion: Completion) {
        for (which, operand) in [(Which::Src, copy.src()), (Which::Dst, copy.dst())] {
            let Some(operand) = operand.filter(|it| it.buffer.space() == Space::Local) else { continue };
            let write = which == Which::Dst;
            let loads = write && completion == Completion::Group(Queue::TmemLoad);
            let completion = if loads { completion } else { Completion::Now };
            let access = self.registers(operand.value, write, &does.active);
            does.accesses.extend(access.into_iter().map(|access| Access { completion, ..access }));
        }
    }

    /// Adds a copy's accesses to both sides, for one of the ways in which it may be done.
    fn sides(
        &mut self,
        copy: CopyOp<'c, 'a>,
        does: &mut Op,
        (completion, engine): (Completion, Engine),
        sides: [Option<Bytes>; 2],
        way: Option<Way>,
    ) {
        for (bytes, (which, operand)) in sides.into_iter().zip([(Which::Src, copy.src()), (Which::Dst, copy.dst())]) {
            if let (Some(bytes), Some(operand)) = (bytes, operand) {
                let access = self.side(copy, which, &operand, bytes);
                let copied = access.space == tile_plan::Space::Tmem && engine.queue == Some(Queue::TmemCopy);
                let (pipe, through_async_proxy) = (copied.then_some(Pipe::Copy), engine.async_proxy);
                let access = Access { completion, through_async_proxy, way, pipe, ..access };
                let rank = copy.remote_cta().filter(|_| which == Which::Dst);
                does.accesses.extend(self.at(copy.0, rank, access));
            }
        }
    }

    /// The threads that arrive on the mbarrier of a copy.
    fn arrival_of(&self, engine: &Engine, does: &Op) -> ThreadSet {
        match engine.arrives {
            Arrives::Issuer | Arrives::Others => {
                does.accesses.iter().map(|access| does.makers(access)).next().unwrap_or(does.active)
            }
            Arrives::Threads => does.active,
        }
    }

    /// The bytes that a copy touches, by the plan that the lowering will make. Copies with equal problems are planned
    /// once.
    fn plan(&mut self, copy: CopyOp<'c, 'a>) -> Result<Touched, String> {
        let mut reading = self.reader.read(copy).map_err(|error| format!("is not followed: {}", error.reason))?;
        if let Some(asked) = reading.problem.asynchronous.as_mut().filter(|_| is_of_ring(copy)) {
            asked.completion = tile_plan::Completion::Barrier;
        }
        if let Some(set) = self.narrowed().filter(|set| !set.is_empty()) {
            reading.problem.threads.active = Active::Known(set);
        }
        self.plans.touched(reading.problem, reading.target)
    }

    /// When the accesses of a copy are complete.
    fn completion(&mut self, copy: CopyOp<'c, 'a>, touched: &Touched, does: &Op) -> Completion {
        let Some(queue) = touched.engine.queue else { return Completion::Now };
        if queue == Queue::TmemCopy {
            return Completion::Commit;
        }
        let Some(barrier) = copy.barrier() else {
            return if is_of_ring(copy) { Completion::Arrival } else { Completion::Group(queue) };
        };
        let arrivals = match touched.engine.arrives {
            Arrives::Issuer | Arrives::Others => {
                let sides = touched.sides.iter().flatten().filter_map(|side| side.footprint.as_ref());
                let makers = sides.flat_map(|it| it.segments()).map(|it| it.threads);
                makers.reduce(|all, it| all.union(&it)).map_or(0, |all| all.len())
            }
            Arrives::Threads => does.active.len(),
        };
        match self.arrives(copy.0, barrier, does, Arrival { arrivals, bytes: 0 }) {
            Some(phase) => Completion::Phase(phase),
            None => Completion::Never,
        }
    }

    /// One side of a copy.
    fn side(&mut self, copy: CopyOp<'c, 'a>, which: Which, operand: &Operand<'c, 'a>, bytes: Bytes) -> Access {
        let space = operand.buffer.space();
        let write = which == Which::Dst;
        let atomic = write && copy.reduce().is_some();
        let values = problem::values(operand, which).ok();
        let root = values.as_ref().map(|(root, _)| *root);
        let address = root.and_then(defining_op).filter(|op| name(*op) == tile::TmemOp::NAME);
        let (root, first) = match address.and_then(|op| op.operand_at(0)) {
            Some(address) => self.tensor(address),
            None => {
                root.and_then(|root| self.memory_of_buffer(root)).unwrap_or_else(|| (alias::root(operand.value), None))
            }
        };
        let strides = bytes.strides.iter().map(|&stride| values.as_ref()?.1.get(stride).cloned());
        let strides: Option<Vec<_>> = strides.collect();
        let pitch = strides.filter(|it| !it.is_empty()).zip(values.as_ref()).and_then(|(strides, (buffer, _))| {
            let extents: Vec<_> = run_time::extents(*buffer).into_iter().map(|(_, extent)| extent).collect();
            let element = i64::from(bit_width(operand.buffer.element())?.div_ceil(8));
            self.pitch(buffer.r#type(), element, (&strides, &extents))
        });
        let comparable = bytes.strides.is_empty() || pitch.is_some();
        let object = self.object(Object { root, pitch: pitch.clone() });
        let place = first.zip(bytes.moves.filter(|_| comparable)).zip(bytes.footprint.as_ref()).zip(values);
        let found = place.and_then(|(((first, moves), footprint), (_, values))| {
            let region = self.region_of(operand, which, &moves);
            let mut form = first;
            for step in moves {
                let value = values.get(step.value)?;
                form = form.plus(&self.quotient(value, step.div)?.times(step.bytes)?)?;
            }
            let bytes = match form.each[..] {
                [0] => footprint.clone(),
                [by] => Rc::new(footprint.shifted(by)),
                _ => Rc::new(footprint.moved(|thread| form.of_thread(thread))),
            };
            let shift = match region {
                Some((coordinates, dimensions)) => self.within(form.shift, coordinates, &dimensions),
                None => form.shift,
            };
            let shift = match &pitch {
                Some(pitch) => self.through(pitch, shift),
                None => shift,
            };
            Some((bytes, shift))
        });
        // The threads that touch the object are known even where the bytes are not.
        let somewhere = || Some((bytes.footprint.clone()?, Shift::unknown()));
        let by_warps = bytes.by_warps;
        Access { by_warps, atomic, ..access(object, space, write, found.or_else(somewhere)) }
    }
}

/// The number of bytes that each of the given threads brings, if it is the same for all.
fn brought(touched: &Touched, by: &ThreadSet) -> Option<i64> {
    let footprint = touched.sides[1].as_ref()?.footprint.as_ref()?;
    let all: i64 = footprint.segments().iter().map(|it| (it.end - it.begin) * it.threads.len()).sum();
    all.checked_div(by.len()).filter(|each| each * by.len() == all)
}

/// An access by loads and stores.
pub(super) fn access(
    object: usize,
    space: tile_plan::Space,
    write: bool,
    place: Option<(Rc<Footprint>, Shift)>,
) -> Access {
    let (bytes, shift) = match place {
        Some((bytes, shift)) => (Some(bytes), shift),
        None => (None, Shift::unknown()),
    };
    Access {
        object,
        space,
        write,
        atomic: false,
        through_async_proxy: false,
        by_warps: false,
        way: None,
        pipe: None,
        completion: Completion::Now,
        bytes,
        shift,
    }
}

/// Whether it is a bulk copy to shared memory whose mbarrier is that of the ring that its loop requests.
pub fn is_of_ring(copy: CopyOp<'_, '_>) -> bool {
    let asks = |op: OperationRef<'_, '_>| integer(op, STAGES).is_some_and(|stages| stages > 1);
    copy.is_async()
        && copy.barrier().is_none()
        && !copy.group()
        && copy.variant().and_then(|name| variants::by_name(&name)).is_some_and(|variant| variant.about().by_mbarrier)
        && copy.dst().is_some_and(|dst| dst.buffer.space() == Space::Shared)
        && kernel::ancestors(copy.0).any(asks)
}
