//! Files of the package. A file that exists with the same bytes is not touched, so that builds that depend on it have
//! nothing to do.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The package's folder.
pub struct Tree {
    prefix: PathBuf,
}

impl Tree {
    pub fn new(prefix: &Path) -> Self {
        Tree { prefix: prefix.to_owned() }
    }

    /// The path of a file.
    pub fn path(&self, to: &str) -> PathBuf {
        self.prefix.join(to)
    }

    /// Writes a file.
    pub fn write(&self, to: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(to);
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        make_parent(&path)?;
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Copies a file with its permissions. The old file is replaced, not overwritten, because it may be a running
    /// program.
    pub fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let path = self.path(to);
        let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        make_parent(&path)?;
        let _ = fs::remove_file(&path);
        fs::copy(from, &path).map(drop).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Copies all files of a folder, but not its subfolders.
    pub fn copy_all(&self, from: &Path, to: &str) -> Result<()> {
        for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                self.copy(&entry.path(), &format!("{to}/{}", entry.file_name().to_string_lossy()))?;
            }
        }
        Ok(())
    }

    /// Makes a symbolic link to a file in the same folder.
    pub fn link(&self, file: &str, name: &str) -> Result<()> {
        let path = self.path(name);
        if fs::read_link(&path).is_ok_and(|there| there == Path::new(file)) {
            return Ok(());
        }
        let _ = fs::remove_file(&path);
        symlink(file, &path).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Creates the folder of a file.
pub fn make_parent(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_as_it_is() {
        let folder = std::env::temp_dir().join(format!("xtask-tree-{}", std::process::id()));
        let tree = Tree::new(&folder);
        tree.write("a/one", b"1").unwrap();
        let when = || fs::metadata(folder.join("a/one")).unwrap().modified().unwrap();
        let first = when();
        tree.write("a/one", b"1").unwrap();
        tree.copy(&folder.join("a/one"), "b/one").unwrap();
        tree.link("one", "b/other").unwrap();
        tree.link("one", "b/other").unwrap();
        assert_eq!((when(), fs::read(folder.join("b/other")).unwrap()), (first, b"1".to_vec()));
        tree.write("a/one", b"2").unwrap();
        tree.copy(&folder.join("a/one"), "b/one").unwrap();
        assert_eq!(fs::read(folder.join("b/other")).unwrap(), b"2");
        fs::remove_dir_all(folder).unwrap();
    }
}
