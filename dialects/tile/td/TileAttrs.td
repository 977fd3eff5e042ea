//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_ATTRS_TD
#define TILE_ATTRS_TD

include "TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Space : I32EnumAttr<"Space", "memory that a tile lives in", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">,
    I32EnumAttrCase<"Tmem", 3, "tmem">]> {
  let cppNamespace = "::tile";
}

def Tile_Scope : I32EnumAttr<"Scope", "threads that perform a copy together", [
    I32EnumAttrCase<"Thread", 0, "thread">,
    I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Warpgroup", 2, "warpgroup">,
    I32EnumAttrCase<"Cta", 3, "cta">]> {
  let cppNamespace = "::tile";
}

// An attribute with a closed set of values that are written as strings: `l2_evict = "L2::evict_first"`. C++ reads and
// builds it as an enumeration; the op's verifier lists the valid strings.
class Tile_WordAttr<EnumInfo words> : Attr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, words.summary> {
  let storageType = [{ ::mlir::StringAttr }];
  let valueType = NoneType;
  let returnType = "::tile::" # words.className;
  let convertFromStorage = "*::tile::" # words.stringToSymbolFnName # "($_self.getValue())";
  let constBuilderCall = "$_builder.getStringAttr(::tile::" # words.symbolToStringFnName # "($0))";
}

class Tile_Words<string name, string summary, list<I32EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::tile";
}

def Tile_CacheOperator : Tile_Words<"CacheOperator", "cache that a global load goes through", [
    I32EnumCase<"NonCoherent", 0, "nc">]>;

def Tile_L1Evict : Tile_Words<"L1Evict", "eviction priority of a global load in L1", [
    I32EnumCase<"Normal", 0, "L1::evict_normal">,
    I32EnumCase<"Unchanged", 1, "L1::evict_unchanged">,
    I32EnumCase<"First", 2, "L1::evict_first">,
    I32EnumCase<"Last", 3, "L1::evict_last">,
    I32EnumCase<"NoAllocate", 4, "L1::no_allocate">]>;

def Tile_L2Evict : Tile_Words<"L2Evict", "eviction priority of a global load in L2", [
    I32EnumCase<"Normal", 0, "L2::evict_normal">,
    I32EnumCase<"First", 1, "L2::evict_first">,
    I32EnumCase<"Last", 2, "L2::evict_last">]>;

def Tile_PrefetchSize : Tile_Words<"PrefetchSize", "prefetch size of a global load", [
    I32EnumCase<"Bytes64", 0, "L2::64B">,
    I32EnumCase<"Bytes128", 1, "L2::128B">,
    I32EnumCase<"Bytes256", 2, "L2::256B">]>;

def Tile_Reduce : Tile_Words<"Reduce", "operator that combines an element of the destination with one of the source", [
    I32EnumCase<"Add", 0, "add">,
    I32EnumCase<"Min", 1, "min">,
    I32EnumCase<"Max", 2, "max">,
    I32EnumCase<"UMin", 3, "umin">,
    I32EnumCase<"UMax", 4, "umax">,
    I32EnumCase<"And", 5, "and">,
    I32EnumCase<"Or", 6, "or">,
    I32EnumCase<"Xor", 7, "xor">,
    I32EnumCase<"Inc", 8, "inc">,
    I32EnumCase<"Dec", 9, "dec">]>;

def Tile_Convert : Tile_Words<"Convert", "how a conversion reads integers, or the format to which it rounds", [
    I32EnumCase<"Signed", 0, "signed">,
    I32EnumCase<"Unsigned", 1, "unsigned">,
    I32EnumCase<"Tf32", 2, "tf32">]>;

def Tile_Fill : Tile_Words<"Fill", "value that a thread writes whose predicate is false", [
    I32EnumCase<"Zero", 0, "zero">]>;

def Tile_TmemCopyShape : Tile_Words<"TmemCopyShape", "shape of a tcgen05.cp", [
    I32EnumCase<"Rows128Bits256", 0, "128x256b">,
    I32EnumCase<"Rows4Bits256", 1, "4x256b">,
    I32EnumCase<"Rows128Bits128", 2, "128x128b">,
    I32EnumCase<"Rows64Bits128", 3, "64x128b">,
    I32EnumCase<"Rows32Bits128", 4, "32x128b">]>;

