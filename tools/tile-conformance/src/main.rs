//! Lowers recorded copies and compares the results; see `--help`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use tile_conformance::case::{self, Case, Suite};
use tile_conformance::compare::{Assembler, Verdict, judge};
use tile_conformance::kernel::kernel;
use tile_conformance::lower::{Compiler, Lowering};
use tile_conformance::{execute, mutant, random, record, report, session};
use tile_plan::target::Target;

/// Lowers recorded copies and compares the variant, the widths, the rounds, the addresses, the instructions and every
/// element with what was recorded.
///
/// Exit status: 0 when all cases pass, 1 when one fails, 2 when the files or the arguments are invalid.
#[derive(Parser)]
#[command(name = "tile-conformance", version, group(clap::ArgGroup::new("drawn").multiple(true)))]
struct Args {
    /// Files of cases, in the format that test/Conformance/README.md describes.
    #[arg(required_unless_present_any = ["drawn", "serve_mutants", "mutant"], value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// Check this many random cases, too.
    #[arg(long, value_name = "COUNT", group = "drawn")]
    random: Option<u64>,
    /// Check this many random asynchronous copies, too.
    #[arg(long, value_name = "COUNT", group = "drawn")]
    random_async: Option<u64>,
    /// The seed of the random cases.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The chip of the random cases; cases with memories that it lacks are not drawn [default: each case has its own].
    #[arg(long, value_name = "CHIP", requires = "drawn")]
    chip: Option<String>,
    /// Check nothing, but record the launches of COUNT random cases in this folder, for tile-replay.
    #[arg(long, value_name = "FOLDER", requires = "drawn", conflicts_with_all = ["files", "filter", "ptxas", "print_ir"])]
    record: Option<PathBuf>,
    /// Instead run the programs of the random cases with each of their synchronizing instructions removed in turn; a
    /// case fails if no checker notices the removal of an instruction that orders something.
    #[arg(long, requires = "drawn", conflicts_with_all = ["files", "filter", "ptxas", "print_ir", "record"])]
    delete_sync: bool,
    /// Check only the cases whose id contains this.
    #[arg(long, value_name = "SUBSTRING")]
    filter: Option<String>,
    /// Print the outcome of every case, and the compiler's diagnostics.
    #[arg(long, short)]
    verbose: bool,
    /// Assemble each program with this ptxas; an error fails the case.
    #[arg(long, value_name = "PROGRAM")]
    ptxas: Option<PathBuf>,
    /// Pass this file (.mlir, .mlirbc, .ptx or .json) through everything that the tools do with such a file, as `cargo
    /// xtask fuzz --mutate` does with damaged ones, and print each step before it runs.
    #[arg(long, value_name = "FILE", exclusive = true)]
    mutant: Option<PathBuf>,
    /// The same with files from standard input; for `cargo xtask fuzz --mutate`.
    #[arg(long, exclusive = true, hide = true)]
    serve_mutants: bool,
    /// Print the kernel of one case before and after each stage, and its PTX; check nothing.
    #[arg(long, value_name = "ID")]
    print_ir: Option<String>,
}

const FAILED: u8 = 1;
const MALFORMED: u8 = 2;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(code) => ExitCode::from(code),
        // The reader has closed the pipe.
        Err(error)
            if error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("tile-conformance: {error}");
            ExitCode::from(MALFORMED)
        }
    }
}

