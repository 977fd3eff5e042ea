//! Runs the program on small kernels, in the simulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn ptx(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx").join(name)
}

/// Exit status, standard output, standard error.
fn run(file: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_tile-run")).arg(file).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn good(arguments: &[&str]) -> (i32, String, String) {
    run(&ptx("good.ptx"), arguments)
}

const COPY: [&str; 8] = [
    "--entry=copy",
    "--grid=4",
    "--block=32",
    "--arg=f32[10x10]=random",
    "--arg=f32[10x10]=poison",
    "--arg",
    "u32=100",
    "--expect-equal=0,1",
];

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_copy_is_checked_under_every_schedule() {
    let (status, out, error) = good(&[&COPY[..], &["--schedule=all", "--expect-unchanged=0"]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    let schedules = out.lines().filter(|l| l.starts_with("schedule ")).collect::<Vec<_>>();
    assert_eq!(schedules.len(), 5, "{out}");
    for line in schedules {
        assert!(
            line.ends_with(": argument 1 holds what argument 0 holds, argument 0 holds what it held before the run")
        );
    }
    let row = out.lines().find(|l| l.starts_with("ld.global.b32")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["ld.global.b32", "4", "400", "13"]);
}

#[test]
fn a_difference_is_shown_with_coordinates() {
    let (status, out, error) = good(&[&COPY[..5], &["--arg=u32=98", "--expect-equal=0,1", "--seed=5"]].concat());
    assert_eq!(status, 1, "{out}");
    let first = "error: schedule fair: argument 1 does not hold what argument 0 holds: 2 of 100 elements differ\n";
    assert!(error.starts_with(first), "{error}");
    assert!(error.contains("  (9, 8): got no value, expected ") && error.contains("  (9, 9): got no value, expected "));
    let (status, _, error) = good(&["--entry=store", "--arg=f32[1]=ones", "--arg=f32=2.5", "--expect-unchanged=0"]);
    assert_eq!(status, 1);
    assert!(
        error.ends_with("1 of 1 elements differ\n  (0): got 2.5 (0x40200000), expected 1.0 (0x3f800000)\n"),
        "{error}"
    );
}

#[test]
fn results_are_printed_written_and_read_again() {
    let folder = folder("files");
    let (first, second) = (folder.join("first.npy"), folder.join("second.npy"));
    let reverse = ["--entry=reverse", "--shared=128", "--arg=i32[32]=iota", "--arg=i32[32]=poison"];
    let write = format!("--write=1={}", first.display());
    let (status, out, _) = good(&[&reverse[..], &["--print=1", &write]].concat());
    let expected = (0..32).rev().map(|i: i32| i.to_string()).collect::<Vec<_>>().join(" ");
    assert!(status == 0 && out.contains(&format!("argument 1, i32[32]:\n{expected}\n")), "{out}");
    assert!(out.contains("schedule fair: nothing was compared"));

    // The written file is read back as contents and as an expectation.
    let (from, expect) = (format!("--arg=i32[32]={}", first.display()), format!("--expect=0={}", first.display()));
    let write = format!("--write=1={}", second.display());
    let again = ["--entry=reverse", "--shared=128", &from, "--arg=i32[32]=zeros", &expect, &write];
    assert_eq!(good(&again).0, 0);
    let (status, _, error) = good(&[&again[..4], &[&format!("--expect=1={}", first.display())]].concat());
    assert!(status == 1 && error.contains("(0): got 0, expected 31"), "{error}");
    let iota: Vec<u8> = (0..32).flat_map(i32::to_le_bytes).collect();
    assert!(std::fs::read(&second).unwrap().ends_with(&iota));
}

#[test]
fn what_the_checkers_find_is_printed() {
    let bad = |arguments: &[&str]| run(&ptx("bad.ptx"), arguments);
    let race = ["--entry=race", "--arg=i32[64]=poison"];
    let (status, _, error) = bad(&race);
    assert!(status == 1 && error.contains("race"), "{error}");
    assert_eq!(bad(&[&race[..], &["--no-check=race", "--no-check=uninit"]].concat()).0, 0);
    let (status, _, error) = bad(&["--entry=endless", "--max-steps=1000"]);
    assert!(status == 1 && error.starts_with("error: schedule fair: kernel `endless`"), "{error}");
    let (status, _, error) = bad(&["--entry=located", "--arg=i32[64]=zeros"]);
    assert!(status == 1 && error.contains("(`st.global.b32`), input.mlir:9:5, block"), "{error}");
    let (status, _, error) = good(&[&COPY[..4], &["--arg=f32[10x9]=poison", "--arg=u32=100"]].concat());
    assert!(status == 1 && error.contains("out of bounds"), "{error}");
    let (status, _, error) =
        good(&[&COPY[..3], &["--arg=f32[100]=poison", "--arg=f32[100]=ones", "--arg=u32=1"]].concat());
    assert!(status == 1 && error.contains("uninitialized"), "{error}");
}

#[test]
fn what_cannot_be_run_has_status_2_and_a_reason() {
    let store = ["--entry=store", "--arg=f32[1]=ones", "--arg=f32=1"];
    let cases: &[(&[&str], &str)] = &[
        (&["--entry=none"], "error: got --entry none, expected one of the kernels copy, store, reverse"),
        (&[], "error: there are several kernels, choose one with --entry: copy, store, reverse"),
        (&COPY[..2], "error: got 0 arguments, expected 3: copy(buffer, buffer, u32)"),
        (
            &["--entry=copy", COPY[3], COPY[4], "--arg=u32=1"],
            "error: kernel `copy` cannot be launched: got no size of blocks, which the PTX does not state either: use --block",
        ),
        (&["--entry=store", "--arg=f32[1]=ones", "--arg=i32=1"], "error: argument 1: got a number of type i32"),
        (&[store[0], store[1], store[2], "--block=64"], "error: kernel `store` cannot be launched: "),
        (&[store[0], store[1], store[2], "--expect-equal=0,1"], "error: --expect-equal 1: argument 1 is not a buffer"),
        (&[store[0], store[1], store[2], "--print=7"], "error: --print 7: argument 7 is not a buffer"),
        (&[store[0], "--arg=f32[1]=no/such.npy", store[2]], "error: argument 0: no/such.npy: "),
        (&[store[0], store[1], store[2], "--expect=0=no/such.npy"], "error: no/such.npy: "),
        (
            &["--arg=f32[1]=two"],
            "error: invalid value 'f32[1]=two' for '--arg <TYPE[EXTENTS]=CONTENTS|TYPE=NUMBER|map(…)>': got contents `two`",
        ),
    ];
    for (arguments, expected) in cases {
        let (status, out, error) = good(arguments);
        assert_eq!(status, 2, "{arguments:?}: {out}{error}");
        assert!(error.starts_with(expected), "{arguments:?}: {error}");
    }
    let (status, _, error) = run(Path::new("kernel.cu"), &[]);
    assert!(status == 2 && error.contains("a name that ends in .ptx or .mlir"));
}

#[test]
fn the_step_limit_is_the_number_of_instructions_issued() {
    let (_, out, _) = good(&COPY);
    let issued = |out: &str| out.lines().last().unwrap().split_whitespace().nth(2).unwrap().parse::<u64>().unwrap();
    let steps = issued(&out);
    let (status, out, error) = good(&[&COPY[..], &[&format!("--max-steps={steps}")]].concat());
    assert_eq!((status, issued(&out), error.as_str()), (0, steps, ""));
    for limit in [steps - 1, 3] {
        let (status, _, error) = good(&[&COPY[..], &[&format!("--max-steps={limit}")]].concat());
        let words = format!("step limit reached: {limit} warp instructions were executed");
        assert!(status == 1 && error.contains(&words), "{error}");
    }
}

#[test]
fn numbers_may_be_off_within_a_tolerance() {
    let folder = folder("tolerance");
    let (wide, other) = (folder.join("wide.npy"), folder.join("other.npy"));
    // 1 and 1.25 as f64; the kernel stores f32.
    let header = |shape: &str| {
        let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
    };
    std::fs::write(&wide, [&header("(1,)")[..], &1.0f64.to_le_bytes()].concat()).unwrap();
    std::fs::write(&other, [&header("(1,)")[..], &1.25f64.to_le_bytes()].concat()).unwrap();
    let store = |more: &[&str]| good(&[&["--entry=store", "--arg=f32[1]=zeros", "--arg=f32=1.0001"], more].concat());
    let expect = |file: &Path, more: &str| format!("--expect=0={}{more}", file.display());
    let (status, out, error) = store(&[&expect(&wide, ",rtol=1e-3")]);
    assert_eq!((status, error.as_str()), (0, ""), "{out}");
    assert!(out.contains("wide.npy holds up to 0e0 + 1e-3 * |expected|"), "{out}");
    let (status, _, error) = store(&[&expect(&other, ""), "--rtol=0", "--atol=0.125"]);
    let first = "differ by more than 1.25e-1 + 0e0 * |expected|, at most by 2.49899983";
    assert!(status == 1 && error.contains(&format!("1 of 1 elements {first}")), "{error}");
    assert!(error.contains("(0): got 1.0001 (0x3f800347), expected 1.25 (0x3ff4000000000000), 2.49899983"), "{error}");
    let (status, _, error) = store(&[&expect(&wide, "")]);
    assert!(status == 2 && error.contains("got elements of type `<f8`, expected <f4 for f32"), "{error}");
}

#[test]
fn elements_may_be_apart_and_what_is_between_stays() {
    let apart = ["--entry=copy", "--grid=4", "--block=32", "--arg=f32[100]=uniform(-1,1)"];
    let (status, out, error) = good(&[&apart[..], &["--arg=f32[10x10:10x1]=poison", "--arg=u32=100"]].concat());
    assert_eq!((status, error.as_str()), (0, ""), "{out}");
    let (status, _, error) = good(&[&apart[..], &["--arg=f32[8x10:12x1]=poison", "--arg=u32=94"]].concat());
    let expected = "error: schedule fair: argument 1: 14 elements of memory around f32[8x10] were written, the first \
                    at offset 10 of its memory\n";
    assert_eq!((status, error.as_str()), (1, expected));
}

/// Runs on a GPU if there is one.
#[test]
fn cuda_runs_the_same_or_says_that_there_is_none() {
    let (status, out, error) = good(&[&COPY[..], &["--device=cuda"]].concat());
    match status {
        0 => assert!(out.contains("argument 1 holds what argument 0 holds"), "{out}"),
        _ => {
            let reasons = ["error: there is no CUDA driver on this machine", "error: starting the CUDA driver"];
            assert!(status == 2 && reasons.iter().any(|r| error.starts_with(r)), "{error}");
        }
    }
}
