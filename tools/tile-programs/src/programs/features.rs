//! The features of a program, for the coverage table.

use std::collections::BTreeSet;

use tile_oracle::ast::{Argument, Cond, Copy, Effect, Expr, Program, Region, Source, Space, Stmt, View, copies, walk};

/// Kinds of copies, each of which must be drawn.
pub const KINDS: [&str; 15] = [
    "reduced",
    "a fill",
    "masked",
    "masked, filled with zeros",
    "masked, filled with a number",
    "part",
    "part, reshaped",
    "part, permuted",
    "cast",
    "run-time extents",
    "run-time strides",
    "converted",
    "asynchronous",
    "begin at run time",
    "some threads of a scope",
];

/// The kinds of a copy that the text determines, which excludes whether all threads of a scope reach it.
pub fn kinds(program: &Program, copy: &Copy) -> Vec<&'static str> {
    let sides = [&copy.src, &copy.dst];
    let named = |view: &dyn Fn(&View) -> bool| sides.iter().any(|side| view(&side.view));
    let buffers = sides.map(|side| &program.buffers[side.buffer]);
    let open = |which: &dyn Fn(&Source) -> bool| buffers.iter().any(|buffer| which(&buffer.source));
    let is = [
        matches!(copy.effect, Effect::Reduced(_)),
        matches!(copy.effect, Effect::Filled(_)),
        copy.masked,
        copy.filler == Some(0),
        copy.filler.is_some_and(|bits| bits != 0),
        named(&|view| *view == View::Part),
        named(&|view| *view == View::Flat),
        named(&|view| matches!(view, View::Turned(_))),
        named(&|view| *view == View::Cast),
        open(&|source| matches!(source, Source::Open { extents, .. } if extents.iter().any(Option::is_some))),
        open(&|source| matches!(source, Source::Open { strides, .. } if strides.iter().any(Option::is_some))),
        buffers[0].element != buffers[1].element || copy.convert.is_some(),
        copy.issue.is_some(),
        sides.iter().flat_map(|side| &side.begin).any(|begin| !matches!(begin, Expr::Const(_))),
    ];
    KINDS.into_iter().zip(is).filter(|(_, is)| *is).map(|(kind, _)| kind).collect()
}

/// The names of a program's features.
pub fn of(program: &Program) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let mut add = |what: &str| {
        features.insert(what.to_owned());
    };
    let dimensions = |extents: [i64; 3]| extents.iter().filter(|extent| **extent > 1).count();
    add(&format!("chip {}", program.chip));
    add(&format!("threads in {} dimensions", dimensions(program.block).max(1)));
    add(&format!("blocks in {} dimensions", dimensions(program.grid)));
    if program.threads() % 32 != 0 {
        add("threads that are not whole warps");
    }
    if !program.known_block {
        add("block size not known");
    }
    buffers(program, &mut add);
    for copy in copies(&program.body) {
        kinds(program, copy).into_iter().for_each(|kind| add(&format!("copy: {kind}")));
    }
    let mut barriers = 0;
    walk(&program.body, &mut |stmt| {
        barriers += usize::from(*stmt == Stmt::Barrier);
        statement(program, stmt, &mut add);
    });
    add(&format!("{} barriers", if barriers > 3 { "4 or more".to_owned() } else { barriers.to_string() }));
    features
}

fn buffers(program: &Program, add: &mut impl FnMut(&str)) {
    for argument in &program.arguments {
        if let Argument::Memory(storage) = argument {
            storage.align.iter().for_each(|_| add("argument with its own alignment"));
            storage.strides.iter().for_each(|_| add("argument with strides"));
            if storage.offset > 0 {
                add("argument with an offset");
            }
        }
    }
    for buffer in &program.buffers {
        let (layout, space) = (&buffer.layout, buffer.space.name());
        add(&format!("element of {} bits", buffer.element.bits));
        layout.swizzle.iter().for_each(|_| add(&format!("swizzle in {space} memory")));
        layout.replica.iter().for_each(|_| add("replica"));
        layout.offset.iter().for_each(|_| add(&format!("layout offset, {space}")));
        layout.digits.iter().filter(|digit| digit.stride < 0).for_each(|_| add("negative stride"));
        if buffer.space == Space::Local {
            let axes: Vec<&str> = layout.thread_axes().into_iter().map(|axis| axis.name()).collect();
            add(&format!("registers over {}", if axes.is_empty() { "no axis".to_owned() } else { axes.join(" and ") }));
        }
        match &buffer.source {
            Source::View { window: Some(_), .. } => add("view of a subview"),
            Source::Open { extents, strides, .. } => {
                extents.iter().flatten().for_each(|_| add("run-time extent"));
                strides.iter().flatten().for_each(|_| add("run-time stride"));
            }
            Source::Attribution(_) => add("view of a workgroup attribution"),
            _ => {}
        }
        let prime = |extent: &i64| *extent > 4 && (2..*extent).all(|factor| extent % factor != 0);
        if buffer.shape.iter().any(prime) {
            add("prime extent above 4");
        }
    }
}

