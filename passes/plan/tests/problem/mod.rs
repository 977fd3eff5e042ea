//! What a copy requests, and what is refused before any family plans it.

mod check;
mod convert;
mod effect;
mod mask;
mod run_time;
mod select;
mod touched;
