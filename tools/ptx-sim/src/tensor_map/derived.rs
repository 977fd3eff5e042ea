//! Tensor maps that a kernel takes as parameters and that are made of its other parameters, as the compiler states below the PTX.
//!
//! ```text
//! // tensor map of copy, parameter 3: base=p0+256+2*p2,type=f16,dims=512xp1,strides=2*p2,box=64x64,swizzle=128
//! // tensor map of gather, parameter 5: unknown // copy at gather.mlir:9:7, tile at gather.mlir:5:10
//! ```
//! Bytes after `p0`, extents and strides are [expressions](Numbers) of parameters; `p1` is the value of parameter 1.

use std::fmt;

use thiserror::Error;

use super::numbers::{NumberError, Numbers};
use super::{MapTextError, TENSOR_MAP_BYTES, TensorMap, TensorMapError, TiledMap};
use crate::interface::Interface;

/// A parameter that is a tensor map made of other parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedMap {
    /// Its number among the kernel's parameters.
    pub parameter: usize,
    /// The parameter that is the tensor's memory.
    pub memory: usize,
    /// Bytes from there to the map's base, by the parameters.
    offset: String,
    /// The other fields, by the parameters.
    fields: String,
    places: Option<MapPlaces>,
}

/// Where a map comes from: `FILE:LINE:COLUMN` of a copy through it, and of what makes its tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapPlaces {
    /// The copy.
    pub copy: String,
    /// The tile.
    pub tile: String,
}

impl MapPlaces {
    /// The places of a kernel's first map that the lines below a PTX do not say how to make.
    pub fn of_unknown(ptx: &str, kernel: &str) -> Option<Self> {
        statements(ptx, kernel).into_iter().filter(|text| is_unknown(text)).find_map(|text| split(text).1)
    }
}

impl fmt::Display for MapPlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the copy at {}, of the tile at {},", self.copy, self.tile)
    }
}

/// Why there is no such map for the values of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DerivedMapError {
    /// A statement that cannot be read.
    #[error("got `{0}`, expected base=pN, and then the fields of a map")]
    Form(String),
    /// A number that has no value.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A mistake in a field.
    #[error(transparent)]
    Text(#[from] MapTextError),
    /// A map that the encoder rejects.
    #[error(transparent)]
    Map(#[from] TensorMapError),
    /// One of these, of a map whose copy is known.
    #[error("the tensor map of {0} cannot be made: {1}")]
    At(MapPlaces, Box<DerivedMapError>),
}

impl DerivedMap {
    /// The maps that the lines below a PTX state of a kernel.
    ///
    /// # Errors
    /// A line that cannot be read.
    pub fn of_kernel(ptx: &str, kernel: &str) -> Result<Vec<Self>, DerivedMapError> {
        let known = statements(ptx, kernel).into_iter().filter(|text| !is_unknown(text));
        known.map(Self::read).collect()
    }

    /// Reads `2: base=p0+256,type=f16,…`.
    fn read(text: &str) -> Result<Self, DerivedMapError> {
        let read = || {
            let (statement, places) = split(text);
            let (parameter, rest) = statement.split_once(": base=p")?;
            let (base, fields) = rest.split_once(',')?;
            let (memory, offset) = base.split_once('+').unwrap_or((base, "0"));
            Some(Self {
                parameter: parameter.parse().ok()?,
                memory: memory.parse().ok()?,
                offset: offset.to_owned(),
                fields: fields.to_owned(),
                places,
            })
        };
        read().ok_or_else(|| DerivedMapError::Form(text.to_owned()))
    }

    /// The map, given the value of each parameter: of those that are pointers or integers.
    ///
    /// # Errors
    /// A parameter without a value; a map that the encoder rejects.
    pub fn map(&self, values: &[Option<u64>]) -> Result<TensorMap, DerivedMapError> {
        let map = self.arguments(values).and_then(|map| Ok(TensorMap::tiled(map)?));
        map.map_err(|error| match &self.places {
            Some(places) => DerivedMapError::At(places.clone(), Box::new(error)),
            None => error,
        })
    }

    /// The same map as the arguments of an encoder.
    fn arguments(&self, values: &[Option<u64>]) -> Result<TiledMap, DerivedMapError> {
        let fields: Result<Vec<String>, _> = self.fields.split(',').map(|field| numbers(field, values)).collect();
        let map: TiledMap = fields?.join(",").parse()?;
        let memory = values.get(self.memory).copied().flatten().ok_or(NumberError::Parameter(self.memory))?;
        let offset = Numbers::list(&self.offset, values)?.iter().sum::<i64>();
        let base = memory.checked_add_signed(offset);
        let base = base.ok_or_else(|| NumberError::Range { text: self.offset.clone(), bits: 64 })?;
        Ok(TiledMap { base, ..map })
    }
}

/// What the lines below a PTX state of a kernel's maps, each from the parameter on.
fn statements<'t>(ptx: &'t str, kernel: &str) -> Vec<&'t str> {
    let start = format!("// tensor map of {kernel}, parameter ");
    let comments = ptx.lines().rev().take_while(|line| line.starts_with("//") || line.is_empty());
    let mut lines: Vec<_> = comments.filter_map(|line| line.strip_prefix(&start)).collect();
    lines.reverse();
    lines
}

/// Whether a statement does not say how to make the map.
fn is_unknown(text: &str) -> bool {
    split(text).0.ends_with(": unknown")
}

