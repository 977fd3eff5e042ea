//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-memset: the driver's functions for 16 and 32 bits are all that
// upstream's conversion calls; others are filled on the host and copied.

#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERMEMSET
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// Whether the host can hold the value in an array like the one on the device.
bool isFilledByCopy(gpu::MemsetOp op) {
  auto type = dyn_cast<MemRefType>(op.getDst().getType());
  Type element = op.getValue().getType();
  if (!type || !type.getLayout().isIdentity() || !element.isIntOrIndexOrFloat())
    return false;
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return bits != 16 && bits != 32;
}

// An array on the host of the extents of another one, filled with a value.
Value filled(gpu::MemsetOp op, MemRefType type, OpBuilder &builder) {
  Location loc = op.getLoc();
  SmallVector<Value> extents, dynamic;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    extents.push_back(memref::DimOp::create(builder, loc, op.getDst(), i));
    if (type.isDynamicDim(i))
      dynamic.push_back(extents.back());
  }
  auto array = MemRefType::get(type.getShape(), type.getElementType());
  Value host = memref::AllocOp::create(builder, loc, array, dynamic);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> first(extents.size(), zero), steps(extents.size(), one);
  auto store = [&](OpBuilder &inner, Location loc, ValueRange indices) {
    memref::StoreOp::create(inner, loc, op.getValue(), host, indices);
  };
  if (extents.empty())
    store(builder, loc, {});
  else
    scf::buildLoopNest(builder, loc, first, extents, steps, store);
  return host;
}

// The array lives until the copy is complete.
void lower(gpu::MemsetOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getDst().getType());
  Value host = filled(op, type, builder);
  Type token = op.getAsyncToken() ? op.getAsyncToken().getType() : Type();
  auto copy = gpu::MemcpyOp::create(
      builder, loc, token, op.getAsyncDependencies(), op.getDst(), host);
  if (token)
    gpu::WaitOp::create(builder, loc, Type(), copy.getAsyncToken());
  memref::DeallocOp::create(builder, loc, host);
  if (token) {
    auto done = gpu::WaitOp::create(builder, loc, token, ValueRange());
    op.getAsyncToken().replaceAllUsesWith(done.getAsyncToken());
  }
  op.erase();
}

struct LowerMemset : tile::impl::TileLowerMemsetBase<LowerMemset> {
  void runOnOperation() override {
    SmallVector<gpu::MemsetOp> fills;
    getOperation()->walk([&](gpu::MemsetOp op) {
      if (isFilledByCopy(op))
        fills.push_back(op);
    });
    llvm::for_each(fills, lower);
  }
};

} // namespace
