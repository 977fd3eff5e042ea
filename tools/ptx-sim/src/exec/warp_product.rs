//! `mma.sync`: products of matrices in the registers of a warp (PTX ISA 9.7.14.5).

use super::core::{Core, Flow};
use super::problem::{Exec, invalid};
use super::sums::Sum;
use crate::code::{COLUMNS, Row, WarpMultiply};

/// The compute capability of a target such as `sm_90a`, times ten.
fn capability(target: &str) -> Option<u32> {
    target.strip_prefix("sm_")?.trim_end_matches(char::is_alphabetic).parse().ok()
}

impl Core<'_, '_> {
    pub(crate) fn warp_multiply(&mut self, op: &WarpMultiply, mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        if active != u32::MAX {
            return Err(invalid(format!("all 32 lanes must take part, got {active:#010x}")));
        }
        let target = &self.env.program.target;
        if capability(target).is_none_or(|have| have < op.since) {
            return Err(invalid(format!("got the target {target}, expected sm_{} or later", op.since)));
        }
        let a = self.fragment(op.inputs[0], &op.a, op.rows as usize);
        let b = self.fragment(op.inputs[1], &op.b, COLUMNS as usize);
        let starts: Vec<Row> = op.c.iter().map(|&c| self.row(c)).collect();
        self.multiply_fragments(&op.d, &starts, &a, &b, Sum { total: op.total, negative: false, shift: 0 });
        Ok(Flow::Next)
    }
}

#[cfg(test)]
mod tests {
    use super::capability;

    #[test]
    fn capabilities() {
        let all = ["sm_75", "sm_90a", "sm_100f", "sm_120", "compute_90"].map(capability);
        assert_eq!(all, [Some(75), Some(90), Some(100), Some(120), None]);
    }
}
