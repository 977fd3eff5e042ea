//! Tensor maps that the compiler has added to a kernel's parameters: made of the arguments that are given.

use ptx_sim::{BufferMap, DerivedMap, Interface, NumberError};

use crate::input::Input;
use crate::job::NotRun;

/// The maps that the text below a PTX says how to make; none where an argument is given for each parameter.
///
/// # Errors
/// A statement that cannot be read, or of another parameter than the last ones.
pub fn stated(ptx: &str, kernel: &Interface, given: usize) -> Result<Vec<DerivedMap>, NotRun> {
    let maps = DerivedMap::of_kernel(ptx, &kernel.name).map_err(NotRun::DerivedMap)?;
    if maps.is_empty() || given == kernel.params.len() {
        return Ok(Vec::new());
    }
    let first = kernel.params.len().saturating_sub(maps.len());
    let last = maps.iter().enumerate().all(|(number, map)| map.parameter == first + number);
    if last { Ok(maps) } else { Ok(Vec::new()) }
}

/// The kernel without the parameters that are made.
pub fn given(kernel: &Interface, maps: &[DerivedMap]) -> Interface {
    let mut given = kernel.clone();
    given.params.truncate(kernel.params.len() - maps.len());
    given
}

/// The maps as inputs, after those that are given.
///
/// # Errors
/// A map that cannot be made of them.
pub fn inputs(maps: &[DerivedMap], given: &[Input]) -> Result<Vec<Input>, NotRun> {
    let (mut values, mut buffers) = (Vec::new(), Vec::new());
    for (index, input) in given.iter().enumerate() {
        let (value, numbers, buffer) = match input {
            // Its address is added where it is known.
            Input::Buffer { numbers, .. } => (Some(0), numbers.as_slice(), Some(index)),
            Input::Scalar(element, bits) => (element.is_integer().then_some(*bits), &[][..], None),
            Input::Map { .. } => (None, &[][..], None),
            Input::Null { numbers } => {
                values.extend(std::iter::repeat_n(Some(0), *numbers));
                buffers.extend(std::iter::repeat_n(None, *numbers));
                (Some(0), &[][..], None)
            }
        };
        values.push(value);
        buffers.push(buffer);
        values.extend(numbers.iter().copied().map(Some));
        buffers.extend(numbers.iter().map(|_| None));
    }
    let one = |map: &DerivedMap| {
        let buffer = buffers.get(map.memory).copied().flatten().ok_or(NumberError::Parameter(map.memory))?;
        Ok(Input::Map { map: BufferMap { buffer, map: map.map(&values)? }, by_address: false })
    };
    maps.iter().map(|map| one(map).map_err(NotRun::DerivedMap)).collect()
}
