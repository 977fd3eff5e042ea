//! `tile-tune emit`: a kernel for each candidate of each product of a file.
//!
//! ```text
//!   product.mlir ── mlir-opt: tile-list-products ──▶ products, candidates, estimates
//!   for each candidate, as a record of one line:
//!   product.mlir ── mlir-opt: the other functions go, tile-schedule-products{record=…}, the script, outlining ──▶ product0.2.mlir
//!                ── tile-translate --tile-to-ptx ──▶ product0.2.ptx, manifest.json
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use ptx_sim::{Interface, interfaces};
use tile_plan::linalg::{ProductCandidate, ProductRecord};
use tile_run::declared::{self, Declared, Memref};
use tile_run::source::{Translation, translate};
use tile_run::{complain, say};

use crate::error::TuneError;
use crate::manifest::{CandidateKernel, Manifest, TunedProduct};
use crate::tools::CompilerTools;

/// The script in the folder, and what is there if nothing else is asked for.
const SCRIPT: &str = "script.mlir";
const DEFAULT_SCRIPT: &str = include_str!("../../../docs/examples/product_schedule.mlir");

/// What is made.
#[derive(Debug, clap::Args)]
pub struct EmitOptions {
    /// The MLIR file. Products in it that state a schedule are left out.
    file: PathBuf,
    /// The chip that kernels are compiled for.
    #[arg(long, default_value = "sm_90a")]
    chip: String,
    /// The most candidates of each product.
    #[arg(long, value_name = "COUNT", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    candidates: u32,
    /// The transform script that makes a launch of a function by its product's schedule [default: docs/examples/product_schedule.mlir].
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    tools: CompilerTools,
}

/// Writes the folder; `false` if a candidate has no kernel.
///
/// # Errors
/// Nothing is written: the file has no product, a tool cannot be started, or no candidate of a product has a kernel.
pub fn all(options: &EmitOptions, folder: &Path) -> Result<bool, TuneError> {
    let listed = products(options.tools.candidates(&options.file, &options.chip, options.candidates)?)?;
    if listed.is_empty() {
        return Err(TuneError::NoProduct(options.file.clone()));
    }
    let write = |path: PathBuf| |error| TuneError::Write { path, error };
    fs::create_dir_all(folder).map_err(write(folder.into()))?;
    let script = match &options.script {
        None => DEFAULT_SCRIPT.to_owned(),
        Some(file) => fs::read_to_string(file).map_err(|error| TuneError::Read { path: file.clone(), error })?,
    };
    fs::write(folder.join(SCRIPT), script).map_err(write(folder.join(SCRIPT)))?;
    let (mut manifest, mut is_whole) = (Manifest { products: Vec::new() }, true);
    for (number, candidates) in listed.iter().enumerate() {
        let (product, error) = product(options, folder, number, candidates)?;
        if let Some(error) = error {
            if product.candidates.is_empty() {
                return Err(error);
            }
            complain!("error: {error}");
            is_whole = false;
        }
        say!("{}: {}, {}: {} kernels", product.place, product.what(), product.chip, product.candidates.len());
        manifest.products.push(product);
    }
    manifest.write(folder)?;
    Ok(is_whole)
}

/// The candidates of each product.
///
/// # Errors
/// Two products of one function: nothing says which of them a kernel is of.
fn products(list: Vec<ProductCandidate>) -> Result<Vec<Vec<ProductCandidate>>, TuneError> {
    let mut products: Vec<Vec<ProductCandidate>> = Vec::new();
    for candidate in list {
        match products.iter_mut().find(|listed| listed[0].function == candidate.function) {
            Some(listed) if listed[0].place == candidate.place => listed.push(candidate),
            Some(listed) => {
                let (function, second) = (candidate.function, candidate.place);
                return Err(TuneError::SeveralProducts { function, first: listed[0].place.clone(), second });
            }
            None => products.push(vec![candidate]),
        }
    }
    Ok(products)
}

