//! Plans of scans: which strategy takes which scan, with which numbers, and the reasons of those that decline.

use tile_plan::scan::{
    Plan, Problem, Requests, ScanShape, ScannedElement, Tile, TileState, Wait, Workspace, select, strategies, workgroup,
};
use tile_plan::target::Target;

fn chip(name: &str) -> Target {
    Target::parse(name).unwrap()
}

fn problem(bits: u32, lanes: u32, requests: Requests) -> Problem {
    Problem { requests, ..Problem::new(ScannedElement { bits, lanes, float: false }, 256) }
}

/// The first cause that a problem is declined for.
fn cause(problem: &Problem, chip_name: &str) -> &'static str {
    select(problem, &chip(chip_name)).unwrap_err().into_declines()[0].cause
}

fn tile(plan: &Plan) -> Tile {
    match plan {
        Plan::Decoupled(plan) => plan.tile(),
        Plan::Passes(plan) => plan.tile,
        Plan::Serial => panic!("it has no tile"),
    }
}

#[test]
fn every_element_has_a_plan_on_every_chip() {
    for name in Target::names() {
        for (bits, lanes) in [(8, 1), (16, 1), (32, 1), (64, 1), (8, 2), (32, 2), (64, 2), (32, 4), (8, 16)] {
            let (plan, strategy, declines) = select(&problem(bits, lanes, Requests::default()), &chip(name)).unwrap();
            assert_eq!((strategy, declines.len()), ("decoupled_fallback", 0), "{name} {bits}x{lanes}");
            let bytes = i64::from(bits * lanes / 8);
            let tile = tile(&plan);
            assert!(tile.vector * bytes <= 16 && tile.items() == tile.rows * tile.vector);
            // The size of a workspace that the op's documentation calls always sufficient.
            for n in [1, tile.elements() - 1, tile.elements(), tile.elements() + 1] {
                assert!(plan.workspace().bytes(n) <= 256 + 64 * n.div_euclid(32) + 64, "{name} {bits}x{lanes}");
            }
        }
    }
}

#[test]
fn blocks_of_a_ring_share_tiles_out_evenly() {
    let (plan, ..) = select(&problem(64, 1, Requests::default()), &chip("sm_90a")).unwrap();
    let Plan::Decoupled(plan) = plan else { panic!("one pass") };
    let ScanShape::Ring(ring) = plan.shape else { panic!("a ring") };
    for tiles in (1..600).chain([4096, 32768, 1 << 40]) {
        let blocks = ring.grid(tiles);
        assert!((1..=ring.blocks.min(tiles)).contains(&blocks), "{tiles}");
        let rounds = |blocks: i64| (tiles + blocks - 1) / blocks;
        assert_eq!(rounds(blocks), rounds(ring.blocks), "{tiles}: no round more than with all SMs");
        assert!(blocks == 1 || rounds(blocks - 1) > rounds(blocks), "{tiles}: one block fewer takes more rounds");
    }
    assert_eq!((ring.blocks, ring.grid(4096)), (132, 128));
}

#[test]
fn rings_fit_their_chip_and_have_whole_vectors() {
    for name in ["sm_90", "sm_90a", "sm_100a", "sm_120a", "sm_121"] {
        for bits in [8, 16, 32, 64] {
            let (plan, ..) = select(&problem(bits, 1, Requests::default()), &chip(name)).unwrap();
            let Plan::Decoupled(plan) = plan else { panic!("one pass") };
            let ScanShape::Ring(ring) = plan.shape else { panic!("{name} has a ring") };
            assert_eq!(ring.tile.vector * i64::from(bits / 8), 16);
            assert_eq!(ring.stage_bytes, ring.tile.elements() * i64::from(bits / 8));
            assert!(ring.stages >= 2 && ring.ring_bytes() + 8192 <= chip(name).shared_bytes());
            assert_eq!((ring.tile.warps() * ring.tile.rows) % ring.reduce_warps, 0);
            assert!(32 * ring.window >= chip(name).sm_count() - 1 && ring.threads() <= 1024);
            assert!(plan.exchange.deterministic);
        }
    }
}

