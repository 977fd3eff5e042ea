//! Files of cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::json::RawCase;
use super::{Case, Element};

/// The cases of some files.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Copies to be checked, in the order of the files.
    pub cases: Vec<Case>,
    /// Copies through tensor maps that are planned, not lowered.
    pub tensor_maps: Vec<tma_model::case::Case>,
    /// The number of cases left out, by reason: another op, a variant that these passes do not have, or an element type
    /// that MLIR does not have.
    pub skipped: BTreeMap<String, usize>,
}

impl Suite {
    fn skip(&mut self, reason: String) {
        *self.skipped.entry(reason).or_default() += 1;
    }
}

/// The error of reading a file of cases.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// It is not JSON, or not a list of cases.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The error and its location.
        source: serde_json::Error,
    },
    /// One of its cases is invalid.
    #[error("{}: case {id}: {reason}", path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// The case's id, or its number in the file if it has none.
        id: String,
        /// The error, as got and expected values.
        reason: String,
    },
}

#[derive(Deserialize)]
struct RawFile {
    cases: Vec<Value>,
}

/// Adds the cases of a file.
///
/// # Errors
/// See [`ReadError`].
pub fn read(path: &Path, suite: &mut Suite) -> Result<(), ReadError> {
    let file = |source| ReadError::File { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(file)?;
    parse(&text, path, suite)
}

/// Adds the cases of a text; errors do not name a file.
///
/// # Errors
/// See [`ReadError`].
pub fn read_text(text: &str, suite: &mut Suite) -> Result<(), ReadError> {
    parse(text, Path::new("-"), suite)
}

fn parse(text: &str, path: &Path, suite: &mut Suite) -> Result<(), ReadError> {
    let json = |source| ReadError::Json { path: path.to_owned(), source };
    let raw: RawFile = serde_json::from_str(text).map_err(json)?;
    for (number, value) in raw.cases.into_iter().enumerate() {
        let id = value.get("id").and_then(Value::as_str).map_or_else(|| format!("number {number}"), str::to_owned);
        let malformed = |reason| ReadError::Case { path: path.to_owned(), id: id.clone(), reason };
        match value.get("op").and_then(Value::as_str) {
            _ if is_tensor_map(&value) => suite.skip(TENSOR_MAP.to_owned()),
            _ if tma_model::case::is_tensor_map(&value) => {
                suite.tensor_maps.push(tma_model::case::of(value).map_err(malformed)?);
            }
            Some("copy" | "copy_async") => {
                if let Some(dtype) = unknown_dtype(&value) {
                    suite.skip(format!("dtype {dtype}"));
                    continue;
                }
                let raw: RawCase = serde_json::from_value(value).map_err(|error| malformed(error.to_string()))?;
                suite.cases.push(raw.check().map_err(malformed)?);
            }
            Some(other) => suite.skip(other.to_owned()),
            None => return Err(malformed("got no 'op', expected the name of one".to_owned())),
        }
    }
    Ok(())
}

/// Copies through tensor maps, which the host creates.
const TENSOR_MAP: &str = "tma";

fn is_tensor_map(case: &Value) -> bool {
    case["forced_variant"] == TENSOR_MAP || case["expect"]["variant"] == TENSOR_MAP
}

/// An element type of another compiler that has no name here.
fn unknown_dtype(case: &Value) -> Option<&str> {
    let names = ["src", "dst"].into_iter().filter_map(|side| case[side]["dtype"].as_str());
    names.into_iter().find(|name| Element::parse(name).is_err())
}

#[cfg(test)]
mod tests {
    use super::super::{OptionValue, Wanted};
    use super::*;

    /// A case with one part of it replaced.
    fn with(part: &str, instead: &str) -> String {
        const WHOLE: &str = r#"{"id": "a", "op": "copy", "scope": "warp", "threads": 32, "block_threads": 64,
            "arch": "sm_90a", "active": {"laneid": [32, 0]}, "forced_variant": null, "config": {"cache": "nc"},
            "src": {"scope": "global", "dtype": "float32", "shape": [4, 8], "region": [[0, 4], [0, 8]],
                    "layout": {"shard": [[4, 8, "m"], [8, 1, "m"]], "replica": [], "offset": {}}},
            "dst": {"scope": "shared.dyn", "dtype": "float32", "shape": [4, 8], "region": [[0, 4], [0, 8]],
                    "layout": {"shard": [[4, 8, "m"], [8, 1, "m"]], "replica": [], "offset": {"m": 3}}},
            "expect": {"variant": "fallback", "rounds": 32, "guard": ["if tid == 0:"]}}"#;
        assert!(WHOLE.contains(part), "{part}");
        format!(r#"{{"about": "", "cases": [{}]}}"#, WHOLE.replacen(part, instead, 1))
    }

    fn suite(text: &str) -> Result<Suite, String> {
        let mut suite = Suite::default();
        parse(text, Path::new("f.json"), &mut suite).map_err(|error| error.to_string())?;
        Ok(suite)
    }

    fn error(part: &str, instead: &str) -> String {
        suite(&with(part, instead)).unwrap_err()
    }

    #[test]
    fn reads_a_case() {
        let suite = suite(&with("null", "\"gmem_smem\"")).unwrap();
        let case = &suite.cases[0];
        assert_eq!((case.threads(), case.block, case.forced.as_deref()), (32, 64, Some("gmem_smem")));
        assert_eq!(case.dst.layout.to_string(), "(4, 8) : (8, 1) + 3");
        assert_eq!(case.options, [("cache".to_owned(), OptionValue::Text("nc".to_owned()))]);
        let Wanted::Same(expect) = &case.wanted else { panic!("{:?}", case.wanted) };
        assert_eq!((expect.rounds, expect.guards.as_deref()), (Some(32), Some(&[0][..])));
    }

    #[test]
    fn counts_what_is_skipped() {
        let text = r#"{"cases": [{"id": "a", "op": "gemm"}, {"id": "b", "op": "gemm"},
            {"id": "c", "op": "copy_async", "forced_variant": "tma", "expect": {"variant": "tma"}}]}"#;
        let suite = suite(text).unwrap();
        assert_eq!((suite.cases.len(), suite.skipped["gemm"], suite.skipped["tma"]), (0, 2, 1));
    }

    #[test]
    fn elements_of_an_unknown_type_are_skipped_and_the_rest_is_read() {
        let case = |dtype: &str| with("\"float32\"", &format!("\"{dtype}\""));
        let both = suite(&case("float17")).unwrap();
        assert_eq!((both.cases.len(), both.skipped["dtype float17"]), (0, 1));
        let other = with("null", "null").replacen("float32", "uint16", 2);
        let known = suite(&other).unwrap();
        assert_eq!((known.cases.len(), known.cases[0].src.element.mlir, known.skipped.len()), (1, "i16", 0));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (part, instead, expected) in [
            ("\"laneid\"", "\"lame\"", "f.json: case a: got unknown axis 'lame', expected one of m, bx,"),
            ("8, \"m\"", "8, \"n\"", "f.json: case a: src: got unknown axis 'n'"),
            ("\"warp\"", "\"wrap\"", "got unknown scope 'wrap', expected thread, warp, warpgroup or cta"),
            ("shared.dyn", "sheared", "dst: got unknown scope 'sheared', expected global"),
            ("\"block_threads\": 64", "\"block_threads\": 0", "got block_threads 0, expected 1 to 1024"),
            ("[32, 0]", "[32, 1]", "active: got 32 of 'laneid' from 1 on, expected a part of [0, 32)"),
            ("[32, 0]", "[16, 0]", "got threads 32, expected the 16 that 'active' lists"),
            ("\"nc\"", "[1]", "config: got [1] for 'cache', expected text"),
            ("if tid == 0:", "if tid > 0:", "expect: got guard 'if tid > 0:', expected 'if tid == N:'"),
            ("\"rounds\"", "\"turns\"", "unknown field `turns`"),
            ("\"fallback\"", "null, \"rejected\": false", "got variant None and rejected false"),
            ("\"expect\"", "\"reference_outcome\": {}, \"expect\"", "got both 'expect' and 'reference_outcome'"),
            ("\"shape\": [4, 8], ", "", "f.json: case a: missing field `shape`"),
            ("\"id\": \"a\", ", "", "f.json: case number 0: missing field `id`"),
            ("\"op\": \"copy\", ", "", "f.json: case a: got no 'op'"),
            ("[0, 8]]", "[0, 1152921504606846976]]", "src: got a region of"),
        ] {
            let error = error(part, instead);
            assert!(error.contains(expected), "{part} -> {instead}: {error}");
        }
    }

    #[test]
    fn refuses_what_is_no_json() {
        assert!(suite("{").unwrap_err().starts_with("f.json: EOF while parsing"));
        assert!(suite("[]").unwrap_err().contains("invalid length 0"));
        assert!(suite("{}").unwrap_err().contains("missing field `cases`"));
    }
}
