//! What a copy element by element says of itself: who copies how many elements.

use super::plan::{Owner, ScalarCopy};
use crate::families::summary::{AccessCounts, PlanSummary, did, instructions, reduces};
use crate::problem::role::Role;

impl ScalarCopy {
    /// What it says of itself.
    pub fn summary(&self) -> PlanSummary {
        let elements: i64 = self.extents.iter().product();
        let (rounds, who) = match &self.owner {
            Owner::Distributed(owners) => (
                owners.serial.iter().map(|digit| digit.extent).product(),
                "by the threads that own the elements".to_owned(),
            ),
            Owner::Everyone => (elements, "by each thread".to_owned()),
            Owner::ScopeThread(thread) => (elements, format!("by thread {thread} of the scope")),
            Owner::BlockThreads(threads) => (elements, format!("by threads {threads:?} of the block")),
        };
        let bytes = rounds * i64::from(self.element_bits.div_ceil(8));
        let sides = [Role::Src, Role::Dst].map(|role| AccessCounts {
            space: self.side(role).space,
            count: rounds,
            bits: i64::from(self.bits_of(role)),
        });
        let by_instructions = instructions(self.effect, sides);
        let mut args = vec![
            ("Variant", "fallback".to_owned()),
            ("VectorBits", self.element_bits.to_string()),
            ("Rounds", rounds.to_string()),
            ("BytesPerThread", bytes.to_string()),
            ("Instructions", by_instructions.clone()),
        ];
        args.extend(reduces(self.effect));
        args.extend(self.conversion.map(|conversion| ("Converts", conversion.to_string())));
        let text = format!("{} element by element {who}: {by_instructions}", did(self.effect));
        PlanSummary { text, args }
    }
}
