//! The measures, each with how it is counted and what is aimed at.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use super::code::{code, names};

/// A file of Rust, C++ or TableGen.
pub struct Source {
    path: String,
    text: String,
    code: String,
}

impl Source {
    /// A file with its text; `path` is relative to the checkout.
    pub fn new(path: &str, text: String) -> Self {
        Self { path: path.to_owned(), code: code(&text), text }
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is part of the compiler: of the dialects or the passes, outside folders of tests.
    fn is_compiler(&self) -> bool {
        let mut folders = self.path.split('/');
        matches!(folders.next(), Some("dialects" | "passes")) && folders.all(|folder| folder != "tests")
    }

    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    fn lines(&self) -> usize {
        self.text.lines().count()
    }
}

/// Something that is counted in all sources.
pub struct Measure {
    /// What is counted, for the table.
    pub name: &'static str,
    /// The number that is aimed at, or a smaller one.
    pub target: usize,
    /// Counts it; fails if the sources have nothing that it could be counted in.
    pub count: fn(&[Source]) -> Result<usize>,
}

/// All measures, in the order of the table.
pub const MEASURES: [Measure; 11] = [
    Measure { name: "lines of Rust of the compiler, folders of tests aside", target: 58_000, count: compiler_lines },
    Measure { name: "lines of Rust", target: 120_000, count: rust_lines },
    Measure { name: "files of Rust with more than 400 lines", target: 0, count: long_files },
    Measure { name: "places that know a field of a vector plan", target: 2, count: plan_places },
    Measure { name: "files of the compiler outside bulk copies that name these", target: 10, count: bulk_files },
    Measure { name: "names that the planner exports at its root", target: 0, count: root_exports },
    Measure { name: "results of the planner and the ISA whose error is a string", target: 0, count: string_errors },
    Measure {
        name: "results of the passes and the dialect whose error is a string",
        target: 100,
        count: string_errors_of_passes,
    },
    Measure { name: "names of types that the compiler defines more than once", target: 60, count: repeated_types },
    Measure { name: "bindings and fields that do not say what they hold", target: 0, count: weak_names },
    Measure { name: "thread-locals of the compiler", target: 1, count: thread_locals },
];

fn compiler_lines(sources: &[Source]) -> Result<usize> {
    some(sources.iter().filter(|source| source.is_rust() && source.is_compiler()).map(Source::lines).sum())
}

fn rust_lines(sources: &[Source]) -> Result<usize> {
    some(sources.iter().filter(|source| source.is_rust()).map(Source::lines).sum())
}

/// A count that is not zero unless the sources are not those of this project.
fn some(count: usize) -> Result<usize> {
    if count == 0 { bail!("there are no sources of Rust to count in") } else { Ok(count) }
}

fn long_files(sources: &[Source]) -> Result<usize> {
    Ok(sources.iter().filter(|source| source.is_rust() && source.lines() > 400).count())
}

/// The plan that is looked at, and how many of its fields a file names if it lists them, instead of using one or the
/// other: at least half.
const PLAN: &str = "VectorCopy";

/// The file of the plan, and the files of the compiler outside its folder that list its fields.
///
/// Inside the folder are the planners, which use the fields: they make the plan.
fn plan_places(sources: &[Source]) -> Result<usize> {
    let begin = format!("pub struct {PLAN} {{\n");
    let compiler = || sources.iter().filter(|source| source.is_compiler());
    let plan = compiler()
        .find(|source| source.code.contains(&begin))
        .with_context(|| format!("no source defines `struct {PLAN}`"))?;
    let fields = fields(&plan.code);
    let lists = |source: &&Source| {
        let named = fields.iter().filter(|field| names(&source.code, field)).count();
        source.folder() != plan.folder() && 2 * named >= fields.len()
    };
    Ok(1 + compiler().filter(lists).count())
}

/// The names of the public fields that a file declares: those of a plan may be shared with another stage's.
fn fields(code: &str) -> Vec<&str> {
    let lines = code.lines().map(str::trim).filter(|line| line.ends_with(',') && !line.contains('('));
    lines.filter_map(|line| Some(line.strip_prefix("pub ")?.split_once(':')?.0)).collect()
}

/// Words with `bulk` in them that do not name bulk copies: copies and prefetches of other families, bulk groups, which complete
/// those of several, and the declaration of a module.
const OTHER_BULK: [&str; 11] = [
    "bulktensor",
    "bulk_tensor",
    "bulk.tensor",
    "bulkprefetch",
    "bulk_prefetch",
    "bulk.prefetch",
    "bulkgroup",
    "bulk_group",
    "bulk group",
    "bulk.commit_group",
    "mod bulk;",
];

/// Files of Rust whose code names bulk copies though their path does not.
fn bulk_files(sources: &[Source]) -> Result<usize> {
    let names_bulk = |text: &str| {
        let others = |text: String, other: &&str| text.replace(other, "");
        OTHER_BULK.iter().fold(text.to_lowercase(), others).contains("bulk")
    };
    let rust = || sources.iter().filter(|source| source.is_rust() && source.is_compiler());
    if !rust().any(|source| names_bulk(&source.path)) {
        bail!("no file of the compiler is named after bulk copies");
    }
    Ok(rust().filter(|source| !names_bulk(&source.path) && names_bulk(&source.code)).count())
}

/// Names in the `pub use` items of the planner's root, outside its modules.
fn root_exports(sources: &[Source]) -> Result<usize> {
    let path = "passes/plan/src/lib.rs";
    let root = sources.iter().find(|source| source.path == path).with_context(|| format!("{path} is missing"))?;
    Ok(root.code.split("\npub use ").skip(1).map(exported).sum())
}

/// The number of names that an item exports; `item` begins after `pub use`.
fn exported(item: &str) -> usize {
    let item = item.split(';').next().unwrap_or_default();
    match item.split_once('{') {
        Some((_, list)) => list.trim_end_matches('}').split(',').filter(|name| !name.trim().is_empty()).count(),
        None => 1,
    }
}

fn string_errors(sources: &[Source]) -> Result<usize> {
    string_errors_below(sources, &["passes/plan/src/", "dialects/isa/src/"])
}

fn string_errors_of_passes(sources: &[Source]) -> Result<usize> {
    string_errors_below(sources, &["passes/src/", "dialects/tile/src/"])
}

fn string_errors_below(sources: &[Source], folders: &[&str]) -> Result<usize> {
    let is_below = |source: &&Source| source.is_rust() && folders.iter().any(|folder| source.path.starts_with(folder));
    let is_untyped = |line: &&str| line.contains("Result<") && line.contains(", String>");
    Ok(sources.iter().filter(is_below).map(|source| source.code.lines().filter(is_untyped).count()).sum())
}

/// Names that several structs, enums or traits of the compiler have.
fn repeated_types(sources: &[Source]) -> Result<usize> {
    let mut definitions: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_rust() && source.is_compiler()) {
        for name in source.code.lines().filter_map(defined_type) {
            *definitions.entry(name).or_default() += 1;
        }
    }
    some(definitions.len())?;
    Ok(definitions.values().filter(|count| **count > 1).count())
}

