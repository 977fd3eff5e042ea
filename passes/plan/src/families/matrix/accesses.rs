//! The memory that matrix copies touch, and what their instructions cost in shared memory.

use std::rc::Rc;

use tile_isa::matrix::{MATRIX_ROWS, ROW_BYTES};
use tile_isa::{Space, WARP};
use tile_layout::{Eval, Formula};

use crate::families::family::{Cost, Costs, Requests, Touches};
use crate::families::matrix::plan::{MatrixCopy, matrix_address};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Bytes, Collective, Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, conflicts, warps};
use crate::traffic::{NotCounted, check_count};

impl Touches for MatrixCopy {
    /// Rows of matrices; a warp touches all of its rows together.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let role = if self.load { Role::Src } else { Role::Dst };
        let active = by.active();
        let places = |values: &[i64]| {
            let mut row = Formula::new(|a, [t, step]| {
                let values = a.constants(values);
                Ok::<_, Refusal>(vec![matrix_address(a, self, t, step, &values)?])
            })?;
            let mut places = Vec::new();
            for thread in active.iter() {
                let t = by.relative(thread);
                if !self.guards.iter().all(|guard| guard.admits(t)) {
                    continue;
                }
                for step in 0..self.steps() {
                    let row = row.value([t, step]);
                    places.push((thread, row, row + self.row_elements()));
                }
            }
            Ok(places)
        };
        let count = active.len().saturating_mul(self.steps()).saturating_mul(WARP);
        let side = by.side(role, count, by.moved(role, &self.shared), places)?;
        let side = side.map(|side| {
            let footprint = side.footprint.map(|rows| Rc::new(rows.by_whole_warps()));
            Bytes { footprint, collective: Collective::Warp, ..side }
        });
        Ok(Touched::new(Engine::THREADS, side.map(|bytes| (role, bytes))))
    }
}

impl Requests for MatrixCopy {
    /// Rows of matrices: the first 8 lanes of a warp have those of the first matrix.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let role = if self.load { Role::Src } else { Role::Dst };
        if !by.is_asked(role) {
            return Ok(());
        }
        check_count(by.active().len().saturating_mul(self.steps()))?;
        let bytes = i64::from(self.bits() / 8);
        let values = by.typical(role);
        let mut row = Formula::new(|a, [t, step]| {
            let values = a.constants(&values);
            Ok::<_, Refusal>(vec![matrix_address(a, self, t, step, &values)?])
        })?;
        for warp in warps(by) {
            let lane = |&thread: &i64| (thread % WARP, by.relative(thread));
            let is_address = |&(lane, t): &(i64, i64)| {
                lane < self.num * MATRIX_ROWS && self.guards.iter().all(|guard| guard.admits(t))
            };
            let lanes: Vec<_> = warp.iter().map(lane).filter(is_address).collect();
            for step in 0..self.steps() {
                let lanes = lanes.iter().map(|&(lane, t)| (lane, row.value([t, step]).saturating_mul(bytes)));
                let request = WarpRequest { space: Space::Shared, bytes: ROW_BYTES, lanes: lanes.collect() };
                if !request.lanes.is_empty() {
                    each(&request);
                }
            }
        }
        Ok(())
    }
}

impl Costs for MatrixCopy {
    /// The cost of the matrix instructions; registers cost nothing.
    fn cost(&self, _problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.steps(), wavefronts: wavefronts(self, target)? })
    }
}

/// Wavefronts of a warp's instructions: the rows of a matrix take one wavefront if they lie in different banks.
fn wavefronts(copy: &MatrixCopy, target: &Target) -> Result<i64, Refusal> {
    let values = vec![0; copy.shared.dynamic.iter().map(|term| term.value + 1).max().unwrap_or(0)];
    let mut all = 0i64;
    for step in 0..copy.steps() {
        for matrix in 0..copy.num {
            let mut rows = Vec::new();
            for row in 0..MATRIX_ROWS {
                let address = matrix_address(&mut Eval, copy, matrix * MATRIX_ROWS + row, step, &values)?;
                rows.push((address.saturating_mul(i64::from(copy.bits() / 8)), ROW_BYTES));
            }
            all = all.saturating_add(conflicts(rows, target.shared_banks()));
        }
    }
    Ok(all)
}
