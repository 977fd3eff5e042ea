//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Functions of the elements of tiles, reductions and scans.

#ifndef TILE_ELEMENTWISE_OPS_TD
#define TILE_ELEMENTWISE_OPS_TD

include "TileOps.td"
include "TileScanOps.td"

class Tile_ComputedTiles<string what, list<OpVariableDecorator> effects>
  : Arg<Variadic<AnyTypeOf<[Tile_BufferIn<"Local">, Tile_BufferIn<"Shared">]>>, what, effects>;

def Tile_ReduceKind : I32EnumAttr<"ReduceKind", "what a dimension is reduced to", !listconcat(Tile_CombineKinds, [
    I32EnumAttrCase<"ArgMin", 10, "argmin">,
    I32EnumAttrCase<"ArgMax", 11, "argmax">])> {
  let cppNamespace = "::tile";
}

class Tile_ElementwiseOp<string name> : Tile_Op<name, [AttrSizedOperandSegments, SingleBlock]> {
  let hasRegionVerifier = 1;
}

def Tile_MapOp : Tile_ElementwiseOp<"map"> {
  let summary = "a function of the elements of tiles";
  let description = [{
    Computes each element of the results from the elements of the sources at the same place. The region is the function: its
    arguments are an element of each source and, if it takes them, the coordinates, as many as the tiles have dimensions.
    `tile.yield` passes an element for each result.

    ```mlir
    %scale = arith.constant 0.125 : f32
    %low = arith.constant -1.0e30 : f32
    %x = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    %m = tile.alloc : !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
    tile.map %x, %m to %x scope(warp)
      : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>,
        !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
      to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> {
    ^bb0(%e: f32, %most: f32, %i: index, %j: index):
      %above = arith.cmpi ugt, %j, %i : index            // elements above the diagonal are left out
      %scaled = arith.mulf %e, %scale : f32
      %less = arith.subf %scaled, %most : f32
      %masked = arith.select %above, %low, %less : f32
      tile.yield %masked : f32
    }
    ```

    A function that is one op, of the elements of all sources in their order, may be written by its name, as that of `linalg.map`. The
    types of its results are those of the elements of the results:

    ```mlir
    %s = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    %t = tile.alloc : !tile.buffer<16x8xf16, shared>
    tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %s to %s scope(warp)
      : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
      to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.map { arith.truncf } %s to %t scope(warp)
      : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf16, shared>
    ```

    An extent of 1 of a source is repeated: `%m` above has one element for each row. So is a divisor of the result's extent: with 4 columns
    beside 64, each element of the source belongs to 16 columns that follow each other. The tiles may have any layouts in which the
    thread that holds an element of a result holds those of the sources, all threads in the same registers; otherwise the error
    names the thread and the element. A result may be a source; each element is read before it is written.

    Tiles may be in shared memory. The threads of the scope divide them among themselves, as a tile of the same extents in registers
    does or, without one, so that their accesses take the fewest wavefronts: each element is computed by one thread. The op becomes
    copies from shared memory to registers and back, which need the order that copies need.

    ```mlir
    %s = tile.alloc : !tile.buffer<24x100xf32, shared>
    %w = tile.alloc : !tile.buffer<1x100xf32, shared>
    tile.map %s, %w to %s scope(cta)
      : !tile.buffer<24x100xf32, shared>, !tile.buffer<1x100xf32, shared> to !tile.buffer<24x100xf32, shared> {
    ^bb0(%e: f32, %weight: f32):
      %r = arith.mulf %e, %weight : f32
      tile.yield %r : f32
    }
    ```

    The ops of the region have no effects on memory and no regions. Values from outside may be used: they may differ between
    threads, and each computes with its own. A thread that holds no element of the result computes nothing.
  }];
  let arguments = (ins Tile_ComputedTiles<"the arguments", [MemRead]>:$sources,
                       Tile_ComputedTiles<"the results", [MemWrite]>:$dests, Tile_Scope:$scope);
  let regions = (region SizedRegion<1>:$body);
  // The function makes the ops of the region, which has the elements of the sources, and returns those of the results.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$sources, "::mlir::ValueRange":$dests, "::tile::Scope":$scope,
      "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$body), [{
    build($_builder, $_state, sources, dests, scope);
    ::llvm::SmallVector<::mlir::Type> elements;
    for (::mlir::Value source : sources)
      elements.push_back(::llvm::cast<::tile::BufferType>(source.getType()).getElementType());
    ::mlir::OpBuilder::InsertionGuard guard($_builder);
    ::llvm::SmallVector<::mlir::Location> locations(elements.size(), $_state.location);
    ::mlir::Block *block = $_builder.createBlock($_state.regions.front().get(), {}, elements, locations);
    ::tile::YieldOp::create($_builder, $_state.location, body($_builder, $_state.location, block->getArguments()));
  }]>];
  let assemblyFormat = [{
    custom<Map>($sources, type($sources), $dests, type($dests), $scope, attr-dict, $body)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::llvm::success(tileMapVerify(wrap(getOperation())));
    }
  }];
}

