//! How long planning takes: `cargo run --release -p tile-plan --example plan_bench`, of copies whose names contain the argument, if any.

use std::hint::black_box;
use std::time::Instant;

use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::families::{select, tensor_map};
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::tensor_map::MapRequest;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

fn buffer(space: Space, shape: &[i64], layout: &str) -> Operand {
    let layout: Layout = layout.parse().expect("a layout's text form");
    Operand::whole(space, layout, shape, 128)
}

fn problem(src: Operand, dst: Operand, bits: u32, threads: Threads) -> Problem {
    Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads)
}

fn problems() -> Vec<(&'static str, Problem)> {
    use Space::{Global, Local, Shared};
    let warp = || Threads::all(Scope::Warp, Some(128));
    let cta = || Threads::all(Scope::Cta, Some(256));
    let rows = |space| buffer(space, &[64, 64], "(64, 64) : (64, 1)");
    let columns = || buffer(Global, &[64, 64], "(64, 64) : (1, 64)");
    let square = |extent: i64, row: i64| {
        let layout = format!("({extent}, {extent}) : ({row}, {})", if row == 1 { extent } else { 1 });
        buffer(Global, &[extent, extent], &layout)
    };
    let swizzled = || buffer(Shared, &[64, 64], "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>");
    let window = Operand {
        begin: vec![
            Begin::Dynamic { value: 0, divisor: 1, residue: 0 },
            Begin::Dynamic { value: 1, divisor: 8, residue: 0 },
        ],
        extent: vec![64, 64],
        ..buffer(Global, &[4096, 4096], "(4096, 4096) : (4096, 1)")
    };
    let tiled = buffer(
        Shared,
        &[32, 256],
        "(2, 2, 8, 2, 2, 64) : (4096, 1024, 64, 2048, 512, 1), swizzle<base = 3, bits = 3, shift = 3>",
    );
    let part = buffer(Global, &[96, 512], "(96, 512) : (512, 1)").region(&[Range::new(16, 32), Range::new(256, 256)]);
    let lanes = || buffer(Local, &[32, 16], "(32, 16) : (1@laneid, 1)");
    let fragment = || buffer(Local, &[16, 16], "(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)");
    let small = |space| buffer(space, &[4, 6], "(4, 6) : (6, 1)");
    let part8 = || buffer(Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let turned8 = || buffer(Local, &[8, 8], "(4, 2, 8) : (1@laneid, 1, 4@laneid)");
    let rows_of_fragment = || buffer(Local, &[32, 8], "(4, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)");
    let lanes8 = || buffer(Local, &[32, 8], "(32, 8) : (1@laneid, 1)");
    let every_other = buffer(Local, &[16, 8], "(16, 8) : (2@laneid, 1)");
    vec![
        ("gmem_smem, 64x64 f16, cta", problem(rows(Global), rows(Shared), 16, cta())),
        ("gmem_smem, swizzled, run-time window", problem(window, swizzled(), 16, cta())),
        ("gmem_smem, region to a tiled swizzle", problem(part, tiled, 16, warp())),
        (
            "gmem_smem, width 1 (4 narrowings)",
            problem(rows(Global), buffer(Shared, &[64, 64], "(64, 64) : (65, 1)"), 8, cta()),
        ),
        (
            "reg, 32x16 f32, a row per lane",
            problem(buffer(Shared, &[32, 16], "(32, 16) : (16, 1)"), lanes(), 32, warp()),
        ),
        ("reg, fragment f32", problem(fragment(), buffer(Global, &[16, 16], "(16, 16) : (16, 1)"), 32, warp())),
        ("ldstmatrix, fragment f16", problem(buffer(Shared, &[16, 16], "(16, 16) : (16, 1)"), fragment(), 16, warp())),
        ("shuffle, transposed fragment f32", problem(part8(), turned8(), 32, warp())),
        ("scratch, fragment f32 to rows", problem(rows_of_fragment(), lanes8(), 32, warp())),
        ("transpose, 64x64 f32, cta", problem(rows(Global), columns(), 32, cta())),
        ("transpose, 128x128 f16, cta", problem(square(128, 128), square(128, 1), 16, cta())),
        ("transpose, 256x256 i8, in parts", problem(square(256, 256), square(256, 1), 8, cta())),
        ("transpose, 64x64 i8, cta", problem(rows(Global), columns(), 8, cta())),
        ("same_memory, 64x64 f16, declined by transpose", problem(rows(Global), rows(Global), 16, cta())),
        ("fallback, 4x6 f32, warp", problem(small(Global), small(Shared), 32, warp())),
        ("fallback, every other lane", problem(buffer(Shared, &[16, 8], "(16, 8) : (8, 1)"), every_other, 32, warp())),
    ]
}

/// Copies through tensor maps, in the forms in which kernels have them.
fn tensor_maps() -> Vec<(&'static str, Problem)> {
    use Space::{Global, Shared};
    let thread = || Threads::all(Scope::Thread, Some(128));
    let load = |tensor: Operand, tile: Operand| {
        let mut load = problem(tensor, tile, 16, thread());
        load.asynchronous = Some(Asynchronous::new(Completion::Barrier));
        load
    };
    let tile = |rows: i64, columns: i64, layout: &str| {
        let whole = buffer(Shared, &[rows, columns], layout);
        Operand { align_bytes: 1024, ..whole }
    };
    let dynamic = |value, divisor| Begin::Dynamic { value, divisor, residue: 0 };
    let tensor = |begin: [Begin; 2], rows, columns| Operand {
        begin: begin.to_vec(),
        extent: vec![rows, columns],
        ..buffer(Global, &[8192, 8192], "(8192, 8192) : (8192, 1)")
    };
    let known = [Begin::Const(128), Begin::Const(64)];
    let ring = Operand {
        begin: vec![dynamic(0, 1), Begin::Const(0), Begin::Const(0)],
        extent: vec![1, 128, 128],
        align_bytes: 1024,
        ..buffer(
            Shared,
            &[4, 128, 128],
            "(4, 128, 2, 64) : (16384, 64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>",
        )
    };
    let head = Operand {
        begin: vec![dynamic(0, 1), dynamic(1, 1), Begin::Const(0)],
        extent: vec![128, 1, 128],
        ..buffer(Global, &[4096, 16, 128], "(4096, 16, 128) : (2048, 128, 1)")
    };
    vec![
        (
            "tma, 128x64 f16, swizzled",
            load(tensor(known, 128, 64), tile(128, 64, "(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>")),
        ),
        (
            "tma, 2 panels of 64, run-time begins",
            load(
                tensor([dynamic(0, 1), dynamic(1, 64)], 64, 128),
                tile(64, 128, "(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>"),
            ),
        ),
        ("tma, a head of 3 dimensions to a ring", load(head, ring)),
        (
            "tma, 512 rows from any row on",
            load(
                tensor([dynamic(0, 1), Begin::Const(0)], 512, 64),
                tile(512, 64, "(512, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>"),
            ),
        ),
        (
            "tma, two-level atoms, 4 boxes",
            load(
                tensor(known, 64, 256),
                tile(
                    64,
                    256,
                    "(4, 2, 8, 2, 2, 64) : (4096, 1024, 64, 2048, 512, 1), swizzle<base = 3, bits = 3, shift = 3>",
                ),
            ),
        ),
        (
            "tma, 257 rows, 2 maps",
            load(tensor(known, 257, 64), tile(257, 64, "(257, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>")),
        ),
    ]
}

fn plan(problem: &Problem, target: &Target) -> &'static str {
    if problem.asynchronous.is_some() {
        return tensor_map::plan(problem, MapRequest::default(), target).map_or("none", |copy| {
            black_box(copy);
            "tma"
        });
    }
    let Ok((aligned, declines)) = select(problem, target) else { return "none" };
    black_box(declines);
    if let CopyPlan::Partition(copy) = &aligned {
        black_box(vectorize(copy, target, problem.max_vector_bits).is_ok());
    }
    aligned.variant()
}

fn main() {
    let target = Target::parse("sm_90a").expect("a chip of the table");
    let part = std::env::args().nth(1).unwrap_or_default();
    println!("{:<42} {:<12} {:>12}", "copy", "variant", "µs per plan");
    let all = problems().into_iter().chain(tensor_maps());
    for (name, problem) in all.filter(|(name, _)| name.contains(&part)) {
        let variant = plan(&problem, &target);
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let start = Instant::now();
            for _ in 0..500 {
                black_box(plan(black_box(&problem), &target));
            }
            best = best.min(start.elapsed().as_secs_f64() * 1e6 / 500.0);
        }
        println!("{name:<42} {variant:<12} {best:>12.2}");
    }
}
