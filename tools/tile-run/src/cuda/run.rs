//! Runs one kernel on a GPU.

use super::{Buffer, Chip, CudaError, Gpu};
use crate::input::Input;
use crate::placement::Placement;
use crate::tensor::{Shape, Strays, Tensor};
use crate::times::{Times, Timing};
use ptx_sim::Launch;

/// The byte that fills buffers without a value: a value unlikely in data.
const PATTERN: u8 = 0xcd;

/// A kernel that has run.
#[derive(Debug)]
pub struct Finished {
    /// The GPU that ran it.
    pub chip: Chip,
    /// The device time in milliseconds. This is the first launch, so later ones are faster.
    pub milliseconds: f32,
    /// The buffers that the kernel left, or the error that ended it.
    pub left: Result<Vec<Option<Tensor>>, CudaError>,
    /// The times of further runs, if they were requested.
    pub times: Option<Times>,
}

/// Runs `kernel` once, and then again for the requested timing, on the memory that the first run left. An error means
/// that it has not started.
pub fn run(
    ptx: &str,
    kernel: &str,
    ordinal: usize,
    launch: &Launch,
    inputs: &[Input],
    timing: Option<Timing>,
) -> Result<Finished, CudaError> {
    let gpu = Gpu::open(ordinal)?;
    let chip = gpu.chip()?;
    let module = gpu.load(ptx)?;
    let kernel = module.kernel(kernel)?;
    let buffers = inputs.iter().map(|input| place(&gpu, input)).collect::<Result<Vec<_>, _>>()?;
    let (values, _maps) = values(&gpu, inputs, &buffers.iter().map(Option::as_ref).collect::<Vec<_>>())?;
    gpu.wait()?;
    let mut started = Ok(());
    let time = gpu.time(|| {
        started = kernel.launch_values(launch, &values);
        started.clone()
    });
    started?;
    let (milliseconds, left) = match time {
        Ok(milliseconds) => (milliseconds, read(inputs, &buffers)),
        Err(error) => (0.0, Err(error)),
    };
    let timing = timing.filter(|_| left.is_ok());
    let times = timing.map(|timing| beside_copy(&gpu, timing, || kernel.launch_values(launch, &values))).transpose()?;
    Ok(Finished { chip, milliseconds, left, times })
}

/// Times launches, alternating with the driver's copy.
fn beside_copy(gpu: &Gpu, timing: Timing, launch: impl Fn() -> Result<(), CudaError>) -> Result<Times, CudaError> {
    let (from, mut to) = (gpu.alloc(timing.half())?, gpu.alloc(timing.half())?);
    timing.measure(|| {
        let driver = gpu.time(|| gpu.copy(&mut to, &from))?;
        Ok([gpu.time(&launch)?, driver])
    })
}

fn place(gpu: &Gpu, input: &Input) -> Result<Option<Buffer>, CudaError> {
    let Input::Buffer { shape, contents, placement, .. } = input else { return Ok(None) };
    let size = shape.element.bytes;
    // The argument has been checked: all of its memory fits.
    let places = placement.as_ref().map_or(shape.elements(), |placed| placed.span(&shape.extents).unwrap_or_default());
    let mut buffer = gpu.alloc(places * size)?;
    match (contents, placement) {
        (Some(tensor), None) => buffer.upload(&tensor.bytes)?,
        (Some(tensor), Some(placement)) => {
            let mut bytes = vec![PATTERN; places * size];
            for (place, element) in placement.places(shape).zip(tensor.bytes.chunks_exact(size)) {
                bytes[place * size..][..size].copy_from_slice(element);
            }
            buffer.upload(&bytes)?;
        }
        (None, _) => buffer.fill(PATTERN)?,
    }
    Ok(Some(buffer))
}

/// The bytes of each parameter of a launch with these inputs, whose memory is in the buffers with the same numbers; and the memory of the
/// tensor maps to which a parameter points, which lives as long as launches take it.
///
/// # Errors
/// A tensor map that the driver or its rules refuse.
pub fn values(
    gpu: &Gpu,
    inputs: &[Input],
    buffers: &[Option<&Buffer>],
) -> Result<(Vec<Vec<u8>>, Vec<Buffer>), CudaError> {
    let (mut values, mut maps) = (Vec::new(), Vec::new());
    for (number, input) in inputs.iter().enumerate() {
        let buffer = buffers.get(number).copied().flatten();
        let Input::Map { map, by_address } = input else {
            values.extend(words(input, buffer).iter().map(|word| word.to_ne_bytes().to_vec()));
            continue;
        };
        let start = buffers.get(map.buffer).copied().flatten().map_or(0, Buffer::address);
        let map = map.at(start).map_err(|error| CudaError::Kernel(error.to_string()))?;
        let bytes = gpu.encode(&map)?;
        if !by_address {
            values.push(bytes.to_vec());
            continue;
        }
        let mut memory = gpu.alloc(bytes.len())?;
        memory.upload(&bytes)?;
        values.push(memory.address().to_ne_bytes().to_vec());
        maps.push(memory);
    }
    Ok((values, maps))
}

/// The address or number of an argument, and the numbers that follow it.
fn words(input: &Input, buffer: Option<&Buffer>) -> Vec<u64> {
    match input {
        Input::Scalar(_, bits) => vec![*bits],
        Input::Null { numbers } => vec![0; 1 + numbers],
        Input::Map { .. } | Input::Buffer { is_passed: false, .. } => Vec::new(),
        Input::Buffer { numbers, .. } => {
            std::iter::once(buffer.map_or(0, Buffer::address)).chain(numbers.iter().copied()).collect()
        }
    }
}

fn read(inputs: &[Input], buffers: &[Option<Buffer>]) -> Result<Vec<Option<Tensor>>, CudaError> {
    let one = |(input, buffer): (&Input, &Option<Buffer>)| match (input, buffer) {
        (Input::Buffer { shape, placement, .. }, Some(buffer)) => download(shape, placement.as_ref(), buffer).map(Some),
        _ => Ok(None),
    };
    inputs.iter().zip(buffers).map(one).collect()
}

fn download(shape: &Shape, placement: Option<&Placement>, buffer: &Buffer) -> Result<Tensor, CudaError> {
    let size = shape.element.bytes;
    let places = placement.map_or(shape.elements(), |placed| placed.span(&shape.extents).unwrap_or_default());
    let mut bytes = vec![0; places * size];
    buffer.download(&mut bytes)?;
    let Some(placement) = placement else { return Ok(Tensor::new(shape.clone(), bytes)) };
    let at = |place: usize| &bytes[place * size..][..size];
    let elements = placement.places(shape).flat_map(|place| at(place).to_vec()).collect();
    let written = |place: &usize| at(*place).iter().any(|&byte| byte != PATTERN);
    let mut strays = Strays::default();
    placement.gaps(shape).flatten().filter(written).for_each(|place| strays.add(place));
    Ok(Tensor { strays, ..Tensor::new(shape.clone(), elements) })
}
