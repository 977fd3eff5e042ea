//! Lists of words that are written twice: the words in TableGen, which C++ reads, are those that the verifiers accept.

use std::collections::BTreeSet;

use tile_isa::{Cache, Operator, TmemForm};

const ATTRS: &str = include_str!("../td/TileAttrs.td");

/// The words of an enumeration in TableGen.
fn declared(name: &str) -> BTreeSet<&'static str> {
    let (_, rest) = ATTRS.split_once(&format!("Tile_Words<\"{name}\"")).expect("the enumeration is declared");
    let (cases, _) = rest.split_once(">]>;").expect("the enumeration ends");
    cases.split("I32EnumCase<").skip(1).filter_map(|case| case.split('"').nth(3)).collect()
}

/// The words that the error about an unknown word lists.
fn taken(option: &str) -> BTreeSet<String> {
    let error = Cache::from_options([(option, "no such word")]).unwrap_err().to_string();
    let (_, list) = error.split_once("expected ").expect("a list");
    list.trim_start_matches("one of ").split(", ").map(|word| word.trim_matches('"').to_owned()).collect()
}

#[test]
fn cache_hints() {
    let enumerations = [
        ("cache", "CacheOperator"),
        ("l1_evict", "L1Evict"),
        ("l2_evict", "L2Evict"),
        ("prefetch_size", "PrefetchSize"),
    ];
    for (option, name) in enumerations {
        assert_eq!(declared(name), taken(option).iter().map(String::as_str).collect(), "{option}");
    }
}

#[test]
fn forms_of_tensor_memory() {
    let shapes: BTreeSet<_> = TmemForm::ALL.iter().map(|form| form.shape()).collect();
    let multicasts: BTreeSet<_> = TmemForm::ALL.iter().filter_map(|form| form.multicast()).collect();
    assert_eq!(declared("TmemCopyShape"), shapes);
    assert_eq!(declared("Multicast"), multicasts);
}

#[test]
fn reductions() {
    assert_eq!(declared("Reduce"), Operator::ALL.map(Operator::word).into_iter().collect());
}