/// A product with the kernels of its candidates, and the last error of those that have none; earlier ones are printed.
///
/// # Errors
/// One that all candidates have: the script's, or the tools'.
fn product(
    options: &EmitOptions,
    folder: &Path,
    number: usize,
    candidates: &[ProductCandidate],
) -> Result<(TunedProduct, Option<TuneError>), TuneError> {
    let ProductCandidate { function, place, chip, size, elements, .. } = candidates[0].clone();
    let mut product = TunedProduct { function, place, chip, size, elements, candidates: Vec::new() };
    let mut last = None;
    for (index, candidate) in candidates.iter().enumerate() {
        match kernel(options, folder, &format!("product{number}.{index}"), candidate) {
            Ok(kernel) => product.candidates.push(kernel),
            Err(error) if !error.is_of_one() => return Err(error),
            Err(error) => {
                let before = last.replace(error);
                before.iter().for_each(|error| complain!("error: {error}"));
            }
        }
    }
    Ok((product, last))
}

/// Makes the kernel of a candidate.
fn kernel(
    options: &EmitOptions,
    folder: &Path,
    name: &str,
    candidate: &ProductCandidate,
) -> Result<CandidateKernel, TuneError> {
    let file = options.file.canonicalize().map_err(|error| TuneError::Read { path: options.file.clone(), error })?;
    let ProductCandidate { function, chip, .. } = candidate;
    let [record, program] = ["json", "mlir"].map(|kind| format!("{name}.{kind}"));
    let place = folder.join(&record);
    let line = serde_json::to_string(&as_record(candidate)).unwrap_or_default();
    fs::write(&place, line).map_err(|error| TuneError::Write { path: place.clone(), error })?;
    let pipeline = format!(
        "builtin.module(symbol-privatize{{exclude={function}}},symbol-dce,tile-schedule-products{{chip={chip} record={record}}},\
         transform-preload-library{{transform-library-paths={SCRIPT}}},transform-interpreter,canonicalize,cse,canonicalize,\
         gpu-launch-sink-index-computations,gpu-kernel-outlining,canonicalize)"
    );
    let passed = options.tools.run_passes(&pipeline, &file, folder, &program);
    // It has been read; what is left of it changes nothing.
    let _ = fs::remove_file(&place);
    passed?;
    let program = folder.join(program);
    let text = fs::read_to_string(&program).map_err(|error| TuneError::Read { path: program.clone(), error })?;
    if !text.contains("gpu.module") {
        return Err(kernels(options, name, candidate, 0));
    }
    let ptx = translate(&program, &Translation { chip: Some(chip), ..Translation::default() })?;
    let path = folder.join(format!("{name}.ptx"));
    fs::write(&path, &ptx).map_err(|error| TuneError::Write { path, error })?;
    described(options, folder, name, candidate, [&text, &ptx])
}

/// The error of a script that leaves another number of kernels than one.
fn kernels(options: &EmitOptions, name: &str, candidate: &ProductCandidate, got: usize) -> TuneError {
    let script = options.script.clone().unwrap_or_else(|| SCRIPT.into());
    TuneError::Kernels { candidate: name.to_owned(), script, function: candidate.function.clone(), got }
}

/// The candidate as a record of which the pass takes the schedule.
fn as_record(candidate: &ProductCandidate) -> ProductRecord {
    let ProductCandidate { chip, size, elements, schedule, estimate, .. } = candidate.clone();
    let [gpu, driver, date] = [const { String::new() }; 3];
    ProductRecord { chip, gpu, driver, date, size, elements, schedule, estimate, measured: estimate }
}

/// What the manifest says of a kernel, whose PTX is in the folder.
fn described(
    options: &EmitOptions,
    folder: &Path,
    name: &str,
    candidate: &ProductCandidate,
    [program, ptx]: [&str; 2],
) -> Result<CandidateKernel, TuneError> {
    let text = || name.to_owned();
    let kernels = interfaces(ptx).map_err(|error| TuneError::Ptx { candidate: text(), error })?;
    let [Interface { name: kernel, .. }] = kernels.as_slice() else {
        return Err(self::kernels(options, name, candidate, kernels.len()));
    };
    let no_grid = || TuneError::Grid { candidate: text(), kernel: kernel.clone() };
    let grid = declared::grid(ptx, kernel).ok_or_else(no_grid)?.0;
    let arguments = declared::arguments(ptx, kernel);
    let argument = |(index, declared): (usize, &Declared)| {
        let (place, got) = (declared.place.clone(), declared.text.clone());
        let other = TuneError::Argument { place, argument: index, kernel: kernel.clone(), got };
        declared.memref.as_ref().and_then(buffer).ok_or(other)
    };
    let start = format!("// tensor map of {kernel}, parameter ");
    let maps = ptx.lines().filter_map(|line| line.strip_prefix(&start)?.split_once(": "));
    let (operands, expected) = (operands(program), arguments.len());
    if operands.len() != expected {
        let (function, got) = (candidate.function.clone(), operands.len());
        return Err(TuneError::Operands { candidate: text(), function, got, expected });
    }
    let described = CandidateKernel {
        schedule: candidate.schedule.clone(),
        estimate: candidate.estimate,
        ptx: format!("{name}.ptx"),
        kernel: kernel.clone(),
        grid,
        block: [1; 3],
        shared: 0,
        arguments: arguments.iter().enumerate().map(argument).collect::<Result<_, _>>()?,
        operands,
        // Without the places of its copy and its tile.
        maps: maps.map(|(_, map)| map.split(" // ").next().unwrap_or(map).to_owned()).collect(),
    };
    let launch = described.bound(folder, |_| "poison".to_owned())?.launch;
    Ok(CandidateKernel { block: launch.block.0, shared: launch.dynamic_shared, ..described })
}

