//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-line-info: locations as debug information can state them, and the
// scopes of functions, also of those that have been inlined.

#include "tile/Passes.h"

#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Path.h"

namespace tile {
#define GEN_PASS_DEF_TILELINEINFO
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

/// What `--tile-inline` says of code that a call became: whose body it is.
using InlinedBody = FusedLocWith<FlatSymbolRefAttr>;

/// Appends the places in files that a location consists of: the called code
/// first, then each call around it. With `scoped`, a place stays in the debug
/// scope that the location gives it.
void appendFrames(Location loc, bool scoped, SmallVectorImpl<Location> &frames);

void appendFused(FusedLoc fused, bool scoped,
                 SmallVectorImpl<Location> &frames) {
  size_t before = frames.size();
  for (Location part : fused.getLocations()) {
    appendFrames(part, scoped, frames);
    if (frames.size() > before)
      break;
  }
  if (frames.size() == before)
    return;
  Attribute metadata = fused.getMetadata();
  auto wrap = [&](Location &frame) {
    frame = FusedLoc::get(fused.getContext(), {frame}, metadata);
  };
  if (scoped && isa_and_present<LLVM::DILocalScopeAttr>(metadata))
    wrap(frames[before]);
  else if (isa<InlinedBody>(fused))
    wrap(frames.back());
}

void appendFrames(Location loc, bool scoped,
                  SmallVectorImpl<Location> &frames) {
  TypeSwitch<Attribute>(LocationAttr(loc))
      .Case([&](FileLineColRange range) {
        frames.push_back(FileLineColLoc::get(
            range.getFilename(), range.getStartLine(), range.getStartColumn()));
      })
      .Case([&](CallSiteLoc call) {
        appendFrames(call.getCallee(), scoped, frames);
        appendFrames(call.getCaller(), scoped, frames);
      })
      .Case([&](FusedLoc fused) { appendFused(fused, scoped, frames); })
      .Case([&](NameLoc name) {
        appendFrames(name.getChildLoc(), scoped, frames);
      })
      .Case([&](OpaqueLoc opaque) {
        appendFrames(opaque.getFallbackLocation(), scoped, frames);
      });
}

Location placed(Operation *op) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  using Subprogram = FusedLocWith<LLVM::DISubprogramAttr>;
  bool scoped = function && isa<Subprogram>(function.getLoc());
  SmallVector<Location> frames;
  appendFrames(op->getLoc(), scoped, frames);
  if (frames.empty())
    return UnknownLoc::get(op->getContext());
  // Nothing calls what is in no function.
  if (!function)
    return frames.front();
  Location loc = frames.pop_back_val();
  // What calls it has no place.
  while (auto body = dyn_cast<InlinedBody>(loc))
    loc = body.getLocations().front();
  while (!frames.empty())
    loc = CallSiteLoc::get(frames.pop_back_val(), loc);
  return loc;
}

/// The location of an op that makes a scope: the scope that it has, or a place.
template <typename Scope> Location declared(Operation *op) {
  if (auto scope = op->getLoc()->findInstanceOf<FusedLocWith<Scope>>())
    return scope;
  return placed(op);
}

Location statable(Operation *op) {
  if (isa<ModuleOp>(op))
    return declared<LLVM::DICompileUnitAttr>(op);
  if (isa<LLVM::LLVMFuncOp>(op))
    return declared<LLVM::DISubprogramAttr>(op);
  return placed(op);
}

/// The scopes of functions that have been inlined into one that has a scope.
class InlinedScopes {
public:
  explicit InlinedScopes(LLVM::DISubprogramAttr caller) : caller(caller) {}

  /// A call both of whose ends have a scope: where one is not known, that of
  /// the function into which all was inlined. Without one it would be lost.
  Location scoped(CallSiteLoc site) {
    auto end = [&](Location loc) {
      return isa<FileLineColLoc>(loc) ? scoped(loc, caller) : loc;
    };
    return CallSiteLoc::get(end(site.getCallee()), end(site.getCaller()));
  }

