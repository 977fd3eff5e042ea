//! Operations of the lanes of a warp together, under a member mask (PTX ISA 9.7.9.6, 9.7.13.7 to 9.7.13.11).
//!
//! Members wait for each other at the instruction. Lanes that have no thread, or whose thread has ended, are not waited
//! for; a value that `shfl` takes from a lane that does not take part is undefined.

use super::core::{Core, Flow, lanes};
use super::poison::GARBAGE;
use super::problem::{Exec, Locate, invalid};
use super::warp::WarpState;
use crate::check::Event;
use crate::code::{Collective, LANES, Row, Shuffle, WarpOp};

impl Core<'_, '_> {
    pub(crate) fn collective(&mut self, op: &WarpOp, mask: u32, active: u32) -> Exec<Flow> {
        let members = self.row(op.members);
        let first = active.trailing_zeros() as usize;
        let wanted = members[first] as u32;
        let group = lanes(active).filter(|&lane| members[lane] as u32 == wanted).fold(0, |m, lane| m | 1 << lane);
        if let Some(lane) = lanes(group).find(|lane| wanted >> lane & 1 == 0) {
            let detail = format!("the member mask {wanted:#010x} does not include the executing lane {lane}");
            return Err(invalid(detail)).lane(lane);
        }
        let need = wanted & self.warp.live;
        if group & need != need {
            self.await_lanes(mask, group, need);
            return Ok(Flow::Choose);
        }
        self.apply(&op.what, group, wanted);
        // Lanes with other member masks stay behind; each group continues separately.
        let behind = active & !group;
        if behind == 0 {
            return Ok(Flow::Next);
        }
        self.warp.paths[self.path].pc = self.pc;
        self.split(mask & !behind, self.pc + 1);
        Ok(Flow::Choose)
    }

    /// Whether all live lanes of the warp are here, as an aligned instruction requires. If not, those that are here
    /// wait.
    pub(crate) fn converged(&mut self, mask: u32, active: u32) -> bool {
        let need = self.warp.live;
        if active & need == need {
            return true;
        }
        self.await_lanes(mask, active, need);
        false
    }

    /// Makes the lanes of `group` wait here for those of `need`. Of the path's other lanes, those that also execute the
    /// instruction return to it, and the rest continue after it.
    fn await_lanes(&mut self, mask: u32, group: u32, need: u32) {
        let rest = mask & !group;
        let executing = rest & self.predicate(self.env.program.code[self.pc as usize].guard);
        if executing != 0 {
            self.split(executing, self.pc);
        }
        if rest & !executing != 0 {
            self.split(rest & !executing, self.pc + 1);
        }
        let path = &mut self.warp.paths[self.path];
        path.pc = self.pc;
        path.state = WarpState::Converge { need };
    }

    fn apply(&mut self, what: &Collective, group: u32, members: u32) {
        if !matches!(what, Collective::Shuffle { .. }) {
            self.spread_collective(what, group, None);
        }
        match what {
            Collective::Shuffle { mode, d, p, a, b, c } => {
                let (a, b, c) = (self.row(*a), self.row(*b), self.row(*c));
                let (sources, inside) = shuffle(*mode, &b, &c);
                if self.env.checks.init {
                    self.spread_collective(what, group, Some(&sources));
                }
                let value = |lane: usize| {
                    if group >> sources[lane] & 1 == 1 { a[sources[lane]] } else { GARBAGE & 0xffff_ffff }
                };
                self.put(*d, group, &std::array::from_fn(value));
                if let Some(p) = p {
                    self.set_predicate(*p, group, inside);
                }
            }
            Collective::VoteAll { d, a } => {
                let value = if self.predicate(*a) & group == group { u32::MAX } else { 0 };
                self.set_predicate(*d, group, value);
            }
            Collective::VoteAny { d, a } => {
                let value = if self.predicate(*a) & group != 0 { u32::MAX } else { 0 };
                self.set_predicate(*d, group, value);
            }
            Collective::VoteUniform { d, a } => {
                let votes = self.predicate(*a) & group;
                self.set_predicate(*d, group, if votes == 0 || votes == group { u32::MAX } else { 0 });
            }
            Collective::Ballot { d, a } => {
                let votes = self.predicate(*a) & group;
                self.put(*d, group, &[u64::from(votes); LANES]);
            }
            Collective::MatchAny { d, a } => {
                let a = self.row(*a);
                let alike = |i: usize| lanes(group).filter(|&j| a[i] == a[j]).fold(0, |m, j| m | 1 << j);
                self.put(*d, group, &std::array::from_fn(alike));
            }
            Collective::MatchAll { d, p, a } => {
                let a = self.row(*a);
                let first = group.trailing_zeros() as usize;
                let all = lanes(group).all(|j| a[j] == a[first]);
                self.put(*d, group, &[if all { u64::from(members & group) } else { 0 }; LANES]);
                if let Some(p) = p {
                    self.set_predicate(*p, group, if all { u32::MAX } else { 0 });
                }
            }
            Collective::Reduce { d, a, fold } => {
                let a = self.row(*a);
                let value = lanes(group).map(|i| a[i]).reduce(fold).unwrap_or(0);
                self.put(*d, group, &[value; LANES]);
            }
            Collective::Elect { d, p } => {
                let leader = self.env.config.schedule.leader(group);
                self.put(*d, group, &[u64::from(leader); LANES]);
                self.set_predicate(*p, group, 1 << leader);
            }
            Collective::Barrier => self.synchronize_lanes(group),
        }
    }

