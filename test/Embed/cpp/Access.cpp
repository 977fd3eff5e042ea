// What the ops on tiles access, for passes of the tile compiler.

#include "Panel.h"

#include "llvm/ADT/StringSwitch.h"

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

// Rows of a memref.
struct ZeroAccesses
    : tile::TileAccessOpInterface::ExternalModel<ZeroAccesses, panel::ZeroOp> {
  void getAccesses(Operation *op,
                   SmallVectorImpl<tile::MemoryAccess> &accesses) const {
    auto zero = cast<panel::ZeroOp>(op);
    tile::MemoryAccess rows;
    rows.operand = &zero.getMemoryMutable();
    rows.writes = true;
    rows.offsets = {zero.getRow(), Builder(op).getIndexAttr(0)};
    rows.sizes = {static_cast<int64_t>(zero.getRows()), 32};
    accesses.push_back(rows);
  }
};

// Between registers and tensor memory: the op waits for its loads and stores.
struct MoveAccesses
    : tile::TileAccessOpInterface::ExternalModel<MoveAccesses, panel::MoveOp> {
  void getAccesses(Operation *op,
                   SmallVectorImpl<tile::MemoryAccess> &accesses) const {
    accesses.push_back({&op->getOpOperand(0), /*reads=*/true});
    accesses.push_back({&op->getOpOperand(1), false, /*writes=*/true});
  }
};

// The third operand, an mbarrier, completes the copy.
struct BringAccesses
    : tile::TileAccessOpInterface::ExternalModel<BringAccesses,
                                                 panel::BringOp> {
  void getAccesses(Operation *op,
                   SmallVectorImpl<tile::MemoryAccess> &accesses) const {
    auto bring = cast<panel::BringOp>(op);
    auto engine = llvm::StringSwitch<tile::AccessEngine>(bring.getEngine())
                      .Case("bulk", tile::AccessEngine::Bulk)
                      .Case("threads", tile::AccessEngine::Threads)
                      .Default(tile::AccessEngine::CpAsync);
    tile::MemoryAccess read{&bring.getSourceMutable(), true, false, engine};
    tile::MemoryAccess write{&bring.getDestMutable(), false, true, engine};
    write.mbarrier = &bring.getMbarrierMutable();
    if (bring.getEngine() != "cp.async, in part")
      read.mbarrier = write.mbarrier;
    accesses.append({read, write});
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
    panel::ZeroOp::attachInterface<ZeroAccesses>(*context);
    panel::MoveOp::attachInterface<MoveAccesses>(*context);
    panel::BringOp::attachInterface<BringAccesses>(*context);
  });
}
