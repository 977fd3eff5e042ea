//! Words of the dialect as those of the planner, and of layouts.

use tile_dialect::ops;
use tile_plan::{Scope, Space};

/// The planner's word for a space.
pub fn space(space: tile_dialect::Space) -> Space {
    match space {
        tile_dialect::Space::Global => Space::Global,
        tile_dialect::Space::Shared => Space::Shared,
        tile_dialect::Space::Local => Space::Local,
        tile_dialect::Space::Tmem => Space::Tmem,
    }
}

/// The planner's word for a scope.
pub fn scope(scope: ops::Scope) -> Scope {
    match scope {
        ops::Scope::Thread => Scope::Thread,
        ops::Scope::Warp => Scope::Warp,
        ops::Scope::Warpgroup => Scope::Warpgroup,
        ops::Scope::Cta => Scope::Cta,
    }
}
