//! Choices by example, each with what is proved of it.

use tile_plan::choose_layout::{
    Certificate, CertificateError, CheckError, ChooseError, LayoutFamily, LayoutProblem, SharedAccess, check, choose,
    swizzle_modes,
};

use super::{access, chosen, outcome, problem};

fn expected(layout: &str, conflicts: i64, certificate: &str) -> (String, i64, String) {
    (layout.to_owned(), conflicts, certificate.to_owned())
}

#[test]
fn a_transpose_of_single_elements() {
    let rows = access(128, 32, (1, 1), |lane| lane);
    let columns = access(128, 32, (1, 1), |lane| 64 * lane);
    let swizzled = "(64, 64) : (64, 1), swizzle<base = 0, bits = 5, shift = 6>";
    assert_eq!(outcome(&problem(&[64, 64], 4, vec![rows, columns])), expected(swizzled, 0, "0 conflicts"));
}

/// Rows of 16 bytes are written, matrices of 8 rows read.
#[test]
fn rows_and_matrices() {
    let rows = access(16, 32, (8, 1), |lane| lane / 8 * 64 + lane % 8 * 8);
    let matrices = access(16, 32, (8, 1), |lane| lane % 16 * 64 + lane / 16 * 8);
    let swizzled = "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>";
    assert_eq!(outcome(&problem(&[64, 64], 2, vec![rows, matrices])), expected(swizzled, 0, "0 conflicts"));
}

/// One access alone needs no swizzle, and no access at all no thought.
#[test]
fn nothing_to_be_done() {
    let rows = access(1, 32, (1, 1), |lane| lane);
    assert_eq!(outcome(&problem(&[64, 64], 4, vec![rows])).0, "(64, 64) : (64, 1)");
    let columns = access(1, 32, (1, 1), |lane| 64 * lane);
    assert_eq!(outcome(&problem(&[64, 64], 4, vec![columns])).0, "(64, 64) : (1, 64)");
    assert_eq!(outcome(&problem(&[64, 64], 4, Vec::new())).0, "(64, 64) : (64, 1)");
}

/// Vectors of 16 bytes along both dimensions: one of the two is read element by element, without conflicts.
#[test]
fn vectors_that_disagree() {
    let rows = access(8, 32, (4, 1), |lane| lane / 8 * 32 + lane % 8 * 4);
    let columns = access(8, 32, (4, 32), |lane| lane % 8 * 128 + lane / 8);
    let choice = chosen(&problem(&[32, 32], 4, vec![rows, columns]));
    assert_eq!(choice.certificate, Certificate::NoConflicts);
    let mut bytes: Vec<i64> = choice.costs.iter().map(|cost| cost.bytes).collect();
    bytes.sort_unstable();
    assert_eq!(bytes, [4, 16]);
}

/// Three accesses that share all but one of five directions.
fn three() -> Vec<SharedAccess> {
    let with = |bit: i64| {
        move |lane: i64| {
            let shared = lane & 15;
            shared + if lane & 16 == 0 { 0 } else { bit }
        }
    };
    vec![access(4, 32, (1, 1), with(16)), access(2, 32, (1, 1), with(32)), access(1, 32, (1, 1), with(48))]
}

#[test]
fn three_accesses_of_a_plane_conflict() {
    let problem = problem(&[4, 64], 4, three());
    let choice = chosen(&problem);
    assert_eq!(choice.certificate.to_string(), "2 ways are unavoidable for one of accesses 0, 1 and 2");
    assert_eq!(choice.costs.iter().map(|cost| cost.conflicts()).collect::<Vec<_>>(), [0, 0, 1]);
}

/// Vectors along rows have 8 places in a line; a column of 32 single elements meets each four times.
#[test]
fn columns_of_single_elements_beside_vectors() {
    let matrices = access(16, 32, (8, 1), |lane| lane % 16 * 64 + lane / 16 * 8);
    let columns = access(16, 32, (1, 1), |lane| 64 * lane);
    let (_, conflicts, certificate) = outcome(&problem(&[64, 64], 2, vec![matrices, columns]));
    assert_eq!(
        (conflicts, certificate.as_str()),
        (48, "4 ways are unavoidable for access 1 beside the vectors of access 0")
    );
}

