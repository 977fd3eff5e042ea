//! Memory of other blocks of a cluster.

use std::collections::BTreeMap;

use melior::ir::{OperationRef, Value};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm, RemoteBlock, Shift};

use super::Addresses;
use crate::read::alias::Root;
use crate::sync::kernel::failures::Failures;

/// The bits of a mask of blocks.
const MASK_BITS: i64 = 16;

/// The block of a cluster whose shared memory is meant, where that is not the block itself.
#[derive(Clone, Copy)]
pub enum Peer<'c, 'a> {
    /// The one of the rank that a value is.
    Value(Value<'c, 'a>),
    /// The one of a rank that is known.
    Rank(i64),
    /// Any.
    Unknown,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// An access as accesses to the memory of a peer, or of several where its rank differs between threads; of this block where
    /// none is given.
    pub fn in_blocks(
        &mut self,
        (op, failures): (OperationRef<'c, 'a>, &mut Failures<'c, 'a>),
        peer: Option<Peer<'c, 'a>>,
        access: Access,
    ) -> Vec<Access> {
        let Some(peer) = peer else {
            // Memory of unknown origin may belong to any block.
            let unknown = self.objects.is_unknown(access.object);
            let object = if unknown { self.remote(access.object, RemoteBlock::Unknown) } else { access.object };
            return vec![Access { object, ..access }];
        };
        let form = self.rank(peer).filter(|form| form.shift == Shift::none());
        let Some((form, bytes)) = form.zip(access.bytes.clone()) else {
            let object = self.remote(access.object, RemoteBlock::Unknown);
            return vec![Access { object, ..access }];
        };
        let issuers = bytes.segments().iter().fold(ThreadSet::new(), |all, segment| all.union(&segment.threads));
        let mut of_ranks: BTreeMap<i64, ThreadSet> = BTreeMap::new();
        issuers.iter().for_each(|thread| of_ranks.entry(form.of_thread(thread)).or_default().insert(thread));
        let mut accesses = Vec::new();
        for (rank, threads) in of_ranks {
            let Some(peer) = self.peer((op, failures), rank) else { continue };
            let object = self.remote(access.object, peer);
            accesses.push(Access { object, bytes: Some(bytes.of_threads(&threads).into()), ..access.clone() });
        }
        accesses
    }

    /// The ranks of the blocks that a mask names, for each of the threads that have it; `None` where it is not known.
    pub fn ranks_of_mask(&mut self, mask: Value<'c, 'a>, threads: &ThreadSet) -> Option<BTreeMap<i64, ThreadSet>> {
        let form = self.values.of_value(mask).filter(|form| form.shift == Shift::none())?;
        let mut threads_of_ranks: BTreeMap<i64, ThreadSet> = BTreeMap::new();
        for thread in threads.iter() {
            let mask = form.of_thread(thread);
            for rank in (0..MASK_BITS).filter(|rank| mask >> rank & 1 == 1) {
                threads_of_ranks.entry(rank).or_default().insert(thread);
            }
        }
        Some(threads_of_ranks)
    }

    fn rank(&mut self, peer: Peer<'c, 'a>) -> Option<AddressForm> {
        match peer {
            Peer::Value(rank) => self.values.of_value(rank),
            Peer::Rank(rank) => Some(AddressForm::constant(rank)),
            Peer::Unknown => None,
        }
    }

    /// The object for some memory, in that of a peer where one is given.
    pub fn object_in_block(
        &mut self,
        at: (OperationRef<'c, 'a>, &mut Failures<'c, 'a>),
        root: Root,
        peer: Option<Peer<'c, 'a>>,
    ) -> usize {
        let object = self.object(root);
        let Some(peer) = peer else { return object };
        let peer = match self.rank(peer).and_then(|form| form.as_constant()) {
            Some(rank) => self.peer(at, rank).unwrap_or(RemoteBlock::Unknown),
            None => RemoteBlock::Unknown,
        };
        self.remote(object, peer)
    }

    /// The block of a rank; `None`, after an error, where there is none.
    fn peer(&self, (op, failures): (OperationRef<'c, 'a>, &mut Failures<'c, 'a>), rank: i64) -> Option<RemoteBlock> {
        self.rank?.peer(rank).map_err(|why| failures.error(op, why)).ok()
    }

    /// An object of another block, where there are several.
    fn remote(&mut self, object: usize, peer: RemoteBlock) -> usize {
        if self.rank.is_some() { self.objects.remote(object, peer) } else { object }
    }
}
