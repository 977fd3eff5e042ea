//! Scans, executed: their results are compared with a loop over the elements, under every schedule and all checkers.

mod element;
mod program;
mod run;

mod boundaries;
mod determinism;
mod faults;
mod operators;
mod progress;
mod random;
mod regions;
mod vulkan;
