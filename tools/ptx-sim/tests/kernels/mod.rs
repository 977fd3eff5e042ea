//! Whole kernels, printed by LLVM's NVPTX back end from the .ll files beside them.

mod asynchronous;
mod flags;
mod floats;
mod harness;
mod history;
mod lookback;
mod mistakes;
mod reduce;
mod residency;
mod transpose;
mod words;
