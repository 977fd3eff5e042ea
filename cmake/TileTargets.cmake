# The targets of the package in TILE_PREFIX. All three parts are one shared library, which is linked with libMLIR; no static
# library of MLIR is needed, and none may be linked into the same program.

set(TILE_INCLUDE_DIRS "${TILE_PREFIX}/include")
set(TILE_TABLEGEN_DIRS "${TILE_PREFIX}/include/tile/td")
set(TILE_TOOLS_DIR "${TILE_PREFIX}/bin")

if(NOT TARGET Tile::Library)
  add_library(Tile::Library SHARED IMPORTED GLOBAL)
  set_target_properties(Tile::Library PROPERTIES
    IMPORTED_LOCATION "${TILE_PREFIX}/lib/libTile.so.${TILE_SOVERSION}"
    IMPORTED_SONAME "libTile.so.${TILE_SOVERSION}"
    IMPORTED_LINK_DEPENDENT_LIBRARIES "MLIR;LLVM"
    INTERFACE_INCLUDE_DIRECTORIES "${TILE_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}")

  add_library(Tile::CAPI INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::CAPI PROPERTIES INTERFACE_LINK_LIBRARIES Tile::Library)

  add_library(Tile::Dialect INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::Dialect PROPERTIES
    INTERFACE_LINK_LIBRARIES "Tile::Library;MLIR;LLVM"
    INTERFACE_COMPILE_FEATURES cxx_std_17)

  add_library(Tile::Passes INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tile::Passes PROPERTIES INTERFACE_LINK_LIBRARIES Tile::Dialect)

  foreach(_tile_tool tile-opt tile-translate tile-lsp-server tile-run tile-layout)
    add_executable(Tile::${_tile_tool} IMPORTED GLOBAL)
    set_target_properties(Tile::${_tile_tool} PROPERTIES IMPORTED_LOCATION "${TILE_TOOLS_DIR}/${_tile_tool}")
  endforeach()
endif()
