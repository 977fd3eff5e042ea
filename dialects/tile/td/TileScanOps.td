//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Prefix scans of whole arrays.

#ifndef TILE_SCAN_OPS_TD
#define TILE_SCAN_OPS_TD

include "TileOps.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

defvar Tile_CombineKinds = [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"UMin", 4, "umin">,
    I32EnumAttrCase<"UMax", 5, "umax">,
    I32EnumAttrCase<"And", 6, "and">,
    I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">,
    I32EnumAttrCase<"Custom", 9, "custom">];

def Tile_CombineKind : I32EnumAttr<"CombineKind", "how two elements are combined", Tile_CombineKinds> {
  let cppNamespace = "::tile";
}

def Tile_ScanMode : I32EnumAttr<"ScanMode", "whether an element's result includes the element itself", [
    I32EnumAttrCase<"Inclusive", 0, "inclusive">,
    I32EnumAttrCase<"Exclusive", 1, "exclusive">]> {
  let cppNamespace = "::tile";
}

def Tile_ScanStrategy : Tile_Words<"ScanStrategy", "how a block obtains the prefix of its tile", [
    I32EnumCase<"DecoupledFallback", 0, "decoupled_fallback">,
    I32EnumCase<"DecoupledLookback", 1, "decoupled_lookback">,
    I32EnumCase<"ReduceThenScan", 2, "reduce_then_scan">,
    I32EnumCase<"Serial", 3, "serial">]>;

def Tile_ScanShape : Tile_Words<"ScanShape", "how a block holds its tiles", [
    I32EnumCase<"Ring", 0, "ring">,
    I32EnumCase<"Register", 1, "register">]>;

def Tile_ScanOrder : Tile_Words<"ScanOrder", "how a block gets its tile", [
    I32EnumCase<"Ticket", 0, "ticket">,
    I32EnumCase<"BlockId", 1, "block_id">]>;

def Tile_ScanStrategyAttr : Tile_WordAttr<Tile_ScanStrategy>;
def Tile_ScanShapeAttr : Tile_WordAttr<Tile_ScanShape>;
def Tile_ScanOrderAttr : Tile_WordAttr<Tile_ScanOrder>;

