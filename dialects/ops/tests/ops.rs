//! Handles and builders of a few ops, against MLIR's own parser, printer and verifier.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::operation::OperationLike;
use melior::ir::{Module, OperationRef, RegionLike, Type, ValueLike};
use melior::utility::register_all_dialects;
use tile_dialect::ir::{Arguments, Ir, Parts, named};
use tile_ops::{Builder, arith, func, gpu, llvm, memref, nvvm, scf};

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

const MODULE: &str = r#"
module attributes {gpu.container_module} {
gpu.module @m { gpu.func @k(%0: i64, %1: i64) kernel { gpu.return } }
func.func @f(%a: i64, %b: i64, %n: index, %memory: memref<8xf32>, %pointer: !llvm.ptr<3>) {
  %size = arith.constant 16 : i32
  %sum = arith.addi %a, %b overflow<nsw> : i64
  %part = memref.load %memory[%n] : memref<8xf32>
  %all = memref.alloca(%n) {alignment = 64} : memref<?xf32>
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %size args(%sum : i64, %sum : i64)
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  return
}
}
"#;

/// The module after `change`, which inserts at the `return`; verified.
fn changed(change: impl FnOnce(Builder<'_, '_>, func::FuncOp<'_, '_>)) -> String {
    let context = context();
    let mut module = Module::parse(&context, MODULE).expect("the module parses");
    Ir::with(&mut module, |ir| {
        let function = func::FuncOp::cast(named(ir.root(), func::FuncOp::NAME)[0]).expect("it is a function");
        let end = named(ir.root(), func::ReturnOp::NAME)[0];
        change(Builder::before(ir.rewriter(), end), function);
    });
    assert!(module.as_operation().verify(), "{}", module.as_operation());
    module.as_operation().to_string()
}

fn argument<'c, 'a>(function: func::FuncOp<'c, 'a>, index: usize) -> melior::ir::Value<'c, 'a> {
    let block = function.operation().region_at(0).and_then(|region| region.first_block()).expect("a body");
    // SAFETY: the argument lives as long as its function.
    unsafe { melior::ir::Value::from_raw(block.argument_at(index).expect("an argument").to_raw()) }
}

fn only<'c, 'a>(function: func::FuncOp<'c, 'a>, name: &str) -> OperationRef<'c, 'a> {
    named(function.operation(), name)[0]
}

#[test]
fn handles_read_operands_and_attributes_by_name() {
    changed(|_, function| {
        assert_eq!(function.sym_name().as_deref(), Some("f"));
        let sum = arith::AddIOp::cast(only(function, "arith.addi")).expect("an addition");
        assert_eq!((sum.lhs(), sum.rhs()), (argument(function, 0), argument(function, 1)));
        assert_eq!(sum.overflow_flags(), Some(arith::IntegerOverflowFlags::NSW));
        assert!(arith::SubIOp::cast(sum.operation()).is_none());
        let load = memref::LoadOp::cast(only(function, "memref.load")).expect("a load");
        assert_eq!(load.indices().collect::<Vec<_>>(), [argument(function, 2)]);
        let alloca = memref::AllocaOp::cast(only(function, "memref.alloca")).expect("an allocation");
        assert_eq!((alloca.dynamic_sizes().len(), alloca.symbol_operands().len()), (1, 0));
        assert_eq!(alloca.alignment(), Some(64));
        let launch = gpu::LaunchFuncOp::cast(only(function, "gpu.launch_func")).expect("a launch");
        assert_eq!(launch.kernel_operands().collect::<Vec<_>>(), [sum.result(); 2]);
        assert!(launch.dynamic_shared_memory_size().is_some() && launch.cluster_size_x().is_none());
        let fence = nvvm::FenceProxyOp::cast(only(function, "nvvm.fence.proxy")).expect("a fence");
        assert_eq!(fence.kind(), Some(nvvm::ProxyKind::AsyncShared));
        assert_eq!(fence.space(), Some(nvvm::SharedSpace::SharedCta));
    });
}

#[test]
fn builders_make_what_mlir_prints() {
    let text = changed(|builder, function| {
        let (a, b) = (argument(function, 0), argument(function, 1));
        let sum = arith::addi(builder, a, b).overflow_flags(arith::IntegerOverflowFlags::NUW).value();
        let less = arith::cmpi(builder, sum, b, arith::CmpIPredicate::Ult).value();
        let load = llvm::load(builder, argument(function, 4), builder.context.integer(32));
        let word = load.alignment(4).invariant(true).value();
        let chosen = scf::r#if(builder, less, &[sum.r#type()], builder.body(&[]), builder.body(&[])).build();
        builder.fill(chosen.operation(), 0, |_| scf::r#yield(builder, &[sum]).build());
        builder.fill(chosen.operation(), 1, |_| scf::r#yield(builder, &[a]).build());
        gpu::thread_id(builder, gpu::Dimension::Y).value();
        let kind = nvvm::ShflKind::Bfly;
        nvvm::shfl_sync(builder, word, word, word, word, kind, word.r#type()).build();
    });
    for expected in [
        "arith.addi %arg0, %arg1 overflow<nuw> : i64",
        "arith.cmpi ult,",
        "llvm.load %arg4 invariant {alignment = 4 : i64} : !llvm.ptr<3> -> i32",
        "gpu.thread_id  y",
        "nvvm.shfl.sync  bfly",
        "} else {",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
}

#[test]
fn sizes_of_operand_groups_follow_the_operands() {
    let text = changed(|builder, function| {
        let (a, n, size) = (
            argument(function, 0),
            argument(function, 2),
            only(function, "arith.constant").result_at(0).expect("a constant"),
        );
        let kernel = tile_ops::nested_symbol(builder.context, "m", "k");
        let launch = gpu::launch_func(builder, &[], n, n, n, n, n, n, &[a, a], kernel);
        launch
            .dynamic_shared_memory_size(melior::ir::Value::from(size))
            .cluster_size_x(n)
            .cluster_size_y(n)
            .cluster_size_z(n)
            .build();
        memref::alloca(builder, &[n], &[], Type::from(memref_type(builder))).alignment(16).build();
    });
    assert!(text.contains("clusters in (%arg2, %arg2, %arg2)"), "{text}");
    assert!(text.contains("args(%arg0 : i64, %arg0 : i64)"), "{text}");
    assert!(text.contains("memref.alloca(%arg2) {alignment = 16 : i64}"), "{text}");
}

fn memref_type<'c>(builder: Builder<'c, '_>) -> melior::ir::r#type::MemRefType<'c> {
    melior::ir::r#type::MemRefType::new(builder.context.integer(8), &[i64::MIN], None, None)
}
