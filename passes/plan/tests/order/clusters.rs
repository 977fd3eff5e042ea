//! Blocks of a cluster that access each other's shared memory: what is accepted, what is missing, and what is inserted.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::access::{access, op};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Branch, Cluster, Completion, Effect, Finding, Footprint, Insertion, Item, Mbarrier,
    Member, Needs, Op, Outside, Phase, Queue, RemoteBlock, SyncProgram, Taken, Threads, When, check, insert, with,
};

const SOURCE: usize = 0;
const TARGET: usize = 1;
const BAR: usize = 2;
/// The target and the mbarrier of another block.
const THERE: usize = 10;
const BAR_THERE: usize = 11;
const BYTES: i64 = 256;

fn block() -> ThreadSet {
    ThreadSet::range(0, 64)
}

fn one() -> ThreadSet {
    ThreadSet::range(0, 1)
}

/// Each thread accesses its own 4 bytes, or those of the thread `ahead` threads on.
fn each(object: usize, write: bool, ahead: i64) -> Access {
    let place = |thread: i64| 4 * ((thread + ahead) % 64);
    access(object, write, Footprint::of((0..64).map(|thread| (thread, place(thread), place(thread) + 4))))
}

fn bar(object: usize, init: bool, by: ThreadSet) -> Access {
    Access { atomic: !init, ..access(object, true, Footprint::all(0, 8, by)) }
}

fn act(object: usize, act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object, byte: AddressForm::constant(0), act }))
}

/// The program of a cluster in which some objects of a block are those of a peer.
fn program(ops: Vec<Op>, ranks: usize, peers: impl Fn(usize) -> BTreeMap<usize, (usize, RemoteBlock)>) -> SyncProgram {
    let of_one = |&number: &usize| {
        let op = &ops[number];
        let arm = vec![Item::Op(number)];
        match op.active == block() {
            true => Item::Op(number),
            false => Item::Branch(Branch {
                arms: vec![arm, Vec::new()],
                taken: Taken::By(vec![op.active, block().without(&op.active)]),
                when: None,
            }),
        }
    };
    let body = (0..ops.len()).collect::<Vec<_>>().iter().map(of_one).collect();
    let members = (0..ranks).map(|rank| Member { ops: BTreeMap::new(), peers: peers(rank) }).collect();
    let cluster = Some(Rc::new(Cluster { members, ..Cluster::default() }));
    SyncProgram { block: block(), end: Some(ops.len() - 1), ops, body, cluster, ..SyncProgram::default() }
}

/// Each block sends its tile to the next one; the ordering operations in `left_out` are omitted.
fn ring(ranks: usize, left_out: &[&str]) -> SyncProgram {
    let has = |name: &str| !left_out.contains(&name);
    let only = |name: &str, effect: Effect| if has(name) { vec![effect] } else { Vec::new() };
    let arrive = |count, bytes, releases| Act::Arrive { by: one(), count, bytes, releases };
    let sent = |access: Access| Access { through_async_proxy: true, completion: Completion::Arrival(0), ..access };
    let copy = vec![
        sent(access(SOURCE, false, Footprint::all(0, BYTES, one()))),
        sent(access(THERE, true, Footprint::all(0, BYTES, one()))),
        bar(BAR_THERE, false, one()),
    ];
    let waits = act(BAR, Act::Wait { parity: AddressForm::constant(0) });
    let ops = vec![
        op(one(), vec![bar(BAR, true, one())], vec![act(BAR, Act::Init { count: 1 })]),
        op(one(), vec![bar(BAR, false, one())], vec![act(BAR, arrive(1, BYTES, true))]),
        op(block(), vec![each(SOURCE, true, 0)], Vec::new()),
        op(block(), Vec::new(), only("fence", Effect::ProxyFence { shared: true })),
        op(block(), Vec::new(), only("begin", Effect::ClusterBarrier)),
        op(one(), copy, vec![act(BAR_THERE, arrive(0, -BYTES, false))]),
        op(block(), vec![bar(BAR, false, block())], if has("wait") { vec![waits] } else { Vec::new() }),
        op(block(), vec![each(TARGET, false, 1)], Vec::new()),
        op(block(), Vec::new(), only("end", Effect::ClusterBarrier)),
        op(block(), Vec::new(), Vec::new()),
    ];
    program(ops, ranks, |rank| {
        let next = RemoteBlock::Rank((rank + 1) % ranks);
        BTreeMap::from([(THERE, (TARGET, next)), (BAR_THERE, (BAR, next))])
    })
}

