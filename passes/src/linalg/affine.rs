//! Affine maps whose results are sums of loops.

use melior::ir::{Attribute, AttributeLike};
use mlir_sys::{
    MlirAffineExpr, mlirAffineBinaryOpExprGetLHS, mlirAffineBinaryOpExprGetRHS, mlirAffineConstantExprGetValue,
    mlirAffineDimExprGetPosition, mlirAffineExprIsAAdd, mlirAffineExprIsAConstant, mlirAffineExprIsADim,
    mlirAffineExprIsAMul, mlirAffineMapAttrGetValue, mlirAffineMapGetNumResults, mlirAffineMapGetResult,
    mlirAttributeIsAAffineMap,
};

/// The loops, each with its factor, that are added in each result of a map, none of 0; `None` where a result is something else.
pub fn dimensions(map: Attribute<'_>) -> Option<Vec<Vec<(usize, i64)>>> {
    // SAFETY: the attribute is alive, its map is taken only if it has one, and only results in range are read.
    unsafe {
        if !mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map = mlirAffineMapAttrGetValue(map.to_raw());
        (0..mlirAffineMapGetNumResults(map)).map(|index| loops(mlirAffineMapGetResult(map, index))).collect()
    }
}

/// The loops of a sum.
///
/// # Safety
/// The expression is alive.
unsafe fn loops(expression: MlirAffineExpr) -> Option<Vec<(usize, i64)>> {
    // SAFETY: parts of an expression live as long as it, and each is taken only of an expression that has it.
    unsafe {
        if mlirAffineExprIsADim(expression) {
            return Some(vec![(usize::try_from(mlirAffineDimExprGetPosition(expression)).ok()?, 1)]);
        }
        if mlirAffineExprIsAConstant(expression) {
            return (mlirAffineConstantExprGetValue(expression) == 0).then(Vec::new);
        }
        if !mlirAffineExprIsAAdd(expression) && !mlirAffineExprIsAMul(expression) {
            return None;
        }
        let (left, right) = (mlirAffineBinaryOpExprGetLHS(expression), mlirAffineBinaryOpExprGetRHS(expression));
        if mlirAffineExprIsAAdd(expression) {
            let mut all = loops(left)?;
            all.extend(loops(right)?);
            return Some(all);
        }
        // Factors are on the right.
        let factor = mlirAffineExprIsAConstant(right).then(|| mlirAffineConstantExprGetValue(right))?;
        let scaled = |(number, of): (usize, i64)| of.checked_mul(factor).map(|factor| (number, factor));
        loops(left)?.into_iter().map(scaled).collect()
    }
}
