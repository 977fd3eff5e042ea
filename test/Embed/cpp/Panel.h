// The dialect's classes, and what the driver registers.
#ifndef PANEL_H
#define PANEL_H

#include "tile/Dialect.h"

#include "PanelDialect.h.inc"
#define GET_OP_CLASSES
#include "Panel.h.inc"

namespace panel {
// Registers --lower-panel and --lower-tiles.
void registerPasses();
// Registers --lower-panel-tiles.
void registerTilePasses();
// Registers --lower-panel-memory.
void registerMemoryPasses();
// Registers --panel-types.
void registerTypePasses();
// Attach the tile compiler's interfaces to ops of the dialect.
void registerAccesses(mlir::DialectRegistry &registry);
void registerCopies(mlir::DialectRegistry &registry);
} // namespace panel

#endif // PANEL_H
