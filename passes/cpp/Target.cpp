//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What MLIR's C API does not tell of GPU ops.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

// The chip that a gpu.module names for NVIDIA; empty when it names none, or the
// op is another.
extern "C" MlirStringRef tileModuleChip(MlirOperation op) {
  auto module = dyn_cast<gpu::GPUModuleOp>(unwrap(op));
  if (module && module.getTargetsAttr())
    for (Attribute target : module.getTargetsAttr())
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
        return wrap(nvvm.getChip());
  return wrap(StringRef());
}

// Adds a workgroup attribution to a gpu.func, aligned to the given bytes.
extern "C" MlirValue tileAddWorkgroupAttribution(MlirOperation op,
                                                 MlirType type,
                                                 MlirLocation location,
                                                 int64_t alignment) {
  auto function = cast<gpu::GPUFuncOp>(unwrap(op));
  BlockArgument added =
      function.addWorkgroupAttribution(unwrap(type), unwrap(location));
  Builder builder(function.getContext());
  function.setWorkgroupAttributionAttr(function.getNumWorkgroupAttributions() -
                                           1,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(alignment));
  return wrap(Value(added));
}