/// The type whose definition begins on a line.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let public =
        line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(")?.split_once(") ").map(|(_, rest)| rest));
    let item = public.unwrap_or(line);
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|keyword| item.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

/// Names of bindings that any value could have.
const WEAK_NAMES: [&str; 5] = ["found", "it", "of", "own", "said"];

/// Where such a name is bound: by `let`, by a pattern, as a parameter or as a field.
fn weak_names(sources: &[Source]) -> Result<usize> {
    let rust = || sources.iter().filter(|source| source.is_rust());
    some(rust().count())?;
    let bound = |code: &str| {
        let uses =
            WEAK_NAMES.iter().flat_map(|name| code.match_indices(name).map(|(start, _)| (start, start + name.len())));
        uses.filter(|&(start, end)| is_bound(&code[..start], &code[end..])).count()
    };
    Ok(rust().map(|source| bound(&without_strings(&source.code))).sum())
}

/// Code without what its strings hold.
fn without_strings(code: &str) -> String {
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_code = |&letter: &char| {
        let was_inside = is_inside;
        is_inside ^= letter == '"' && !is_escaped;
        is_escaped = is_inside && letter == '\\' && !is_escaped;
        !was_inside
    };
    code.chars().filter(is_code).collect()
}

/// Whether a name between two texts is a word, and is bound there.
fn is_bound(before: &str, after: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    if before.ends_with(is_part) || after.starts_with(is_part) || before.ends_with(['.', '"']) {
        return false;
    }
    let is_parameter = before.ends_with('|') && after.starts_with(['|', ',']);
    let (before, after) = (before.trim_end(), after.trim_start());
    let keyword = before.rsplit(|letter| !is_part(letter)).next().unwrap_or_default();
    let is_typed = after.starts_with(':') && !after.starts_with("::");
    let is_matched = before.ends_with('(') && [") =", ")) =", ") if"].iter().any(|end| after.starts_with(end));
    ["let", "mut", "ref"].contains(&keyword)
        || keyword == "for" && after.starts_with("in ")
        || is_parameter
        || before.ends_with([',', '&', '(']) && after.starts_with('|')
        || is_typed && (before.ends_with(['(', ',', '{', '|']) || keyword == "pub")
        || is_matched
}

