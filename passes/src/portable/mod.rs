//! Translates a `tile.scan`, a `tile.chained`, or a kernel with tile copies, to the portable targets: SPIR-V, WGSL, MSL,
//! HLSL. A name selects one of a module's, since each becomes a separate program with its own bindings.
//!
//! Reading and planning are shared with PTX; `tile_portable` writes the program.
//!
//! | module | subject |
//! | --- | --- |
//! | [`operator`] | the operator of a scan as steps on scalars |
//! | [`chained`] | a pass over arrays |
//! | [`kernel`] | a kernel with copies |
//! | [`constant`] | the bits of numbers in attributes |
//! | [`language`] | the output languages |

mod chained;
mod constant;
mod kernel;
mod language;
mod operator;

pub use language::ShaderLanguage;

use melior::ir::operation::OperationLike;
use melior::ir::{Module, OperationRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ops::{ChainedOp, ScanOp, kernel_names};
use tile_plan::choose::{Plannable, SelectError};
use tile_plan::problem::refusal::Decline;
use tile_plan::scan::{Plan, select};
use tile_plan::target::Target;
use tile_portable::{Beginning, PortableProgram, Scan};

use crate::diagnostics::collect;
use crate::error::Error;
use crate::options::LoweringOptions;
use crate::report::Subject;
use crate::scan::{read, report};
use crate::walk;

/// Writes a scan, a pass or a kernel of a module for a portable target, by default the usual one of the language. Among
/// several, `wanted` names the one.
///
/// ```
/// use tile_passes::{ShaderLanguage, compile_portable, embed};
///
/// let context = embed::context();
/// let module = embed::parse(&context, r#"
/// func.func @cumsum(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %epoch: i32) {
///   tile.scan @kernels::@cumsum inclusive add %x to %y workspace(%w) epoch(%epoch)
///     : memref<?xf32> to memref<?xf32>, memref<?xi8>
///   return
/// }"#)?;
/// let text = compile_portable(&module, ShaderLanguage::Wgsl, None, None)?;
/// assert!(String::from_utf8_lossy(&text).contains("fn cumsum("));
/// # Ok::<(), tile_passes::Error>(())
/// ```
///
/// # Errors
/// A target that is unknown or of another language; a module without a scan or kernel, or with several of which none is
/// named; or one that the target does not support.
pub fn compile_portable(
    module: &Module<'_>,
    language: ShaderLanguage,
    target: Option<&str>,
    wanted: Option<&str>,
) -> Result<Vec<u8>, Error> {
    // SAFETY: the module is alive.
    let context = unsafe { mlir_sys::mlirOperationGetContext(module.as_operation().to_raw()) };
    let (outcome, diagnostics) = collect(context, || translate(module, target, wanted, language));
    outcome.map_err(|error| error.with(diagnostics))
}

/// As [`compile_portable`], but diagnostics go to the context's own handlers and are not part of the error.
pub(crate) fn translate(
    module: &Module<'_>,
    target: Option<&str>,
    wanted: Option<&str>,
    language: ShaderLanguage,
) -> Result<Vec<u8>, Error> {
    let reason = |reason: String| Error::Options { reason };
    let usual = language.usual_target();
    let target = Target::portable(target.unwrap_or(usual)).map_err(|error| reason(error.to_string()))?;
    if let Some(written) = target.api().map(ShaderLanguage::of).filter(|written| *written != language) {
        let (written, language) = (written.name(), language.name());
        return Err(reason(format!("{target} takes {written}, expected a target that takes {language}, as {usual}")));
    }
    let is_chain = |name: &str| [ScanOp::NAME, ChainedOp::NAME].contains(&name);
    let chains = walk::matching(module.as_operation(), is_chain);
    let name = |op: &OperationRef<'_, '_>| kernel_names(*op).map_or_else(String::new, |(_, name)| name);
    let (names, kernels) = (chains.iter().map(name), kernel::all(module));
    let names: Vec<String> = names.chain(kernels.iter().map(|op| kernel::name(*op))).collect();
    let one = one(&names, wanted).map_err(|reason| Error::GpuModule { reason })?;
    let (op, program) = match chains.get(one) {
        Some(op) if crate::read::name(*op) == ChainedOp::NAME => (*op, chained::program(*op, target)?),
        Some(op) => (*op, program(*op, target)?),
        None => (kernels[one - chains.len()], kernel::program(kernels[one - chains.len()], target)?),
    };
    let text = match language {
        ShaderLanguage::SpirV => program.spirv().map(|words| words.into_iter().flat_map(u32::to_le_bytes).collect()),
        ShaderLanguage::Wgsl => program.wgsl().map(String::into_bytes),
        ShaderLanguage::Msl => program.msl().map(String::into_bytes),
        ShaderLanguage::Hlsl => program.hlsl().map(String::into_bytes),
    };
    text.map_err(|error| refuse(op, error.to_string()))
}

fn program(op: OperationRef<'_, '_>, target: Target) -> Result<PortableProgram, Error> {
    let scan = ScanOp(op);
    let problem = read::problem(scan, &LoweringOptions::default()).map_err(|reason| refuse(op, reason))?;
    let (plan, strategy) = planned(op, &report::SCANS, &problem, select(&problem, &target))?;
    let program = write(scan, &plan, target).map_err(|reason| refuse(op, reason))?;
    report::remark_chosen(op, strategy, &plan);
    Ok(program)
}

fn write(scan: ScanOp<'_, '_>, plan: &Plan, target: Target) -> Result<PortableProgram, String> {
    let (_, name) = scan.kernel().ok_or("names no kernel")?;
    let operator = operator::read(scan)?;
    let exclusive = scan.is_exclusive();
    let beginning = match (scan.init(), exclusive) {
        (Some(_), _) => Beginning::Argument,
        (None, true) => Beginning::Lanes(operator::identity(scan, &operator).ok_or("has no identity")?),
        (None, false) => Beginning::Nothing,
    };
    let scan = Scan { name, plan, operator, exclusive, beginning };
    tile_portable::program(&scan, target).map_err(|error| error.to_string())
}

/// The plan of an op and its strategy, after remarks on those that declined. An op that no strategy takes is an error that names the
/// causes, because the tool that writes shaders prints no remarks.
fn planned<P: Plannable>(
    op: OperationRef<'_, '_>,
    subject: &Subject,
    problem: &P,
    outcome: Result<(P::Plan, &'static str, Vec<Decline>), SelectError>,
) -> Result<(P::Plan, &'static str), Error> {
    let error = match outcome {
        Ok((plan, strategy, declines)) => {
            subject.declined(op, &declines);
            return Ok((plan, strategy));
        }
        Err(error) => error.into_declines(),
    };
    subject.declined(op, &error);
    let who = problem.forced().map_or("any strategy".to_owned(), |name| format!("'{name}'"));
    let noted = error.iter().fold(Diagnostic::error(format!("cannot be done by {who}")), |noted, decline| {
        noted.note(op.location(), format!("{decline} ({})", decline.cause))
    });
    noted.emit(op);
    Err(Error::refused())
}

/// Reports an error at an op.
fn refuse(op: OperationRef<'_, '_>, reason: String) -> Error {
    Diagnostic::error(reason).emit(op);
    Error::refused()
}

/// The index of the scan, pass or kernel named `wanted`, or of the only one.
fn one(names: &[String], wanted: Option<&str>) -> Result<usize, String> {
    let list = || names.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(", ");
    let count = names.len();
    if names.is_empty() {
        return Err("has neither a tile.scan, a tile.chained nor a kernel, expected one".to_owned());
    }
    let of_name = |name: &str| names.iter().enumerate().filter(|(_, it)| *it == name).map(|(at, _)| at).collect();
    let candidates: Vec<usize> = wanted.map_or_else(|| (0..count).collect(), of_name);
    match (candidates.as_slice(), wanted) {
        ([at], _) => Ok(*at),
        (_, None) => {
            Err(format!("has {count} scans and kernels, expected the name of one of them: {} (--kernel)", list()))
        }
        ([], Some(name)) => Err(format!("has neither a scan nor a kernel @{name}, expected one of {}", list())),
        (several, Some(name)) => Err(format!("has {} scans and kernels @{name}, expected one", several.len())),
    }
}
