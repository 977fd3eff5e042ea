//! The tests of layouts.
//!
//! One program: what the tests share is compiled once.

mod address;
mod canonical;
mod common;
mod fragments;
mod group;
mod product;
mod program;
mod text;
mod total;
mod vector;
mod view;