def Tile_ScanOp : Tile_Op<"scan", [IsolatedFromAbove, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "prefix scan of an array in global memory";
  let description = [{
    Writes to each element of the second array the result of applying the operator to all elements of the
    first array up to that position, including the element itself (`inclusive`) or not (`exclusive`).

    ```text
      x                  3  1  4  1  5
      inclusive add      3  4  8  9 14
      exclusive add      0  3  4  8  9        with init(10): 10 13 14 18 19
    ```

    This is a host-side op: `--lower-tile-scan` adds the kernel to the `gpu.module` that the symbol names
    (creating it if it does not exist; a symbol that names anything else is an error) and replaces the op by a launch.

    ```mlir
    tile.scan @kernels::@cumsum inclusive add %x to %y workspace(%w) epoch(%e)
      : memref<?xf32> to memref<?xf32>, memref<?xi8>
    ```

    `add`, `mul`, `min`, `max`, `and`, `or`, `xor` are built in; `min` and `max` are signed (`umin` and
    `umax` unsigned) and return NaN where a float operand is NaN. The operator of `custom` is a region. It
    must be associative but need not be commutative: its first argument is the operand further left. An
    element may be a vector, such as the pair (a, b) of a linear recurrence y[i] = a[i] y[i-1] + b[i]:

    ```mlir
    tile.scan @kernels::@recurrence inclusive custom %x to %y workspace(%w) epoch(%e)
      : memref<?xvector<2xf32>> to memref<?xvector<2xf32>>, memref<?xi8> combine {
    ^bb0(%l: vector<2xf32>, %r: vector<2xf32>):
      %la, %lb = vector.to_elements %l : vector<2xf32>
      %ra, %rb = vector.to_elements %r : vector<2xf32>
      %a = arith.mulf %la, %ra : f32
      %m = arith.mulf %lb, %ra : f32
      %b = arith.addf %m, %rb : f32
      %p = vector.from_elements %a, %b : vector<2xf32>
      tile.yield %p : vector<2xf32>
    }
    ```

    An exclusive scan starts with `init` or, without one, with the operator's identity; a custom operator
    without `identity` needs an `init`. In an inclusive scan, too, `init` is combined into every result.

    The clauses `workspace(%w)`, `epoch(%e)`, `init(%v : type)` and `identity(number)` may be written in any order; the first two are
    required.

    **Arrays.** Both are dense and one-dimensional, with n elements; n is known at run time. They must not overlap:
    a block may read another block's elements after that block has written its results. An array of stride -1 is read or
    written from its end, as numpy's `x[::-1]`; with two of them each result covers the elements from that one to the end:

    ```mlir
    // x  3 1 4 1 5    y  14 11 10 6 5
    tile.scan @kernels::@tails inclusive add %x to %y workspace(%w) epoch(%e)
      : memref<?xf32, strided<[-1], offset: ?>> to memref<?xf32, strided<[-1], offset: ?>>, memref<?xi8>
    ```

    **Workspace.** Must be all zeros before its first use; afterwards any launch with a larger `epoch` may reuse
    it without clearing. It is aligned to 16 bytes and has at least `256 + words * ceil(n / tile)`
    bytes; the pass reports `words` and `tile`, the bytes of state and the elements per tile, in its remark.
    `256 + 64 * ceil(n / 32)` is always enough.

    **Epoch.** Starts at 1 and grows by 1 with every launch on the same workspace, to at most 2^30 - 1. States of
    older launches then count as not written.

    **Kernel.** `(in, out, workspace: pointers to the lowest address, n: i64, epoch: i32, init: T if given)`. It may be launched with any
    number of blocks that the remark's `Grid` lists; see docs/scan.md.

    | attribute | values | meaning |
    | --- | --- | --- |
    | `strategy` | `decoupled_fallback`, `decoupled_lookback`, `reduce_then_scan`, `serial` | this one, or an error that says why not |
    | `shape` | `ring`, `register` | how a block holds its tiles: asynchronous copies through a ring in shared memory, or registers |
    | `threads` | multiple of 32 | threads that scan a tile |
    | `items` | elements | elements of a tile per thread |
    | `stages` | 2 or more | tiles in the ring |
    | `order` | `ticket`, `block_id` | how a block gets its tile (shape `register`) |
    | `max_spin` | polls | number of polls without change after which the block that needs a missing tile's sum computes it |
    | `deterministic` | unit | the same bits in every run and under every schedule |
    | `skip_post`, `hold`, `reverse`, `poll_cap`, `counters` | | fault injection, for tests: docs/scan.md |
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Tile_ScanMode:$mode, Tile_CombineKind:$kind,
                       Tile_Source<AnyMemRef>:$source, Arg<AnyMemRef, "results", [MemRead, MemWrite]>:$dest,
                       Arg<AnyMemRef, "states of tiles", [MemRead, MemWrite]>:$workspace, I32:$epoch,
                       Optional<AnyType>:$init, OptionalAttr<TypedAttrInterface>:$identity,
                       OptionalAttr<Tile_ScanStrategyAttr>:$strategy, OptionalAttr<Tile_ScanShapeAttr>:$shape,
                       OptionalAttr<I64Attr>:$threads, OptionalAttr<I64Attr>:$items,
                       OptionalAttr<I64Attr>:$stages, OptionalAttr<Tile_ScanOrderAttr>:$order,
                       OptionalAttr<I64Attr>:$max_spin, UnitAttr:$deterministic,
                       OptionalAttr<I64Attr>:$skip_post, OptionalAttr<I64Attr>:$hold,
                       UnitAttr:$reverse, OptionalAttr<I64Attr>:$poll_cap, UnitAttr:$counters);
  let regions = (region AnyRegion:$combine);
  let assemblyFormat = [{
    $kernel $mode $kind $source `to` $dest `` custom<ScanClauses>($workspace, $epoch, $init, type($init), $identity) attr-dict
    `:` type($source) `to` type($dest) `,` type($workspace) (`combine` $combine^)?
  }];
  let hasVerifier = 1;
}

#endif // TILE_SCAN_OPS_TD
