//! Affine expressions as terms.

use melior::ir::{Attribute, AttributeLike};
use mlir_sys::MlirAffineExpr;

use tile_plan::bounds::{Term, Terms};
use tile_plan::integer::Operation;

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

/// Whether the map in an attribute is the identity.
pub fn is_identity(map: Attribute<'_>) -> bool {
    // SAFETY: as in `is_minor_identity`.
    unsafe {
        mlir_sys::mlirAttributeIsAAffineMap(map.to_raw())
            && mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirAffineMapAttrGetValue(map.to_raw()))
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
