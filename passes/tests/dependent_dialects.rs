//! A pass declares every dialect whose ops, attributes or types it makes: MLIR loads those before the pass runs, and none while
//! it runs.
//!
//! Each pass runs alone on all the IR of `test/Seeds` and `test/Passes` that it takes, in two ways. In a context that has every
//! dialect, the test finds the dialects of which the pass made ops, or the first attribute or type: the pass must load each of
//! these itself. In a context that loaded only what the text names, without the chip's attribute, and what the pass declares, the
//! pass must do the same as in the other; that is tried where it changes something, or never does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use melior::Context;
use melior::ir::operation::{OperationLike, WalkOrder, WalkResult};
use tile_passes::embed;

/// Passes that only report, or change what is not printed: locations.
const LOOK: [&str; 3] = ["tile-finish-host", "tile-line-info", "tile-list-products"];

/// Passes that copy ops of any dialect that the input has: those are loaded.
const COPY: [&str; 2] = ["tile-inline", "tile-outline-kernels"];

/// The pipeline that makes a pass's input from the text of a file.
fn before(pass: &str) -> &'static str {
    match pass {
        "tile-insert-bounds-traps"
        | "tile-check-bounds"
        | "tile-check-sync"
        | "tile-print-dependences"
        | "tile-choose-layouts"
        | "tile-deny"
        | "tile-report-memory"
        | "tile-insert-sync"
        | "tile-plan-memory"
        | "tile-make-maps"
        | "tile-expand-versions"
        | "tile-pipeline"
        | "convert-copies-to-tile"
        | "convert-linalg-to-tile"
        | "tile-convert-memory"
        | "tile-convert-vectors"
        | "tile-map-foralls"
        | "tile-split-linalg"
        | "tile-convert-linalg-ops"
        | "tile-stage-loops"
        | "tile-list-products"
        | "tile-schedule-products"
        | "tile-convert-buffers"
        | "tile-inline"
        | "tile-align-layouts"
        | "lower-tile-copy"
        | "lower-tile-scan"
        | "tile-finish-launches"
        | "tile-finish-host"
        | "tile-outline-kernels"
        | "tile-lower-memset"
        | "tile-lower-shuffles"
        | "tile-line-info"
        | "tile-finish-kernels" => "",
        "tile-embed-ptx" => "lower-tile-scan,lower-tile-copy,tile-to-nvvm",
        "tile-vectorize-copy" => "tile-align-layouts",
        "tile-expand-copy" => "tile-align-layouts,tile-vectorize-copy",
        "tile-prepare-kernels" => "lower-tile-scan,lower-tile-copy",
        "tile-unroll-registers"
        | "tile-separate-registers"
        | "tile-lower-reductions"
        | "tile-lower-subgroups"
        | "tile-lower-vectors"
        | "tile-lower-atomics"
        | "tile-lower-arithmetic"
        | "tile-lower-math" => "lower-tile-scan,lower-tile-copy,tile-prepare-kernels",
        other => panic!("what is before {other}?"),
    }
}

/// A pass for a chip that the module does not name.
fn for_newest_chip(pass: &str) -> String {
    const FOR_NONE: [&str; 24] = [
        "convert-copies-to-tile",
        "tile-check-bounds",
        "tile-convert-buffers",
        "tile-deny",
        "tile-inline",
        "tile-insert-bounds-traps",
        "tile-map-foralls",
        "tile-prepare-kernels",
        "tile-unroll-registers",
        "tile-lower-memset",
        "tile-lower-reductions",
        "tile-lower-shuffles",
        "tile-lower-subgroups",
        "tile-lower-vectors",
        "tile-lower-atomics",
        "tile-lower-arithmetic",
        "tile-lower-math",
        "tile-finish-launches",
        "tile-finish-host",
        "tile-outline-kernels",
        "tile-embed-ptx",
        "tile-finish-kernels",
        "tile-line-info",
        "tile-separate-registers",
    ];
    if FOR_NONE.contains(&pass) { pass.to_owned() } else { format!("{pass}{{chip=sm_100a}}") }
}

