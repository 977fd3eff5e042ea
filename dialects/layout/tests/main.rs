//! The tests of layouts.
//!
//! They are one program, so that shared code is compiled once.

mod address;
mod canonical;
mod common;
mod fragments;
mod group;
mod pack;
mod program;
mod text;
mod total;
mod vector;
mod view;
