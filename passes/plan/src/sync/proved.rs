//! Programs that have been checked, and whether they are in order, so that none of them is checked twice.
//!
//! Passes ask about one kernel again and again: one inserts barriers until the program is in order, and tries to do without each of
//! them, reads the kernel as it is then written and checks that, and the next ones check what they are given. The programs are
//! therefore kept, in a normal form, and what was found of one is so of all with that form:
//!
//! ```text
//!   program                    ──▶ normal form ── new: has findings
//!   with a barrier             ──▶ normal form ── new: in order
//!   with a barrier of warps    ──▶ normal form ── new: has findings
//!   without it again           ──▶ normal form ── kept: has findings
//!   what was written, read     ──▶ normal form ── kept: in order
//! ```
//!
//! Of two programs with one normal form, both have findings or neither has, since the form differs from the program only in what
//! decides no finding:
//!
//! * Operations are numbered in program order. To a check their numbers are names: they tell operations apart, and say which of two
//!   findings comes first.
//! * Operations that do nothing are left out, but for the end of the kernel, and so are those that nothing executes.
//! * Operations are left out that only access registers as earlier ones did, with nothing between that orders or that completes
//!   later. No other thread reaches a thread's registers, and a synchronous access is over before the thread's next one, so
//!   such an access conflicts only with asynchronous ones of its thread. Those before it are before the earlier ones as well, and all
//!   that has been waited for then has been waited for at the earlier ones; what comes after it is as far behind the earlier ones.
//! * Footprints with equal segments are one object, which makes programs quick to compare.
//!
//! What is inserted into a program names its operations by their numbers, so it is kept by the program as it is.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::problem::threads::ThreadSet;
use crate::sync::access::{Access, Completion};
use crate::sync::check::findings;
use crate::sync::finding::Finding;
use crate::sync::footprints::Footprints;
use crate::sync::items::{Branch, Item};
use crate::sync::places::Insertion;
use crate::sync::program::{Cluster, Member, Op, SyncProgram};
use crate::touch::footprint::Footprint;
use tile_isa::Space;

/// The most programs that are kept.
const MAX_PROGRAMS: usize = 32;

/// The most segments of footprints that are kept.
const MAX_SEGMENTS: usize = 1 << 18;

/// The most programs whose insertions are kept.
const MAX_INSERTED: usize = 8;

/// What orders a program, or the findings that nothing resolves.
pub(super) type Inserted = Result<Vec<Insertion>, Vec<Finding>>;

/// What earlier checks of a thread have found.
#[derive(Default)]
struct Proved {
    footprints: Rc<Footprints>,
    /// Programs in their normal form, and whether they are in order.
    in_order: KnownPrograms<bool>,
    inserted: KnownPrograms<Inserted>,
}

/// Programs, and what is known of each; the latest last.
struct KnownPrograms<T>(VecDeque<(SyncProgram, T)>);

impl<T> Default for KnownPrograms<T> {
    fn default() -> Self {
        KnownPrograms(VecDeque::new())
    }
}

impl<T: Clone> KnownPrograms<T> {
    fn get(&self, program: &SyncProgram) -> Option<T> {
        self.0.iter().rev().find(|(other, _)| other == program).map(|(_, known)| known.clone())
    }

    /// Adds a program; forgets the first of `most`.
    fn add(&mut self, program: SyncProgram, known: T, most: usize) {
        if self.0.len() == most {
            self.0.pop_front();
        }
        self.0.push_back((program, known));
    }
}

thread_local! {
    static PROVED: RefCell<Proved> = RefCell::default();
}

/// All findings in a program. For each pair of operations only the first conflict found is reported.
pub fn check(program: &SyncProgram) -> Vec<Finding> {
    check_some(program, usize::MAX)
}

/// The first findings in a program, at most `most`.
pub fn check_some(program: &SyncProgram, most: usize) -> Vec<Finding> {
    if is_in_order(program) { Vec::new() } else { findings(program, &footprints(), most) }
}

