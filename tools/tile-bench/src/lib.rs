//! Code that the programs that measure scans share.

pub mod length;
pub mod values;
