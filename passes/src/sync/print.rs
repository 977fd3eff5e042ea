//! `--tile-print-dependences`: the dependences of each kernel as a graph for Graphviz.

use std::fmt::Write;

use melior::ir::operation::OperationLike;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, operand_name};
use tile_plan::sync::{Dependence, dependences};

use super::check::kernels;
use super::kernel::SyncKernel;
use super::say;
use crate::options::LoweringOptions;
use crate::read::kernel::symbol;
use crate::read::name;
use crate::read::ranges::Ranges;

/// Prints a graph for each kernel at or below the root to the standard error stream; `false`, after errors, where one could
/// not be read.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let ranges = Ranges::none();
    let mut complete = true;
    for function in kernels(ir.root()) {
        let read = guard::quiet(|| {
            SyncKernel::read(function, options, &ranges).map(|kernel| graph(&kernel, &symbol(function)))
        });
        match read {
            Ok(Ok(text)) => eprint!("{text}"),
            Ok(Err(why)) => {
                Diagnostic::error(why).emit(function);
                complete = false;
            }
            Err(panicked) => {
                Diagnostic::error(panicked).emit(function);
                complete = false;
            }
        }
    }
    complete
}

/// The graph of a kernel: operations, joined by dotted edges in their order; dependences, red where nothing orders them.
fn graph(kernel: &SyncKernel<'_, '_, '_>, called: &str) -> String {
    let mut text = format!("digraph \"{called}\" {{\n  node [shape=box];\n");
    for (number, op) in kernel.ops().iter().enumerate() {
        let operands: Vec<String> = op.operands().take(2).map(operand_name).collect();
        let _ = writeln!(text, "  n{number} [label=\"{} {}\"];", name(*op), operands.join(", ").replace('"', "'"));
    }
    for number in 1..kernel.ops().len() {
        let _ = writeln!(text, "  n{} -> n{number} [style=dotted];", number - 1);
    }
    let digraph = dependences(kernel.program());
    for edge in digraph.edge_indices() {
        let Some((from, to)) = digraph.edge_endpoints(edge) else { continue };
        let (label, color) = label(&digraph[edge]);
        let _ = writeln!(text, "  n{} -> n{} [label=\"{label}\"{color}];", digraph[from], digraph[to]);
    }
    text + "}\n"
}

fn label(dependence: &Dependence) -> (String, &'static str) {
    let mut label = dependence.hazard.name().to_owned();
    match (dependence.carried, dependence.later) {
        (None, _) => {}
        (Some(_), Some(later)) => label += &format!(" +{later}"),
        (Some(_), None) => label += " +n",
    }
    if dependence.completes {
        label += ", completion";
    }
    if dependence.fenced {
        label += ", proxy";
    }
    if let Some(example) = dependence.example {
        label += &format!("\\nthreads {} and {}, byte {}", example.first, example.second, example.byte);
    }
    match &dependence.missing {
        Some(needs) => (format!("{label}\\nmissing: {}", say::order(needs)), ", color=red"),
        None => (label, ""),
    }
}
