//! The tile compiler for C: the functions of `tile-c/*.h`, which document them. `cargo xtask install` links them
//! into `libTile`, together with the C++ of the dialect and the passes.
//!
//! | module | header |
//! | --- | --- |
//! | `arguments` | `Support.h`: errors, and arguments that are checked |
//! | `attribute` | `Dialect.h`: axes and the layout attribute |
//! | `dialect` | `Dialect.h`: registration, and the buffer type |
//! | `layout` | `Layout.h` |
//! | `compile` | `Compile.h`, except remarks, which are in C++ |
//! | `kernel` | `Compile.h`: what a launch needs to know |
//! | `patterns` | `Patterns.h` |
//! | `launch`, `ptx`, `simulate` | `Simulate.h` |
//! | `tool` | `Tool.h` |
//!
//! Nothing unwinds out of these functions; errors in arguments are passed to the caller's handler.

mod arguments;
mod attribute;
mod compile;
mod dialect;
mod kernel;
mod launch;
mod layout;
mod patterns;
mod ptx;
mod simulate;
mod tool;
