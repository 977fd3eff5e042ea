// The dialect of another compiler: panels of a matrix, which are loaded into shared memory.

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

def Panel_YieldOp : Op<Panel_Dialect, "yield", [Terminator]> {
  let assemblyFormat = "attr-dict";
}

def Panel_ScopeOp : Op<Panel_Dialect, "scope", [SingleBlock]> {
  let summary = "ops with a terminator, whose trait libMLIR must know";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}
