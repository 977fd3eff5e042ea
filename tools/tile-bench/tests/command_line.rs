//! Runs the program without PTX, without a matching kernel, and usually without a GPU.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit status and standard error of `tile-bench copy`.
fn copy(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile-bench"));
    let output = command.args(["copy", "--ptx"]).arg(folder).args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// A folder of PTX files without kernels.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-kernels");
    std::fs::create_dir_all(&folder).unwrap();
    let programs = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/programs")).unwrap();
    for program in programs.map(|entry| entry.unwrap().path()) {
        let text = ".version 6.0\n.target sm_50\n.address_size 64\n";
        let ptx = folder.join(program.file_name().unwrap()).with_extension("ptx");
        std::fs::write(ptx, text).unwrap();
    }
    folder
}

#[test]
fn missing_ptx_is_named_with_what_makes_it() {
    let (status, error) = copy(Path::new("no/such"), &[]);
    assert_eq!(status, 2);
    assert!(
        error.starts_with("error: cannot read no/such/smem_4k.ptx; `tile-bench emit no/such` writes it"),
        "{error}"
    );
}

#[test]
fn no_kernel_of_a_name_is_an_error() {
    let (status, error) = copy(&folder(), &["--only", "tensor"]);
    assert_eq!((status, error.as_str()), (2, "error: no kernel has `tensor` in its name\n"));
}

/// With a driver, the error is that there is no GPU, or that the kernels are missing.
#[test]
fn no_driver_is_an_error() {
    let (status, error) = copy(&folder(), &[]);
    assert_eq!(status, 2, "{error}");
    let reasons =
        ["there is no CUDA driver on this machine", "starting the CUDA driver", "the PTX has no kernel `smem_4k_f32`"];
    let error = error.strip_prefix("error: ").unwrap();
    assert!(reasons.iter().any(|reason| error.starts_with(reason)), "{error}");
}
