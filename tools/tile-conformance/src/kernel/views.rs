//! The operands of the copy: regions of buffers, or views of them.

use tile_layout::Range;
use tile_plan::problem::role::Role;

use super::buffers::buffer_type;
use super::text::Text;
use super::{name, runtime};
use crate::case::{Case, Side, View};

/// Defines the views of the operands; returns their lines.
pub(crate) fn define(text: &mut Text, case: &Case) -> Vec<usize> {
    let mut lines = Vec::new();
    for role in [Role::Src, Role::Dst] {
        let (mut value, mut side) = (format!("%{}", name(role)), case.side(role).clone());
        for (number, view) in case.wording.views[role as usize].iter().enumerate() {
            let (seen, defined) = (view.of(&side), view_name(role, number));
            let op = match view {
                View::Cast => format!("tile.cast {value}"),
                View::Part => format!("tile.subview {value}{}", region(&side, role)),
                View::Turned(order) => format!("tile.permute {value} {order:?}"),
                View::Merged(_) => format!("tile.reshape {value}"),
            };
            lines.push(text.line(&format!("{defined} = {op} : {} to {}", buffer_type(&side), buffer_type(&seen))));
            (value, side) = (defined, seen);
        }
    }
    lines
}

/// An operand of the copy with its type: a buffer, or the last of its views, with the region, which in a masked copy is
/// larger than the copied elements.
pub(super) fn operand(case: &Case, role: Role) -> (String, String) {
    let views = &case.wording.views[role as usize];
    let mut side = views.iter().fold(case.side(role).clone(), |side, view| view.of(&side));
    for (range, [before, behind]) in side.region.iter_mut().zip(&case.wording.margins) {
        *range = Range { begin: range.begin - before, extent: range.extent + before + behind };
    }
    let r#type = if views.is_empty() { format!("!{}", name(role)) } else { buffer_type(&side) };
    let value = views.len().checked_sub(1).map_or_else(|| format!("%{}", name(role)), |last| view_name(role, last));
    // A part is copied as a whole.
    let region = if views.contains(&View::Part) { String::new() } else { region(&side, role) };
    (format!("{value}{region}"), r#type)
}

fn view_name(role: Role, number: usize) -> String {
    format!("%{}_view_{number}", name(role))
}

/// `[0, %src_at_1] [4, 8]`: starts, then extents.
fn region(side: &Side, role: Role) -> String {
    let mut begins: Vec<String> = side.region.iter().map(|range| range.begin.to_string()).collect();
    for (dimension, ..) in side.runtime_begins() {
        begins[dimension] = runtime::begin_name(role, dimension);
    }
    let extents: Vec<String> = side.region.iter().map(|range| range.extent.to_string()).collect();
    format!("[{}] [{}]", begins.join(", "), extents.join(", "))
}
