//! x
pub(crate) fn extremum(_f: crate::float::Format, a: u64, _b: u64, _m: bool, _n: bool) -> u64 { a }
