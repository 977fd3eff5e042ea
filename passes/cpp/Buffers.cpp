//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tiles that loops carry, branches and selects forward, and functions take, as
// pointers and numbers.
//
//   %x = arith.select %c, %a, %b : !tile.buffer<…>
//
//   %p = tile.parts %a   %q = tile.parts %b
//   %r = arith.select %c, %p, %q : !llvm.ptr<3>
//   %x = tile.view %r : !llvm.ptr<3> to !tile.buffer<…>

#include "Buffers.h"
#include "Layout.h"
#include "tile/Dialect.h"
#include "tile/Patterns.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tile;

/// A pointer, then the numbers that the type leaves to run time.
static LogicalResult partsOf(BufferType type, SmallVectorImpl<Type> &parts) {
  if (type.getSpace() != Space::Global && type.getSpace() != Space::Shared)
    return success();
  MLIRContext *context = type.getContext();
  parts.push_back(LLVM::LLVMPointerType::get(
      context, type.getSpace() == Space::Global ? 1 : 3));
  size_t extents = llvm::count_if(type.getShape(), ShapedType::isDynamic);
  size_t strides = tileStrideCount(layoutRef(type.getLayout()));
  parts.append(extents + strides, IndexType::get(context));
  return success();
}

void tile::addBufferConversions(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](BufferType type,
         SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
        return partsOf(type, parts);
      });
  converter.addSourceMaterialization([](OpBuilder &builder, BufferType type,
                                        ValueRange parts,
                                        Location loc) -> Value {
    if (parts.empty())
      return {};
    return ViewOp::create(builder, loc, type, parts.front(),
                          parts.drop_front());
  });
  converter.addTargetMaterialization([](OpBuilder &builder, TypeRange types,
                                        ValueRange tile,
                                        Location loc) -> SmallVector<Value> {
    if (tile.size() != 1 || !isBuffer(tile.front().getType()))
      return {};
    return llvm::to_vector_of<Value>(
        PartsOp::create(builder, loc, types, tile.front())->getResults());
  });
}

namespace {

struct Select : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [a, b] :
         llvm::zip_equal(operands.getTrueValue(), operands.getFalseValue()))
      parts.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                              op.getCondition(), a, b));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct Launch : OpConversionPattern<gpu::LaunchFuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(gpu::LaunchFuncOp op, OneToNOpAdaptor operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> passed = flat(operands.getKernelOperands());
    rewriter.modifyOpInPlace(
        op, [&] { op.getKernelOperandsMutable().assign(passed); });
    return success();
  }
};

// Arguments and results of a function; the attributes of an argument go to its
// pointer. Memory of a gpu.func comes after its arguments and stays.
struct Function : OpInterfaceConversionPattern<FunctionOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;
  LogicalResult
  matchAndRewrite(FunctionOpInterface op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    SmallVector<Type> inputs, results;
    SmallVector<Attribute> said;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      size_t first = inputs.size();
      if (failed(converter.convertType(type, inputs)))
        return failure();
      DictionaryAttr own = op.getArgAttrDict(i);
      for (size_t next = first; next < inputs.size(); ++next)
        said.push_back(next == first && own ? own
                                            : rewriter.getDictionaryAttr({}));
    }
    if (failed(converter.convertTypes(op.getResultTypes(), results)))
      return failure();
    if (!op.isExternal()) {
      Block &entry = op.getFunctionBody().front();
      TypeConverter::SignatureConversion signature(entry.getNumArguments());
      for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
        SmallVector<Type> parts;
        if (failed(converter.convertType(type, parts)))
          return failure();
        signature.addInputs(i, parts);
      }
      rewriter.applySignatureConversion(&entry, signature, &converter);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setType(op.cloneTypeWith(inputs, results));
      bool any = llvm::any_of(said, [](Attribute each) {
        return !cast<DictionaryAttr>(each).empty();
      });
      if (any)
        op.setArgAttrsAttr(rewriter.getArrayAttr(said));
      else
        op.removeArgAttrsAttr();
    });
    return success();
  }
};

} // namespace

void tile::populateBufferConversionPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            ConversionTarget &target,
                                            Operation *outside) {
  MLIRContext *context = patterns.getContext();
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  populateBufferRegionPatterns(converter, patterns, target);
  patterns.add<Function, Launch, Terminator<gpu::ReturnOp>, Select>(converter,
                                                                    context);
  target.addDynamicallyLegalOp<arith::SelectOp>(
      [](arith::SelectOp op) { return !isBuffer(op.getType()); });
  auto inside = [outside](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    return !outside || function.getOperation() != outside;
  };
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, gpu::ReturnOp,
                               gpu::LaunchFuncOp>(
      [=](Operation *op) { return !inside(op) || hasNoBuffers(op); });
  target.addDynamicallyLegalOp<func::FuncOp, gpu::GPUFuncOp>(
      [=](Operation *op) {
        auto function = cast<FunctionOpInterface>(op);
        return op == outside ||
               (llvm::none_of(function.getArgumentTypes(), isBuffer) &&
                llvm::none_of(function.getResultTypes(), isBuffer));
      });
}

extern "C" bool tileHasBufferValues(MlirOperation op) {
  auto handsOn = [](Operation *op) {
    if (!isa_and_nonnull<TileDialect>(op->getDialect()) &&
        llvm::any_of(op->getResultTypes(), isBuffer))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isBuffer))
          return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return unwrap(op)->walk(handsOn).wasInterrupted();
}

extern "C" bool tileConvertBufferTypes(MlirOperation op) {
  Operation *root = unwrap(op);
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  addBufferConversions(converter);
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  Operation *outside = isa<FunctionOpInterface>(root) ? root : nullptr;
  populateBufferConversionPatterns(converter, patterns, target, outside);
  return succeeded(applyPartialConversion(root, target, std::move(patterns)));
}
