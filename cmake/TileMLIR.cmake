# Finds the MLIR that libTile is linked with: version TILE_MLIR_VERSION, in TILE_MLIR_PREFIX unless CMake was told another
# location. Stores an error message in TILE_PROBLEM.

set(TILE_PROBLEM "")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _tile_minor "${TILE_MLIR_VERSION}")
set(_tile_needs "Tile ${TILE_VERSION} needs MLIR ${_tile_minor}")
set(_tile_advice
    "Name it with -DMLIR_DIR=<prefix>/lib/cmake/mlir (Debian: libmlir-22-dev, in /usr/lib/llvm-22), or build Tile for yours")

# The version of the package in a folder; empty if there is none.
function(_tile_version_in folder version)
  set(PACKAGE_VERSION "")
  include("${folder}/MLIRConfigVersion.cmake" OPTIONAL)
  set(${version} "${PACKAGE_VERSION}" PARENT_SCOPE)
endfunction()

get_property(_tile_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT _tile_languages MATCHES "C|CXX")
  set(TILE_PROBLEM "no language is enabled yet, expected C or CXX: call find_package(Tile) after project()")
  return()
endif()

if(MLIR_FOUND)
  if(NOT LLVM_PACKAGE_VERSION MATCHES "^${_tile_minor}\\.")
    set(TILE_PROBLEM "${_tile_needs}, but the project has found MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}.  ${_tile_advice}")
  endif()
else()
  if(MLIR_DIR)
    _tile_version_in("${MLIR_DIR}" _tile_got)
    if(NOT _tile_got)
      set(TILE_PROBLEM "${_tile_needs}, but MLIR_DIR is ${MLIR_DIR}, where there is no MLIR.  ${_tile_advice}")
      return()
    elseif(NOT _tile_got MATCHES "^${_tile_minor}\\.")
      set(TILE_PROBLEM "${_tile_needs}, but MLIR_DIR is ${MLIR_DIR}, which is MLIR ${_tile_got}.  ${_tile_advice}")
      return()
    endif()
  endif()
  find_package(MLIR ${_tile_minor} QUIET CONFIG HINTS "${TILE_MLIR_PREFIX}/lib/cmake/mlir")
  if(NOT MLIR_FOUND)
    set(_tile_got "none was found")
    if(MLIR_CONSIDERED_VERSIONS)
      set(_tile_got "only MLIR ${MLIR_CONSIDERED_VERSIONS} was found, in ${MLIR_CONSIDERED_CONFIGS}")
    endif()
    set(TILE_PROBLEM "${_tile_needs}, but ${_tile_got} (nor is it in ${TILE_MLIR_PREFIX}, where it was).  ${_tile_advice}")
    return()
  endif()
endif()
if(NOT TILE_PROBLEM AND TILE_STATIC AND NOT TARGET MLIRIR)
  set(TILE_PROBLEM "TILE_STATIC is set, but the MLIR in ${MLIR_DIR} has no static libraries")
elseif(NOT TILE_PROBLEM AND NOT TILE_STATIC AND NOT TARGET MLIR)
  set(TILE_PROBLEM "the MLIR in ${MLIR_DIR} has no shared libMLIR, expected one: a static MLIR next to libTile would be a second copy; with TILE_STATIC=ON libTile is an archive, too")
endif()

# MLIR identifies traits of ops by names that clang and GCC print differently, so ops compiled by the other family appear to
# have no traits.
if(NOT TILE_PROBLEM AND CMAKE_CXX_COMPILER_ID AND TILE_COMPILER_FAMILY AND NOT TILE_ANY_COMPILER)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "${TILE_COMPILER_FAMILY}$")
    set(TILE_PROBLEM
        "libMLIR and libTile were built by ${TILE_COMPILER_FAMILY}, but the C++ compiler is ${CMAKE_CXX_COMPILER_ID}: traits of ops, such as that of a terminator, would not be known on the other side.  Call find_package(TileCompiler) before project(), or set CMAKE_CXX_COMPILER; with TILE_ANY_COMPILER=ON this is not checked")
  endif()
endif()
