//! Select, partition, run-length encode and reduce-by-key as bodies of `tile.chained`, executed: results are compared with a loop over
//! the elements, under every schedule and all checkers.

mod bodies;
mod inputs;
mod oracle;
mod run;

mod lengths;
mod payloads;
mod progress;
mod ring;
mod vulkan;
