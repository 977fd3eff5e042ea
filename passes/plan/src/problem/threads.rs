//! The threads that copy: the scope, the size of the block, and the threads that reach the copy.

use tile_isa::{MAX_THREADS, Scope, WARP};
use tile_layout::counted;

/// The most threads that a block can have.
pub const MAX_BLOCK: i64 = MAX_THREADS;

/// The most warps that a block can have.
pub const MAX_WARPS: usize = (MAX_BLOCK / WARP) as usize;

/// A set of threads of one block, by their linear index `0..1024`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadSet {
    words: [u64; 16],
}

impl ThreadSet {
    /// No thread.
    pub const fn new() -> Self {
        ThreadSet { words: [0; 16] }
    }

    /// Threads `begin..end`; what lies outside `0..1024` is dropped.
    pub fn range(begin: i64, end: i64) -> Self {
        // The bits of a word for threads below `thread`.
        let below = |word: usize, thread: i64| match thread.saturating_sub(64 * word as i64) {
            count if count <= 0 => 0,
            count if count >= 64 => u64::MAX,
            count => (1 << count) - 1,
        };
        ThreadSet { words: std::array::from_fn(|word| below(word, end) & !below(word, begin)) }
    }

    /// All threads of the warps given by one bit each.
    pub fn of_warps(warps: u32) -> Self {
        let half = |warp: usize| if warps >> warp & 1 == 1 { u64::from(u32::MAX) } else { 0 };
        ThreadSet { words: std::array::from_fn(|word| half(2 * word) | half(2 * word + 1) << 32) }
    }

    /// Adds a thread; one outside `0..1024` is dropped.
    pub fn insert(&mut self, thread: i64) {
        if (0..MAX_BLOCK).contains(&thread) {
            self.words[(thread / 64) as usize] |= 1 << (thread % 64);
        }
    }

    /// Whether the thread is a member.
    pub fn contains(&self, thread: i64) -> bool {
        (0..MAX_BLOCK).contains(&thread) && self.words[(thread / 64) as usize] >> (thread % 64) & 1 == 1
    }

    /// The members of both sets.
    #[must_use]
    pub fn intersect(&self, other: &ThreadSet) -> Self {
        ThreadSet { words: std::array::from_fn(|word| self.words[word] & other.words[word]) }
    }

    /// The members of either set.
    #[must_use]
    pub fn union(&self, other: &ThreadSet) -> Self {
        ThreadSet { words: std::array::from_fn(|word| self.words[word] | other.words[word]) }
    }

    /// The members that are not in the other set.
    #[must_use]
    pub fn without(&self, other: &ThreadSet) -> Self {
        ThreadSet { words: std::array::from_fn(|word| self.words[word] & !other.words[word]) }
    }

    /// Whether every member is in the other set.
    pub fn is_subset(&self, other: &ThreadSet) -> bool {
        self.without(other).is_empty()
    }

    /// The members among the 32 threads of a warp, one bit each.
    pub fn lanes(&self, warp: usize) -> u32 {
        self.words.get(warp / 2).map_or(0, |word| (word >> (warp % 2 * WARP as usize)) as u32)
    }

    /// The warps that have a member, one bit each.
    pub fn warps(&self) -> u32 {
        self.words.iter().rev().fold(0, |warps, &word| {
            let [low, high] = [word as u32 != 0, word >> WARP != 0].map(u32::from);
            warps << 2 | high << 1 | low
        })
    }

    /// Whether the set consists of whole warpgroups of four warps.
    pub fn is_of_warpgroups(&self) -> bool {
        let full = |warp: usize| self.lanes(warp) == u32::MAX;
        (0..MAX_WARPS).all(|warp| self.lanes(warp) == 0 || (warp / 4 * 4..warp / 4 * 4 + 4).all(full))
    }

    /// Number of members.
    pub fn len(&self) -> i64 {
        self.words.iter().map(|word| i64::from(word.count_ones())).sum()
    }

    /// Whether the set has no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().fold(0, |all, word| all | word) == 0
    }

    /// Members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        let rest = |word: u64| Some(word).filter(|&word| word != 0);
        self.words.iter().zip(0..).flat_map(move |(&word, number)| {
            let words = std::iter::successors(rest(word), move |&word| rest(word & (word - 1)));
            words.map(move |word| 64 * number + i64::from(word.trailing_zeros()))
        })
    }
}

impl FromIterator<i64> for ThreadSet {
    fn from_iter<I: IntoIterator<Item = i64>>(threads: I) -> Self {
        let mut set = ThreadSet::new();
        threads.into_iter().for_each(|thread| set.insert(thread));
        set
    }
}

/// The threads of the block that reach the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Active {
    /// All threads of every scope that reaches it: no enclosing condition divides a scope.
    All,
    /// Exactly these threads.
    Known(ThreadSet),
    /// Not known: an enclosing condition could not be evaluated.
    Unknown {
        /// The condition, for messages.
        why: String,
        /// As [`Active::in_warps`].
        in_warps: bool,
    },
}

