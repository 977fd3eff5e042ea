//! Forms of ops, and tiles of products for chips.

use tile_isa::{NumberFormat, Scope};

use super::{
    CombinedTerm, DivisionError, FactorSource, FactorTile, LinalgBody, LinalgForm, LinalgRefusal, LinalgSchedule,
    LocalTile, LocalTiles, ProductInstruction, ProductLoops, ProductPlan, ProductProblem, ProductRegisters,
    RegisterConflict, SplitRoom, SplitStep, StructuredOp, TileProduct, TileRelation,
};
use crate::problem::threads::Threads;
use crate::target::Target;

fn op(extents: &[i64], reduces: &[bool], maps: &[&[usize]], body: LinalgBody) -> StructuredOp {
    StructuredOp {
        extents: extents.to_vec(),
        ends: extents.to_vec(),
        is_open: vec![false; extents.len()],
        reduces: reduces.to_vec(),
        maps: maps.iter().map(|map| Some(map.to_vec())).collect(),
        indices: maps.iter().map(|map| map.iter().map(|&number| vec![(number, 1)]).collect()).collect(),
        multiplies: true,
        bits: vec![32; maps.len()],
        inputs: maps.len() - 1,
        body,
    }
}

fn sum(term: CombinedTerm) -> LinalgBody {
    LinalgBody::Combined { is_sum: true, term }
}

#[test]
fn an_element_is_a_copy_a_fill_or_a_map() {
    let parallel = [false, false];
    let read = |input: &[usize], body| op(&[4, 8], &parallel, &[input, &[0, 1]], body).form();
    let form = |input: &[usize]| read(input, LinalgBody::Element(0));
    assert_eq!(form(&[0, 1]), Ok(LinalgForm::Copy(vec![0, 1])));
    assert_eq!(form(&[1, 0]), Ok(LinalgForm::Copy(vec![1, 0])));
    assert_eq!(read(&[], LinalgBody::Uniform), Ok(LinalgForm::Fill));
    assert_eq!(form(&[1]), Ok(LinalgForm::Map));
}

#[test]
fn single_multiplications_of_many_depths_are_done_in_parts() {
    let done = |k, instruction| {
        let problem = ProductProblem {
            size: [64, 64, k],
            numbers: [NumberFormat::F32; 3],
            clauses: [None; 2],
            sources: [false; 2].map(|is_transposed| FactorSource::Open { is_transposed }),
            threads: Threads::all(Scope::Cta, Some(128)),
            may_pad: [true; 3],
        };
        let plan = problem.plan(&Target::parse("sm_80").unwrap(), &LinalgSchedule::default()).unwrap();
        assert_eq!(plan.instruction, ProductInstruction::Fma);
        ProductPlan { instruction, ..plan }.is_done_at_once(128)
    };
    assert!(done(128, ProductInstruction::Fma));
    assert!(!done(256, ProductInstruction::Fma));
    assert!(done(256, ProductInstruction::MmaSync));
}

#[test]
fn products_are_known_by_their_loops() {
    let product = |maps: &[&[usize]], extents: &[i64], reduces: &[bool]| {
        op(extents, reduces, maps, sum(CombinedTerm::Product([0, 1]))).form()
    };
    let (loops, extents) = ([false, false, true], [32, 16, 8]);
    let expected = |m, n, factors| Ok(LinalgForm::Product(ProductLoops { m, n, k: 2, factors }));
    assert_eq!(product(&[&[0, 2], &[1, 2], &[0, 1]], &extents, &loops), expected(0, 1, [0, 1]));
    // Sums that are stored by columns are those of the exchanged product.
    assert_eq!(product(&[&[0, 2], &[2, 1], &[1, 0]], &extents, &loops), expected(1, 0, [1, 0]));
    let batch: [&[usize]; 3] = [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]];
    let of_batch = |count| product(&batch, &[count, 32, 16, 8], &[false, false, false, true]);
    assert_eq!(of_batch(1), Ok(LinalgForm::Product(ProductLoops { m: 1, n: 2, k: 3, factors: [0, 1] })));
    assert_eq!(of_batch(4), Err(LinalgRefusal::Batch { extent: 4 }));
    // A matrix times a vector has no columns: its terms are reduced.
    let vector = product(&[&[0, 1], &[1], &[0]], &[32, 8], &[false, true]);
    assert_eq!(vector, Ok(LinalgForm::Reduce { along: vec![1], input: None }));
}

