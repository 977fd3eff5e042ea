//! The record of the ratchet: one line a measure, `name | number | what its last growth pays for`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The most that a measure may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    name: String,
    most: usize,
    paid: String,
}

impl Line {
    pub fn new(name: &str, most: usize, paid: &str) -> Self {
        Line { name: name.to_owned(), most, paid: paid.to_owned() }
    }
}

/// The most that a measure may be, if the record has it.
pub fn most(lines: &[Line], name: &str) -> Option<usize> {
    lines.iter().find(|line| line.name == name).map(|line| line.most)
}

/// The lines of the record.
pub fn read() -> Result<Vec<Line>> {
    let path = path();
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines().map(parse).collect()
}

/// Writes what is counted. Where that is more than the record has, `paid` says what for.
pub fn write(old: &[Line], counts: &[(&'static str, usize)], paid: Option<&str>) -> Result<()> {
    let text: String = lowered(old, counts, paid)?.iter().map(print).collect();
    fs::write(path(), text).with_context(|| format!("cannot write {}", path().display()))
}

fn lowered(old: &[Line], counts: &[(&'static str, usize)], paid: Option<&str>) -> Result<Vec<Line>> {
    counts
        .iter()
        .map(|&(name, now)| match (old.iter().find(|line| line.name == name), paid) {
            (Some(line), _) if now <= line.most => Ok(Line::new(name, now, &line.paid)),
            (_, Some(paid)) => Ok(Line::new(name, now, paid)),
            (line, None) => {
                let most = line.map_or_else(|| "nothing".to_owned(), |line| line.most.to_string());
                bail!("{name}: got {now}, the record has {most}; --paid says what growth pays for")
            }
        })
        .collect()
}

fn parse(line: &str) -> Result<Line> {
    let mut parts = line.splitn(3, '|').map(str::trim);
    let (name, most, paid) = (parts.next(), parts.next(), parts.next());
    let most = most.and_then(|most| most.parse().ok());
    let (Some(name), Some(most), Some(paid)) = (name, most, paid) else {
        bail!("got the line `{line}` in {}, expected `name | number | reason`", workspace::shown(&path()))
    };
    Ok(Line::new(name, most, paid))
}

fn print(line: &Line) -> String {
    format!("{} | {} | {}\n", line.name, line.most, line.paid).replace(" \n", "\n")
}

fn path() -> PathBuf {
    workspace::root().join("tools/xtask/house.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_falls_by_itself_and_rises_for_a_reason() {
        let old = [Line::new("files", 5, "a kernel")];
        assert_eq!(lowered(&old, &[("files", 3)], None).unwrap(), [Line::new("files", 3, "a kernel")]);
        let error = lowered(&old, &[("files", 6)], None).unwrap_err().to_string();
        assert_eq!(error, "files: got 6, the record has 5; --paid says what growth pays for");
        assert_eq!(lowered(&old, &[("files", 6)], Some("another")).unwrap(), [Line::new("files", 6, "another")]);
    }

    #[test]
    fn lines_are_read_as_they_are_printed() {
        for line in [Line::new("lines of Rust", 7, "a kernel | and more"), Line::new("files", 0, "")] {
            assert_eq!(parse(print(&line).trim_end()).unwrap(), line);
        }
        assert!(parse("files").is_err());
    }
}