    /// Orders the earlier accesses of each of the lanes before the later accesses of all of them.
    pub(crate) fn synchronize_lanes(&mut self, group: u32) {
        if self.env.checks.races {
            self.note(group, Event::Meet);
            let know = self.publish(group);
            self.warp.know.set(group, &know);
            self.tick();
        }
    }
}

/// The source lane of each lane's `shfl` result, and the lanes whose source was inside their segment.
fn shuffle(mode: Shuffle, b: &Row, c: &Row) -> ([usize; LANES], u32) {
    let (mut out, mut inside) = ([0; LANES], 0);
    for lane in 0..LANES {
        let (b, c) = (b[lane] as usize & 31, c[lane] as usize);
        let (segment, clamp) = (c >> 8 & 31, c & 31);
        let last = lane & segment | clamp & !segment;
        let first = lane & segment;
        let (source, hit) = match mode {
            Shuffle::Up => (lane.wrapping_sub(b), lane as isize - b as isize >= last as isize),
            Shuffle::Down => (lane + b, lane + b <= last),
            Shuffle::Butterfly => (lane ^ b, lane ^ b <= last),
            Shuffle::Index => (first | b & !segment, first | b & !segment <= last),
        };
        out[lane] = if hit { source % LANES } else { lane };
        inside |= u32::from(hit) << lane;
    }
    (out, inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(mode: Shuffle, b: u64, c: u64) -> (Vec<u64>, u32) {
        let (out, inside) = shuffle(mode, &[b; LANES], &[c; LANES]);
        (out.map(|lane| lane as u64).to_vec(), inside)
    }

    #[test]
    fn whole_warp() {
        let (down, hit) = run(Shuffle::Down, 1, 31);
        assert_eq!((down[0], down[30], down[31], hit), (1, 31, 31, 0x7fff_ffff));
        let (up, hit) = run(Shuffle::Up, 2, 0);
        assert_eq!((up[0], up[1], up[2], up[31], hit), (0, 1, 0, 29, 0xffff_fffc));
        let (bfly, hit) = run(Shuffle::Butterfly, 16, 31);
        assert_eq!((bfly[0], bfly[31], hit), (16, 15, u32::MAX));
        assert_eq!(run(Shuffle::Index, 5, 31).0, vec![5; 32]);
    }

    #[test]
    fn segments_of_eight() {
        // Segment mask 0x18: eight lanes to a segment.
        let (down, hit) = run(Shuffle::Down, 4, 0x1807 | 0x18);
        assert_eq!((down[0], down[3], down[4], down[11]), (4, 7, 4, 15));
        assert_eq!(hit, 0x0f0f_0f0f);
        let (index, _) = run(Shuffle::Index, 3, 0x181f);
        assert_eq!((index[0], index[9], index[31]), (3, 11, 27));
        let (up, hit) = run(Shuffle::Up, 1, 0x1800);
        assert_eq!((up[8], up[9], up[7]), (8, 8, 6));
        assert_eq!(hit, 0xfefe_fefe);
    }
}
