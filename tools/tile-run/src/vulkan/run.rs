//! Runs the kernels of a module on Vulkan.

use super::numbers::words;
use super::{Binding, Buffer, Gpu, Module, VulkanError};
use crate::input::Input;
use crate::tensor::Tensor;
use crate::times::{Times, Timing, WARMUPS};
use ptx_sim::Launch;

/// The byte that fills buffers without a value: a value unlikely in data.
const PATTERN: u8 = 0xcd;

/// Kernels that have run.
#[derive(Debug)]
pub struct Finished {
    /// The name of the device.
    pub device: String,
    /// The seconds of the first launch, by the device's clock if it has one.
    pub seconds: f64,
    /// The times of further launches, if they were requested.
    pub times: Option<Times>,
    /// The buffers that the kernels left.
    pub left: Vec<Option<Tensor>>,
}

/// Runs all kernels of a module, in order, with the same arguments and the same number of blocks; in a kernel that
/// needs fewer, the remaining blocks have nothing to do. Numbers become a uniform block of words, bound after the
/// buffers. Each timed launch has its own epoch, if the kernels take one.
///
/// # Errors
/// No device, arguments that do not match, or kernels that do not end.
pub fn run(
    module: &Module,
    number: usize,
    launch: &Launch,
    inputs: &[Input],
    timing: Option<Timing>,
) -> Result<Finished, VulkanError> {
    let blocks = check(module, launch, inputs)?;
    let further = timing.map_or(0, |timing| timing.runs.saturating_add(WARMUPS));
    check_epoch(module, inputs, further)?;
    let mut gpu = Gpu::open(number)?;
    let program = gpu.program(module)?;
    let mut buffers = Vec::new();
    for input in inputs {
        if let Input::Buffer { shape, contents, .. } = input {
            buffers.push(match contents {
                Some(tensor) => gpu.holding(&tensor.bytes)?,
                None => gpu.holding(&vec![PATTERN; shape.bytes()])?,
            });
        }
    }
    let mut words = words(inputs, &module.arguments)?;
    words.resize(words.len().next_multiple_of(8), 0);
    let mut block = gpu.holding(&bytes(&words))?;
    let mut once = |gpu: &mut Gpu, words: &[u32]| {
        gpu.upload(&mut block, 0, &bytes(words))?;
        let arguments: Vec<&Buffer> = buffers.iter().chain([&block]).take(module.bindings.len()).collect();
        gpu.run(&program, &arguments, blocks)
    };
    let seconds = once(&mut gpu, &words)?;
    let left = read(&mut gpu, inputs, &buffers)?;
    let times = timing.map(|timing| {
        let (from, to) = (gpu.buffer(timing.half())?, gpu.buffer(timing.half())?);
        let times = timing.measure(|| {
            if let Some(epoch) = module.epochs.and_then(|epochs| words.get_mut(epochs.word)) {
                *epoch += 1;
            }
            let driver = gpu.copy(&from, &to, timing.half())?;
            Ok([once(&mut gpu, &words)?, driver].map(|seconds| (seconds * 1e3) as f32))
        });
        [from, to].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        times
    });
    let times = times.transpose()?;
    buffers.into_iter().chain([block]).for_each(|buffer| gpu.destroy_buffer(buffer));
    Ok(Finished { device: gpu.name.clone(), seconds, times, left })
}

/// Checks that the states of tiles can hold the epochs of all launches.
fn check_epoch(module: &Module, inputs: &[Input], further: u32) -> Result<(), VulkanError> {
    let Some(epochs) = module.epochs else { return Ok(()) };
    let mut first = 0;
    for (argument, input) in inputs.iter().enumerate() {
        let words = words(std::slice::from_ref(input), &[])?;
        if let Some(&epoch) = epochs.word.checked_sub(first).and_then(|word| words.get(word)) {
            let got = u64::from(epoch);
            return match got + u64::from(further) <= epochs.last {
                true => Ok(()),
                false => Err(VulkanError::Epoch { argument, got, further, allowed: epochs.last }),
            };
        }
        first += words.len();
    }
    Ok(())
}

/// The numbers of blocks in x and y, after checking that the arguments match the module.
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
    if let Some(index) = inputs.iter().position(|input| matches!(input, Input::Map { .. })) {
        return error(format!("argument {index}: got a tensor map, which Vulkan does not have"));
    }
    let [x, y, z] = launch.grid.0;
    if z != 1 {
        return error(format!("got a grid of {} blocks, expected one of two dimensions", launch.grid));
    }
    Ok([x, y])
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn read(gpu: &mut Gpu, inputs: &[Input], buffers: &[Buffer]) -> Result<Vec<Option<Tensor>>, VulkanError> {
    let mut buffers = buffers.iter();
    let mut left = Vec::new();
    for input in inputs {
        left.push(match input {
            Input::Buffer { shape, .. } => {
                let bytes = buffers.next().map(|buffer| gpu.contents(buffer)).transpose()?;
                bytes.map(|bytes| Tensor::new(shape.clone(), bytes))
            }
            Input::Scalar(..) | Input::Null { .. } | Input::Map { .. } => None,
        });
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;
    use crate::vulkan::Epochs;

    #[test]
    fn an_epoch_that_states_have_no_room_for_is_refused() {
        let module = Module {
            words: Vec::new(),
            entries: Vec::new(),
            bindings: Vec::new(),
            capabilities: Vec::new(),
            subgroup: None,
            epochs: Some(Epochs { word: 2, last: 16383 }),
            arguments: Vec::new(),
        };
        let number = |name: &str, bits| Input::Scalar(name.parse::<Element>().unwrap(), bits);
        let refused = |epoch, further| {
            let error = check_epoch(&module, &[number("i64", 1 << 40), number("i32", epoch)], further);
            error.err().map(|error| error.to_string())
        };
        assert_eq!((refused(16383, 0), refused(1, 16382)), (None, None));
        let text = "argument 1: got epoch 16384, expected at most 16383: a state has no room for more; zero the workspace and \
                    begin with 1 again";
        assert_eq!(refused(16384, 0).as_deref(), Some(text));
        assert!(refused(16380, 23).unwrap().contains("got epoch 16380 and 23 further launches to time, expected"));
    }
}