#[test]
fn a_ring_of_blocks_is_in_order() {
    for ranks in [2, 3, 8] {
        assert_eq!(check(&ring(ranks, &[])), [], "{ranks}");
    }
}

#[test]
fn each_operation_of_a_ring_of_blocks_is_missed() {
    let findings = check(&ring(2, &["fence"]));
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0, &conflict.needs), (2, 5, &Needs::ProxyFence));
    assert_eq!(conflict.ranks, Some([0, 0]));
    let findings = check(&ring(2, &["begin"]));
    let early = |finding: &Finding| matches!(finding, Finding::Outside(outside) if !outside.ended && outside.at.0 == 5);
    assert!(findings.iter().any(early), "{findings:?}");
    let findings = check(&ring(2, &["wait"]));
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0), (5, 7), "{findings:?}");
    assert!(matches!(conflict.needs, Needs::Phase(_)));
    // The sending block does not wait until its tile has been read.
    let findings = check(&ring(2, &["end"]));
    assert!(findings.contains(&Finding::NeverWaited { op: 5, queue: None, committed: false }), "{findings:?}");
}

#[test]
fn what_is_put_into_a_ring_of_blocks_is_no_more_than_needed() {
    for ranks in [2, 4] {
        let bare = ring(ranks, &["fence", "begin", "end"]);
        let put = insert(&bare).unwrap();
        let count = |effect: &Effect| put.iter().filter(|insertion| insertion.effect == *effect).count();
        assert_eq!(count(&Effect::ClusterBarrier), 2, "{put:?}");
        assert_eq!((count(&Effect::Barrier), count(&Effect::ProxyFence { shared: true })), (0, 1), "{put:?}");
        assert_eq!(check(&with(&bare, &put)), []);
        for left in 0..put.len() {
            let some: Vec<Insertion> =
                put.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, insertion)| insertion.clone()).collect();
            assert_ne!(check(&with(&bare, &some)), [], "{:?}", put[left]);
        }
    }
}

/// Each block reads what its peer has written.
fn neighbours(ranks: usize, effects: [Vec<Effect>; 2], peer: impl Fn(usize) -> RemoteBlock) -> SyncProgram {
    let [between, behind] = effects;
    let ops = vec![
        op(block(), vec![each(SOURCE, true, 0)], Vec::new()),
        op(block(), Vec::new(), between),
        op(block(), vec![each(THERE, false, 0)], Vec::new()),
        op(block(), Vec::new(), behind),
        op(block(), Vec::new(), Vec::new()),
    ];
    program(ops, ranks, |rank| BTreeMap::from([(THERE, (SOURCE, peer(rank)))]))
}

#[test]
fn loads_of_another_blocks_memory() {
    let whole = || vec![Effect::ClusterBarrier];
    let next = |rank| RemoteBlock::Rank((rank + 1) % 4);
    assert_eq!(check(&neighbours(4, [whole(), whole()], next)), []);
    // A barrier of the block is not enough.
    let findings = check(&neighbours(4, [vec![Effect::Barrier], whole()], next));
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!(conflict.needs, Needs::Barrier(Threads::Cluster));
    assert!(conflict.example.is_some() && conflict.ranks.is_some_and(|[a, b]| a != b));
    let findings = check(&neighbours(4, [whole(), vec![Effect::Barrier]], next));
    let Some(Finding::Outside(outside)) = findings.first() else { panic!("{findings:?}") };
    assert_eq!(**outside, Outside { at: (2, 0), by: (0, 0), owner: Some(1), ended: true });
    // In a block's own memory, each thread accesses its own bytes only.
    assert_eq!(check(&neighbours(4, [Vec::new(), Vec::new()], RemoteBlock::Rank)), []);
    let put = insert(&neighbours(4, [Vec::new(), Vec::new()], next)).unwrap();
    let places: Vec<(usize, Effect)> = put.iter().map(|made| (made.before, made.effect.clone())).collect();
    assert_eq!(places, [(2, Effect::ClusterBarrier), (4, Effect::ClusterBarrier)]);
}

#[test]
fn a_block_that_is_not_known_may_be_any() {
    let whole = || vec![Effect::ClusterBarrier];
    assert_eq!(check(&neighbours(2, [whole(), whole()], |_| RemoteBlock::Unknown)), []);
    let open = check(&neighbours(2, [vec![Effect::Barrier], whole()], |_| RemoteBlock::Unknown));
    assert!(open.iter().find_map(Finding::conflict).is_some_and(|conflict| conflict.example.is_none()), "{open:?}");
}

