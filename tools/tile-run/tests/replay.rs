//! Runs tile-replay on recordings, in the simulator.

use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_sim::{Arg, LaunchConfig, Memory, Module, Recording, launch};

/// A separate folder with the recording of a kernel that doubles 40 words and leaves 24 unchanged.
fn recorded(name: &str) -> (PathBuf, PathBuf) {
    let text = ".version 8.6\n.target sm_90a\n.address_size 64\n\
        .visible .entry double(.param .u64 p, .param .u64 q, .param .u32 n) {\n\
        .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p;\n\
        ld.param.b64 %rd1, [p]; ld.param.b64 %rd2, [q]; ld.param.b32 %r1, [n]; mov.u32 %r2, %tid.x;\n\
        setp.ge.u32 %p, %r2, %r1; @%p ret; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n\
        ld.global.b32 %r3, [%rd1]; shl.b32 %r3, %r3, 1; st.global.b32 [%rd2], %r3; ret; }\n";
    let mut memory = Memory::new();
    let words: Vec<u8> = (0..64u32).flat_map(|i| (i * 3).to_le_bytes()).collect();
    let args = [Arg::Ptr(memory.alloc_with(&words).unwrap()), Arg::Ptr(memory.alloc(256).unwrap()), Arg::U32(40)];
    let config = LaunchConfig::new(1, 64);
    let mut recording = Recording::before(text, "double", &config, &args, &memory).unwrap();
    launch(&mut memory, &Module::parse(text).unwrap(), "double", &config, &args).unwrap();
    recording.finish(&args, &memory).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("double.launch");
    std::fs::write(&file, recording.to_string()).unwrap();
    (folder, file)
}

/// Exit status, standard output, standard error.
fn replay(path: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile-replay"));
    let output = command.arg(path).args(["--device", "sim"]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn change(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_is_alike_passes() {
    let (folder, file) = recorded("replay-alike");
    let want = "1 launches repeated in the simulator: 1 alike, 0 not; 0 are for other chips\n";
    for path in [folder, file] {
        assert_eq!(replay(&path), (0, want.into(), String::new()));
    }
}

#[test]
fn a_byte_that_differs_is_named() {
    let (folder, file) = recorded("replay-differs");
    // Element 9 of the result is 54.
    change(&file, "30000000360000003c", "30000000370000003c");
    let (status, out, _) = replay(&folder);
    assert_eq!(status, 1, "{out}");
    assert!(out.starts_with("double: argument 1: 1 of 256 bytes differ, the first at 36: got 0x36, expected 0x37\n"));
    assert!(out.ends_with("0 alike, 1 not; 0 are for other chips\n"), "{out}");
    // The memory that was left is written as a recording, which matches.
    let left = folder.join("left");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile-replay"));
    command.arg(&folder).args(["--device=sim", "--write"]).arg(&left).output().unwrap();
    assert_eq!(replay(&left).0, 0);
}

#[test]
fn a_launch_that_fails_is_a_difference() {
    let (folder, file) = recorded("replay-fails");
    change(&file, "value 28000000", "value ff000000");
    change(&file, "block 64 1 1", "block 96 1 1");
    let (status, out, _) = replay(&folder);
    assert!(status == 1 && out.starts_with("double: ") && out.contains("out of bounds"), "{out}");
}

#[test]
fn what_is_no_recording_is_an_error() {
    let (folder, file) = recorded("replay-wrong");
    change(&file, "grid 1 1 1", "grid 1 1");
    let (status, _, error) = replay(&folder);
    assert_eq!(status, 2);
    assert!(error.ends_with("double.launch: line 3: got `grid 1 1`, expected three numbers\n"), "{error}");
    let (status, _, error) = replay(Path::new("no/such"));
    assert!(status == 2 && error.starts_with("error: cannot read no/such: "), "{error}");
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let (status, _, error) = replay(&empty);
    assert!(status == 2 && error.starts_with("error: there is no .launch file in "), "{error}");
}
