//! From any stage of a kernel module to PTX text.

use melior::ir::{Module, OperationRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ops::ARRAY_OPS;
use tile_ops::{gpu, interface};

use super::Ptx;
use super::request::Options;
use crate::embed::run_reporting;
use crate::error::Error;
use crate::options::DEFAULT_CHIP;
use crate::ptx::{self, kernels};
use crate::read::target::{self, Named};
use crate::{shim, unlowered, walk};

/// As [`crate::compile()`], but diagnostics go to the context's own handlers, and are not in the error.
pub(crate) fn compile_reporting(module: &mut Module<'_>, options: &Options) -> Result<Ptx, Error> {
    if let Some(chip) = &options.chip {
        let chip = tile_plan::target::Target::parse(chip)?;
        chip.with_features(options.features.as_deref().unwrap_or_default())?;
    }
    options.of_passes()?;
    lower_scans(module, options)?;
    let kernels = choose(module, options.gpu_module.as_deref())?;
    let declared = kernels::declared(kernels, options.argument_alignment);
    let name = interface::symbol_name(kernels).unwrap_or_default();
    state_target(kernels, options)?;
    run_reporting(module, &pipeline(options))?;
    if options.passes.is_some() && options.line_info {
        run_reporting(module, LINE_INFO)?;
    }
    // The conversions replace ops: the module is looked up again.
    let wanted = Some(name.as_str()).filter(|name| !name.is_empty());
    let kernels = choose(module, wanted)?;
    if options.passes.is_some() && !unlowered::check_llvm(kernels) {
        return Err(Error::refused());
    }
    let entries = kernels::collect(kernels, &declared);
    let named = named(kernels)?.map_or_else(Named::default_chip, Ok)?;
    Ok(Ptx {
        text: ptx::text(kernels, &named, options.line_info)?,
        chip: named.target.name(),
        ptx_version: named.target.ptx_version(),
        kernels: entries,
        diagnostics: Vec::new(),
    })
}

/// What makes PTX name lines, after passes of the caller's.
const LINE_INFO: &str = "builtin.module(tile-line-info)";

/// The passes to run once scans are kernels.
fn pipeline(options: &Options) -> String {
    if let Some(passes) = &options.passes {
        let whole = passes.trim_start().starts_with("builtin.module(");
        return if whole { passes.clone() } else { format!("builtin.module({passes})") };
    }
    let chip = options.chip.as_ref().map(|chip| format!("chip={chip} ")).unwrap_or_default();
    let variants = match options.variants.as_slice() {
        [] => String::new(),
        names => format!(" variants={}", names.join(",")),
    };
    let Options { max_vector_bits, argument_alignment: bytes, noalias, line_info, .. } = options;
    format!(
        "builtin.module(tile-build{{{chip}max-vector-bits={max_vector_bits} argument-alignment={bytes} noalias={noalias} \
         line-info={line_info}{variants}}})"
    )
}

/// Lowers scans and other passes over arrays to kernels first: they may make the module that is printed. Calls are inlined before that, as by `tile-build`.
fn lower_scans(module: &mut Module<'_>, options: &Options) -> Result<(), Error> {
    if walk::matching(module.as_operation(), |name| ARRAY_OPS.contains(&name)).is_empty() {
        return Ok(());
    }
    let chip = options.chip.as_ref().map(|chip| format!("chip={chip} ")).unwrap_or_default();
    let bytes = options.argument_alignment;
    let inline = match &options.passes {
        Some(_) => String::new(),
        None => format!("tile-inline{{argument-alignment={bytes} keep-calls=true}},"),
    };
    run_reporting(module, &format!("builtin.module({inline}lower-tile-scan{{{chip}argument-alignment={bytes}}})"))
}

/// Makes a `gpu.module` name the requested features; and the requested chip, where passes of the caller's run.
fn state_target(kernels: OperationRef<'_, '_>, options: &Options) -> Result<(), Error> {
    let features = match (&options.features, &options.passes, &options.chip) {
        (Some(features), ..) => features.as_str(),
        (None, Some(_), Some(_)) => "",
        (None, ..) => return Ok(()),
    };
    let chip = match &options.chip {
        Some(chip) => tile_plan::target::Target::parse(chip)?,
        None => {
            named(kernels)?.map_or_else(|| tile_plan::target::Target::parse(DEFAULT_CHIP), |named| Ok(named.target))?
        }
    };
    chip.with_features(features)?;
    shim::retarget_module(kernels, &chip.name(), features);
    Ok(())
}

/// The target that a `gpu.module` names; an error at it where that is not a chip.
fn named(kernels: OperationRef<'_, '_>) -> Result<Option<Named>, Error> {
    target::named(kernels).map_err(|reason| {
        Diagnostic::error(reason).emit(kernels);
        Error::refused()
    })
}

fn choose<'c, 'a>(module: &'a Module<'c>, wanted: Option<&str>) -> Result<OperationRef<'c, 'a>, Error> {
    let all = walk::named(module.as_operation(), gpu::GPUModuleOp::NAME);
    let name = |op: &OperationRef<'c, 'a>| interface::symbol_name(*op).unwrap_or_default();
    let names = || all.iter().map(name).collect::<Vec<_>>().join(", ");
    let error = |reason: String| Err(Error::GpuModule { reason });
    match (wanted, all.as_slice()) {
        (_, []) => error("has no gpu.module, expected one with the kernels".to_owned()),
        (None, [only]) => Ok(*only),
        (None, _) => error(format!("has several gpu.modules ({}); choose one with --gpu-module", names())),
        (Some(wanted), _) => match all.iter().find(|op| name(op) == wanted) {
            Some(kernels) => Ok(*kernels),
            None => error(format!("has no gpu.module '{wanted}', only {}", names())),
        },
    }
}
