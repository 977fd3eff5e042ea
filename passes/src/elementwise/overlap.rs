//! Maps whose results may overlap what they read: all is read before anything is written.
//!
//! ```text
//!   tile.map %s to %s                      each thread writes what it has read: part by part
//!   tile.map %row, %s to %s                %row = tile.subview %s …: the first part would overwrite what the second one reads
//!   tile.map %t to %s                      %t = tile.permute %s …: likewise
//! ```

use melior::ir::Value;
use tile_plan::elementwise::TileOperand;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;

use crate::read::alias::{self, Root};

/// A result, and another operand that may be the same memory, by what messages call them.
pub struct WrittenEarly {
    pub result: String,
    pub other: String,
}

/// The first result of which a part may overwrite what another part reads, or writes in another order.
pub fn written_early(
    (sources, read): (&[Value<'_, '_>], &[TileOperand]),
    (dests, written): (&[Value<'_, '_>], &[TileOperand]),
) -> Option<WrittenEarly> {
    let results = || dests.iter().zip(written);
    let all = || sources.iter().zip(read).chain(results());
    results().find_map(|result| {
        let other = all().find(|&other| is_elsewhere(result, other))?;
        let (TileOperand::Shared(result), TileOperand::Shared(other)) = (result.1, other.1) else { return None };
        Some(WrittenEarly { result: result.name.clone(), other: other.name.clone() })
    })
}

/// Whether two shared tiles may share bytes that belong to different elements.
fn is_elsewhere(
    (result, written): (&Value<'_, '_>, &TileOperand),
    (other, tile): (&Value<'_, '_>, &TileOperand),
) -> bool {
    let (TileOperand::Shared(written), TileOperand::Shared(tile)) = (written, tile) else { return false };
    let [result_root, other_root] = [result, other].map(|&value| alias::root(value));
    let is_known = |operand: &Operand| {
        operand.origin.is_empty() && operand.begin.iter().all(|begin| matches!(begin, Begin::Const(_)))
    };
    let is_one = matches!(result_root, Root::Made(..)) && result_root == other_root;
    let is_same = result == other || is_one && is_known(&tile.tile) && written.tile == tile.tile;
    !is_same && result_root.may_alias(&other_root, false)
}
