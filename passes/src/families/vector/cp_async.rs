//! `cp.async`: the instruction for each vector of a plan of `ldgsts`.

use melior::ir::Value;
use tile_ops::llvm_type::Space;
use tile_ops::nvvm::{self, LoadCacheModifierKind};

use crate::emit::{Emit, Storage, Sum, Width};

/// Operands that all the instructions of a copy share.
pub struct CpAsync<'p, 'c, 'a> {
    /// The bytes and elements of one instruction.
    pub width: Width,
    /// The number of bytes to read, where a predicate fills the rest of the destination with zeros.
    pub read: Option<Value<'c, 'a>>,
    /// The amount to prefetch into L2, e.g. `L2::128B`.
    pub prefetch: Option<&'p str>,
}

impl<'c, 'a> CpAsync<'_, 'c, 'a> {
    /// Issues one vector, between addresses in elements; `masked` is the number of bytes to read where a masked copy
    /// reads only some of them.
    pub fn issue(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        masked: Option<Value<'c, 'a>>,
        (from, source): (Storage<'c, 'a>, Sum<'c, 'a>),
        (to, target): (Storage<'c, 'a>, Sum<'c, 'a>),
    ) {
        let source = emit.pointer(from, source, Space::Global);
        let target = emit.pointer(to, target, Space::Shared);
        let read = masked.or(self.read);
        match self.prefetch {
            Some(prefetch) => self.assembly(emit, target, source, (read, prefetch)),
            None => {
                let (bytes, modifier) = (self.width.bytes, self.modifier());
                nvvm::cp_async_shared_global(emit.kit.builder, target, source, bytes, modifier).cp_size(read).build();
            }
        }
    }

    /// Bypasses L1 where the instruction can: only with 16 bytes.
    fn modifier(&self) -> LoadCacheModifierKind {
        if self.width.bytes == 16 { LoadCacheModifierKind::Cg } else { LoadCacheModifierKind::Ca }
    }

    /// Issues the instruction as inline assembly, because NVVM has no prefetch size.
    fn assembly(
        &self,
        emit: &Emit<'c, 'a, '_>,
        target: Value<'c, 'a>,
        source: Value<'c, 'a>,
        (bytes_read, prefetch): (Option<Value<'c, 'a>>, &str),
    ) {
        let (modifier, bytes) = (self.modifier().word(), self.width.bytes);
        let (read, constraint) = if bytes_read.is_some() { (", $2", ",r") } else { ("", "") };
        let text = format!("cp.async.{modifier}.shared.global.{prefetch} [$0], [$1], {bytes}{read};");
        let operands: Vec<_> = [target, source].into_iter().chain(bytes_read).collect();
        emit.kit.assembly(&text, &format!("l,l{constraint},~{{memory}}"), &operands);
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// `bytes` where the predicate holds, else 0.
    pub fn bytes_where(&mut self, predicate: Value<'c, 'a>, bytes: i64) -> Value<'c, 'a> {
        let (some, none) = (self.kit.i32(bytes), self.kit.i32(0));
        self.kit.select(predicate, some, none)
    }
}
