//! What is left of runs on GPUs without the feature: an error.

use crate::job::{Job, NotRun, Verdict};
use crate::options::Options;

pub(crate) fn cuda(_: &Job<'_>, _: usize) -> Result<Verdict, NotRun> {
    Err(NotRun::NoGpu("cuda"))
}

pub(crate) fn vulkan(_: &Options, _: usize) -> Result<Verdict, NotRun> {
    Err(NotRun::NoGpu("vulkan"))
}