def Tile_ReduceOp : Tile_ElementwiseOp<"reduce"> {
  let summary = "combines the elements of tiles along a dimension";
  let description = [{
    Each element of the result, whose extent along the dimension is 1, is the sum, maximum … of the elements of the source with
    the same other coordinates.

    ```mlir
    %x = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    %m = tile.alloc : !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
    tile.reduce max %x to %m dim(1) scope(warp)
      : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
      to !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
    ```

    Registers are combined first, then lanes by shuffles, then warps through a tile in shared memory, with a barrier of the scope
    before it is read and, in a loop, another one after that. The result has the layout of the source with that dimension reduced:
    threads that held parts of one row all hold its result, so that a [`tile.map`](#tilemap-tilemapop) can use it beside the row.
    It may also be held by fewer of them. For another layout the error has the one to write. The clauses `dim(n)`, the dimension, and
    `scope(s)`, the threads that share the tiles, are both required, in any order.

    Tiles may be in shared memory, as those of a [`tile.map`](#tilemap-tilemapop):

    ```mlir
    %s = tile.alloc : !tile.buffer<8x256xf32, shared>
    %r = tile.alloc : !tile.buffer<8x1xf32, shared>
    tile.reduce add %s to %r dim(1) scope(cta) : !tile.buffer<8x256xf32, shared> to !tile.buffer<8x1xf32, shared>
    ```

    `add`, `mul`, `min`, `max`, `and`, `or`, `xor` are built in; `min` and `max` are signed (`umin` and `umax` unsigned) and return
    NaN where a float operand is NaN. The order of the terms is unspecified, but all threads that hold a result have the same bits.

    `argmin` and `argmax` find where the smallest and the largest element are: the result is an integer tile of indices along the
    dimension, or two tiles, the element and its index. Of equal elements the one with the lowest index counts, and in a row with
    NaN the first NaN. Elements are compared as by `min` and `max`.

    ```mlir
    %v = tile.alloc : !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>
    %most = tile.alloc : !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>
    %at = tile.alloc : !tile.buffer<1xi32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>
    tile.reduce argmax %v to %most, %at dim(0) scope(warp) : !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>
      to !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>,
         !tile.buffer<1xi32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>
    ```

    The operator of `custom` is a region, and must be associative and commutative. It combines elements of several tiles
    together: its arguments are one element of each, then another of each. Here complex numbers are multiplied:

    ```mlir
    %re = tile.alloc : !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>
    %im = tile.alloc : !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>
    %a = tile.alloc : !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>
    %b = tile.alloc : !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>
    tile.reduce custom %re, %im to %a, %b dim(0) scope(warp)
      : !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>, !tile.buffer<32xf32, local, #tile.layout<(32) : (1@laneid)>>
      to !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>>,
         !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(32 : 1@laneid)>> combine {
    ^bb0(%r: f32, %i: f32, %s: f32, %j: f32):
      %rs = arith.mulf %r, %s : f32
      %ij = arith.mulf %i, %j : f32
      %rj = arith.mulf %r, %j : f32
      %is = arith.mulf %i, %s : f32
      %real = arith.subf %rs, %ij : f32
      %imaginary = arith.addf %rj, %is : f32
      tile.yield %real, %imaginary : f32, f32
    }
    ```
  }];
  let arguments = (ins Tile_ReduceKind:$kind, Tile_ComputedTiles<"the terms", [MemRead]>:$sources,
                       Tile_ComputedTiles<"the results", [MemWrite]>:$dests, I64Attr:$dim, Tile_Scope:$scope);
  let regions = (region AnyRegion:$combine);
  let assemblyFormat = [{
    $kind $sources `to` $dests `` custom<ReduceClauses>($dim, $scope) attr-dict
    `:` type($sources) `to` type($dests) (`combine` $combine^)?
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::llvm::success(tileReduceVerify(wrap(getOperation())));
    }
  }];
}

def Tile_TotalOp : Tile_Op<"total"> {
  let summary = "combines all elements of a tile to a value, or to several, which every thread has";
  let description = [{
    The result is the sum, maximum … of the elements of the source: a value that all threads of the scope have, with the same bits. The
    region, if there is one, is a function: what is combined are its results for each element. Each of several results is a total of its
    own; the tile is read once, and warps exchange all totals together, with the barriers of one.

    ```mlir
    %x = tile.alloc : !tile.buffer<1x256xf16, local, #tile.layout<(1, 128, 2) : (1, 1@tid_in_wg, 1)>>
    %squares = tile.total add %x scope(warpgroup) : !tile.buffer<1x256xf16, local, #tile.layout<(1, 128, 2) : (1, 1@tid_in_wg, 1)>> to f32 of {
    ^bb0(%e: f16):
      %f = arith.extf %e : f16 to f32
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    %sum, %power = tile.total add %x scope(warpgroup) : !tile.buffer<1x256xf16, local, #tile.layout<(1, 128, 2) : (1, 1@tid_in_wg, 1)>> to f32, f32 of {
    ^bb0(%e: f16):
      %f = arith.extf %e : f16 to f32
      %square = arith.mulf %f, %f : f32
      tile.yield %f, %square : f32, f32
    }
    ```

    The operators are those of [`tile.reduce`](#tilereduce-tilereduceop) but `custom`, `argmin` and `argmax`; the op is done like a reduction
    along one dimension of all elements, with the same barriers. The tile may be in registers, of which all threads of the scope hold
    elements, or in shared memory.

    With `per_warp`, each warp combines the elements that its own threads hold, without a barrier: the result is equal in the threads of
    a warp, and warps may have different ones. A condition on it is one that the threads of a warp decide alike, so that each warp
    skips what it has no need for:

    ```mlir
    %one = arith.constant 1.0 : f32
    %o = tile.alloc : !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c>>
    %factors = tile.alloc : !tile.buffer<64x1xf32, local, #tile.fragment<wgmma.rows>>
    %least = tile.total min %factors scope(warpgroup) per_warp : !tile.buffer<64x1xf32, local, #tile.fragment<wgmma.rows>> to f32
    %scales = arith.cmpf one, %least, %one : f32
    scf.if %scales {
      tile.map %o, %factors to %o scope(warpgroup)
        : !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c>>, !tile.buffer<64x1xf32, local, #tile.fragment<wgmma.rows>>
        to !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c>> {
      ^bb0(%e: f32, %factor: f32):
        %r = arith.mulf %e, %factor : f32
        tile.yield %r : f32
      }
    }
    ```
  }];
  let arguments = (ins Tile_CombineKind:$kind,
                       Arg<AnyTypeOf<[Tile_BufferIn<"Local">, Tile_BufferIn<"Shared">]>, "the terms", [MemRead]>:$source,
                       Tile_Scope:$scope,
                       UnitAttr:$per_warp);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$term);
  let assemblyFormat = [{
    $kind $source `` custom<TotalClauses>($scope, $per_warp) attr-dict `:` type($source) `to` type($results) (`of` $term^)?
  }];
  let hasRegionVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::llvm::success(tileTotalVerify(wrap(getOperation())));
    }
  }];
}

