//! Tensor maps as kernel arguments, in the syntax of the command line.
//!
//! ```text
//! map(base=1,type=f16,dims=64x512,strides=128,box=64x64,swizzle=128)   of the memory of argument 1
//! map(base=1+4096,…)                                                   from its byte 4096 on
//! ```

use ptx_sim::{BufferMap, MapTextError, TensorMap, TensorMapError, TiledMap};
use thiserror::Error;

/// Why a text is not a tensor map.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MapError {
    /// There are no parentheses.
    #[error("expected map(base=ARGUMENT[+BYTES],type=TYPE,dims=EXTENTS,box=EXTENTS,…)")]
    Form,
    /// There is no base.
    #[error("field `base` is missing: the index of the buffer argument, counted from 0, and optionally +BYTES")]
    NoBase,
    /// The base is no argument.
    #[error(
        "got base `{0}`, expected the index of a buffer argument, counted from 0, and optionally +BYTES, as in 1+4096"
    )]
    Base(String),
    /// A field is wrong.
    #[error(transparent)]
    Text(#[from] MapTextError),
    /// The fields do not go together.
    #[error(transparent)]
    Rule(#[from] TensorMapError),
}

/// Reads `map(…)`.
///
/// # Errors
/// The first part that is wrong.
pub fn parse(text: &str) -> Result<BufferMap, MapError> {
    let fields = text.strip_prefix("map(").and_then(|rest| rest.strip_suffix(')')).ok_or(MapError::Form)?;
    let (mut base, mut rest) = (None, Vec::new());
    for part in fields.split(',') {
        match part.strip_prefix("base=").filter(|_| base.is_none()) {
            Some(value) => base = Some(value),
            None => rest.push(part),
        }
    }
    let base = base.ok_or(MapError::NoBase)?;
    let (buffer, bytes) = base.split_once('+').unwrap_or((base, "0"));
    let (buffer, bytes) = buffer.parse().ok().zip(bytes.parse().ok()).ok_or_else(|| MapError::Base(base.into()))?;
    let fields: TiledMap = rest.join(",").parse()?;
    Ok(BufferMap { buffer, map: TensorMap::tiled(TiledMap { base: bytes, ..fields })? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_parts_of_buffers() {
        let map = parse("map(type=f16,base=3+64,dims=64x8,box=16x4)").unwrap();
        assert_eq!((map.buffer, map.map.arguments().base), (3, 64));
        assert_eq!(map.at(0x1000).unwrap().arguments().base, 0x1040);
        assert!(map.at(0x1004).is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("map(base=1").starts_with("expected map(base=ARGUMENT[+BYTES],type=TYPE"));
        assert!(error("map(type=f16,dims=8,box=8)").starts_with("field `base` is missing"));
        assert!(error("map(base=a,type=f16,dims=8,box=8)").starts_with("got base `a`, expected the index"));
        assert!(error("map(base=1,type=f16,dims=8,box=8,fill=one)").starts_with("got fill `one`, expected zero, nan"));
        assert_eq!(error("map(base=1,base=2,type=f16,dims=8,box=8)").split(',').next(), Some("got field `base`"));
        assert!(
            error("map(base=1+8,type=f16,dims=8,box=8)").starts_with("got base address 0x8, expected a multiple of 16")
        );
        assert!(error("map(base=1,type=f16,dims=8,box=4)").starts_with("got an inner box of 8 bytes"));
    }
}
