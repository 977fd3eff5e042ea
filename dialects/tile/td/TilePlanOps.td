//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Ops between the passes: what a copy becomes, whose plan says what it does, and an instruction that NVVM has no op for.

#ifndef TILE_PLAN_OPS_TD
#define TILE_PLAN_OPS_TD

include "TileOps.td"

def Tile_PlannedCopyOp : Tile_Op<"planned_copy", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a copy with a plan: how threads and instructions do it";
  let description = [{
    The result of `--tile-align-layouts`, and, with vectors whose width is chosen, of `--tile-vectorize-copy`; it is expanded by
    `--tile-expand-copy`. The [plan](#planattr) says which thread moves which elements by which instruction. The buffers are
    those of the plan's sides: the source and the destination of a copy, one buffer where nothing is read. The plan counts
    the run-time values that follow each buffer in brackets from 0, and those of `masked` likewise.

    Threads whose `predicate` is false take no part, or write zeros with `zero_fill`. `masked` gives run-time begins of
    regions and extents of buffers, `fill` the value that is written where nothing is read. A bulk copy to shared memory is
    completed by `mbarrier`, in the CTA `remote_cta` where that is another one, or in those of `cta_mask`. Part `i` of a copy `through` tensor maps takes
    map `i`; `rows` are the rows that its boxes name by their numbers; from row `until` on, rows are outside; `filter` moves the
    pixels of images that they take. For an asynchronous copy the op only issues
    the copy.

    Layouts, alignments and what is known of run-time values are part of the plan. A pass that did not make the plan itself
    checks that what the plan relies on is proven, and reports an error otherwise.

    ```mlir
    tile.planned_copy %a[%row] to %s scope(warp)
      plan<matched "gmem_smem", threads = 32, bits = 32,
        src = {layout = (256) : (1), space = global, align = 16, terms = [ {value = 0, stride = 32} ]},
        dst = {layout = (256) : (1), space = shared, align = 16}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 4, bits = 32,
        src = {layout = (2, 32, 4) : (128, 4, 1), space = global, align = 16},
        dst = {layout = (2, 32, 4) : (128, 4, 1), space = shared, align = 16}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    The rows from `%row` on, of a buffer of 32 rows:

    ```mlir
    tile.planned_copy %a[%row] to %s scope(warp) masked(%row) fill(%zero : f32)
      plan<matched "gmem_smem", threads = 32, bits = 32,
        mask = {digits = [ {extent = 8, dimension = 0, step = 1}, {extent = 32, dimension = 1} ],
                limits = [ {of = src, dimension = 0, begin = dynamic{value = 0}, extent = const(32)} ], fill = zero},
        src = {layout = (8, 32) : (32, 1), space = global, align = 16, terms = [ {value = 0, stride = 32} ]},
        dst = {layout = (8, 32) : (32, 1), space = shared, align = 16}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```
  }];
  let arguments = (ins Variadic<Tile_BufferType>:$buffers, Variadic<Index>:$values, Optional<I1>:$predicate,
                       Variadic<Index>:$maskValues, Optional<AnyType>:$filler,
                       Optional<AnyType>:$barrier, Optional<I32>:$remoteCta, Optional<I16>:$ctaMask, Variadic<Tile_TensorMapType>:$maps,
                       Variadic<Index>:$rows, Optional<Index>:$until, Variadic<Index>:$filter, DenseI64ArrayAttr:$value_counts, Tile_Scope:$scope, UnitAttr:$zero_fill, Tile_PlanAttr:$plan);
  let assemblyFormat = [{
    custom<Buffers>($buffers, $values, $value_counts) `scope` `(` $scope `)`
    (`mbarrier` `(` $barrier^ `:` type($barrier) `)`)? (`remote_cta` `(` $remoteCta^ `)`)? (`cta_mask` `(` $ctaMask^ `)`)?
    (`through` `(` $maps^ `:` qualified(type($maps)) `)`)? (`rows` `(` $rows^ `)`)? (`until` `(` $until^ `)`)?
    (`filter` `(` $filter^ `)`)? (`predicate` `(` $predicate^ `)`)? (`zero_fill` $zero_fill^)? (`masked` `(` $maskValues^ `)`)?
    (`fill` `(` $filler^ `:` type($filler) `)`)? `plan` `` custom<Plan>($plan) attr-dict
    `:` custom<BufferTypes>(type($buffers))
  }];
  let hasVerifier = 1;
}

def Tile_WarpgroupMmaOp : Tile_Op<"warpgroup_mma", [AllTypesMatch<["sums", "result"]>]> {
  let summary = "one wgmma whose left factor is in registers";
  let description = [{
    What a [`tile.mma`](#tilemma-tilemmaop) by `wgmma` becomes where its left factor is in registers: `nvvm.wgmma.mma_async`, which is
    for factors in shared memory, has no form for that. `--tile-expand-copy` expands it. The names of elements are those of PTX; each
    register of the left factor has 32 bits. The result is in flight until its group has been waited for.

    ```mlir
    %before = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
    %a = arith.constant 0 : i32
    %b = arith.constant 0 : i64
    %after = tile.warpgroup_mma %before, [%a, %a, %a, %a], %b elements("f16", "f16") transposed
      : !llvm.struct<(f32, f32, f32, f32)>
    ```
  }];
  let arguments = (ins AnyType:$sums, Variadic<I32>:$a, I64:$b, StrAttr:$element_a, StrAttr:$element_b, UnitAttr:$transposed);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $sums `,` `[` $a `]` `,` $b `elements` `(` $element_a `,` $element_b `)` (`transposed` $transposed^)? attr-dict `:` type($sums)
  }];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::llvm::success(tileWarpgroupMmaVerify(wrap(getOperation())));
    }
  }];
}

#endif // TILE_PLAN_OPS_TD
