//! Runs the program where it can do nothing: without a compiler, a manifest or a GPU.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit status, standard output and standard error.
fn tune(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile-tune"));
    let output = command.current_dir(folder).args(arguments).env("PATH", "/none").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tile-tune-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn what_is_missing_is_said() {
    let folder = folder("missing");
    let (status, _, error) = tune(&folder, &["check", "none"]);
    assert_eq!((status, error.starts_with("error: cannot read none/manifest.json: ")), (Some(2), true), "{error}");
    fs::write(folder.join("manifest.json"), r#"{"products": 3}"#).unwrap();
    let (status, _, error) = tune(&folder, &["check", "."]);
    assert_eq!(status, Some(2));
    assert!(error.contains("expected what `tile-tune emit` writes"), "{error}");
    let (status, _, error) = tune(&folder, &["time", "."]);
    assert_eq!(status, Some(2));
    assert!(error.contains("--record <FILE>"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_wrong_record_is_refused_before_anything_runs() {
    let folder = folder("record");
    fs::write(folder.join("manifest.json"), r#"{"products": []}"#).unwrap();
    fs::write(folder.join("record.json"), "fast\n").unwrap();
    let (status, _, error) = tune(&folder, &["time", ".", "--record", "record.json"]);
    assert_eq!((status, error.starts_with("error: record.json:1: ")), (Some(2), true), "{error}");
    fs::remove_file(folder.join("record.json")).unwrap();
    let (status, _, error) = tune(&folder, &["time", ".", "--record", "record.json"]);
    // With a GPU there is nothing to do.
    assert!(status == Some(0) || status == Some(2) && error.contains("CUDA"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}
