//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_TYPES_TD
#define TILE_TYPES_TD

include "TileAttrs.td"

def Tile_BufferType : TypeDef<Tile_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a tile, the memory that it is in and its layout";
  let description = [{
    `!tile.buffer<shape x element, space, layout>`. The space is `global`, `shared`, `local` (registers, spread over
    threads by the layout's thread axes) or `tmem`. The layout is a `#tile.layout`, or a `#tile.fragment` that stands for one.
    Without a layout the tile is dense and row-major; then the type prints without one.

    A tile in shared memory or in registers may leave its layout to the compiler: `auto`. `--tile-choose-layouts` chooses it from all
    accesses to the tile; in registers, from the products that decide where elements are, else from the threads among which it divides
    them; and writes it. Views of such a tile are `auto`, too, and have their layouts from then on. Until then each element is where a row-major tile would have it.

    Extents and strides of a `global` tile may be `?`: known only at run time. A `?` in the shape is a `?` among the
    layout's extents, in a separate iter. A `?` among the strides is a number that the value carries; dimensions that share
    a run-time stride refer to it by name (`1@s0`). Rows of unknown length have a run-time stride even where they are dense.

    A value of this type refers to memory, as a memref does, and is not stored in memory itself. So the type has no size
    that a data layout could give; the memory that it refers to is as large as the span of the layout, in units of the
    element's bits.

    ```mlir
    !tile.buffer<32x32xf32, global>
    !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    !tile.buffer<32x64xf16, shared, auto>
    !tile.buffer<32x64xf32, local, auto>
    !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    !tile.buffer<32x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
    !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    !tile.buffer<?x64xf32, global>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::tile::Space":$space, "::tile::LayoutAttr":$layout,
                        OptionalParameter<"::tile::FragmentAttr", "the name of the layout, if it has one">:$fragment,
                        DefaultValuedParameter<"bool", "false", "whether the layout is still to be chosen">:$isAuto);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                   "::tile::Space":$space, "::tile::LayoutAttr":$layout), [{
    return $_get($_ctxt, shape, elementType, space, layout, ::tile::FragmentAttr(), false);
  }]>];
  // Null, after an error, where there is no such tile.
  let extraClassDeclaration = [{
    using EmitError = ::llvm::function_ref<::mlir::InFlightDiagnostic()>;
    static BufferType getRowMajor(EmitError emitError, ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType, ::tile::Space space);
    static BufferType getAuto(EmitError emitError, ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType, ::tile::Space space);
    static BufferType getNamed(EmitError emitError, ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType, ::tile::Space space,
                               ::tile::FragmentAttr fragment);
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_TensorMapType : TypeDef<Tile_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "a tensor in global memory, and a box of it, as the TMA engine sees them";
  let description = [{
    What `cuTensorMapEncodeTiled`, or with pixels `cuTensorMapEncodeIm2col`, encodes to 128 bytes. Dimensions are counted from the innermost one, whose elements are adjacent.

    | field | values | meaning |
    | --- | --- | --- |
    | `element` | `float16`, `uint8`, … | the driver's name of the element type |
    | `base` | bytes | from the tensor's first element to where the map begins; 0 by default |
    | `dims` | at most 5 of `{extent, stride, box}` | `extent = const(n)`, `of(d)`: the run-time extent of dimension `d` of the tile, or `blocks{dimension = d, elements = n}`: the number of blocks of n elements in that, the last of which may be a part of one; `stride = bytes(n)`, or `times{stride = s, bytes = n}`: n bytes for each of its run-time stride `s`; `box` in elements |
    | `pixels` | at most 1024 | of images, the pixels of an instruction; none by default. Then `dims` are channels, one to three of pixels, and images; `box` is the channels of an instruction, else 1; dimensions of pixels have an `element_stride`, the step from one to the next, and `lower` and `upper` corners |
    | `swizzle` | `none`, `b32`, `b64`, `b128` | the permutation of 16-byte chunks in shared memory; `none` by default |
    | `promotion` | `none`, `b64`, `b128`, `b256` | what a miss fetches into L2 |
    | `fill` | `zero`, `nan` | what a load writes for elements outside of the tensor |

    The compiler chooses the fields from the copies that use a map: `--tile-make-maps`. A value of this type refers to no memory
    of the kernel: it is a kernel argument, or what a `tile.tensor_map` makes.

    ```mlir
    !tile.tensor_map<element = float16, dims = [ {extent = const(64), stride = bytes(2), box = 64}, {extent = of(0), stride = bytes(128), box = 32} ], swizzle = b128>
    ```
  }];
  let parameters = (ins StringRefParameter<"the fields, as the planner writes them">:$fields);
  let hasCustomAssemblyFormat = 1;
}

class Tile_BufferIn<string where> : Type<
    And<[CPred<"::llvm::isa<::tile::BufferType>($_self)">,
         CPred<"::llvm::cast<::tile::BufferType>($_self).getSpace() == ::tile::Space::" # where>]>,
    "tile.buffer in space " # where, "::tile::BufferType">;

#endif // TILE_TYPES_TD
