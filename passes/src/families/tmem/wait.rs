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

use crate::build::{Builder, result_of};
use crate::emit::Emit;
use crate::read::name;

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
            if name(op) == "nvvm.tcgen05.wait"
                && op.attribute("kind").is_ok_and(|kind| kind.to_string().contains("load"))
            {
                return Wait(op);
            }
            next = op.next_in_block();
        }
        let kind = builder.parse("#nvvm.tcgen05_wait<load>");
        Wait(builder.op("nvvm.tcgen05.wait", &[], &[], &[("kind", kind)]))
    }

    /// Makes ops right after the wait.
    pub fn then(self, emit: &mut Emit<'c, 'a, '_>, make: impl FnOnce(&mut Emit<'c, 'a, '_>, Self)) {
        let builder = emit.builder;
        builder.elsewhere(|rewriter| rewriter.set_insertion_point_after(self.0), |_| make(emit, self));
    }

    /// `loaded`, a register or a vector of `count`, as it is after the wait.
    pub fn known(self, emit: &mut Emit<'c, 'a, '_>, loaded: Value<'c, 'a>, count: i64) -> Value<'c, 'a> {
        let word = emit.builder.context.integer(32);
        if count == 1 {
            return pass(emit, &[loaded])[0];
        }
        let words: Vec<_> = (0..count)
            .map(|index| {
                let position = emit.builder.list(&[index]);
                emit.builder.value("vector.extract", &[loaded], word, &[("static_position", position)])
            })
            .collect();
        let known: Vec<_> = words.chunks(MOST).flat_map(|words| pass(emit, words)).collect();
        emit.builder.value("vector.from_elements", &known, Type::vector(&[count as u64], word), &[])
    }
}

/// Registers through an empty assembly that keeps its place.
fn pass<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, words: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let word = emit.builder.context.integer(32);
    let result = match words.len() {
        1 => word,
        count => {
            let fields = vec!["i32"; count].join(", ");
            emit.builder.context.parse_type(&format!("!llvm.struct<({fields})>")).unwrap_or(word)
        }
    };
    let outputs = vec!["=r".to_owned(); words.len()];
    let constraints: Vec<String> = outputs.into_iter().chain((0..words.len()).map(|index| index.to_string())).collect();
    let attributes = [
        ("asm_string", emit.builder.string("")),
        ("constraints", emit.builder.string(&constraints.join(","))),
        ("has_side_effects", emit.builder.context.unit()),
    ];
    let passed = emit.builder.op("llvm.inline_asm", words, &[result], &attributes);
    emit.parts(result_of(passed, 0), words.len() as i64, word)
}