fn run(args: &Args) -> Result<u8, Box<dyn std::error::Error>> {
    if args.serve_mutants {
        mutant::serve()?;
        return Ok(0);
    }
    if let Some(file) = &args.mutant {
        mutant::file(file)?;
        return Ok(0);
    }
    let mut suite = Suite::default();
    for file in &args.files {
        case::read(file, &mut suite)?;
    }
    // For an unknown chip nothing could be drawn, and refusing every copy would be correct.
    args.chip.as_deref().map(Target::parse).transpose()?;
    let kinds = [(args.random, false), (args.random_async, true)];
    for (count, asynchronous) in kinds.into_iter().filter_map(|(count, kind)| Some((count?, kind))) {
        let drawn = (0..).map(|number| {
            let draw = if asynchronous { random::asynchronous::case } else { random::case };
            let case = draw(args.seed, number);
            let chip = args.chip.clone().unwrap_or(case.chip);
            Case { chip, ..case }
        });
        let drawn = drawn.filter(random::fits);
        if let Some(folder) = &args.record {
            let recorded = record::all(drawn, usize::try_from(count)?, folder)?;
            writeln!(io::stdout().lock(), "{recorded}")?;
        } else {
            suite.cases.extend(drawn.take(usize::try_from(count)?));
        }
    }
    if args.record.is_some() {
        return Ok(0);
    }
    if args.delete_sync {
        let deletions = session::delete_sync(&suite.cases);
        let out = &mut io::stdout().lock();
        deletions.missed.iter().try_for_each(|missed| writeln!(out, "NOT NOTICED: {missed}"))?;
        writeln!(out, "{deletions}")?;
        return Ok(if deletions.missed.is_empty() { 0 } else { FAILED });
    }
    if let Some(id) = &args.print_ir {
        return print_ir(&suite, id);
    }
    if let Some(part) = &args.filter {
        suite.cases.retain(|case| case.id.contains(part));
        suite.tensor_maps.retain(|case| case.id.contains(part));
        if suite.cases.is_empty() && suite.tensor_maps.is_empty() {
            return Err(format!("no case has an id that contains '{part}'").into());
        }
    }
    let assembler = args.ptxas.as_deref().map(assembler).transpose()?;
    let verdicts = session::run(&suite.cases, assembler.as_ref());
    let out = &mut io::stdout().lock();
    if args.random.is_some() || args.random_async.is_some() {
        report::histogram(out, &verdicts)?;
        report::drawn(out, &suite.cases, &verdicts)?;
        smaller(out, &suite.cases, &verdicts)?;
    }
    report::print(out, &verdicts, &suite.skipped, args.verbose)?;
    let judged: Vec<_> = suite.tensor_maps.iter().map(tma_model::judge::judge).collect();
    tma_model::report::print(out, &judged, args.verbose)?;
    let failures = report::failures(&verdicts) + tma_model::report::failures(&judged);
    Ok(if failures == 0 { 0 } else { FAILED })
}

/// The number of failing random cases that are shrunk.
const SHRUNK: usize = 3;

/// Shrinks the first random cases that fail, and prints them.
fn smaller(out: &mut impl Write, cases: &[Case], verdicts: &[Verdict]) -> io::Result<()> {
    let failed = cases.iter().zip(verdicts).filter(|(case, v)| !v.mismatches.is_empty() && random::is_drawn(case));
    let compiler = Compiler::new();
    for (case, verdict) in failed.take(SHRUNK) {
        let what = &verdict.mismatches[0].what;
        let small = random::shrink(case, |case| {
            judge(case, &compiler, None).mismatches.first().is_some_and(|mismatch| mismatch.what == *what)
        });
        writeln!(out, "{} fails in the same way as this program:\n{}", case.id, execute::text(&small))?;
        judge(&small, &compiler, None).mismatches.iter().try_for_each(|mismatch| writeln!(out, "  {mismatch}"))?;
    }
    Ok(())
}

fn assembler(path: &Path) -> Result<Assembler, String> {
    Assembler::new(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Prints the stages of one case, each as a separate module.
fn print_ir(suite: &Suite, id: &str) -> Result<u8, Box<dyn std::error::Error>> {
    let case = suite.cases.iter().find(|case| case.id == id).ok_or_else(|| format!("no case has the id '{id}'"))?;
    let kernel = kernel(case);
    let mut text = kernel.text.clone();
    let lowering = Compiler::new().lower(&kernel, |stage, module| {
        text.push_str(&format!("\n// ----- after {stage}\n{}\n", module.trim_end()));
    });
    io::stdout().lock().write_all(text.as_bytes())?;
    let (Lowering::Refused { heard: messages, .. }
    | Lowering::Lost { heard: messages, .. }
    | Lowering::Lowered { heard: messages, .. }) = lowering;
    messages.iter().for_each(|message| eprintln!("{message}"));
    Ok(0)
}
