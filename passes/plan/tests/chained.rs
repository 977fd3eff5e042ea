//! Plans of passes over arrays: tiles that registers and shared memory hold, rooms that do not overlap, and the reasons of strategies
//! that decline.

use tile_plan::chained::{
    ChainedPlan, ChainedProblem, ChainedRing, ChainedShape, ChainedSource, RegisterTiles, select,
};
use tile_plan::scan::ring::SumRooms;
use tile_plan::scan::{Order, Requests, ScannedElement, Wait};
use tile_plan::target::Target;

fn problem(sources: &[i64], dests: &[i64], (bits, lanes): (u32, u32)) -> ChainedProblem {
    let sources = sources.iter().map(|&bytes| ChainedSource { bytes, alignment: 256 }).collect();
    ChainedProblem::new(sources, dests.to_vec(), ScannedElement { bits, lanes, float: false })
}

fn plan(problem: &ChainedProblem, chip: &str) -> ChainedPlan {
    select(problem, &Target::parse(chip).unwrap()).unwrap().0
}

/// The tiles of a plan that holds them in registers.
fn registers(problem: &ChainedProblem, chip: &str) -> RegisterTiles {
    let mut problem = problem.clone();
    problem.requests.shape = Some("register".to_owned());
    match plan(&problem, chip).shape {
        ChainedShape::Register(tiles) => tiles,
        ChainedShape::Ring(ring) => panic!("{ring:?}"),
    }
}

/// The ring of a plan.
fn ring(problem: &ChainedProblem, chip: &str) -> ChainedRing {
    match plan(problem, chip).shape {
        ChainedShape::Ring(ring) => ring,
        ChainedShape::Register(tiles) => panic!("{tiles:?}"),
    }
}

/// The first cause that a problem is declined for.
fn cause(problem: &ChainedProblem, chip: &str) -> &'static str {
    select(problem, &Target::parse(chip).unwrap()).unwrap_err().into_declines()[0].cause
}

#[test]
fn every_pass_has_a_plan_on_every_chip() {
    let widths: [&[i64]; 7] = [&[1], &[2], &[4], &[8], &[16], &[4, 1], &[8, 4, 2]];
    for chip in Target::names() {
        for sources in widths {
            for dests in widths {
                for payload in [(32, 1), (32, 2), (64, 2), (32, 4), (8, 1)] {
                    let problem = problem(sources, dests, payload);
                    let tiles = registers(&problem, chip);
                    let tile = tiles.tile;
                    assert!(sources.iter().all(|bytes| bytes * tile.vector <= 16));
                    assert!(tile.items() * (sources.iter().max().unwrap()) <= 64 && tile.items() <= 32);
                    assert_rooms(&tiles, &problem);
                    let plan = plan(&problem, chip);
                    if let ChainedShape::Ring(ring) = &plan.shape {
                        assert_stages(ring, &problem, chip);
                    }
                    let tile = plan.tile();
                    for n in [0, 1, tile.elements() - 1, tile.elements(), tile.elements() + 1] {
                        assert!(plan.workspace().bytes(n) <= 256 + 64 * ((n + 31) / 32));
                    }
                }
            }
        }
    }
}

/// Each byte of a room belongs to one purpose, and results have room for a tile of them.
fn assert_rooms(tiles: &RegisterTiles, problem: &ChainedProblem) {
    let rooms = &tiles.rooms;
    let mut used = vec![false; usize::try_from(rooms.bytes).unwrap()];
    let mut take = |from: i64, bytes: i64| {
        for at in from..from + bytes {
            let byte = &mut used[usize::try_from(at).unwrap()];
            assert!(!*byte, "byte {at} of {rooms:?} is used twice");
            *byte = true;
        }
    };
    take(rooms.last, 16);
    for (room, dest) in rooms.results.iter().zip(&problem.dests) {
        assert!(room.end % 8 == 0 && room.items % 16 == 0);
        take(room.end, 8);
        for result in 0..tiles.tile.elements() + 16 / dest - 1 {
            take(room.items + room.offset(result), *dest);
        }
    }
    for (source, &room) in problem.sources.iter().zip(&rooms.ahead) {
        take(room, source.bytes * tiles.tile.elements());
    }
    assert!(rooms.bytes + 32 + tiles.tile.warps() * 16 <= 48 * 1024);
}