#[test]
fn tiles_in_registers_where_a_ring_is_not_possible() {
    for (name, alignment) in [("sm_80", 256), ("sm_75", 256), ("sm_90a", 8)] {
        let problem = Problem::new(ScannedElement { bits: 32, lanes: 1, float: false }, alignment);
        let (plan, ..) = select(&problem, &chip(name)).unwrap();
        let Plan::Decoupled(plan) = plan else { panic!("one pass") };
        let ScanShape::Register { tile, .. } = plan.shape else { panic!("registers") };
        assert_eq!(tile.vector * 4, alignment.min(16));
        assert_eq!(plan.exchange.wait, Wait::Fallback { max_spin: 4 });
    }
}

#[test]
fn arrays_are_scanned_from_their_end_element_by_element() {
    let backwards = |requests| Problem { is_backwards: true, ..problem(32, 1, requests) };
    let (plan, ..) = select(&backwards(Requests::default()), &chip("sm_90a")).unwrap();
    assert_eq!((tile(&plan).vector, tile(&plan).items()), (1, 32));
    let ring = Requests { shape: Some("ring".to_owned()), ..Requests::default() };
    assert_eq!(cause(&backwards(ring), "sm_90a"), "backwards-not-copied");
    let vulkan = Target::portable("vulkan1.2").unwrap();
    let declines = select(&backwards(Requests::default()), &vulkan).unwrap_err().into_declines();
    assert_eq!(declines[0].cause, "backwards-on-nvidia-only");
}

#[test]
fn states_hold_their_sums() {
    let state = |bits, lanes, name| TileState::new(ScannedElement { bits, lanes, float: false }, &chip(name));
    assert_eq!(state(8, 1, "sm_90a"), TileState { word_bits: 64, words: 1, part_bits: 8 });
    assert_eq!(state(32, 1, "sm_90a"), TileState { word_bits: 64, words: 1, part_bits: 32 });
    assert_eq!(state(64, 1, "sm_90a"), TileState { word_bits: 128, words: 1, part_bits: 64 });
    assert_eq!(state(64, 1, "sm_80"), TileState { word_bits: 64, words: 2, part_bits: 32 });
    assert_eq!(state(64, 2, "sm_90"), TileState { word_bits: 128, words: 2, part_bits: 64 });
    assert_eq!([state(8, 2, "sm_90").bytes(), state(64, 1, "sm_90").bytes()], [8, 16]);
    // A prefix in several words has separate words.
    assert_eq!([state(64, 1, "sm_80"), state(64, 2, "sm_80")].map(|state| state.bytes()), [32, 64]);
    assert_eq!([state(64, 1, "sm_80"), state(64, 1, "sm_90")].map(|state| state.prefix_offset()), [16, 0]);
}

#[test]
fn forced_strategies_are_taken_or_say_why_not() {
    for strategy in strategies::all() {
        let requests = Requests { strategy: Some(strategy.name().to_owned()), ..Requests::default() };
        let (_, taken, _) = select(&problem(32, 1, requests), &chip("sm_90a")).unwrap();
        assert_eq!(taken, strategy.name());
        assert!(strategies::by_name(taken).is_some());
    }
    let priorities: Vec<_> = strategies::all().iter().map(|strategy| strategy.priority()).collect();
    assert!(priorities.is_sorted_by(|a, b| a > b), "{priorities:?}");
    assert!(strategies::by_name("fastest").is_none());
}

