//! What the integration tests share.

#![allow(dead_code)]

pub mod cases;
pub mod machine;
pub mod oracle;