/// A statement without the places of copy and tile, and these.
fn split(text: &str) -> (&str, Option<MapPlaces>) {
    let places = |(statement, places): (_, &str)| {
        let (copy, tile) = places.rsplit_once(", tile at ")?;
        Some((statement, Some(MapPlaces { copy: copy.to_owned(), tile: tile.to_owned() })))
    };
    text.split_once(" // copy at ").and_then(places).unwrap_or((text, None))
}

/// The maps that a kernel takes after the arguments that are given: encoded for the simulator. None where an argument is given for
/// each parameter.
///
/// ```
/// use ptx_sim::{derived_arguments, interfaces};
///
/// let text = ".version 8.3\n.target sm_90a\n.visible .entry k(.param .u64 a, .param .align 64 .b8 m[128]) { ret; }\n\
///             // tensor map of k, parameter 1: base=p0,type=f16,dims=64x64,strides=128,box=64x64\n";
/// let kernel = &interfaces(text)?[0];
/// let maps = derived_arguments(text, kernel, &[Some(0x1000)])?;
/// assert_eq!(maps.len(), 1);
/// assert!(derived_arguments(text, kernel, &[Some(0x1004)]).is_err());
/// assert!(derived_arguments(text, kernel, &[Some(0x1000), None])?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A statement that cannot be read, or a map that cannot be made.
pub fn derived_arguments(
    ptx: &str,
    kernel: &Interface,
    given: &[Option<u64>],
) -> Result<Vec<[u8; TENSOR_MAP_BYTES]>, DerivedMapError> {
    let maps = DerivedMap::of_kernel(ptx, &kernel.name)?;
    if given.len() + maps.len() != kernel.params.len() {
        return Ok(Vec::new());
    }
    maps.iter().map(|map| Ok(map.map(given)?.encode())).collect()
}

/// A field with numbers in place of expressions.
fn numbers(field: &str, values: &[Option<u64>]) -> Result<String, DerivedMapError> {
    let Some((name @ ("dims" | "strides"), list)) = field.split_once('=') else { return Ok(field.to_owned()) };
    let numbers = Numbers::list(list, values)?.iter().map(ToString::to_string).collect::<Vec<_>>();
    Ok(format!("{name}={}", numbers.join("x")))
}

#[cfg(test)]
mod tests {
    use super::super::{Swizzle, TensorElement};
    use super::*;

    const PTX: &str = ".version 8.3\n}\n// tensor map of copy, parameter 2: base=p0+256+2*p1,type=f16,dims=512xp1,strides=2*p3,\
                       box=64x64,swizzle=128\n// dynamic shared memory of copy: 64 bytes\n";

    #[test]
    fn a_map_is_made_of_other_parameters() {
        let [map] = DerivedMap::of_kernel(PTX, "copy").unwrap().try_into().unwrap();
        let values = [Some(4096), Some(1000), None, Some(768)];
        let expected = TiledMap::new(TensorElement::F16, 6352, &[512, 1000], &[1536], &[64, 64]);
        assert_eq!(map.arguments(&values), Ok(TiledMap { swizzle: Swizzle::B128, ..expected }));
        assert!(map.map(&values).is_ok());
        assert_eq!(map.arguments(&values[..2]), Err(NumberError::Parameter(3).into()));
        let far = [Some(4096), Some(1000), None, Some(u64::MAX)];
        assert_eq!(map.arguments(&far), Err(NumberError::Range { text: "p3".to_owned(), bits: 63 }.into()));
        let odd = [Some(4100), Some(1000), None, Some(768)];
        assert!(matches!(map.map(&odd), Err(DerivedMapError::Map(_))));
        assert_eq!(DerivedMap::of_kernel(PTX, "other"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_statement_is_refused() {
        let read = |line: &str| DerivedMap::of_kernel(&format!("// tensor map of k, parameter {line}\n"), "k");
        assert_eq!(read("x"), Err(DerivedMapError::Form("x".to_owned())));
        let map = |line: &str| read(line).unwrap()[0].arguments(&[Some(0)]);
        assert_eq!(map("1: base=p0,dims=px"), Err(NumberError::Form("px".to_owned()).into()));
        assert!(matches!(map("1: base=p0,dims=4"), Err(DerivedMapError::Text(_))));
        assert_eq!(read("1: unknown // copy at a.mlir:3:5, tile at a.mlir:2:5"), Ok(Vec::new()));
    }

    #[test]
    fn a_map_that_cannot_be_made_names_its_copy() {
        let line = "// tensor map of k, parameter 2: base=p0,type=f16,dims=64xceildiv(p1;64),strides=p1,box=64x4 // copy at a.mlir:3:5, \
                    tile at a.mlir:2:5\n// tensor map of k, parameter 3: unknown // copy at a.mlir:4:5, tile at a.mlir:2:5\n";
        let [map] = DerivedMap::of_kernel(line, "k").unwrap().try_into().unwrap();
        assert_eq!(map.map(&[Some(4096), Some(192)]).unwrap().arguments().dims, [64, 3]);
        assert_eq!(
            map.map(&[Some(4096), Some(193)]).unwrap_err().to_string(),
            "the tensor map of the copy at a.mlir:3:5, of the tile at a.mlir:2:5, cannot be made: got a stride of 193 bytes of dimension \
             1, expected a multiple of 16 below 2^40"
        );
        assert_eq!(MapPlaces::of_unknown(line, "k").unwrap().copy, "a.mlir:4:5");
    }
}
