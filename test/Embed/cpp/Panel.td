// The dialect of another compiler: panels of a matrix, which are loaded into shared memory.

include "TileCopyInterface.td"
include "TileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Panel_Dialect : Dialect {
  let name = "panel";
  let cppNamespace = "::panel";
  let dependentDialects = ["::tile::TileDialect"];
}

def Panel_LoadOp : Op<Panel_Dialect, "load", [MemoryEffects<[MemRead]>]> {
  let summary = "rows of a matrix, loaded into shared memory by a warp";
  let arguments = (ins AnyMemRef:$matrix, Index:$row);
  let results = (outs Tile_BufferIn<"Shared">:$panel);
  let assemblyFormat = "$matrix `at` $row attr-dict `:` type($matrix) `->` type($panel)";
}

// Ops on tiles, which are lowered after accesses are ordered: Access.cpp has what they access.
def Panel_AddOp : Op<Panel_Dialect, "add"> {
  let summary = "adds a tile to another";
  let arguments = (ins Arg<Tile_BufferType, "", [MemRead]>:$source, Arg<Tile_BufferType, "", [MemRead, MemWrite]>:$sum);
  let assemblyFormat = "$source `to` $sum attr-dict `:` type($source) `to` type($sum)";
}

def Panel_ClearOp : Op<Panel_Dialect, "clear"> {
  let summary = "sets rows of a tile to 0";
  let arguments = (ins Arg<Tile_BufferType, "", [MemWrite]>:$tile, Index:$row, I64Attr:$rows);
  let assemblyFormat = "$tile `from` $row `rows` $rows attr-dict `:` type($tile)";
}

def Panel_FetchOp : Op<Panel_Dialect, "fetch"> {
  let summary = "begins to copy a tile in global memory to shared memory";
  let arguments = (ins Arg<Tile_BufferIn<"Global">, "", [MemRead]>:$source,
                       Arg<Tile_BufferIn<"Shared">, "", [MemWrite]>:$dest);
  let assemblyFormat = "$source `to` $dest attr-dict `:` type($source) `to` type($dest)";
}

def Panel_SendOp : Op<Panel_Dialect, "send"> {
  let summary = "begins to copy a tile in shared memory to global memory, in bulk";
  let arguments = (ins Arg<Tile_BufferIn<"Shared">, "", [MemRead]>:$source,
                       Arg<Tile_BufferIn<"Global">, "", [MemWrite]>:$dest);
  let assemblyFormat = "$source `to` $dest attr-dict `:` type($source) `to` type($dest)";
}

// Ops on other memory, lowered by Memory.cpp.
def Panel_ZeroOp : Op<Panel_Dialect, "zero"> {
  let summary = "sets 32 columns of rows of a memref to 0";
  let arguments = (ins AnyType:$memory, Index:$row, I64Attr:$rows);
  let assemblyFormat = "$memory `from` $row `rows` $rows attr-dict `:` type($memory)";
}

def Panel_MoveOp : Op<Panel_Dialect, "move"> {
  let summary = "moves a tile between registers and tensor memory";
  let arguments = (ins Tile_BufferType:$source, Tile_BufferType:$dest);
  let assemblyFormat = "$source `to` $dest attr-dict `:` type($source) `to` type($dest)";
}

def Panel_BringOp : Op<Panel_Dialect, "bring"> {
  let summary = "begins to copy a tile to shared memory, which an mbarrier completes";
  let arguments = (ins Tile_BufferType:$source, AnyType:$dest, AnyType:$mbarrier, StrAttr:$engine);
  let assemblyFormat = [{
    $source `to` $dest `on` $mbarrier `by` $engine attr-dict `:` type($source) `to` type($dest) `on` type($mbarrier)
  }];
}

// Ops that are copies: Copies.cpp states those of the first two, the third does so itself.
def Panel_PullOp : Op<Panel_Dialect, "pull", [AttrSizedOperandSegments]> {
  let summary = "begins to copy a part of a tile";
  let arguments = (ins Tile_BufferType:$source, Variadic<Index>:$begin, DenseI64ArrayAttr:$sizes, Tile_BufferType:$dest,
                       Optional<AnyType>:$filler, OptionalAttr<StrAttr>:$variant);
  let results = (outs Optional<Index>:$count);
  let assemblyFormat = [{
    $source `[` $begin `]` $sizes `to` $dest (`fill` `(` $filler^ `:` type($filler) `)`)? attr-dict
    `:` type($source) `to` type($dest) (`->` type($count)^)?
  }];
}

def Panel_DropOp : Op<Panel_Dialect, "drop"> {
  let summary = "copies a tile to none";
  let arguments = (ins Tile_BufferType:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Panel_StoreOp : Op<Panel_Dialect, "store", [DeclareOpInterfaceMethods<Tile_CopyOpInterface>]> {
  let summary = "copies a tile to rows of another, which may end before them";
  let arguments = (ins Tile_BufferType:$source, Tile_BufferType:$dest, Index:$row);
  let assemblyFormat = "$source `to` $dest `from` $row attr-dict `:` type($source) `to` type($dest)";
}

def Panel_YieldOp : Op<Panel_Dialect, "yield", [Terminator]> {
  let assemblyFormat = "attr-dict";
}

def Panel_ScopeOp : Op<Panel_Dialect, "scope", [SingleBlock]> {
  let summary = "ops with a terminator, whose trait libMLIR must know";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}
