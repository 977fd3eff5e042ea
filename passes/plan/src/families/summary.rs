//! What a plan says of itself in remarks: a sentence, and the numbers in it as arguments.

use tile_isa::Space;
use tile_layout::counted;

use crate::problem::effect::Effect;

/// What a plan says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSummary {
    /// The sentence: `copied by gmem_smem: 2 loads and 2 stores of 128 bits per thread`.
    pub text: String,
    /// The arguments of the remark, by name.
    pub args: Vec<(&'static str, String)>,
}

/// The accesses of a thread to one side of a copy.
pub(crate) struct AccessCounts {
    /// Where the side is.
    pub space: Space,
    /// How many there are.
    pub count: i64,
    /// The width of each.
    pub bits: i64,
}

/// The instructions of a thread by the effect on the destination: `2 loads and 2 stores of 32 bits`, `1 load of 128 bits and 4
/// reductions of 32 bits`, `3 stores of 128 bits`. A side in registers takes none: `8 loads of 128 bits`; if both are there, values
/// move between registers.
pub(crate) fn instructions(effect: Effect, [from, to]: [AccessCounts; 2]) -> String {
    let text = |side: &AccessCounts, what: &'static str| format!("{} of {} bits", counted(side.count, what), side.bits);
    let stores = if matches!(effect, Effect::Reduced(_)) { "reduction" } else { "store" };
    let is_register = |side: &AccessCounts| side.space == Space::Local;
    match (effect, is_register(&from), is_register(&to)) {
        (Effect::Filled, _, false) => text(&to, stores),
        (Effect::Filled, _, true) | (_, true, true) => text(&to, "move"),
        (_, true, false) => text(&to, stores),
        (_, false, true) => text(&from, "load"),
        (Effect::Stored, ..) if (from.count, from.bits) == (to.count, to.bits) => {
            format!("{} and {}", counted(from.count, "load"), text(&to, stores))
        }
        _ => format!("{} and {}", text(&from, "load"), text(&to, stores)),
    }
}

/// The verb for an effect: `copied`.
pub(crate) fn did(effect: Effect) -> &'static str {
    match effect {
        Effect::Stored => "copied",
        Effect::Filled => "filled",
        Effect::Reduced(_) => "reduced",
    }
}

/// The remark argument of a copy that reduces.
pub(crate) fn reduces(effect: Effect) -> Option<(&'static str, String)> {
    match effect {
        Effect::Reduced(red) => Some(("Reduces", red.word().to_owned())),
        Effect::Stored | Effect::Filled => None,
    }
}