/// A module without the attributes that name chips, since they load a dialect.
fn without_targets(text: &str) -> String {
    let mut parts = text.split(" [#nvvm.target<");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, rest| text + rest.split_once(">]").map_or("", |(_, rest)| rest))
}

/// A pass for a chip on which it changes something, where the default is none.
fn for_its_chip(pass: &str) -> String {
    if pass == "tile-schedule-products" { format!("{pass}{{chip=sm_90a}}") } else { pass.to_owned() }
}

fn on_module(passes: &str) -> String {
    format!("builtin.module({passes})")
}

/// Every pass of `Passes.td`, and of what it includes.
fn passes() -> Vec<String> {
    let text = [
        include_str!("../td/Border.td"),
        include_str!("../td/Linalg.td"),
        include_str!("../td/LoweringSteps.td"),
        include_str!("../td/Passes.td"),
        include_str!("../td/Synchronization.td"),
        include_str!("../td/TensorMaps.td"),
        include_str!("../td/Versions.td"),
    ]
    .concat();
    text.split(": Pass<\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect()
}

/// The bytes of text above which a module is taken only for what no smaller one has: the few large ones take most of the time.
const MAX_MODULE_BYTES: usize = 2500;

/// The ops, attributes and types that a text names, each with its dialect.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words =
        code.flat_map(|code| code.split(|letter: char| !letter.is_ascii_alphanumeric() && !"._".contains(letter)));
    words.filter(|word| word.contains('.') && word.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

/// The modules in the tests of seeds and passes, which name all that these tests name.
fn modules() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test");
    let mut folders: Vec<_> = ["Seeds", "Passes", "Passes/lower-tile-scan"].map(|name| tests.join(name)).into();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("the folder of tests").map(|entry| entry.expect("an entry").path()) {
            if entry.extension().is_some_and(|extension| extension == "mlir") {
                let text = std::fs::read_to_string(entry).expect("a text");
                let parts = text.split("//---").flat_map(|part| part.split("// -----"));
                texts.extend(parts.map(|part| format!("//{part}")));
            }
        }
    }
    texts.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    let mut named = BTreeSet::new();
    texts.retain(|text| {
        let new = names(text).filter(|name| named.insert((*name).to_owned())).count();
        new > 0 || text.len() <= MAX_MODULE_BYTES
    });
    texts
}

/// The results of each pipeline on all modules that it takes, once for all passes whose input that is.
struct Inputs<'c> {
    context: &'c Context,
    modules: Vec<String>,
    made: BTreeMap<&'static str, Vec<Input>>,
}

/// A module that a pass takes.
struct Input {
    text: String,
    census: Census,
    /// The same without the attributes that name chips.
    without_targets: String,
}

impl<'c> Inputs<'c> {
    fn new(context: &'c Context) -> Self {
        Inputs { context, modules: modules(), made: BTreeMap::new() }
    }

    fn of(&mut self, pass: &str) -> &[Input] {
        let input = |text: String| {
            let without_targets = run(self.context, &without_targets(&text), "")?;
            Some(Input { census: Census::of(self.context, &text), text, without_targets })
        };
        let all = || self.modules.iter().filter_map(|text| run(self.context, text, before(pass)));
        self.made.entry(before(pass)).or_insert_with(|| all().filter_map(input).collect())
    }
}

fn quiet(context: Context) -> Context {
    context.attach_diagnostic_handler(|_| true);
    context
}

/// A module's ops by dialect, and the dialects that it names otherwise.
struct Census {
    ops: BTreeMap<String, usize>,
    /// Dialects of attributes and types.
    named: BTreeSet<String>,
}

