# The targets of the package in TILE_PREFIX. All three parts are one library. The shared one is linked with libMLIR: no static
# library of MLIR is needed, and none may be linked into the same program. With TILE_STATIC it is an archive, for programs with
# the static libraries of MLIR and LLVM, which are linked after it.

set(TILE_INCLUDE_DIRS "${TILE_PREFIX}/include")
set(TILE_TABLEGEN_DIRS "${TILE_PREFIX}/include/tile/td")
set(TILE_TOOLS_DIR "${TILE_PREFIX}/bin")

if(NOT TARGET Tile::Library)
  if(TILE_STATIC)
    set(_tile_needed MLIROptLib MLIRTranslateLib MLIRLspServerLib)
    foreach(_tile_kind DIALECT CONVERSION EXTENSION TRANSLATION UPSTREAM_CAPI)
      get_property(_tile_parts GLOBAL PROPERTY MLIR_${_tile_kind}_LIBS)
      list(APPEND _tile_needed ${_tile_parts})
    endforeach()
    # They would bring a shared MLIR.
    list(FILTER _tile_needed EXCLUDE REGEX "Test|ExecutionEngine")
    list(REMOVE_DUPLICATES _tile_needed)
    # What MLIR's static libraries are linked with: a second LLVM would have the same command-line options.
    if(LLVM_LINK_LLVM_DYLIB)
      list(APPEND _tile_needed LLVM)
    else()
      list(APPEND _tile_needed LLVMNVPTXCodeGen LLVMNVPTXDesc LLVMNVPTXInfo LLVMPasses LLVMInterpreter LLVMMCJIT)
    endif()
    add_library(Tile::Library STATIC IMPORTED GLOBAL)
    set_target_properties(Tile::Library PROPERTIES
      IMPORTED_LOCATION "${TILE_PREFIX}/lib/libTile.a"
      INTERFACE_LINK_OPTIONS "-Wl,--gc-sections"
      INTERFACE_LINK_LIBRARIES "${_tile_needed};pthread;dl;m")
  else()
    set(_tile_needed MLIR LLVM)
    add_library(Tile::Library SHARED IMPORTED GLOBAL)
    set_target_properties(Tile::Library PROPERTIES
      IMPORTED_LOCATION "${TILE_PREFIX}/lib/libTile.so.${TILE_SOVERSION}"
      IMPORTED_SONAME "libTile.so.${TILE_SOVERSION}"
      IMPORTED_LINK_DEPENDENT_LIBRARIES "MLIR;LLVM")
  endif()
  set_target_properties(Tile::Library PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${TILE_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}")

  add_library(Tile::CAPI INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::CAPI PROPERTIES INTERFACE_LINK_LIBRARIES Tile::Library)

  add_library(Tile::Dialect INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::Dialect PROPERTIES
    INTERFACE_LINK_LIBRARIES "Tile::Library;${_tile_needed}"
    INTERFACE_COMPILE_FEATURES cxx_std_17)

  add_library(Tile::Passes INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::Passes PROPERTIES INTERFACE_LINK_LIBRARIES Tile::Dialect)

  foreach(_tile_tool tile-opt tile-translate tile-lsp-server tile-run tile-layout)
    add_executable(Tile::${_tile_tool} IMPORTED GLOBAL)
    set_target_properties(Tile::${_tile_tool} PROPERTIES IMPORTED_LOCATION "${TILE_TOOLS_DIR}/${_tile_tool}")
  endforeach()
endif()
