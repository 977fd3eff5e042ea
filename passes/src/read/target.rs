//! The chip that kernels are compiled for: the one that their `gpu.module` names, and the option `chip` of a pass.

use melior::ir::OperationRef;
use tile_dialect::ir::Ir;
use tile_ops::gpu;
use tile_plan::target::{Target, UnknownChip};

use super::kernel::ancestors;
use super::name;
use crate::options::{DEFAULT_CHIP, LoweringOptions};
use crate::read::error::ReadError;
use crate::{shim, walk};

/// The attribute of a `gpu.module` that names chips.
const TARGETS: &str = "targets";

/// The target that a `gpu.module` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The chip, with the module's features.
    pub target: Target,
    /// Level of optimization: `O` of the target.
    pub level: i32,
}

impl Named {
    /// The target for a module that names none: [`DEFAULT_CHIP`], and LLVM's highest level.
    ///
    /// # Errors
    /// None, while the default is a chip.
    pub fn default_chip() -> Result<Self, UnknownChip> {
        Ok(Named { target: Target::parse(DEFAULT_CHIP)?, level: 3 })
    }
}

/// The target that the `gpu.module` at or around `op` names; `None` where there is no such module, or it names none of NVIDIA's.
///
/// # Errors
/// Several chips, an unknown one, or features that it does not have: got and expected.
pub fn named(op: OperationRef<'_, '_>) -> Result<Option<Named>, ReadError> {
    let Some(module) = module(op) else { return Ok(None) };
    let targets = shim::module_targets(module);
    let Some(first) = targets.first() else { return Ok(None) };
    if targets.iter().any(|target| (&target.chip, &target.features) != (&first.chip, &first.features)) {
        let chips: Vec<&str> = targets.iter().map(|target| target.chip.as_str()).collect();
        return Err(ReadError::Chips(chips.join(" and ")));
    }
    let chip = Target::parse(&first.chip)?;
    let target = chip.with_features(&first.features)?;
    Ok(Some(Named { target, level: first.level }))
}

/// The target to compile for around `op`: the module's, else the option's, else [`DEFAULT_CHIP`].
///
/// # Errors
/// As [`named`], and a module that names another chip than the option.
pub fn resolve(op: OperationRef<'_, '_>, asked: Option<&Target>) -> Result<Target, ReadError> {
    match (named(op)?.map(|named| named.target), asked) {
        (Some(named), Some(asked)) if named.name() != asked.name() => {
            Err(ReadError::OtherChip { asked: asked.to_string(), named: named.name().to_owned() })
        }
        (Some(named), _) => Ok(named),
        (None, Some(asked)) => Ok(*asked),
        (None, None) => Ok(Target::parse(DEFAULT_CHIP)?),
    }
}

/// Makes every `gpu.module` at or below the root name the chip of the option, so that later passes compile for it. For a portable
/// target, which is not one of NVIDIA's, the module names nothing: each pass takes it as its option.
pub fn retarget(ir: &mut Ir<'_>, options: &LoweringOptions) {
    for module in walk::named(ir.root(), gpu::GPUModuleOp::NAME) {
        if options.chip.is_some_and(|chip| chip.api().is_some()) {
            ir.rewriter().remove_own_attribute(module, TARGETS);
        } else if let Some(chip) = options.chip.map(|chip| chip.name()) {
            let targets = shim::module_targets(module);
            if targets.is_empty() || targets.iter().any(|target| target.chip != chip) {
                shim::retarget_module(module, &chip, "");
            }
        }
        if named(module).ok().flatten().is_some_and(|named| !is_known_upstream(&named.target)) {
            shim::skip_target_check(module);
        }
    }
}

/// Whether upstream's verifier of NVVM ops knows all that the chip has. That of MLIR 22 allows tcgen05 on sm_100 only.
fn is_known_upstream(target: &Target) -> bool {
    !target.has_tcgen05() || target.number() == 100
}

fn module<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    std::iter::once(op).chain(ancestors(op)).find(|&op| name(op) == gpu::GPUModuleOp::NAME)
}
