//! The planner of copies through tensor maps, against recorded ones and against the model of the engine.

mod random;
mod recorded;
mod simulated;
