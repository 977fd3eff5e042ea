//! Decisions recorded from the reference implementation.

mod asynchronous;
mod copies;
mod tensor_memory;
