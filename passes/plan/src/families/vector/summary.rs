//! What a copy by vectors says of itself: its accesses, who shares them, and why they are not wider.

use tile_isa::Transfer;
use tile_layout::counted;

use super::plan::VectorCopy;
use crate::families::summary::{AccessCounts, PlanSummary, did, instructions, reduces};
use crate::problem::refusal::Narrowing;
use crate::problem::role::Role;

impl VectorCopy {
    /// What it says of itself; `narrowings` are the widths that it has not taken, the last one next to its own.
    pub fn summary(&self, narrowings: &[Narrowing]) -> PlanSummary {
        let (bits, rounds) = (self.access_bits(Role::Src), self.rounds);
        let sides = [Role::Src, Role::Dst].map(|role| AccessCounts {
            space: self.side(role).space,
            count: rounds * self.accesses_of(role),
            bits: self.access_bits(role),
        });
        let each = || instructions(self.effect, sides);
        let by_instructions = match (self.transfer, self.shuffles()) {
            (Transfer::CpAsync, _) => format!("{rounds} cp.async of {bits} bits"),
            (Transfer::LoadStore, 0) => each(),
            (Transfer::LoadStore, shuffles) => {
                format!("{}, {}", each(), counted(shuffles, "shuffle"))
            }
        };
        let mut args = vec![
            ("Variant", self.variant.to_owned()),
            ("VectorBits", bits.to_string()),
            ("Rounds", rounds.to_string()),
            ("BytesPerThread", self.bytes_per_thread().to_string()),
            ("Instructions", by_instructions.clone()),
        ];
        let mut text = format!("{} by {}: {by_instructions} per thread", did(self.effect), self.variant);
        if self.ranks.is_some() {
            text.push_str(&format!(", {} of the scope share it", counted(self.threads, "thread")));
            args.push(("Sharers", self.threads.to_string()));
        }
        if !self.is_even() {
            let last = format!("{} of {}", self.last(), counted(self.threads, "thread"));
            text.push_str(&format!(", {last} in the last round"));
            args.push(("LastRound", last));
        }
        if let Some(mask) = &self.mask {
            let limits = counted(mask.limits.len(), "limit");
            text.push_str(&format!(", checked against {limits}"));
            args.push(("Masked", limits.to_string()));
        }
        args.extend(reduces(self.effect));
        args.extend(self.conversion.map(|conversion| ("Converts", conversion.to_string())));
        if self.exchange > 1 {
            args.push(("Exchange", self.exchange.to_string()));
        }
        if self.rotation > 1 {
            args.push(("Rotation", self.rotation.to_string()));
        }
        if let Some(narrowing) = narrowings.last() {
            args.push(("Narrowed", narrowing.cause.to_owned()));
            args.push(("NarrowedWhy", narrowing.reason.clone()));
            text.push_str(&format!("; {} bits are too wide", narrowing.bits));
        }
        PlanSummary { text, args }
    }
}
