// What the ops on tiles access, for passes of the tile compiler.

#include "Panel.h"

using namespace mlir;

namespace {

// The effects that the op declares, by the threads that its `tile.scope` names.
struct AddAccesses
    : tile::TileAccessOpInterface::ExternalModel<AddAccesses, panel::AddOp> {};

// All elements of some rows.
struct ClearAccesses
    : tile::TileAccessOpInterface::ExternalModel<ClearAccesses,
                                                 panel::ClearOp> {
  void getAccesses(Operation *op,
                   SmallVectorImpl<tile::MemoryAccess> &accesses) const {
    auto clear = cast<panel::ClearOp>(op);
    auto type = cast<tile::BufferType>(clear.getTile().getType());
    tile::MemoryAccess rows;
    rows.operand = &clear.getTileMutable();
    rows.writes = true;
    rows.offsets = {clear.getRow(), Builder(op).getIndexAttr(0)};
    rows.sizes = {static_cast<int64_t>(clear.getRows()), type.getShape()[1]};
    accesses.push_back(rows);
  }
};

// The first operand is copied to the second, by the engine.
template <typename Op, tile::AccessEngine engine>
struct CopyAccesses
    : tile::TileAccessOpInterface::ExternalModel<CopyAccesses<Op, engine>, Op> {
  tile::Scope getAccessScope(Operation *) const { return tile::Scope::Cta; }
  void getAccesses(Operation *op,
                   SmallVectorImpl<tile::MemoryAccess> &accesses) const {
    accesses.push_back({&op->getOpOperand(0), /*reads=*/true, false, engine});
    accesses.push_back({&op->getOpOperand(1), false, /*writes=*/true, engine});
  }
};
using FetchAccesses = CopyAccesses<panel::FetchOp, tile::AccessEngine::CpAsync>;
using SendAccesses = CopyAccesses<panel::SendOp, tile::AccessEngine::Bulk>;

} // namespace

void panel::registerAccesses(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, panel::PanelDialect *) {
    panel::AddOp::attachInterface<AddAccesses>(*context);
    panel::ClearOp::attachInterface<ClearAccesses>(*context);
    panel::FetchOp::attachInterface<FetchAccesses>(*context);
    panel::SendOp::attachInterface<SendAccesses>(*context);
  });
}
