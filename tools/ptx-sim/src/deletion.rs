//! Programs with one synchronizing instruction removed: whether the checkers notice, and if not, whether that is correct.
//!
//! A synchronizing instruction is one that orders accesses or waits: barriers, fences, commits of and waits for copies,
//! arrivals on and tests of mbarriers, `.acquire` and `.release` of an access. It is removed; a test of an mbarrier
//! instead always succeeds, and `.acquire` and `.release` become `.relaxed`. Barriers that reduce (`bar.red`) stay,
//! because later instructions need their value.

use std::fmt;

use crate::{History, Unordered};

/// How an instruction was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was removed.
    Removed,
    /// It always succeeds.
    Passed,
    /// It no longer orders anything.
    Relaxed,
}

/// A module with one of its synchronizing instructions changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// The line of the instruction in the text that [`one_per_line`] gives.
    pub line: u32,
    /// Its opcode.
    pub opcode: String,
    /// How it was changed.
    pub change: Change,
    /// The module; its lines are those of the original.
    pub text: String,
}

impl fmt::Display for Deletion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let change = match self.change {
            Change::Removed => "removed",
            Change::Passed => "always true",
            Change::Relaxed => "relaxed",
        };
        write!(f, "line {} (`{}`), {change}", self.line, self.opcode)
    }
}

/// The verdict on a deletion that no run noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// No thread executes the instruction.
    Unexecuted,
    /// Every conflicting pair of accesses is ordered without it.
    Redundant,
    /// The simulator does not model the effect of the instruction, for this reason.
    Unmodelled(&'static str),
    /// The checkers should have noticed.
    Hole(Hole),
}

/// A gap in the checkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hole {
    /// Without the instruction these two are not ordered.
    Unordered(Unordered),
    /// The instruction orders nothing, although the graph did not find it redundant.
    Idle,
}

/// Instructions that have no effect in the simulator, or none in the graph, with the reason.
const UNMODELLED: [(&str, &str); 4] = [
    (
        "fence.proxy.tensormap",
        "the graph has no fences of tensor maps; a use that needs them and lacks them is an error",
    ),
    ("wgmma.fence", "it orders registers only, not memory: a register that needs the fence and lacks it is an error"),
    ("tcgen05.fence", "waits and barriers alone order threads here; the fences add nothing"),
    ("griddepcontrol", "one launch is simulated at a time"),
];

impl Deletion {
    /// Judges a deletion after which no run found a fault, by the recorded runs of the original.
    pub fn silence(&self, histories: &[History]) -> Silence {
        if !histories.iter().any(|history| history.executed(self.line)) {
            return Silence::Unexecuted;
        }
        if let Some((_, why)) = UNMODELLED.iter().find(|(name, _)| self.opcode.starts_with(name)) {
            return Silence::Unmodelled(why);
        }
        if !histories.iter().any(|history| history.orders(self.line)) {
            return Silence::Hole(Hole::Idle);
        }
        let first = histories.iter().find_map(|history| history.without(&[self.line]).err());
        first.map_or(Silence::Redundant, |pair| Silence::Hole(Hole::Unordered(pair)))
    }
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::Unexecuted => write!(f, "not executed"),
            Silence::Redundant => write!(f, "redundant: all conflicting accesses are ordered without it"),
            Silence::Unmodelled(why) => write!(f, "not modelled: {why}"),
            Silence::Hole(Hole::Unordered(pair)) => write!(f, "NOT NOTICED: {pair}"),
            Silence::Hole(Hole::Idle) => write!(f, "NOT NOTICED: it has ordered nothing in any run"),
        }
    }
}

/// `text` with at most one instruction on each line.
pub fn one_per_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.lines() {
        let mut quoted = false;
        let code = line.find("//").unwrap_or(line.len());
        for (at, c) in line.char_indices() {
            out.push(c);
            quoted ^= c == '"';
            let more = at < code && line[at + c.len_utf8()..code].contains(|c: char| !c.is_whitespace());
            if c == ';' && !quoted && more {
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out
}

/// All modules in which one synchronizing instruction is changed. The text must be a result of [`one_per_line`].
pub fn deletions(text: &str) -> Vec<Deletion> {
    let mut out = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some(place) = InstructionSpan::of(line) {
            for (change, instead) in place.changes() {
                let text = [&text[..start + place.from(change)], &instead, &text[start + place.end..]].concat();
                out.push(Deletion { line: number as u32 + 1, opcode: place.opcode.to_owned(), change, text });
            }
        }
        start += line.len();
    }
    out
}

/// An instruction, by its offsets in its line.
struct InstructionSpan<'a> {
    /// Offset of its guard, or of its opcode if it has none.
    guard: usize,
    /// Offset of its opcode.
    start: usize,
    /// Offset after its `;`.
    end: usize,
    opcode: &'a str,
    operands: &'a str,
}