/// Whether a program has no findings.
pub(super) fn is_in_order(program: &SyncProgram) -> bool {
    let normal = normal(program, &footprints());
    if let Some(is_in_order) = PROVED.with_borrow(|proved| proved.in_order.get(&normal)) {
        return is_in_order;
    }
    let is_in_order = findings(&normal, &footprints(), 1).is_empty();
    PROVED.with_borrow_mut(|proved| proved.in_order.add(normal, is_in_order, MAX_PROGRAMS));
    is_in_order
}

/// What `find` finds to insert into a program, unless that is known.
pub(super) fn inserted(program: &SyncProgram, find: impl FnOnce() -> Inserted) -> Inserted {
    if let Some(inserted) = PROVED.with_borrow(|proved| proved.inserted.get(program)) {
        return inserted;
    }
    let inserted = find();
    PROVED.with_borrow_mut(|proved| proved.inserted.add(program.clone(), inserted.clone(), MAX_INSERTED));
    inserted
}

/// The footprints of all checks of a thread.
pub(super) fn footprints() -> Rc<Footprints> {
    PROVED.with_borrow_mut(|proved| {
        if proved.footprints.segments() > MAX_SEGMENTS {
            *proved = Proved::default();
        }
        Rc::clone(&proved.footprints)
    })
}

/// The normal form of a program.
fn normal(program: &SyncProgram, footprints: &Footprints) -> SyncProgram {
    let mut form = NormalForm { program, numbers: vec![None; program.ops.len()], kept: Vec::new() };
    let body = form.items(&program.body);
    let NormalForm { numbers, kept, .. } = form;
    let mut known: FxHashMap<*const Footprint, Rc<Footprint>> = FxHashMap::default();
    let mut one = |op: &Op| {
        let mut op = op.clone();
        for bytes in op.accesses.iter_mut().filter_map(|access| access.bytes.as_mut()) {
            *bytes = Rc::clone(known.entry(Rc::as_ptr(bytes)).or_insert_with(|| footprints.one(bytes)));
        }
        op
    };
    let cluster = program.cluster.as_ref().map(|cluster| {
        let mut member = |original: &Member| {
            let ops = original.ops.iter().filter_map(|(&op, operation)| Some((numbers[op]?, one(operation))));
            Member { ops: ops.collect(), peers: original.peers.clone() }
        };
        let members = cluster.members.iter().map(&mut member).collect();
        Rc::new(Cluster { members, differs: cluster.differs.clone() })
    });
    SyncProgram {
        ops: kept.iter().map(|&op| one(&program.ops[op])).collect(),
        body,
        end: program.end.and_then(|op| numbers[op]),
        cluster,
        block: program.block,
        loops: program.loops.clone(),
        entries: program.entries.clone(),
        totals: program.totals.clone(),
        counted: program.counted.clone(),
        ringed: program.ringed,
        may_alias: program.may_alias.clone(),
        exchanged: program.exchanged.clone(),
    }
}

/// The construction of a normal form.
struct NormalForm<'p> {
    program: &'p SyncProgram,
    /// The number of each operation of the program in the form, if it is there.
    numbers: Vec<Option<usize>>,
    /// The operations of the program that are in the form.
    kept: Vec<usize>,
}

/// Threads that access registers together, and how.
type OfRegisters<'p> = (ThreadSet, bool, &'p Access);

