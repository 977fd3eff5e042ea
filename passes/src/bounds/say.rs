//! Diagnostics about regions that leave their buffers, or may.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{location_of, operand_name};
use tile_dialect::ops::Offset;
use tile_plan::bounds::{Doubt, Term, Witness};

use super::{Check, Checked};
use crate::read::run_time::RunTime;
use crate::read::terms::Origin;

/// Letters of the dimensions of blocks and grids.
const LETTERS: [&str; 3] = ["x", "y", "z"];

/// The error of a region that leaves its buffer, with numbers for which it does.
pub(super) fn leaves<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    checked: &Checked<'_, 'c, 'a>,
    check: &Check<'c, 'a>,
    witness: &Witness,
) {
    let Check { name, dimension, .. } = check;
    let verb = if check.extent.is_some() { "leaves" } else { "begins before" };
    let text = format!("{verb} its buffer in dimension {dimension}: {}", at(checked, check, witness));
    let buffer = check.side.value;
    let note = format!("the {name} is of {}", melior::ir::ValueLike::r#type(&buffer));
    Diagnostic::error(text).note(location_of(buffer), note).emit(op);
}

/// The warning, or error, about a region that may leave; with what is missing for a proof, and lines to paste that suffice.
pub(super) fn undecided<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    checked: &Checked<'_, 'c, 'a>,
    check: &Check<'c, 'a>,
    doubt: &Doubt,
    strict: bool,
) {
    let Check { name, dimension, .. } = check;
    let verb = if check.extent.is_some() { "stay" } else { "begin" };
    let text = format!(
        "is not proved to {verb} inside its buffer in dimension {dimension}: the {name} begins at {}, expected {}",
        begin(check),
        expected(check)
    );
    let mut diagnostic = if strict { Diagnostic::error(text) } else { Diagnostic::warning(text) };
    for &symbol in &doubt.unknown {
        let Some(&origin) = checked.reading.origins.get(&symbol) else { continue };
        let place = place(origin).unwrap_or_else(|| op.location());
        diagnostic = diagnostic.note(place, format!("{}: {}", called(origin), known(checked, symbol)));
    }
    if let Some(example) = &doubt.example {
        diagnostic = diagnostic.note(op.location(), format!("for example {}", at(checked, check, example)));
    }
    let or = if check.extent.is_some() { "; a masked copy may leave its buffer" } else { "" };
    let proofs = [multiple(checked, doubt), grid(checked, doubt), Some(condition(check, doubt) + or)];
    for proof in proofs.into_iter().flatten() {
        diagnostic = diagnostic.note(op.location(), proof);
    }
    diagnostic.emit(op);
}

/// `the source begins at 96, expected 0 to 84: element [4, 0] of the region is outside of the extent 100, with block x = 6`
fn at(checked: &Checked<'_, '_, '_>, check: &Check<'_, '_>, witness: &Witness) -> String {
    let with: Vec<String> = witness
        .values
        .iter()
        .filter_map(|(symbol, value)| Some(format!("{} = {value}", called(*checked.reading.origins.get(symbol)?))))
        .collect();
    let with = if with.is_empty() { String::new() } else { format!(", with {}", with.join(", ")) };
    let (name, at, extent) = (&check.name, witness.begin, witness.extent);
    if check.extent.is_none() {
        return format!("the {name} begins at {at}, expected 0 or more{with}");
    }
    let mut element = vec![0; check.side.region.sizes.len()];
    element[check.dimension] = witness.element();
    let expected = match witness.extent.checked_sub(check.size()) {
        Some(most) if most >= 0 => format!("expected 0 to {most}"),
        _ => format!("expected an extent of at least {}", check.size()),
    };
    format!(
        "the {name} begins at {at}, {expected}: element {element:?} of the region is outside of the extent {extent}{with}"
    )
}

/// The start of a region, as the IR has it.
fn begin(check: &Check<'_, '_>) -> String {
    match check.begin {
        Offset::Constant(begin) => begin.to_string(),
        Offset::Value(value) => operand_name(value),
    }
}

/// The starts that are in bounds.
fn expected(check: &Check<'_, '_>) -> String {
    match check.most() {
        Some(most) => format!("0 to {most}"),
        None if check.extent.is_none() => "0 or more".to_owned(),
        None => format!("0 to {} less {}", extent(check).0, check.size()),
    }
}

