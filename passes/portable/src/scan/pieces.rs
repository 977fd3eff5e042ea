//! Pieces of text that kernels whose blocks exchange sums share: those of scans and of passes.

use tile_plan::scan::state::MAX_HELPED_TILES;
use tile_plan::scan::{Order, SumExchange, Tile, Wait};

use super::state;
use crate::element::PortableElement;

const TILES: &str = include_str!("wgsl/tiles.wgsl");
const TREE: &str = include_str!("wgsl/tree.wgsl");
const SUBGROUP: &str = include_str!("wgsl/subgroup.wgsl");
const DECOUPLED: &str = include_str!("wgsl/decoupled.wgsl");

/// Threads of a subgroup, where a tile has several subgroups, whose lanes exchange by shuffles.
pub(crate) fn shuffled(tile: &Tile) -> Option<i64> {
    (tile.warps() > 1).then_some(tile.lanes)
}

/// The scan of a tile by a block.
pub(crate) fn on_tiles(tile: &Tile) -> String {
    [TILES, if shuffled(tile).is_some() { SUBGROUP } else { TREE }].concat()
}

/// The numbers of a tile.
pub(crate) fn tile_constants(tile: &Tile) -> String {
    constants(&[
        ("THREADS", tile.threads),
        ("LANES", tile.lanes),
        ("SUBGROUPS", tile.warps()),
        ("ROWS", tile.rows),
        ("VECTOR", tile.vector),
        ("ITEMS", tile.items()),
        ("TILE", tile.elements()),
    ])
}

/// An element with the given bits of its lanes.
pub(crate) fn literal(element: PortableElement, lanes: &[u64]) -> String {
    let lane = |bits: &u64| match element.scalar.bits() {
        64 => format!("vec2<u32>({}u, {}u)", *bits as u32, bits >> 32),
        _ => format!("{bits}u"),
    };
    element.of_lanes(&lanes.iter().map(lane).collect::<Vec<_>>())
}

/// Functions on the value before the first element, if there is one.
pub(crate) fn after(beginning: &str, is_there: bool) -> String {
    format!(
        "const HAS_BEGINNING = {is_there};
fn beginning() -> Element {{ return {beginning}; }}
fn after_beginning(sum: Element) -> Element {{
  if (HAS_BEGINNING) {{
    return combine(beginning(), sum);
  }}
  return sum;
}}
"
    )
}

/// The kernel in which blocks publish their sums and wait for those of others, in the workspace of this binding.
pub(crate) fn exchange(element: PortableElement, plan: &SumExchange, order: Order, binding: u32) -> String {
    let (max_spin, max_polls) = match plan.wait {
        Wait::Fallback { max_spin } => (Some(max_spin), None),
        Wait::GiveUp { polls } => (None, Some(polls)),
        Wait::Forever => (None, None),
    };
    let hooks = &plan.hooks;
    let switches = [
        ("FALLBACK", max_spin.is_some()),
        ("TICKETS", order == Order::Ticket),
        ("DETERMINISTIC", plan.deterministic),
        ("REVERSE", hooks.reverse),
        ("HOLDS", hooks.hold.is_some()),
        ("SKIPS", hooks.skip_post.is_some()),
        ("COUNTERS", hooks.counters),
    ];
    let switches: String = switches.iter().map(|(name, value)| format!("const {name} = {value};\n")).collect();
    let numbers = constants(&[
        ("MAX_SPIN", max_spin.unwrap_or_default()),
        ("MAX_HELPED_TILES", MAX_HELPED_TILES),
        ("MAX_POLLS", max_polls.unwrap_or(u32::MAX.into())),
        ("HOLD", hooks.hold.unwrap_or_default() & 0xffff_ffff),
        ("SKIP_POST", hooks.skip_post.unwrap_or_default() & 0xffff_ffff),
    ]);
    numbers + &switches + &state::functions(element, plan.state, binding) + DECOUPLED
}

fn constants(all: &[(&str, i64)]) -> String {
    all.iter().map(|(name, value)| format!("const {name} = {value}u;\n")).collect()
}
