//! What an asynchronous copy requests beyond a synchronous one.

use std::fmt;

/// What signals completion of an asynchronous copy to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completion {
    /// The caller's own commit or wait: `cp.async.commit_group`, `tcgen05.commit`, `tcgen05.wait`.
    Caller,
    /// A `cp.async` group that the copy closes itself.
    Group,
    /// An mbarrier that the copy arrives on.
    Barrier,
    /// A bulk group (`cp.async.bulk.commit_group`) that the copy closes itself.
    BulkGroup,
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Completion::Caller => "the caller's commit",
            Completion::Group => "a cp.async group",
            Completion::Barrier => "an mbarrier",
            Completion::BulkGroup => "a bulk group",
        })
    }
}

/// The requested features of an asynchronous copy. A variant declines a copy with one that it cannot honour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asynchronous {
    /// What signals its completion to the caller.
    pub completion: Completion,
    /// Whether the destination is in the shared memory of another CTA of the cluster.
    pub remote_cta: bool,
    /// Whether a run-time predicate decides if a thread copies its share.
    pub predicated: bool,
    /// Whether the destination becomes zero where the predicate is false, instead of staying unchanged.
    pub zero_fill: bool,
    /// Whether the copy is one instruction of 4, 8 or 16 bytes, from the start of one region to the start of the other.
    pub direct: bool,
    /// The operator that combines the elements of both sides, as the op spells it: `add`.
    pub reduce: Option<String>,
    /// The shape of a `tcgen05.cp`, as PTX spells it: `32x128b`.
    pub shape: Option<String>,
    /// Its multicast: `warpx4`, `warpx2::02_13`, `warpx2::01_23`.
    pub multicast: Option<String>,
    /// CTAs that a tcgen05 instruction works for: 1 or 2.
    pub cta_group: Option<i64>,
}

impl Asynchronous {
    /// A copy without further requests, completed as `completion` says.
    pub fn new(completion: Completion) -> Self {
        Asynchronous {
            completion,
            remote_cta: false,
            predicated: false,
            zero_fill: false,
            direct: false,
            reduce: None,
            shape: None,
            multicast: None,
            cta_group: None,
        }
    }

    /// Whether the copy combines source elements with those of the destination.
    pub fn reduces(&self) -> bool {
        self.reduce.is_some()
    }

    /// The names of the features that are requested, as the op spells them.
    pub fn requested(&self) -> Vec<&'static str> {
        let all = [
            (self.completion == Completion::Group, "group"),
            (self.completion == Completion::Barrier, "mbarrier"),
            (self.completion == Completion::BulkGroup, "bulk_group"),
            (self.remote_cta, "remote_cta"),
            (self.predicated, "predicate"),
            (self.zero_fill, "fill"),
            (self.direct, "direct"),
            (self.reduces(), "reduce"),
            (self.shape.is_some(), "shape"),
            (self.multicast.is_some(), "multicast"),
            (self.cta_group.is_some(), "cta_group"),
        ];
        all.into_iter().filter_map(|(set, name)| set.then_some(name)).collect()
    }
}
