//! Checks that the passes do not contain arithmetic with 32 and 128, since the sizes of a warp, warpgroup or column
//! have names; nor names of attributes and ops as text, since `tile-ops` has handles, with which a name that another
//! LLVM changes does not compile.

use std::fs;
use std::path::{Path, PathBuf};

/// The code of a line, without comments and the contents of string literals.
fn code(line: &str) -> String {
    let quoted: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    quoted.split("//").next().unwrap_or_default().to_owned()
}

/// Whether code computes or compares with a number of threads, as in `thread % 32`, `32 * warps` or `lane < 32`.
///
/// Shifts, widths in bits, and named constants are allowed.
fn computes(code: &str) -> bool {
    let spaced = code.replace("<<", "shift").replace(">>", "shift");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let named = words.contains(&"const") || spaced.contains("bits");
    let is_number = |word: &str| ["31", "32", "127", "128"].contains(&word.trim_matches(|c| "();,]".contains(c)));
    let is_operator = |word: &str| ["%", "*", "/", "<", "<=", ">=", "==", "!=", "%="].contains(&word);
    let beside = words.windows(2).any(|pair| {
        (is_operator(pair[0]) && is_number(pair[1]))
            || (["%", "*", "/"].contains(&pair[1]) && is_number(pair[0].trim_start_matches('(')))
    });
    let counted = ["..32", "..128", "; 32]", "; 128]"].iter().any(|text| spaced.contains(text));
    !named && (beside || counted)
}

/// Whether a line reads or sets an attribute by its name as text, or names an op as text.
///
/// Attribute names with a dot are discardable attributes, for which there are named constants.
fn names_ir(line: &str) -> bool {
    const READERS: [&str; 9] = [
        "integer(",
        "integers(",
        "string(",
        "symbol(",
        "attribute(",
        "has_attribute(",
        "set_attribute(",
        "remove_own_attribute(",
        "segment(",
    ];
    const DIALECTS: [&str; 13] = [
        "affine.", "arith.", "builtin.", "cf.", "func.", "gpu.", "llvm.", "math.", "memref.", "nvvm.", "scf.", "tile.",
        "vector.",
    ];
    let line = line.split("//").next().unwrap_or_default();
    let reads = READERS.iter().any(|reader| {
        let words = line
            .match_indices(reader)
            .filter(|&(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        words.map(|(at, _)| &line[at + reader.len()..]).any(|arguments| {
            let list = arguments.split(')').next().unwrap_or_default();
            list.starts_with('"') || list.contains(", \"")
        })
    });
    let texts = line.split('"').skip(1).step_by(2);
    let is_name = |text: &str| {
        DIALECTS.iter().any(|dialect| text.starts_with(dialect))
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c))
    };
    reads || texts.into_iter().any(is_name)
}

/// The lines of a file, without its tests, that break a rule, each with its location.
fn lines(root: &Path, file: &Path, breaks: fn(&str) -> bool) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source is text");
    let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    let broken = shipped.lines().enumerate().filter(|(_, line)| breaks(line));
    broken.map(|(number, line)| format!("{name}:{}: {}", number + 1, line.trim())).collect()
}

/// The sources below folders of the checkout.
fn below(folders: &[&str]) -> (PathBuf, Vec<PathBuf>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout");
    let mut files = Vec::new();
    folders.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 100, "only {} files", files.len());
    (root.to_owned(), files)
}

fn sources(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            sources(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

#[test]
fn numbers_of_lanes_have_names() {
    let (root, files) = below(&["passes/src", "passes/plan/src"]);
    let complaints: Vec<_> = files.iter().flat_map(|file| lines(&root, file, |line| computes(&code(line)))).collect();
    assert!(complaints.is_empty(), "give these numbers their names (tile_isa::WARP …):\n{}", complaints.join("\n"));
}

#[test]
fn ops_and_attributes_have_handles() {
    let (root, files) = below(&["passes/src"]);
    let complaints: Vec<_> = files.iter().flat_map(|file| lines(&root, file, names_ir)).collect();
    assert!(complaints.is_empty(), "read these through the handles of tile-ops:\n{}", complaints.join("\n"));
}

#[test]
fn names_as_text_are_seen() {
    for line in [
        "integer(op, \"threads\")",
        "op.attribute(\"value\").ok()",
        "op.has_attribute(\"filled\")",
        "if name(op) == \"gpu.barrier\" {",
        "rewriter.set_attribute(op, \"linkage\", value)",
    ] {
        assert!(names_ir(line), "{line}");
    }
    for line in [
        "op.attribute(STAGES)",
        "// integer(op, \"threads\")",
        "say(\"nvvm.barrier of all threads\")",
        "format!(\"'tile.copy' of {x}\")",
        "own.threads()",
    ] {
        assert!(!names_ir(line), "{line}");
    }
}

#[test]
fn arithmetic_is_seen() {
    for line in ["let warp = thread / 32;", "x = (32 * warps)", "if last < 32 {", "(0..32)", "[0; 32]", "threads % 128"]
    {
        assert!(computes(&code(line)), "{line}");
    }
    for line in ["const LINE: i64 = 2 * 128;", "kit.int_type(32)", "a << 32", "say(\"lane / 32\")", "x // y / 32"] {
        assert!(!computes(&code(line)), "{line}");
    }
}
