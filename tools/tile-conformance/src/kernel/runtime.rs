//! What a kernel takes besides its buffers: begins of regions, extents and strides, and what encloses the copy.

use tile_plan::Which;

use super::name;
use super::text::{Text, constant};
use crate::case::{Begin, Case, Enclosing, Side};

/// The kernel's arguments with their types: `%src_begin_0: index`, `%src_extent_0: index`, `%src_given_1: index` for a stride,
/// `%around_0: i32`.
pub(crate) fn arguments(case: &Case) -> Vec<String> {
    let begins = [Which::Src, Which::Dst].into_iter().flat_map(|which| {
        let (side, name) = (case.side(which), name(which));
        let begins = side.runtime_begins().map(move |(at, ..)| format!("%{name}_begin_{at}: index"));
        let extents = side.runtime_extents().map(move |(at, _)| format!("%{name}_extent_{at}: index"));
        begins.chain(extents).chain(side.runtime_strides().map(move |(at, ..)| format!("%{name}_given_{at}: index")))
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

/// What the arguments are behind those of the memory and the predicate, in the order of [`arguments`].
pub(crate) fn values(case: &Case) -> Vec<i64> {
    let of = |side: &Side| {
        let mut values: Vec<i64> = side.runtime_begins().filter_map(|(_, begin, at)| begin.argument(at)).collect();
        values.extend(side.runtime_extents().map(|(_, extent)| extent));
        values.extend(side.runtime_strides().map(|(.., stride)| stride));
        values
    };
    [of(&case.src), of(&case.dst)].concat()
}

/// Defines `%src_stride_0` and its like, of which something is promised.
pub(crate) fn open(text: &mut Text, case: &Case) {
    for which in [Which::Src, Which::Dst] {
        let name = name(which);
        for (at, divisor, _) in case.side(which).runtime_strides() {
            let given = format!("%{name}_given_{at}");
            text.line(&format!("%{name}_stride_{at} = tile.assume {given} divisible_by {divisor} : index"));
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
