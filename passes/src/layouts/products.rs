//! A product reads two tiles, and a variant of it may depend on the layouts of both: so all pairs are tried before the layouts are chosen
//! one by one.

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::Rewriter;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::MmaOp;
use tile_layout::Layout;
use tile_ops::tile;
use tile_plan::choose_layout::engine_layouts;

use super::flow::TileClass;
use super::types;
use crate::mma;
use crate::options::LoweringOptions;
use crate::read::name;

/// Gives the tiles of each product layouts with which the variant of the highest priority does it, where there are any.
pub fn begin<'c: 'a, 'a>(classes: &[TileClass<'c, 'a>], options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) {
    let mut seen: Vec<OperationRef<'c, 'a>> = Vec::new();
    for product in classes.iter().flat_map(|class| &class.accesses).filter(|op| name(**op) == tile::MmaOp::NAME) {
        if seen.contains(product) {
            continue;
        }
        seen.push(*product);
        let involved: Vec<_> = classes.iter().filter(|class| class.accesses.contains(product)).collect();
        let candidates: Vec<Vec<Layout>> = involved.iter().map(|class| layouts(class)).collect();
        let mut best: Option<(i64, Vec<&Layout>)> = None;
        for chosen in combinations(&candidates) {
            if !set(&involved, &chosen, rewriter) {
                continue;
            }
            let Some(variant) = mma::variant(MmaOp(*product), options) else { continue };
            if best.as_ref().is_none_or(|(most, _)| variant.priority > *most) {
                best = Some((variant.priority, chosen));
            }
            if variant.is_best {
                break;
            }
        }
        if let Some((_, chosen)) = best {
            set(&involved, &chosen, rewriter);
        }
    }
}

fn set<'c: 'a, 'a>(classes: &[&TileClass<'c, 'a>], layouts: &[&Layout], rewriter: Rewriter<'c, 'a>) -> bool {
    classes.iter().zip(layouts).all(|(class, layout)| types::try_set(class, layout, rewriter))
}

fn layouts(class: &TileClass<'_, '_>) -> Vec<Layout> {
    let buffer = class.roots.first().and_then(|root| BufferType::from_type(root.r#type()));
    let bytes = |buffer: BufferType<'_>| i64::from(bit_width(buffer.element()).unwrap_or(8) / 8).max(1);
    buffer.map(|buffer| engine_layouts(buffer.shape(), bytes(buffer))).unwrap_or_default()
}

/// All ways to take one of each list.
fn combinations(lists: &[Vec<Layout>]) -> Vec<Vec<&Layout>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        let with = |begun: Vec<_>| list.iter().map(move |last| begun.iter().copied().chain([last]).collect());
        all = all.into_iter().flat_map(with).collect();
    }
    all
}
