//! The passes have no name of an op, and no text of an attribute or a type: `tile_ops` has these.

use std::fs;
use std::path::{Path, PathBuf};

/// The string literals of a source line, without those of comments.
fn literals(line: &str) -> Vec<String> {
    if line.trim_start().starts_with("//") {
        return Vec::new();
    }
    let (mut strings, mut inside, mut letters) = (Vec::new(), None::<String>, line.chars().peekable());
    while let Some(letter) = letters.next() {
        match (&mut inside, letter) {
            (Some(text), '\\') => text.extend(letters.next()),
            (Some(_), '"') => strings.extend(inside.take()),
            (Some(text), other) => text.push(other),
            // A character, not the start of a string.
            (None, '\'') if letters.peek() == Some(&'"') => {
                letters.next();
            }
            (None, '"') => inside = Some(String::new()),
            (None, '/') if letters.peek() == Some(&'/') => break,
            (None, _) => {}
        }
    }
    strings
}

fn dialects() -> Vec<&'static str> {
    let mut names: Vec<_> = tile_ops::OPS.iter().filter_map(|name| Some(name.split_once('.')?.0)).collect();
    names.dedup();
    names
}

/// `arith.addi`, or a prefix of such names: `arith.`. Sentences have spaces.
fn is_name(text: &str, dialects: &[&str]) -> bool {
    let Some((dialect, op)) = text.split_once('.') else { return false };
    let word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "._".contains(letter);
    dialects.contains(&dialect) && op.chars().all(word)
}

/// `#nvvm<shfl_kind bfly>`, `!llvm.ptr<3>`.
fn is_attribute_or_type(text: &str, dialects: &[&str]) -> bool {
    let Some(rest) = text.strip_prefix(['#', '!']) else { return false };
    dialects.iter().any(|dialect| rest.strip_prefix(dialect).is_some_and(|rest| rest.starts_with(['.', '<'])))
}

fn files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        match path.is_dir() {
            true => files(&path, paths),
            false => paths.push(path),
        }
    }
}

#[test]
fn passes_name_nothing_of_mlir_in_text() {
    let (dialects, mut sources, mut complaints) = (dialects(), Vec::new(), Vec::new());
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    assert!(sources.len() > 50, "the sources are found");
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source is text");
        // Text that a test module parses is a program.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let parses = ["parse_type(", "parse_attribute(", "mlirAttributeParseGet", "mlirTypeParseGet"];
            let parsed = !line.trim_start().starts_with("//") && parses.iter().any(|call| line.contains(call));
            let named = literals(line)
                .into_iter()
                .filter(|text| is_name(text, &dialects) || is_attribute_or_type(text, &dialects));
            let place = format!("{}:{}", path.display(), number + 1);
            complaints.extend(named.map(|text| format!("{place}: \"{text}\"")));
            complaints.extend(parsed.then(|| format!("{place}: parses an attribute or a type")));
        }
    }
    assert!(complaints.is_empty(), "use tile_ops instead of\n{}", complaints.join("\n"));
}

#[test]
fn what_is_looked_for_is_found() {
    let dialects = dialects();
    let is_spelled = |line: &str| {
        literals(line).iter().any(|text| is_name(text, &dialects) || is_attribute_or_type(text, &dialects))
    };
    assert!(is_spelled(r#"builder.value("arith.addi", &[a, b])"#));
    assert!(is_spelled(r##"parse("#nvvm<shfl_kind bfly>")"##));
    assert!(is_spelled(r#"format!("!llvm.ptr<{space}>")"#));
    assert!(is_spelled(r#"name.starts_with("tile.")"#));
    assert!(!is_spelled(r#"Err("uses memory that tile.view defines".to_owned())"#));
    assert!(!is_spelled(r#"// "arith.addi""#));
}
