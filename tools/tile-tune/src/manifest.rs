//! What a folder of candidates has: `manifest.json`, and a PTX for each candidate.

use std::fs;
use std::path::Path;

use clap::Parser;
use serde::{Deserialize, Serialize};
use tile_run::BoundKernel;
use tile_run::options::Options;

use crate::error::TuneError;

/// The name of the file.
const MANIFEST: &str = "manifest.json";

/// The products of a file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// In the order of the file.
    pub products: Vec<TunedProduct>,
}

/// A product with its candidates.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedProduct {
    /// The function that it is in.
    pub function: String,
    /// Its place: `product.mlir:4:10`.
    pub place: String,
    /// The chip of the kernels: `sm_90a`.
    pub chip: String,
    /// Rows, columns and depths.
    pub size: [i64; 3],
    /// The elements of the factors and of the sums.
    pub elements: [String; 3],
    /// The fastest by the model first.
    pub candidates: Vec<CandidateKernel>,
}

/// A kernel of a product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateKernel {
    /// The schedule, as programs write it.
    pub schedule: String,
    /// Its estimated time, in microseconds.
    pub estimate: f64,
    /// The file of the PTX, in the folder.
    pub ptx: String,
    /// The kernel in it.
    pub kernel: String,
    /// The blocks of the grid along x, y and z.
    pub grid: [u32; 3],
    /// The threads of a block along x, y and z.
    pub block: [u32; 3],
    /// The bytes of dynamic shared memory of a block.
    pub shared: u32,
    /// The buffers that it takes, as `tile-run` writes them: `f16[64x32]`, with strides and offset `f16[64x32:40x1+8]`.
    pub arguments: Vec<String>,
    /// The argument of the function that each of them is: outlining orders them as a kernel uses them.
    pub operands: Vec<usize>,
    /// How the tensor maps are made that it takes after them, as the PTX states it: `base=p0,type=f16,…`.
    pub maps: Vec<String>,
}

impl Manifest {
    /// That of a folder.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(folder: &Path) -> Result<Self, TuneError> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path).map_err(|error| TuneError::Read { path: path.clone(), error })?;
        serde_json::from_str(&text).map_err(|error| TuneError::Manifest { path, error })
    }

    /// Writes it into a folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), TuneError> {
        let path = folder.join(MANIFEST);
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        fs::write(&path, text).map_err(|error| TuneError::Write { path, error })
    }
}

impl TunedProduct {
    /// What is multiplied: `64x32x128 of f16, f16, f32`, rows, columns and depths.
    pub fn what(&self) -> String {
        let [m, n, k] = self.size;
        format!("{m}x{n}x{k} of {}", self.elements.join(", "))
    }
}

impl CandidateKernel {
    /// Its name in messages, and for `--skip`: that of its file.
    pub fn name(&self) -> &str {
        self.ptx.strip_suffix(".ptx").unwrap_or(&self.ptx)
    }

    /// The buffers in the order of the function's arguments, with their numbers there.
    pub fn of_function(&self) -> Vec<(usize, &str)> {
        let mut sorted: Vec<_> = self.operands.iter().copied().zip(self.arguments.iter().map(String::as_str)).collect();
        sorted.sort_unstable();
        sorted
    }

    /// The kernel with its launch. Each has the contents that `fill` gives for the function's argument, as `tile-run` writes them.
    ///
    /// # Errors
    /// The PTX cannot be read, or is none that can be launched so.
    pub fn bound(&self, folder: &Path, fill: impl Fn(usize) -> String) -> Result<BoundKernel, TuneError> {
        let file = folder.join(&self.ptx);
        let grid = self.grid.map(|extent| extent.to_string()).join(",");
        let mut words = vec!["tile-run".into(), file.into_os_string(), "--entry".into(), self.kernel.as_str().into()];
        words.extend(["--grid".into(), grid.into()]);
        for (argument, &number) in self.arguments.iter().zip(&self.operands) {
            words.extend(["--arg".into(), format!("{argument}={}", fill(number)).into()]);
        }
        let candidate = || self.name().to_owned();
        let options =
            Options::try_parse_from(words).map_err(|error| TuneError::Arguments { candidate: candidate(), error })?;
        BoundKernel::of(&options).map_err(|error| TuneError::Bind { candidate: candidate(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_is_written() {
        let candidate = CandidateKernel {
            schedule: "#tile.schedule<tile = [32, 32, 64]>".to_owned(),
            estimate: 3.5,
            ptx: "product0.0.ptx".to_owned(),
            kernel: "product_kernel".to_owned(),
            grid: [16, 8, 1],
            block: [128, 1, 1],
            shared: 0,
            arguments: vec!["f16[256x192]".to_owned()],
            operands: vec![0],
            maps: Vec::new(),
        };
        assert_eq!(candidate.name(), "product0.0");
        let product = TunedProduct {
            function: "product".to_owned(),
            place: "product.mlir:4:10".to_owned(),
            chip: "sm_90a".to_owned(),
            size: [256, 512, 192],
            elements: ["f16", "f16", "f32"].map(str::to_owned),
            candidates: vec![candidate],
        };
        assert_eq!(product.what(), "256x512x192 of f16, f16, f32");
        let folder = std::env::temp_dir().join(format!("tile-tune-manifest-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let manifest = Manifest { products: vec![product] };
        manifest.write(&folder).unwrap();
        assert_eq!(Manifest::read(&folder).unwrap(), manifest);
        fs::write(folder.join(MANIFEST), "{}").unwrap();
        let error = Manifest::read(&folder).unwrap_err().to_string();
        assert!(error.contains("manifest.json: missing field `products`"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
        assert!(Manifest::read(&folder).unwrap_err().to_string().starts_with("cannot read "));
    }
}
