//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Sorts of whole arrays.

#ifndef TILE_SORT_OPS_TD
#define TILE_SORT_OPS_TD

include "TileScanOps.td"

def Tile_SortOp : Tile_Op<"sort", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "stable sort of an array in global memory, with values that follow their keys";
  let description = [{
    Writes the keys in ascending order, or `descending`. Keys that are equal keep their order. The values of a second array, if there
    is one, go where their keys go (docs/sort.md).

    ```text
      keys     3  1  2  1        1  1  2  3
      values   a  b  c  d        b  d  c  a
    ```

    ```mlir
    func.func @host(%keys: memref<?xf32>, %values: memref<?xi32>, %sorted: memref<?xf32>, %moved: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
      tile.sort @kernels::@sort ins(%keys, %values : memref<?xf32>, memref<?xi32>)
        outs(%sorted, %moved : memref<?xf32>, memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
      return
    }
    ```

    This is a host-side op, as [`tile.scan`](#tilescan-tilescanop): `--lower-tile-scan` adds kernels to the `gpu.module` that the
    symbol names, and replaces the op by their launches: a histogram, and a pass for each 8 bits of a key. No block of them needs
    progress of another one.

    **Keys.** i8, i16, i32, i64, f16, bf16, f32 or f64. Integers are signed, with `unsigned_keys` they are not. Floats have the order of
    IEEE 754's *totalOrder*: negative NaN, -inf, …, -0, +0, …, +inf, positive NaN.

    **Values.** Integers or floats of 8, 16, 32 or 64 bits.

    **Arrays.** All are dense and one-dimensional, have the same length, less than 2^30, and do not overlap.

    **Workspace.** Must be all zeros before its first use, and is aligned to 16 bytes. The pass reports the bytes it needs in its
    remark: `Header + Words * ceil(n / Tile) + 16 * ceil(n * KeyBytes / 16) + 16 * ceil(n * ValueBytes / 16)`. A workspace whose
    size is known to be less is an error.

    **Epoch.** Starts at 1 and grows by 1 with every sort in the same workspace.

    **Kernels.** `<name>_histogram`, then `<name>_0`, `<name>_1`, …, one for each byte of a key. Each takes `(ins…, outs…, workspace:
    pointers, n: i64, epoch: i32)`.

    | attribute | values | meaning |
    | --- | --- | --- |
    | `descending` | unit | from the largest key to the smallest |
    | `unsigned_keys` | unit | integers are not negative |
    | `strategy` | `decoupled_fallback`, `decoupled_lookback` | this one, or an error that says why not |
    | `items` | elements | elements of a tile per thread |
    | `max_spin` | polls | number of polls without change after which a warp counts a missing tile |
    | `skip_post`, `hold`, `reverse`, `poll_cap`, `counters` | | fault injection, for tests: docs/scan.md |
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Arg<Variadic<AnyMemRef>, "keys, and values", [MemRead]>:$sources,
                       Arg<Variadic<AnyMemRef>, "the same, sorted", [MemWrite]>:$dests,
                       Arg<AnyMemRef, "counts of tiles, and elements between passes", [MemRead, MemWrite]>:$workspace,
                       I32:$epoch, UnitAttr:$descending, UnitAttr:$unsigned_keys,
                       OptionalAttr<Tile_ScanStrategyAttr>:$strategy, OptionalAttr<I64Attr>:$items,
                       OptionalAttr<I64Attr>:$max_spin, OptionalAttr<I64Attr>:$skip_post, OptionalAttr<I64Attr>:$hold,
                       UnitAttr:$reverse, OptionalAttr<I64Attr>:$poll_cap, UnitAttr:$counters);
  let assemblyFormat = [{
    $kernel `ins` `(` $sources `:` type($sources) `)` `outs` `(` $dests `:` type($dests) `)`
    `workspace` `(` $workspace `:` type($workspace) `)` `epoch` `(` $epoch `)` attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TILE_SORT_OPS_TD
