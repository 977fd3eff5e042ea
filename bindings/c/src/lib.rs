//! The tile compiler for C: the functions of `tile-c/*.h`, which say what each does. `cargo xtask install` links them
//! into `libTile`, beside the C++ of the dialect and the passes.
//!
//! | module | header |
//! | --- | --- |
//! | `arguments` | `Support.h`: errors, and arguments that are checked |
//! | `attribute` | `Dialect.h`: axes and the layout attribute |
//! | `dialect` | `Dialect.h`: registration, and the buffer type |
//! | `layout` | `Layout.h` |
//! | `compile` | `Compile.h`, but remarks, which are C++ |
//! | `kernel` | `Compile.h`: what a launch must know |
//! | `simulate` | `Simulate.h` |
//!
//! Nothing unwinds out of these functions; what is wrong with an argument goes to the caller's handler.

mod arguments;
mod attribute;
mod compile;
mod dialect;
mod kernel;
mod layout;
mod simulate;