impl NormalForm<'_> {
    fn items(&mut self, items: &[Item]) -> Vec<Item> {
        let program = self.program;
        // The accesses of registers since the last operation that orders, or that completes later.
        let mut before: Vec<OfRegisters<'_>> = Vec::new();
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Op(op) if self.is_idle(*op) => {}
                Item::Op(op) => {
                    let step = &program.ops[*op];
                    let is_over = |access: &Access| access.completion == Completion::Now;
                    if program.cluster.is_some() || !step.effects.is_empty() || !step.accesses.iter().all(is_over) {
                        before.clear();
                        kept.push(Item::Op(self.number(*op)));
                        continue;
                    }
                    let known = before.len();
                    let accesses = step.accesses.iter().map(|access| (step.active, step.exact, access));
                    let new =
                        accesses.filter(|touch| touch.2.space != Space::Local || !before[..known].contains(touch));
                    let new: Vec<OfRegisters<'_>> = new.collect();
                    if !new.is_empty() || step.accesses.is_empty() {
                        kept.push(Item::Op(self.number(*op)));
                    }
                    before.extend(new.into_iter().filter(|touch| touch.2.space == Space::Local));
                }
                Item::Loop(number, body) => {
                    before.clear();
                    kept.push(Item::Loop(*number, self.items(body)));
                }
                Item::Branch(branch) => {
                    before.clear();
                    let arms = branch.arms.iter().map(|arm| self.items(arm)).collect();
                    let (taken, when) = (branch.taken.clone(), branch.when.clone());
                    kept.push(Item::Branch(Branch { arms, taken, when }));
                }
            }
        }
        kept
    }

    /// Whether an operation does nothing, in whichever block, and is not the end of the kernel.
    fn is_idle(&self, op: usize) -> bool {
        let does_nothing = |rank| {
            let operation = self.program.op(rank, op);
            operation.accesses.is_empty() && operation.effects.is_empty()
        };
        self.program.end != Some(op) && (0..self.program.ranks()).all(does_nothing)
    }

    fn number(&mut self, op: usize) -> usize {
        *self.numbers[op].get_or_insert_with(|| {
            self.kept.push(op);
            self.kept.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::queue::Queue;
    use crate::sync::form::AddressForm;
    use crate::sync::periodic::Loop;
    use crate::sync::places::with;
    use crate::sync::program::{Act, Effect, Mbarrier};
    use crate::sync::rounds::Rounds;
    use crate::sync::shift::Shift;

    const BLOCK: i64 = 64;

    fn op(accesses: Vec<Access>, effects: Vec<Effect>) -> Op {
        Op { active: ThreadSet::range(0, BLOCK), exact: true, accesses, effects }
    }

    /// An access by each thread to 4 bytes of its own, or of the thread `turn` after it.
    fn access((object, space, turn): (usize, Space, i64), write: bool, completion: Completion) -> Access {
        let each = (0..BLOCK).map(|thread| (thread, 4 * ((thread + turn) % BLOCK), 4 * ((thread + turn) % BLOCK) + 4));
        let bytes = Some(Rc::new(Footprint::of(each)));
        Access { completion, bytes, shift: Shift::none(), ..Access::direct(object, space, write) }
    }

    fn program(ops: Vec<Op>) -> SyncProgram {
        let body = (0..ops.len()).map(Item::Op).collect();
        SyncProgram { block: ThreadSet::range(0, BLOCK), ops, body, ..SyncProgram::default() }
    }

    /// Accesses of two tiles of registers and a shared one, products, waits and barriers, by numbers.
    fn some(kind: u64) -> Op {
        let (tile, other) = ((0, Space::Local, 0), (1, Space::Local, 0));
        let product = Completion::Group(Queue::Product);
        match kind {
            0 | 1 => op(vec![access(tile, false, Completion::Now)], vec![]),
            2 => op(vec![access(tile, true, Completion::Now)], vec![]),
            3 => op(vec![access(other, false, Completion::Now), access(tile, true, Completion::Now)], vec![]),
            4 => op(vec![access(tile, true, product)], vec![Effect::Commit(Queue::Product)]),
            5 => op(vec![access(other, true, product)], vec![]),
            6 => op(vec![], vec![Effect::Commit(Queue::Product)]),
            7 | 8 => op(vec![], vec![Effect::Wait { queue: Queue::Product, pending: 0, reads: false }]),
            9 => op(
                vec![access((2, Space::Shared, 0), true, Completion::Now), access(tile, false, Completion::Now)],
                vec![],
            ),
            10 => op(vec![access((2, Space::Shared, 1), false, Completion::Now)], vec![]),
            11 | 12 => op(vec![], vec![Effect::Barrier]),
            _ => op(vec![], vec![]),
        }
    }

    /// A program that is executed, since it has an mbarrier.
    fn ringed(program: SyncProgram) -> SyncProgram {
        let init = Mbarrier { object: 3, byte: AddressForm::constant(0), act: Act::Init { count: 1 } };
        let mut program = SyncProgram { ringed: true, ..program };
        program.body.insert(0, Item::Op(program.ops.len()));
        program.ops.push(Op { active: ThreadSet::range(0, 1), ..op(vec![], vec![Effect::Mbarrier(Box::new(init))]) });
        program
    }

    #[test]
    fn a_normal_form_has_findings_where_its_program_has_some() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut counts, mut shorter) = ([0; 4], 0);
        for case in 0..3000 {
            let ops: Vec<Op> = (0..3 + next(7)).map(|_| some(next(14))).collect();
            let mut drawn = program(ops);
            let waits = some(7);
            if case % 3 != 0 {
                let begin = next(drawn.body.len() as u64) as usize;
                let inside = drawn.body.split_off(begin);
                drawn.body.push(Item::Loop(0, inside));
                drawn.loops = vec![Loop { trips: Some(2), entered: true, rounds: Rounds::Together, ..Loop::default() }];
            }
            // What products are in flight at the end is waited for.
            for last in [some(6), waits, op(vec![], vec![])] {
                drawn.body.push(Item::Op(drawn.ops.len()));
                drawn.ops.push(last);
            }
            drawn.end = Some(drawn.ops.len() - 1);
            let drawn = if case % 2 == 0 { drawn } else { ringed(drawn) };
            let form = normal(&drawn, &footprints());
            let found = findings(&drawn, &footprints(), 1).is_empty();
            assert_eq!(found, findings(&form, &footprints(), 1).is_empty(), "{drawn:?}");
            assert_eq!(form, normal(&form, &footprints()), "{drawn:?}");
            counts[2 * (case % 2) + usize::from(found)] += 1;
            shorter += usize::from(form.ops.len() < drawn.ops.len());
        }
        assert!(counts.iter().all(|&count| count > 100) && shorter > 1000, "{counts:?} {shorter}");
    }

    #[test]
    fn what_is_inserted_is_numbered_as_if_it_had_been_there() {
        let (write, read) = (some(9), some(10));
        let insertion = Insertion { before: 1, out: 0, effect: Effect::Barrier, active: ThreadSet::range(0, BLOCK) };
        let inserted = with(&program(vec![write.clone(), read.clone()]), &[insertion]);
        let written = program(vec![write, op(vec![], vec![]), op(vec![], vec![Effect::Barrier]), read]);
        assert_ne!(inserted, written);
        assert_eq!(normal(&inserted, &footprints()), normal(&written, &footprints()));
    }

    #[test]
    fn what_is_inserted_is_searched_for_once() {
        let new = Cell::new(0);
        let insert = |program: &SyncProgram| {
            let find = || {
                new.set(new.get() + 1);
                crate::sync::cheapest::find(program)
            };
            (inserted(program, find).unwrap().len(), new.get())
        };
        let (known, read_again) = (program(vec![some(9), some(10)]), program(vec![some(9), some(10)]));
        assert_eq!([insert(&known), insert(&read_again)], [(1, 1), (1, 1)]);
        // One thread fewer writes.
        let mut other = known.clone();
        other.ops[0].active = ThreadSet::range(1, BLOCK);
        assert_eq!(insert(&other).1, 2);
        // The reader is alone with its tile.
        let mut other = known.clone();
        other.ops[1].accesses[0].object = 7;
        assert_eq!([insert(&other), insert(&known)], [(0, 3), (1, 3)]);
    }

    #[test]
    fn registers_are_accessed_again_once_a_product_writes_them() {
        let count =
            |kinds: &[u64]| normal(&program(kinds.iter().map(|&kind| some(kind)).collect()), &footprints()).ops.len();
        assert_eq!(count(&[0, 0, 2, 0, 2, 9, 0, 2]), 3);
        assert_eq!(count(&[0, 5, 0]), 3);
        assert_eq!(count(&[0, 11, 0]), 3);
    }
}