/// The extent of the buffer, and the lines that make a value of it.
fn extent(check: &Check<'_, '_>) -> (String, String) {
    match &check.extent {
        Some(RunTime::Value(value)) => (operand_name(*value), String::new()),
        Some(RunTime::Extent(memref, dimension)) => {
            let (name, r#type) = (operand_name(*memref), melior::ir::ValueLike::r#type(memref));
            let lines = format!("%d = arith.constant {dimension} : index; %extent = memref.dim {name}, %d : {type}; ");
            ("%extent".to_owned(), lines)
        }
        _ => ("its extent".to_owned(), String::new()),
    }
}

/// A symbol, as diagnostics name it.
fn called(origin: Origin<'_, '_>) -> String {
    match origin {
        Origin::Thread(dimension) => format!("thread {}", LETTERS[dimension]),
        Origin::Block(dimension) => format!("block {}", LETTERS[dimension]),
        Origin::BlockSize(dimension) => format!("the block's size in {}", LETTERS[dimension]),
        Origin::GridSize(dimension) => format!("the grid's size in {}", LETTERS[dimension]),
        Origin::Value(value) => operand_name(value),
        Origin::Extent(memref, dimension) => format!("extent {dimension} of {}", operand_name(memref)),
    }
}

fn place<'c>(origin: Origin<'c, '_>) -> Option<melior::ir::Location<'c>> {
    match origin {
        Origin::Value(value) | Origin::Extent(value, _) => Some(location_of(value)),
        _ => None,
    }
}

/// The known range and residue of a symbol.
fn known(checked: &Checked<'_, '_, '_>, symbol: Term) -> String {
    let known = checked.reading.question.terms.known(symbol);
    let (divisor, residue) = known.residue.parts();
    let (least, most) = (known.range.least, known.range.most);
    let mut parts = Vec::new();
    if least > i64::MIN.into() || most < i64::MAX.into() {
        parts.push(format!("that it is from {least} to {most}"));
    }
    if divisor > 1 {
        parts.push(format!("that it is {residue} modulo {divisor}"));
    }
    if parts.is_empty() { "nothing is known".to_owned() } else { format!("known only {}", parts.join(", and ")) }
}

/// A promise that would suffice.
fn multiple(checked: &Checked<'_, '_, '_>, doubt: &Doubt) -> Option<String> {
    let (symbol, by) = doubt.multiple?;
    match *checked.reading.origins.get(&symbol)? {
        Origin::Value(value) => {
            let (name, r#type) = (operand_name(value), melior::ir::ValueLike::r#type(&value));
            Some(format!(
                "in place of {name}, this proves it: %multiple = tile.assume {name} divisible_by {by} : {type}"
            ))
        }
        _ => None,
    }
}

/// The size of the grid that would suffice.
fn grid(checked: &Checked<'_, '_, '_>, doubt: &Doubt) -> Option<String> {
    let (symbol, most) = doubt.most?;
    let Some(Origin::Block(dimension)) = checked.reading.origins.get(&symbol) else { return None };
    let mut sizes = [1; 3];
    sizes[*dimension] = most.checked_add(1).filter(|&count| (1..=i64::from(i32::MAX)).contains(&count))?;
    let [x, y, z] = sizes;
    Some(format!("on the gpu.func, this proves it: known_grid_size = array<i32: {x}, {y}, {z}>"))
}

/// A condition that would suffice.
fn condition(check: &Check<'_, '_>, doubt: &Doubt) -> String {
    let (size, begin) = (check.size(), begin(check));
    let constant = matches!(check.begin, Offset::Constant(_));
    let (first, begin) = match constant {
        true => (format!("%begin = arith.constant {begin} : index; "), "%begin".to_owned()),
        false => (String::new(), begin),
    };
    let tests = match check.most() {
        Some(most) => {
            format!("%most = arith.constant {most} : index; %inside = arith.cmpi ule, {begin}, %most : index")
        }
        None if check.extent.is_none() => {
            format!("%zero = arith.constant 0 : index; %inside = arith.cmpi sge, {begin}, %zero : index")
        }
        None => {
            let (extent, lines) = extent(check);
            let ends = format!(
                "{lines}%size = arith.constant {size} : index; %most = arith.subi {extent}, %size : index; \
                 %{} = arith.cmpi sle, {begin}, %most : index",
                if doubt.begins { "inside" } else { "ends" }
            );
            let begins = "%zero = arith.constant 0 : index; %begins = arith.cmpi sge, ";
            match doubt.begins {
                true => ends,
                false => format!("{ends}; {begins}{begin}, %zero : index; %inside = arith.andi %begins, %ends : i1"),
            }
        }
    };
    format!("around the copy, this proves it: {first}{tests}; scf.if %inside {{ … }}")
}
