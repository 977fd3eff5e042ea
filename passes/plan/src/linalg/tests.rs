//! Forms of ops, and tiles of products for chips.

use tile_isa::NumberFormat;

use super::{
    CombinedTerm, FactorTile, LinalgBody, LinalgForm, LinalgRefusal, ProductLoops, ProductPlan, ProductProblem,
    StructuredOp,
};
use crate::target::Target;

fn op(extents: &[i64], reduces: &[bool], maps: &[&[usize]], body: LinalgBody) -> StructuredOp {
    StructuredOp {
        extents: extents.to_vec(),
        is_open: vec![false; extents.len()],
        reduces: reduces.to_vec(),
        maps: maps.iter().map(|map| Some(map.to_vec())).collect(),
        inputs: maps.len() - 1,
        body,
    }
}

fn sum(term: CombinedTerm) -> LinalgBody {
    LinalgBody::Combined { is_sum: true, term }
}

#[test]
fn an_element_is_a_copy_a_fill_or_a_map() {
    let parallel = [false, false];
    let form = |input: &[usize]| op(&[4, 8], &parallel, &[input, &[0, 1]], LinalgBody::Element(0)).form();
    assert_eq!(form(&[0, 1]), Ok(LinalgForm::Copy(vec![0, 1])));
    assert_eq!(form(&[1, 0]), Ok(LinalgForm::Copy(vec![1, 0])));
    assert_eq!(form(&[]), Ok(LinalgForm::Fill(0)));
    assert_eq!(form(&[1]), Ok(LinalgForm::Map));
}

#[test]
fn products_are_known_by_their_loops() {
    let product = |maps: &[&[usize]], extents: &[i64], reduces: &[bool]| {
        op(extents, reduces, maps, sum(CombinedTerm::Product([0, 1]))).form()
    };
    let (loops, extents) = ([false, false, true], [32, 16, 8]);
    let expected = |m, n, factors| Ok(LinalgForm::Product(ProductLoops { m, n, k: 2, factors }));
    assert_eq!(product(&[&[0, 2], &[1, 2], &[0, 1]], &extents, &loops), expected(0, 1, [0, 1]));
    // Sums that are stored by columns are those of the exchanged product.
    assert_eq!(product(&[&[0, 2], &[2, 1], &[1, 0]], &extents, &loops), expected(1, 0, [1, 0]));
    let batch: [&[usize]; 3] = [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]];
    let of_batch = |count| product(&batch, &[count, 32, 16, 8], &[false, false, false, true]);
    assert_eq!(of_batch(1), Ok(LinalgForm::Product(ProductLoops { m: 1, n: 2, k: 3, factors: [0, 1] })));
    assert_eq!(of_batch(4), Err(LinalgRefusal::Batch { extent: 4 }));
    // A matrix times a vector has no columns: its terms are reduced.
    let vector = product(&[&[0, 1], &[1], &[0]], &[32, 8], &[false, true]);
    assert_eq!(vector, Ok(LinalgForm::Reduce { along: 1, input: None }));
}

#[test]
fn what_is_no_form_has_a_name() {
    let reduced = |reduces: &[bool], body| op(&[4, 4, 4], reduces, &[&[0, 1, 2], &[0]], body).form();
    let two = reduced(&[false, true, true], sum(CombinedTerm::Element(0)));
    assert_eq!(two, Err(LinalgRefusal::ReductionLoops { loops: 2 }));
    let result = reduced(&[false, false, true], sum(CombinedTerm::Element(0)));
    assert_eq!(result, Err(LinalgRefusal::ResultMap { result: 0, parallel: 2 }));
    let function = op(&[4, 4], &[false, true], &[&[0, 1], &[0]], LinalgBody::Function).form();
    assert_eq!(function, Err(LinalgRefusal::NotCombined));
    let window = StructuredOp {
        maps: vec![None, Some(vec![0, 1])],
        ..op(&[4, 4], &[false, false], &[&[0], &[0, 1]], LinalgBody::Function)
    };
    assert_eq!(window.form(), Err(LinalgRefusal::OperandMap { operand: 0 }));
    let open = StructuredOp {
        is_open: vec![false, true],
        ..op(&[4, 4], &[false, true], &[&[1], &[0]], sum(CombinedTerm::Element(0)))
    };
    assert_eq!(open.form(), Err(LinalgRefusal::RunTimeExtent { number: 1 }));
}

fn plan(size: [i64; 3], numbers: [NumberFormat; 3], threads: i64, chip: &str) -> Option<ProductPlan> {
    let problem = ProductProblem { size, numbers, clauses: [None; 2], is_transposed: [false; 2], threads };
    problem.plan(&Target::parse(chip).unwrap()).ok()
}

#[test]
fn chips_multiply_by_what_they_have() {
    let half = [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32];
    let single = [NumberFormat::F32; 3];
    let variant = |size, numbers, threads, chip| plan(size, numbers, threads, chip).map(|plan| plan.variant);
    assert_eq!(variant([128, 128, 64], half, 256, "sm_90a"), Some("wgmma"));
    assert_eq!(variant([128, 128, 64], half, 256, "sm_90"), Some("mma_sync"));
    assert_eq!(variant([128, 128, 64], half, 256, "sm_80"), Some("mma_sync"));
    assert_eq!(variant([32, 48, 24], single, 64, "sm_90a"), Some("fma"));
    assert_eq!(variant([12, 12, 12], half, 64, "sm_80"), Some("fma"));
    assert_eq!(variant([128, 128, 64], single, 32, "sm_80"), None);
}

#[test]
fn depths_divide_all_of_them() {
    for depth in 1..40 {
        let plan = plan([16, 24, depth], [NumberFormat::F32; 3], 32, "sm_80").unwrap();
        assert_eq!(depth % plan.depth, 0);
        assert!(plan.factors.iter().all(|factor| matches!(factor, FactorTile::Registers(_))));
    }
}
