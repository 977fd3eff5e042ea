// The dialect's classes, and what the driver registers.
#ifndef PANEL_H
#define PANEL_H

#include "tile/Dialect.h"

#include "PanelDialect.h.inc"
#define GET_OP_CLASSES
#include "Panel.h.inc"

namespace panel {
// Registers --lower-panel.
void registerPasses();
} // namespace panel

#endif // PANEL_H
