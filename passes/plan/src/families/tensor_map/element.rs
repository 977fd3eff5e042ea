//! The element type of a tensor map.

use serde::{Deserialize, Serialize};
use tile_isa::async_reduction::Reduction;

use crate::problem::Element;
use crate::problem::refusal::Refusal;

/// The type of a map's elements: `CUtensorMapDataType`.
///
/// A copy moves bytes, so the type matters to it in three ways only: its size, the value of elements outside of the
/// tensor, and what a reduction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the driver's name of the type")]
pub enum MapElement {
    UInt8,
    UInt16,
    UInt32,
    Int32,
    UInt64,
    Int64,
    Float16,
    BFloat16,
    Float32,
    TFloat32,
    Float64,
}

impl MapElement {
    /// The type of elements that are moved, by their width and their name in the dialect.
    ///
    /// # Errors
    /// `map-element-unsupported` for a width that maps do not have.
    pub fn moved(element: &Element) -> Result<Self, Refusal> {
        let of_width = match (element.name.as_str(), element.bits) {
            ("f16", _) => MapElement::Float16,
            ("bf16", _) => MapElement::BFloat16,
            ("f32", _) => MapElement::Float32,
            ("f64", _) => MapElement::Float64,
            ("i32" | "si32", _) => MapElement::Int32,
            ("i64" | "si64", _) => MapElement::Int64,
            (_, 8) => MapElement::UInt8,
            (_, 16) => MapElement::UInt16,
            (_, 32) => MapElement::UInt32,
            (_, 64) => MapElement::UInt64,
            (name, bits) => {
                let reason = format!("elements of type {name} have {bits} bits; a tensor map has 8, 16, 32 or 64");
                return Err(Refusal::new("map-element-unsupported", reason));
            }
        };
        Ok(of_width)
    }

    /// The type for which the engine computes this reduction.
    ///
    /// # Errors
    /// `map-reduction-unsupported`: `cp.reduce.async.bulk` has it, the form with a tensor map does not.
    pub fn reduced(reduction: Reduction) -> Result<Self, Refusal> {
        let suffix = reduction.suffix();
        match suffix.rsplit('.').next() {
            Some("u32" | "b32") => Ok(MapElement::UInt32),
            Some("s32") => Ok(MapElement::Int32),
            Some("u64" | "b64") => Ok(MapElement::UInt64),
            Some("s64") => Ok(MapElement::Int64),
            Some("f16") => Ok(MapElement::Float16),
            Some("bf16") => Ok(MapElement::BFloat16),
            Some("f32") => Ok(MapElement::Float32),
            _ => {
                let reason = format!(
                    "got the reduction {suffix}; cp.reduce.async.bulk.tensor has u32, s32, b32, u64, s64, b64, f16, \
                     bf16 and f32"
                );
                Err(Refusal::new("map-reduction-unsupported", reason))
            }
        }
    }

    /// The unsigned type of `bytes` bytes, for elements that are moved as parts of wider ones.
    pub(super) fn of_bytes(bytes: i64) -> Option<Self> {
        match bytes {
            1 => Some(MapElement::UInt8),
            2 => Some(MapElement::UInt16),
            4 => Some(MapElement::UInt32),
            8 => Some(MapElement::UInt64),
            _ => None,
        }
    }

    /// The size of an element.
    pub fn bytes(self) -> i64 {
        match self {
            MapElement::UInt8 => 1,
            MapElement::UInt16 | MapElement::Float16 | MapElement::BFloat16 => 2,
            MapElement::UInt32 | MapElement::Int32 | MapElement::Float32 | MapElement::TFloat32 => 4,
            MapElement::UInt64 | MapElement::Int64 | MapElement::Float64 => 8,
        }
    }

    /// Whether elements outside of the tensor can be NaN instead of zero.
    pub fn is_float(self) -> bool {
        use MapElement::{BFloat16, Float16, Float32, Float64, TFloat32};
        matches!(self, Float16 | BFloat16 | Float32 | TFloat32 | Float64)
    }

    /// A short word for it: `f16`.
    pub fn word(self) -> &'static str {
        match self {
            MapElement::UInt8 => "u8",
            MapElement::UInt16 => "u16",
            MapElement::UInt32 => "u32",
            MapElement::Int32 => "i32",
            MapElement::UInt64 => "u64",
            MapElement::Int64 => "i64",
            MapElement::Float16 => "f16",
            MapElement::BFloat16 => "bf16",
            MapElement::Float32 => "f32",
            MapElement::TFloat32 => "tf32",
            MapElement::Float64 => "f64",
        }
    }

    /// The driver's name without its prefix: `FLOAT16` of `CU_TENSOR_MAP_DATA_TYPE_FLOAT16`.
    pub fn name(self) -> &'static str {
        match self {
            MapElement::UInt8 => "UINT8",
            MapElement::UInt16 => "UINT16",
            MapElement::UInt32 => "UINT32",
            MapElement::Int32 => "INT32",
            MapElement::UInt64 => "UINT64",
            MapElement::Int64 => "INT64",
            MapElement::Float16 => "FLOAT16",
            MapElement::BFloat16 => "BFLOAT16",
            MapElement::Float32 => "FLOAT32",
            MapElement::TFloat32 => "TFLOAT32",
            MapElement::Float64 => "FLOAT64",
        }
    }
}
