//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dialects and interfaces that the tools parse and translate.

#include "tile/Dialect.h"
#include "tile/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

#include <link.h>
#include <optional>

using namespace mlir;

void tile::detail::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  gpu::GPUDialect, index::IndexDialect, linalg::LinalgDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  NVVM::registerInlinerInterface(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  // --convert-copies-to-tile needs upper bounds of extents.
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  gpu::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
}

void tile::registerAllTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

namespace {
/// An address, and the library or program whose memory contains it.
struct Place {
  uintptr_t address;
  /// Its file; an empty name for the program.
  std::optional<StringRef> file;
};
} // namespace

// Checks the segments of one library. dladdr would search all symbols of
// libMLIR, too, which takes a millisecond.
static int findLibrary(dl_phdr_info *library, size_t, void *data) {
  auto &place = *static_cast<Place *>(data);
  for (const auto &segment :
       ArrayRef(library->dlpi_phdr, library->dlpi_phnum)) {
    uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && place.address - begin < segment.p_memsz)
      place.file = library->dlpi_name;
  }
  return place.file.has_value();
}

static std::optional<StringRef> fileOf(const void *address) {
  Place place{reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(findLibrary, &place);
  return place.file;
}

// Whether MLIR's context, as this code finds it, is that of libMLIR.so, or is
// linked into the same file as this code. A static MLIR in the program replaces
// libMLIR.so for some functions, and not for others.
static bool isContextOfOneMLIR() {
  auto context =
      fileOf(reinterpret_cast<const void *>(&registerMLIRContextCLOptions));
  return !context ||
         llvm::sys::path::filename(*context).starts_with("libMLIR") ||
         context == fileOf(reinterpret_cast<const void *>(&fileOf));
}

void tile::detail::requireSameMLIR(const void *builtin, const char *version) {
  const void *own = TypeID::get<BuiltinDialect>().getAsOpaquePointer();
  StringRef given(version);
  if (given != LLVM_VERSION_STRING)
    llvm::report_fatal_error("libTile was built with MLIR " LLVM_VERSION_STRING
                             ", and the program with MLIR " +
                                 Twine(given) +
                                 ": build both with one installation of MLIR",
                             /*gen_crash_diag=*/false);
  if (builtin != own || !isContextOfOneMLIR())
    llvm::report_fatal_error(
        "the process has two copies of MLIR, one in the program and the "
        "libMLIR.so that libTile uses: link the program with the target MLIR "
        "alone (libMLIR.so), and with no static MLIR library",
        /*gen_crash_diag=*/false);
}

// Collects the names of the libMLIR libraries in the process.
static int collectMLIR(dl_phdr_info *library, size_t, void *data) {
  StringRef name = llvm::sys::path::filename(library->dlpi_name);
  auto &names = *static_cast<SmallVectorImpl<StringRef> *>(data);
  if (name.starts_with("libMLIR.so") && !llvm::is_contained(names, name))
    names.push_back(name);
  return 0;
}

// A host of another LLVM brings its own libMLIR, which may take the place of
// functions of ours: nothing that both use has one form.
extern "C" void tileRequireMLIROfPlugin() {
  SmallVector<StringRef> names;
  dl_iterate_phdr(collectMLIR, &names);
  if (names.size() == 1 && isContextOfOneMLIR())
    return;
  std::string others = names.size() > 1 ? llvm::join(names, " and ")
                                        : "an MLIR of the program's own";
  llvm::report_fatal_error(
      "the tile plugin was built with MLIR " LLVM_VERSION_STRING
      ", and the program has " +
          Twine(others) +
          ": load it in the mlir-opt of that LLVM, linked with libMLIR.so",
      /*gen_crash_diag=*/false);
}

extern "C" void tileRegisterDialects(MlirDialectRegistry registry) {
  tile::registerAllDialects(*unwrap(registry));
  tile::registerAllTranslations(*unwrap(registry));
}

extern "C" void tileOmitOpsFromDiagnostics(MlirContext context) {
  unwrap(context)->printOpOnDiagnostic(false);
}

// Reports remarks of a category as diagnostics of severity remark, immediately.
extern "C" void tileRemarksAsDiagnostics(MlirContext context,
                                         MlirStringRef category) {
  remark::RemarkCategories filters;
  filters.passed = filters.missed = unwrap(category).str();
  (void)remark::enableOptimizationRemarks(
      *unwrap(context), /*streamer=*/nullptr,
      std::make_unique<remark::RemarkEmittingPolicyAll>(), filters,
      /*printAsEmitRemarks=*/true);
}
