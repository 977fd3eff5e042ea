//! What matrices touch.

use tile_isa::WARP;
use tile_layout::Eval;

use crate::families::family::Touches;
use crate::families::matrix::address::matrix_address;
use crate::families::matrix::plan::MatrixCopy;
use crate::problem::scope::Which;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Bytes, Touched};

impl Touches for MatrixCopy {
    /// Matrices: a warp touches all of its rows together.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, String> {
        let which = if self.load { Which::Src } else { Which::Dst };
        let active = by.active();
        let places = || {
            let (values, mut places) = (by.values(which), Vec::new());
            for thread in active.iter() {
                let t = by.relative(thread);
                if !self.guards.iter().all(|guard| guard.admits(t)) {
                    continue;
                }
                for step in 0..self.steps() {
                    let row = matrix_address(&mut Eval, self, t, step, &values)?;
                    let warp = thread / WARP * WARP;
                    places.extend((warp..warp + WARP).map(|lane| (lane, row, row + 8)));
                }
            }
            Ok(places)
        };
        let count = active.len().saturating_mul(self.steps()).saturating_mul(WARP);
        let side = by.side(which, count, by.moves(which, &self.shared), places)?;
        let side = side.map(|side| Bytes { by_warps: true, ..side });
        let sides = if self.load { [side, None] } else { [None, side] };
        Ok(Touched::by_threads(sides))
    }
}