def Tile_BlockScanOp : Tile_ElementwiseOp<"block_scan"> {
  let summary = "prefixes of the elements of tiles along a dimension";
  let description = [{
    Each element of the result is the sum, maximum … of the elements of the source up to the same place along the dimension, itself
    included (`inclusive`) or not (`exclusive`). The other coordinates are the same: each row, or each column, is scanned by
    itself.

    ```mlir
    %x = tile.alloc : !tile.buffer<4x128xi32, local, #tile.layout<(2, 2, 32, 4) : (4, 1@warpid, 1@laneid, 1)>>
    tile.block_scan exclusive add %x to %x dim(1) scope(cta)
      : !tile.buffer<4x128xi32, local, #tile.layout<(2, 2, 32, 4) : (4, 1@warpid, 1@laneid, 1)>>
      to !tile.buffer<4x128xi32, local, #tile.layout<(2, 2, 32, 4) : (4, 1@warpid, 1@laneid, 1)>>
    ```

    Each thread scans its registers, then lanes exchange totals by shuffles, then warps through a tile in shared memory, with
    a barrier of the scope before it is read and, in a loop, another one after that. A result may be the source; one in registers has the
    layout of its source. Tiles may be in shared memory, as those of [`tile.reduce`](#tilereduce-tilereduceop).

    The operators are those of [`tile.reduce`](#tilereduce-tilereduceop), but the one of `custom` need not commute: its first
    arguments are the operand further left. An exclusive scan starts with `init` or, without one, with the operator's identity; with
    `custom` it needs an `init`. In an inclusive scan, too, `init` is combined into every result. Here y[i] = a[i] y[i-1] + b[i] with
    y[-1] = %y:

    ```mlir
    %y = arith.constant 1.0 : f32
    %one = arith.constant 1.0 : f32
    %a = tile.alloc : !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
    %b = tile.alloc : !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
    tile.block_scan inclusive custom %a, %b to %a, %b init(%one, %y : f32, f32) dim(0) scope(warp)
      : !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>, !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
      to !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>, !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
      combine {
    ^bb0(%la: f32, %lb: f32, %ra: f32, %rb: f32):
      %p = arith.mulf %la, %ra : f32
      %m = arith.mulf %lb, %ra : f32
      %s = arith.addf %m, %rb : f32
      tile.yield %p, %s : f32, f32
    }
    ```

    The clauses `init(%v, … : types)`, `dim(n)` and `scope(s)` may be written in any order; `dim` and `scope` are required.

    [`tile.scan`](#tilescan-tilescanop) scans whole arrays, by all blocks of a launch.
  }];
  let arguments = (ins Tile_ScanMode:$mode, Tile_CombineKind:$kind, Tile_ComputedTiles<"the terms", [MemRead]>:$sources,
                       Tile_ComputedTiles<"the results", [MemWrite]>:$dests, Variadic<AnyType>:$inits, I64Attr:$dim,
                       Tile_Scope:$scope);
  let regions = (region AnyRegion:$combine);
  let assemblyFormat = [{
    $mode $kind $sources `to` $dests `` custom<BlockScanClauses>($inits, type($inits), $dim, $scope) attr-dict
    `:` type($sources) `to` type($dests) (`combine` $combine^)?
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::llvm::success(tileBlockScanVerify(wrap(getOperation())));
    }
  }];
}

#endif // TILE_ELEMENTWISE_OPS_TD
