//! What bulk copies touch, and what completes them.

use tile_isa::bulk::Route;
use tile_layout::Eval;

use crate::families::bulk::plan::{BulkCopy, bulk_address};
use crate::families::family::Touches;
use crate::problem::scope::Which;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Arrives, Engine, Queue, Touched};

const ENGINE: Engine = Engine { queue: Some(Queue::Bulk), arrives: Arrives::Issuer, async_proxy: true };

impl Touches for BulkCopy {
    /// Chunks, by the first thread of each scope.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, String> {
        let mut sides = [None, None];
        let issuers: Vec<i64> = by.active().iter().filter(|&thread| by.relative(thread) == 0).collect();
        for (side, which) in sides.iter_mut().zip([Which::Src, Which::Dst]) {
            let places = || {
                let (values, mut places) = (by.values(which), Vec::new());
                for &thread in &issuers {
                    for chunk in 0..self.chunks() {
                        let first = bulk_address(&mut Eval, self, which, chunk, &values)?;
                        places.push((thread, first, first + self.chunk));
                    }
                }
                Ok(places)
            };
            let of = if which == Which::Src { &self.src } else { &self.dst };
            *side = by.side(which, self.chunks().saturating_mul(issuers.len() as i64), by.moves(which, of), places)?;
        }
        let arrives = if self.route() == Ok(Route::ToCluster) { Arrives::Others } else { ENGINE.arrives };
        Ok(Touched { engine: Engine { arrives, ..ENGINE }, sides, inside: None })
    }
}