#[test]
fn arrivals_at_the_barrier_of_a_cluster() {
    let split = |releases| vec![Effect::ClusterArrive { releases }, Effect::ClusterWait];
    let next = |rank| RemoteBlock::Rank((rank + 1) % 2);
    assert_eq!(check(&neighbours(2, [split(true), split(true)], next)), []);
    // A relaxed arrival orders no accesses; it only shows that the block has started.
    let findings = check(&neighbours(2, [split(false), split(true)], next));
    assert!(findings.iter().all(|finding| finding.conflict().is_some()) && !findings.is_empty(), "{findings:?}");
    let findings = check(&neighbours(2, [split(true), split(false)], next));
    assert!(matches!(findings[..], [Finding::Outside(_)]), "{findings:?}");
    // Arrivals that come twice, or never.
    let twice = [vec![Effect::ClusterArrive { releases: true }; 2], Vec::new()];
    assert!(matches!(check(&neighbours(2, twice, next))[..], [Finding::Unfollowed { op: 1, .. }]));
    let never = [vec![Effect::ClusterWait], Vec::new()];
    assert!(matches!(check(&neighbours(2, never, next))[..], [Finding::Unfollowed { op: 1, .. }]));
}

/// A product reads the target of its block; after a wait for it or for none, and a barrier of the cluster, the other block writes there.
fn product_then_write(waits: bool, releases: bool) -> SyncProgram {
    let read = Access { completion: Completion::Group(Queue::Product), ..each(TARGET, false, 0) };
    let wait = Effect::Wait { queue: Queue::Product, pending: i64::from(!waits), reads: false };
    let cluster = || vec![Effect::ClusterArrive { releases }, Effect::ClusterWait];
    let ops = vec![
        op(block(), Vec::new(), vec![Effect::ClusterBarrier]),
        op(block(), vec![read], Vec::new()),
        op(block(), Vec::new(), vec![Effect::Commit(Queue::Product), wait]),
        op(block(), Vec::new(), cluster()),
        op(block(), vec![each(THERE, true, 1)], Vec::new()),
        op(
            block(),
            Vec::new(),
            vec![Effect::Wait { queue: Queue::Product, pending: 0, reads: false }, Effect::ClusterBarrier],
        ),
    ];
    program(ops, 2, |rank| BTreeMap::from([(THERE, (TARGET, RemoteBlock::Rank(1 - rank)))]))
}

#[test]
fn a_relaxed_arrival_passes_on_products_that_are_complete() {
    assert_eq!(check(&product_then_write(true, false)), []);
    assert_eq!(check(&product_then_write(true, true)), []);
    for releases in [false, true] {
        let findings = check(&product_then_write(false, releases));
        assert!(findings.iter().any(|finding| finding.conflict().is_some()), "{findings:?}");
    }
}

#[test]
fn whether_each_block_is_reached_by_what_it_does_itself() {
    let next = |rank| RemoteBlock::Rank((rank + 1) % 2);
    assert!(!neighbours(2, [Vec::new(), Vec::new()], next).reaches_own_memory_too());
    let both = vec![op(block(), vec![each(TARGET, true, 0), each(THERE, true, 0)], Vec::new())];
    let peers = |rank: usize| BTreeMap::from([(THERE, (TARGET, RemoteBlock::Rank(1 - rank)))]);
    assert!(program(both, 2, peers).reaches_own_memory_too());
}

/// Blocks arrive on an mbarrier of block 0, which waits for all of them; with or without a fence after its
/// initialisation.
fn gather(ranks: usize, fence: bool, barrier: Vec<Effect>) -> SyncProgram {
    let arrive = Act::Arrive { by: one(), count: 1, bytes: 0, releases: true };
    let fences = if fence { vec![Effect::MbarrierFence] } else { Vec::new() };
    let ops = vec![
        op(one(), vec![bar(BAR, true, one())], vec![act(BAR, Act::Init { count: ranks as i64 })]),
        op(one(), Vec::new(), fences),
        op(block(), Vec::new(), barrier),
        op(one(), vec![access(THERE, true, Footprint::all(0, 4, one()))], Vec::new()),
        op(one(), vec![bar(BAR_THERE, false, one())], vec![act(BAR_THERE, arrive)]),
        op(block(), vec![bar(BAR, false, block())], vec![act(BAR, Act::Wait { parity: AddressForm::constant(0) })]),
        op(block(), vec![access(TARGET, false, Footprint::all(0, 256, block()))], Vec::new()),
        op(block(), Vec::new(), Vec::new()),
    ];
    let mut gather = program(ops, ranks, |_| {
        BTreeMap::from([(THERE, (TARGET, RemoteBlock::Rank(0))), (BAR_THERE, (BAR, RemoteBlock::Rank(0)))])
    });
    // Each block writes its own location, and only block 0 waits and reads.
    let mut cluster = (*gather.cluster.take().unwrap()).clone();
    for (rank, member) in cluster.members.iter_mut().enumerate() {
        let begin = 16 * rank as i64;
        let written = access(THERE, true, Footprint::all(begin, begin + 4, one()));
        member.ops.insert(3, Op { accesses: vec![written], ..gather.ops[3].clone() });
    }
    gather.cluster = Some(Rc::new(cluster));
    let last = gather.body.split_off(5);
    let takes = (0..ranks).map(|rank| i64::from(rank == 0)).collect();
    let waits = Branch {
        arms: vec![last[..2].to_vec(), Vec::new()],
        taken: Taken::Together,
        when: Some(When::of_blocks(takes)),
    };
    gather.body.extend([Item::Branch(waits), last[2].clone()]);
    gather
}