impl Active {
    /// Whether the threads of a warp reach the copy together, or none of them: then lanes can exchange what they have.
    pub fn in_warps(&self) -> bool {
        match self {
            Active::All => true,
            Active::Known(set) => (0..MAX_WARPS).all(|warp| [0, u32::MAX].contains(&set.lanes(warp))),
            Active::Unknown { in_warps, .. } => *in_warps,
        }
    }
}

/// The threads that cooperate in one copy.
///
/// ```text
///   block of 128, scope warp:   |0 … 31|32 … 63|64 … 95|96 … 127|   four instances, each does the whole copy
///   scope-relative thread            t = tx mod 32
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// The scope whose threads share one copy.
    pub scope: Scope,
    /// Number of threads of a block, where known (`known_block_size`, one-dimensional).
    pub block: Option<i64>,
    /// The threads that reach the copy.
    pub active: Active,
}

/// The thread elected for work that only one thread may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elected {
    /// The same scope-relative index in every instance of the scope.
    ScopeThread(i64),
    /// One block-linear index per instance that has an active thread.
    BlockThreads(Vec<i64>),
}

impl Threads {
    /// All threads of the scope, in blocks of `block`.
    pub fn all(scope: Scope, block: Option<i64>) -> Self {
        Threads { scope, block, active: Active::All }
    }

    /// Number of threads of one scope: one, a warp, a warpgroup or the block; `None` for a CTA of unknown or invalid
    /// size.
    pub fn count(&self) -> Option<i64> {
        self.scope.threads(self.block.filter(|block| (1..=MAX_BLOCK).contains(block)))
    }

    /// What is missing from a scope that reaches the copy; `None` if all such scopes are complete.
    ///
    /// `warpid narrowed to [0, 1) vs full [0, 4)`, `laneid narrowed to [16, 32) vs full [0, 32)`.
    pub fn narrowed(&self) -> Option<String> {
        let count = self.count()?;
        if count == 1 {
            return None;
        }
        match &self.active {
            Active::Unknown { why, .. } => Some(format!("active threads are not known: {why}")),
            Active::All => self.block.filter(|block| block % count != 0).map(|block| {
                let threads = counted(block, "thread");
                format!("a block of {threads} is not a whole number of {}s of {count}", self.scope)
            }),
            Active::Known(set) if set.is_empty() => Some("no thread is active".to_owned()),
            Active::Known(set) => {
                let partial = instances(set, count).into_iter().find(|instance| instance.len() != count)?;
                Some(describe(&partial, count, self.scope))
            }
        }
    }

    /// The active threads of the block, where they are known.
    pub fn known(&self) -> Option<ThreadSet> {
        match (&self.active, self.block) {
            (Active::Known(set), _) => Some(*set),
            (Active::All, Some(block)) => Some(ThreadSet::range(0, block)),
            (Active::All, None) | (Active::Unknown { .. }, _) => None,
        }
    }

    /// The scope-relative threads that are active in every scope with an active thread; `None` where they are not
    /// known.
    ///
    /// ```text
    ///   block of 64, scope warp, threads 40 and up: none of warp 0, lanes 8 and up of warp 1     lanes 8 to 31
    ///   block of 48, scope warp: all of warp 0, half of warp 1                                     lanes 0 to 15
    /// ```
    pub fn common(&self) -> Option<ThreadSet> {
        instances(&self.known()?, self.count()?).into_iter().reduce(|common, members| common.intersect(&members))
    }

    /// The first active thread of each scope; `None` where that is not known, or no thread is active.
    pub fn elected(&self) -> Option<Elected> {
        let count = self.count()?;
        let set = match &self.active {
            Active::All => return Some(Elected::ScopeThread(0)),
            Active::Unknown { .. } => return None,
            Active::Known(set) => set,
        };
        let mut firsts: Vec<i64> = Vec::new();
        for thread in set.iter() {
            if firsts.last().is_none_or(|last| last / count != thread / count) {
                firsts.push(thread);
            }
        }
        let first = firsts.first()? % count;
        let same = firsts.iter().all(|thread| thread % count == first);
        Some(if same { Elected::ScopeThread(first) } else { Elected::BlockThreads(firsts) })
    }
}