#[test]
fn requests_that_cannot_be_met_are_declined() {
    let forced = |requests: Requests| Requests { strategy: Some("decoupled_fallback".to_owned()), ..requests };
    let ring = || Some("ring".to_owned());
    let cases = [
        ("sm_90a", Requests { threads: Some(48), ..Requests::default() }, "threads-not-warps"),
        ("sm_90a", Requests { threads: Some(544), ..Requests::default() }, "threads-not-warps"),
        ("sm_80", Requests { items: Some(65), ..Requests::default() }, "items-not-registers"),
        ("sm_80", Requests { items: Some(0), ..Requests::default() }, "items-not-registers"),
        ("sm_80", Requests { items: Some(i64::MAX), ..Requests::default() }, "items-not-registers"),
        ("sm_80", Requests { shape: ring(), ..Requests::default() }, "no-bulk-copy"),
        ("sm_90a", Requests { shape: ring(), items: Some(6), ..Requests::default() }, "items-not-vectors"),
        (
            "sm_90a",
            Requests { shape: ring(), order: Some("ticket".to_owned()), ..Requests::default() },
            "order-not-taken",
        ),
        ("sm_90a", Requests { stages: Some(7), ..Requests::default() }, "ring-too-large"),
        ("sm_90a", Requests { stages: Some(1), ..Requests::default() }, "ring-too-large"),
        (
            "sm_90a",
            Requests { stages: Some(2), shape: Some("register".to_owned()), ..Requests::default() },
            "stages-without-ring",
        ),
        ("sm_90a", Requests { max_spin: Some(0), ..Requests::default() }, "spin-out-of-range"),
    ];
    for (name, requests, expected) in cases {
        assert_eq!(cause(&problem(32, 1, forced(requests.clone())), name), expected, "{requests:?}");
    }
    // Requests at the limit, which are accepted.
    for requests in [
        Requests { threads: Some(512), ..Requests::default() },
        Requests { items: Some(64), ..Requests::default() },
        Requests { stages: Some(6), ..Requests::default() },
        Requests { shape: ring(), items: Some(4), ..Requests::default() },
    ] {
        assert!(select(&problem(32, 1, forced(requests.clone())), &chip("sm_90a")).is_ok(), "{requests:?}");
    }
}

#[test]
fn no_option_is_ignored() {
    for strategy in ["reduce_then_scan", "serial"] {
        let requests = |requests: Requests| Requests { strategy: Some(strategy.to_owned()), ..requests };
        for requested in [
            Requests { shape: Some("ring".to_owned()), ..Requests::default() },
            Requests { stages: Some(2), ..Requests::default() },
            Requests { order: Some("ticket".to_owned()), ..Requests::default() },
            Requests { max_spin: Some(2), ..Requests::default() },
        ] {
            assert_eq!(cause(&problem(32, 1, requests(requested)), "sm_90a"), "option-not-taken");
        }
        let mut hooked = problem(32, 1, requests(Requests::default()));
        hooked.hooks.reverse = true;
        assert_eq!(cause(&hooked, "sm_90a"), "option-not-taken");
    }
    let mut capped = problem(32, 1, Requests::default());
    capped.hooks.poll_cap = Some(5);
    let (plan, strategy, declines) = select(&capped, &chip("sm_90a")).unwrap();
    assert_eq!((strategy, declines[0].cause), ("decoupled_lookback", "option-not-taken"));
    let Plan::Decoupled(plan) = plan else { panic!("one pass") };
    assert_eq!(plan.exchange.wait, Wait::GiveUp { polls: 5 });
}

#[test]
fn workspaces_count_tiles() {
    let workspace = Workspace { tile: 100, words: 16 };
    assert_eq!([1, 99, 100, 101, 200].map(|n| workspace.bytes(n) - 256), [16, 16, 16, 32, 32]);
}

#[test]
fn portable_targets_have_plans_within_their_limits() {
    for name in Target::portable_names() {
        let target = Target::portable(name).unwrap();
        let api = target.api().unwrap();
        for (bits, lanes) in [(8, 1), (16, 1), (32, 1), (64, 1), (8, 2), (32, 2), (64, 2), (32, 4), (8, 16)] {
            let (plan, strategy, declines) = select(&problem(bits, lanes, Requests::default()), &target).unwrap();
            assert_eq!((strategy, declines.len()), ("decoupled_fallback", 0), "{name} {bits}x{lanes}");
            let bytes = i64::from(bits * lanes / 8);
            let tile = tile(&plan);
            let threads = api.threads.min(256);
            assert_eq!((tile.lanes, tile.threads), (api.subgroup.unwrap_or(threads), threads), "{name}");
            assert!(tile.vector * bytes >= 4 && tile.vector * bytes <= 16, "{name} {bits}x{lanes}");
            assert!(workgroup::shared_bytes(&tile, bytes.max(4)) <= api.workgroup_bytes, "{name} {bits}x{lanes}");
            for n in [1, tile.elements() - 1, tile.elements(), tile.elements() + 1] {
                assert!(plan.workspace().bytes(n) <= 256 + 64 * n.div_euclid(32) + 64, "{name} {bits}x{lanes}");
            }
        }
    }
}