#[test]
fn arrivals_on_an_mbarrier_of_another_block() {
    let whole = || vec![Effect::ClusterBarrier];
    for ranks in [2, 5] {
        assert_eq!(check(&gather(ranks, true, whole())), [], "{ranks}");
    }
    // The barrier may be relaxed: the fence makes the initialisation of the mbarrier visible.
    let relaxed = vec![Effect::ClusterArrive { releases: false }, Effect::ClusterWait];
    assert_eq!(check(&gather(2, true, relaxed)), []);
    let findings = check(&gather(2, false, whole()));
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0, &conflict.needs), (0, 4, &Needs::MbarrierFence), "{findings:?}");
    let put = insert(&gather(2, false, Vec::new())).unwrap();
    let effects: Vec<&Effect> = put.iter().map(|insertion| &insertion.effect).collect();
    assert!(effects.contains(&&Effect::MbarrierFence) && effects.contains(&&Effect::ClusterBarrier), "{put:?}");
    assert_eq!(put.len(), 2, "{put:?}");
    // Both are inserted at the same point: the fence comes first.
    let mut bare = gather(2, false, Vec::new());
    bare.body.drain(1..3);
    let put = insert(&bare).unwrap();
    let effects: Vec<&Effect> = put.iter().map(|insertion| &insertion.effect).collect();
    assert_eq!(effects, [&Effect::MbarrierFence, &Effect::ClusterBarrier]);
    assert_eq!((put[0].before, put[0].out), (put[1].before, put[1].out));
    // Also where that point is found from another operation of the arm.
    let Item::Branch(mut arm) = bare.body[1].clone() else { panic!("{:?}", bare.body) };
    arm.arms[0].push(Item::Op(4));
    bare.body.splice(1..3, [Item::Branch(arm)]);
    let put = insert(&bare).unwrap();
    assert_eq!(check(&with(&bare, &put)), []);
    // Fewer arrivals than the phase expects.
    let mut few = gather(3, true, whole());
    few.ops[0].effects = vec![act(BAR, Act::Init { count: 4 })];
    let findings = check(&few);
    let never = |what: &Phase| matches!(what, Phase::Never { .. });
    let in_first =
        |finding: &Finding| matches!(finding, Finding::Phase(fault) if fault.rank == Some(0) && never(&fault.what));
    assert!(findings.iter().any(in_first), "{findings:?}");
}

#[test]
fn a_barrier_of_the_cluster_that_only_some_blocks_come_to() {
    let mut some =
        neighbours(2, [vec![Effect::ClusterBarrier], vec![Effect::ClusterBarrier]], |rank| RemoteBlock::Rank(1 - rank));
    let mut arm = some.body.split_off(1);
    let rest = arm.split_off(1);
    let when = Some(When::of_blocks(vec![1, 0]));
    some.body.push(Item::Branch(Branch { arms: vec![arm, Vec::new()], taken: Taken::Together, when }));
    some.body.extend(rest);
    assert_ne!(check(&some), []);
    // Operations are inserted where all blocks reach them.
    some.ops[1].effects = Vec::new();
    some.ops[3].effects = Vec::new();
    assert!(insert(&some).is_ok());
}