/// The members in each scope that has any, scope-relative.
fn instances(set: &ThreadSet, count: i64) -> Vec<ThreadSet> {
    let mut groups: Vec<(i64, ThreadSet)> = Vec::new();
    for thread in set.iter() {
        if groups.last().is_none_or(|(instance, _)| *instance != thread / count) {
            groups.push((thread / count, ThreadSet::new()));
        }
        if let Some((_, members)) = groups.last_mut() {
            members.insert(thread % count);
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Names the axes along which `active`, a part of one scope, is incomplete.
fn describe(active: &ThreadSet, count: i64, scope: Scope) -> String {
    let lanes = hull(active.iter().map(|thread| thread % WARP));
    let warps = hull(active.iter().map(|thread| thread / WARP));
    let box_size = (lanes.1 - lanes.0) * (warps.1 - warps.0);
    if box_size != active.len() {
        return format!("the {scope} has {} of {count}", counted(active.len(), "active thread"));
    }
    let warp_axis = if scope == Scope::Warpgroup { "wid_in_wg" } else { "warpid" };
    let full_warps = (count + WARP - 1) / WARP;
    let axes = [(warp_axis, warps, full_warps), ("laneid", lanes, count.min(WARP))];
    let narrowed: Vec<String> = axes
        .into_iter()
        .filter(|(_, (begin, end), full)| (*begin, *end) != (0, *full))
        .map(|(axis, (begin, end), full)| format!("{axis} narrowed to [{begin}, {end}) vs full [0, {full})"))
        .collect();
    narrowed.join(", ")
}

fn hull(values: impl Iterator<Item = i64>) -> (i64, i64) {
    values.fold((i64::MAX, 0), |(low, high), value| (low.min(value), high.max(value + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(scope: Scope, block: i64, threads: impl IntoIterator<Item = i64>) -> Threads {
        Threads { scope, block: Some(block), active: Active::Known(threads.into_iter().collect()) }
    }

    #[test]
    fn counts_by_scope() {
        let count = |scope, block| Threads::all(scope, block).count();
        assert_eq!(count(Scope::Thread, None), Some(1));
        assert_eq!(count(Scope::Warp, None), Some(32));
        assert_eq!(count(Scope::Warpgroup, Some(256)), Some(128));
        assert_eq!((count(Scope::Cta, Some(96)), count(Scope::Cta, None)), (Some(96), None));
    }

    #[test]
    fn names_what_is_narrowed() {
        let text = |threads: Threads| threads.narrowed().unwrap();
        assert_eq!(text(known(Scope::Cta, 128, 0..32)), "warpid narrowed to [0, 1) vs full [0, 4)");
        assert_eq!(text(known(Scope::Warp, 32, 16..32)), "laneid narrowed to [16, 32) vs full [0, 32)");
        assert_eq!(text(known(Scope::Warpgroup, 128, 32..96)), "wid_in_wg narrowed to [1, 3) vs full [0, 4)");
        assert_eq!(text(known(Scope::Warp, 32, [0, 5])), "the warp has 2 active threads of 32");
        assert!(text(Threads::all(Scope::Warp, Some(48))).contains("48 threads is not a whole number of warps"));
        let unknown = Active::Unknown { why: "x < y".to_owned(), in_warps: false };
        assert!(text(Threads { scope: Scope::Warp, block: None, active: unknown }).contains("x < y"));
    }

    #[test]
    fn whole_scopes_are_not_narrowed() {
        assert_eq!(known(Scope::Warp, 128, 32..64).narrowed(), None);
        assert_eq!(known(Scope::Thread, 128, [7]).narrowed(), None);
        assert_eq!(Threads::all(Scope::Cta, Some(96)).narrowed(), None);
    }

    #[test]
    fn lanes_together() {
        assert!(known(Scope::Cta, 128, 32..96).active.in_warps());
        assert!(!known(Scope::Cta, 128, 32..95).active.in_warps());
    }

    #[test]
    fn common_to_all_scopes() {
        let common = |threads: Threads| threads.common().map(|set| set.iter().collect::<Vec<_>>());
        assert_eq!(common(known(Scope::Warp, 64, 40..64)), Some((8..32).collect()));
        assert_eq!(common(known(Scope::Warp, 64, (0..64).filter(|t| t % 32 > 29))), Some(vec![30, 31]));
        assert_eq!(common(known(Scope::Warp, 64, [3, 40])), Some(vec![]));
        assert_eq!(common(Threads::all(Scope::Warp, Some(48))), Some((0..16).collect()));
        assert_eq!(common(known(Scope::Warp, 64, [])), None);
        let unknown = Active::Unknown { why: "x < y".to_owned(), in_warps: false };
        assert_eq!(common(Threads { scope: Scope::Warp, block: Some(64), active: unknown }), None);
    }

    #[test]
    fn elects_the_first_active_thread() {
        let elected = |threads: Threads| threads.elected().unwrap();
        assert_eq!(elected(known(Scope::Cta, 128, 96..128)), Elected::ScopeThread(96));
        assert_eq!(elected(known(Scope::Warp, 128, (0..128).filter(|t| t % 32 >= 16))), Elected::ScopeThread(16));
        assert_eq!(elected(known(Scope::Warp, 64, [3, 4, 40])), Elected::BlockThreads(vec![3, 40]));
        assert_eq!(elected(Threads::all(Scope::Warp, None)), Elected::ScopeThread(0));
        assert_eq!(known(Scope::Warp, 64, []).elected(), None);
    }
}
