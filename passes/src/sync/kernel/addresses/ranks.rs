//! Memory of other blocks of a cluster.

use std::collections::BTreeMap;

use melior::ir::{OperationRef, Value};
use tile_plan::ThreadSet;
use tile_plan::sync::{Access, RemoteBlock, Shift};

use super::Addresses;
use crate::read::alias::Root;
use crate::sync::kernel::failures::Failures;

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// An access as accesses to the memory of the block of a rank, or of several blocks where the rank differs between threads;
    /// of this block where no rank is given.
    pub fn in_blocks(
        &mut self,
        (op, failures): (OperationRef<'c, 'a>, &mut Failures<'c, 'a>),
        rank: Option<Value<'c, 'a>>,
        access: Access,
    ) -> Vec<Access> {
        let Some(rank) = rank else {
            // Memory of unknown origin may belong to any block.
            let unknown = self.objects.is_unknown(access.object);
            let object = if unknown { self.remote(access.object, RemoteBlock::Unknown) } else { access.object };
            return vec![Access { object, ..access }];
        };
        let form = self.values.of_value(rank).filter(|form| form.shift == Shift::none());
        let Some((form, bytes)) = form.zip(access.bytes.clone()) else {
            let object = self.remote(access.object, RemoteBlock::Unknown);
            return vec![Access { object, ..access }];
        };
        let issuers = bytes.segments().iter().fold(ThreadSet::new(), |all, it| all.union(&it.threads));
        let mut of_ranks: BTreeMap<i64, ThreadSet> = BTreeMap::new();
        issuers.iter().for_each(|thread| of_ranks.entry(form.of_thread(thread)).or_default().insert(thread));
        let mut found = Vec::new();
        for (rank, threads) in of_ranks {
            let Some(peer) = self.peer((op, failures), rank) else { continue };
            let object = self.remote(access.object, peer);
            found.push(Access { object, bytes: Some(bytes.of_threads(&threads).into()), ..access.clone() });
        }
        found
    }

    /// The object for some memory, in the block of a rank where one is given.
    pub fn object_in_block(
        &mut self,
        at: (OperationRef<'c, 'a>, &mut Failures<'c, 'a>),
        root: Root,
        rank: Option<Value<'c, 'a>>,
    ) -> usize {
        let object = self.object(root);
        let Some(rank) = rank else { return object };
        let peer = match self.values.of_value(rank).and_then(|form| form.as_constant()) {
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