/// Each byte of a ring belongs to one purpose, all of it is shared memory that the chip has, and parts of a tile are whole.
fn assert_stages(chained: &ChainedRing, problem: &ChainedProblem, chip: &str) {
    let ChainedRing { ring, part_rows, sources, halo_bytes, results, dynamic_bytes } = chained;
    let tile = ring.tile;
    assert!(tile.rows % part_rows == 0 && part_rows * tile.vector <= 16 && ring.reduce_warps == tile.warps());
    let in_stage = |(source, &offset): (&ChainedSource, &i64)| {
        (offset - halo_bytes, offset + source.bytes * tile.elements() + halo_bytes)
    };
    let stages = (0..ring.stages).flat_map(|stage| {
        let pieces = problem.sources.iter().zip(sources).map(in_stage);
        pieces.map(move |(from, to)| (stage * ring.stage_bytes + from, stage * ring.stage_bytes + to))
    });
    let warps = problem.dests.iter().zip(results).flat_map(|(&bytes, &offset)| {
        let warp = move |warp| offset + warp * chained.warp_bytes(bytes);
        (0..tile.warps()).map(move |number| (warp(number), warp(number) + tile.warp_elements() * bytes + 16))
    });
    let mut pieces: Vec<_> = stages.chain(warps).collect();
    pieces.sort_unstable();
    assert!(pieces.iter().all(|&(from, _)| from % 16 == 0));
    assert!(pieces.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{chained:?}");
    assert!(pieces.last().is_some_and(|&(_, to)| to <= *dynamic_bytes));
    let shared = Target::parse(chip).unwrap().shared_bytes();
    assert!(dynamic_bytes + SumRooms::of_ring(ring).bytes <= shared, "{chip} {chained:?}");
}

#[test]
fn tiles_pass_through_a_ring_where_chip_and_arrays_allow_it() {
    let usual = problem(&[4], &[4], (32, 1));
    let made = ring(&usual, "sm_90a");
    assert_eq!((made.ring.tile.elements(), made.ring.stages, made.ring.threads()), (7680, 6, 1024));
    assert_eq!(ring(&ChainedProblem { has_halo: true, ..usual.clone() }, "sm_90").ring.stage_bytes, 30720 + 32);
    assert_eq!(ring(&problem(&[1], &[1, 4], (32, 2)), "sm_90").ring.tile.elements(), 16384);
    let mut unaligned = usual.clone();
    unaligned.sources[0].alignment = 4;
    let scattered = ChainedProblem { is_scattered: true, ..usual.clone() };
    let results = ChainedProblem { dest_alignments: vec![2], ..usual.clone() };
    for (declined, expected) in
        [(unaligned, "arrays-not-aligned"), (scattered, "scattered-not-copied"), (results, "arrays-not-aligned")]
    {
        assert!(matches!(plan(&declined, "sm_90").shape, ChainedShape::Register(_)));
        let requests = Requests { shape: Some("ring".to_owned()), ..Requests::default() };
        assert_eq!(cause(&ChainedProblem { requests, ..declined }, "sm_90"), expected);
    }
    assert!(matches!(plan(&usual, "sm_80").shape, ChainedShape::Register(_)));
}

#[test]
fn vectors_are_as_wide_as_all_arrays_allow() {
    let vector = |sources: &[(i64, i64)]| {
        let mut problem = problem(&[4], &[4], (32, 1));
        problem.sources = sources.iter().map(|&(bytes, alignment)| ChainedSource { bytes, alignment }).collect();
        plan(&problem, "sm_80").tile().vector
    };
    assert_eq!(vector(&[(4, 16)]), 4);
    assert_eq!(vector(&[(4, 8)]), 2);
    assert_eq!(vector(&[(4, 4)]), 1);
    assert_eq!(vector(&[(1, 256)]), 16);
    assert_eq!(vector(&[(4, 256), (1, 256)]), 4);
    assert_eq!(vector(&[(4, 256), (1, 2)]), 2);
    assert_eq!(vector(&[(8, 256), (4, 256)]), 2);
}

/// Where all elements are kept, a warp writes to each bank as often as 32 of its lanes, a quarter of them for 16 bytes, need.
#[test]
fn writes_of_whole_vectors_meet_in_no_bank() {
    for (bytes, vector) in [(1, 16), (2, 8), (4, 4), (4, 2), (4, 1), (8, 2), (8, 1), (16, 1)] {
        let room = registers(&problem(&[bytes], &[bytes], (32, 1)), "sm_80").rooms.results[0];
        let lanes = (128 / bytes.max(4)).min(32);
        for first in (0..32).step_by(lanes as usize) {
            for item in 0..vector {
                let offsets = (first..first + lanes).map(|lane| room.offset(lane * vector + item));
                let words = offsets.flat_map(|offset| offset / 4..(offset + bytes + 3) / 4);
                let mut banks: Vec<_> = words.map(|word| word % 32).collect();
                banks.sort_unstable();
                banks.dedup();
                assert_eq!(banks.len() as i64, lanes * ((bytes + 3) / 4), "{bytes} bytes, vectors of {vector}");
            }
        }
    }
}

/// The next tile is read ahead where the chip copies asynchronously, in words or wider, and blocks need no tickets.
#[test]
fn tiles_are_read_ahead() {
    let blocks = |problem: &ChainedProblem, chip: &str| registers(problem, chip).blocks;
    let usual = problem(&[4], &[4], (32, 1));
    assert_eq!(blocks(&usual, "sm_90a"), Some(132 * 3));
    assert_eq!(blocks(&usual, "sm_75"), None);
    let mut narrow = usual.clone();
    narrow.sources[0] = ChainedSource { bytes: 1, alignment: 2 };
    assert_eq!(blocks(&narrow, "sm_90a"), None);
    let mut ticket = usual.clone();
    ticket.requests.order = Some("ticket".to_owned());
    assert_eq!(blocks(&ticket, "sm_90a"), None);
    let large = Requests { threads: Some(512), items: Some(16), ..Requests::default() };
    assert_eq!(blocks(&ChainedProblem { requests: large, ..usual }, "sm_90a"), None, "there is no room");
}

#[test]
fn scattered_results_take_no_room() {
    let mut problem = problem(&[4], &[4, 8], (32, 1));
    problem.is_scattered = true;
    let rooms = registers(&problem, "sm_90a").rooms;
    assert!(rooms.results.is_empty());
    assert_eq!(rooms.bytes, 16 + 4 * 4096);
}

#[test]
fn requests_are_honoured_or_declined() {
    let with = |requests: Requests| ChainedProblem { requests, ..problem(&[4], &[4, 4], (32, 2)) };
    let requests = Requests { threads: Some(64), items: Some(12), max_spin: Some(9), ..Requests::default() };
    let made = plan(&with(requests.clone()), "sm_80");
    assert_eq!((made.tile().threads, made.tile().items(), made.tile().vector), (64, 12, 4));
    assert_eq!(made.exchange.wait, Wait::Fallback { max_spin: 9 });
    assert_eq!(registers(&with(requests), "sm_90a").order, Order::BlockId);
    let lookback = Requests { strategy: Some("decoupled_lookback".to_owned()), ..Requests::default() };
    assert_eq!(plan(&with(lookback.clone()), "sm_90a").exchange.wait, Wait::Forever);
    assert_eq!(registers(&with(lookback.clone()), "sm_90a").order, Order::Ticket);
    assert_eq!(cause(&with(Requests { threads: Some(48), ..Requests::default() }), "sm_80"), "threads-not-warps");
    assert_eq!(cause(&with(Requests { items: Some(64), ..Requests::default() }), "sm_80"), "items-not-registers");
    assert_eq!(
        cause(&with(Requests { threads: Some(512), items: Some(16), ..Requests::default() }), "sm_80"),
        "tile-exceeds-shared-memory"
    );
    assert_eq!(cause(&with(Requests { max_spin: Some(1 << 31), ..Requests::default() }), "sm_80"), "spin-out-of-range");
    assert_eq!(cause(&with(Requests { max_spin: Some(1), ..lookback }), "sm_80"), "option-not-taken");
}
