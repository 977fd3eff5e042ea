//! From any stage of a kernel module to PTX text.

use inkwell::OptimizationLevel;
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use melior::ir::{Module, OperationRef};
use thiserror::Error;
use tile_dialect::emit::Diagnostic;

use crate::options::DEFAULT_CHIP;
use crate::read::target::{self, Named};
use crate::{embed, walk};

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// Why there is no PTX.
#[derive(Debug, Error)]
pub enum PtxError {
    /// A chip that is not in the table.
    #[error(transparent)]
    Chip(#[from] tile_plan::UnknownChip),
    /// No kernel module, or more than one and none chosen.
    #[error("{0}")]
    Module(String),
    /// A pass failed; its diagnostics are out.
    #[error("a pass failed")]
    Reported,
    /// A pipeline that does not exist: a mistake in this program.
    #[error(transparent)]
    Pipeline(embed::PipelineError),
    /// The module is in no dialect that LLVM IR can be made from.
    #[error("cannot be translated to LLVM IR")]
    Translation,
    /// LLVM refuses the chip or the code.
    #[error("LLVM: {0}")]
    Llvm(String),
}

/// Runs what is left of the pipeline on `module` and prints the PTX of its `gpu.module`.
///
/// `chip` takes the place of the one that modules name; `gpu_module` chooses one of several.
///
/// # Errors
/// See [`PtxError`].
pub fn print(module: &mut Module<'_>, chip: Option<String>, gpu_module: Option<String>) -> Result<String, PtxError> {
    print_with(module, chip, gpu_module, false)
}

/// The same; with `line_info` the PTX names the lines of the MLIR that it is made of.
///
/// # Errors
/// See [`PtxError`].
pub fn print_with(
    module: &mut Module<'_>,
    chip: Option<String>,
    gpu_module: Option<String>,
    line_info: bool,
) -> Result<String, PtxError> {
    if let Some(chip) = &chip {
        tile_plan::Target::parse(chip)?;
    }
    lower_scans(module, chip.as_deref())?;
    let kernels = choose(module, gpu_module.as_deref())?;
    let name = tile_dialect::ops::string(kernels, "sym_name").unwrap_or_default();
    let option = chip.map(|chip| format!("{{chip={chip}}}")).unwrap_or_default();
    let pipeline = format!("builtin.module(lower-tile-copy{option},tile-to-nvvm{{line-info={line_info}}})");
    run(module, &pipeline)?;
    // The conversions replace ops: the module is looked up again.
    let kernels = choose(module, Some(&name).filter(|name| !name.is_empty()).map(String::as_str))?;
    let named = target::named(kernels).map_err(|reason| {
        Diagnostic::error(reason).emit(kernels);
        PtxError::Reported
    })?;
    let default = Named { target: tile_plan::Target::parse(DEFAULT_CHIP)?, level: 3 };
    compile(kernels, &named.unwrap_or(default))
}

fn run(module: &mut Module<'_>, pipeline: &str) -> Result<(), PtxError> {
    embed::run(module, pipeline).map_err(|error| match error {
        embed::PipelineError::PassFailed => PtxError::Reported,
        malformed => PtxError::Pipeline(malformed),
    })
}

/// Scans become kernels first: they may make the module that is printed.
fn lower_scans(module: &mut Module<'_>, chip: Option<&str>) -> Result<(), PtxError> {
    if walk::named(module.as_operation(), "tile.scan").is_empty() {
        return Ok(());
    }
    let option = chip.map(|chip| format!("{{chip={chip}}}")).unwrap_or_default();
    run(module, &format!("builtin.module(lower-tile-scan{option})"))
}

fn choose<'c, 'a>(module: &'a Module<'c>, wanted: Option<&str>) -> Result<OperationRef<'c, 'a>, PtxError> {
    let all = walk::named(module.as_operation(), "gpu.module");
    let name = |op: &OperationRef<'c, 'a>| tile_dialect::ops::string(*op, "sym_name").unwrap_or_default();
    let names = || all.iter().map(name).collect::<Vec<_>>().join(", ");
    match (wanted, all.as_slice()) {
        (_, []) => Err(PtxError::Module("has no gpu.module, expected one with the kernels".to_owned())),
        (None, [only]) => Ok(*only),
        (None, _) => {
            Err(PtxError::Module(format!("has several gpu.modules ({}); choose one with --gpu-module", names())))
        }
        (Some(wanted), _) => all
            .iter()
            .copied()
            .find(|op| name(op) == wanted)
            .ok_or_else(|| PtxError::Module(format!("has no gpu.module '{wanted}', only {}", names()))),
    }
}

fn compile(kernels: OperationRef<'_, '_>, named: &Named) -> Result<String, PtxError> {
    let context = LlvmContext::create();
    // SAFETY: both contexts are alive; the module, if any, is owned by the LLVM context and wrapped once.
    let module = unsafe {
        let raw = mlir_sys::mlirTranslateModuleToLLVMIR(kernels.to_raw(), context.raw().cast());
        if raw.is_null() {
            return Err(PtxError::Translation);
        }
        LlvmModule::new(raw.cast())
    };
    let machine = machine(&named.target, level(named))?;
    module.set_triple(&TargetTriple::create(TRIPLE));
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let llvm = |error: inkwell::support::LLVMString| PtxError::Llvm(error.to_string());
    let passes = format!("default<O{}>", level(named) as u32);
    module.run_passes(&passes, &machine, PassBuilderOptions::create()).map_err(llvm)?;
    let text = machine.write_to_memory_buffer(&module, FileType::Assembly).map_err(llvm)?;
    Ok(String::from_utf8_lossy(text.as_slice()).trim_end_matches('\0').to_owned())
}

/// The level of LLVM's optimization: the highest, unless the module asks for 0 or 1. A `gpu.module` that says nothing
/// has 2.
fn level(named: &Named) -> OptimizationLevel {
    match named.level {
        0 => OptimizationLevel::None,
        1 => OptimizationLevel::Less,
        _ => OptimizationLevel::Aggressive,
    }
}

fn machine(target: &tile_plan::Target, level: OptimizationLevel) -> Result<TargetMachine, PtxError> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create(TRIPLE);
    let back_end = Target::from_triple(&triple).map_err(|error| PtxError::Llvm(error.to_string()))?;
    let features = format!("+ptx{}", target.ptx_version());
    back_end
        .create_target_machine(&triple, &target.name(), &features, level, RelocMode::Default, CodeModel::Default)
        .ok_or_else(|| PtxError::Llvm(format!("makes no code for {target} with {features}")))
}
