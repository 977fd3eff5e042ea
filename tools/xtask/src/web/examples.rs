//! The examples of the page of kernels: the files of some pages of the documentation, with the commands that run them there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::process;
use crate::workspace::{self, Profile};

/// The pages of the documentation with the examples.
const PAGES: [&str; 2] = ["docs/simulator.md", "docs/tutorial.md"];

/// A kernel and the arguments of its run.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    name: String,
    text: String,
    /// What follows the file on the command line of tile-run.
    words: Vec<String>,
}

/// The examples, as JSON that can stand in a page.
pub fn compiled() -> Result<String> {
    let folder = workspace::target().join("web-examples");
    fs::create_dir_all(&folder)?;
    let mut examples = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(workspace::root().join(page)).with_context(|| format!("cannot read {page}"))?;
        for example in in_page(&text) {
            examples.push(example.compiled(&folder)?);
        }
    }
    ensure!(!examples.is_empty(), "{} have no examples", PAGES.join(", "));
    Ok(serde_json::to_string(&examples)?.replace("</", "<\\/"))
}

impl Example {
    /// The example with what the compiler makes of it.
    fn compiled(&self, folder: &Path) -> Result<serde_json::Value> {
        let (stem, extension) = self.name.split_once('.').unwrap_or((&self.name, ""));
        let name = format!("{stem}.ptx");
        let words: Vec<&str> = [name.as_str()].into_iter().chain(self.words.iter().map(String::as_str)).collect();
        if extension == "ptx" {
            return Ok(json!({ "name": name, "source": "", "remarks": "", "ptx": self.text, "words": words }));
        }
        fs::write(folder.join(&self.name), &self.text)?;
        let tool = |tool: &str| {
            let mut command = process::command(workspace::bin(Profile::Release).join(tool));
            command.current_dir(folder).arg(&self.name);
            command
        };
        let ptx = process::stdout(tool("tile-translate").args(["--tile-to-ptx", "--line-info", "--declarations"]))?;
        let mut optimizer = tool("tile-opt");
        optimizer.args(["--tile-build", "-o", "/dev/null", "--remark-format=emitRemark"]);
        let remarks = process::output(optimizer.arg("--remarks-filter-passed=tile-.*"))?.stderr;
        let remarks = String::from_utf8_lossy(&remarks).into_owned();
        Ok(json!({ "name": name, "source": self.text, "remarks": remarks, "ptx": ptx, "words": words }))
    }
}

/// The files of a page that one of its commands runs as they are, by the first such command.
fn in_page(page: &str) -> Vec<Example> {
    let mut files = BTreeMap::new();
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some((_, name)) = line.strip_prefix("```").and_then(|fence| fence.split_once(" file=")) {
            let text =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect::<String>();
            files.insert(name.to_owned(), text);
            continue;
        }
        let Some(command) = line.strip_prefix("$ tile-run ") else { continue };
        let mut command = command.to_owned();
        while let Some(begin) = command.strip_suffix('\\') {
            command = format!("{begin}{}", lines.next().unwrap_or_default().trim_start());
        }
        let mut words = command.split_whitespace().map(str::to_owned);
        let Some((name, text)) = words.next().and_then(|name| files.remove_entry(&name)) else { continue };
        examples.push(Example { name, text, words: words.collect() });
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_with_the_first_command_that_runs_them() {
        let page = "```mlir file=a.mlir\nx\ny\n```\n$ sed s/x/y/ a.mlir > b.mlir\n$ tile-run b.mlir\n$ tile-run a.mlir --grid 2 \\\n    --print 1\n$ tile-run a.mlir\n";
        let words = ["--grid", "2", "--print", "1"].map(str::to_owned).to_vec();
        assert_eq!(in_page(page), [Example { name: "a.mlir".to_owned(), text: "x\ny\n".to_owned(), words }]);
    }
}
