//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Transform ops for schedules of kernels of linalg.

#ifndef TILE_TRANSFORM_OPS_TD
#define TILE_TRANSFORM_OPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_TransformOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "tile." # mnemonic,
         traits # [TransformOpInterface, TransformEachOpTrait, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::tile::transform_ops";
}

def Tile_ConvertOp : Tile_TransformOp<"convert"> {
  let summary = "Converts kernels of linalg to kernels of tiles";
  let description = [{
    Runs `--convert-linalg-to-tile` on each target: a kernel, or an op that contains kernels. Consumes the handle, and returns one of the
    same ops. An op that cannot be converted is a silenceable error with the reason.

    ```mlir
    %tiles = transform.tile.convert %launch chip("sm_90a") : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, DefaultValuedOptionalAttr<StrAttr, "\"\"">:$chip,
                       DefaultValuedOptionalAttr<I64Attr, "4">:$stages);
  let results = (outs TransformHandleTypeInterface:$converted);
  let assemblyFormat = "$target oilist(`chip` `(` $chip `)` | `stages` `(` $stages `)`) attr-dict `:` functional-type($target, $converted)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

def Tile_MapBlocksOp : Tile_TransformOp<"map_blocks"> {
  let summary = "Maps loops to blocks";
  let description = [{
    Gives each target, an `scf.forall` of one to three loops, a block for each iteration: the innermost loop is x, those around it y and z.
    Loops with begins and steps of their own, as `transform.structured.fuse` makes them, count from 0 afterwards, which
    `transform.gpu.map_forall_to_blocks` wants. Consumes the handle, and returns one of the loops.

    ```mlir
    %tile, %loop = transform.structured.fuse %result tile_sizes [64, 64] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %blocks = transform.tile.map_blocks %loop : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$blocks);
  let assemblyFormat = "$target attr-dict `:` functional-type($target, $blocks)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

def Tile_StageOp : Tile_TransformOp<"stage"> {
  let summary = "States the number of stages of loops";
  let description = [{
    Gives each target, an `scf.for` that loads tiles and multiplies them, `tile.stages`: the tiles become rings of as many.

    ```mlir
    transform.tile.stage %loop stages(3) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$stages);
  let assemblyFormat = "$target `stages` `(` $stages `)` attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

def Tile_OrderBlocksOp : Tile_TransformOp<"order_blocks"> {
  let summary = "Takes tiles in groups of rows, for the L2 cache";
  let description = [{
    The blocks of each target, a `gpu.launch` of a grid of two dimensions whose blocks have a row, y, and a column, x, of tiles, take these
    in the order of `tile.block_order`, in groups of so many rows.

    ```mlir
    transform.tile.order_blocks %launch grouped(16) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$rows);
  let assemblyFormat = "$target `grouped` `(` $rows `)` attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

def Tile_GetScheduleOp : Tile_TransformOp<"get_schedule"> {
  let summary = "The sizes of the tiles that a chip multiplies best";
  let description = [{
    For each target, a product of linalg on tensors or memrefs: the rows, columns and depths of the tiles of a block, and its threads, as
    its `tile.schedule` states them, such as `--tile-schedule-products` chooses; else as the instruction of the chip wants them. A target
    that is no product, or that no instruction multiplies, is a silenceable error.

    ```mlir
    %m, %n, %k, %threads = transform.tile.get_schedule %matmul chip("sm_90a")
      : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$chip);
  let results = (outs TransformParamTypeInterface:$rows, TransformParamTypeInterface:$columns, TransformParamTypeInterface:$depths,
                      TransformParamTypeInterface:$threads);
  let assemblyFormat = "$target `chip` `(` $chip `)` attr-dict `:` functional-type($target, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

def Tile_ScheduleLaunchOp : Tile_TransformOp<"schedule_launch"> {
  let summary = "Gives launches the threads and the order of blocks of their product's schedule";
  let description = [{
    The blocks of each target, a `gpu.launch` of a grid of two dimensions with a product of linalg, get as many threads as the schedule of
    the product has, and take tiles in groups of as many rows, as by `transform.tile.order_blocks`. A product without threads in its
    schedule is a silenceable error.

    ```mlir
    transform.tile.schedule_launch %launch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
      ::mlir::transform::TransformRewriter &rewriter,
      ::mlir::Operation *target,
      ::mlir::transform::ApplyToEachResultList &results,
      ::mlir::transform::TransformState &state);
  }];
}

#endif // TILE_TRANSFORM_OPS_TD