/// The engine has the four swizzles of 16-byte pieces only.
#[test]
fn the_modes_of_an_engine() {
    let matrices = access(16, 32, (8, 1), |lane| lane % 16 * 64 + lane / 16 * 8);
    let columns = access(16, 32, (1, 1), |lane| 64 * lane);
    let rows: tile_layout::Layout = "(64, 64) : (64, 1)".parse().unwrap();
    let family = LayoutFamily::Modes { engine: "TMA", layouts: swizzle_modes(&rows, 2) };
    let asked = |accesses| LayoutProblem { family: family.clone(), ..problem(&[64, 64], 2, accesses) };
    let swizzled = "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>";
    assert_eq!(outcome(&asked(vec![matrices.clone()])), expected(swizzled, 0, "0 conflicts"));
    let (layout, conflicts, certificate) = outcome(&asked(vec![matrices, columns]));
    assert_eq!((layout.as_str(), conflicts), (swizzled, 48));
    assert_eq!(certificate, "least of the 4 layouts that TMA has; a free choice would have 48 conflicts");
}

/// Extents that are no powers of two.
#[test]
fn odd_extents() {
    let rows = access(1, 32, (1, 1), |lane| lane);
    let columns = access(1, 32, (1, 1), |lane| 96 * lane);
    let (layout, conflicts, _) = outcome(&problem(&[96, 96], 4, vec![rows, columns]));
    assert_eq!(
        (layout.as_str(), conflicts),
        ("(3, 32, 3, 32) : (3072, 32, 1024, 1), swizzle<base = 0, bits = 5, shift = 5>", 0)
    );
    let rows = access(1, 32, (1, 1), |lane| lane);
    let columns = access(1, 32, (1, 1), |lane| 33 * lane);
    assert_eq!(outcome(&problem(&[40, 33], 4, vec![rows, columns])).0, "(40, 33) : (33, 1)");
}

/// Lanes that are in no linear order: padding is found by going through them.
#[test]
fn padding() {
    let diagonal = access(1, 32, (1, 1), |lane| lane * 33 % 1024);
    let columns = access(1, 32, (1, 1), |lane| 32 * lane);
    let choice = chosen(&problem(&[32, 32], 4, vec![diagonal, columns]));
    assert_eq!(choice.certificate, Certificate::NoConflicts);
}

#[test]
fn a_false_certificate_is_refused() {
    let mut problem = problem(&[4, 64], 4, three());
    let mut choice = chosen(&problem);
    let honest = choice.clone();
    choice.certificate = Certificate::NoConflicts;
    let Err(CheckError::Certificate { reason: CertificateError::Conflict { wavefronts, ideal, .. }, .. }) =
        check(&problem, &choice)
    else {
        panic!("a conflict that is denied");
    };
    assert!(wavefronts > ideal, "{wavefronts} of {ideal}");
    // The bound of other accesses.
    problem.accesses[2] = access(1, 32, (1, 1), |lane| lane * 2);
    choice = honest.clone();
    choice.costs = choose(&problem).unwrap().costs;
    assert!(check(&problem, &choice).is_err());
    choice = honest;
    choice.layout = "(4, 64) : (32, 1)".parse().unwrap();
    assert!(matches!(check(&problem, &choice), Err(CheckError::Overlap { .. } | CheckError::Span { .. })));
}

#[test]
fn what_is_no_access_is_refused() {
    let lane = |elements: Vec<i64>| SharedAccess::new(vec![elements, vec![1]], 1);
    let refused =
        |shape: &[i64], bytes: i64, access: SharedAccess| choose(&problem(shape, bytes, vec![access])).unwrap_err();
    assert_eq!(refused(&[8], 4, lane(vec![8])).to_string(), "access 0: got element 8, expected 0 to 7");
    assert_eq!(
        refused(&[8], 4, lane(vec![0, 1])).to_string(),
        "access 0: got a lane of 1 elements beside one of 2, expected the same number or none"
    );
    assert_eq!(refused(&[8], 3, lane(vec![0])).to_string(), "got elements of 3 bytes, expected 1, 2, 4, 8 or 16");
    let wide = SharedAccess::new(vec![(0..8).collect()], 1);
    assert_eq!(
        refused(&[8], 4, wide).to_string(),
        "access 0: got 32 bytes a lane, expected 1, 2, 4, 8, 16, for which NVIDIA has phases"
    );
    assert!(matches!(refused(&[1 << 30], 4, lane(vec![0])), ChooseError::Elements { .. }));
    assert!(matches!(refused(&[0], 4, lane(vec![0])), ChooseError::Layout(_)));
    let many = SharedAccess::new(vec![vec![0]; 33], 1);
    assert!(matches!(refused(&[8], 4, many), ChooseError::Lanes { got: 33, most: 32, .. }));
    let small = LayoutProblem { max_elements: Some(7), ..problem(&[8], 4, Vec::new()) };
    assert!(matches!(choose(&small), Err(ChooseError::TooSmall { most: 7, elements: 8 })));
}
