//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form and verification of #tile.fragment, and the layouts that it names.

#include "Body.h"
#include "Layout.h"

#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace tile;

namespace {

// A fragment that is being read.
struct FragmentReading : Reading {
  using Reading::Reading;
  FragmentAttr fragment;
};

void acceptFragment(MlirStringRef name, void *userData) {
  auto &reading =
      static_cast<FragmentReading &>(*static_cast<Reading *>(userData));
  if (reading.isClosed())
    reading.fragment =
        FragmentAttr::get(reading.parser.getContext(), unwrap(name));
}

// A layout that is being made.
struct NamedLayout {
  MLIRContext *context;
  function_ref<InFlightDiagnostic()> emitError;
  LayoutAttr layout;
};

void acceptNamedLayout(TileLayoutRef layout, void *userData) {
  auto &named = *static_cast<NamedLayout *>(userData);
  named.layout = makeLayout(named.context, layout, named.emitError);
}

void refuseNamedLayout(MlirStringRef reason, void *userData) {
  static_cast<NamedLayout *>(userData)->emitError() << unwrap(reason);
}

} // namespace

Attribute FragmentAttr::parse(AsmParser &parser, Type) {
  FragmentReading reading(parser);
  if (reading.open())
    tileFragmentParse(wrap(reading.text), acceptFragment, Reading::refuse,
                      static_cast<Reading *>(&reading));
  return reading.fragment;
}

void FragmentAttr::print(AsmPrinter &printer) const {
  printer << '<' << getName() << '>';
}

LogicalResult FragmentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef name) {
  std::string reason;
  if (tileFragmentVerify(wrap(name), appendTo, &reason))
    return success();
  return emitError() << reason;
}

LayoutAttr FragmentAttr::layoutOf(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType,
                                  Space space) const {
  if (!elementType.isIntOrFloat()) {
    emitError() << "got element type " << elementType
                << ", expected an integer or a float";
    return {};
  }
  NamedLayout named{getContext(), emitError, {}};
  tileFragmentLayout(wrap(getName()), shape.data(), shape.size(),
                     elementType.getIntOrFloatBitWidth(), int32_t(space),
                     acceptNamedLayout, refuseNamedLayout, &named);
  return named.layout;
}