#[test]
fn terms_are_combined_along_loops() {
    let reduced = op(&[4, 4, 4], &[false, true, true], &[&[0, 1, 2], &[0]], sum(CombinedTerm::Element(0)));
    assert_eq!(reduced.form(), Ok(LinalgForm::Reduce { along: vec![1, 2], input: Some(0) }));
    let single = StructuredOp { extents: vec![4, 1, 1], ..reduced };
    assert_eq!(single.form(), Ok(LinalgForm::Map));
}

#[test]
fn what_is_no_form_has_a_name() {
    let reduced = |reduces: &[bool], body| op(&[4, 4, 4], reduces, &[&[0, 1, 2], &[0]], body).form();
    let result = reduced(&[false, false, true], sum(CombinedTerm::Element(0)));
    assert_eq!(result, Err(LinalgRefusal::ResultMap { result: 0, parallel: 2 }));
    let function = op(&[4, 4], &[false, true], &[&[0, 1], &[0]], LinalgBody::Function).form();
    assert_eq!(function, Err(LinalgRefusal::NotCombined));
    let window = StructuredOp {
        maps: vec![None, Some(vec![0, 1])],
        ..op(&[4, 4], &[false, false], &[&[0], &[0, 1]], LinalgBody::Function)
    };
    assert_eq!(window.form(), Err(LinalgRefusal::OperandMap { operand: 0 }));
    let open = StructuredOp {
        is_open: vec![false, true],
        ..op(&[4, 4], &[false, true], &[&[1], &[0]], sum(CombinedTerm::Element(0)))
    };
    assert_eq!(open.form(), Ok(LinalgForm::Reduce { along: vec![1], input: None }));
}

fn plan(size: [i64; 3], numbers: [NumberFormat; 3], threads: i64, chip: &str) -> Option<ProductPlan> {
    let problem = ProductProblem { may_pad: [false; 3], ..problem(size, numbers, threads) };
    problem.plan(&Target::parse(chip).unwrap(), &LinalgSchedule::default()).ok()
}

#[test]
fn chips_multiply_by_what_they_have() {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let single = [NumberFormat::F32; 3];
    let instruction = |size, numbers, threads, chip| plan(size, numbers, threads, chip).map(|plan| plan.instruction);
    assert_eq!(instruction([128, 128, 64], half, 256, "sm_90a"), Some(ProductInstruction::Wgmma));
    assert_eq!(instruction([128, 128, 64], half, 256, "sm_90"), Some(ProductInstruction::MmaSync));
    assert_eq!(instruction([128, 128, 64], half, 256, "sm_80"), Some(ProductInstruction::MmaSync));
    assert_eq!(instruction([32, 48, 24], single, 64, "sm_90a"), Some(ProductInstruction::Fma));
    assert_eq!(instruction([12, 12, 12], half, 64, "sm_80"), Some(ProductInstruction::Fma));
    assert_eq!(instruction([128, 128, 64], single, 32, "sm_80"), None);
}

#[test]
fn depths_divide_all_of_them() {
    for depth in 1..40 {
        let plan = plan([16, 24, depth], [NumberFormat::F32; 3], 32, "sm_80").unwrap();
        assert_eq!(depth % plan.depth, 0);
        assert!(plan.factors.iter().all(|factor| matches!(factor, FactorTile::Registers(_))));
    }
}

