//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The parameter of #tile.plan.

#ifndef TILE_PLAN_H
#define TILE_PLAN_H

#include "llvm/ADT/Hashing.h"

#include <utility>

namespace tile {

// The plan of a copy: a reference to an immutable value of the planner, which
// is written in Rust and counts its references.
class Plan {
public:
  // Takes over a reference.
  explicit Plan(const void *plan) : plan(plan) {}
  Plan(const Plan &other);
  Plan(Plan &&other) noexcept : plan(std::exchange(other.plan, nullptr)) {}
  Plan &operator=(Plan other) noexcept {
    std::swap(plan, other.plan);
    return *this;
  }
  ~Plan();
  bool operator==(const Plan &other) const;
  friend llvm::hash_code hash_value(const Plan &plan);
  const void *get() const { return plan; }

private:
  const void *plan;
};

llvm::hash_code hash_value(const Plan &plan);

} // namespace tile

#endif // TILE_PLAN_H