impl<'a> InstructionSpan<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let code = &line[..line.find("//").unwrap_or(line.len())];
        let end = code.find(';')? + 1;
        // Labels and braces come before.
        let label = |at: &usize| code[at + 1..].chars().next().is_none_or(char::is_whitespace);
        let colon = code[..end].match_indices(':').map(|(at, _)| at).rfind(label);
        let before = colon.max(code[..end].find('{').filter(|&at| code[..at].trim().is_empty()));
        let skip = |from: usize| from + code[from..end].len() - code[from..end].trim_start().len();
        let guard = skip(before.map_or(0, |at| at + 1));
        let start = match code[guard..end].strip_prefix('@') {
            Some(rest) => skip(guard + 1 + rest.find(char::is_whitespace)?),
            None => guard,
        };
        let rest = &code[start..end - 1];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        Some(InstructionSpan { guard, start, end, opcode: &rest[..length], operands: rest[length..].trim() })
    }

    /// Offset of the text that a change replaces.
    fn from(&self, change: Change) -> usize {
        if change == Change::Removed { self.guard } else { self.start }
    }

    /// The changes that apply to it, each with the text that replaces it.
    fn changes(&self) -> Vec<(Change, String)> {
        let parts: Vec<&str> = self.opcode.split('.').collect();
        let mut out = Vec::new();
        let has = |part: &str| parts.contains(&part);
        match parts[0] {
            "bar" | "barrier" if !has("red") => out.push((Change::Removed, String::new())),
            "fence" | "membar" | "griddepcontrol" => out.push((Change::Removed, String::new())),
            "cp" if has("commit_group") || has("wait_group") || has("wait_all") || has("arrive") => {
                out.push((Change::Removed, String::new()));
            }
            "wgmma" if has("fence") || has("commit_group") || has("wait_group") => {
                out.push((Change::Removed, String::new()));
            }
            "tcgen05" if has("commit") || parts[1].starts_with("wait") || parts[1].starts_with("fence") => {
                out.push((Change::Removed, String::new()));
            }
            "mbarrier" if has("try_wait") || has("test_wait") => {
                let predicate = self.operands.split(',').next().unwrap_or_default();
                out.push((Change::Passed, format!("setp.eq.u32 {predicate}, 0, 0;")));
            }
            "mbarrier" if !has("init") && !has("inval") && !has("pending_count") => {
                out.push((Change::Removed, String::new()));
            }
            _ => {}
        }
        out.extend(self.relaxed(&parts).map(|opcode| (Change::Relaxed, format!("{opcode} {};", self.operands))));
        out
    }

    /// The opcode without order, if it has any.
    fn relaxed(&self, parts: &[&str]) -> Option<String> {
        let ordered = |part: &&str| matches!(*part, "acquire" | "release" | "acq_rel");
        let replaced = || {
            let parts = parts.iter().map(|part| if ordered(part) { "relaxed" } else { part });
            parts.collect::<Vec<_>>().join(".")
        };
        match parts {
            ["ld" | "st" | "atom" | "red" | "mbarrier", ..] if parts.iter().any(ordered) => Some(replaced()),
            ["barrier", "cluster", "arrive", ..] if !parts.contains(&"relaxed") => {
                let rest = parts[3..].iter().filter(|part| !ordered(part));
                Some(parts[..3].iter().copied().chain(["relaxed"]).chain(rest.copied()).collect::<Vec<_>>().join("."))
            }
            ["mbarrier", "arrive" | "arrive_drop" | "try_wait" | "test_wait", rest @ ..]
                if !parts.contains(&"relaxed") =>
            {
                // The memory order follows the qualifiers of the operation, and a scope follows the order.
                let what =
                    rest.iter().take_while(|part| matches!(**part, "expect_tx" | "parity" | "noComplete")).count();
                let (what, rest) = rest.split_at(what);
                let all = parts[..2].iter().chain(what).chain(&["relaxed", "cta"]).chain(rest);
                Some(all.copied().collect::<Vec<_>>().join("."))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(line: &str) -> Vec<String> {
        deletions(&one_per_line(line)).into_iter().map(|deletion| deletion.text.trim().to_owned()).collect()
    }

    #[test]
    fn an_instruction_stands_alone() {
        assert_eq!(one_per_line("a; b; // c; d\n\t\"x;y\";\n"), "a;\n b; // c; d\n\t\"x;y\";\n");
    }

    #[test]
    fn it_is_removed_with_its_guard_but_not_with_its_label() {
        assert_eq!(changed("@!%p1 bar.sync 0;"), [""]);
        assert_eq!(changed("$L__BB0_1: fence.acq_rel.gpu; // here"), ["$L__BB0_1:  // here"]);
        assert_eq!(changed("{ tcgen05.wait::ld.sync.aligned; }"), ["{ \n }"]);
        assert_eq!(changed("bar.red.popc.u32 %r1, 0, %p1;"), [""; 0]);
        assert_eq!(changed("ld.global.b32 %r1, [%rd1];"), [""; 0]);
    }

    #[test]
    fn a_test_succeeds_and_an_order_is_relaxed() {
        assert_eq!(
            changed("@%p2 mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;"),
            ["@%p2 setp.eq.u32 %p1, 0, 0;", "@%p2 mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p1, [%r1], %r2;"]
        );
        assert_eq!(changed("ld.acquire.gpu.b32 %r1, [%rd1];"), ["ld.relaxed.gpu.b32 %r1, [%rd1];"]);
        assert_eq!(
            changed("barrier.cluster.arrive.release.aligned;"),
            ["", "barrier.cluster.arrive.relaxed.aligned ;"]
        );
        assert_eq!(
            changed("mbarrier.arrive.release.cta.shared.b64 _, [%r1];"),
            ["", "mbarrier.arrive.relaxed.cta.shared.b64 _, [%r1];"]
        );
    }
}
