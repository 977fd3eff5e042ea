// The copies that ops of the dialect are, which passes of the tile compiler
// replace them by.

#include "Panel.h"

using namespace mlir;

namespace {

// A part of the source is copied to all of the destination, by the threads
// that `tile.scope` names; a group completes it, or what the variant needs.
// With a filler the part may extend beyond the source.
struct PullCopy
    : tile::TileCopyOpInterface::ExternalModel<PullCopy, panel::PullOp> {
  tile::StatedCopy getStatedCopy(Operation *op) const {
    auto pull = cast<panel::PullOp>(op);
    tile::StatedCopy copy;
    copy.source = {pull.getSource(), getAsOpFoldResult(pull.getBegin()),
                   llvm::to_vector(pull.getSizes())};
    copy.dest = {pull.getDest()};
    copy.filler = pull.getFiller();
    copy.masked = static_cast<bool>(copy.filler);
    copy.variant = pull.getVariant().value_or("");
    copy.completion = copy.variant.empty() ? tile::CopyCompletion::Group
                                           : tile::CopyCompletion::Caller;
    return copy;
  }
};

// Its destination is no operand, which is an error.
struct DropCopy
    : tile::TileCopyOpInterface::ExternalModel<DropCopy, panel::DropOp> {
  tile::StatedCopy getStatedCopy(Operation *op) const {
    tile::StatedCopy copy;
    copy.source = {cast<panel::DropOp>(op).getSource()};
    return copy;
  }
};

} // namespace

tile::StatedCopy panel::StoreOp::getStatedCopy() {
  auto type = cast<tile::BufferType>(getSource().getType());
  tile::StatedCopy copy;
  copy.source = {getSource()};
  copy.dest = {getDest(),
               {getRow(), Builder(*this).getIndexAttr(0)},
               llvm::to_vector(type.getShape())};
  copy.scope = tile::Scope::Cta;
  copy.masked = true;
  return copy;
}

void panel::registerCopies(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, panel::PanelDialect *) {
    panel::PullOp::attachInterface<PullCopy>(*context);
    panel::DropOp::attachInterface<DropCopy>(*context);
  });
}
