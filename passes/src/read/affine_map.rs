//! Affine expressions, evaluated over terms, residues or integers.

use melior::ir::{Attribute, AttributeLike, OperationRef};
use mlir_sys::MlirAffineExpr;
use tile_ops::affine;

use tile_plan::bounds::{Term, Terms};
use tile_plan::integer::{Operation, Residue};

/// A node of an affine expression.
enum Node {
    Constant(i64),
    /// Operand of the op: dimensions first, then symbols.
    Operand(usize),
    Add(MlirAffineExpr, MlirAffineExpr),
    Mul(MlirAffineExpr, MlirAffineExpr),
    FloorDiv(MlirAffineExpr, MlirAffineExpr),
    CeilDiv(MlirAffineExpr, MlirAffineExpr),
    Mod(MlirAffineExpr, MlirAffineExpr),
}

fn node(expr: MlirAffineExpr, dims: usize) -> Option<Node> {
    use mlir_sys::*;
    // SAFETY: the expression belongs to a live attribute, and each accessor is called on its own kind only.
    unsafe {
        if mlirAffineExprIsAConstant(expr) {
            return Some(Node::Constant(mlirAffineConstantExprGetValue(expr)));
        }
        if mlirAffineExprIsADim(expr) {
            return Some(Node::Operand(mlirAffineDimExprGetPosition(expr) as usize));
        }
        if mlirAffineExprIsASymbol(expr) {
            return Some(Node::Operand(dims + mlirAffineSymbolExprGetPosition(expr) as usize));
        }
        let binary = |build: fn(MlirAffineExpr, MlirAffineExpr) -> Node| {
            build(mlirAffineBinaryOpExprGetLHS(expr), mlirAffineBinaryOpExprGetRHS(expr))
        };
        if mlirAffineExprIsAAdd(expr) {
            Some(binary(Node::Add))
        } else if mlirAffineExprIsAMul(expr) {
            Some(binary(Node::Mul))
        } else if mlirAffineExprIsAFloorDiv(expr) {
            Some(binary(Node::FloorDiv))
        } else if mlirAffineExprIsACeilDiv(expr) {
            Some(binary(Node::CeilDiv))
        } else if mlirAffineExprIsAMod(expr) {
            Some(binary(Node::Mod))
        } else {
            None
        }
    }
}

/// The results of the map in an attribute, and how many of its operands are dimensions.
fn results(map: Attribute<'_>) -> Option<(Vec<MlirAffineExpr>, usize)> {
    // SAFETY: the attribute is alive, and its map is taken only if it has one, and only results in range are read.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map = mlir_sys::mlirAffineMapAttrGetValue(map.to_raw());
        let results = 0..mlir_sys::mlirAffineMapGetNumResults(map);
        let results = results.map(|index| mlir_sys::mlirAffineMapGetResult(map, index)).collect();
        Some((results, mlir_sys::mlirAffineMapGetNumDims(map) as usize))
    }
}

/// Whether the map in an attribute selects its last dimensions in their order: `(d0, d1, d2) -> (d1, d2)`.
pub fn is_minor_identity(map: Attribute<'_>) -> bool {
    // SAFETY: the attribute is alive, and its map is taken only if it has one.
    unsafe {
        mlir_sys::mlirAttributeIsAAffineMap(map.to_raw())
            && mlir_sys::mlirAffineMapIsMinorIdentity(mlir_sys::mlirAffineMapAttrGetValue(map.to_raw()))
    }
}

/// The results of the map in an attribute, over terms.
pub fn terms(map: Attribute<'_>, operands: &[Term], terms: &mut Terms) -> Option<Vec<Term>> {
    let (results, dims) = results(map)?;
    results.into_iter().map(|expr| term_of(expr, dims, operands, terms)).collect()
}

/// The constraints of an `affine.if`, each with whether it is an equality (`== 0`); the others are `>= 0`.
pub fn constraints(op: OperationRef<'_, '_>, operands: &[Term], terms: &mut Terms) -> Option<Vec<(Term, bool)>> {
    let set = affine::AffineIfOp::cast(op)?.condition()?;
    // SAFETY: the attribute is alive, and its set is taken only if it has one, and only constraints in range are read.
    let (exprs, dims): (Vec<_>, _) = unsafe {
        if !mlir_sys::mlirAttributeIsAIntegerSet(set.to_raw()) {
            return None;
        }
        let set = mlir_sys::mlirIntegerSetAttrGetValue(set.to_raw());
        let constraint = |index| {
            (mlir_sys::mlirIntegerSetGetConstraint(set, index), mlir_sys::mlirIntegerSetIsConstraintEq(set, index))
        };
        let count = mlir_sys::mlirIntegerSetGetNumConstraints(set);
        ((0..count).map(constraint).collect(), mlir_sys::mlirIntegerSetGetNumDims(set) as usize)
    };
    exprs.into_iter().map(|(expr, equal)| Some((term_of(expr, dims, operands, terms)?, equal))).collect()
}

