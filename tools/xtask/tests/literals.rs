//! What a warp, a warpgroup or a column has 32 or 128 of is a name: no arithmetic with these numbers in the passes.

use std::fs;
use std::path::{Path, PathBuf};

/// The code of a line, without what is a comment or within quotes.
fn code(line: &str) -> String {
    let quoted: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    quoted.split("//").next().unwrap_or_default().to_owned()
}

/// Is a number of warps or lanes computed or compared with, as in `thread % 32`, `32 * warps` or `lane < 32`?
///
/// Shifts, widths in bits, and constants with a name are left alone.
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

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn numbers_of_lanes_have_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout");
    let (mut files, mut complaints) = (Vec::new(), Vec::new());
    for folder in ["passes/src", "passes/plan/src"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "only {} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("a source is text");
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in own.lines().enumerate().filter(|(_, line)| computes(&code(line))) {
            let name = file.strip_prefix(root).unwrap_or(&file).display();
            complaints.push(format!("{name}:{}: {}", number + 1, line.trim()));
        }
    }
    assert!(complaints.is_empty(), "give these numbers their names (tile_isa::WARP …):\n{}", complaints.join("\n"));
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
