//! Programs that went wrong, in files.

use std::fs;
use std::path::PathBuf;

use tile_oracle::ast::Program;
use tile_oracle::text::Text;

use crate::Args;
use crate::judge::{Outcome, Twin};

/// Where program `number` is kept.
pub fn path(args: &Args, number: u64) -> PathBuf {
    args.save.join(format!("program-{}-{number}.mlir", args.seed))
}

/// Keeps a program that went wrong, with what it is and how it is seen again.
pub fn finding(args: &Args, number: u64, program: &Program, outcome: &Outcome) {
    let what = match outcome {
        Outcome::Finding(kind, what) => format!("{kind}: {what}"),
        other => format!("{other:?} in the end"),
    };
    keep(args, number, program, &what);
}

/// Keeps a program whose twin went unnoticed.
pub fn unnoticed(args: &Args, number: u64, program: &Program, twin: &Twin) {
    keep(args, number, program, &format!("without a {} that it needs, nothing is noticed", twin.missing));
}

fn keep(args: &Args, number: u64, program: &Program, what: &str) {
    let comment = |text: &str| text.lines().map(|line| format!("// {line}\n")).collect::<String>();
    let again = format!("seen again by: tile-programs --seed {} --first {number} --count 1", args.seed);
    let [grid, block] = [program.grid, program.block];
    let launch = format!("{grid:?} blocks of {block:?} threads");
    let text = [comment(what), comment(&again), comment(&launch), Text::of(program).text].concat();
    let path = path(args, number);
    let kept = fs::create_dir_all(&args.save).and_then(|()| fs::write(&path, text));
    if let Err(error) = kept {
        eprintln!("cannot write {}: {error}", path.display());
    }
}
