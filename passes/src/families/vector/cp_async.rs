//! `cp.async`: what each vector of a `tile.vector_copy "ldgsts"` becomes.

use melior::ir::Value;

use crate::emit::{Emit, Storage, Sum, Width};

/// What all the instructions of a copy have in common.
pub struct CpAsync<'p, 'c, 'a> {
    /// Bytes of one instruction, and how many elements they are.
    pub width: Width,
    /// Bytes to read, where a predicate fills all other bytes of the destination with zeros.
    pub read: Option<Value<'c, 'a>>,
    /// How much to prefetch into L2: `L2::128B`.
    pub prefetch: Option<&'p str>,
}

impl<'c, 'a> CpAsync<'_, 'c, 'a> {
    /// Issues one vector, between addresses in elements.
    pub fn issue(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        (from, source): (Storage<'c, 'a>, Sum<'c, 'a>),
        (to, target): (Storage<'c, 'a>, Sum<'c, 'a>),
    ) {
        let source = emit.pointer(from, source, "!llvm.ptr<1>");
        let target = emit.pointer(to, target, "!llvm.ptr<3>");
        let operands: Vec<_> = [target, source].into_iter().chain(self.read).collect();
        match self.prefetch {
            None => self.intrinsic(emit, &operands),
            Some(prefetch) => self.assembly(emit, &operands, prefetch),
        }
    }

    /// Past L1 where the instruction can: 16 bytes only.
    fn modifier(&self) -> &'static str {
        if self.width.bytes == 16 { "cg" } else { "ca" }
    }

    fn intrinsic(&self, emit: &mut Emit<'c, 'a, '_>, operands: &[Value<'c, 'a>]) {
        let modifier = emit.builder.parse(&format!("#nvvm<load_cache_modifier {}>", self.modifier()));
        let size = emit.i32_attribute(self.width.bytes);
        emit.builder.op("nvvm.cp.async.shared.global", operands, &[], &[("size", size), ("modifier", modifier)]);
    }

    /// NVVM has no prefetch size.
    fn assembly(&self, emit: &mut Emit<'c, 'a, '_>, operands: &[Value<'c, 'a>], prefetch: &str) {
        let (modifier, bytes) = (self.modifier(), self.width.bytes);
        let (read, constraint) = if self.read.is_some() { (", $2", ",r") } else { ("", "") };
        let text = format!("cp.async.{modifier}.shared.global.{prefetch} [$0], [$1], {bytes}{read};");
        let attributes = [
            ("asm_string", emit.builder.string(&text)),
            ("constraints", emit.builder.string(&format!("l,l{constraint},~{{memory}}"))),
            ("has_side_effects", emit.builder.context.unit()),
        ];
        emit.builder.op("llvm.inline_asm", operands, &[], &attributes);
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// `bytes` where the predicate holds, else 0.
    pub fn bytes_where(&mut self, predicate: Value<'c, 'a>, bytes: i64) -> Value<'c, 'a> {
        let i32_type = self.builder.context.integer(32);
        let number =
            |value| self.builder.value("arith.constant", &[], i32_type, &[("value", self.i32_attribute(value))]);
        let (some, none) = (number(bytes), number(0));
        self.builder.value("arith.select", &[predicate, some, none], i32_type, &[])
    }
}
