//! The types of tiles, and of the views of them, under a layout.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Rewriter, location_of, results_of, uses};
use tile_dialect::{BufferType, LayoutAttr, derived_type};
use tile_layout::Layout;

use super::flow::TileClass;
use crate::read::values::is_view;

/// Gives the tiles of a class a layout, and their views the layouts that follow; `false`, after an error, where there is no such type.
pub fn set<'c: 'a, 'a>(class: &TileClass<'c, 'a>, layout: &Layout, rewriter: Rewriter<'c, 'a>) -> bool {
    set_or(class, layout, rewriter, &report)
}

/// The same for a layout that is only tried: `false`, without an error, where there is no such type.
pub fn try_set<'c: 'a, 'a>(class: &TileClass<'c, 'a>, layout: &Layout, rewriter: Rewriter<'c, 'a>) -> bool {
    set_or(class, layout, rewriter, &|_, _| {})
}

/// What is done where a view has no type, with the reason.
type OnMistake<'m, 'c, 'a> = &'m dyn Fn(OperationRef<'c, 'a>, String);

fn report<'c: 'a, 'a>(op: OperationRef<'c, 'a>, reason: String) {
    Diagnostic::error(reason).emit(op);
}

fn set_or<'c: 'a, 'a>(
    class: &TileClass<'c, 'a>,
    layout: &Layout,
    rewriter: Rewriter<'c, 'a>,
    on_mistake: OnMistake<'_, 'c, 'a>,
) -> bool {
    class.roots.iter().all(|&root| {
        let location = location_of(root);
        let buffer = BufferType::from_type(root.r#type());
        let typed = buffer.and_then(|buffer| {
            let layout = LayoutAttr::new(location, layout)?;
            BufferType::new(location, buffer.shape(), buffer.element(), buffer.space(), layout)
        });
        typed.is_some_and(|typed| {
            rewriter.set_type(root, typed.as_type());
            views_or(root, typed, rewriter, on_mistake)
        })
    })
}

/// Gives the views of a tile the types that follow from its own; `false`, after errors, where there are none.
pub fn views<'c: 'a, 'a>(source: Value<'c, 'a>, r#type: BufferType<'c>, rewriter: Rewriter<'c, 'a>) -> bool {
    views_or(source, r#type, rewriter, &report)
}

fn views_or<'c: 'a, 'a>(
    source: Value<'c, 'a>,
    r#type: BufferType<'c>,
    rewriter: Rewriter<'c, 'a>,
    on_mistake: OnMistake<'_, 'c, 'a>,
) -> bool {
    let all = uses(source).into_iter().map(|(op, _)| op).filter(|op| is_view(*op));
    all.fold(true, |complete, op| match (derived_type(op, r#type), results_of(op).first()) {
        (Ok(derived), Some(&result)) => {
            rewriter.set_type(result, derived.as_type());
            views_or(result, derived, rewriter, on_mistake) && complete
        }
        (Err(reason), _) => {
            on_mistake(op, reason.to_string());
            false
        }
        (Ok(_), None) => complete,
    })
}
