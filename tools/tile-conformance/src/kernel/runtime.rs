//! What a kernel takes besides its buffers: begins of regions, and what encloses the copy.

use tile_plan::Which;

use super::name;
use super::text::{Text, constant};
use crate::case::{Begin, Case, Enclosing};

/// The kernel's arguments with their types: `%src_begin_0: index`, `%around_0: i32`.
pub(crate) fn arguments(case: &Case) -> Vec<String> {
    let begins = [Which::Src, Which::Dst].into_iter().flat_map(|which| {
        let dimensions = case.side(which).runtime_begins().map(|(dimension, ..)| dimension);
        dimensions.map(move |dimension| format!("%{}_begin_{dimension}: index", name(which)))
    });
    let around = (0..case.enclosing.len()).map(|number| format!("%around_{number}: i32"));
    begins.chain(around).collect()
}

/// Defines `%src_at_0` and its like, where the regions begin.
pub(crate) fn begins(text: &mut Text, case: &Case) {
    for which in [Which::Src, Which::Dst] {
        for (dimension, begin, _) in case.side(which).runtime_begins() {
            let (given, at) = (format!("%{}_begin_{dimension}", name(which)), begin_name(which, dimension));
            match begin {
                Begin::Written => continue,
                Begin::Assumed(divisor) => {
                    text.line(&format!("{at} = tile.assume {given} divisible_by {divisor} : index"))
                }
                Begin::Product(factor) => {
                    let factor = constant(text, factor);
                    text.line(&format!("{at} = arith.muli {given}, {factor} : index"))
                }
            };
        }
    }
}

/// The value that a region begins at in a dimension.
pub(crate) fn begin_name(which: Which, dimension: usize) -> String {
    format!("%{}_at_{dimension}", name(which))
}

/// Opens what encloses the copy: one region each.
pub(super) fn enclose(text: &mut Text, case: &Case) {
    for (number, around) in case.enclosing.iter().enumerate() {
        let argument = format!("%around_{number}");
        match around {
            Enclosing::If(_) | Enclosing::Unless(_) => {
                let zero = text.value("arith.constant 0 : i32");
                let set = text.value(&format!("arith.cmpi ne, {argument}, {zero} : i32"));
                text.open(&format!("scf.if {set} {{"));
                if matches!(around, Enclosing::Unless(_)) {
                    text.close();
                    text.open("else {");
                }
            }
            Enclosing::For(_) => {
                let rounds = text.value(&format!("arith.index_cast {argument} : i32 to index"));
                let (first, step) = (constant(text, 0), constant(text, 1));
                text.open(&format!("scf.for %round_{number} = {first} to {rounds} step {step} {{"));
            }
        }
    }
}
