//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Diagnostics with notes, remarks, and match failures of patterns.

#include "Capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

// MLIR prints the op of an error after it, and verifies the enclosing function
// to be able to. For an op with a body that would be a dump of the module: such
// an op is named but not attached. A warning has only the location: there may
// be one per copy, and printing the op would cost as much as the lowering.
static InFlightDiagnostic begin(Operation *op, int32_t severity) {
  if (severity == 1)
    return emitWarning(op->getLoc());
  if (severity == 2)
    return emitRemark(op->getLoc());
  bool leaf =
      llvm::all_of(op->getRegions(), [](Region &body) { return body.empty(); });
  return leaf ? op->emitOpError()
              : emitError(op->getLoc())
                    << "'" << op->getName().getStringRef() << "' op ";
}

void tileEmit(MlirOperation op, int32_t severity, MlirStringRef text,
              intptr_t noteCount, const TileNote *notes) {
  InFlightDiagnostic diagnostic = begin(unwrap(op), severity);
  diagnostic << unwrap(text);
  for (const TileNote &note : llvm::ArrayRef(notes, noteCount))
    diagnostic.attachNote(unwrap(note.location)) << unwrap(note.text);
}

static remark::detail::InFlightRemark begin(Location location, int32_t kind,
                                            remark::RemarkOpts opts) {
  switch (kind) {
  case 0:
    return remark::passed(location, opts);
  case 1:
    return remark::missed(location, opts);
  default:
    return remark::analysis(location, opts);
  }
}

// The remark engine cannot be queried for its filters, but a remark that it
// accepts reveals them. This remark is dropped before it is reported.
bool tileRemarksEnabled(MlirContext context, int32_t kind,
                        MlirStringRef category) {
  if (!unwrap(context)->getRemarkEngine())
    return false;
  auto opts = remark::RemarkOpts::name("").category(unwrap(category));
  auto probe = begin(UnknownLoc::get(unwrap(context)), kind, opts);
  bool enabled = static_cast<bool>(probe);
  probe = remark::detail::InFlightRemark();
  return enabled;
}

void tileEmitRemark(MlirLocation location, int32_t kind, TileRemark remark) {
  auto opts = remark::RemarkOpts::name(unwrap(remark.name))
                  .category(unwrap(remark.category))
                  .function(unwrap(remark.function));
  auto inFlight = begin(unwrap(location), kind, opts);
  if (!inFlight)
    return;
  inFlight << unwrap(remark.text);
  for (intptr_t i = 0; i < remark.argCount; ++i)
    inFlight << remark::detail::Remark::Arg(unwrap(remark.keys[i]),
                                            unwrap(remark.values[i]));
}

void tileNotifyMatchFailure(MlirPatternRewriter rewriter, MlirOperation op,
                            MlirStringRef reason) {
  (void)unwrap(rewriter)->notifyMatchFailure(
      unwrap(op),
      [&](Diagnostic &diagnostic) { diagnostic << unwrap(reason); });
}
