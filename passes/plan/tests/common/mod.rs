//! What the integration tests share.

#![allow(dead_code)]

pub mod access;
pub mod build;
pub mod bulk;
pub mod cases;
pub mod generate;
pub mod generate_changes;
pub mod generate_registers;
pub mod generate_tensor;
pub mod machine;
pub mod matrices;
pub mod oracle;
pub mod realign;
pub mod realigned_loads;
pub mod tape;
pub mod tensor;
