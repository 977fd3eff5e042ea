//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The plan of a copy as a parameter of an attribute, its text form, and the
// effects of the op that carries it.

#include "tile/Plan.h"
#include "Body.h"
#include "Bridge.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace tile;

Plan::Plan(const Plan &other) : plan(other.plan) {
  if (plan)
    tilePlanRetain(plan);
}

Plan::~Plan() {
  if (plan)
    tilePlanRelease(plan);
}

bool Plan::operator==(const Plan &other) const {
  return plan == other.plan || tilePlanEqual(plan, other.plan);
}

llvm::hash_code tile::hash_value(const Plan &plan) {
  return tilePlanHash(plan.get());
}

namespace {

struct PlanReading : Reading {
  using Reading::Reading;
  PlanAttr plan;
};

void acceptPlan(const void *plan, void *userData) {
  auto &reading = static_cast<PlanReading &>(*static_cast<Reading *>(userData));
  Plan owned(plan);
  if (reading.isClosed())
    reading.plan = PlanAttr::get(reading.parser.getContext(), owned);
}

} // namespace

// The buffers, the mbarrier, and what stays in flight.
void PlannedCopyOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  const void *plan = getPlan().getPlan().get();
  for (auto [place, buffer] : llvm::enumerate(getBuffersMutable())) {
    if (tilePlanWrites(plan, place))
      effects.emplace_back(MemoryEffects::Write::get(), &buffer);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &buffer);
  }
  for (OpOperand &barrier : getBarrierMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &barrier);
    effects.emplace_back(MemoryEffects::Write::get(), &barrier);
  }
  if (tilePlanIsAsynchronous(plan))
    effects.emplace_back(MemoryEffects::Write::get(), InFlightResource::get());
}

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  PlanReading reading(parser);
  if (reading.open())
    tilePlanParse(wrap(reading.text), acceptPlan, Reading::refuse,
                  static_cast<Reading *>(&reading));
  return reading.plan;
}

void PlanAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  tilePlanPrint(getPlan().get(), putText, &os);
  os << '>';
}