impl Census {
    fn of(context: &Context, text: &str) -> Census {
        let mut ops = BTreeMap::new();
        let module = embed::parse(context, text).expect("text that was printed");
        module.as_operation().walk(WalkOrder::PreOrder, |op| {
            let name = op.name().as_string_ref().as_str().unwrap_or_default().to_owned();
            *ops.entry(name.split('.').next().unwrap_or_default().to_owned()).or_default() += 1;
            WalkResult::Advance
        });
        let marked = ['#', '!'].into_iter().flat_map(|mark| text.split(mark).skip(1)).filter_map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
            rest[end..].starts_with(['.', '<']).then(|| rest[..end].to_owned())
        });
        Census { ops, named: marked.collect() }
    }

    /// All dialects.
    fn dialects(&self) -> BTreeSet<String> {
        self.ops.keys().chain(&self.named).cloned().collect()
    }

    /// The dialects of which there is more than before.
    fn made_since(self, before: &Census) -> impl Iterator<Item = String> {
        let ops = self.ops.into_iter().filter(|(name, count)| before.ops.get(name) < Some(count)).map(|(name, _)| name);
        ops.chain(self.named.into_iter().filter(|name| !before.named.contains(name)))
    }
}

/// Text, run through a pipeline; `None` where it does not parse or a pass fails.
fn run(context: &Context, text: &str, pipeline: &str) -> Option<String> {
    let mut module = embed::parse(context, text).ok()?;
    embed::run(&mut module, &on_module(pipeline)).ok()?;
    Some(module.as_operation().to_string())
}

/// Whether the context has loaded the dialect.
fn has_loaded(context: &Context, dialect: &str) -> bool {
    let before = context.loaded_dialect_count();
    context.get_or_load_dialect(dialect);
    before == context.loaded_dialect_count()
}

/// A context with what a pass loads before it runs.
fn loaded_for(pass: &str) -> Context {
    let context = quiet(embed::lazy_context());
    run(&context, "module {}", pass).expect("nothing to do");
    context
}

#[test]
fn every_pass_declares_the_dialects_it_makes() {
    let all = quiet(embed::context());
    let mut inputs = Inputs::new(&all);
    for pass in passes() {
        let (mut made, mut changed) = (BTreeSet::new(), 0);
        for Input { text: input, census: before, .. } in inputs.of(&pass) {
            let Some(output) = run(&all, input, &for_its_chip(&pass)) else { continue };
            if *input != output {
                changed += 1;
                let copied = |dialect: &String| COPY.contains(&pass.as_str()) && before.ops.contains_key(dialect);
                made.extend(Census::of(&all, &output).made_since(before).filter(|dialect| !copied(dialect)));
            }
        }
        let context = loaded_for(&pass);
        let missing: Vec<_> = made.iter().filter(|dialect| !has_loaded(&context, dialect)).collect();
        assert!(missing.is_empty(), "{pass} makes {made:?}, of which it does not declare {missing:?}");
        // A pass that only reports changes nothing.
        assert_eq!(changed > 0, !LOOK.contains(&pass.as_str()), "{changed} inputs are changed by {pass}");
    }
}

#[test]
fn every_pass_runs_where_nothing_else_is_loaded() {
    let all = quiet(embed::context());
    let mut inputs = Inputs::new(&all);
    for pass in passes() {
        let mut runs = 0;
        // Where the same dialects are named, the same are loaded.
        let mut contexts: BTreeMap<BTreeSet<String>, Context> = BTreeMap::new();
        for Input { without_targets: input, census, .. } in inputs.of(&pass) {
            let Some(expected) = run(&all, input, &for_newest_chip(&pass)) else { continue };
            runs += 1;
            if expected == *input && !LOOK.contains(&pass.as_str()) {
                continue;
            }
            let alone = contexts.entry(census.dialects()).or_insert_with(|| loaded_for(&pass));
            let mut module = embed::parse(alone, input).expect("text that was printed");
            let loaded = alone.loaded_dialect_count();
            embed::run(&mut module, &on_module(&for_newest_chip(&pass))).expect("the pass ran in the other context");
            assert_eq!(alone.loaded_dialect_count(), loaded, "{pass} loads a dialect while it runs on\n{input}");
            assert_eq!(module.as_operation().to_string(), expected);
        }
        assert!(runs > 10, "{pass} ran {runs} times only");
    }
}
