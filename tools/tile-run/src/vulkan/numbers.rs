//! The numbers that a launch passes: consecutive words.
//!
//! ```text
//!   declared argument                        words
//!   memref<?x?xf32>                          rows, columns        from its buffer
//!   index                                    1                    a signed 32-bit number
//!   i64, f64                                 2                    the low one first
//!   other numbers                            1
//! ```

use super::VulkanError;
use crate::declared::Declared;
use crate::input::Input;
use ptx_sim::{Dim3, Interface, Needs, Param};

/// The interface of a kernel, as the PTX of the same kernel would declare it.
pub fn interface(name: &str, threads: [u32; 3], declared: &[Declared]) -> Interface {
    let param = |number: usize, bits: usize, pointer| Param {
        name: format!("{name}_param_{number}"),
        ty: format!("{}{bits}", if pointer { 'u' } else { 'b' }),
        size: bits.div_ceil(8) as u64,
        pointer,
        array: false,
    };
    let mut params = Vec::new();
    for one in declared {
        match &one.memref {
            Some(memref) => {
                params.push(param(params.len(), 64, true));
                (0..memref.open_count()).for_each(|_| params.push(param(params.len(), 64, false)));
            }
            None => params.push(param(params.len(), bits(&one.text), false)),
        }
    }
    Interface { name: name.to_owned(), params, needs: Needs { threads: Some(Dim3(threads)), ..Needs::default() } }
}

/// Bits of a number's type.
fn bits(r#type: &str) -> usize {
    r#type.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(64)
}

/// The words of arguments. Without a declaration, integers and floats of more than 4 bytes become two words.
///
/// # Errors
/// An index that does not fit 32 bits.
pub(super) fn words(inputs: &[Input], declared: &[Declared]) -> Result<Vec<u32>, VulkanError> {
    let mut words = Vec::new();
    let mut next = declared.iter();
    // The remaining numbers of a memref that are separate arguments.
    let mut open = 0;
    for (argument, input) in inputs.iter().enumerate() {
        let index = |number: u64| match i32::try_from(number.cast_signed()) {
            Ok(number) => Ok(number.cast_unsigned()),
            Err(_) => Err(VulkanError::Index { argument, got: number.cast_signed() }),
        };
        match input {
            Input::Scalar(_, bits) if open > 0 => {
                open -= 1;
                words.push(index(*bits)?);
            }
            Input::Scalar(element, bits) => match next.next().is_some_and(|declared| declared.text == "index") {
                true => words.push(index(*bits)?),
                false if element.bytes > 4 => words.extend([*bits as u32, (bits >> 32) as u32]),
                false => words.push(*bits as u32),
            },
            Input::Map { .. } | Input::Null { .. } => {}
            Input::Buffer { numbers, .. } => {
                let memref = next.next().and_then(|declared| declared.memref.as_ref());
                open = memref.map_or(0, |memref| memref.open_count()).saturating_sub(numbers.len());
                for number in numbers {
                    words.push(index(*number)?);
                }
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared;
    use crate::element::Element;

    fn scalar(name: &str, bits: u64) -> Input {
        Input::Scalar(name.parse::<Element>().unwrap(), bits)
    }

    #[test]
    fn indices_are_words_and_other_numbers_as_many_as_they_need() {
        let text = "// argument of k at a: index\n// argument of k at a: i64\n// argument of k at a: f32\n";
        let declared = declared::arguments(text, "k");
        let inputs = [scalar("i64", -4i64 as u64), scalar("i64", 1 << 40), scalar("f32", 7)];
        assert_eq!(words(&inputs, &declared).unwrap(), [0xffff_fffc, 0, 256, 7]);
        assert_eq!(words(&inputs[..1], &[]).unwrap(), [0xffff_fffc, 0xffff_ffff]);
        let text = words(&[scalar("i64", 1 << 31)], &declared).unwrap_err().to_string();
        assert_eq!(text, "argument 0: got index 2147483648, expected a signed number of 32 bits");
        let sizes: Vec<u64> = interface("k", [32, 1, 1], &declared).params.iter().map(|param| param.size).collect();
        assert_eq!(sizes, [8, 8, 4]);
    }
}