def Tile_Multicast : Tile_Words<"Multicast", "warps whose lanes a tcgen05.cp writes", [
    I32EnumCase<"Warpx2Split02", 0, "warpx2::02_13">,
    I32EnumCase<"Warpx2Split01", 1, "warpx2::01_23">,
    I32EnumCase<"Warpx4", 2, "warpx4">]>;

def Tile_CacheOperatorAttr : Tile_WordAttr<Tile_CacheOperator>;
def Tile_L1EvictAttr : Tile_WordAttr<Tile_L1Evict>;
def Tile_L2EvictAttr : Tile_WordAttr<Tile_L2Evict>;
def Tile_PrefetchSizeAttr : Tile_WordAttr<Tile_PrefetchSize>;
def Tile_ReduceAttr : Tile_WordAttr<Tile_Reduce>;
def Tile_ConvertAttr : Tile_WordAttr<Tile_Convert>;
def Tile_FillAttr : Tile_WordAttr<Tile_Fill>;
def Tile_TmemCopyShapeAttr : Tile_WordAttr<Tile_TmemCopyShape>;
def Tile_MulticastAttr : Tile_WordAttr<Tile_Multicast>;

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "the location of each element of a tile";
  let description = [{
    Maps a logical index, row-major over the tile's shape, to a set of locations.

    | part | example | meaning |
    | --- | --- | --- |
    | shard | `(8, 4, 2) : (4@laneid, 1@laneid, 1)` | the iters of the index (CuTe: modes), slowest first: extents, and the stride and axis of each |
    | replica | `+ R(2 : 4@warpid)` | every element is replicated at these distances |
    | offset | `+ 5@warpid` | added to the position on an axis |
    | swizzle | `, swizzle<base = 3, bits = 3, shift = 3>` | XOR of the memory address: elements that stay together (log2), number of bits changed, distance to the bits they are XORed with |

    A stride without an axis counts elements of memory, or registers of a thread. Thread axes are
    `laneid`, `wid_in_wg`, `tid_in_wg`, `warpid`, `wgid`, `tx`, `cbx`… and `bx`…; tensor memory has
    `TLane` and `TCol`. An extent `?` is known only at run time, and so is a stride `?`. The first stride `?` may also be
    written `1@s0`, the next one `1@s1`; the view says how many elements of memory a step on such an axis is.

    The fragment `#tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>` of an 8x8 tile:

    ```text
      column     0  1 | 2  3 | 4  5 | 6  7        element (3, 5) = index 29 = coordinates (3, 2, 1)
      row 0      lane 0 lane 1 lane 2 lane 3        laneid 3*4 + 2*1 = 14
      row 1      lane 4 lane 5 lane 6 lane 7        register 1*1     = 1
      …          each lane holds two adjacent elements
    ```

    A swizzle permutes the chunks of a row depending on the row number. Over rows of 64 16-bit elements,
    `swizzle<base = 3, bits = 3, shift = 3>` stores chunk `c` of row `r` at the position of chunk `c ^ (r % 8)`:

    ```text
      row 0   0 1 2 3 4 5 6 7
      row 1   1 0 3 2 5 4 7 6
      row 2   2 3 0 1 6 7 4 5
    ```

    Extents and strides may be nested tuples, as in CuTe: inside a nested tuple the leftmost
    iter is the fastest, so `((2, 4), 8) : ((1, 2), 8)` is `(4, 2, 8) : (2, 1, 8)`. The grammar is in
    [the text of a layout](../layout-text.md).
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extent, stride, axis of each iter">:$shard,
    ArrayRefParameter<"int64_t", "extent, stride, axis of each replica iter">:$replica,
    ArrayRefParameter<"int64_t", "axis and value of each offset">:$offset,
    ArrayRefParameter<"int64_t", "nothing, or per_element, length, distance, direction">:$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_FragmentAttr : AttrDef<Tile_Dialect, "Fragment"> {
  let mnemonic = "fragment";
  let summary = "the layout of an operand of a matrix instruction, by name";
  let description = [{
    Stands for the `#tile.layout` in which an instruction has an operand in registers, or in tensor memory. Which one that is follows from the
    type of the tile: its sizes are multiples of the instruction's, and its elements are as wide as some that the instruction
    has.

    | instruction | operands | threads |
    | --- | --- | --- |
    | `mma.m16n8k32`, `mma.m16n8k16`, `mma.m16n8k8`, `mma.m16n8k4`, `mma.m8n8k4` | `a`, `b`, `c`, `rows`, `columns` | a warp |
    | `wgmma` | `a`, `c`, `rows`, `columns` | a warpgroup |
    | `tcgen05` | `c`, in tensor memory | |

    A tile of several instructions has the registers of one after those of the other, in the order in which each takes them: of `a`
    and `c` row by row of instructions, of `b` column by column.

    `rows` is for a value of each row of `c`, a tile of one column, as `tile.reduce … dim(1)` gives it: all threads that have elements of
    the row hold it. `columns` is the same for each column, a tile of one row.

    `over (rows, columns) warps`, or `warpgroups`, spreads the operands of one product. Each warp has its part of `c`; the warps of a
    row hold the same rows of `a`, those of a column the same columns of `b`. Warps are numbered row by row.

    ```text
      over (2, 4) warps       c                             a                  b
                              warp 0 | 1 | 2 | 3            warps 0 to 3       warps 0, 4 | 1, 5 | 2, 6 | 3, 7
                                   4 | 5 | 6 | 7            warps 4 to 7
    ```

    ```mlir
    !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>
    !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a over (2, 4) warps>>
    !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.b over (2, 4) warps>>
    !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (2, 4) warps>>
    !tile.buffer<128x256xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
    !tile.buffer<128x256xf32, tmem, #tile.fragment<tcgen05.c>>
    ```

    The type prints the name that it was written with. A type with a name and one with the layout that it stands for are two types, as
    two spellings of a layout are; whatever reads a layout treats them alike, and `tile.cast` converts one to the other.
    [Products](../mma.md#layouts) shows what each name stands for.
  }];
  let parameters = (ins StringRefParameter<"instruction and operand, and over how many warps or warpgroups">:$name);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout of a tile; null, after an error, when it has no such layout.
    ::tile::LayoutAttr
    layoutOf(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
             ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType,
             ::tile::Space space) const;
  }];
}

def Tile_PlanAttr : AttrDef<Tile_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "how a copy is done: what each thread moves, by which instruction";
  let description = [{
    The family of plans and the variant that made it, then the fields of the plan. The planner defines the fields: the crate
    `tile-plan` documents them, each family in the file of its plan. A field with its default is left out; one that is true is
    its name alone. Layouts are written as in `#tile.layout`.

    | family | type in `tile-plan` | plan |
    | --- | --- | --- |
    | `matched` | `MatchedCopy` | vectors whose width is still to be chosen |
    | `vectors` | `VectorCopy` | rounds of vectors: loads and stores, or `cp.async` |
    | `matrix` | `MatrixCopy` | 8x8 matrices: `ldmatrix`, `stmatrix` |
    | `registers` | `RegisterCopy` | moves, selects and shuffles |
    | `bulk` | `BulkCopy` | chunks: `cp.async.bulk` |
    | `tensor_map` | `TensorMapCopy` | boxes of a tensor: `cp.async.bulk.tensor` |
    | `tmem_copy` | `TmemCopy` | tiles to tensor memory: `tcgen05.cp` |
    | `tmem_access` | `TmemAccess` | `tcgen05.ld`, `tcgen05.st` |
    | `scalar` | `ScalarCopy` | one element at a time |

    ```text
    #tile.plan<bulk "bulk", bits = 32, chunk = 1024, src = {layout = (1024) : (1), space = shared, align = 128},
               dst = {layout = (1024) : (1), space = global, align = 256}>
    ```
  }];
  let parameters = (ins "::tile::Plan":$plan);
  let hasCustomAssemblyFormat = 1;
}

#endif // TILE_ATTRS_TD
