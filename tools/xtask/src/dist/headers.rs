//! The headers of the C functions, with those of MLIR's that they include.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::setup::Toolchain;
use crate::workspace;

/// Copies the headers into a folder.
pub fn copy(toolchain: &Toolchain, folder: &Path) -> Result<()> {
    let ours = workspace::root().join("bindings/c/include");
    let roots = [ours.clone(), toolchain.prefix.join("include")];
    let mut todo: Vec<String> = Vec::new();
    for entry in fs::read_dir(ours.join("tile-c"))? {
        todo.push(format!("tile-c/{}", entry?.file_name().to_string_lossy()));
    }
    let mut done = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !done.insert(name.clone()) {
            continue;
        }
        let from = roots.iter().map(|root| root.join(&name)).find(|path| path.exists());
        let from =
            from.with_context(|| format!("no header {name} in {} or {}", roots[0].display(), roots[1].display()))?;
        let text = fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?;
        let to = folder.join(&name);
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        fs::write(&to, &text)?;
        todo.extend(included(&text));
    }
    Ok(())
}

/// The headers between quotes that a header includes.
fn included(text: &str) -> impl Iterator<Item = String> {
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("#include \"")?.split('"').next());
    names.map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_headers_are_those_between_quotes() {
        let text =
            "#include <stdint.h>\n#include \"mlir-c/IR.h\"\n  #include \"tile-c/Support.h\"\n// #include \"no.h\"\n";
        assert_eq!(included(text).collect::<Vec<_>>(), ["mlir-c/IR.h", "tile-c/Support.h"]);
    }
}
