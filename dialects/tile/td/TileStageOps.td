//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The common parts of the stage ops that a tile.copy becomes between the passes; each family's ops have a separate file.

#ifndef TILE_STAGE_OPS_TD
#define TILE_STAGE_OPS_TD

include "TileOps.td"

// The verifiers are written in Rust.
defvar Tile_StageVerified = [{
  ::llvm::LogicalResult $cppClass::verify() {
    return ::llvm::success(tileStageVerify(wrap(getOperation())));
  }
}];

// Operands and options that every stage of a copy keeps.
class Tile_StageOp<string mnemonic, dag extra, list<Trait> traits = []> : Tile_Op<mnemonic,
    !listconcat([AttrSizedOperandSegments], traits)> {
  let arguments = !con((ins StrAttr:$variant,
    Tile_Source<>:$src, Variadic<Index>:$srcOffsets, DenseI64ArrayAttr:$srcTerms, Tile_LayoutAttr:$srcLayout,
    Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets, DenseI64ArrayAttr:$dstTerms, Tile_LayoutAttr:$dstLayout,
    Tile_Scope:$scope), extra);
  let hasVerifier = 1;
  let extraClassDefinition = Tile_StageVerified;
}

// The mask of a copy. `limits` are the begin and the extent of each limit; `limited` is the side (0 for the source), the
// dimension (-1 for none) and the offset of each limit; `coordinates` is extent, dimension and step of each digit of a
// position.
defvar Tile_MaskOperands = (ins Variadic<Index>:$limits, Optional<AnyType>:$filler);
defvar Tile_MaskOptions = (ins OptionalAttr<DenseI64ArrayAttr>:$limited, OptionalAttr<DenseI64ArrayAttr>:$coordinates);

// How the copy changes a destination element, other than by storing the source's: `reduce` combines the two elements;
// `filled` writes the fill value, in which case nothing is read, and the source is the destination.
defvar Tile_Effect = (ins OptionalAttr<Tile_ReduceAttr>:$reduce, UnitAttr:$filled);

// For ops of which some or all variants are asynchronous.
defvar Tile_Issues = [MemoryEffects<[MemWrite<Tile_InFlight>]>];

defvar Tile_CacheOptions = (ins OptionalAttr<Tile_CacheOperatorAttr>:$cache, OptionalAttr<Tile_L1EvictAttr>:$l1_evict,
                                OptionalAttr<Tile_L2EvictAttr>:$l2_evict, OptionalAttr<Tile_PrefetchSizeAttr>:$prefetch_size);

#endif // TILE_STAGE_OPS_TD
