//! The page of terms lists the old names that are understood.

const TABLE: &str = include_str!("../include/tile/OldNames.h");
const PAGE: &str = include_str!("../../../docs/terms.md");

/// Old and new names, as a user writes them.
fn understood() -> Vec<(String, String)> {
    let row = |row: &str| {
        let names: Vec<_> = row.split('"').take(3).collect();
        let &[old, ", ", new] = &names[..] else { panic!("a row with two names, not {row}") };
        let written = |name: &str| if name.starts_with("tile.") { name.to_owned() } else { format!("--{name}") };
        (written(old), written(new))
    };
    TABLE.split("ROW(\"").skip(1).map(row).collect()
}

/// Old and new names of the page's table.
fn listed() -> Vec<(String, String)> {
    let (_, section) = PAGE.split_once("## Old names").expect("the page has the section");
    let row = |line: &str| {
        let (old, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
        let (new, _) = rest.split_once("` | ")?;
        Some((old.to_owned(), new.to_owned()))
    };
    section.lines().filter_map(row).collect()
}

#[test]
fn old_names_are_listed() {
    let understood = understood();
    assert!(understood.len() >= 4, "{understood:?}");
    assert_eq!(listed(), understood);
}