fn problem(size: [i64; 3], numbers: [NumberFormat; 3], threads: i64) -> ProductProblem {
    let open = FactorSource::Open { is_transposed: false };
    let threads = Threads::all(Scope::Cta, Some(threads));
    ProductProblem { size, numbers, clauses: [None; 2], sources: [open.clone(), open], threads, may_pad: [true; 3] }
}

#[test]
fn tiles_are_padded_to_instructions() {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let target = Target::parse("sm_80").unwrap();
    for (m, n, k) in [(5, 7, 3), (60, 60, 60), (100, 33, 17)] {
        let plan = problem([m, n, k], half, 128).plan(&target, &LinalgSchedule::default()).unwrap();
        assert_eq!(plan.instruction, ProductInstruction::MmaSync);
        assert!(plan.size.iter().zip([m, n, k]).all(|(padded, size)| *padded >= size));
    }
}

#[test]
fn schedules_are_taken_or_refused_with_what_fits() {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let product = problem([64, 64, 32], half, 128);
    let asked = |instruction, over, chip: &str| {
        let schedule = LinalgSchedule { instruction, over, ..LinalgSchedule::default() };
        product.plan(&Target::parse(chip).unwrap(), &schedule)
    };
    let taken = asked(Some(ProductInstruction::MmaSync), Some([4, 1]), "sm_90a").unwrap();
    assert_eq!((taken.instruction, taken.over), (ProductInstruction::MmaSync, Some([4, 1])));
    let refused = asked(Some(ProductInstruction::Wgmma), None, "sm_80").unwrap_err();
    assert_eq!(refused.cause, "schedule-not-taken");
    assert!(
        refused.reason.contains("what fits: instruction = fma; instruction = mma_sync, over = [1, 4]"),
        "{refused}"
    );
}

#[test]
fn chips_want_tiles() {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let tiles = |size, chip: &str| problem(size, half, 0).tiles_of_blocks(&Target::parse(chip).unwrap());
    assert_eq!(tiles([8192; 3], "sm_90a"), Some(([128, 256, 64], 256)));
    assert_eq!(tiles([8192; 3], "sm_80"), Some(([128, 128, 64], 256)));
}

#[test]
fn what_tiles_do_not_hold_is_split() {
    let (loops, batch): ([bool; 4], [&[usize]; 3]) =
        ([false, false, false, true], [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]]);
    let product = op(&[4, 512, 512, 512], &loops, &batch, sum(CombinedTerm::Product([0, 1])));
    let room = SplitRoom { shared_bytes: 100_000, product: Some([128, 64, 32]), is_multiplied: false, is_part: false };
    assert_eq!(product.split(&room), Some(SplitStep::Parts(vec![1, 128, 64, 0])));
    let part = op(&[128, 64, 512], &loops[1..], &[&[0, 2], &[2, 1], &[0, 1]], product.body);
    let reduction = SplitStep::Reduction { shape: vec![128, 64], sizes: vec![0, 0, 32] };
    assert_eq!(part.split(&SplitRoom { is_part: true, ..room }), Some(reduction));
    let step = op(&[128, 64, 32], &loops[1..], &[&[0, 2], &[2, 1], &[0, 1]], product.body);
    assert_eq!(step.split(&SplitRoom { is_multiplied: true, is_part: true, ..room }), None);
}

#[test]
fn parts_of_any_extents_fit() {
    let room = SplitRoom { shared_bytes: 100_000, product: None, is_multiplied: false, is_part: false };
    for rows in [1, 7, 300, i64::MAX] {
        for columns in [1, 33, 4096, 1 << 20, i64::MAX] {
            let map = op(&[rows, columns], &[false; 2], &[&[0, 1], &[1, 0]], LinalgBody::Function);
            let Some(SplitStep::Parts(sizes)) = map.split(&room) else {
                assert!(rows.saturating_mul(columns).saturating_mul(8) <= room.shared_bytes, "{rows}x{columns}");
                continue;
            };
            let size = |number: usize| if sizes[number] > 0 { sizes[number] } else { map.extents[number] };
            assert!(size(0) * size(1) * 8 <= room.shared_bytes, "{sizes:?}");
        }
    }
}