fn thread_locals(sources: &[Source]) -> Result<usize> {
    let compiler = sources.iter().filter(|source| source.is_rust() && source.is_compiler());
    Ok(compiler.map(|source| source.code.matches("thread_local!").count()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &str, files: &[(&str, &str)]) -> Result<usize> {
        let sources: Vec<_> = files.iter().map(|&(path, text)| Source::new(path, text.to_owned())).collect();
        let measure = MEASURES.iter().find(|measure| measure.name.contains(name)).expect("a measure");
        (measure.count)(&sources)
    }

    #[test]
    fn the_compiler_is_dialects_and_passes_without_folders_of_tests() {
        let files = [
            ("dialects/tile/src/lib.rs", "a\nb\n"),
            ("passes/plan/tests/main.rs", "c\n"),
            ("passes/src/lib.rs", "// d\n"),
            ("tools/xtask/src/main.rs", "e\n"),
            ("dialects/tile/td/Tile.td", "f\n"),
        ];
        assert_eq!(count("of the compiler, folders", &files).unwrap(), 3);
        assert_eq!(
            count("lines of Rust", &files[3..]).unwrap_err().to_string(),
            "there are no sources of Rust to count in"
        );
    }

    #[test]
    fn the_file_of_a_plan_and_those_that_list_its_fields_count() {
        let plan = "pub struct VectorCopy {\n    /// Rounds.\n    pub rounds: i64,\n    pub last: i64,\n    pub src: Side,\n}\n";
        let files = [
            ("passes/plan/src/vector/plan.rs", plan),
            ("passes/plan/src/vector/split.rs", "VectorCopy { rounds, last, src }"),
            ("dialects/tile/td/TileVectorOps.td", "$rounds, $last_threads, $src // last"),
            ("passes/src/vector/op.rs", "rounds(plan.rounds) // last, src"),
            ("passes/tests/vector.rs", "rounds last src"),
        ];
        assert_eq!(count("field of a vector plan", &files).unwrap(), 2);
        assert!(count("field of a vector plan", &files[1..]).is_err());
    }

    #[test]
    fn files_that_name_bulk_copies_count_unless_they_are_theirs() {
        let files = [
            ("passes/plan/src/bulk/mod.rs", "BulkCopy"),
            ("passes/src/pipeline/ask.rs", "CopyPlan::Bulk(_) => {}"),
            ("passes/src/pipeline/write.rs", "// bulk copies\nf();"),
            ("passes/src/tensor_maps/write.rs", "nvvm::cp_async_bulk_tensor(); Queue::BulkGroups"),
            ("passes/src/effects/mod.rs", "pub mod bulk;\nbulk::of(op)"),
        ];
        assert_eq!(count("bulk", &files).unwrap(), 2);
        assert!(count("bulk", &files[1..]).is_err());
    }

    #[test]
    fn names_at_the_root_and_untyped_errors_count() {
        let root = "pub mod a {\n    pub use b::C;\n}\npub use d::E;\npub use f::{\n    G,\n    H as I,\n};\nfn j() -> Result<(), String> {}\n";
        assert_eq!(count("at its root", &[("passes/plan/src/lib.rs", root)]).unwrap(), 3);
        assert_eq!(count("error is a string", &[("passes/plan/src/lib.rs", root)]).unwrap(), 1);
    }

    #[test]
    fn names_that_any_value_could_have_count_where_they_are_bound() {
        let text = "fn f(own: u8, (of, n): P) {\n let found = g(own);\n let mut it = 1;\n if let Some(said) = h {}\n x.map(|it| it + 1);\n\
            x.map(|a, own| own);\n Edge::of(own);\n f(\"a\\\" for it in\");\n self.own(it);\n}\nstruct S {\n    pub found: u8,\n}\nfn of() {}\n";
        assert_eq!(count("do not say what", &[("tools/a/src/lib.rs", text)]).unwrap(), 7);
    }

    #[test]
    fn types_that_are_defined_twice_count_once() {
        let files = [
            ("passes/src/a.rs", "pub struct Plan {\n}\nenum Kind {}\nimpl Plan {}\n"),
            ("passes/src/b.rs", "pub(crate) struct Plan;\n    pub trait Kind<T> {}\nstruct Other(u8);\n"),
            ("passes/tests/c.rs", "struct Other;\n"),
        ];
        assert_eq!(count("defines more than once", &files).unwrap(), 2);
    }
}
