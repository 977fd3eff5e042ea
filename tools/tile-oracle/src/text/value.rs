//! Numbers and conditions as SSA values.

use super::Text;
use crate::ast::{Argument, Compare, Cond, Expr, Program};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Emission of the values of a program.
pub(super) trait Values {
    /// An `index` value.
    fn index(&mut self, program: &Program, expr: &Expr) -> String;
    /// A start as written in a region: a constant, or a value.
    fn offset(&mut self, program: &Program, expr: &Expr) -> String;
    /// An `i1` value.
    fn condition(&mut self, program: &Program, cond: &Cond) -> String;
}

impl Values for Text {
    fn index(&mut self, program: &Program, expr: &Expr) -> String {
        let with = |text: &mut Text, op: &str, a: &Expr, number: i64| {
            let (a, b) = (text.index(program, a), text.index(program, &Expr::Const(number)));
            text.value(&format!("arith.{op} {a}, {b} : index"))
        };
        match expr {
            Expr::Const(value) => self.value(&format!("arith.constant {value} : index")),
            Expr::Argument(number) => format!("%a{number}"),
            Expr::Block(axis) => self.value(&format!("gpu.block_id {}", AXES[*axis])),
            Expr::Thread(axis) => self.value(&format!("gpu.thread_id {}", AXES[*axis])),
            Expr::Linear => linear(self, "thread_id", program.block),
            Expr::LinearBlock => linear(self, "block_id", program.grid),
            Expr::Lane => self.value("gpu.lane_id"),
            Expr::Variable(number) => format!("%i{number}"),
            Expr::Load(argument, index) => {
                let index = self.index(program, index);
                let entries = match &program.arguments[*argument] {
                    Argument::Table(values) => values.len(),
                    _ => 0,
                };
                let entry = self.value(&format!("memref.load %a{argument}[{index}] : memref<{entries}xi32>"));
                self.value(&format!("arith.index_cast {entry} : i32 to index"))
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.index(program, a), self.index(program, b));
                self.value(&format!("arith.addi {a}, {b} : index"))
            }
            Expr::Mul(a, factor) => with(self, "muli", a, *factor),
            Expr::Div(a, divisor) => with(self, "divui", a, *divisor),
            Expr::Rem(a, divisor) => with(self, "remui", a, *divisor),
            Expr::Assume(a, divisor) => {
                let a = self.index(program, a);
                self.value(&format!("tile.assume {a} divisible_by {divisor} : index"))
            }
        }
    }

    fn offset(&mut self, program: &Program, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            _ => self.index(program, expr),
        }
    }

    fn condition(&mut self, program: &Program, cond: &Cond) -> String {
        match cond {
            Cond::Is(compare, a, b) => {
                let (a, b) = (self.index(program, a), self.index(program, b));
                let predicate = match compare {
                    Compare::Eq => "eq",
                    Compare::Ne => "ne",
                    Compare::Lt => "slt",
                    Compare::Ge => "uge",
                };
                self.value(&format!("arith.cmpi {predicate}, {a}, {b} : index"))
            }
            Cond::And(a, b) => {
                let (a, b) = (self.condition(program, a), self.condition(program, b));
                self.value(&format!("arith.andi {a}, {b} : i1"))
            }
        }
    }
}

/// `x + extent_x * (y + extent_y * z)`, without dimensions of extent 1.
fn linear(text: &mut Text, op: &str, extents: [i64; 3]) -> String {
    let mut sum = String::new();
    for axis in (0..3).rev().filter(|&axis| extents[axis] > 1 || axis == 0) {
        let id = text.value(&format!("gpu.{op} {}", AXES[axis]));
        if sum.is_empty() {
            sum = id;
            continue;
        }
        let extent = text.value(&format!("arith.constant {} : index", extents[axis]));
        let scaled = text.value(&format!("arith.muli {sum}, {extent} : index"));
        sum = text.value(&format!("arith.addi {id}, {scaled} : index"));
    }
    sum
}
