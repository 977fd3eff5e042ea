//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Select, run-length encode and others whose results depend on all elements before.

#ifndef TILE_CHAINED_OPS_TD
#define TILE_CHAINED_OPS_TD

include "TileScanOps.td"

def Tile_ChainedOp : Tile_Op<"chained", [IsolatedFromAbove, AttrSizedOperandSegments,
                                         DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a pass over arrays in which each element sees a summary of all elements before it";
  let description = [{
    One pass over arrays in global memory, of which select, partition, run-length encode and reduce-by-key are bodies
    (docs/chained.md). Four regions say what it does:

    | region | arguments | yields |
    | --- | --- | --- |
    | `summary` | `%i`, the element | the payload of one element |
    | `combine` | two payloads, the first further left | the payload of both; associative, need not commute |
    | `emit` | `%i`, the payload before the element, the payload up to and including it, the element | for each array of `outs` whether the element is kept (i1), its place (i32 or i64, not negative), and the value |
    | `finish` | the payload of everything | a number for each array of `totals` |

    A payload is one number or several: each is an argument of its own. `init` is the payload before the first element. `%i`, an i64, is
    the element's index. The element is one argument for each array of `ins`.

    ```mlir
    func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %count: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
      tile.chained @kernels::@positive ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%count : memref<1xi32>)
          init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e)
      summary {
      ^bb0(%i: i64, %v: f32):
        %zero = arith.constant 0.0 : f32
        %kept = arith.cmpf ogt, %v, %zero : f32
        %one = arith.extui %kept : i1 to i32
        tile.yield %one : i32
      } combine {
      ^bb0(%l: i32, %r: i32):
        %sum = arith.addi %l, %r : i32
        tile.yield %sum : i32
      } emit {
      ^bb0(%i: i64, %before: i32, %after: i32, %v: f32):
        %kept = arith.cmpi ne, %before, %after : i32
        tile.yield %kept, %before, %v : i1, i32, f32
      } finish {
      ^bb0(%total: i32):
        tile.yield %total : i32
      }
      return
    }
    ```

    This is a host-side op, as [`tile.scan`](#tilescan-tilescanop): `--lower-tile-scan` adds the kernel to the `gpu.module` that the
    symbol names, and replaces the op by a launch.

    **Places.** In each array of `outs` the places of kept elements follow each other without a gap, in the order of the elements;
    the place that is yielded for an element that is not kept is the one of the next kept element. Results are then collected in
    shared memory and written in one piece. With `scattered` the places may be any, each used once, and each element is
    written by itself.

    **Neighbours.** With `halo`, the element is followed in `summary` and `emit` by those to its left, those to its right, and two
    bits: whether it is the first, and whether it is the last one. The neighbour beyond an end is the element itself.

    **Values.** `with(%t : f32)` passes run-time numbers to the regions `summary`, `emit` and `finish`, as their last arguments.

    **Lengths.** The number of elements is the extent of the first array of `ins`, or, if that is less, the number in the memory of
    `length(%n : memref<1xi64>)` (i32 or i64), such as the total of another op. There are at most 2^30 tiles, and no more elements
    than the payload's own counters can count. Without elements, only `finish` runs, on `init`.

    **Arrays.** All are dense and one-dimensional. Arrays that are written overlap no other one: a block may read an element after
    another block has written its results.

    **Workspace, epoch.** As those of `tile.scan`; `256 + 64 * ceil(n / 32)` bytes are always enough.

    **Kernel.** `(ins…, outs…, totals…, workspace, n: i64, epoch: i32, length if given, values…)`, launched with the
    blocks that the remark's `Grid` lists.

    | attribute | values | meaning |
    | --- | --- | --- |
    | `halo` | unit | regions see the elements next to an element |
    | `scattered` | unit | places do not follow each other |
    | `strategy` | `decoupled_fallback`, `decoupled_lookback` | this one, or an error that says why not |
    | `shape`, `threads`, `items`, `stages`, `order`, `max_spin`, `deterministic` | | as in `tile.scan` |
    | `skip_post`, `hold`, `reverse`, `poll_cap`, `counters` | | fault injection, for tests: docs/scan.md |
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Arg<Variadic<AnyMemRef>, "the elements", [MemRead]>:$sources,
                       Arg<Variadic<AnyMemRef>, "results", [MemWrite]>:$dests,
                       Arg<Variadic<AnyMemRef>, "results for all elements", [MemWrite]>:$totals,
                       Arg<Optional<AnyMemRef>, "the number of elements", [MemRead]>:$length,
                       Variadic<AnyType>:$values, ArrayAttr:$init,
                       Arg<AnyMemRef, "states of tiles", [MemRead, MemWrite]>:$workspace, I32:$epoch,
                       UnitAttr:$halo, UnitAttr:$scattered, OptionalAttr<Tile_ScanStrategyAttr>:$strategy,
                       OptionalAttr<Tile_ScanShapeAttr>:$shape, OptionalAttr<I64Attr>:$threads,
                       OptionalAttr<I64Attr>:$items, OptionalAttr<I64Attr>:$stages,
                       OptionalAttr<Tile_ScanOrderAttr>:$order, OptionalAttr<I64Attr>:$max_spin, UnitAttr:$deterministic,
                       OptionalAttr<I64Attr>:$skip_post, OptionalAttr<I64Attr>:$hold, UnitAttr:$reverse,
                       OptionalAttr<I64Attr>:$poll_cap, UnitAttr:$counters);
  let regions = (region AnyRegion:$summary, AnyRegion:$combine, AnyRegion:$emit, AnyRegion:$finish);
  let assemblyFormat = [{
    $kernel `ins` `(` $sources `:` type($sources) `)` `outs` `(` $dests `:` type($dests) `)`
    (`totals` `(` $totals^ `:` type($totals) `)`)? (`length` `(` $length^ `:` type($length) `)`)?
    (`with` `(` $values^ `:` type($values) `)`)? `init` $init `workspace` `(` $workspace `:` type($workspace) `)`
    `epoch` `(` $epoch `)` attr-dict `summary` $summary `combine` $combine `emit` $emit (`finish` $finish^)?
  }];
  let hasVerifier = 1;
}

#endif // TILE_CHAINED_OPS_TD
