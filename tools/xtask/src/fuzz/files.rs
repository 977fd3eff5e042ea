//! Files of the checkout, and where an attack leaves its own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::workspace;

/// All files below some folders of the checkout, in order.
pub fn files(folders: &[&str]) -> Result<Vec<PathBuf>> {
    let mut left: Vec<PathBuf> = folders.iter().map(|folder| workspace::root().join(folder)).collect();
    let mut out = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { left.push(path) } else { out.push(path) }
        }
    }
    out.sort();
    Ok(out)
}

/// Where findings are written.
pub fn folder() -> PathBuf {
    workspace::target().join("fuzz")
}

/// Makes sure that `folder` is there.
pub fn prepared(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}