#[test]
fn windows_are_taken_tap_by_tap() {
    let [y, x, f, ky, kx, c] = [0, 1, 2, 3, 4, 5];
    let mut conv = op(
        &[10, 12, 24, 3, 3, 16],
        &[false, false, false, true, true, true],
        &[&[y, x, c], &[ky, kx, c, f], &[y, x, f]],
        sum(CombinedTerm::Product([0, 1])),
    );
    conv.indices[0] = vec![vec![(y, 1), (ky, 1)], vec![(x, 1), (kx, 1)], vec![(c, 1)]];
    conv.maps[0] = None;
    let room = SplitRoom { shared_bytes: 100_000, product: Some([64, 64, 64]), is_multiplied: false, is_part: false };
    assert_eq!(conv.form(), Err(LinalgRefusal::OperandMap { operand: 0 }));
    assert_eq!(conv.split(&room), Some(SplitStep::Parts(vec![1, 0, 0, 0, 0, 0])));
    let row = conv.part(&[1, 0, 0, 0, 0, 0]);
    assert_eq!(row.split(&SplitRoom { is_part: false, ..room }), Some(SplitStep::Units));
    let tap = row.part(&[0, 0, 0, 1, 1, 0]);
    assert_eq!(tap.form(), Ok(LinalgForm::Product(ProductLoops { m: x, n: f, k: c, factors: [0, 1] })));
}

/// A product of tiles, the sums of which are the left factor of another one.
fn chain(threads: i64) -> LocalTiles {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let tile = |bits| LocalTile {
        shape: vec![64, 64],
        bits,
        known: None,
        threads: Vec::new(),
        reduced: Vec::new(),
        run: 0,
        is_copy: false,
    };
    let first = problem([64, 64, 64], half, threads);
    let second = ProductProblem { sources: [FactorSource::Registers, first.sources[1].clone()], ..first.clone() };
    let [first, second] = [first, second].map(|problem| ProductProblem { may_pad: [false; 3], ..problem });
    let relation = TileRelation { whole: 0, other: 1, reduced: Vec::new(), threads: first.threads.clone() };
    let schedule = LinalgSchedule::default();
    let products = vec![
        TileProduct { problem: first, schedule, tiles: [None, None, Some(0)] },
        TileProduct { problem: second, schedule, tiles: [Some(1), None, Some(2)] },
    ];
    LocalTiles { tiles: vec![tile(32), tile(16), tile(32)], relations: vec![relation], products, views: Vec::new() }
}

#[test]
fn registers_follow_from_products() {
    let names = |chip: &str| {
        let choice = chain(128).choose(&Target::parse(chip).unwrap()).unwrap();
        let name = |registers: &Option<ProductRegisters>| match registers {
            Some(ProductRegisters::Named(fragment)) => fragment.to_string(),
            other => panic!("{other:?}"),
        };
        choice.tiles.iter().map(name).collect::<Vec<_>>()
    };
    let over = |operand: &str| format!("mma.m16n8k16.{operand} over (4, 1) warps");
    assert_eq!(names("sm_80"), [over("c"), over("a"), over("c")]);
    assert_eq!(names("sm_90a"), ["wgmma.c", "wgmma.a", "wgmma.c"]);
}

#[test]
fn registers_that_no_product_decides_are_named() {
    let mut tiles = chain(128);
    tiles.tiles.push(tiles.tiles[0].clone());
    let target = Target::parse("sm_80").unwrap();
    assert_eq!(tiles.choose(&target), Err(vec![RegisterConflict::Undivided(3, DivisionError::Unused)]));
    let mut stated = chain(128);
    stated.products[0].schedule.over = Some([2, 2]);
    stated.products[1].schedule.over = Some([4, 1]);
    let conflicts = stated.choose(&target).unwrap_err();
    assert!(matches!(conflicts[..], [RegisterConflict::Apart { products: [0, 1], .. }]), "{conflicts:?}");
}
