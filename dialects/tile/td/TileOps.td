//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_OPS_TD
#define TILE_OPS_TD

include "TileTypes.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

// The accesses in flight after asynchronous copies have been issued. Every asynchronous op writes this resource, so that
// none is moved across another, or is treated as a plain read and write.
def Tile_InFlight : Resource<"::tile::InFlightResource">;

// The two sides of a copy, with their memory effects.
class Tile_Source<Constraint type = Tile_BufferType> : Arg<type, "the source of the copy", [MemRead]>;
class Tile_Dest<Constraint type = Tile_BufferType> : Arg<type, "the destination of the copy", [MemWrite]>;
class Tile_Barrier<Constraint type> : Arg<type, "the mbarrier that completes the copy", [MemRead, MemWrite]>;

// How attributes are read from and written to bytecode (cpp/Bytecode.cpp): by name, where the generated code stores them by their position
// among the others.
def AttributesByName : NativeOpTrait<"Trait", [], [{}], [{
  ::llvm::LogicalResult $cppClass::readProperties(::mlir::DialectBytecodeReader &reader, ::mlir::OperationState &state) {
    ::mlir::DictionaryAttr attributes = ::tile::readAttributes(reader, state, getAttributeNames());
    return ::mlir::success(attributes && ::mlir::succeeded(setPropertiesFromAttr(
        state.getOrAddProperties<Properties>(), attributes, [&] { return reader.emitError(); })));
  }
  void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
    writer.writeOptionalAttribute(getPropertiesAsAttr(getContext(), getProperties()));
  }
}]> {
  let cppNamespace = "::mlir::BytecodeOpInterface";
}

class Tile_Op<string mnemonic, list<Trait> props = []> : Op<Tile_Dialect, mnemonic, props> {
  let useCustomPropertiesEncoding = 1;
  // The sizes of groups of operands are an attribute, too.
  defvar segments = !foldl(0, props, found, trait, !or(found, !eq(trait, AttrSizedOperandSegments)));
  bit hasAttributes = !foldl(segments, !range(!size(arguments)), found, at,
                             !or(found, !initialized(!getdagarg<AttrConstraint>(arguments, at))));
  let traits = !if(hasAttributes, !listconcat(props, [AttributesByName]), props);
}

def Tile_Pointer : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "LLVM pointer",
                        "::mlir::LLVM::LLVMPointerType">;

