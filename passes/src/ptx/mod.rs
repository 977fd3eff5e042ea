//! From a `gpu.module` in the LLVM dialect to PTX text and its kernels' arguments; `--tile-embed-ptx`, which embeds kernels as
//! PTX in the module that launches them.

mod back_end;
mod inlined;
pub(crate) mod kernels;
mod long_sums;
mod ordered_loads;
mod ptxas_report;
mod shared_memory;
mod spills;
mod unsigned;

use std::mem::ManuallyDrop;

use inkwell::OptimizationLevel;
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::Ir;
use tile_ops::gpu;

use inlined::Inlined;

use crate::error::Error;
use crate::read::target::{self, Named};
use crate::{shim, unlowered, walk};

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// The PTX of a `gpu.module` in the LLVM dialect, which states what each kernel needs of its launch.
pub(crate) fn text(kernels: OperationRef<'_, '_>, named: &Named, line_info: bool) -> Result<String, Error> {
    let module = Translated::of(kernels)?;
    let (target, level, target_name) = (named.target, level(named), named.target.name());
    let text = back_end::run(move || module.print(&target, level)).map_err(|reason| Error::BackEnd { reason })??;
    if !spills::check(kernels, &text, &target_name) {
        return Err(Error::refused());
    }
    Ok(text + &kernels::launch_comments(kernels, line_info))
}

/// Replaces each `gpu.module` below the root by a `gpu.binary`; `false`, after an error, where one has no PTX.
pub fn embed(ir: &mut Ir<'_>) -> bool {
    walk::named(ir.root(), gpu::GPUModuleOp::NAME).into_iter().fold(true, |all, kernels| match printed(kernels) {
        Ok(text) => {
            shim::insert_binary(kernels, &text);
            ir.rewriter().erase(kernels);
            all
        }
        Err(diagnostic) => {
            if let Some(diagnostic) = diagnostic {
                diagnostic.emit(kernels);
            }
            false
        }
    })
}

/// The PTX of a `gpu.module`, which names its target afterwards; no diagnostic where one has been emitted.
fn printed<'c>(kernels: OperationRef<'c, '_>) -> Result<String, Option<Diagnostic<'c>>> {
    if !unlowered::check_llvm(kernels) {
        return Err(None);
    }
    let refused = |error: &dyn std::fmt::Display| Some(Diagnostic::error(error.to_string()));
    let named = match target::named(kernels).map_err(|reason| refused(&reason))? {
        Some(named) => named,
        None => {
            let named = Named::default_chip().map_err(|error| refused(&error))?;
            shim::retarget_module(kernels, &named.target.name(), "");
            named
        }
    };
    text(kernels, &named, false).map_err(|error| match error {
        // It has been reported why.
        Error::Translation { .. } | Error::Refused { .. } => None,
        other => refused(&other),
    })
}

/// A module of LLVM IR in a dedicated context, which it owns.
struct Translated {
    context: *mut inkwell::llvm_sys::LLVMContext,
    module: *mut inkwell::llvm_sys::LLVMModule,
}

// SAFETY: nothing else refers to the context or to what is in it, and one thread at a time may use it.
unsafe impl Send for Translated {}

impl Translated {
    fn of(kernels: OperationRef<'_, '_>) -> Result<Self, Error> {
        let context = LlvmContext::create();
        // SAFETY: both contexts are alive.
        let module = unsafe { mlir_sys::mlirTranslateModuleToLLVMIR(kernels.to_raw(), context.raw().cast()) };
        if module.is_null() {
            return Err(Error::Translation { diagnostics: Vec::new() });
        }
        let context = ManuallyDrop::new(context).raw();
        Ok(Translated { context, module: module.cast() })
    }

    /// Its PTX.
    fn print(self, target: &tile_plan::target::Target, level: OptimizationLevel) -> Result<String, Error> {
        // SAFETY: both are owned here alone, and wrapped once; the context, made first, is freed last.
        let (context, module) = unsafe { (LlvmContext::new(self.context), LlvmModule::new(self.module)) };
        let machine = machine(target, level)?;
        module.set_triple(&TargetTriple::create(TRIPLE));
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        let llvm = |error: inkwell::support::LLVMString| Error::Llvm { reason: error.to_string() };
        let passes = format!("default<O{}>", level as u32);
        let guarded = unsigned::guard(&context, &module);
        ordered_loads::protect(&context, &module);
        module.run_passes(&passes, &machine, PassBuilderOptions::create()).map_err(llvm)?;
        guarded.lift(&module);
        // What the passes inferred is not for the back end, either.
        ordered_loads::protect(&context, &module);
        long_sums::freeze(&context, &module);
        let inlined = Inlined::mark(&module, target.ptx_version());
        let text = machine.write_to_memory_buffer(&module, FileType::Assembly).map_err(llvm)?;
        Ok(inlined.state(String::from_utf8_lossy(text.as_slice()).trim_end_matches('\0').to_owned()))
    }
}

/// The level of LLVM's optimization: the highest, unless the module requests 0 or 1. A `gpu.module` that states none has 2.
fn level(named: &Named) -> OptimizationLevel {
    match named.level {
        0 => OptimizationLevel::None,
        1 => OptimizationLevel::Less,
        _ => OptimizationLevel::Aggressive,
    }
}

/// LLVM's machine of a chip. Addresses of shared memory have 64 bits in its PTX, although 32 would do (`--nvptx-short-ptr`): ptxas
/// narrows them itself. The machine code of 11 kernels of docs/examples has between 3 % fewer integer instructions with 32 bits
/// (`gemm_wgmma`, 218 of 224) and 13 % more (`attention`, 1131 of 1000), where LLVM no longer folds parts of addresses.
fn machine(target: &tile_plan::target::Target, level: OptimizationLevel) -> Result<TargetMachine, Error> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create(TRIPLE);
    let back_end = Target::from_triple(&triple).map_err(|error| Error::Llvm { reason: error.to_string() })?;
    let features = format!("+ptx{}", target.ptx_version());
    back_end
        .create_target_machine(&triple, &target.name(), &features, level, RelocMode::Default, CodeModel::Default)
        .ok_or_else(|| Error::Llvm { reason: format!("makes no code for {target} with {features}") })
}
