//! The form of instruction that a copy through a tensor map takes, and what it must not request.

use serde::{Deserialize, Serialize};
use tile_isa::Space;
use tile_isa::async_reduction::Reduction;

use super::map::TensorMap;
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, CtaMask};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::tensor_map::{MapRequest, OutOfBounds};
use crate::target::Target;
use crate::target::engine::Engine;

/// The name of the variant.
pub const TMA: &str = "tma";

/// Rows that one instruction of a gather or scatter names.
pub(super) const GATHERED_ROWS: i64 = 4;

/// The TMA engine with its tensor maps.
pub static TENSOR_MAPS: Engine =
    Engine::since("chip-lacks-tensor-maps", "sm_90 or later, with PTX 8.0 or later", 90, 80);

/// The form of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapForm {
    /// Global to shared memory, completed by an mbarrier.
    Load,
    /// The same, to several CTAs of a cluster, at the same offset in each.
    Multicast,
    /// Shared to global memory, completed by a bulk group.
    Store,
    /// The same, which combines the elements of both sides.
    Reduce(Reduction),
}

impl MapForm {
    /// The role of the tensor in global memory.
    pub fn global(self) -> Role {
        if self.is_store() { Role::Dst } else { Role::Src }
    }

    /// Whether it writes to global memory.
    pub fn is_store(self) -> bool {
        matches!(self, MapForm::Store | MapForm::Reduce(_))
    }

    /// The operator that combines the elements of both sides.
    pub fn reduction(self) -> Option<Reduction> {
        match self {
            MapForm::Reduce(reduction) => Some(reduction),
            MapForm::Load | MapForm::Multicast | MapForm::Store => None,
        }
    }

    /// The instruction for a map, as PTX spells it; `cta_group` is 1 or 2, and `rows` the number of rows that it names by their
    /// numbers, if there are several.
    pub fn instruction(self, map: &TensorMap, cta_group: i64, rows: i64) -> String {
        let (rank, pair) = (map.dims.len(), if cta_group == 2 { ".cta_group::2" } else { "" });
        let [gather, scatter] = match (map.pixels, rows) {
            (1.., _) => ["im2col", "im2col_no_offs"],
            (_, 2..) => ["tile::gather4", "tile::scatter4"],
            _ => ["tile"; 2],
        };
        let load = format!("shared::cluster.global.{gather}.mbarrier::complete_tx::bytes");
        match self {
            MapForm::Load => format!("cp.async.bulk.tensor.{rank}d.{load}{pair}"),
            MapForm::Multicast => format!("cp.async.bulk.tensor.{rank}d.{load}.multicast::cluster{pair}"),
            MapForm::Store => format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.{scatter}.bulk_group"),
            MapForm::Reduce(reduction) => {
                let op = reduction.suffix().split('.').next().unwrap_or_default();
                format!("cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{op}.{scatter}.bulk_group")
            }
        }
    }

    /// The form of a copy, with all that it requests checked against the instructions.
    ///
    /// # Errors
    /// Other memories, chips before sm_90, a request that the form does not have.
    pub(super) fn of(problem: &Problem, request: MapRequest, target: &Target) -> Result<Self, Refusal> {
        let form = of_memories(problem)?;
        TENSOR_MAPS.check(target, "a copy through a tensor map needs")?;
        if let Some(mask) = cta_mask(problem) {
            if form != MapForm::Multicast {
                let reason = "got a cta_mask of what is no load to shared memory";
                return Err(Refusal::new("multicast-needs-load", reason));
            }
            mask.check()?;
        }
        if request.fill != OutOfBounds::Zero && form.is_store() {
            return Err(Refusal::new(
                "fill-needs-load",
                "got a fill of a store, which leaves out what is outside of the tensor",
            ));
        }
        check_group(problem, form, target)?;
        check_completion(problem, form)?;
        Ok(form)
    }
}

/// The CTAs of the cluster that receive a load.
fn cta_mask(problem: &Problem) -> Option<CtaMask> {
    problem.asynchronous.as_ref().and_then(|requested| requested.cta_mask)
}

fn of_memories(problem: &Problem) -> Result<MapForm, Refusal> {
    let space = |role| problem.operands.get(role).map(|operand: &Operand| operand.space);
    match (space(Role::Src), space(Role::Dst)) {
        (Some(Space::Global), Some(Space::Shared)) if cta_mask(problem).is_some() => Ok(MapForm::Multicast),
        (Some(Space::Global), Some(Space::Shared)) => Ok(MapForm::Load),
        (Some(Space::Shared), Some(Space::Global)) => {
            let word = problem.asynchronous.as_ref().and_then(|requested| requested.reduce.as_deref());
            let reduction = word.map(|word| Reduction::of(word, &problem.element.name)).transpose();
            let reduction = reduction.map_err(|reason| Refusal::new("reduction-unsupported", reason))?;
            Ok(reduction.map_or(MapForm::Store, MapForm::Reduce))
        }
        (src, dst) => {
            let name = |space: Option<Space>| space.map_or("none", Space::name);
            let reason = format!(
                "unsupported memory scopes src={} dst={}; allowed: global -> shared, shared -> global",
                name(src),
                name(dst)
            );
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}

/// A pair of CTAs needs tensor memory's chips, and a load.
fn check_group(problem: &Problem, form: MapForm, target: &Target) -> Result<(), Refusal> {
    match problem.asynchronous.as_ref().and_then(|requested| requested.cta_group) {
        None | Some(1) => Ok(()),
        Some(2) if form.is_store() => {
            Err(Refusal::new("cta-group-needs-load", "got cta_group = 2 of what is no load to shared memory"))
        }
        Some(2) if target.has_tcgen05() => Ok(()),
        Some(2) => {
            let reason = format!("cta_group = 2 needs a chip or family of sm_100 to sm_110, as sm_100a; got {target}");
            Err(Refusal::new("chip-lacks-cta-pairs", reason))
        }
        Some(other) => Err(Refusal::new("cta-group-unknown", format!("got cta_group = {other}, expected 1 or 2"))),
    }
}

fn check_completion(problem: &Problem, form: MapForm) -> Result<(), Refusal> {
    let got = problem.asynchronous.as_ref().map_or(Completion::Caller, |requested| requested.completion);
    let (fits, needed) = match form {
        MapForm::Load | MapForm::Multicast => (got == Completion::Barrier, "an mbarrier"),
        MapForm::Store | MapForm::Reduce(_) => {
            (matches!(got, Completion::BulkGroup | Completion::Caller), "a bulk group, or the caller's commit")
        }
    };
    if fits {
        return Ok(());
    }
    Err(Refusal::new("completion-unsupported", format!("got {got}; {needed} completes this copy through a tensor map")))
}