/// The program of one block of a cluster: an operation in an arm that the rank, or the rank and the thread, select.
fn of_rank(taken: Taken, when: Option<When>, active: ThreadSet) -> SyncProgram {
    let peers = BTreeMap::from([(THERE, (SOURCE, RemoteBlock::Rank(0)))]);
    let cluster = Cluster { members: vec![Member { ops: BTreeMap::new(), peers }], ..Cluster::default() };
    let reads = access(THERE, false, Footprint::all(0, 4, active));
    let ops = vec![op(active, vec![reads], Vec::new()), op(block(), Vec::new(), Vec::new())];
    let branch = Branch { arms: vec![vec![Item::Op(0)], Vec::new()], taken, when };
    let body = vec![Item::Branch(branch), Item::Op(1)];
    SyncProgram { block: block(), end: Some(1), ops, body, cluster: Some(Rc::new(cluster)), ..SyncProgram::default() }
}

#[test]
fn blocks_that_take_different_arms_are_one_program() {
    let taken = |program: &SyncProgram| match &program.body[0] {
        Item::Branch(branch) => (branch.taken.clone(), branch.when.clone()),
        _ => panic!("a branch"),
    };
    let by = |set: ThreadSet| Taken::By(vec![set, block().without(&set)]);
    let nobody = Taken::By(vec![ThreadSet::new(); 2]);
    let joined = |programs: Vec<SyncProgram>| SyncProgram::of_blocks(programs).unwrap();
    // The rank selects the arm.
    let ranked = |takes: i64| of_rank(Taken::Together, Some(When::of_blocks(vec![takes])), block());
    let program = joined(vec![ranked(1), ranked(0), ranked(1)]);
    assert_eq!(taken(&program), (Taken::Together, Some(When::of_blocks(vec![1, 0, 1]))));
    assert_eq!(program.ranks(), 3);
    // The rank and the thread select the arm.
    let mixed = |set| of_rank(by(set), None, set);
    let program = joined(vec![mixed(one()), mixed(one()), mixed(ThreadSet::new())]);
    let sets = |set: ThreadSet| vec![set, block().without(&set)];
    assert_eq!(taken(&program).0, Taken::ByRank(vec![sets(one()), sets(one()), sets(ThreadSet::new())]));
    assert_eq!((program.op(1, 0).active, program.op(2, 0).active), (one(), ThreadSet::new()));
    // A block that no thread reaches does not matter.
    let dead = || of_rank(nobody.clone(), None, ThreadSet::new());
    let expected = (Taken::Together, Some(When::of_blocks(vec![0, 1, 0])));
    assert_eq!(taken(&joined(vec![dead(), ranked(1), dead()])), expected);
    // A selection that is uniform, but not by rank, cannot be joined with one that each thread makes.
    assert_eq!(SyncProgram::of_blocks(vec![of_rank(Taken::Unknown, None, block()), mixed(one())]).err(), Some(0));
}

#[test]
fn what_only_a_thread_of_the_second_block_does() {
    let of_block = |rank: usize| {
        let by = if rank == 1 { one() } else { ThreadSet::new() };
        let writes = Op { exact: true, ..Op::default() };
        let writes =
            if rank == 1 { op(by, vec![access(THERE, true, Footprint::all(0, 4, by))], vec![]) } else { writes };
        let meet = |effect| op(block(), Vec::new(), vec![effect]);
        let reads = op(block(), vec![access(SOURCE, false, Footprint::all(0, 4, block()))], Vec::new());
        let ops = vec![
            meet(Effect::ClusterBarrier),
            writes,
            reads,
            meet(Effect::ClusterBarrier),
            op(block(), vec![], vec![]),
        ];
        let peers = BTreeMap::from([(THERE, (SOURCE, RemoteBlock::Rank(0)))]);
        let cluster = Cluster { members: vec![Member { ops: BTreeMap::new(), peers }], ..Cluster::default() };
        let taken = Taken::By(vec![by, block().without(&by)]);
        let arm = Item::Branch(Branch { arms: vec![vec![Item::Op(1)], Vec::new()], taken, when: None });
        let body = vec![Item::Op(0), arm, Item::Op(2), Item::Op(3), Item::Op(4)];
        SyncProgram {
            block: block(),
            end: Some(4),
            ops,
            body,
            cluster: Some(Rc::new(cluster)),
            ..SyncProgram::default()
        }
    };
    let program = SyncProgram::of_blocks(vec![of_block(0), of_block(1)]).unwrap();
    let findings = check(&program);
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0, conflict.ranks), (1, 2, Some([1, 0])), "{findings:?}");
    assert_eq!(conflict.needs, Needs::Barrier(Threads::Cluster));
    let put = insert(&program).unwrap();
    assert_eq!(put.iter().map(|made| (made.before, &made.effect)).collect::<Vec<_>>(), [(2, &Effect::ClusterBarrier)]);
}
