//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Products of tiles.

#ifndef TILE_MMA_OPS_TD
#define TILE_MMA_OPS_TD

include "TileOps.td"

def Tile_MmaOp : Tile_Op<"mma"> {
  let summary = "adds the product of two tiles to a third";
  let description = [{
    `c += a x b`, of a tile of m x k elements, one of k x n and one of m x n. The factors and `c` are in registers; or the right factor
    is in shared memory, which is read through the async proxy, with `c` in registers and the left factor in either, or with `c` in
    tensor memory and the left factor in tensor memory or shared memory. All
    threads of the scope execute the op together; afterwards, without `group`, `c` has its new elements, in the layout that it has. It is
    unspecified in which order the k terms of an element are added, and how intermediate sums are rounded, within what the
    instruction guarantees.

    The layouts say which threads hold which elements; a variant is chosen that multiplies them where they are, and where none
    does, the error says what the nearest one needs. [Products](../mma.md) lists the layouts.

    ```mlir
    %a = tile.alloc : !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>
    %b = tile.alloc : !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b>>
    %c = tile.alloc : !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
    tile.mma %a, %b, %c scope(warp)
      : !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>,
        !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b>>,
        !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
    ```

    With `group` the product may still be in flight after the op. Its group is closed: `c` has its new elements, and the factors may
    be overwritten, once that has been waited for, by `nvvm.wgmma.wait.group.sync.aligned` or by what `--tile-insert-sync`
    inserts. Further products with `group` add to the same `c` without a wait, in order. A product that has no asynchronous
    instructions is complete after the op, so that the same source is one for other chips.
    [Products in flight](../mma.md#in-flight) shows a loop.

    ```mlir
    %a = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %c = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %a, %a, %c scope(warpgroup) group
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>,
        !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>,
        !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    ```

    | elements of a and b | of c | clause |
    | --- | --- | --- |
    | `f16` | `f16`, `f32` | |
    | `bf16` | `bf16`, `f32` | |
    | `f32` | `f32` | none, or `convert(tf32)`: factors are read with the precision of `tf32` |
    | `f64` | `f64` | |
    | `f8E4M3FN`, `f8E5M2`, also one of each | `f32` | |
    | `i8`, `i16` | `i32` | `convert(signed)` or `convert(unsigned)`; of b alone, where it differs, `convert_b` |
    | `i32` | `i32` | |

    With `scales`, in tensor memory, each row of `a`, and each column of `b`, has a scale for every 32 of the k terms: a power of two, of
    type `f8E8M0FNU`, by which these elements are multiplied. The tiles have m x k / 32 and k / 32 x n scales. The factors are 8-bit
    floats, and the sums in tensor memory. [Scales](../mma.md#scales) shows a kernel.

    ```mlir
    %a = tile.alloc : !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %b = tile.alloc : !tile.buffer<128x64xf8E5M2, shared, #tile.layout<(128, 64) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %c = tile.alloc : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    %of_a = tile.alloc : !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
    %of_b = tile.alloc : !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
    tile.mma %a, %b, %c scales(%of_a, %of_b : !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>,
                                              !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>) scope(cta)
      : !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>,
        !tile.buffer<128x64xf8E5M2, shared, #tile.layout<(128, 64) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>,
        !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    ```

    Clauses may be written in any order, each at most once; only `scope` is required.

    | clause | says |
    | --- | --- |
    | `scales(%a, %b : types)` | by what the factors are multiplied |
    | `scope(s)` | which threads multiply together: `thread`, `warp`, `warpgroup` or `cta` |
    | `group` | that the product may still be in flight after the op |
    | `convert(word)` | how integers are read, or `tf32` |

    | option | values | meaning |
    | --- | --- | --- |
    | `convert_b` | as `convert` | the same of b, where it differs |
    | `variant` | a variant's name | this variant, or an error that says why not |
  }];
  let arguments = (ins Arg<AnyTypeOf<[Tile_BufferIn<"Local">, Tile_BufferIn<"Shared">, Tile_BufferIn<"Tmem">]>,
                           "the left factor", [MemRead]>:$a,
                       Arg<AnyTypeOf<[Tile_BufferIn<"Local">, Tile_BufferIn<"Shared">]>, "the right factor", [MemRead]>:$b,
                       Arg<AnyTypeOf<[Tile_BufferIn<"Local">, Tile_BufferIn<"Tmem">]>, "the sum", [MemRead, MemWrite]>:$c,
                       Arg<Variadic<Tile_BufferIn<"Tmem">>, "the scales of the left and of the right factor, or none", [MemRead]>:$scales,
                       Tile_Scope:$scope, UnitAttr:$group,
                       OptionalAttr<Tile_ConvertAttr>:$convert, OptionalAttr<Tile_ConvertAttr>:$convert_b,
                       OptionalAttr<StrAttr>:$variant);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c, "::tile::Scope":$scope,
                                 CArg<"bool", "false">:$group), [{
    build($_builder, $_state, a, b, c, /*scales=*/::mlir::ValueRange(), scope, group, {}, {}, {});
  }]>];
  let assemblyFormat = [{
    $a `,` $b `,` $c `` custom<MmaClauses>($scales, type($scales), $scope, $group, $convert) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($c))
  }];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::llvm::success(tileMmaVerify(wrap(getOperation())));
    }
  }];
}

#endif // TILE_MMA_OPS_TD
