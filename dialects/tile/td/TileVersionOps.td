//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Regions that are compiled twice.

#ifndef TILE_VERSION_OPS_TD
#define TILE_VERSION_OPS_TD

include "TileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Tile_VersionOp : Tile_Op<"version",
    [AttrSizedOperandSegments, NoRegionArguments, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a region that is compiled twice: with promises that are tested at run time, and without";
  let description = [{
    Executes its region once. Where all promises hold, a copy of the region that relies on them is executed, with the widest
    accesses that they allow; else one that does not. Nothing is undefined: what `tile.assume` promises, a version tests.

    | clause | tests |
    | --- | --- |
    | `%n divisible_by` d | that an integer is a multiple of d |
    | `%m divisible_by` d | that the rows of a memref are: each stride other than 1, and the extent of each dimension of stride 1, in elements |
    | `%m aligned` b | that the first element of a memref, or the address that a pointer holds, is at a multiple of b bytes, a power of two |

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @rows(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
        %a = tile.view %A : memref<?x?xf16>
        %b = tile.view %B : memref<?x?xf16>
        %r = tile.alloc : !tile.buffer<1x512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
        %row = gpu.block_id x
        tile.version %A divisible_by 8, %B divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {
          tile.copy %a[%row, 0] [1, 512] to %r scope(cta) masked         // loads of 128 bits, or of 16
            : !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
            to !tile.buffer<1x512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
          tile.copy %r to %b[%row, 0] [1, 512] scope(cta) masked
            : !tile.buffer<1x512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
            to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
        }
        gpu.return
      }
    }
    ```

    The promises hold for the operands in the region, and for all that is computed from them: extents, strides and views that
    are made before the region are made again in the copy that relies on the promises, as `%a` and `%b` are here. A promise that
    is known to hold takes no test.

    The region may have results, which `tile.yield` passes. All threads that share a copy in the region must have the same
    operands, and all threads of a block where there is a barrier in it, or a copy of scope `cta`. Shared tiles that are allocated
    in the region are allocated once. Versions may be in versions.

    `--tile-expand-versions` makes an `scf.if` of the op, as do the passes that plan copies, before anything else.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Variadic<AnyType>:$addresses, DenseI64ArrayAttr:$divisors,
                       DenseI64ArrayAttr:$alignments);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<Promises>($values, type($values), $divisors, $addresses, type($addresses), $alignments) (`->` type($results)^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["BlockScanOp", "ChainedOp", "MapOp", "ReduceOp", "ScanOp", "TotalOp", "VersionOp"]>]> {
  let summary = "the results of a region";
  let description = [{
    Ends the region of a `tile.scan`, `tile.block_scan` or `tile.reduce`, with the result of its operator, a region of a `tile.chained`, of a `tile.map`, with an element of each
    result, of a `tile.total`, with a term, or of a `tile.version`, with its results; without results, it may be left out.

    ```mlir
    tile.scan @kernels::@longest exclusive custom %x to %y workspace(%w) epoch(%e) identity(0 : i32)
      : memref<?xi32> to memref<?xi32>, memref<?xi8> combine {
    ^bb0(%l: i32, %r: i32):
      %m = arith.maxsi %l, %r : i32
      tile.yield %m : i32
    }
    ```
    ```mlir
    func.func @rest(%n: index) -> index {
      %rest = tile.version %n divisible_by 4 : index -> index {
        %c4 = arith.constant 4 : index
        %r = arith.remui %n, %c4 : index          // 0, without a division, where the promise holds
        tile.yield %r : index
      }
      return %rest : index
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* without results */ }]>];
}

#endif // TILE_VERSION_OPS_TD
