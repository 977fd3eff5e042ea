#include "Panel.h"

#include "PanelDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Panel.cpp.inc"

void panel::PanelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Panel.cpp.inc"
      >();
}
