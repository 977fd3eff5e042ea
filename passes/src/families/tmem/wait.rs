//! Waiting for loads from tensor memory.
//!
//! `tcgen05.ld` names its destination registers when it is issued, and fills them later. LLVM takes its result for a
//! value like any other, so that nothing keeps an instruction that reads it behind the wait:
//!
//! ```text
//!   tcgen05.ld {%r1, %r2}, [%t];        tcgen05.ld {%r1, %r2}, [%t];
//!   mov.b32 {%rs1, %rs2}, %r1;  wrong   tcgen05.wait::ld;
//!   tcgen05.wait::ld;                   asm volatile ("" : "+r"(%r1), "+r"(%r2));
//!                                       mov.b32 {%rs1, %rs2}, %r1;
//! ```
//!
//! The empty assembly after the wait keeps its place, and what reads the registers reads its results.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, Value};
use tile_ops::nvvm::{self, Tcgen05WaitKind, Tcgen05WaitOp};
use tile_ops::{Builder, llvm_type, vector};

use crate::emit::Emit;

/// Registers that one assembly passes through.
const MOST: usize = 16;

/// The wait that completes a load.
#[derive(Clone, Copy)]
pub struct Wait<'c, 'a>(OperationRef<'c, 'a>);

impl<'c: 'a, 'a> Wait<'c, 'a> {
    /// The caller's next wait after `op`, in its block; where there is none, a wait right behind it.
    pub fn after(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
        let mut next = op.next_in_block();
        while let Some(op) = next {
            if Tcgen05WaitOp::cast(op).is_some_and(|wait| wait.kind() == Some(Tcgen05WaitKind::Load)) {
                return Wait(op);
            }
            next = op.next_in_block();
        }
        Wait(nvvm::tcgen05_wait(builder, Tcgen05WaitKind::Load).build().operation())
    }

    /// Makes ops right after the wait.
    pub fn then(self, emit: &mut Emit<'c, 'a, '_>, make: impl FnOnce(&mut Emit<'c, 'a, '_>, Self)) {
        let builder = emit.kit.builder;
        builder.elsewhere(|rewriter| rewriter.set_insertion_point_after(self.0), |_| make(emit, self));
    }

    /// `loaded`, a register or a vector of `count`, as it is after the wait.
    pub fn known(self, emit: &mut Emit<'c, 'a, '_>, loaded: Value<'c, 'a>, count: i64) -> Value<'c, 'a> {
        let (builder, word) = (emit.kit.builder, emit.kit.int_type(32));
        if count == 1 {
            return pass(emit, &[loaded])[0];
        }
        let words: Vec<_> = (0..count).map(|index| vector::extract(builder, loaded, &[], &[index]).value()).collect();
        let known: Vec<_> = words.chunks(MOST).flat_map(|words| pass(emit, words)).collect();
        vector::from_elements(builder, &known, Type::vector(&[count as u64], word)).value()
    }
}

/// Registers through an empty assembly that keeps its place.
fn pass<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, words: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let word = emit.kit.int_type(32);
    let result = llvm_type::several(emit.kit.builder.context, word, words.len());
    let outputs = vec!["=r".to_owned(); words.len()];
    let constraints: Vec<String> = outputs.into_iter().chain((0..words.len()).map(|index| index.to_string())).collect();
    let passed = emit.kit.assembly_value("", &constraints.join(","), words, result);
    emit.kit.parts(passed, words.len() as i64, word)
}
