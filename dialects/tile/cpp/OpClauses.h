//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The clauses of each op, in the order in which they are written. Each list is
// the `custom<…>` directive of its name in the op's assembly format, or a part
// of one in CopySyntax.h.

#ifndef TILE_OP_CLAUSES_H
#define TILE_OP_CLAUSES_H

#include "Clauses.h"

namespace tile {

// A directive from a list: its functions take what the format passes it.
#define TILE_CLAUSES(Name, list)                                               \
  template <typename... Fields>                                                \
  mlir::ParseResult parse##Name(mlir::OpAsmParser &parser,                     \
                                Fields &...fields) {                           \
    ClauseReader reader(parser);                                               \
    list(reader, fields...);                                                   \
    return reader.read();                                                      \
  }                                                                            \
  template <typename... Fields>                                                \
  void print##Name(mlir::OpAsmPrinter &printer, mlir::Operation *,             \
                   Fields &&...fields) {                                       \
    ClauseWriter writer(printer);                                              \
    list(writer, fields...);                                                   \
  }

inline constexpr auto copyClauses =
    [](auto &clauses, auto &scope, auto &convert, auto &reduce, auto &masked,
       auto &filler, auto &&fillerType, auto &constant) {
      clauses.scope("scope", scope)
          .required()
          .word("convert", convert)
          .word("reduce", reduce)
          .flag("masked", masked)
          .operand("fill", filler, fillerType, constant);
    };

inline constexpr auto fillClauses = [](auto &clauses, auto &scope,
                                       auto &masked) {
  clauses.scope("scope", scope).required().flag("masked", masked);
};
TILE_CLAUSES(FillClauses, fillClauses)

inline constexpr auto copyAsyncClauses =
    [](auto &clauses, auto &scope, auto &group, auto &bulkGroup, auto &barrier,
       auto &&barrierType, auto &remoteCta, auto &ctaMask, auto &predicate,
       auto &&maps, auto &&mapTypes, auto &&rows, auto &lower, auto &upper,
       auto &steps, auto &&filter, auto &convert, auto &reduce, auto &masked,
       auto &until, auto &filler, auto &&fillerType, auto &constant) {
      clauses.scope("scope", scope)
          .required()
          .flag("group", group)
          .flag("bulk_group", bulkGroup)
          .operand("mbarrier", barrier, barrierType)
          .operand("remote_cta", remoteCta)
          .operand("cta_mask", ctaMask)
          .operand("predicate", predicate)
          .operands("through", maps, mapTypes)
          .operands("rows", rows)
          .range("im2col", lower, upper)
          .integers("steps", steps)
          .operands("filter", filter)
          .word("convert", convert)
          .word("reduce", reduce)
          .flag("masked", masked)
          .operand("until", until)
          .operand("fill", filler, fillerType, constant);
    };

inline constexpr auto mmaClauses = [](auto &clauses, auto &&scales,
                                      auto &&scaleTypes, auto &scope,
                                      auto &group, auto &convert) {
  clauses.operands("scales", scales, scaleTypes)
      .scope("scope", scope)
      .required()
      .flag("group", group)
      .word("convert", convert);
};
TILE_CLAUSES(MmaClauses, mmaClauses)

inline constexpr auto scopeClause = [](auto &clauses, auto &scope) {
  clauses.scope("scope", scope).required();
};
TILE_CLAUSES(ScopeClause, scopeClause)

inline constexpr auto totalClauses = [](auto &clauses, auto &scope,
                                        auto &perWarp) {
  clauses.scope("scope", scope).required().flag("per_warp", perWarp);
};
TILE_CLAUSES(TotalClauses, totalClauses)

inline constexpr auto reduceClauses = [](auto &clauses, auto &dim,
                                         auto &scope) {
  clauses.index("dim", dim).required().scope("scope", scope).required();
};
TILE_CLAUSES(ReduceClauses, reduceClauses)

inline constexpr auto blockScanClauses =
    [](auto &clauses, auto &&inits, auto &&initTypes, auto &dim, auto &scope) {
      clauses.operands("init", inits, initTypes)
          .index("dim", dim)
          .required()
          .scope("scope", scope)
          .required();
    };
TILE_CLAUSES(BlockScanClauses, blockScanClauses)

inline constexpr auto scanClauses = [](auto &clauses, auto &&workspace,
                                       auto &&epoch, auto &init,
                                       auto &&initType, auto &identity) {
  clauses.operand("workspace", workspace)
      .required()
      .operand("epoch", epoch)
      .required()
      .operand("init", init, initType)
      .attribute("identity", identity);
};
TILE_CLAUSES(ScanClauses, scanClauses)

inline constexpr auto assumeClauses = [](auto &clauses, auto &divisor,
                                         auto &alignment, auto &uniform,
                                         auto &distinct) {
  clauses.number("divisible_by", divisor)
      .number("aligned", alignment)
      .scope("uniform", uniform)
      .scope("distinct", distinct);
};
TILE_CLAUSES(AssumeClauses, assumeClauses)

inline constexpr auto updateMapClauses =
    [](auto &clauses, auto &&workspace, auto &&workspaceType, auto &&scratch,
       auto &&scratchType, auto &scope) {
      clauses.operand("in", workspace, workspaceType)
          .required()
          .operand("scratch", scratch, scratchType)
          .required()
          .scope("scope", scope)
          .required();
    };
TILE_CLAUSES(UpdateMapClauses, updateMapClauses)

#undef TILE_CLAUSES

} // namespace tile

#endif // TILE_OP_CLAUSES_H