def Tile_ViewOp : Tile_Op<"view", [Pure, ViewLikeOpInterface]> {
  let summary = "views a memref as a tile";
  let description = [{
    Views the memory of a memref as a tile. The tile has the memref's element type and also its shape,
    unless the memref has a single dense dimension that holds the whole tile. The layout counts elements
    from the memref's first element, and agrees with the memref's strides where those are not dense.
    The space is `global` for memrefs in the default or the global address space and `shared` for the
    workgroup address space. A memref in the private space is one thread's registers.

    Extents and strides that are known only at run time, `?` in the tile's type, are those of the memref, or are passed as
    operands, in the order of the type: `extents` for the shape, `strides` for the layout. They must be passed where the
    memref has one dimension, or where the source is a pointer. Strides passed as operands take precedence over the
    memref's: what is known of them (`tile.assume`, arithmetic) determines how wide copies are. All threads pass the same
    values, each at least 0.

    Without a type after `to`, the tile has the memref's shape, strides and space.

    `divisible_by` and `aligned` promise about the memref, or the pointer, what a `tile.assume` of it promises; the tile is then a
    view of that op's result.

    A view outside of a `gpu.launch` may be used inside it. Canonicalization clones it into the launch, so that outlining
    passes the memref. A view of a `memref.cast` becomes a view of the operand of the cast, where that has the same shape
    and strides.

    ```mlir
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %p = tile.view %P : memref<32x32xf32, strided<[48, 1]>>
      to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
    %same = tile.view %A : memref<32x32xf32>
    %f = tile.view %F : memref<4096xf32>
      to !tile.buffer<64x64xf32, global, #tile.layout<(64, 8, 8) : (8, 512, 1)>>
    %d = tile.view %D : memref<?x?xf16, strided<[?, 1], offset: ?>>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    %e = tile.view %G extents(%m, %n) strides(%ld) : memref<?xf16>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    %q = tile.view %pointer extents(%m, %n) strides(%ld) : !llvm.ptr<1>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    %rows = tile.view %M divisible_by 8 aligned 16 : memref<?x?xf16>
    ```
  }];
  // Extents, then strides; or strides alone.
  let arguments = (ins AnyTypeOf<[AnyMemRef, Tile_Pointer]>:$source, Variadic<Index>:$runTime,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$divisor,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$alignment);
  let results = (outs Tile_BufferType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source, CArg<"::mlir::ValueRange", "{}">:$runTime)>];
  let assemblyFormat = [{
    $source attr-dict `` custom<Viewed>($runTime, $divisor, $alignment, type($source), type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_AllocOp : Tile_Op<"alloc"> {
  let summary = "allocates a tile in shared memory, registers or tensor memory";
  let description = [{
    Shared memory is one static array per op, which lives as long as the block and is aligned as the copies
    need (`alignment`, in bytes, requests more). Registers are one array per thread, as large as the span of
    the layout's memory axis. Tensor memory is columns of one allocation of the kernel, which its first warp makes at the start
    and frees after their last use: at most 512 columns of 32 bits for all tiles, each a multiple of
    32. An alloc that nothing uses is dead and takes no memory. Canonicalization also erases an alloc that is only written, by `tile.copy` or `tile.fill`, together with these ops.

    ```mlir
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    %t = tile.alloc : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$alignment);
  // The effect is on the result, so that an alloc without uses is dead.
  let results = (outs Res<Tile_BufferType, "the tile", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_AllocsOp : Tile_Op<"allocs"> {
  let summary = "allocates several tiles";
  let description = [{
    Means a `tile.alloc` for each result, which the passes that read copies make of it before anything else.

    ```mlir
    %s, %r = tile.allocs : !tile.buffer<32x32xf32, shared>, !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    ```
  }];
  let results = (outs Res<Variadic<Tile_BufferType>, "the tiles", [MemAlloc]>:$tiles);
  let assemblyFormat = "attr-dict `:` qualified(type($tiles))";
  let hasVerifier = 1;
}

def Tile_ExtentsOp : Tile_Op<"extents", [Pure]> {
  let summary = "the extents of a tile";
  let description = [{
    Returns an index for each dimension of the tile, as `memref.dim` does for one of a memref. What is known of a run-time extent,
    by the view that states it or by a promise, is known of the result. The passes that read copies make that value of it before
    anything else.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %a = tile.view %A divisible_by 4 : memref<?x?xf32>
        %b = tile.view %B divisible_by 4 : memref<?x?xf32>
        %row = gpu.block_id x
        %m, %n = tile.extents %a : !tile.buffer<?x?xf32, global>
        affine.for %i = 0 to %n step 512 {
          tile.copy %a[%row, %i] [1, 512] to %b[%row, %i] scope(cta) masked
            : !tile.buffer<?x?xf32, global> to !tile.buffer<?x?xf32, global>
        }
        gpu.return
      }
    }
    ```
  }];
  let arguments = (ins Tile_BufferType:$source);
  let results = (outs Variadic<Index>:$extents);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `` custom<ExtentsOf>(type($extents), ref(type($source)))";
  let hasVerifier = 1;
}

def Tile_LocalViewOp : Tile_Op<"local_view", [Pure, ViewLikeOpInterface]> {
  let summary = "one thread's registers of a local tile";
  let description = [{
    Views the registers of a `local` tile that the executing thread holds as a one-dimensional memref,
    so that other code can compute on them. Register `i` is address `i` of the layout's memory axis. The type after `to` may be left
    out.

    ```mlir
    %m = tile.local_view %r
      : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<8xf32>
    ```
  }];
  let arguments = (ins Tile_BufferIn<"Local">:$source);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) custom<RegistersOf>(type($result), ref(type($source)))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_AssumeOp : Tile_Op<"assume",
    [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>, SameOperandsAndResultType]> {
  let summary = "promises that a value is a multiple of a number, how memory is aligned, or which threads have the same value";
  let description = [{
    Returns its operand where the promise holds, and poison where it does not. A copy that uses the result may
    rely on the promise.

    Clauses may be written in any order, each at most once.

    | clause | promises |
    | --- | --- |
    | `divisible_by` n | that an integer is a multiple of n; of a memref, that its rows are: each stride other than 1, and the extent of each dimension of stride 1, in elements |
    | `aligned` b | that a memref's first element, or the address that a pointer holds, is at a multiple of b bytes, a power of two |
    | `uniform(scope)` | that all threads of one warp, warpgroup or cta that execute the op have the same value |
    | `distinct(cta)` | that no two threads of a cta have the same value, nor one thread twice; with `uniform(scope)`, no two of these scopes, nor one scope twice |

    A value that the compiler can compute exactly, from thread ids and constants, needs no promise; where both exist, the
    computed value takes precedence.

    ```mlir
    %o8 = tile.assume %o divisible_by 8 : index
    %row = tile.assume %r uniform(warp) : index
    %both = tile.assume %o divisible_by 8 uniform(cta) : index
    %memory = tile.assume %m uniform(cta) : memref<32x32xf32>
    %rows = tile.assume %M divisible_by 8 aligned 16 : memref<?x?xf16>
    %slot = tile.assume %s uniform(warp) distinct(cta) : index
    ```

    `distinct` is for scattered accesses: rows, slots or bins whose numbers are loaded from memory. Each execution of the op
    gives another number, in all iterations of the loops around it, so that accesses through two of them need no order:

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @scatter(%A: memref<64x64xf32>, %rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>} {
        %a = tile.view %A : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
        %b = tile.view %B : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
        %c4 = arith.constant 4 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %thread = gpu.thread_id x
        %warp = arith.divui %thread, %c32 : index
        scf.for %i = %warp to %c64 step %c4 {
          %row = memref.load %rows[%i] : memref<64xindex>
          %own = tile.assume %row uniform(warp) distinct(cta) : index      // no row comes twice
          tile.copy %a[%i, 0] [1, 64] to %b[%own, 0] [1, 64] scope(warp)
            : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, global>
        }
        gpu.return
      }
    }
    ```

    Breaking the promise is harmless by itself: only a use of the result is undefined, and only if it is executed.
    A copy whose region starts at poison is undefined, but not if it is never reached. So the op has no effects, and
    may be executed where its users are not, as in front of a loop that runs zero times. The promise holds for the
    result only, not for other uses of `%o`. Promises of `uniform` and `distinct` are about the threads that execute the
    op, so such an op is not hoisted. A broken promise of `distinct` is a race, which the simulator reports with both threads.

    A promise that holds for a constant operand, or that the `tile.assume` defining the operand already makes, is folded
    away. A promise that a constant breaks is kept, and the exact value takes precedence.
  }];
  let arguments = (ins AnyType:$value, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$divisor,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$alignment,
                       OptionalAttr<Tile_Scope>:$uniform, OptionalAttr<Tile_Scope>:$distinct);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value `` custom<AssumeClauses>($divisor, $alignment, $uniform, $distinct) attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TmemOp : Tile_Op<"tmem", [Pure]> {
  let summary = "names tensor memory as a tile";
  let description = [{
    Views tensor memory as a tile. The address is the one that `nvvm.tcgen05.alloc` wrote: the lane in its
    upper 16 bits, the 32-bit column in its lower. The layout gives the lane and column of each element
    relative to that address; its columns count elements of 8 to 32 bits, packed side by side.

    ```mlir
    %t = tile.tmem %address
      : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    ```
  }];
  let arguments = (ins I32:$address);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$address attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // TILE_OPS_TD