fn term_of(expr: MlirAffineExpr, dims: usize, operands: &[Term], terms: &mut Terms) -> Option<Term> {
    let part = |expr, terms: &mut Terms| term_of(expr, dims, operands, terms);
    let (operation, a, b) = match node(expr, dims)? {
        Node::Constant(value) => return Some(terms.constant(value)),
        Node::Operand(index) => return operands.get(index).copied(),
        Node::Add(a, b) => (Operation::Add, a, b),
        Node::Mul(a, b) => (Operation::Mul, a, b),
        Node::FloorDiv(a, b) => (Operation::DivFloor, a, b),
        Node::CeilDiv(a, b) => (Operation::DivCeil, a, b),
        // a - a / b * b, rounded down: at least 0
        Node::Mod(a, b) => {
            let (a, b) = (part(a, terms)?, part(b, terms)?);
            let quotient = terms.wide(Operation::DivFloor, a, b);
            let whole = terms.wide(Operation::Mul, quotient, b);
            return Some(terms.wide(Operation::Sub, a, whole));
        }
    };
    let (a, b) = (part(a, terms)?, part(b, terms)?);
    Some(terms.wide(operation, a, b))
}

/// The one result of the map in an attribute, and how many of its operands are dimensions.
fn single(map: Attribute<'_>) -> Option<(MlirAffineExpr, usize)> {
    let (results, dims) = results(map)?;
    if let [only] = results[..] { Some((only, dims)) } else { None }
}

/// The lower bound of an `affine.for`, if it is a constant.
pub fn constant_lower_bound(op: OperationRef<'_, '_>) -> Option<i64> {
    let (expr, dims) = single(affine::AffineForOp::cast(op)?.lower_bound_map()?)?;
    value_of(expr, dims, &[])
}

/// The results of a map for the values of its operands.
pub fn results_of(map: Attribute<'_>, operands: &[i64]) -> Option<Vec<i64>> {
    let (results, dims) = results(map)?;
    results.into_iter().map(|expr| value_of(expr, dims, operands)).collect()
}

/// The one result of an `affine.apply`'s map.
fn applied(op: OperationRef<'_, '_>) -> Option<(MlirAffineExpr, usize)> {
    single(affine::AffineApplyOp::cast(op)?.map()?)
}

/// The residue of an `affine.apply`'s result.
pub fn residue(op: OperationRef<'_, '_>, operand: &dyn Fn(usize) -> Residue) -> Residue {
    applied(op).map_or(Residue::ANY, |(expr, dims)| residue_of(expr, dims, operand))
}

fn residue_of(expr: MlirAffineExpr, dims: usize, operand: &dyn Fn(usize) -> Residue) -> Residue {
    let part = |expr| residue_of(expr, dims, operand);
    match node(expr, dims) {
        Some(Node::Constant(value)) => Residue::exactly(value),
        Some(Node::Operand(index)) => operand(index),
        Some(Node::Add(a, b)) => part(a).plus(part(b)),
        Some(Node::Mul(a, b)) => part(a).times(part(b)),
        Some(Node::FloorDiv(a, b)) => part(b).constant().map_or(Residue::ANY, |by| part(a).floor_div(by)),
        Some(Node::Mod(a, b)) => part(b).constant().map_or(Residue::ANY, |by| part(a).remainder(by)),
        Some(Node::CeilDiv(a, b)) => part(a).exact_div(part(b)),
        None => Residue::ANY,
    }
}

/// The result of an `affine.apply` for known operands.
pub fn evaluate(op: OperationRef<'_, '_>, operands: &[i64]) -> Option<i64> {
    let (expr, dims) = applied(op)?;
    value_of(expr, dims, operands)
}

fn value_of(expr: MlirAffineExpr, dims: usize, operands: &[i64]) -> Option<i64> {
    let part = |expr| value_of(expr, dims, operands);
    match node(expr, dims)? {
        Node::Constant(value) => Some(value),
        Node::Operand(index) => operands.get(index).copied(),
        Node::Add(a, b) => part(a)?.checked_add(part(b)?),
        Node::Mul(a, b) => part(a)?.checked_mul(part(b)?),
        Node::FloorDiv(a, b) => Some(part(a)?.div_euclid(part(b).filter(|&by| by > 0)?)),
        Node::CeilDiv(a, b) => part(a)?.checked_neg()?.div_euclid(part(b).filter(|&by| by > 0)?).checked_neg(),
        Node::Mod(a, b) => Some(part(a)?.rem_euclid(part(b).filter(|&by| by > 0)?)),
    }
}
