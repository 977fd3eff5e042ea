//! Undefined bits through operations of several lanes: shuffles, votes, reductions.

use super::super::core::{Core, lanes};
use super::super::poison::{Cause, NEVER};
use super::bits::whole;
use crate::code::{Collective, LANES, Pred};

impl Core<'_, '_> {
    /// Marks the undefined results of an operation of the lanes of `group`; `sources` are the source lanes of a `shfl`.
    /// It uses the values from before the operation.
    pub(crate) fn spread_collective(&mut self, what: &Collective, group: u32, sources: Option<&[usize; LANES]>) {
        let strangers = |sources: &[usize; LANES]| lanes(group).any(|lane| group >> sources[lane] & 1 == 0);
        if self.warp.poison.is_none() && !sources.is_some_and(strangers) {
            return;
        }
        let info = &self.env.program.info[self.pc as usize];
        let (here, width) = (self.pc, info.width);
        let cause = match self.cause(group) {
            NEVER => here,
            earlier => earlier,
        };
        let any_of = |core: &Self, src| if core.undefined_lanes(src) & group != 0 { group } else { 0 };
        match what {
            Collective::Shuffle { d, p, a, b, c, .. } => {
                let Some(sources) = sources else { return };
                let (a, place) = (self.undefined_row(*a), self.undefined_lanes(*b) | self.undefined_lanes(*c));
                let bits = |lane: usize| match sources[lane] {
                    _ if place >> lane & 1 == 1 => width,
                    source if group >> source & 1 == 0 => width,
                    source => a[source],
                };
                let poison = self.warp.poison();
                poison.set(*d, group, &std::array::from_fn(bits), cause);
                if let Some(p) = p {
                    poison.set_predicate(*p, group, place, cause);
                }
            }
            Collective::VoteAll { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                let decided = !self.predicate(*a) & group & !unknown != 0;
                self.decide(*d, group, unknown != 0 && !decided, cause);
            }
            Collective::VoteAny { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                let decided = self.predicate(*a) & group & !unknown != 0;
                self.decide(*d, group, unknown != 0 && !decided, cause);
            }
            Collective::VoteUniform { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                self.decide(*d, group, unknown != 0, cause);
            }
            Collective::Ballot { d, a } => {
                let unknown = u64::from(self.undefined_predicate(*a) & group);
                self.warp.poison().set(*d, group, &[unknown; LANES], cause);
            }
            Collective::MatchAny { d, a } | Collective::Reduce { d, a, .. } => {
                let bits = whole(any_of(self, *a)).map(|b| b & width);
                self.warp.poison().set(*d, group, &bits, cause);
            }
            Collective::MatchAll { d, p, a } => {
                let unknown = any_of(self, *a);
                self.warp.poison().set(*d, group, &whole(unknown).map(|b| b & width), cause);
                if let Some(p) = p {
                    self.warp.poison().set_predicate(*p, group, unknown, cause);
                }
            }
            Collective::Elect { d, p } => self.defined(&[*d], &[*p], group),
            Collective::Barrier => {}
        }
    }

    fn decide(&mut self, d: Pred, group: u32, unknown: bool, cause: Cause) {
        self.warp.poison().set_predicate(d, group, if unknown { group } else { 0 }, cause);
    }
}
