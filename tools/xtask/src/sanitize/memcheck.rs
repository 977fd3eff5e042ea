//! The lit tests' tools under valgrind's memcheck.
//!
//! Memcheck sees every access to the heap, also those of libMLIR and libLLVM, which a sanitizer that the compiler puts into
//! our own code does not. A run of a tool takes some 10 seconds of it, the whole of test/ hours of one core.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::{lit, process, workspace};

/// An error when memcheck has something to say of a tool, or a test fails.
pub fn run(toolchain: &Toolchain, paths: &[PathBuf]) -> Result<()> {
    let Some(valgrind) = process::which("valgrind") else { bail!("valgrind is not on PATH; install the package") };
    let logs = workspace::target().join("valgrind");
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
    let wrapper = logs.join("run.sh");
    fs::write(&wrapper, script(&valgrind, &logs))?;
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))?;
    let passed = lit::run_with(toolchain, paths, &[("wrapper", wrapper)]);
    let mut reports = Vec::new();
    for entry in fs::read_dir(&logs)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "log") {
            reports.push(format!("{}\n{}", path.display(), fs::read_to_string(&path)?));
        }
    }
    if !reports.is_empty() {
        bail!("valgrind reports {} runs:\n{}", reports.len(), reports.join("\n"));
    }
    passed
}

/// A shell script that runs a tool and the tools that it starts, and leaves a log where there is something in it.
fn script(valgrind: &Path, logs: &Path) -> String {
    format!(
        r#"#!/bin/sh
log="{logs}/$$"
"{valgrind}" --quiet --vgdb=no --trace-children=yes --log-file="$log.%p" "$@"
status=$?
for part in "$log".*; do
  if [ -s "$part" ]; then echo "in: $*" >> "$part" && mv "$part" "$part.log"; else rm -f "$part"; fi
done
exit $status
"#,
        logs = logs.display(),
        valgrind = valgrind.display(),
    )
}