fn statement(program: &Program, stmt: &Stmt, add: &mut impl FnMut(&str)) {
    match stmt {
        Stmt::Copy(copy) => {
            [&copy.src, &copy.dst].into_iter().for_each(|side| region(side, add));
            let elements = copy.dst.extent.iter().product::<i64>();
            if elements % copy.scope.threads(program.threads()) != 0 {
                add("count that the threads do not divide");
            }
            let space = |region: &Region| program.buffers[region.buffer].space;
            if space(&copy.src) == space(&copy.dst) && space(&copy.src) != Space::Local {
                add("copy within a memory");
            }
            copy.variant.iter().for_each(|_| add("variant requested by name"));
            let element = |region: &Region| program.buffers[region.buffer].element.name;
            if element(&copy.src) != element(&copy.dst) {
                add(&format!("conversion from {}", element(&copy.src)));
            }
            copy.convert.iter().for_each(|word| add(&format!("conversion: {word}")));
            if copy.read_only {
                add("cache hint");
            }
            if let Some(issue) = &copy.issue {
                add(&format!("asynchronous, {:?}", issue.completion));
                issue.predicate.iter().for_each(|_| add(if issue.fill { "predicate with fill" } else { "predicate" }));
            }
        }
        Stmt::If(cond, ..) => condition(cond, add),
        Stmt::For { range, body, .. } => {
            add(if matches!(range[1], Expr::Const(_)) { "loop of constant length" } else { "loop of run-time length" });
            if body.iter().any(|stmt| matches!(stmt, Stmt::For { .. })) {
                add("loop in a loop");
            }
            if depends(&range[1], &|expr| *expr == Expr::Lane) {
                add("loop with a different trip count in each lane");
            }
        }
        Stmt::Compute { buffer, .. } => add(&format!("computation on {}", program.buffers[*buffer].element.name)),
        Stmt::Wait(left) if *left > 0 => add("wait for all groups but one"),
        _ => {}
    }
}

fn region(region: &Region, add: &mut impl FnMut(&str)) {
    for begin in &region.begin {
        let has = |what: &dyn Fn(&Expr) -> bool| depends(begin, what);
        let kinds: [(&str, bool); 7] = [
            ("argument", has(&|expr| matches!(expr, Expr::Argument(_)))),
            ("block", has(&|expr| matches!(expr, Expr::Block(_) | Expr::LinearBlock))),
            ("thread", has(&|expr| matches!(expr, Expr::Thread(_) | Expr::Linear | Expr::Lane))),
            ("loop variable", has(&|expr| matches!(expr, Expr::Variable(_)))),
            ("loaded value", has(&|expr| matches!(expr, Expr::Load(..)))),
            ("promise", has(&|expr| matches!(expr, Expr::Assume(..)))),
            ("constant", matches!(begin, Expr::Const(value) if *value != 0)),
        ];
        kinds.iter().filter(|(_, is)| *is).for_each(|(kind, _)| add(&format!("begin: {kind}")));
    }
}

fn condition(cond: &Cond, add: &mut impl FnMut(&str)) {
    match cond {
        Cond::And(a, b) => {
            condition(a, add);
            condition(b, add);
        }
        Cond::Is(_, a, b) => {
            let threads = |expr: &Expr| matches!(expr, Expr::Thread(_) | Expr::Linear | Expr::Lane);
            let of_threads = depends(a, &threads) || depends(b, &threads);
            add(if of_threads { "condition on threads" } else { "condition on uniform numbers" });
        }
    }
}

fn depends(expr: &Expr, what: &dyn Fn(&Expr) -> bool) -> bool {
    what(expr)
        || match expr {
            Expr::Add(a, b) => depends(a, what) || depends(b, what),
            Expr::Load(_, a) | Expr::Mul(a, _) | Expr::Div(a, _) | Expr::Rem(a, _) | Expr::Assume(a, _) => {
                depends(a, what)
            }
            _ => false,
        }
}