  Location scoped(InlinedBody body) {
    Location code = body.getLocations().front();
    return scoped(code, function(body.getMetadata().getAttr(), fileOf(code)));
  }

private:
  static LLVM::DIFileAttr fileOf(Location code) {
    StringRef path = code->findInstanceOf<FileLineColLoc>().getFilename();
    return LLVM::DIFileAttr::get(code.getContext(),
                                 llvm::sys::path::filename(path),
                                 llvm::sys::path::parent_path(path));
  }

  Location scoped(Location code, LLVM::DIScopeAttr function) {
    auto scope = LLVM::DILexicalBlockFileAttr::get(
        code.getContext(), function, fileOf(code), /*discriminator=*/0);
    return FusedLoc::get(code.getContext(), {code}, scope);
  }

  LLVM::DISubprogramAttr function(StringAttr name, LLVM::DIFileAttr file) {
    LLVM::DISubprogramAttr &scope = functions[name];
    if (!scope)
      scope = LLVM::DISubprogramAttr::get(
          name.getContext(),
          DistinctAttr::create(UnitAttr::get(name.getContext())),
          caller.getCompileUnit(), file, name, name, file, /*line=*/0,
          /*scopeLine=*/0, caller.getSubprogramFlags(), caller.getType(),
          /*retainedNodes=*/{}, /*annotations=*/{});
    return scope;
  }

  LLVM::DISubprogramAttr caller;
  DenseMap<StringAttr, LLVM::DISubprogramAttr> functions;
};

void scopeInlinedBodies(LLVM::LLVMFuncOp function) {
  auto fused =
      function.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>();
  if (!fused || !fused.getMetadata().getCompileUnit())
    return;
  InlinedScopes scopes(fused.getMetadata());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](CallSiteLoc site) -> std::optional<Attribute> {
    return LocationAttr(scopes.scoped(site));
  });
  replacer.addReplacement([&](FusedLoc loc) -> std::optional<Attribute> {
    if (auto body = dyn_cast<InlinedBody>(loc))
      return LocationAttr(scopes.scoped(body));
    return std::nullopt;
  });
  function.getBody().walk([&](Operation *op) {
    op->setLoc(
        cast<LocationAttr>(replacer.replace(LocationAttr(op->getLoc()))));
  });
}

struct LineInfo : tile::impl::TileLineInfoBase<LineInfo> {
  using TileLineInfoBase::TileLineInfoBase;
  void runOnOperation() override {
    if (!isa<ModuleOp>(getOperation())) {
      getOperation()->emitError("tile-line-info got '")
          << getOperation()->getName()
          << "', expected the module around kernels";
      return signalPassFailure();
    }
    // A function's location says whether the scopes inside are kept.
    getOperation()->walk<WalkOrder::PreOrder>(
        [](Operation *op) { op->setLoc(statable(op)); });
    OpPassManager scopes(ModuleOp::getOperationName());
    scopes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(
        {LLVM::DIEmissionKind::DebugDirectivesOnly}));
    if (failed(runPipeline(scopes, getOperation())))
      return signalPassFailure();
    getOperation()->walk(scopeInlinedBodies);
  }
};

} // namespace

// What a location of LLVM IR states; the strings are its module's.
struct TileDebugLocation {
  unsigned line, column;
  MlirStringRef directory, file, function;
};

extern "C" TileDebugLocation tileDebugLocation(LLVMMetadataRef location) {
  auto *place = llvm::unwrap<llvm::DILocation>(location);
  llvm::DISubprogram *function = place->getScope()->getSubprogram();
  StringRef linkage = function->getLinkageName();
  return {place->getLine(), place->getColumn(), wrap(place->getDirectory()),
          wrap(place->getFilename()),
          wrap(linkage.empty() ? function->getName() : linkage)};
}

// Gives the location of an instruction another line.
extern "C" void tileSetLine(LLVMValueRef instruction, unsigned line) {
  auto *op = llvm::unwrap<llvm::Instruction>(instruction);
  const llvm::DILocation *at = op->getDebugLoc();
  op->setDebugLoc(llvm::DILocation::get(at->getContext(), line, at->getColumn(),
                                        at->getScope(), at->getInlinedAt()));
}
