//! The types of tiles, and of the views of them, under a layout.

use melior::ir::{Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Rewriter, location_of, results_of, uses};
use tile_dialect::{BufferType, LayoutAttr, derived_type};
use tile_layout::Layout;

use super::flow::TileClass;
use crate::read::values::is_view;

/// Gives the tiles of a class a layout, and their views the layouts that follow; `false`, after an error, where there is no such type.
pub fn set<'c: 'a, 'a>(class: &TileClass<'c, 'a>, layout: &Layout, rewriter: Rewriter<'c, 'a>) -> bool {
    class.roots.iter().all(|&root| {
        let location = location_of(root);
        let buffer = BufferType::from_type(root.r#type());
        let typed = buffer.and_then(|buffer| {
            let layout = LayoutAttr::new(location, layout)?;
            BufferType::new(location, buffer.shape(), buffer.element(), buffer.space(), layout)
        });
        typed.is_some_and(|typed| {
            rewriter.set_type(root, typed.as_type());
            views(root, typed, rewriter)
        })
    })
}

/// Gives the views of a tile the types that follow from its own.
pub fn views<'c: 'a, 'a>(source: Value<'c, 'a>, r#type: BufferType<'c>, rewriter: Rewriter<'c, 'a>) -> bool {
    let all = uses(source).into_iter().map(|(op, _)| op).filter(|op| is_view(*op));
    all.fold(true, |complete, op| match (derived_type(op, r#type), results_of(op).first()) {
        (Ok(derived), Some(&result)) => {
            rewriter.set_type(result, derived.as_type());
            views(result, derived, rewriter) && complete
        }
        (Err(reason), _) => {
            Diagnostic::error(reason).emit(op);
            false
        }
        (Ok(_), None) => complete,
    })
}
