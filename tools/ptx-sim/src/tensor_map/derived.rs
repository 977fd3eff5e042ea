//! Tensor maps that a kernel takes as parameters and that are made of its other parameters, as the compiler states below the PTX.
//!
//! ```text
//! // tensor map of copy, parameter 3: base=p0+256+2*p2,type=f16,dims=512xp1,strides=2*p2,box=64x64,swizzle=128
//! ```
//! `p1` is the value of parameter 1, and `p1/64` that over 64, rounded up.

use thiserror::Error;

use super::{MapTextError, TENSOR_MAP_BYTES, TensorMap, TensorMapError, TiledMap};
use crate::interface::Interface;

/// A parameter that is a tensor map made of other parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedMap {
    /// Its number among the kernel's parameters.
    pub parameter: usize,
    /// The parameter that is the tensor's memory.
    pub memory: usize,
    /// Bytes from there to the map's base, as products of parameters.
    offsets: Vec<String>,
    /// The other fields, with products of parameters.
    fields: String,
}

/// Why there is no such map for the values of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DerivedMapError {
    /// A statement that cannot be read.
    #[error("got `{0}`, expected base=pN, and then the fields of a map")]
    Form(String),
    /// A parameter that there is not, or that is not a number.
    #[error("got no number for parameter {0}")]
    Parameter(usize),
    /// A product beyond 64 bits.
    #[error("got `{0}`, which is beyond 64 bits")]
    Range(String),
    /// A mistake in a field.
    #[error(transparent)]
    Text(#[from] MapTextError),
    /// A map that the encoder rejects.
    #[error(transparent)]
    Map(#[from] TensorMapError),
}

impl DerivedMap {
    /// The maps that the lines below a PTX state of a kernel.
    ///
    /// # Errors
    /// A line that cannot be read.
    pub fn of_kernel(ptx: &str, kernel: &str) -> Result<Vec<Self>, DerivedMapError> {
        let start = format!("// tensor map of {kernel}, parameter ");
        let comments = ptx.lines().rev().take_while(|line| line.starts_with("//") || line.is_empty());
        let mut maps: Vec<_> =
            comments.filter_map(|line| line.strip_prefix(&start)).map(Self::read).collect::<Result<_, _>>()?;
        maps.reverse();
        Ok(maps)
    }

    /// Reads `2: base=p0+256,type=f16,…`.
    fn read(text: &str) -> Result<Self, DerivedMapError> {
        let read = || {
            let (parameter, rest) = text.split_once(": base=p")?;
            let (base, fields) = rest.split_once(',')?;
            let mut base = base.split('+');
            Some(Self {
                parameter: parameter.parse().ok()?,
                memory: base.next()?.parse().ok()?,
                offsets: base.map(str::to_owned).collect(),
                fields: fields.to_owned(),
            })
        };
        read().ok_or_else(|| DerivedMapError::Form(text.to_owned()))
    }

    /// The map, given the value of each parameter: of those that are pointers or integers.
    ///
    /// # Errors
    /// A parameter without a value; a map that the encoder rejects.
    pub fn map(&self, values: &[Option<u64>]) -> Result<TensorMap, DerivedMapError> {
        Ok(TensorMap::tiled(self.arguments(values)?)?)
    }

    /// The same map as the arguments of an encoder.
    ///
    /// # Errors
    /// A parameter without a value.
    pub fn arguments(&self, values: &[Option<u64>]) -> Result<TiledMap, DerivedMapError> {
        let value =
            |parameter: usize| values.get(parameter).copied().flatten().ok_or(DerivedMapError::Parameter(parameter));
        let fields: Result<Vec<String>, _> = self.fields.split(',').map(|field| numbers(field, &value)).collect();
        let map: TiledMap = fields?.join(",").parse()?;
        let mut base = value(self.memory)?;
        for offset in &self.offsets {
            let sum = base.checked_add(product(offset, &value)?);
            base = sum.ok_or_else(|| DerivedMapError::Range(offset.clone()))?;
        }
        Ok(TiledMap { base, ..map })
    }
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

/// A field with numbers in place of products.
fn numbers(field: &str, value: &impl Fn(usize) -> Result<u64, DerivedMapError>) -> Result<String, DerivedMapError> {
    let Some((name @ ("dims" | "strides"), list)) = field.split_once('=') else { return Ok(field.to_owned()) };
    let numbers: Result<Vec<String>, _> = list
        .split('x')
        .filter(|text| !text.is_empty())
        .map(|text| quotient(text, value).map(|number| number.to_string()))
        .collect();
    Ok(format!("{name}={}", numbers?.join("x")))
}

/// A product, or one over a number: `p1/64`.
fn quotient(text: &str, value: &impl Fn(usize) -> Result<u64, DerivedMapError>) -> Result<u64, DerivedMapError> {
    let Some((dividend, divisor)) = text.split_once('/') else { return product(text, value) };
    let divisor = divisor.parse().ok().filter(|&divisor: &u64| divisor != 0);
    let divisor = divisor.ok_or_else(|| DerivedMapError::Form(text.to_owned()))?;
    Ok(product(dividend, value)?.div_ceil(divisor))
}

/// A product of numbers and parameters: `2*p1*p2`.
fn product(text: &str, value: &impl Fn(usize) -> Result<u64, DerivedMapError>) -> Result<u64, DerivedMapError> {
    let form = || DerivedMapError::Form(text.to_owned());
    text.split('*').try_fold(1u64, |product, factor| {
        let factor = match factor.strip_prefix('p') {
            Some(parameter) => value(parameter.parse().map_err(|_| form())?)?,
            None => factor.parse().map_err(|_| form())?,
        };
        product.checked_mul(factor).ok_or_else(|| DerivedMapError::Range(text.to_owned()))
    })
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
        assert_eq!(map.arguments(&values[..2]), Err(DerivedMapError::Parameter(3)));
        let far = [Some(4096), Some(1000), None, Some(u64::MAX)];
        assert_eq!(map.arguments(&far), Err(DerivedMapError::Range("2*p3".to_owned())));
        let odd = [Some(4100), Some(1000), None, Some(768)];
        assert!(matches!(map.map(&odd), Err(DerivedMapError::Map(_))));
        assert_eq!(DerivedMap::of_kernel(PTX, "other"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_statement_is_refused() {
        let of = |line: &str| DerivedMap::of_kernel(&format!("// tensor map of k, parameter {line}\n"), "k");
        assert_eq!(of("x"), Err(DerivedMapError::Form("x".to_owned())));
        let map = |line: &str| of(line).unwrap()[0].arguments(&[Some(0)]);
        assert_eq!(map("1: base=p0,dims=px"), Err(DerivedMapError::Form("p".to_owned())));
        assert!(matches!(map("1: base=p0,dims=4"), Err(DerivedMapError::Text(_))));
        assert_eq!(map("1: base=p0,dims=4/0"), Err(DerivedMapError::Form("4/0".to_owned())));
    }

    #[test]
    fn a_part_of_a_block_counts_as_one() {
        let line = "// tensor map of k, parameter 2: base=p0,type=f16,dims=64xp1/64,strides=128,box=64x4\n";
        let [map] = DerivedMap::of_kernel(line, "k").unwrap().try_into().unwrap();
        let dims = |columns| map.arguments(&[Some(4096), Some(columns)]).unwrap().dims;
        assert_eq!([192, 193, 8].map(dims), [vec![64, 3], vec![64, 4], vec![64, 1]]);
    }
}
