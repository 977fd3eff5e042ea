//! Loops, conversions and stores of parts of words are valid in every language.

use tile_plan::target::Target;
use tile_portable::kernel::{
    Body, Dimension, Expression, Function, KernelAccess, KernelMemory, PassedOn, PortableKernel, Statement, While,
    program,
};
use tile_portable::{Binary, Compare, Scalar};

fn kernel(memories: Vec<KernelMemory>, statements: Vec<Statement>) -> PortableKernel {
    let body = Body { statements, yields: Vec::new() };
    PortableKernel { name: "k".into(), block: [32, 1, 1], memories, numbers: 0, arguments: Vec::new(), body }
}

/// The WGSL of a kernel, after checking that every language can express it.
fn everywhere(kernel: &PortableKernel) -> String {
    for target in ["vulkan1.2", "vulkan1.3-64", "metal", "d3d12"] {
        let program = program(kernel, Target::portable(target).unwrap()).unwrap();
        program.spirv().unwrap();
        program.msl().unwrap();
        program.hlsl().unwrap();
    }
    program(kernel, Target::portable("webgpu").unwrap()).unwrap().wgsl().unwrap()
}

fn access(memory: usize, bits: u32, lanes: Vec<usize>, alignment: u32) -> KernelAccess {
    KernelAccess::new(memory, 0, bits, lanes, alignment)
}

#[test]
fn words_are_atomic_where_threads_store_parts_of_them() {
    let stored = |memories, bits, lanes: Vec<usize>, alignment| {
        let mut statements = vec![Statement::Let(0, Expression::Thread(Dimension::X))];
        let given = |lane: &usize| Statement::Let(*lane, Expression::Constant(Scalar::I32, 7));
        statements.extend(lanes.iter().map(given));
        statements.push(Statement::Store(access(0, bits, lanes, alignment)));
        statements.push(Statement::Load(access(0, 32, vec![90], 4)));
        statements.push(Statement::Store(access(1, 32, vec![90], 4)));
        everywhere(&kernel(memories, statements))
    };
    for first in [KernelMemory::Argument, KernelMemory::Shared(64)] {
        let bytes = stored(vec![first, KernelMemory::Argument], 8, vec![10, 11], 1);
        assert!(bytes.contains("array<atomic<u32>"), "{bytes}");
        assert_eq!((bytes.matches("atomicAnd(").count(), bytes.matches("atomicOr(").count()), (2, 2), "{bytes}");
        assert!(bytes.contains("atomicLoad(") && bytes.contains("255u"), "{bytes}");
        let halves = stored(vec![first, KernelMemory::Argument], 16, vec![10, 11], 4);
        assert!(!halves.contains("atomic"), "{halves}");
    }
    let private = stored(vec![KernelMemory::Private(64), KernelMemory::Argument], 16, vec![10], 2);
    assert!(private.contains("insertBits(") && !private.contains("atomic"), "{private}");
    // As many bytes as in PTX.
    let limited = stored(vec![KernelMemory::Shared(100), KernelMemory::Argument], 16, vec![10], 2);
    assert!(limited.contains("array<atomic<u32>, 25>"), "{limited}");
}

#[test]
fn loops_end_between_their_bodies() {
    let constant = |id, bits| Statement::Let(id, Expression::Constant(Scalar::I32, bits));
    let compared = Statement::Let(4, Expression::Compare(Compare::ULt, Scalar::I32, [3, 2]));
    let sum = Statement::Let(6, Expression::Binary(Binary::Add, Scalar::I32, [5, 1]));
    let all = While {
        carried: vec![(3, 0)],
        before: Body { statements: vec![compared], yields: vec![3] },
        condition: 4,
        given: vec![PassedOn { scalar: Scalar::I32, inside: 5, result: 7 }],
        after: Body { statements: vec![sum, Statement::Barrier], yields: vec![6] },
    };
    let statements = vec![
        constant(0, 0),
        constant(1, 1),
        constant(2, 10),
        Statement::While(Box::new(all)),
        Statement::Store(access(0, 32, vec![7], 4)),
    ];
    let text = everywhere(&kernel(vec![KernelMemory::Argument], statements));
    assert!(text.contains("loop {") && text.contains("workgroupBarrier()"), "{text}");
}

#[test]
fn numbers_are_converted_in_every_language() {
    use Scalar::{Bf16, Bool, F16, F32, I8, I16, I32};
    let mut statements = vec![Statement::Let(0, Expression::Thread(Dimension::X))];
    let mut next = 1;
    let mut add = |expression| {
        statements.push(Statement::Let(next, expression));
        next += 1;
        next - 1
    };
    let bit = add(Expression::Compare(Compare::Eq, I32, [0, 0]));
    for signed in [false, true] {
        for (from, to) in [(Bool, F32), (I8, F16), (I16, Bf16), (I32, F32), (I32, F16)] {
            let value = if from == Bool { bit } else { 0 };
            let float = add(Expression::ToFloat { from, to, signed, value });
            let integer = if from == Bool { I8 } else { from };
            add(Expression::ToInteger { from: to, to: integer, signed, value: float });
            for function in [Function::Floor, Function::Ceil, Function::Trunc, Function::Absolute] {
                add(Expression::Function(function, to, float));
            }
            add(Expression::Signed(to, [float, float]));
        }
    }
    let text = everywhere(&kernel(Vec::new(), statements));
    assert!(["i32_value(", "u32_value(", "floor(", "ceil(", "trunc("].iter().all(|name| text.contains(name)), "{text}");
}
