//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A memref that has run-time numbers, as arguments of a kernel: a pointer, then
// each number that its type leaves open, in the order of offset, extents and
// strides. Strides of dense rows follow from the extents.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

// Each stride is the product of the extents after it.
static SmallVector<OpFoldResult> denseStrides(OpBuilder &builder, Location loc,
                                              ArrayRef<OpFoldResult> extents) {
  SmallVector<OpFoldResult> steps(extents.size());
  OpFoldResult inside = builder.getIndexAttr(1);
  for (size_t i = extents.size(); i-- > 0;) {
    steps[i] = inside;
    std::optional<int64_t> extent = getConstantIntValue(extents[i]);
    std::optional<int64_t> known = getConstantIntValue(inside);
    if (extent && known)
      inside = builder.getIndexAttr(*extent * *known);
    else
      inside = arith::MulIOp::create(
                   builder, loc,
                   getValueOrCreateConstantIndexOp(builder, loc, extents[i]),
                   getValueOrCreateConstantIndexOp(builder, loc, inside))
                   .getResult();
  }
  return steps;
}

// Makes an argument that is a memref one of a single element, which becomes a
// pointer, and inserts an index after it for each number; the body sees the
// memref that these make.
extern "C" void tileSplitMemrefArgument(MlirOperation op, intptr_t index) {
  auto function = cast<FunctionOpInterface>(unwrap(op));
  BlockArgument argument = function.getArgument(index);
  auto type = cast<MemRefType>(argument.getType());
  Location loc = argument.getLoc();
  auto [strides, offset] = type.getStridesAndOffset();
  unsigned next = index;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  auto number = [&](int64_t stated) -> OpFoldResult {
    if (!ShapedType::isDynamic(stated))
      return builder.getIndexAttr(stated);
    (void)function.insertArgument(++next, builder.getIndexType(), {}, loc);
    return function.getArgument(next);
  };
  OpFoldResult begin = number(offset);
  SmallVector<OpFoldResult> extents, steps;
  for (int64_t extent : type.getShape())
    extents.push_back(number(extent));
  if (type.getLayout().isIdentity())
    steps = denseStrides(builder, loc, extents);
  else
    for (int64_t stride : strides)
      steps.push_back(number(stride));
  auto pointer = MemRefType::get({1}, type.getElementType(), AffineMap(),
                                 type.getMemorySpace());
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs[index] = pointer;
  function.setType(function.cloneTypeWith(inputs, function.getResultTypes()));
  argument.setType(pointer);
  auto strided = MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides),
      type.getMemorySpace());
  Operation *viewed = memref::ReinterpretCastOp::create(
      builder, loc, strided, argument, begin, extents, steps);
  Value memref = viewed->getResult(0);
  if (strided != type)
    memref = memref::CastOp::create(builder, loc, type, memref);
  argument.replaceAllUsesExcept(memref, viewed);
}

// Appends an argument to the inputs of a function with a body.
extern "C" MlirValue tileAppendArgument(MlirOperation op, MlirType type,
                                        MlirLocation location) {
  auto function = cast<FunctionOpInterface>(unwrap(op));
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, unwrap(type), {}, unwrap(location));
  return wrap(Value(function.getArgument(index)));
}

// Changes the type of an argument of a function with a body.
extern "C" void tileSetArgumentType(MlirOperation op, intptr_t index,
                                    MlirType type) {
  auto function = cast<FunctionOpInterface>(unwrap(op));
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs[index] = unwrap(type);
  function.setType(function.cloneTypeWith(inputs, function.getResultTypes()));
  function.getArgument(index).setType(unwrap(type));
}

// Passes other values to the kernel of a gpu.launch_func.
extern "C" void tileSetKernelOperands(MlirOperation op, intptr_t count,
                                      const MlirValue *values) {
  SmallVector<Value> operands;
  for (intptr_t i = 0; i < count; ++i)
    operands.push_back(unwrap(values[i]));
  cast<gpu::LaunchFuncOp>(unwrap(op))
      .getKernelOperandsMutable()
      .assign(operands);
}

// Sets the bytes of dynamic shared memory of a launch.
extern "C" void tileSetDynamicSharedMemory(MlirOperation op, MlirValue size) {
  Operation *launch = unwrap(op);
  if (auto func = dyn_cast<gpu::LaunchFuncOp>(launch))
    func.getDynamicSharedMemorySizeMutable().assign(unwrap(size));
  else
    cast<gpu::LaunchOp>(launch).getDynamicSharedMemorySizeMutable().assign(
        unwrap(size));
}
