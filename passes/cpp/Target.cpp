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
  // The count is no property of the op: its text may lack it, and then upstream
  // counts none, but cannot add one.
  StringRef count = gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName();
  if (!function->getAttrOfType<IntegerAttr>(count))
    function->setAttr(count,
                      Builder(function.getContext()).getI64IntegerAttr(0));
  BlockArgument added =
      function.addWorkgroupAttribution(unwrap(type), unwrap(location));
  Builder builder(function.getContext());
  function.setWorkgroupAttributionAttr(function.getNumWorkgroupAttributions() -
                                           1,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(alignment));
  return wrap(Value(added));
}

// Adds a workgroup attribution to a gpu.launch.
extern "C" MlirValue tileAddLaunchAttribution(MlirOperation op, MlirType type,
                                              MlirLocation location) {
  auto launch = cast<gpu::LaunchOp>(unwrap(op));
  StringRef count = gpu::LaunchOp::getNumWorkgroupAttributionsAttrName();
  // The op's own method needs the attribute, which the generic form may lack.
  if (!launch->hasAttr(count))
    launch->setAttr(count, Builder(launch.getContext()).getI64IntegerAttr(0));
  return wrap(
      Value(launch.addWorkgroupAttribution(unwrap(type), unwrap(location))));
}

// Aligns the workgroup attribution that an argument of a gpu.func's body is to
// the given bytes at least.
extern "C" void tileAlignWorkgroupAttribution(MlirOperation op,
                                              intptr_t argument,
                                              int64_t alignment) {
  auto function = cast<gpu::GPUFuncOp>(unwrap(op));
  intptr_t index = argument - function.getNumArguments();
  if (index < 0 || index >= function.getNumWorkgroupAttributions())
    return;
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  auto given = dyn_cast_or_null<IntegerAttr>(
      function.getWorkgroupAttributionAttr(index, name));
  if (given && given.getInt() >= alignment)
    return;
  Builder builder(function.getContext());
  function.setWorkgroupAttributionAttr(index, name,
                                       builder.getI64IntegerAttr(alignment));
}
