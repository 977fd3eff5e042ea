//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// #tile.schedule, and the schedules that ops have.

#include "Schedule.h"

#include "Bridge.h"
#include "Capi.h"
#include "Layout.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace tile;

ParseResult tile::parseOver(AsmParser &parser, SmallVector<int64_t> &over) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(over.emplace_back());
  });
}

void tile::printOver(AsmPrinter &printer, ArrayRef<int64_t> over) {
  printer << '[';
  llvm::interleaveComma(over, printer);
  printer << ']';
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ScheduleInstruction, ArrayRef<int64_t> over,
                                   int64_t stages, ScheduleEpilogue,
                                   ArrayRef<int64_t> tile, int64_t threads,
                                   int64_t group) {
  std::string reason;
  TileSchedule schedule = {};
  schedule.over = over.data();
  schedule.overSize = over.size();
  schedule.stages = stages;
  schedule.tile = tile.data();
  schedule.tileSize = tile.size();
  schedule.threads = threads;
  schedule.group = group;
  if (tileScheduleVerify(&schedule, appendTo, &reason))
    return success();
  return emitError() << reason;
}

bool tileScheduleOf(MlirOperation op, TileSchedule *schedule) {
  auto stated = dyn_cast_or_null<TileScheduleAttrInterface>(
      unwrap(op)->getDiscardableAttr("tile.schedule"));
  for (NamedAttribute attribute : unwrap(op)->getAttrs())
    if (!stated)
      stated = dyn_cast<TileScheduleAttrInterface>(attribute.getValue());
  if (!stated)
    return false;
  ArrayRef<int64_t> over = stated.getOver(), tile = stated.getTile();
  *schedule = {wrap(stringifyScheduleInstruction(stated.getInstruction())),
               over.data(),
               static_cast<intptr_t>(over.size()),
               stated.getStages(),
               wrap(stringifyScheduleEpilogue(stated.getEpilogue())),
               tile.data(),
               static_cast<intptr_t>(tile.size()),
               stated.getThreads(),
               stated.getGroup(),
               wrap(Attribute(stated))};
  return true;
}