#[test]
fn what_a_portable_target_lacks_is_said() {
    let requests = |strategy: &str| Requests { strategy: Some(strategy.to_owned()), ..Requests::default() };
    let strategy_of = |bits, float, name: &str, requests| {
        let problem = Problem { requests, ..Problem::new(ScannedElement { bits, lanes: 1, float }, 256) };
        select(&problem, &Target::portable(name).unwrap())
            .map(|(_, strategy, _)| strategy)
            .map_err(|error| error.into_declines()[0].cause)
    };
    for strategy in ["decoupled_fallback", "reduce_then_scan", "serial"] {
        assert_eq!(strategy_of(64, true, "webgpu", requests(strategy)), Err("target-lacks-64-bit-floats"));
        assert_eq!(strategy_of(64, true, "vulkan1.2-64", requests(strategy)), Ok(strategy));
        assert_eq!(strategy_of(64, false, "webgpu", requests(strategy)), Ok(strategy));
    }
    assert_eq!(strategy_of(32, false, "webgpu", requests("decoupled_lookback")), Err("no-forward-progress"));
    let threads = |threads| Requests { threads: Some(threads), ..Requests::default() };
    assert_eq!(strategy_of(32, false, "webgpu", threads(512)), Err("threads-not-warps"));
    assert_eq!(strategy_of(32, false, "vulkan1.3", threads(256)), Err("threads-not-warps"));
    assert_eq!(strategy_of(32, false, "vulkan1.3-64-subgroup64", threads(96)), Err("threads-not-warps"));
    let items = |items| Requests { items: Some(items), ..Requests::default() };
    assert_eq!(strategy_of(8, false, "webgpu", items(2)), Err("vector-below-word"));
    assert_eq!(strategy_of(32, false, "webgpu", items(64)), Err("tile-exceeds-shared-memory"));
    assert_eq!(
        strategy_of(32, false, "webgpu", Requests { shape: Some("ring".into()), ..Requests::default() }),
        Err("no-bulk-copy")
    );
    assert!(Target::portable("sm_90a").unwrap_err().to_string().contains("known portable targets: vulkan1.2, "));
    assert!(Target::parse("webgpu").is_err());
}

#[test]
fn states_of_portable_targets_have_words_that_are_exchanged_whole() {
    let state = |bits, name: &str| {
        TileState::new(ScannedElement { bits, lanes: 1, float: false }, &Target::portable(name).unwrap())
    };
    assert_eq!(state(32, "webgpu"), TileState { word_bits: 32, words: 2, part_bits: 16 });
    assert_eq!(state(16, "webgpu"), TileState { word_bits: 32, words: 1, part_bits: 16 });
    assert_eq!(state(64, "vulkan1.3"), TileState { word_bits: 32, words: 4, part_bits: 16 });
    assert_eq!(state(64, "vulkan1.3-64"), TileState { word_bits: 64, words: 2, part_bits: 32 });
    assert_eq!([state(32, "webgpu").bytes(), state(16, "webgpu").bytes()], [16, 4]);
}

#[test]
fn errors_speak_of_strategies_of_scans() {
    let forced = |name: &str| Requests { strategy: Some(name.to_owned()), ..Requests::default() };
    let text = |requests| select(&problem(32, 1, requests), &chip("sm_90a")).unwrap_err().to_string();
    let unknown = text(forced("warp"));
    assert_eq!(
        unknown,
        "tile.scan: no strategy named 'warp'; \
         known strategies: decoupled_fallback, decoupled_lookback, reduce_then_scan, serial"
    );
    let declined = text(Requests { max_spin: Some(0), ..forced("decoupled_fallback") });
    assert!(declined.starts_with("no strategy takes tile.scan\n  decoupled_fallback declined: "), "{declined}");
}
