//! Runs one kernel on a GPU.

use super::{Buffer, Chip, CudaError, Gpu};
use crate::launch::{Input, Launch};
use crate::tensor::{Shape, Tensor};

/// What buffers without a value start from: unlikely as data, the same in every byte.
const PATTERN: u8 = 0xcd;

/// A kernel that has run.
#[derive(Debug)]
pub struct Finished {
    /// Where.
    pub chip: Chip,
    /// Device time in milliseconds. A first launch, so more than what the kernel takes later on.
    pub milliseconds: f32,
    /// Each buffer as the kernel left it, or the error that ended it.
    pub left: Result<Vec<Option<Tensor>>, CudaError>,
}

/// Runs `kernel` once. An error means that it has not started.
pub fn run(ptx: &str, kernel: &str, ordinal: usize, launch: &Launch, inputs: &[Input]) -> Result<Finished, CudaError> {
    let gpu = Gpu::open(ordinal)?;
    let chip = gpu.chip()?;
    let module = gpu.load(ptx)?;
    let kernel = module.kernel(kernel)?;
    let buffers = inputs.iter().map(|input| place(&gpu, input)).collect::<Result<Vec<_>, _>>()?;
    let words: Vec<u64> = inputs.iter().zip(&buffers).map(|(input, buffer)| word(input, buffer.as_ref())).collect();
    gpu.wait()?;
    let mut started = Ok(());
    let time = gpu.time(|| {
        started = kernel.launch(launch, &words);
        started.clone()
    });
    started?;
    let (milliseconds, left) = match time {
        Ok(milliseconds) => (milliseconds, read(inputs, &buffers)),
        Err(error) => (0.0, Err(error)),
    };
    Ok(Finished { chip, milliseconds, left })
}

fn place(gpu: &Gpu, input: &Input) -> Result<Option<Buffer>, CudaError> {
    let Input::Buffer(shape, contents) = input else { return Ok(None) };
    let mut buffer = gpu.alloc(shape.bytes())?;
    match contents {
        Some(tensor) => buffer.upload(&tensor.bytes)?,
        None => buffer.fill(PATTERN)?,
    }
    Ok(Some(buffer))
}

fn word(input: &Input, buffer: Option<&Buffer>) -> u64 {
    match input {
        Input::Scalar(_, bits) => *bits,
        Input::Buffer(..) => buffer.map_or(0, Buffer::address),
    }
}

fn read(inputs: &[Input], buffers: &[Option<Buffer>]) -> Result<Vec<Option<Tensor>>, CudaError> {
    let one = |(input, buffer): (&Input, &Option<Buffer>)| match (input, buffer) {
        (Input::Buffer(shape, _), Some(buffer)) => download(shape, buffer).map(Some),
        _ => Ok(None),
    };
    inputs.iter().zip(buffers).map(one).collect()
}

fn download(shape: &Shape, buffer: &Buffer) -> Result<Tensor, CudaError> {
    let mut bytes = vec![0; shape.bytes()];
    buffer.download(&mut bytes)?;
    Ok(Tensor { shape: shape.clone(), bytes, missing: None })
}
