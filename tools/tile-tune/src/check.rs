//! `tile-tune check`: runs the kernels of a folder in the simulator, and compares their results.

use std::path::Path;

use ptx_sim::{Checks, Module, Schedule};
use tile_run::input::Input;
use tile_run::sim::{self, Prints, SimOptions};
use tile_run::{complain, say};

use crate::data;
use crate::error::TuneError;
use crate::manifest::{CandidateKernel, Manifest, TunedProduct};
use crate::results::{CandidateResults, Written};

/// Checks the products of a folder, printing each result immediately; `false` if a candidate is wrong.
///
/// # Errors
/// The manifest cannot be read.
pub fn all(folder: &Path) -> Result<bool, TuneError> {
    let manifest = Manifest::read(folder)?;
    let right: Vec<bool> = manifest.products.iter().map(|product| check(folder, product)).collect();
    Ok(!right.contains(&false))
}

fn check(folder: &Path, product: &TunedProduct) -> bool {
    let (mut results, mut right) = (CandidateResults::default(), product.candidates.len());
    let depths = product.size[2];
    for (number, candidate) in product.candidates.iter().enumerate() {
        match simulated(folder, candidate) {
            Ok(written) => results.add(number, written, depths),
            Err(error) => {
                complain!("error: {error}");
                right -= 1;
            }
        }
    }
    for (number, deviation) in results.deviating(depths) {
        let candidate = &product.candidates[number];
        complain!("error: {}: {deviation}: {}", candidate.name(), candidate.schedule);
        right -= 1;
    }
    let count = product.candidates.len();
    say!("{}: {}, simulated: {right} of {count} kernels have the same results", product.place, product.what());
    right == count
}

/// What a kernel writes.
fn simulated(folder: &Path, candidate: &CandidateKernel) -> Result<Written, TuneError> {
    let bound = candidate.bound(folder, data::fill)?;
    let name = || candidate.name().to_owned();
    let module = Module::parse(&bound.ptx).map_err(|error| TuneError::Ptx { candidate: name(), error })?;
    let options = SimOptions {
        schedule: Schedule::Fair,
        checks: Checks::default(),
        step_limit: 1 << 36,
        prints: Prints::Nowhere,
    };
    let outcome = sim::run(&module, &bound.kernel.name, &bound.launch, &bound.inputs, &options);
    let (_, left) = outcome.map_err(|error| TuneError::Simulated { candidate: name(), error })?;
    let changed = |(number, (input, left)): (usize, (&Input, Option<tile_run::tensor::Tensor>))| {
        let (Input::Buffer { contents: Some(before), .. }, Some(left)) = (input, left) else { return None };
        let number = *candidate.operands.get(number)?;
        (before.bytes != left.bytes).then_some((number, left.shape.element, left.bytes))
    };
    Ok(bound.inputs.iter().zip(left).enumerate().filter_map(changed).collect())
}
