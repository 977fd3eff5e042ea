//! What an asynchronous copy requests beyond a synchronous one.

use std::fmt;

use tile_layout::counted;

use crate::problem::refusal::Refusal;
use crate::problem::tensor_map::MapRequest;
use crate::queue::Queue;

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

impl Completion {
    /// All of them.
    pub const ALL: [Completion; 4] =
        [Completion::Caller, Completion::Group, Completion::Barrier, Completion::BulkGroup];

    /// The clause of the op that requests it; `None` where no clause does.
    pub fn clause(self) -> Option<&'static str> {
        match self {
            Completion::Caller => None,
            Completion::Group => Some("group"),
            Completion::Barrier => Some("mbarrier"),
            Completion::BulkGroup => Some("bulk_group"),
        }
    }

    /// The queue in which the copy closes a group itself, if it does.
    pub fn closes(self) -> Option<Queue> {
        match self {
            Completion::Caller | Completion::Barrier => None,
            Completion::Group => Some(Queue::CpAsync),
            Completion::BulkGroup => Some(Queue::BulkGroups),
        }
    }

    /// Whether copies by all threads of a scope, as opposed to an engine's, can be completed by it.
    pub fn is_of_threads(self) -> bool {
        self.closes() != Some(Queue::BulkGroups)
    }
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

/// The CTAs of a cluster that receive a copy: bit `r` stands for the CTA of rank `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CtaMask {
    /// The bits, of which there are 16; `None` where they are known only at run time.
    pub bits: Option<u16>,
    /// The CTAs of a cluster; `None` where the kernel does not state their number.
    pub cluster: Option<i64>,
}

impl CtaMask {
    /// Requires a cluster whose size is stated, and a mask that names CTAs of it, as far as it is known.
    ///
    /// # Errors
    /// `cluster-size-unknown`, `cta-mask-outside`: got and needed.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        let Some(cluster) = self.cluster else {
            let reason = "the kernel does not state the size of its clusters; a copy to the CTAs of a mask needs \
                          nvvm.cluster_dim = array<i32: …>";
            return Err(Refusal::new("cluster-size-unknown", reason));
        };
        let outside = |bits: u16| bits == 0 || i64::from(u16::BITS - bits.leading_zeros()) > cluster;
        match self.bits.filter(|&bits| outside(bits)) {
            None => Ok(()),
            Some(bits) => {
                let reason = format!(
                    "got cta_mask {bits:#b} in a cluster of {}; needed one or more of the lowest {}",
                    counted(cluster, "CTA"),
                    counted(cluster.min(16), "bit")
                );
                Err(Refusal::new("cta-mask-outside", reason))
            }
        }
    }
}

/// The requested features of an asynchronous copy. A variant declines a copy with one that it cannot honour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asynchronous {
    /// What signals its completion to the caller.
    pub completion: Completion,
    /// Whether the destination is in the shared memory of another CTA of the cluster.
    pub remote_cta: bool,
    /// The CTAs of the cluster whose shared memory receives the copy, at the same place in each; `None` for one destination.
    pub cta_mask: Option<CtaMask>,
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
    /// The tensor map that it goes through, if it requests one.
    pub tensor_map: Option<MapRequest>,
}

impl Asynchronous {
    /// A copy without further requests, completed as `completion` says.
    pub fn new(completion: Completion) -> Self {
        Asynchronous {
            completion,
            remote_cta: false,
            cta_mask: None,
            predicated: false,
            zero_fill: false,
            direct: false,
            reduce: None,
            shape: None,
            multicast: None,
            cta_group: None,
            tensor_map: None,
        }
    }

    /// The features that are requested.
    pub fn requested(&self) -> impl Iterator<Item = Feature> {
        let all = [
            (self.completion.clause().is_some(), Feature::Completed(self.completion)),
            (self.remote_cta, Feature::RemoteCta),
            (self.cta_mask.is_some(), Feature::CtaMask),
            (self.predicated, Feature::Predicate),
            (self.zero_fill, Feature::ZeroFill),
            (self.direct, Feature::Direct),
            (self.reduce.is_some(), Feature::Reduce),
            (self.shape.is_some(), Feature::Shape),
            (self.multicast.is_some(), Feature::Multicast),
            (self.cta_group.is_some(), Feature::CtaGroup),
            (self.tensor_map.is_some(), Feature::TensorMap),
        ];
        all.into_iter().filter_map(|(requested, feature)| requested.then_some(feature))
    }
}

/// A feature that an asynchronous copy may request, named as the op spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// What completes it.
    Completed(Completion),
    /// A destination in another CTA.
    RemoteCta,
    /// Destinations in several CTAs.
    CtaMask,
    /// A predicate for each thread.
    Predicate,
    /// Zeros where the predicate is false.
    ZeroFill,
    /// One instruction from start to start.
    Direct,
    /// A combination with the destination's elements.
    Reduce,
    /// A shape of `tcgen05.cp`.
    Shape,
    /// A multicast of `tcgen05.cp`.
    Multicast,
    /// A number of CTAs that a tcgen05 instruction works for.
    CtaGroup,
    /// A tensor map.
    TensorMap,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Completed(completion) => completion.clause().unwrap_or("no completion"),
            Feature::RemoteCta => "remote_cta",
            Feature::CtaMask => "cta_mask",
            Feature::Predicate => "predicate",
            Feature::ZeroFill => "fill",
            Feature::Direct => "direct",
            Feature::Reduce => "reduce",
            Feature::Shape => "shape",
            Feature::Multicast => "multicast",
            Feature::CtaGroup => "cta_group",
            Feature::TensorMap => "tensor_map",
        })
    }
}
