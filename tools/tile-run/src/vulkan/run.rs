//! Runs the kernels of a module on Vulkan.

use std::time::Instant;

use super::{Binding, Buffer, Gpu, Module, VulkanError};
use crate::launch::{Input, Launch};
use crate::tensor::Tensor;

/// What buffers without a value start from: unlikely as data, the same in every byte.
const PATTERN: u8 = 0xcd;

/// Kernels that have run.
#[derive(Debug)]
pub struct Finished {
    /// Where.
    pub device: String,
    /// Seconds from the submission to the end of the first launch.
    pub seconds: f64,
    /// Medians of further launches, where they were asked for.
    pub times: Option<Times>,
    /// Each buffer as the kernels left it.
    pub left: Vec<Option<Tensor>>,
}

/// How long launches took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The median, in seconds, with what the driver does before and after.
    pub median: f64,
}

/// Runs all kernels of a module, in its order, with the same arguments and as many blocks each: one that needs fewer has nothing
/// to do for the rest. Numbers become a block of words behind the buffers.
///
/// # Errors
/// No device, arguments that do not fit, or kernels that do not end.
pub fn run(
    module: &Module,
    number: usize,
    launch: &Launch,
    inputs: &[Input],
    runs: Option<u32>,
) -> Result<Finished, VulkanError> {
    let blocks = check(module, launch, inputs)?;
    let mut gpu = Gpu::open(number)?;
    let program = gpu.program(module)?;
    let mut buffers = Vec::new();
    for input in inputs {
        if let Input::Buffer { shape, contents, .. } = input {
            let mut buffer = gpu.buffer(shape.bytes())?;
            match contents {
                Some(tensor) => buffer.bytes_mut().copy_from_slice(&tensor.bytes),
                None => buffer.bytes_mut().fill(PATTERN),
            }
            buffers.push(buffer);
        }
    }
    let words = words(inputs);
    let mut block = gpu.buffer(words.len().next_multiple_of(8) * 4)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    block.bytes_mut()[..bytes.len()].copy_from_slice(&bytes);
    let arguments: Vec<&Buffer> = buffers.iter().chain([&block]).take(module.bindings.len()).collect();
    let mut once = || {
        let start = Instant::now();
        gpu.run(&program, &arguments, blocks).map(|()| start.elapsed().as_secs_f64())
    };
    let seconds = once()?;
    let left = read(inputs, &buffers);
    let times = runs.map(|runs| (0..runs).map(|_| once()).collect::<Result<Vec<_>, _>>()).transpose()?;
    let times = times.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        Times { median: seconds[seconds.len() / 2] }
    });
    gpu.destroy_program(program);
    buffers.into_iter().chain([block]).for_each(|buffer| gpu.destroy_buffer(buffer));
    Ok(Finished { device: gpu.name.clone(), seconds, times, left })
}

/// Blocks in x and y, where the arguments are what the module takes.
fn check(module: &Module, launch: &Launch, inputs: &[Input]) -> Result<[u32; 2], VulkanError> {
    let error = |text: String| Err(VulkanError::Arguments(text));
    let got = inputs.iter().filter(|input| matches!(input, Input::Buffer { .. })).count();
    let expected = module.bindings.iter().filter(|binding| **binding == Binding::Storage).count();
    if got != expected {
        return error(format!("got {got} buffers, expected {expected}"));
    }
    if let Some(index) = inputs.iter().position(|input| matches!(input, Input::Buffer { placement: Some(_), .. })) {
        return error(format!("argument {index}: got a buffer with strides, expected dense elements"));
    }
    let [x, y, z] = launch.grid.0;
    if z != 1 {
        return error(format!("got a grid of {} blocks, expected one of two dimensions", launch.grid));
    }
    Ok([x, y])
}

/// Numbers, one behind the other.
fn words(inputs: &[Input]) -> Vec<u32> {
    let words = |input: &Input| match input {
        Input::Scalar(element, bits) if element.bytes > 4 => vec![*bits as u32, (bits >> 32) as u32],
        Input::Scalar(_, bits) => vec![*bits as u32],
        Input::Buffer { .. } => Vec::new(),
    };
    inputs.iter().flat_map(words).collect()
}

fn read(inputs: &[Input], buffers: &[Buffer]) -> Vec<Option<Tensor>> {
    let mut buffers = buffers.iter();
    let one = |input: &Input| match input {
        Input::Buffer { shape, .. } => {
            Some(Tensor::new(shape.clone(), buffers.next().map(|buffer| buffer.bytes().to_vec())?))
        }
        Input::Scalar(..) => None,
    };
    inputs.iter().map(one).collect()
}
