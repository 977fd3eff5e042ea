//! Every recorded copy is planned alike or better, and moves the right elements.

use std::collections::BTreeMap;
use std::path::Path;

use tma_model::case::read;
use tma_model::judge::{Verdict, judge};
use tma_model::report::{counts, print};

#[test]
fn recorded_copies_are_planned_alike_or_better() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance/tma.json");
    let judged: Vec<_> = read(&path).unwrap().iter().map(judge).collect();
    let mut text = Vec::new();
    print(&mut text, &judged, true).unwrap();
    println!("{}", String::from_utf8(text).unwrap());
    let expected = [
        (Verdict::Alike, 260),
        (Verdict::Fewer, 10),
        (Verdict::OtherMap, 7),
        (Verdict::Righted, 9),
        (Verdict::WrongRefused, 31),
        (Verdict::Planned, 35),
        (Verdict::BothRefused, 69),
        (Verdict::OtherForm, 6),
    ];
    assert_eq!(counts(&judged), BTreeMap::from(expected));
}
