//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form of !tile.tensor_map, whose fields the planner reads and writes.

#include "Body.h"
#include "Bridge.h"
#include "Capi.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace tile;

namespace {

struct TensorMapReading : Reading {
  using Reading::Reading;
  TensorMapType map;
};

void acceptTensorMap(MlirStringRef fields, void *userData) {
  auto &reading =
      static_cast<TensorMapReading &>(*static_cast<Reading *>(userData));
  if (reading.isClosed())
    reading.map =
        TensorMapType::get(reading.parser.getContext(), unwrap(fields));
}

} // namespace

Type TensorMapType::parse(AsmParser &parser) {
  TensorMapReading reading(parser);
  if (reading.open())
    tileTensorMapParse(wrap(reading.text), acceptTensorMap, Reading::refuse,
                       static_cast<Reading *>(&reading));
  return reading.map;
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << '<' << getFields() << '>';
}

LogicalResult TensorMapOp::verify() {
  return success(tileTensorMapVerify(wrap(getOperation())));
}

LogicalResult UpdateMapOp::verify() {
  return success(tileUpdateMapVerify(wrap(getOperation())));
}

MlirType tileTensorMapTypeGet(MlirContext context, MlirStringRef fields) {
  return wrap(TensorMapType::get(unwrap(context), unwrap(fields)));
}

MlirStringRef tileTensorMapTypeFields(MlirType type) {
  auto map = dyn_cast<TensorMapType>(unwrap(type));
  return map ? wrap(map.getFields()) : MlirStringRef{nullptr, 0};
}