/// The numbers of the function's arguments that the launch passes, as MLIR prints them: `args(%arg1 : memref<4xf32>, …)`. Others are left out.
fn operands(program: &str) -> Vec<usize> {
    let launch = program.lines().find_map(|line| line.split_once("gpu.launch_func")?.1.split_once(" args("));
    let named = launch.into_iter().flat_map(|(_, operands)| operands.split('%').skip(1));
    named.filter_map(|operand| operand.strip_prefix("arg")?.split(' ').next()?.parse().ok()).collect()
}

/// A buffer of a memref's type, as `tile-run` writes it; `None` if a number of it is known only at run time.
fn buffer(memref: &Memref) -> Option<String> {
    let text = |numbers: &[Option<usize>]| {
        let numbers: Option<Vec<String>> = numbers.iter().map(|number| Some((*number)?.to_string())).collect();
        numbers.map(|numbers| numbers.join("x"))
    };
    let extents = text(&memref.extents).filter(|extents| !extents.is_empty())?;
    let strides = match &memref.strided {
        None => String::new(),
        Some(strided) => format!(":{}+{}", text(&strided.strides)?, strided.offset?),
    };
    Some(format!("{}[{extents}{strides}]", memref.element))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(function: &str, place: &str) -> ProductCandidate {
        ProductCandidate {
            function: function.to_owned(),
            place: place.to_owned(),
            chip: "sm_90a".to_owned(),
            size: [64; 3],
            elements: ["f16", "f16", "f32"].map(str::to_owned),
            schedule: "#tile.schedule<>".to_owned(),
            estimate: 1.5,
        }
    }

    #[test]
    fn candidates_are_those_of_one_product_in_each_function() {
        let list = ["a", "a", "b"].map(|function| candidate(function, function));
        let lengths: Vec<usize> = products(list.to_vec()).unwrap().iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 1]);
        let error = products(vec![candidate("a", "f.mlir:1:2"), candidate("a", "f.mlir:3:4")]).unwrap_err();
        let text = "f.mlir:3:4: a second product of @a, after that at f.mlir:1:2; expected one in each function";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn operands_are_arguments_of_the_function() {
        let launch = "  gpu.launch_func  @k::@k blocks in (%c128, %c1, %c1) threads in (%arg3, %c1, %c1)  args(";
        let of_launch = |passed: &str| operands(&format!("func.func @f() {{\n{launch}{passed})\n}}"));
        assert_eq!(of_launch("%arg1 : memref<8x8xf16>, %arg0 : memref<8xf16, strided<[1], offset: ?>>"), [1, 0]);
        assert_eq!((of_launch("%arg12 : f32, %c3 : index"), operands("")), (vec![12], vec![]));
    }

    #[test]
    fn buffers_are_written_as_tile_run_reads_them() {
        let of_type = |text: &str| buffer(&Memref::parse(text).unwrap());
        assert_eq!(of_type("memref<4x8xf16>").as_deref(), Some("f16[4x8]"));
        assert_eq!(of_type("memref<4x8xf32, strided<[10, 1], offset: 3>>").as_deref(), Some("f32[4x8:10x1+3]"));
        assert_eq!((of_type("memref<?x8xf16>"), of_type("memref<8xf16, strided<[?]>>")), (None, None));
    }
}
