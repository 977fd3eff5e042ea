//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Identities of op traits that libMLIR asks our ops for. Include it first.
//
// MLIR knows a trait by the name that the compiler prints of a template, and
// GCC prints other names than clang. Where libMLIR was built by clang
// (TILE_MLIR_BY_CLANG, which build.rs finds out) and this is built by GCC, a
// terminator of ours would not be one to libMLIR.

#ifndef TILE_TRAITS_H
#define TILE_TRAITS_H

#include "mlir/Support/TypeID.h"

#if defined(TILE_MLIR_BY_CLANG) && !defined(__clang__)

namespace mlir {
namespace OpTrait {
template <typename ConcreteOp> class IsIsolatedFromAbove;
template <typename ConcreteOp> class IsTerminator;
} // namespace OpTrait

namespace detail {
struct TraitID : FallbackTypeIDResolver {
  // The name must live for ever.
  static TypeID named(llvm::StringRef name) {
    return registerImplicitTypeID(name);
  }
};
} // namespace detail

template <> inline TypeID TypeID::get<OpTrait::IsTerminator>() {
  return detail::TraitID::named("mlir::OpTrait::IsTerminator<Empty>");
}

template <> inline TypeID TypeID::get<OpTrait::IsIsolatedFromAbove>() {
  return detail::TraitID::named("mlir::OpTrait::IsIsolatedFromAbove<Empty>");
}
} // namespace mlir

#endif

#endif // TILE_TRAITS_H
